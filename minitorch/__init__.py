"""minitorch: an autograd package small enough to read and quick enough to train with."""

from minitorch.autograd.gradcheck import GradcheckError, gradcheck
from minitorch.autograd.primitive import primitive
from minitorch.autograd.scope import (
    enable_grad,
    get_default_dtype,
    is_grad_enabled,
    no_grad,
    set_default_dtype,
)
from minitorch.ops.elementwise import (
    abs,
    add,
    div,
    exp,
    log,
    maximum,
    minimum,
    mul,
    neg,
    pow,
    relu,
    sigmoid,
    sqrt,
    sub,
    tanh,
    where,
)
from minitorch.ops.fused import log_softmax, softmax
from minitorch.ops.linalg import matmul
from minitorch.ops.movement import cat, expand, permute, reshape, squeeze, stack, transpose, unsqueeze
from minitorch.ops.reduce import amax, logsumexp, max, mean, sum, var
from minitorch.tensor import Tensor

__version__ = "0.1.0"

__all__ = [
    "GradcheckError",
    "Tensor",
    "abs",
    "add",
    "amax",
    "cat",
    "div",
    "enable_grad",
    "exp",
    "expand",
    "get_default_dtype",
    "gradcheck",
    "is_grad_enabled",
    "log",
    "log_softmax",
    "logsumexp",
    "matmul",
    "max",
    "maximum",
    "mean",
    "minimum",
    "mul",
    "neg",
    "no_grad",
    "permute",
    "pow",
    "primitive",
    "relu",
    "reshape",
    "set_default_dtype",
    "sigmoid",
    "softmax",
    "sqrt",
    "squeeze",
    "stack",
    "sub",
    "sum",
    "tanh",
    "transpose",
    "unsqueeze",
    "var",
    "where",
]
