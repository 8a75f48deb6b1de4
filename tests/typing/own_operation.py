"""An operation of one's own has the signature of its forward, as a function and as a method."""

from typing import Any, assert_type

import numpy as np

import minitorch as mt
from minitorch import Tensor, primitive


@primitive
def swish(x: Any, beta: float = 1.0) -> Any:
    """x · σ(βx)."""
    return x / (1 + np.exp(-beta * x))


def _wrt_x(g: Any, x: Any, beta: float) -> Any:
    s = 1 / (1 + np.exp(-beta * x))
    return g * (s + beta * x * s * (1 - s))


swish.vjp(x=_wrt_x)

assert_type(swish(mt.randn(2)), Tensor)
assert_type(swish(mt.randn(2), beta=2.0), Tensor)

softplus = primitive(np.log1p, "ln(1 + x).", name="softplus", input=lambda g, input: g / (1 + input))
assert_type(softplus(mt.ones(2)), Tensor)
