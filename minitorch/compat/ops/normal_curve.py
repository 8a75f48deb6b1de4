"""The error function's family: complements, inverses, and the areas under the normal curve.

Each is computed in float64 to about 1e-14 of its value, far out in the tails too, whatever the dtype. Sources: Cody,
1969 (Rational Chebyshev approximations for the error function); Abramowitz and Stegun, 1964, 26.2.23, as a first guess.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.compat.ops.gamma import polynomial
from minitorch.compat.ops.scipy_special import in_double
from minitorch.ops._erf import erf, scaled_complement

__all__ = ["erfc", "erfinv"]

_ROOT_2, _ROOT_PI, _ROOT_TAU = math.sqrt(2), math.sqrt(math.pi), math.sqrt(2 * math.pi)
_BORDER = 0.46875  # where Cody's formulas meet


def _bell(x: Any) -> Any:
    """e**-x² without the rounding of x²: the whole sixteenths of x are squared exactly."""
    rough = np.trunc(x * 16) / 16
    return np.exp(-rough * rough) * np.exp(-(x - rough) * (x + rough))


def _erfc(x: Any) -> Any:
    size = np.absolute(x)
    tail = _bell(np.minimum(size, 40)) * scaled_complement(np.maximum(size, _BORDER))
    return np.where(size < _BORDER, 1 - erf(x), np.where(x < 0, 2 - tail, tail))


def _erfcx(x: Any) -> Any:
    size = np.absolute(x)
    far = scaled_complement(np.maximum(size, _BORDER))
    return np.where(size < _BORDER, np.exp(x * x) * (1 - erf(x)), np.where(x < 0, 2 / _bell(size) - far, far))


def _ndtr(x: Any) -> Any:
    return _erfc(x / -_ROOT_2) / 2


def _ndtri(p: Any) -> Any:
    """The first guess is off by less than 0.0005; each of Halley's steps makes three times as many digits right."""
    low = np.minimum(p, 1 - p)
    t = np.sqrt(-2 * np.log(np.where(low > 0, low, 0.25)))
    over, under = (0.010328, 0.802853, 2.515517), (0.001308, 0.189269, 1.432788, 1.0)
    x = polynomial(t, over) / polynomial(t, under) - t
    for _ in range(3):
        off = (_ndtr(x) - low) * _ROOT_TAU / np.where(x > -38, _bell(x / _ROOT_2), 1)
        x = x - np.where(np.isfinite(off), off / (1 + x * off / 2), 0)
    x = np.where(np.equal(low, 0), -math.inf, np.where(low < 0, math.nan, x))
    return np.where(np.equal(p, 0.5), 0, np.where(p > 0.5, -x, x))


def _erfinv(y: Any) -> Any:
    size = np.absolute(y)
    near = np.minimum(size, 0.5)
    x = near * _ROOT_PI / 2 * polynomial(near * near, (0.24, math.pi / 12, 1.0))
    for _ in range(3):
        off = (erf(x) - near) * _ROOT_PI / 2 * np.exp(x * x)
        x = x - off / (1 + x * off)
    far = _ndtri((1 - np.maximum(size, 0.5)) / 2) / -_ROOT_2
    return np.copysign(np.where(size < 0.5, x, far), y)


def _log_ndtr(x: Any) -> Any:
    tail = np.log(_erfcx(np.maximum(-x, 0) / _ROOT_2) / 2) - x * x / 2
    return np.where(x < -1, tail, np.log1p(-_erfc(x / _ROOT_2) / 2))


@primitive
def erfc(input: Any) -> Any:
    """1 - erf(x), exact where it is small. dL/dx = -g · 2/√π · e**-x².

    >>> erfc(Tensor([0.0, 1.0]))
    tensor([1.0000, 0.1573])
    """
    return in_double(_erfc, as_float(input))


erfc.vjp(input=lambda g, input: g * (np.exp(-(input * input)) * (-2 / _ROOT_PI)))


@primitive
def erfcx(input: Any) -> Any:
    """e**x² · erfc(x), which does not underflow. dL/dx = g · (2x · out - 2/√π).

    >>> erfcx(Tensor([0.0, 100.0]))
    tensor([1.0000, 0.0056])
    """
    return in_double(_erfcx, as_float(input))


erfcx.vjp(input=lambda g, input, out: g * (2 * input * out - 2 / _ROOT_PI))


@primitive
def erfinv(input: Any) -> Any:
    """The x with erf(x) = input: infinite at ±1, nan beyond. dL/dinput = g · √π/2 · e**out².

    >>> erfinv(Tensor([0.0, 0.5]))
    tensor([0.0000, 0.4769])
    """
    return in_double(_erfinv, as_float(input))


erfinv.vjp(input=lambda g, out: g * (np.exp(out * out) * (_ROOT_PI / 2)))


@primitive
def ndtr(input: Any) -> Any:
    """The area under the standard normal curve up to x. dL/dx = g · e**(-x²/2) / √2π.

    >>> ndtr(Tensor([0.0, 1.0]))
    tensor([0.5000, 0.8413])
    """
    return in_double(_ndtr, as_float(input))


ndtr.vjp(input=lambda g, input: g * (np.exp(input * input * -0.5) / _ROOT_TAU))


@primitive
def ndtri(input: Any) -> Any:
    """The x up to which the area under the standard normal curve is input. dL/dinput = g · √2π · e**(out²/2).

    >>> ndtri(Tensor([0.5, 0.8413]))
    tensor([0.0000, 0.9998])
    """
    return in_double(_ndtri, as_float(input))


ndtri.vjp(input=lambda g, out: g * (np.exp(out * out * 0.5) * _ROOT_TAU))


@primitive
def log_ndtr(input: Any) -> Any:
    """ln ndtr(x), exact far below 0, where ndtr(x) is 0. dL/dx = g · √(2/π) / erfcx(-x/√2).

    >>> log_ndtr(Tensor([0.0, -100.0]))
    tensor([-6.9315e-01, -5.0055e+03])
    """
    return in_double(_log_ndtr, as_float(input))


log_ndtr.vjp(input=lambda g, input: g * (math.sqrt(2 / math.pi) / erfcx.raw(input * (-1 / _ROOT_2))))
