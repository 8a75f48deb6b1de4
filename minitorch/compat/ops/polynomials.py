"""Orthogonal polynomials Pₙ(x), by their recurrences: each from the two before it. No gradients, as in PyTorch.

n and x broadcast, and either may be a number; n is cut to a whole one, and Pₙ is 0 where it is negative. Each function
raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast. Source: DLMF, chapter 18.9.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.backend import extremes
from minitorch.compat.ops.bessel import without_gradient
from minitorch.types import TensorLike

__all__ = ["chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w"]
__all__ += ["shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v"]
__all__ += ["shifted_chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l"]
__all__ += ["legendre_polynomial_p"]


def _chebyshev(k: int) -> tuple[int, int, int, int]:  # noqa: ARG001 (the others count)
    return 2, 0, 1, 1


def _computed(
    name: str, input: TensorLike, n: TensorLike, first: tuple[int, int], step: Any = _chebyshev, shifted: bool = False
) -> Tensor:
    """Return Pₙ(x): P₀ = 1, P₁ = p x + q of first = (p, q), and Pₖ₊₁ = ((a x + b) Pₖ - c Pₖ₋₁) / d of step(k)."""

    def compute(x: Any, n: Any) -> Any:
        x, n = np.broadcast_arrays(2 * x - 1 if shifted else x, np.trunc(n))
        highest = int(extremes(n)[1]) if n.size else 0
        before, here = np.ones_like(x), first[0] * x + first[1]
        out = np.where(n < 0, 0, np.where(n < 1, before, here))
        for k in range(1, highest):
            a, b, c, d = step(k)
            before, here = here, ((a * x + b) * here - c * before) / d
            out = np.where(n > k, here, out)
        return out

    return without_gradient(name, compute, input, n)


def chebyshev_polynomial_t(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Tₙ(x): cos nt where x = cos t, of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> chebyshev_polynomial_t(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("chebyshev_polynomial_t", input, n, (1, 0))


def chebyshev_polynomial_u(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Uₙ(x): sin (n + 1)t / sin t where x = cos t, of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> chebyshev_polynomial_u(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("chebyshev_polynomial_u", input, n, (2, 0))


def chebyshev_polynomial_v(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Vₙ(x): cos (n + ½)t / cos ½t where x = cos t, of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> chebyshev_polynomial_v(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("chebyshev_polynomial_v", input, n, (2, -1))


def chebyshev_polynomial_w(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Wₙ(x): sin (n + ½)t / sin ½t where x = cos t, of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> chebyshev_polynomial_w(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("chebyshev_polynomial_w", input, n, (2, 1))


def shifted_chebyshev_polynomial_t(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Tₙ(2x - 1), of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> shifted_chebyshev_polynomial_t(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("shifted_chebyshev_polynomial_t", input, n, (1, 0), shifted=True)


def shifted_chebyshev_polynomial_u(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Uₙ(2x - 1), of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> shifted_chebyshev_polynomial_u(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("shifted_chebyshev_polynomial_u", input, n, (2, 0), shifted=True)


def shifted_chebyshev_polynomial_v(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Vₙ(2x - 1), of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> shifted_chebyshev_polynomial_v(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("shifted_chebyshev_polynomial_v", input, n, (2, -1), shifted=True)


def shifted_chebyshev_polynomial_w(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Wₙ(2x - 1), of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> shifted_chebyshev_polynomial_w(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("shifted_chebyshev_polynomial_w", input, n, (2, 1), shifted=True)


def hermite_polynomial_h(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Hₙ(x), Hermite's as physicists have it, of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> hermite_polynomial_h(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("hermite_polynomial_h", input, n, (2, 0), lambda k: (2, 0, 2 * k, 1))


def hermite_polynomial_he(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Heₙ(x), Hermite's as statisticians have it, of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> hermite_polynomial_he(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("hermite_polynomial_he", input, n, (1, 0), lambda k: (1, 0, k, 1))


def laguerre_polynomial_l(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Lₙ(x), Laguerre's, of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> laguerre_polynomial_l(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("laguerre_polynomial_l", input, n, (-1, 1), lambda k: (-1, 2 * k + 1, k, k + 1))


def legendre_polynomial_p(input: TensorLike, n: TensorLike) -> Tensor:
    """Return Pₙ(x), Legendre's, of x = input; 0 for n < 0.

    Raises TypeError where a gradient is wanted, ValueError if the shapes do not broadcast.

    >>> legendre_polynomial_p(Tensor([0.5, 2.0]), 0)
    tensor([1., 1.])
    """
    return _computed("legendre_polynomial_p", input, n, (1, 0), lambda k: (2 * k + 1, 0, k, k + 1))
