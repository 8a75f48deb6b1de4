"""Second names of operations, as PyTorch has them: each is the very function of the first."""

from minitorch.compat.ops import arithmetic as rare_arithmetic
from minitorch.compat.ops import combining, linalg, matrices
from minitorch.ops import arithmetic, joining, logic, movement, products, unary

__all__ = ["absolute", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "cholesky", "divide"]
__all__ += ["fix", "ger", "greater", "greater_equal", "less", "less_equal", "moveaxis", "multiply", "negative"]
__all__ += ["not_equal", "orgqr", "row_stack", "subtract", "unsafe_chunk", "unsafe_split"]

absolute, negative, fix = unary.abs, unary.neg, unary.trunc
arcsin, arccos, arctan = unary.asin, unary.acos, unary.atan
arcsinh, arccosh, arctanh = unary.asinh, unary.acosh, unary.atanh
arctan2 = rare_arithmetic.atan2
subtract, multiply, divide = arithmetic.sub, arithmetic.mul, arithmetic.div
greater, greater_equal, less, less_equal, not_equal = logic.gt, logic.ge, logic.lt, logic.le, logic.ne
moveaxis, row_stack, unsafe_chunk, unsafe_split = movement.movedim, combining.vstack, joining.chunk, joining.split
ger, cholesky, orgqr = products.outer, linalg.cholesky, matrices.householder_product
