"""The base of all distributions, and Independent, which counts axes of a batch among the outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from minitorch import Tensor, broadcast_tensors
from minitorch.autograd.scope import current_scope, no_grad
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import is_array
from minitorch.compat.distributions.constraints import Constraint
from minitorch.types import Shape, TensorLike

__all__ = ["Distribution", "Independent"]


def together(*values: TensorLike) -> list[Tensor]:
    """Parameters as Tensors of one shape: numbers take the dtype of the Tensors, or the default one."""
    given = [as_array(each).dtype for each in values if isinstance(each, TensorBase) or is_array(each)]
    dtype = np.result_type(*given) if given else current_scope().default_dtype
    made = [each if isinstance(each, Tensor) else constant(np.asarray(as_array(each), dtype)) for each in values]
    return list(broadcast_tensors(*made))


def broadcast(*shapes: Shape) -> Shape | None:
    """Return the shape that they broadcast to; None where they do not."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def holds(truths: Tensor) -> bool:
    """Return whether all are true. The array is asked, so that a captured step asks again in each replay."""
    return bool(truths.all()._data)


class Distribution:
    """A batch of independent distributions of one kind: batch_shape of them, each with outcomes of event_shape.

    validate_args: whether parameters and values are checked, which costs little; True unless told. A check that fails
    raises ValueError.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {}
    has_rsample = False
    has_enumerate_support = False

    def __init__(self, batch_shape: Sequence[int] = (), event_shape: Sequence[int] = (), validate_args: Any = None):
        self._batch_shape, self._event_shape = tuple(batch_shape), tuple(event_shape)
        self._validate_args = validate_args is not False
        if self._validate_args:
            for name, constraint in self.arg_constraints.items():
                given = vars(self).get(name)
                if given is not None and not holds(constraint.check(given)):
                    raise ValueError(
                        f"{type(self).__name__}: {name} must be {constraint.words}, everywhere in shape {given.shape}"
                    )

    @property
    def batch_shape(self) -> Shape:
        """The number of distributions, as a shape."""
        return self._batch_shape

    @property
    def event_shape(self) -> Shape:
        """The shape of one outcome."""
        return self._event_shape

    @property
    def support(self) -> Constraint:
        """The constraint on outcomes."""
        raise NotImplementedError(f"{type(self).__name__} says no support")

    @property
    def mean(self) -> Tensor:
        """The expected outcome."""
        raise NotImplementedError(f"{type(self).__name__} says no mean")

    @property
    def variance(self) -> Tensor:
        """The expected squared distance from the mean."""
        raise NotImplementedError(f"{type(self).__name__} says no variance")

    @property
    def stddev(self) -> Tensor:
        """The root of the variance."""
        return self.variance.sqrt()

    @property
    def mode(self) -> Tensor:
        """The likeliest outcome."""
        raise NotImplementedError(f"{type(self).__name__} says no mode")

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Outcomes, sample_shape of the whole batch: constants of shape sample_shape + batch_shape + event_shape."""
        with no_grad():
            return self.rsample(sample_shape).detach()

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Outcomes as a function of the parameters and of noise, so that they have gradients.

        Raises NotImplementedError where there is no such function.
        """
        raise NotImplementedError(f"{type(self).__name__} has no rsample: its outcomes are no smooth function of it")

    def log_prob(self, value: TensorLike) -> Tensor:
        """The logarithm of the density, or of the probability, at value: its shape without event_shape."""
        raise NotImplementedError(f"{type(self).__name__} says no log_prob")

    def cdf(self, value: TensorLike) -> Tensor:
        """The probability of an outcome up to value."""
        raise NotImplementedError(f"{type(self).__name__} says no cdf")

    def icdf(self, value: TensorLike) -> Tensor:
        """The outcome up to which the probability is value."""
        raise NotImplementedError(f"{type(self).__name__} says no icdf")

    def entropy(self) -> Tensor:
        """The expected -log_prob, in nats: of batch_shape."""
        raise NotImplementedError(f"{type(self).__name__} says no entropy")

    def perplexity(self) -> Tensor:
        """e to the power of the entropy."""
        return self.entropy().exp()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All outcomes along a new first axis, for each of the batch, or once if not expand."""
        raise NotImplementedError(f"{type(self).__name__} has too many outcomes to enumerate")

    def expand(self, batch_shape: Sequence[int]) -> Self:
        """The same with its parameters expanded to another batch_shape."""
        names = [name for name in self.arg_constraints if name in vars(self)]
        lazy_forms = [name for name in names if isinstance(getattr(type(self), name, None), cached_property)]
        wide = {
            name: vars(self)[name].expand(tuple(batch_shape) + vars(self)[name].shape[len(self.batch_shape) :])
            for name in names
            if name not in lazy_forms[1:]  # of two forms of one parameter, probs and logits, one is given
        }
        return type(self)(**wide, validate_args=False)

    def _shape(self, sample_shape: Sequence[int]) -> Shape:
        return tuple(sample_shape) + self.batch_shape + self.event_shape

    def _checked(self, value: TensorLike) -> Tensor:
        """value as a Tensor. Raises ValueError if it has a wrong shape or cannot come out."""
        given = value if isinstance(value, Tensor) else constant(as_array(value))
        if not self._validate_args:
            return given
        name, whole = type(self).__name__, self.batch_shape + self.event_shape
        fits = given.shape[given.ndim - len(self.event_shape) :] == self.event_shape
        if not fits or broadcast(given.shape, whole) is None:
            raise ValueError(f"{name}: a value of shape {given.shape} does not fit batch and outcome, {whole}")
        support = self.support
        if not holds(support.check(given)):
            raise ValueError(f"{name}: a value must be {support.words}, everywhere in shape {given.shape}")
        return given

    def __repr__(self) -> str:
        shown = {name: vars(self)[name] for name in self.arg_constraints if name in vars(self)}
        parts = [f"{name}: {each.item() if each.numel() == 1 else each.shape}" for name, each in shown.items()]
        return f"{type(self).__name__}({', '.join(parts)})"


class Independent(Distribution):
    """A distribution of which the last axes of the batch count as axes of one outcome: log_prob sums over them.

    Raises ValueError for more axes than the batch has.

    >>> from minitorch.distributions import Normal
    >>> Independent(Normal(Tensor([0.0, 1.0]), 1.0), 1).log_prob(Tensor([0.0, 1.0]))
    tensor(-1.8379)
    """

    def __init__(
        self, base_distribution: Distribution, reinterpreted_batch_ndims: int, validate_args: Any = None
    ) -> None:
        count, shape = reinterpreted_batch_ndims, base_distribution.batch_shape
        if not 0 <= count <= len(shape):
            raise ValueError(f"Independent: {count} axes of a batch of shape {shape}")
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, count
        cut = len(shape) - count
        super().__init__(shape[:cut], shape[cut:] + base_distribution.event_shape, validate_args)

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        """As of its base."""
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self) -> bool:  # type: ignore[override]
        """As of its base, unless one outcome has several axes: its combinations are too many."""
        return self.base_dist.has_enumerate_support and not self.reinterpreted_batch_ndims

    @property
    def support(self) -> Constraint:
        """As of its base, for whole outcomes."""
        inner = self.base_dist.support
        axes = tuple(range(-self.reinterpreted_batch_ndims, 0))
        return Constraint(
            inner.words,
            lambda x: inner.holds(x).all(axis=axes) if axes else inner.holds(x),
            inner.event_dim + len(axes),
        )

    @property
    def mean(self) -> Tensor:
        """As of its base."""
        return self.base_dist.mean

    @property
    def variance(self) -> Tensor:
        """As of its base."""
        return self.base_dist.variance

    @property
    def mode(self) -> Tensor:
        """As of its base."""
        return self.base_dist.mode

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """As of its base."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """As of its base."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: TensorLike) -> Tensor:
        """The sum of its base's over the axes of the outcome."""
        return self._summed(self.base_dist.log_prob(value))

    def entropy(self) -> Tensor:
        """The sum of its base's over the axes of the outcome."""
        return self._summed(self.base_dist.entropy())

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """As of its base. Raises NotImplementedError where one outcome has several axes."""
        if self.reinterpreted_batch_ndims:
            return super().enumerate_support(expand)
        return self.base_dist.enumerate_support(expand)

    def expand(self, batch_shape: Sequence[int]) -> Self:
        """The same with its base expanded."""
        cut = len(self.event_shape) - len(self.base_dist.event_shape)
        wide = self.base_dist.expand(tuple(batch_shape) + self.event_shape[:cut])
        return type(self)(wide, self.reinterpreted_batch_ndims, validate_args=False)

    def _summed(self, values: Tensor) -> Tensor:
        return summed_last(values, self.reinterpreted_batch_ndims)

    def __repr__(self) -> str:
        return f"Independent({self.base_dist!r}, {self.reinterpreted_batch_ndims})"


def summed_last(values: Tensor, count: int) -> Tensor:
    """The sum over the last `count` axes."""
    return values.sum(tuple(range(-count, 0))) if count else values
