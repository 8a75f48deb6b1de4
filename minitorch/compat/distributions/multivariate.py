"""The normal distribution of vectors, by its covariance, by the inverse of it or by a triangular factor."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Self

from minitorch import Tensor, eye, randn
from minitorch.compat.distributions import constraints
from minitorch.compat.distributions.distribution import Distribution, broadcast, together
from minitorch.compat.ops.equations import cholesky_solve, solve_triangular
from minitorch.compat.ops.linalg import cholesky
from minitorch.types import TensorLike

__all__ = ["MultivariateNormal"]


class MultivariateNormal(Distribution):
    """Vectors of n numbers around loc (…, n), by one of three matrices (…, n, n): Σ, its inverse or L with Σ = L Lᵀ.

    log p(x) = -½ |L⁻¹(x - loc)|² - ln det L - n ln √2π: no inverse is computed. Batches broadcast. Raises ValueError
    unless one of the matrices is given, for shapes that do not fit, and for a matrix that is no such one.

    >>> MultivariateNormal(Tensor([0.0, 0.0]), covariance_matrix=Tensor([[4.0, 0.0], [0.0, 1.0]])).log_prob([0.0, 0.0])
    tensor(-2.5310)
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    has_rsample = True
    support = constraints.real_vector

    def __init__(
        self,
        loc: TensorLike,
        covariance_matrix: TensorLike | None = None,
        precision_matrix: TensorLike | None = None,
        scale_tril: TensorLike | None = None,
        validate_args: Any = None,
    ) -> None:
        names = [name for name in self.arg_constraints if name != "loc"]
        matrices = zip(names, (covariance_matrix, precision_matrix, scale_tril), strict=True)
        given = [(name, matrix) for name, matrix in matrices if matrix is not None]
        if len(given) != 1:
            raise ValueError(f"MultivariateNormal: give one of {', '.join(names)}, not {len(given)} of them")
        self._by, (mean,), (matrix,) = given[0][0], together(loc), together(given[0][1])
        if mean.ndim == 0 or matrix.ndim < 2 or matrix.shape[-2:] != mean.shape[-1:] * 2:
            raise ValueError(
                f"MultivariateNormal: loc of shape {mean.shape} and {self._by} of shape {matrix.shape} do not fit: "
                "a vector of n numbers needs a matrix of n rows and n columns"
            )
        batch = broadcast(mean.shape[:-1], matrix.shape[:-2])
        if batch is None:
            raise ValueError(
                f"MultivariateNormal: the batches of loc, {mean.shape[:-1]}, and of {self._by}, {matrix.shape[:-2]}, "
                "do not broadcast"
            )
        self.loc = mean.expand(*batch, mean.shape[-1])
        setattr(self, self._by, matrix)  # checked as it was given, not once for each of a batch that shares it
        super().__init__(batch, mean.shape[-1:], validate_args)
        setattr(self, self._by, self._whole(matrix))
        self._factor = matrix if self._by == "scale_tril" else FACTORED[self._by](matrix)

    @cached_property
    def scale_tril(self) -> Tensor:
        """The lower triangular L with Σ = L Lᵀ."""
        return self._whole(self._factor)

    @cached_property
    def covariance_matrix(self) -> Tensor:
        """Σ = L Lᵀ."""
        return self._whole(self._factor @ self._factor.mT)

    @cached_property
    def precision_matrix(self) -> Tensor:
        """Σ⁻¹."""
        return self._whole(cholesky_solve(_identity(self._factor), self._factor))

    @property
    def mean(self) -> Tensor:
        """Loc."""
        return self.loc

    mode = mean

    @property
    def variance(self) -> Tensor:
        """The diagonal of Σ."""
        return (self._factor**2).sum(-1).expand(self.batch_shape + self.event_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Loc + L · noise."""
        noise = randn(self._shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
        out: Tensor = self.loc + (self._factor @ noise.unsqueeze(-1)).squeeze(-1)
        return out

    def log_prob(self, value: TensorLike) -> Tensor:
        """The logarithm of the density at value."""
        off = self._checked(value) - self.loc
        length = self.squared_length(off) + self.event_shape[0] * math.log(2 * math.pi)
        out: Tensor = -length / 2 - self.half_log_det()
        return out

    def entropy(self) -> Tensor:
        """n (½ + ln √2π) + ln det L."""
        return (self.half_log_det() + self.event_shape[0] * (1 + math.log(2 * math.pi)) / 2).expand(self.batch_shape)

    def half_log_det(self) -> Tensor:
        """Ln det L, which is ½ ln det Σ."""
        out: Tensor = self._factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        return out

    def squared_length(self, off: Tensor) -> Tensor:
        """|L⁻¹ off|², of vectors (…, n): Mahalanobis' distance from 0, squared."""
        if self._factor.ndim > 2:
            return (solve_triangular(self._factor, off.unsqueeze(-1), upper=False) ** 2).sum((-1, -2))
        columns = off.reshape(-1, off.shape[-1]).T  # one matrix is solved for all of them at once
        return (solve_triangular(self._factor, columns, upper=False) ** 2).sum(0).reshape(off.shape[:-1])

    def expand(self, batch_shape: Sequence[int]) -> Self:
        """The same with its parameters expanded to another batch_shape."""
        n = self.event_shape[0]
        matrix: Tensor = getattr(self, self._by)
        wide = {"loc": self.loc.expand(*batch_shape, n), self._by: matrix.expand(*batch_shape, n, n)}
        return type(self)(**wide, validate_args=False)

    def _whole(self, matrix: Tensor) -> Tensor:
        return matrix.expand(*self.batch_shape, *matrix.shape[-2:])


def _identity(like: Tensor) -> Tensor:
    n = like.shape[-1]
    return eye(n, dtype=like.dtype, device=like.device).expand(*like.shape[:-2], n, n)


def _of_inverse(precision: Tensor) -> Tensor:
    """The L with Σ = L Lᵀ, of Σ⁻¹ = W Wᵀ for an upper triangular W: L = W⁻ᵀ."""
    upper = cholesky(precision.flip((-2, -1))).flip((-2, -1))
    return solve_triangular(upper.mT, _identity(upper), upper=False)


FACTORED: dict[str, Callable[[Tensor], Tensor]] = {"covariance_matrix": cholesky, "precision_matrix": _of_inverse}
