"""The divergence of Kullback and Leibler, KL(p ‖ q) = ∫ p ln(p / q): a formula for each pair of kinds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from minitorch._tensor import Tensor
from minitorch.compat.distributions.continuous import Exponential, Laplace, Normal, Uniform
from minitorch.compat.distributions.discrete import Bernoulli, Categorical
from minitorch.compat.distributions.distribution import Distribution, Independent, summed_last
from minitorch.compat.distributions.multivariate import MultivariateNormal
from minitorch.compat.ops.equations import solve_triangular

__all__ = ["kl_divergence", "register_kl"]

F = TypeVar("F", bound=Callable[[Any, Any], Tensor])
_FORMULAS: dict[tuple[type, type], Callable[[Any, Any], Tensor]] = {}  # what register_kl adds to


def register_kl(type_p: type, type_q: type) -> Callable[[F], F]:
    """Decorates the formula of KL(p ‖ q) for a pair of kinds; `kl_divergence` uses it for kinds derived from them, too.

    Raises TypeError for what is no kind of distribution.

    >>> class Half(Normal): ...
    >>> @register_kl(Half, Half)
    ... def _of_halves(p, q):
    ...     return Tensor(7.0)
    >>> kl_divergence(Half(0.0, 1.0), Half(0.0, 1.0))
    tensor(7.)
    """
    for each in (type_p, type_q):
        if not (isinstance(each, type) and issubclass(each, Distribution)):
            raise TypeError(f"register_kl: {each!r} is no class derived from Distribution")

    def registered(formula: F) -> F:
        _FORMULAS[type_p, type_q] = formula
        return formula

    return registered


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """KL(p ‖ q), in nats: of the shape that both batches broadcast to. 0 where they are alike, else above.

    Of several formulas that fit, that of the nearest kinds counts, p's first. Raises NotImplementedError where there is
    none.

    >>> kl_divergence(Normal(0.0, 1.0), Normal(1.0, 1.0))
    tensor(0.5000)
    """
    for kind_p in type(p).__mro__:
        for kind_q in type(q).__mro__:
            if (kind_p, kind_q) in _FORMULAS:
                return _FORMULAS[kind_p, kind_q](p, q)
    raise NotImplementedError(
        f"kl_divergence: there is no formula for {type(p).__name__} and {type(q).__name__}: write one with register_kl"
    )


@register_kl(Normal, Normal)
def _normal_normal(p: Normal, q: Normal) -> Tensor:
    ratio, off = (p.scale / q.scale) ** 2, ((p.loc - q.loc) / q.scale) ** 2
    return (ratio + off - 1 - ratio.log()) * 0.5


@register_kl(Uniform, Uniform)
def _uniform_uniform(p: Uniform, q: Uniform) -> Tensor:
    out = ((q.high - q.low) / (p.high - p.low)).log()
    return out.where((q.low <= p.low) & (q.high >= p.high), math.inf)


@register_kl(Exponential, Exponential)
def _exponential_exponential(p: Exponential, q: Exponential) -> Tensor:
    ratio = q.rate / p.rate
    return ratio - 1 - ratio.log()


@register_kl(Laplace, Laplace)
def _laplace_laplace(p: Laplace, q: Laplace) -> Tensor:
    ratio, off = p.scale / q.scale, (p.loc - q.loc).abs()
    return off / q.scale + ratio * (-off / p.scale).exp() - ratio.log() - 1


def _against_normal(p: Distribution, q: Normal) -> Tensor:
    """-entropy(p) - E ln q, which asks for p's mean and variance alone."""
    spread = (p.variance + (p.mean - q.loc) ** 2) / (q.scale**2 * 2)
    return spread + q.scale.log() + math.log(2 * math.pi) / 2 - p.entropy()


for _kind in (Uniform, Exponential, Laplace):
    register_kl(_kind, Normal)(_against_normal)


@register_kl(Categorical, Categorical)
def _categorical_categorical(p: Categorical, q: Categorical) -> Tensor:
    if p.param_shape[-1] != q.param_shape[-1]:
        raise ValueError(f"kl_divergence: Categoricals of {p.param_shape[-1]} and {q.param_shape[-1]} categories")
    return _of_parts(p.probs, p.logits - q.logits, q.probs).sum(-1)


@register_kl(Bernoulli, Bernoulli)
def _bernoulli_bernoulli(p: Bernoulli, q: Bernoulli) -> Tensor:
    ones = _of_parts(p.probs, p._of(1.0) - q._of(1.0), q.probs)
    return ones + _of_parts(1 - p.probs, p._of(0.0) - q._of(0.0), 1 - q.probs)


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_multivariate(p: MultivariateNormal, q: MultivariateNormal) -> Tensor:
    if p.event_shape != q.event_shape:
        raise ValueError(f"kl_divergence: vectors of {p.event_shape[0]} and of {q.event_shape[0]} numbers")
    spread = (solve_triangular(q.scale_tril, p.scale_tril, upper=False) ** 2).sum((-1, -2))
    off = q.squared_length(p.loc - q.loc)
    return q.half_log_det() - p.half_log_det() + (spread + off - p.event_shape[0]) / 2


def _of_parts(p: Tensor, log_ratio: Tensor, q: Tensor) -> Tensor:
    """p · ln(p / q): infinite where q is 0, and 0 where p is."""
    out = (p * log_ratio).where(q.ne(0), math.inf)
    return out.where(p.ne(0), 0.0)


@register_kl(Independent, Independent)
def _independent_independent(p: Independent, q: Independent) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError(
            f"kl_divergence: Independents of {p.reinterpreted_batch_ndims} and {q.reinterpreted_batch_ndims} axes"
        )
    return summed_last(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)
