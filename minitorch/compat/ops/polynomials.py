"""Orthogonal polynomials Pₙ(x), by their recurrences: each from the two before it. No gradients, as in PyTorch.

n and x broadcast, and either may be a number. Source: DLMF, chapter 18.9.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.backend import extremes
from minitorch.compat.ops.bessel import without_gradient
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__: list[str] = []

# Pₖ₊₁ of k, x, Pₖ and Pₖ₋₁.
Step = Callable[[int, Any, Any, Any], Any]


def _family(name: str, values: str, first: Callable[[Any], Any], step: Step, shifted: bool = False) -> Any:
    """The function that computes Pₙ(x): P₀ = 1, P₁ = first(x), and on by `step`; 0 for n < 0."""

    def compute(x: Any, n: Any) -> Any:
        x, n = np.broadcast_arrays(2 * x - 1 if shifted else x, np.trunc(n))
        highest = int(extremes(n)[1]) if n.size else 0
        before, here = np.ones_like(x), first(x)
        out = np.where(n < 0, 0, np.where(n < 1, before, here))
        for k in range(1, highest):
            before, here = here, step(k, x, here, before)
            out = np.where(n > k, here, out)
        return out

    def function(input: TensorLike, n: TensorLike) -> Tensor:
        return without_gradient(name, compute, input, n)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{values} of x = input; n may be a number, and is cut to a whole one; 0 where it is negative.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> {name}(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return function


def _double(k: int, x: Any, here: Any, before: Any) -> Any:  # noqa: ARG001 (a step of the others counts)
    return 2 * x * here - before


chebyshev_polynomial_t = _family("chebyshev_polynomial_t", "Tₙ(x): cos nt where x = cos t,", lambda x: x, _double)
chebyshev_polynomial_u = _family(
    "chebyshev_polynomial_u", "Uₙ(x): sin (n + 1)t / sin t where x = cos t,", lambda x: 2 * x, _double
)
chebyshev_polynomial_v = _family(
    "chebyshev_polynomial_v", "Vₙ(x): cos (n + ½)t / cos ½t where x = cos t,", lambda x: 2 * x - 1, _double
)
chebyshev_polynomial_w = _family(
    "chebyshev_polynomial_w", "Wₙ(x): sin (n + ½)t / sin ½t where x = cos t,", lambda x: 2 * x + 1, _double
)
shifted_chebyshev_polynomial_t = _family(
    "shifted_chebyshev_polynomial_t", "Tₙ(2x - 1)", lambda x: x, _double, shifted=True
)
shifted_chebyshev_polynomial_u = _family(
    "shifted_chebyshev_polynomial_u", "Uₙ(2x - 1)", lambda x: 2 * x, _double, shifted=True
)
shifted_chebyshev_polynomial_v = _family(
    "shifted_chebyshev_polynomial_v", "Vₙ(2x - 1)", lambda x: 2 * x - 1, _double, shifted=True
)
shifted_chebyshev_polynomial_w = _family(
    "shifted_chebyshev_polynomial_w", "Wₙ(2x - 1)", lambda x: 2 * x + 1, _double, shifted=True
)
hermite_polynomial_h = _family(
    "hermite_polynomial_h",
    "Hₙ(x), Hermite's as physicists have it,",
    lambda x: 2 * x,
    lambda k, x, here, before: 2 * (x * here - k * before),
)
hermite_polynomial_he = _family(
    "hermite_polynomial_he",
    "Heₙ(x), Hermite's as statisticians have it,",
    lambda x: x,
    lambda k, x, here, before: x * here - k * before,
)
laguerre_polynomial_l = _family(
    "laguerre_polynomial_l",
    "Lₙ(x), Laguerre's,",
    lambda x: 1 - x,
    lambda k, x, here, before: ((2 * k + 1 - x) * here - k * before) / (k + 1),
)
legendre_polynomial_p = _family(
    "legendre_polynomial_p",
    "Pₙ(x), Legendre's,",
    lambda x: x,
    lambda k, x, here, before: ((2 * k + 1) * x * here - k * before) / (k + 1),
)
