"""Mixtures: one of several distributions of a kind is chosen, and what comes out is drawn from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from minitorch import Tensor, log_softmax
from minitorch.compat.distributions.constraints import Constraint
from minitorch.compat.distributions.discrete import Categorical
from minitorch.compat.distributions.distribution import Distribution, broadcast
from minitorch.types import TensorLike

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """A Categorical chooses among the distributions along the last axis of a batch: p(x) = Σ_k π_k p_k(x).

    Raises TypeError for a mixture that is no Categorical and components that are no distribution, ValueError for
    batches that do not fit.

    >>> from minitorch.distributions import Normal
    >>> both = MixtureSameFamily(Categorical(probs=Tensor([0.5, 0.5])), Normal(Tensor([-1.0, 3.0]), 1.0))
    >>> both.mean, both.variance
    (tensor(1.), tensor(5.))
    """

    def __init__(
        self, mixture_distribution: Categorical, component_distribution: Distribution, validate_args: Any = None
    ) -> None:
        chosen, parts = mixture_distribution, component_distribution
        if not isinstance(chosen, Categorical):
            raise TypeError(f"MixtureSameFamily: the mixture must be a Categorical, not {type(chosen).__name__}")
        if not isinstance(parts, Distribution):
            raise TypeError(f"MixtureSameFamily: the components must be a distribution, not {type(parts).__name__}")
        fits = broadcast(chosen.param_shape, parts.batch_shape) == parts.batch_shape
        if not fits or chosen.param_shape[-1] != parts.batch_shape[-1]:
            raise ValueError(
                f"MixtureSameFamily: probabilities of shape {chosen.param_shape} do not fit components of batch_shape "
                f"{parts.batch_shape}: its last axis is what is chosen from"
            )
        self.mixture_distribution, self.component_distribution = chosen, parts
        super().__init__(parts.batch_shape[:-1], parts.event_shape, validate_args)

    @property
    def support(self) -> Constraint:
        """The constraint on the outcomes of every component."""
        inner = self.component_distribution.support
        axis = -1 - inner.event_dim
        return Constraint(inner.words, lambda x: inner.holds(np.expand_dims(x, axis)).all(axis=-1), inner.event_dim)

    @property
    def mean(self) -> Tensor:
        """Σ_k π_k mean_k."""
        return self._averaged(self.component_distribution.mean)

    @property
    def variance(self) -> Tensor:
        """Σ_k π_k (variance_k + (mean_k - mean)²)."""
        parts = self.component_distribution
        return self._averaged(parts.variance + (parts.mean - self.mean.unsqueeze(self._axis)) ** 2)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Outcomes of the components that are chosen: constants of shape sample_shape + batch_shape + event_shape."""
        parts = self.component_distribution.sample(sample_shape)
        which = self.mixture_distribution.expand(self.batch_shape).sample(sample_shape)
        which = which.reshape(*which.shape, *(1,) * -self._axis)
        wide = (*which.shape[: parts.ndim + self._axis], 1, *self.event_shape)
        return parts.gather(self._axis, which.expand(wide)).squeeze(self._axis)

    def log_prob(self, value: TensorLike) -> Tensor:
        """ln Σ_k π_k p_k(value)."""
        each = self.component_distribution.log_prob(self._checked(value).unsqueeze(self._axis))
        return (each + log_softmax(self.mixture_distribution.logits, -1)).logsumexp(-1)

    def cdf(self, value: TensorLike) -> Tensor:
        """Σ_k π_k cdf_k(value)."""
        each = self.component_distribution.cdf(self._checked(value).unsqueeze(self._axis))
        return (each * self.mixture_distribution.probs).sum(-1)

    def expand(self, batch_shape: Sequence[int]) -> Self:
        """The same with its mixture and its components expanded."""
        count = self.component_distribution.batch_shape[-1:]
        parts = self.component_distribution.expand((*batch_shape, *count))
        return type(self)(self.mixture_distribution.expand(batch_shape), parts, validate_args=False)

    @property
    def _axis(self) -> int:
        """The axis of the components, from the end, among outcomes of all of them."""
        return -1 - len(self.event_shape)

    def _averaged(self, values: Tensor) -> Tensor:
        probs = self.mixture_distribution.probs
        return (probs.reshape(*probs.shape, *(1,) * len(self.event_shape)) * values).sum(self._axis)

    def __repr__(self) -> str:
        return f"MixtureSameFamily({self.mixture_distribution!r}, {self.component_distribution!r})"
