"""Bessel functions of order 0 and 1, computed in float64 to about 1e-14, whatever the dtype.

The integrals over a period, cos(x sin t) and e**(x cos t), are means over a few dozen places: of periodic functions
the trapezoidal rule is exact to the last digit. Beyond stand the asymptotic series, near 0 the power series.
Source: DLMF, chapter 10; Trefethen and Weideman, 2014 (The exponentially convergent trapezoidal rule).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import as_result
from minitorch.compat.ops.gamma import in_double, polynomial
from minitorch.ops.unary import sign
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["i0"]

_FAR = 30.0  # from here on the asymptotic series are exact
_EULER = 0.57721566490153286061
_PLACES = [math.pi * (k + 0.5) / 48 for k in range(48)]  # half a period: the other half is the same


def _asymptotic(order: int, terms: int = 24) -> list[float]:
    """The coefficients aₖ of the series in 1/x: Π ((2j - 1)² - 4·order²) / (8j) with alternating signs taken out."""
    found = [1.0]
    for j in range(1, terms):
        found.append(found[-1] * (4 * order * order - (2 * j - 1) ** 2) / (8 * j))
    return found


def _scaled_i(x: Any, order: int) -> Any:
    """e**-|x| · I(|x|)."""
    size = np.absolute(x)
    near = np.minimum(size, _FAR)
    out: Any = 0.0
    for t in _PLACES:
        out = out + np.exp(near * (math.cos(t) - 1)) * (math.cos(t) if order else 1) / len(_PLACES)
    if order:  # where positive and negative places cancel: the power series
        half = np.minimum(near, 2.0) / 2
        coefficients = [1 / (math.factorial(k) * math.factorial(k + 1)) for k in range(20, -1, -1)]
        out = np.where(near < 2, half * polynomial(half * half, coefficients) * np.exp(-near), out)
    signs = [each * (-1) ** k for k, each in enumerate(_asymptotic(order))]
    far = polynomial(1 / np.maximum(size, _FAR), reversed(signs)) / np.sqrt(2 * math.pi * np.maximum(size, _FAR))
    return np.where(size > _FAR, far, out)


def _near_zero(square: Any, order: int) -> Any:
    """Σ (ψ(k + 1) + ψ(k + order + 1)) / (k! (k + order)!) · squareᵏ, which stands beside ln x in K and in Y."""
    harmonic, coefficients = 0.0, []
    for k in range(20):
        both = 2 * (harmonic - _EULER) + (1 / (k + 1) if order else 0)
        coefficients.append(both / (math.factorial(k) * math.factorial(k + order)))
        harmonic += 1 / (k + 1)
    return polynomial(square, reversed(coefficients))


def _scaled_k(x: Any, order: int) -> Any:
    """eˣ · K(x) for x > 0: ∫ e**(x - x cosh t) cosh(order · t) dt from 2 to 30, the power series below, else far."""
    middle, small = np.clip(x, 2.0, _FAR), np.clip(x, 1e-308, 2.0)
    out: Any = 0.5 / 16
    for k in range(1, 78):
        t = k / 16
        out = out + np.exp(middle * (1 - math.cosh(t))) * (math.cosh(t) if order else 1) / 16
    rest, logarithm = _near_zero(small * small / 4, order), np.log(small / 2)
    i = _scaled_i(small, order) * np.exp(small)
    near = 1 / small + logarithm * i - small / 4 * rest if order else rest / 2 - logarithm * i
    large = np.maximum(x, _FAR)
    far = polynomial(1 / large, reversed(_asymptotic(order))) * np.sqrt(math.pi / 2 / large)
    out = np.where(x > _FAR, far, np.where(x < 2, near * np.exp(small), out))
    return np.where(np.equal(x, 0), math.inf, np.where(x < 0, math.nan, out))


def _waves(x: Any, order: int) -> tuple[Any, Any]:
    """J(x) and Y(x) for x > 30, by their common amplitude and phase."""
    a = _asymptotic(order)
    y = 1 / x
    p = polynomial(y * y, reversed([each * (-1) ** k for k, each in enumerate(a[::2])]))
    q = y * polynomial(y * y, reversed([each * (-1) ** k for k, each in enumerate(a[1::2])]))
    c, s = (np.cos(x) + np.sin(x)) / math.sqrt(2), (np.sin(x) - np.cos(x)) / math.sqrt(2)  # of x - π/4
    if order:
        c, s = s, -c  # of x - 3π/4
    amplitude = np.sqrt(2 / math.pi * y)
    return amplitude * (p * c - q * s), amplitude * (p * s + q * c)


def _j(x: Any, order: int) -> Any:
    size = np.absolute(x)
    near = np.minimum(size, _FAR)
    out: Any = 0.0
    for t in _PLACES:
        wave = near * math.sin(t)
        out = out + (np.sin(wave) * math.sin(t) if order else np.cos(wave)) / len(_PLACES)
    out = np.where(size > _FAR, _waves(np.maximum(size, _FAR), order)[0], out)
    return np.where(np.isinf(x), 0, out * np.sign(x) if order else out)


def _y(x: Any, order: int) -> Any:
    """Below 2 the power series; then Neumann's, of the J of all orders, from the highest down (Miller's recurrence)."""
    middle, small = np.clip(x, 2.0, _FAR), np.clip(x, 1e-308, 2.0)
    above, here, total, series = 0 * middle, 0 * middle + 1e-200, 0 * middle, 0 * middle
    before = here
    for n in range(80, 0, -1):  # `here` is Jₙ, but for a factor
        k = n // 2
        if n % 2 == 0:
            total = total + 2 * here
        if n % 2 == 0 and not order:
            series = series - (-1) ** k * 2 / k * here
        if n % 2 and order:
            series = series - (-1) ** k * (1 / (k + 1) + (1 / k if k else 0)) * here
        before = here
        above, here = here, 2 * n / middle * here - above
    total = total + here
    j0, j = here / total, (before if order else here) / total
    out = 2 / math.pi * ((np.log(middle / 2) + _EULER) * j + series / total - (j0 / middle if order else 0))
    rest = _near_zero(small * small / -4, order)
    near = 2 / math.pi * np.log(small / 2) * _j(small, order)
    near = near - (2 / math.pi / small + small / (2 * math.pi) * rest if order else rest / math.pi)
    out = np.where(x > _FAR, _waves(np.maximum(x, _FAR), order)[1], np.where(x < 2, near, out))
    out = np.where(np.isposinf(x), 0, out)
    return np.where(np.equal(x, 0), -math.inf, np.where(x < 0, math.nan, out))


# -- with a gradient ---------------------------------------------------------------------------------------------------


@primitive
def i0(input: Any) -> Any:
    """I₀(x), the modified Bessel function of order 0. dL/dx = g · I₁(x).

    >>> i0(Tensor([0.0, 1.0]))
    tensor([1.0000, 1.2661])
    """
    return in_double(lambda x: _scaled_i(x, 0) * np.exp(np.absolute(x)), as_float(input))


@primitive
def i0e(input: Any) -> Any:
    """e**-|x| · I₀(x), which does not overflow. dL/dx = g · (i1e(x) - sign(x) · out).

    >>> i0e(Tensor([0.0, 1.0]))
    tensor([1.0000, 0.4658])
    """
    return in_double(lambda x: _scaled_i(x, 0), as_float(input))


@primitive
def i1(input: Any) -> Any:
    """I₁(x), the modified Bessel function of order 1. dL/dx = g · (I₀(x) - out / x), g / 2 at 0.

    >>> i1(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.5652])
    """
    return in_double(lambda x: _scaled_i(x, 1) * np.exp(np.absolute(x)) * np.sign(x), as_float(input))


@primitive
def i1e(input: Any) -> Any:
    """e**-|x| · I₁(x), which does not overflow. dL/dx = g · (i0e(x) - out · (sign(x) + 1 / x)), g / 2 at 0.

    >>> i1e(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.2079])
    """
    return in_double(lambda x: _scaled_i(x, 1) * np.sign(x), as_float(input))


def _i1_wrt_input(g: Any, input: Any, out: Any) -> Any:
    zero = np.equal(input, 0)
    return g * np.where(zero, 0.5, i0.raw(input) - out / np.where(zero, 1, input))


def _i1e_wrt_input(g: Any, input: Any, out: Any) -> Any:
    zero = np.equal(input, 0)
    return g * np.where(zero, 0.5, i0e.raw(input) - out * (sign.raw(input) + 1 / np.where(zero, 1, input)))


i0.vjp(input=lambda g, input: g * i1.raw(input))
i0e.vjp(input=lambda g, input, out: g * (i1e.raw(input) - sign.raw(input) * out))
i1.vjp(input=_i1_wrt_input)
i1e.vjp(input=_i1e_wrt_input)


# -- without one, as in PyTorch ----------------------------------------------------------------------------------------


def without_gradient(name: str, function: Any, *inputs: TensorLike) -> Tensor:
    """function(*inputs) as a constant. Raises TypeError where a gradient is wanted: there is no rule."""
    for each in inputs:
        if isinstance(each, TensorBase) and each._node is not None and current_scope().grad_enabled:
            raise TypeError(f"{name} has no gradient rule, here as in PyTorch: give it x.detach()")
    given = [each if isinstance(each, (int, float)) else as_float(as_array(each)) for each in inputs]
    whole = all(isinstance(each, (int, float)) or as_array(each).dtype.kind != "f" for each in inputs)
    out = as_result(in_double(function, *given))
    return constant(out.astype(current_scope().default_dtype) if whole else out)


def bessel_j0(input: TensorLike) -> Tensor:
    """J₀(x), the Bessel function of order 0. No gradient: raises TypeError where one is wanted.

    >>> bessel_j0(Tensor([0.0, 1.0]))
    tensor([1.0000, 0.7652])
    """
    return without_gradient("bessel_j0", lambda x: _j(x, 0), input)


def bessel_j1(input: TensorLike) -> Tensor:
    """J₁(x), the Bessel function of order 1. No gradient: raises TypeError where one is wanted.

    >>> bessel_j1(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.4401])
    """
    return without_gradient("bessel_j1", lambda x: _j(x, 1), input)


def bessel_y0(input: TensorLike) -> Tensor:
    """Y₀(x), of the second kind: -inf at 0, nan below. No gradient: raises TypeError where one is wanted.

    >>> bessel_y0(Tensor([1.0, 2.0]))
    tensor([0.0883, 0.5104])
    """
    return without_gradient("bessel_y0", lambda x: _y(x, 0), input)


def bessel_y1(input: TensorLike) -> Tensor:
    """Y₁(x), of the second kind: -inf at 0, nan below. No gradient: raises TypeError where one is wanted.

    >>> bessel_y1(Tensor([1.0, 2.0]))
    tensor([-0.7812, -0.1070])
    """
    return without_gradient("bessel_y1", lambda x: _y(x, 1), input)


def modified_bessel_i0(input: TensorLike) -> Tensor:
    """I₀(x) without a gradient, as in PyTorch: `i0` has one.

    >>> modified_bessel_i0(Tensor([0.0, 1.0]))
    tensor([1.0000, 1.2661])
    """
    return without_gradient("modified_bessel_i0", i0.declaration.forward, input)


def modified_bessel_i1(input: TensorLike) -> Tensor:
    """I₁(x) without a gradient, as in PyTorch: `i1` has one.

    >>> modified_bessel_i1(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.5652])
    """
    return without_gradient("modified_bessel_i1", i1.declaration.forward, input)


def modified_bessel_k0(input: TensorLike) -> Tensor:
    """K₀(x), of the second kind: inf at 0, nan below. No gradient: raises TypeError where one is wanted.

    >>> modified_bessel_k0(Tensor([1.0, 2.0]))
    tensor([0.4210, 0.1139])
    """
    return without_gradient("modified_bessel_k0", lambda x: _scaled_k(x, 0) * np.exp(-x), input)


def modified_bessel_k1(input: TensorLike) -> Tensor:
    """K₁(x), of the second kind: inf at 0, nan below. No gradient: raises TypeError where one is wanted.

    >>> modified_bessel_k1(Tensor([1.0, 2.0]))
    tensor([0.6019, 0.1399])
    """
    return without_gradient("modified_bessel_k1", lambda x: _scaled_k(x, 1) * np.exp(-x), input)


def scaled_modified_bessel_k0(x: TensorLike) -> Tensor:
    """eˣ · K₀(x), which does not underflow. No gradient: raises TypeError where one is wanted.

    >>> scaled_modified_bessel_k0(Tensor([1.0, 2.0]))
    tensor([1.1445, 0.8416])
    """
    return without_gradient("scaled_modified_bessel_k0", lambda x: _scaled_k(x, 0), x)


def scaled_modified_bessel_k1(x: TensorLike) -> Tensor:
    """eˣ · K₁(x), which does not underflow. No gradient: raises TypeError where one is wanted.

    >>> scaled_modified_bessel_k1(Tensor([1.0, 2.0]))
    tensor([1.6362, 1.0335])
    """
    return without_gradient("scaled_modified_bessel_k1", lambda x: _scaled_k(x, 1), x)


def spherical_bessel_j0(x: TensorLike) -> Tensor:
    """j₀(x) = sin x / x, 1 at 0. No gradient, as in PyTorch: `sinc` has one.

    >>> spherical_bessel_j0(Tensor([0.0, 1.0]))
    tensor([1.0000, 0.8415])
    """
    function = lambda x: np.where(np.isinf(x), 0, np.sinc(x / math.pi))  # noqa: E731
    return without_gradient("spherical_bessel_j0", function, x)
