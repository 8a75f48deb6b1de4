"""Bessel functions of order 0 and 1, as SciPy computes them: each raises ImportError without SciPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.promotion import as_float
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import as_result
from minitorch.compat.ops.scipy_special import in_double, scipy_special
from minitorch.ops.unary import sign
from minitorch.types import TensorLike

__all__ = ["i0", "i0e", "i1", "i1e", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_i0"]
__all__ += ["modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0"]
__all__ += ["scaled_modified_bessel_k1", "spherical_bessel_j0"]


# -- with a gradient ---------------------------------------------------------------------------------------------------


@primitive
def i0(input: Any) -> Any:
    """I₀(x), the modified Bessel function of order 0. dL/dx = g · I₁(x).

    >>> i0(Tensor([0.0, 1.0]))
    tensor([1.0000, 1.2661])
    """
    return in_double(scipy_special("i0", "i0"), as_float(input))


@primitive
def i0e(input: Any) -> Any:
    """e**-|x| · I₀(x), which does not overflow. dL/dx = g · (i1e(x) - sign(x) · out).

    >>> i0e(Tensor([0.0, 1.0]))
    tensor([1.0000, 0.4658])
    """
    return in_double(scipy_special("i0e", "special.i0e"), as_float(input))


@primitive
def i1(input: Any) -> Any:
    """I₁(x), the modified Bessel function of order 1. dL/dx = g · (I₀(x) - out / x), g / 2 at 0.

    >>> i1(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.5652])
    """
    return in_double(scipy_special("i1", "special.i1"), as_float(input))


@primitive
def i1e(input: Any) -> Any:
    """e**-|x| · I₁(x), which does not overflow. dL/dx = g · (i0e(x) - out · (sign(x) + 1 / x)), g / 2 at 0.

    >>> i1e(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.2079])
    """
    return in_double(scipy_special("i1e", "special.i1e"), as_float(input))


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


def _of_scipy(function: str, name: str, input: TensorLike) -> Tensor:
    return without_gradient(name, scipy_special(function, f"special.{name}"), input)


def bessel_j0(input: TensorLike) -> Tensor:
    """J₀(x), the Bessel function of order 0. No gradient: raises TypeError where one is wanted.

    >>> bessel_j0(Tensor([0.0, 1.0]))
    tensor([1.0000, 0.7652])
    """
    return _of_scipy("j0", "bessel_j0", input)


def bessel_j1(input: TensorLike) -> Tensor:
    """J₁(x), the Bessel function of order 1. No gradient: raises TypeError where one is wanted.

    >>> bessel_j1(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.4401])
    """
    return _of_scipy("j1", "bessel_j1", input)


def bessel_y0(input: TensorLike) -> Tensor:
    """Y₀(x), of the second kind: -inf at 0, nan below. No gradient: raises TypeError where one is wanted.

    >>> bessel_y0(Tensor([1.0, 2.0]))
    tensor([0.0883, 0.5104])
    """
    return _of_scipy("y0", "bessel_y0", input)


def bessel_y1(input: TensorLike) -> Tensor:
    """Y₁(x), of the second kind: -inf at 0, nan below. No gradient: raises TypeError where one is wanted.

    >>> bessel_y1(Tensor([1.0, 2.0]))
    tensor([-0.7812, -0.1070])
    """
    return _of_scipy("y1", "bessel_y1", input)


def modified_bessel_i0(input: TensorLike) -> Tensor:
    """I₀(x) without a gradient, as in PyTorch: `i0` has one.

    >>> modified_bessel_i0(Tensor([0.0, 1.0]))
    tensor([1.0000, 1.2661])
    """
    return _of_scipy("i0", "modified_bessel_i0", input)


def modified_bessel_i1(input: TensorLike) -> Tensor:
    """I₁(x) without a gradient, as in PyTorch: `i1` has one.

    >>> modified_bessel_i1(Tensor([0.0, 1.0]))
    tensor([0.0000, 0.5652])
    """
    return _of_scipy("i1", "modified_bessel_i1", input)


def modified_bessel_k0(input: TensorLike) -> Tensor:
    """K₀(x), of the second kind: inf at 0, nan below. No gradient: raises TypeError where one is wanted.

    >>> modified_bessel_k0(Tensor([1.0, 2.0]))
    tensor([0.4210, 0.1139])
    """
    return _of_scipy("k0", "modified_bessel_k0", input)


def modified_bessel_k1(input: TensorLike) -> Tensor:
    """K₁(x), of the second kind: inf at 0, nan below. No gradient: raises TypeError where one is wanted.

    >>> modified_bessel_k1(Tensor([1.0, 2.0]))
    tensor([0.6019, 0.1399])
    """
    return _of_scipy("k1", "modified_bessel_k1", input)


def scaled_modified_bessel_k0(x: TensorLike) -> Tensor:
    """eˣ · K₀(x), which does not underflow. No gradient: raises TypeError where one is wanted.

    >>> scaled_modified_bessel_k0(Tensor([1.0, 2.0]))
    tensor([1.1445, 0.8416])
    """
    return _of_scipy("k0e", "scaled_modified_bessel_k0", x)


def scaled_modified_bessel_k1(x: TensorLike) -> Tensor:
    """eˣ · K₁(x), which does not underflow. No gradient: raises TypeError where one is wanted.

    >>> scaled_modified_bessel_k1(Tensor([1.0, 2.0]))
    tensor([1.6362, 1.0335])
    """
    return _of_scipy("k1e", "scaled_modified_bessel_k1", x)


def spherical_bessel_j0(x: TensorLike) -> Tensor:
    """j₀(x) = sin x / x, 1 at 0. No gradient, as in PyTorch: `sinc` has one.

    >>> spherical_bessel_j0(Tensor([0.0, 1.0]))
    tensor([1.0000, 0.8415])
    """
    return without_gradient("spherical_bessel_j0", lambda x: np.where(np.isinf(x), 0, np.sinc(x / math.pi)), x)
