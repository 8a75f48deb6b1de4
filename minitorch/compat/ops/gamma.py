"""The gamma function's family: its logarithm, the derivatives of that, and what of its integral lies below a bound.

lgamma, digamma and its gradient are NumPy's work, to about 1e-14 of their values, away from zeros; SciPy computes the
others. Sources: Abramowitz and Stegun, 1964, chapters 6 and 23; DLMF, chapter 5.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.compat.ops.scipy_special import in_double, scipy_special
from minitorch.ops.arithmetic import add
from minitorch.types import TensorLike

__all__ = ["digamma", "igamma", "igammac", "lgamma", "mvlgamma", "polygamma"]

_SHIFT = 10  # from here on the asymptotic series are exact to the last digit
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)
_EULER = 0.57721566490153286061


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


@primitive(stretches=True)
def zeta(input: Any, other: Any) -> Any:
    """Hurwitz's ζ(s, q) = Σ 1 / (k + q)**s from k = 0 on, of s = input > 1 and q = other. dL/dq = -g · s · ζ(s + 1, q).

    As in PyTorch, infinite for s = 1 and nan below; there is no gradient for s. Raises ImportError without SciPy.

    >>> zeta(Tensor([2.0]), 1.0)
    tensor([1.6449])
    """
    return in_double(scipy_special("zeta", "special.zeta"), input, other)


zeta.vjp(other=lambda g, input, other: g * (-input * zeta.raw(input + 1, other)))


# -- ln |Γ| and its derivatives ----------------------------------------------------------------------------------------


def _hurwitz(s: Any, q: Any) -> Any:
    """ζ(s, q) for q > 0: ten terms, and Euler's and Maclaurin's formula for the rest."""
    total: Any = sum(np.power(q + k, -s) for k in range(_SHIFT))
    a = q + _SHIFT
    power = np.power(a, -s)
    total = total + power * a / (s - 1) + power / 2
    rising = s * power / a
    for j, bernoulli in enumerate(_BERNOULLI, 1):
        total = total + rising * (bernoulli / math.factorial(2 * j))
        rising = rising * ((s + 2 * j - 1) * (s + 2 * j)) / (a * a)
    return np.where(np.isinf(q), 0, total)


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


def _trigamma(x: Any) -> Any:
    """ψ'(x) = ζ(2, x) for x > 0; below, (π / sin π x)² - ψ'(1 - x)."""
    below = x <= 0
    out = _hurwitz(2.0, np.where(below, 1 - x, x))
    return np.where(below, np.square(math.pi / sin_pi(x)) - out, out)


@primitive
def digamma(input: Any) -> Any:
    """ψ(x) = d ln Γ(x)/dx: ±inf at ∓0, nan at the whole numbers below. dL/dx = g · ψ'(x).

    >>> digamma(Tensor([1.0, 2.0]))
    tensor([-0.5772,  0.4228])
    """
    return in_double(_digamma, as_float(input))


@primitive(name="polygamma")
def derivative_of_digamma(input: Any, n: int) -> Any:
    """ψ⁽ⁿ⁾(x) = (-1)ⁿ⁺¹ n! ζ(n + 1, x) for n ≥ 1. The first is digamma's gradient, and so needs no SciPy."""
    if n == 1:
        return in_double(_trigamma, as_float(input))
    zeta = scipy_special("zeta", "polygamma")
    return in_double(lambda x: (-1) ** (n + 1) * math.gamma(n + 1) * zeta(n + 1.0, x), as_float(input))


digamma.vjp(input=lambda g, input: g * derivative_of_digamma.raw(input, 1))
derivative_of_digamma.vjp(input=lambda g, input, n: g * derivative_of_digamma.raw(input, n + 1))


def polygamma(n: int, input: TensorLike) -> Tensor:
    """ψ⁽ⁿ⁾(x), the n-th derivative of digamma, which is `polygamma(0, x)`. dL/dx = g · ψ⁽ⁿ⁺¹⁾(x).

    Raises ValueError for a negative n, ImportError for n ≥ 2 without SciPy.

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


@primitive(stretches=True)
def igamma(input: Any, other: Any) -> Any:
    """P(a, x) = ∫₀ˣ tᵃ⁻¹ e**-t dt / Γ(a), of a = input and x = other. dL/dx = g · xᵃ⁻¹ e**-x / Γ(a).

    SciPy computes it. There is no gradient for a, as in PyTorch. Raises ImportError without SciPy.

    >>> igamma(Tensor([1.0]), Tensor([1.0]))
    tensor([0.6321])
    """
    return in_double(scipy_special("gammainc", "igamma"), input, other)


@primitive(stretches=True)
def igammac(input: Any, other: Any) -> Any:
    """Q(a, x) = 1 - P(a, x), of a = input and x = other, exact where it is small. dL/dx = -g · xᵃ⁻¹ e**-x / Γ(a).

    SciPy computes it. Raises ImportError without SciPy.

    >>> igammac(Tensor([1.0]), Tensor([1.0]))
    tensor([0.3679])
    """
    return in_double(scipy_special("gammaincc", "igammac"), input, other)


def _slope(input: Any, other: Any) -> Any:
    return np.exp((input - 1) * np.log(other) - other - lgamma.raw(input))


igamma.vjp(other=lambda g, input, other: g * _slope(input, other))
igammac.vjp(other=lambda g, input, other: -g * _slope(input, other))
