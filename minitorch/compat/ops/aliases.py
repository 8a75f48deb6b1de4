"""Second names of operations, as PyTorch has them: each is the very function of the first."""

from minitorch.compat.ops.arithmetic import atan2 as arctan2
from minitorch.compat.ops.combining import vstack as row_stack
from minitorch.compat.ops.linalg import cholesky
from minitorch.compat.ops.matrices import householder_product as orgqr
from minitorch.ops.arithmetic import div as divide
from minitorch.ops.arithmetic import mul as multiply
from minitorch.ops.arithmetic import sub as subtract
from minitorch.ops.joining import chunk as unsafe_chunk
from minitorch.ops.joining import split as unsafe_split
from minitorch.ops.logic import ge as greater_equal
from minitorch.ops.logic import gt as greater
from minitorch.ops.logic import le as less_equal
from minitorch.ops.logic import lt as less
from minitorch.ops.logic import ne as not_equal
from minitorch.ops.movement import movedim as moveaxis
from minitorch.ops.products import outer as ger
from minitorch.ops.unary import abs as absolute
from minitorch.ops.unary import acos as arccos
from minitorch.ops.unary import acosh as arccosh
from minitorch.ops.unary import asin as arcsin
from minitorch.ops.unary import asinh as arcsinh
from minitorch.ops.unary import atan as arctan
from minitorch.ops.unary import atanh as arctanh
from minitorch.ops.unary import neg as negative
from minitorch.ops.unary import trunc as fix

__all__ = [
    "absolute",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "cholesky",
    "divide",
    "fix",
    "ger",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "moveaxis",
    "multiply",
    "negative",
    "not_equal",
    "orgqr",
    "row_stack",
    "subtract",
    "unsafe_chunk",
    "unsafe_split",
]
