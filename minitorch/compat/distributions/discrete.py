"""Distributions of whole numbers, by probabilities or by logits: the other is computed when it is asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from minitorch import Tensor, arange, bernoulli, logaddexp, multinomial, softmax
from minitorch.compat.distributions import constraints
from minitorch.compat.distributions.distribution import Distribution, together
from minitorch.types import Shape, TensorLike

__all__ = ["Bernoulli", "Categorical"]


def _given(name: str, probs: TensorLike | None, logits: TensorLike | None) -> Tensor:
    """The one of the two that was given."""
    if (probs is None) == (logits is None):
        raise ValueError(f"{name}: give probs or logits, and not both")
    (given,) = together(*[each for each in (probs, logits) if each is not None])
    return given


def _inside(probs: Tensor) -> Tensor:
    """Away from 0 and 1 by the dtype's precision, so that logarithms stay finite."""
    eps = float(np.finfo(probs.dtype).eps)
    return probs.clamp(eps, 1 - eps)


class Bernoulli(Distribution):
    """1 with the probability probs, else 0; logits are ln(probs / (1 - probs)).

    Raises ValueError unless one of the two is given, and for probabilities that are none.

    >>> Bernoulli(probs=0.25).log_prob(1.0)
    tensor(-1.3863)
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    has_enumerate_support = True
    support = constraints.boolean

    def __init__(
        self, probs: TensorLike | None = None, logits: TensorLike | None = None, validate_args: Any = None
    ) -> None:
        given = _given("Bernoulli", probs, logits)
        vars(self)["logits" if probs is None else "probs"] = given
        super().__init__(given.shape, validate_args=validate_args)

    @cached_property
    def probs(self) -> Tensor:
        """The probability of 1."""
        return self.logits.sigmoid()

    @cached_property
    def logits(self) -> Tensor:
        """ln(probs / (1 - probs)), kept finite."""
        inside = _inside(self.probs)
        return inside.log() - (-inside).log1p()

    @property
    def param_shape(self) -> Shape:
        """That of probs, and of logits."""
        return self.batch_shape

    @property
    def mean(self) -> Tensor:
        """Probs."""
        return self.probs

    @property
    def mode(self) -> Tensor:
        """The likelier of the two; nan where they are alike."""
        likelier = (self.probs >= 0.5).to(self.probs.dtype)
        return likelier.masked_fill(self.probs.eq(0.5), math.nan)

    @property
    def variance(self) -> Tensor:
        """Probs · (1 - probs)."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Zeros and ones: constants of shape sample_shape + batch_shape."""
        return bernoulli(self.probs.detach().expand(self._shape(sample_shape)))

    def log_prob(self, value: TensorLike) -> Tensor:
        """ln probs at 1, ln(1 - probs) at 0."""
        return self._of(self._checked(value))

    def _of(self, x: Any) -> Tensor:
        out: Tensor = self.logits * x - logaddexp(self.logits, self.logits.new_zeros(()))
        return out

    def entropy(self) -> Tensor:
        """-probs ln probs - (1 - probs) ln(1 - probs)."""
        return -self._of(self.probs)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """0 and 1."""
        both = arange(2, dtype=self.probs.dtype, device=self.probs.device).reshape(-1, *(1,) * len(self.batch_shape))
        return both.expand(-1, *self.batch_shape) if expand else both


class Categorical(Distribution):
    """One of the numbers 0, 1 …, in proportion to probs along the last axis, or to e**logits.

    probs need not add up to 1; `.probs` and `.logits` do. Raises ValueError unless one of the two is given, and for a
    single number.

    >>> Categorical(probs=Tensor([1.0, 3.0])).probs
    tensor([0.2500, 0.7500])
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True

    def __init__(
        self, probs: TensorLike | None = None, logits: TensorLike | None = None, validate_args: Any = None
    ) -> None:
        given = _given("Categorical", probs, logits)
        if given.ndim == 0:
            raise ValueError("Categorical: a single number tells no probabilities: give a vector, or a batch of them")
        if probs is None:
            self.logits = given - given.logsumexp(-1, keepdim=True)
        else:
            self.probs = given / given.sum(-1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(given.shape[:-1], validate_args=validate_args)

    @cached_property
    def probs(self) -> Tensor:
        """The probabilities, which add up to 1."""
        return softmax(self.logits, -1)

    @cached_property
    def logits(self) -> Tensor:
        """ln probs, kept finite."""
        return _inside(self.probs).log()

    @property
    def param_shape(self) -> Shape:
        """That of probs, and of logits."""
        return (*self.batch_shape, self._num_events)

    @property
    def support(self) -> constraints.Constraint:
        """The numbers of the categories."""
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self) -> Tensor:
        """There is none, categories being no quantities: nan."""
        return self.probs.new_full(self.batch_shape, math.nan)

    variance = mean

    @property
    def mode(self) -> Tensor:
        """The likeliest category, the first of ties."""
        return self.probs.argmax(-1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Numbers of categories: constants of shape sample_shape + batch_shape."""
        shape = self._shape(sample_shape)
        rows = self.probs.detach().reshape(-1, self._num_events)
        count = math.prod(sample_shape)
        if count * rows.shape[0] == 0:
            return arange(0).reshape(shape)
        return multinomial(rows, count, True).T.reshape(shape)

    def log_prob(self, value: TensorLike) -> Tensor:
        """ln probs at each category."""
        x = self._checked(value).long()
        shape = np.broadcast_shapes(x.shape, self.batch_shape)
        wide = self.logits.expand((*shape, self._num_events))
        return wide.gather(-1, x.expand(shape).unsqueeze(-1)).squeeze(-1)

    def entropy(self) -> Tensor:
        """-Σ probs ln probs."""
        finite = self.logits.clamp(min=float(np.finfo(self.logits.dtype).min))
        return -(finite * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """The numbers of all categories."""
        each = arange(self._num_events, device=self.probs.device).reshape(-1, *(1,) * len(self.batch_shape))
        return each.expand(-1, *self.batch_shape) if expand else each
