"""The gamma function's family: its logarithm, the derivatives of that, and what of its integral lies below a bound.

NumPy has none of them. Each is computed in float64 to about 1e-14 of its value, away from zeros, whatever the dtype.
Sources: Abramowitz and Stegun, 1964, chapters 6 and 23; DLMF, chapters 5 and 8.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.backend import as_result, is_array, to_host
from minitorch.ops.arithmetic import add
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["digamma", "igamma", "igammac", "lgamma", "mvlgamma", "polygamma"]

_SHIFT = 10  # from here on the asymptotic series are exact to the last digit
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)
_EULER = 0.57721566490153286061
_STEPS = 300  # of the series and of the continued fraction of igamma


def in_double(function: Callable[..., Any], *inputs: Any) -> Any:
    """function(*inputs), computed in float64 and without warnings; the answer has the dtype of the floats given."""
    arrays = [as_result(each) if isinstance(each, np.generic) else each for each in inputs]
    dtype = np.result_type(*[as_float(each).dtype for each in arrays if is_array(each)] or [np.float64])
    with np.errstate(all="ignore"):
        out = function(*[each.astype(np.float64, copy=False) if is_array(each) else each for each in arrays])
    return as_result(out).astype(dtype, copy=False)


def polynomial(x: Any, coefficients: Any) -> Any:
    """Horner's scheme, the highest power first."""
    total: Any = 0.0
    for each in coefficients:
        total = total * x + each
    return total


def sin_pi(x: Any) -> Any:
    """sin(π x), exact in x: what is whole of it only says the sign."""
    whole = np.rint(x)
    return np.sin(math.pi * (x - whole)) * (1 - 2 * np.remainder(whole, 2))


# -- ζ(s, q), of which the derivatives of ln Γ are made ----------------------------------------------------------------


def _hurwitz(s: Any, q: Any) -> Any:
    """Σ (q + k)**-s for q > 0: ten terms, and Euler's and Maclaurin's formula for the rest."""
    total: Any = sum(np.power(q + k, -s) for k in range(_SHIFT))
    a = q + _SHIFT
    power = np.power(a, -s)
    total = total + power * a / (s - 1) + power / 2
    rising = s * power / a
    for j, bernoulli in enumerate(_BERNOULLI, 1):
        total = total + rising * (bernoulli / math.factorial(2 * j))
        rising = rising * ((s + 2 * j - 1) * (s + 2 * j)) / (a * a)
    return np.where(np.isinf(q), 0, total)


def _zeta(s: Any, q: Any) -> Any:
    s, q = np.broadcast_arrays(s, q)
    below = np.where(q <= 0, np.floor(q), 0)
    whole = np.equal(q, np.floor(q)) * (q <= 0)
    out = _hurwitz(s, np.where(whole, 1, q - below))
    lowest = float(to_host(below).min()) if below.size else 0.0
    for k in range(-int(lowest)):  # the terms below 0, for whole s alone
        out = out + np.where(k < -below, np.power(np.where(k < -below, q + k, 1), -s), 0)
    out = np.where((q <= 0) * np.not_equal(s, np.floor(s)), math.nan, np.where(whole, math.inf, out))
    return np.where(np.equal(s, 1), math.inf, np.where(s < 1, math.nan, out))


@primitive(stretches=True)
def zeta(input: Any, other: Any) -> Any:
    """Hurwitz's ζ(s, q) = Σ 1 / (k + q)**s from k = 0 on, of s = input > 1 and q = other. dL/dq = -g · s · ζ(s + 1, q).

    As in PyTorch, infinite for s = 1 and nan below. There is no gradient for s.

    >>> zeta(Tensor([2.0]), 1.0)
    tensor([1.6449])
    """
    return in_double(_zeta, input, other)


zeta.vjp(other=lambda g, input, other: g * (-input * zeta.raw(input + 1, other)))


# -- ln |Γ| and its derivatives ----------------------------------------------------------------------------------------

_NEAR_ONE = tuple((-1) ** k * float(_hurwitz(np.float64(k), np.float64(2.0))) / k for k in range(30, 1, -1))


def stirling(x: Any) -> Any:
    """ln Γ(x) - ((x - ½) ln x - x + ½ ln 2π), for x ≥ 10."""
    return polynomial(1 / (x * x), [b / (2 * j * (2 * j - 1)) for j, b in reversed([*enumerate(_BERNOULLI, 1)])]) / x


def log_gamma(x: Any) -> Any:
    """ln |Γ(x)|: Taylor's series around 1 and 2, where it is 0; Stirling's beyond; the reflection formula below 0."""
    below = x < 0
    y = np.where(below, 1 - x, x)
    z = y - np.where(y < 0.5, 0, np.where(y < 1.5, 1, 2))
    series = z * (1 - _EULER) + z * z * polynomial(z, _NEAR_ONE)
    near = series - np.where(y < 1.5, np.log1p(z), 0) - np.where(y < 0.5, np.log(y), 0)
    product: Any = 1.0
    for k in range(_SHIFT):
        product = product * np.where(y < _SHIFT, y + k, 1)
    w = np.where(y < _SHIFT, y + _SHIFT, y)
    far = (w - 0.5) * np.log(w) - w + 0.5 * math.log(2 * math.pi) + stirling(w) - np.log(product)
    out = np.where(y <= 2.5, near, np.where(np.isinf(y), math.inf, far))
    return np.where(below, math.log(math.pi) - np.log(np.absolute(sin_pi(x))) - out, out)


def _digamma(x: Any) -> Any:
    below = x < 0
    y = np.where(below, 1 - x, x)
    w = y + _SHIFT
    square = 1 / (w * w)
    series = square * polynomial(square, [b / (2 * j) for j, b in reversed([*enumerate(_BERNOULLI, 1)])])
    out = np.log(w) - 0.5 / w - series - sum(1 / (y + k) for k in range(_SHIFT))
    out = np.where(np.equal(x, 0), np.copysign(math.inf, -x), out)
    part = x - np.rint(x)
    mirrored = out - math.pi / np.tan(math.pi * part)
    return np.where(below, np.where(np.equal(part, 0), math.nan, mirrored), out)


def _polygamma(x: Any, n: int) -> Any:
    """ψ⁽ⁿ⁾(x) = (-1)ⁿ⁺¹ n! ζ(n + 1, x) for x > 0; below, (-1)ⁿ ψ⁽ⁿ⁾(1 - x) - π · dⁿ cot(π x)/dxⁿ."""
    below = x <= 0
    out = (-1) ** (n + 1) * math.gamma(n + 1) * _hurwitz(n + 1.0, np.where(below, 1 - x, x))
    cot = [0.0, 1.0]  # dⁿ cot/dxⁿ as a polynomial of cot, the lowest power first: each time -(1 + c²) times its slope
    for _ in range(n):
        slope = [k * each for k, each in enumerate(cot)][1:]
        cot = [-(a + b) for a, b in zip([*slope, 0.0, 0.0], [0.0, 0.0, *slope], strict=True)]
    part = x - np.rint(x)
    mirrored = (-1) ** n * out - math.pi ** (n + 1) * polynomial(1 / np.tan(math.pi * part), reversed(cot))
    return np.where(below, np.where(np.equal(part, 0), math.inf, mirrored), out)


@primitive
def digamma(input: Any) -> Any:
    """ψ(x) = d ln Γ(x)/dx: ±inf at ∓0, nan at the whole numbers below. dL/dx = g · ψ'(x).

    >>> digamma(Tensor([1.0, 2.0]))
    tensor([-0.5772,  0.4228])
    """
    return in_double(_digamma, as_float(input))


@primitive(name="polygamma")
def derivative_of_digamma(input: Any, n: int) -> Any:
    """The n-th derivative of ψ, n ≥ 1."""
    return in_double(_polygamma, as_float(input), n)


digamma.vjp(input=lambda g, input: g * derivative_of_digamma.raw(input, 1))
derivative_of_digamma.vjp(input=lambda g, input, n: g * derivative_of_digamma.raw(input, n + 1))


def polygamma(n: int, input: TensorLike) -> Tensor:
    """ψ⁽ⁿ⁾(x), the n-th derivative of digamma, which is `polygamma(0, x)`. dL/dx = g · ψ⁽ⁿ⁺¹⁾(x).

    Raises ValueError for a negative n.

    >>> polygamma(1, Tensor([1.0, 2.0]))
    tensor([1.6449, 0.6449])
    """
    if n < 0:
        raise ValueError(f"polygamma: n is how many derivatives to take, so it cannot be {n}")
    return derivative_of_digamma(input, n) if n else digamma(input)


@primitive
def lgamma(input: Any) -> Any:
    """ln |Γ(x)|: infinite at 0 and at the whole numbers below. dL/dx = g · ψ(x).

    >>> lgamma(Tensor([0.5, 1.0, 5.0]))
    tensor([0.5724, 0.0000, 3.1781])
    """
    return in_double(log_gamma, as_float(input))


lgamma.vjp(input=lambda g, input: g * digamma.raw(input))


def mvlgamma(input: TensorLike, p: int) -> Tensor:
    """ln Γₚ(x), of the gamma function of p variables: p (p - 1)/4 · ln π + Σ ln Γ(x - j/2) for j from 0 to p - 1.

    Raises ValueError for p below 1.

    >>> mvlgamma(Tensor([3.0]), 2)
    tensor([1.5502])
    """
    if p < 1:
        raise ValueError(f"mvlgamma: p is how many variables there are, so it cannot be {p}")
    out: Any = lgamma(input)
    for j in range(1, p):
        out = add(out, lgamma(add(input, -j / 2)))
    return add(out, p * (p - 1) / 4 * math.log(math.pi)) if p > 1 else out


# -- the parts of Γ's integral below and above a bound -----------------------------------------------------------------


def _density(a: Any, x: Any) -> Any:
    """xᵃ e**-x / Γ(a + 1), where powers and factorials alone would overflow."""
    large = a > _SHIFT
    b = np.where(large, a, _SHIFT + 1.0)
    off = (x - b) / b
    by_distance = b * (np.log1p(off) - off) - 0.5 * np.log(2 * math.pi * b) - stirling(b)
    return np.exp(np.where(large, by_distance, a * np.log(x) - x - log_gamma(a + 1)))


def _parts(a: Any, x: Any) -> tuple[Any, Any]:
    """The part below x and the part above: a series for the smaller x, Lentz's continued fraction for the larger."""
    a, x = np.broadcast_arrays(a, x)
    small = x < a + 1
    u, v = np.where(small, x, 0.5), np.where(small, 1.0, np.where(np.isinf(x), 1.0, x))
    term: Any = np.ones_like(u)
    total = term
    for k in range(1, _STEPS):
        term = term * u / (np.where(small, a, 1.0) + k)
        total = total + term
    tiny, c_a = 1e-300, np.where(small, 0.5, a)
    b = v + 1 - c_a
    b = np.where(np.equal(b, 0), tiny, b)
    c: Any = 1 / tiny
    d = 1 / b
    h = d
    for k in range(1, _STEPS):
        factor = -k * (k - c_a)
        b = b + 2
        d = factor * d + b
        d = 1 / np.where(np.equal(d, 0), tiny, d)
        c = b + factor / c
        c = np.where(np.equal(c, 0), tiny, c)
        h = h * d * c
    density = _density(a, x)
    lower, upper = density * total, np.where(np.isinf(x), 0, density * a * h)
    lower, upper = np.where(small, lower, 1 - upper), np.where(small, 1 - lower, upper)
    none = np.equal(x, 0)
    lower, upper = np.where(none, 0, lower), np.where(none, 1, upper)
    flat = np.equal(a, 0)
    lower, upper = (
        np.where(flat, np.where(none, math.nan, 1), lower),
        np.where(flat, np.where(none, math.nan, 0), upper),
    )
    outside = (a < 0) + (x < 0) + np.isnan(a) + np.isnan(x) > 0
    return np.where(outside, math.nan, lower), np.where(outside, math.nan, upper)


@primitive(stretches=True)
def igamma(input: Any, other: Any) -> Any:
    """P(a, x) = ∫₀ˣ tᵃ⁻¹ e**-t dt / Γ(a), of a = input and x = other. dL/dx = g · xᵃ⁻¹ e**-x / Γ(a).

    Exact to 1e-12 for a up to some thousands. There is no gradient for a, as in PyTorch.

    >>> igamma(Tensor([1.0]), Tensor([1.0]))
    tensor([0.6321])
    """
    return in_double(lambda a, x: _parts(a, x)[0], input, other)


@primitive(stretches=True)
def igammac(input: Any, other: Any) -> Any:
    """Q(a, x) = 1 - P(a, x), of a = input and x = other, exact where it is small. dL/dx = -g · xᵃ⁻¹ e**-x / Γ(a).

    >>> igammac(Tensor([1.0]), Tensor([1.0]))
    tensor([0.3679])
    """
    return in_double(lambda a, x: _parts(a, x)[1], input, other)


def _slope(input: Any, other: Any) -> Any:
    return np.exp((input - 1) * np.log(other) - other - lgamma.raw(input))


igamma.vjp(other=lambda g, input, other: g * _slope(input, other))
igammac.vjp(other=lambda g, input, other: -g * _slope(input, other))
