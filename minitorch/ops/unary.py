"""Functions of one variable, number by number. Integers become the default float where the result is no integer.

Those that NumPy has are a table, a line each; the others stand below it, with their forward.

>>> exp(Tensor([0.0, 1.0]))
tensor([1.0000, 2.7183])
>>> asin(Tensor([0.0, 1.0]))
tensor([0.0000, 1.5708])
>>> log(Tensor([1, 10]))
tensor([0.0000, 2.3026])
>>> print(tanh.__doc__)
sinh x / cosh x: (…) → (…). dL/dx = g · (1 - out²).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.autograd.primitive import OfOne, primitive
from minitorch.autograd.promotion import as_float
from minitorch.autograd.rules import Rule
from minitorch.backend import xp
from minitorch.ops._erf import erf as erf_of_floats
from minitorch.ops._masks import mask_bits, zero_vjp
from minitorch.ops._ufuncs import answers
from minitorch.ops.formula import written

__all__ = [
    "neg",
    "positive",
    "abs",
    "sign",
    "square",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sigmoid",
    "erf",
    "relu",
    "floor",
    "ceil",
    "trunc",
    "round",
    "frac",
    "nan_to_num",
]

LN_2, LN_10 = math.log(2), math.log(10)

# NumPy's names that are not PyTorch's.
_TAGS = {"negative": "neg", "arcsin": "asin", "arccos": "acos", "arctan": "atan"}
_TAGS |= {"arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh"}


def _row(function: np.ufunc, what: str, rule: Rule) -> OfOne:
    """A row of the table as an operation. Its docstring says what it is, and its rule as the rule says it itself."""
    slope = written(rule, {"input": "x", "out": "out"}) or "0, a step function"
    for code, sign in (("sqrt(", "√("), ("log(2)", "ln 2"), ("log(10)", "ln 10"), (" ** 2", "²"), (" * ", " · ")):
        slope = slope.replace(code, sign)
    text = f"{what}: (…) → (…). dL/dx = {slope}."
    return primitive(function, text, name=_TAGS.get(function.__name__, function.__name__), input=rule)


# A row for each, its columns below each other.
# fmt: off
#               of NumPy     what it is                          dL/dx
neg      = _row(np.negative, "-x",                               lambda g: -g)
positive = _row(np.positive, "x itself, copied",                 lambda g: g)
sqrt     = _row(np.sqrt,     "√x",                               lambda g, out: g / (2 * out))

exp      = _row(np.exp,      "e**x",                             lambda g, out: g * out)
exp2     = _row(np.exp2,     "2**x",                             lambda g, out: g * (out * LN_2))
expm1    = _row(np.expm1,    "e**x - 1, exact for small x too",  lambda g, out: g * (out + 1))
log      = _row(np.log,      "ln x, -inf at 0 and nan below",    lambda g, input: g / input)
log2     = _row(np.log2,     "the logarithm of base 2",          lambda g, input: g / (input * LN_2))
log10    = _row(np.log10,    "the logarithm of base 10",         lambda g, input: g / (input * LN_10))
log1p    = _row(np.log1p,    "ln(1 + x), exact for small x too", lambda g, input: g / (input + 1))

sin      = _row(np.sin,      "sin x, x in radians",              lambda g, input: g * np.cos(input))
cos      = _row(np.cos,      "cos x, x in radians",              lambda g, input: -g * np.sin(input))
tan      = _row(np.tan,      "tan x, x in radians",              lambda g, out: g * (1 + out * out))
asin     = _row(np.arcsin,   "the angle whose sine is x",        lambda g, input: g / np.sqrt(1 - input * input))
acos     = _row(np.arccos,   "the angle whose cosine is x",      lambda g, input: -g / np.sqrt(1 - input * input))
atan     = _row(np.arctan,   "the angle whose tangent is x",     lambda g, input: g / (input * input + 1))

sinh     = _row(np.sinh,     "(e**x - e**-x) / 2",               lambda g, input: g * np.cosh(input))
cosh     = _row(np.cosh,     "(e**x + e**-x) / 2",               lambda g, input: g * np.sinh(input))
tanh     = _row(np.tanh,     "sinh x / cosh x",                  lambda g, out: g * (1 - out * out))
asinh    = _row(np.arcsinh,  "the inverse of sinh",              lambda g, input: g / np.sqrt(input * input + 1))
acosh    = _row(np.arccosh,  "the inverse of cosh, for x ≥ 1",   lambda g, input: g / np.sqrt(input * input - 1))
atanh    = _row(np.arctanh,  "the inverse of tanh, for |x| < 1", lambda g, input: g / (1 - input * input))

floor    = _row(np.floor,    "the largest whole number ≤ x",     zero_vjp)
ceil     = _row(np.ceil,     "the smallest whole number ≥ x",    zero_vjp)
trunc    = _row(np.trunc,    "x without what follows the point", zero_vjp)
# fmt: on

# -- signs, powers and roots -------------------------------------------------------------------------------------------


@answers(np.sign)
@primitive
def sign(input: Any) -> Any:
    """1 where x > 0, -1 where x < 0, 0 at 0 and nan. dL/dx = 0: a step function.

    >>> sign(Tensor([3.0, 0.0, -2.0]))
    tensor([ 1.,  0., -1.])
    """
    if input.dtype.kind == "b":
        return input.copy()
    return np.greater(input, 0).astype(input.dtype) - np.less(input, 0)


sign.vjp(input=zero_vjp)

abs = answers(np.absolute, np.fabs)(
    primitive(
        np.absolute,
        """|x|. dL/dx = g · sign(x), which is 0 at 0.

        >>> abs(Tensor([1.0, -2.0]))
        tensor([1., 2.])
        """,
        name="abs",
        input=lambda g, input: g * sign.raw(input),
    )
)


@answers(np.square)
@primitive
def square(input: Any) -> Any:
    """x². dL/dx = g · 2x. Of bools integers.

    >>> square(Tensor([1.0, -2.0]))
    tensor([1., 4.])
    """
    return np.square(input if input.dtype.kind != "b" else input.astype(np.int64))


square.vjp(input=lambda g, input: g * (2 * input))


@primitive
def rsqrt(input: Any) -> Any:
    """1 / √x. dL/dx = -g · out³ / 2.

    >>> rsqrt(Tensor([4.0, 16.0]))
    tensor([0.5000, 0.2500])
    """
    return 1 / np.sqrt(input)


rsqrt.vjp(input=lambda g, out: g * (-0.5 * out * out * out))


@answers(np.reciprocal)
@primitive
def reciprocal(input: Any) -> Any:
    """1 / x. dL/dx = -g · out².

    >>> reciprocal(Tensor([2.0, 4.0]))
    tensor([0.5000, 0.2500])
    """
    return 1 / input


reciprocal.vjp(input=lambda g, out: -g * (out * out))

# -- what squashes, and what is cut ------------------------------------------------------------------------------------


@primitive
def sigmoid(input: Any) -> Any:
    """σ(x) = 1 / (1 + e**-x): (…) → (…). dL/dx = g · out · (1 - out). Never overflows.

    >>> sigmoid(Tensor([0.0, 2.0]))
    tensor([0.5000, 0.8808])
    """
    # (1 + tanh(x/2)) / 2 never overflows, but loses the small values; e**-|x| keeps both.
    tail = np.exp(-np.absolute(as_float(input)))
    return np.maximum(tail, input >= 0) / (1 + tail)  # 1 or e**x, over 1 + e**-|x|


sigmoid.vjp(input=lambda g, out: g * (out * (1 - out)))


@primitive
def erf(input: Any) -> Any:
    """The error function, 2/√π · ∫₀ˣ e**-t² dt. dL/dx = g · 2/√π · e**-x². Source: Cody, 1969 (`minitorch.ops._erf`).

    >>> erf(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.8427])
    """
    return erf_of_floats(as_float(input))


erf.vjp(input=lambda g, input: g * (np.exp(-(input * input)) * (2 / math.sqrt(math.pi))))


@primitive
def relu(input: Any) -> Any:
    """max(x, 0): (…) → (…). dL/dx = g where x > 0, else 0 (at 0 too, as in PyTorch).

    >>> relu(Tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    if input.dtype.kind == "b":
        return input.copy()
    # Plainly np.maximum(input, 0): beside a number NumPy takes two to three times as long as beside an array, zeros
    # and all, which is 2 % of a step of the small MLP. Zeros laid out otherwise than the input, as a convolution's
    # result with its samples last is, would make the CNN's step half as long again.
    xnp = xp(input)
    if input.flags.c_contiguous:
        zeros = xnp.zeros(input.shape, input.dtype)
    else:
        zeros = xnp.empty_like(input)
        zeros.fill(0)
    return np.maximum(input, zeros)  # max(input, 0)


def _relu_wrt_input(g: Any, out: Any) -> Any:
    mask = np.not_equal(out, 0)  # where out > 0, or nan
    return mask_bits.raw(g, mask)


relu.vjp(input=_relu_wrt_input)

# -- rounding ----------------------------------------------------------------------------------------------------------


@answers(np.rint)
@primitive
def round(input: Any, decimals: int = 0) -> Any:
    """x with so many decimals, -1 for tens; halves go to the even neighbour. dL/dx = 0: a step function.

    >>> round(Tensor([0.5, 1.5, 2.25]))
    tensor([0., 2., 2.])
    >>> round(Tensor([0.5, 1.5, 2.25]), decimals=1)
    tensor([0.5000, 1.5000, 2.2000])
    """
    return np.round(input, decimals)


round.vjp(input=zero_vjp)


@primitive
def frac(input: Any) -> Any:
    """Fractional part, x - trunc(x), of x's sign. dL/dx = g.

    >>> frac(Tensor([1.5, -1.25]))
    tensor([ 0.5000, -0.2500])
    """
    return input - np.trunc(input)


frac.vjp(input=lambda g: g)


@primitive
def nan_to_num(input: Any, nan: float | None = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    """Numbers in the place of nan and the infinities: `nan`, and by default the largest and the smallest float.

    dL/dx = g where x is finite, else 0.

    >>> nan_to_num(Tensor([1.0, np.nan, np.inf]), posinf=9)
    tensor([1., 0., 9.])
    """
    return np.nan_to_num(input, nan=nan or 0.0, posinf=posinf, neginf=neginf)


nan_to_num.vjp(input=lambda g, input: mask_bits.raw(g, np.isfinite(input)))
