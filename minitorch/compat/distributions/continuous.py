"""Distributions of real numbers. Outcomes are functions of the parameters and of noise, so they have gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitorch import Tensor, rand, randn, zeros
from minitorch.compat.distributions import constraints
from minitorch.compat.distributions.distribution import Distribution, holds, together
from minitorch.compat.ops.normal_curve import erfinv
from minitorch.types import TensorLike

__all__ = ["Exponential", "Laplace", "Normal", "Uniform"]


class _LocationScale(Distribution):
    """Base of the distributions that are symmetric around loc, and as wide as scale says."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    has_rsample = True
    support = constraints.real

    def __init__(self, loc: TensorLike, scale: TensorLike, validate_args: Any = None) -> None:
        self.loc, self.scale = together(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        """Loc."""
        return self.loc

    mode = mean


class Normal(_LocationScale):
    """The normal distribution with mean loc and standard deviation scale; both broadcast.

    log p(x) = -(x - loc)² / (2 scale²) - ln scale - ln √2π. Raises ValueError for a scale that is not above 0.

    >>> Normal(0.0, 1.0).log_prob(0.0)
    tensor(-0.9189)
    """

    @property
    def variance(self) -> Tensor:
        """scale²."""
        return self.scale**2

    @property
    def stddev(self) -> Tensor:
        """Scale."""
        return self.scale

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Loc + scale · noise."""
        noise = randn(self._shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + noise * self.scale

    def log_prob(self, value: TensorLike) -> Tensor:
        """The logarithm of the density at value."""
        off = (self._checked(value) - self.loc) / self.scale
        return off * off * -0.5 - self.scale.log() - math.log(2 * math.pi) / 2

    def cdf(self, value: TensorLike) -> Tensor:
        """The probability of an outcome up to value."""
        return ((self._checked(value) - self.loc) / (self.scale * math.sqrt(2))).erf() * 0.5 + 0.5

    def icdf(self, value: TensorLike) -> Tensor:
        """The outcome up to which the probability is value."""
        given = together(value, self.loc)[0]
        return self.loc + self.scale * erfinv(given * 2 - 1) * math.sqrt(2)

    def entropy(self) -> Tensor:
        """½ + ln √2π + ln scale."""
        return self.scale.log() + (0.5 + math.log(2 * math.pi) / 2)


class Uniform(Distribution):
    """The uniform distribution from low (included) to high (excluded); both broadcast.

    log p(x) = -ln(high - low) inside, -inf outside. Raises ValueError unless low < high everywhere.

    >>> Uniform(0.0, 2.0).log_prob(1.0)
    tensor(-0.6931)
    """

    arg_constraints = {"low": constraints.real, "high": constraints.real}
    has_rsample = True

    def __init__(self, low: TensorLike, high: TensorLike, validate_args: Any = None) -> None:
        self.low, self.high = together(low, high)
        super().__init__(self.low.shape, validate_args=validate_args)
        if self._validate_args and not holds(self.low < self.high):
            raise ValueError(f"Uniform: low must be below high, everywhere in shape {self.low.shape}")

    @property
    def support(self) -> constraints.Constraint:
        """From low to high."""
        return constraints.interval(self.low, self.high)

    @property
    def mean(self) -> Tensor:
        """(low + high) / 2."""
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Tensor:
        """There is none: nan."""
        return self.high * math.nan

    @property
    def variance(self) -> Tensor:
        """(high - low)² / 12."""
        return (self.high - self.low) ** 2 / 12

    @property
    def stddev(self) -> Tensor:
        """(high - low) / √12."""
        return (self.high - self.low) / math.sqrt(12)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Low + noise · (high - low)."""
        noise = rand(self._shape(sample_shape), dtype=self.low.dtype, device=self.low.device)
        return self.low + noise * (self.high - self.low)

    def log_prob(self, value: TensorLike) -> Tensor:
        """The logarithm of the density at value."""
        x = self._checked(value)
        inside = (self.low <= x) & (self.high > x)
        return (-(self.high - self.low).log()).where(inside, -math.inf)

    def cdf(self, value: TensorLike) -> Tensor:
        """The probability of an outcome up to value."""
        return ((self._checked(value) - self.low) / (self.high - self.low)).clamp(0, 1)

    def icdf(self, value: TensorLike) -> Tensor:
        """The outcome up to which the probability is value."""
        return (self.high - self.low) * value + self.low

    def entropy(self) -> Tensor:
        """ln(high - low)."""
        return (self.high - self.low).log()


class Exponential(Distribution):
    """Waiting times of rate: log p(x) = ln rate - rate · x for x ≥ 0. Raises ValueError for a rate that is not above 0.

    >>> Exponential(2.0).mean
    tensor(0.5000)
    """

    arg_constraints = {"rate": constraints.positive}
    has_rsample = True
    support = constraints.nonnegative

    def __init__(self, rate: TensorLike, validate_args: Any = None) -> None:
        (self.rate,) = together(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        """1 / rate."""
        return self.rate.reciprocal()

    stddev = mean

    @property
    def mode(self) -> Tensor:
        """0."""
        return self.rate.new_zeros(self.rate.shape)

    @property
    def variance(self) -> Tensor:
        """1 / rate²."""
        return self.rate**-2

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """A waiting time of rate 1, over rate."""
        noise = zeros(self._shape(sample_shape), dtype=self.rate.dtype, device=self.rate.device)
        waited: Tensor = noise.exponential_()
        return waited / self.rate

    def log_prob(self, value: TensorLike) -> Tensor:
        """The logarithm of the density at value."""
        return self.rate.log() - self.rate * self._checked(value)

    def cdf(self, value: TensorLike) -> Tensor:
        """The probability of an outcome up to value."""
        return 1 - (-self.rate * self._checked(value)).exp()

    def icdf(self, value: TensorLike) -> Tensor:
        """The outcome up to which the probability is value."""
        return -(-together(value, self.rate)[0]).log1p() / self.rate

    def entropy(self) -> Tensor:
        """1 - ln rate."""
        return 1 - self.rate.log()


class Laplace(_LocationScale):
    """Two exponentials back to back: log p(x) = -|x - loc| / scale - ln(2 scale). Raises ValueError for a scale ≤ 0.

    >>> Laplace(0.0, 1.0).variance
    tensor(2.)
    """

    @property
    def variance(self) -> Tensor:
        """2 scale²."""
        return self.scale**2 * 2

    @property
    def stddev(self) -> Tensor:
        """√2 scale."""
        return self.scale * math.sqrt(2)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Loc + scale · (a waiting time with a sign)."""
        u = rand(self._shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
        u = (u * 2 - 1).clamp(min=float(np.finfo(self.loc.dtype).eps) - 1)  # -1 would be infinitely far
        return self.loc - self.scale * (u.sign() * (-u.abs()).log1p())

    def log_prob(self, value: TensorLike) -> Tensor:
        """The logarithm of the density at value."""
        return -(self._checked(value) - self.loc).abs() / self.scale - (self.scale * 2).log()

    def cdf(self, value: TensorLike) -> Tensor:
        """The probability of an outcome up to value."""
        off = self._checked(value) - self.loc
        return 0.5 - off.sign() * (-off.abs() / self.scale).expm1() * 0.5

    def icdf(self, value: TensorLike) -> Tensor:
        """The outcome up to which the probability is value."""
        off = together(value, self.loc)[0] - 0.5
        return self.loc - self.scale * off.sign() * (off.abs() * -2).log1p()

    def entropy(self) -> Tensor:
        """1 + ln(2 scale)."""
        return (self.scale * 2).log() + 1
