"""Functions of one variable, number by number. Integers become the default float where the result is no integer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.autograd.primitive import primitive
<<<<<<< HEAD
=======
from minitorch.numpy_protocol import answers
from minitorch.ops._dims import as_float
>>>>>>> main
from minitorch.ops._erf import erf as erf_of_floats
from minitorch.ops._gate import gate, no_slope
from minitorch.ops._ufuncs import answers

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


# -- signs -------------------------------------------------------------------------------------------------------------

neg = primitive(
    np.negative,
    """-x. dL/dx = -g.

    >>> neg(Tensor([1.0, -2.0]))
    tensor([-1.,  2.])
    """,
    name="neg",
    input=lambda g: -g,
)

positive = primitive(
    np.positive,
    """x itself, copied. dL/dx = g.

    >>> positive(Tensor([1.0, -2.0]))
    tensor([ 1., -2.])
    """,
    input=lambda g: g,
)


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


sign.vjp(input=no_slope)

abs = primitive(
    np.absolute,
    """|x|. dL/dx = g · sign(x), which is 0 at 0.

    >>> abs(Tensor([1.0, -2.0]))
    tensor([1., 2.])
    """,
    name="abs",
    input=lambda g, input: g * sign.raw(input),
)
answers(np.absolute, np.fabs)(abs)

# -- powers and roots --------------------------------------------------------------------------------------------------


@answers(np.square)
@primitive
def square(input: Any) -> Any:
    """x². dL/dx = g · 2x. Of bools integers.

    >>> square(Tensor([1.0, -2.0]))
    tensor([1., 4.])
    """
    return np.square(input if input.dtype.kind != "b" else input.astype(np.int64))


square.vjp(input=lambda g, input: g * (2 * input))

sqrt = primitive(
    np.sqrt,
    """√x. dL/dx = g / (2 · out), infinite at 0.

    >>> sqrt(Tensor([4.0, 9.0]))
    tensor([2., 3.])
    """,
    input=lambda g, out: g / (2 * out),
)


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

# -- exponentials and logarithms ---------------------------------------------------------------------------------------

exp = primitive(
    np.exp,
    """e**x. dL/dx = g · out.

    >>> exp(Tensor([0.0, 1.0]))
    tensor([1.0000, 2.7183])
    """,
    input=lambda g, out: g * out,
)

exp2 = primitive(
    np.exp2,
    """2**x. dL/dx = g · out · ln 2.

    >>> exp2(Tensor([0.0, 3.0]))
    tensor([1., 8.])
    """,
    input=lambda g, out: g * (out * math.log(2)),
)

expm1 = primitive(
    np.expm1,
    """e**x - 1, exact for small x too. dL/dx = g · (out + 1).

    >>> expm1(Tensor([0.0, 1.0]))
    tensor([0.0000, 1.7183])
    """,
    input=lambda g, out: g * (out + 1),
)

log = primitive(
    np.log,
    """ln x. dL/dx = g / x. -inf at 0 and nan below, as in NumPy and PyTorch.

    >>> log(Tensor([1.0, 10.0]))
    tensor([0.0000, 2.3026])
    """,
    input=lambda g, input: g / input,
)

log2 = primitive(
    np.log2,
    """The logarithm of base 2. dL/dx = g / (x · ln 2).

    >>> log2(Tensor([1.0, 8.0]))
    tensor([0., 3.])
    """,
    input=lambda g, input: g / (input * math.log(2)),
)

log10 = primitive(
    np.log10,
    """The logarithm of base 10. dL/dx = g / (x · ln 10).

    >>> log10(Tensor([1.0, 2.0]))
    tensor([0.0000, 0.3010])
    """,
    input=lambda g, input: g / (input * math.log(10)),
)

log1p = primitive(
    np.log1p,
    """ln(1 + x), exact for small x too. dL/dx = g / (1 + x).

    >>> log1p(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.6931])
    """,
    input=lambda g, input: g / (input + 1),
)

# -- angles ------------------------------------------------------------------------------------------------------------

sin = primitive(
    np.sin,
    """sin x, x in radians. dL/dx = g · cos x.

    >>> sin(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.8415])
    """,
    input=lambda g, input: g * np.cos(input),
)

cos = primitive(
    np.cos,
    """cos x, x in radians. dL/dx = -g · sin x.

    >>> cos(Tensor([0.0, 1.0]))
    tensor([1.0000, 0.5403])
    """,
    input=lambda g, input: -g * np.sin(input),
)

tan = primitive(
    np.tan,
    """tan x, x in radians. dL/dx = g · (1 + out²).

    >>> tan(Tensor([0.0, 1.0]))
    tensor([0.0000, 1.5574])
    """,
    input=lambda g, out: g * (1 + out * out),
)

asin = primitive(
    np.arcsin,
    """The angle from -π/2 to π/2 whose sine is x. dL/dx = g / √(1 - x²).

    >>> asin(Tensor([0.0, 1.0]))
    tensor([0.0000, 1.5708])
    """,
    name="asin",
    input=lambda g, input: g / np.sqrt(1 - input * input),
)

acos = primitive(
    np.arccos,
    """The angle from 0 to π whose cosine is x. dL/dx = -g / √(1 - x²).

    >>> acos(Tensor([0.0, 1.0]))
    tensor([1.5708, 0.0000])
    """,
    name="acos",
    input=lambda g, input: -g / np.sqrt(1 - input * input),
)

atan = primitive(
    np.arctan,
    """The angle from -π/2 to π/2 whose tangent is x. dL/dx = g / (1 + x²).

    >>> atan(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.7854])
    """,
    name="atan",
    input=lambda g, input: g / (input * input + 1),
)

# -- hyperbolic functions, and what squashes ---------------------------------------------------------------------------

sinh = primitive(
    np.sinh,
    """(e**x - e**-x) / 2. dL/dx = g · cosh x.

    >>> sinh(Tensor([0.0, 1.0]))
    tensor([0.0000, 1.1752])
    """,
    input=lambda g, input: g * np.cosh(input),
)

cosh = primitive(
    np.cosh,
    """(e**x + e**-x) / 2. dL/dx = g · sinh x.

    >>> cosh(Tensor([0.0, 1.0]))
    tensor([1.0000, 1.5431])
    """,
    input=lambda g, input: g * np.sinh(input),
)

tanh = primitive(
    np.tanh,
    """sinh x / cosh x: (…) → (…). dL/dx = g · (1 - out²).

    >>> tanh(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616])
    """,
    input=lambda g, out: g * (1 - out * out),
)

asinh = primitive(
    np.arcsinh,
    """The inverse of sinh, ln(x + √(x² + 1)). dL/dx = g / √(x² + 1).

    >>> asinh(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.8814])
    """,
    name="asinh",
    input=lambda g, input: g / np.sqrt(input * input + 1),
)

acosh = primitive(
    np.arccosh,
    """The inverse of cosh for x ≥ 1, ln(x + √(x² - 1)). dL/dx = g / √(x² - 1).

    >>> acosh(Tensor([1.0, 2.0]))
    tensor([0.0000, 1.3170])
    """,
    name="acosh",
    input=lambda g, input: g / np.sqrt(input * input - 1),
)

atanh = primitive(
    np.arctanh,
    """The inverse of tanh for |x| < 1, ln((1 + x) / (1 - x)) / 2. dL/dx = g / (1 - x²).

    >>> atanh(Tensor([0.0, 0.5]))
    tensor([0.0000, 0.5493])
    """,
    name="atanh",
    input=lambda g, input: g / (1 - input * input),
)


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
    return np.maximum(input, 0)


relu.vjp(input=lambda g, out: gate.raw(g, np.not_equal(out, 0)))  # not out > 0: nan passes its gradient on

# -- steps -------------------------------------------------------------------------------------------------------------

floor = primitive(
    np.floor,
    """The largest whole number ≤ x. dL/dx = 0: a step function.

    >>> floor(Tensor([1.5, -1.5]))
    tensor([ 1., -2.])
    """,
    input=no_slope,
)

ceil = primitive(
    np.ceil,
    """The smallest whole number ≥ x. dL/dx = 0: a step function.

    >>> ceil(Tensor([1.5, -1.5]))
    tensor([ 2., -1.])
    """,
    input=no_slope,
)

trunc = primitive(
    np.trunc,
    """x without what follows the point. dL/dx = 0: a step function.

    >>> trunc(Tensor([1.5, -1.5]))
    tensor([ 1., -1.])
    """,
    input=no_slope,
)


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


round.vjp(input=no_slope)


@primitive
def frac(input: Any) -> Any:
    """What follows the point, x - trunc(x), of x's sign. dL/dx = g.

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


nan_to_num.vjp(input=lambda g, input: gate.raw(g, np.isfinite(input)))
