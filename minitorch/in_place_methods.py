"""The methods of a Tensor that change it: `add_`, `fill_`, `copy_` … autograd/in_place.py says when that is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from minitorch.ops import arithmetic, choice, gather_scatter, index, movement, random, rearrange, scan, unary
from minitorch.ops._methods import in_place_of, turned_by
from minitorch.python_protocol import Numbers
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor


class InPlace(Numbers):
    """The part of a Tensor that ends in an underscore: each computes what its operation does, and keeps it here."""

    __slots__ = ()

    add_ = in_place_of(arithmetic.add, np.add)
    sub_ = in_place_of(arithmetic.sub, np.subtract)
    mul_ = in_place_of(arithmetic.mul, np.multiply)
    div_ = in_place_of(arithmetic.div, np.divide)
    pow_ = in_place_of(arithmetic.pow)
    floor_divide_ = in_place_of(arithmetic.floor_divide)
    remainder_ = in_place_of(arithmetic.remainder)
    lerp_ = in_place_of(arithmetic.lerp)
    addcmul_ = in_place_of(arithmetic.addcmul)
    addcdiv_ = in_place_of(arithmetic.addcdiv)
    clamp_ = in_place_of(choice.clamp)
    clamp_min_ = in_place_of(choice.clamp_min)
    clamp_max_ = in_place_of(choice.clamp_max)
    masked_fill_ = in_place_of(choice.masked_fill)
    cumsum_ = in_place_of(scan.cumsum)

    abs_ = in_place_of(unary.abs)
    ceil_ = in_place_of(unary.ceil)
    cos_ = in_place_of(unary.cos)
    erf_ = in_place_of(unary.erf)
    exp_ = in_place_of(unary.exp)
    floor_ = in_place_of(unary.floor)
    log_ = in_place_of(unary.log)
    nan_to_num_ = in_place_of(unary.nan_to_num)
    neg_ = in_place_of(unary.neg)
    reciprocal_ = in_place_of(unary.reciprocal)
    relu_ = in_place_of(unary.relu)
    round_ = in_place_of(unary.round)
    rsqrt_ = in_place_of(unary.rsqrt)
    sigmoid_ = in_place_of(unary.sigmoid)
    sign_ = in_place_of(unary.sign)
    sin_ = in_place_of(unary.sin)
    sqrt_ = in_place_of(unary.sqrt)
    square_ = in_place_of(unary.square)
    tanh_ = in_place_of(unary.tanh)
    trunc_ = in_place_of(unary.trunc)

    index_add_ = in_place_of(gather_scatter.index_add)
    index_copy_ = in_place_of(gather_scatter.index_copy)
    index_fill_ = in_place_of(gather_scatter.index_fill)
    index_put_ = in_place_of(index.index_put)
    scatter_ = in_place_of(gather_scatter.scatter)
    scatter_add_ = in_place_of(gather_scatter.scatter_add)

    tril_ = in_place_of(rearrange.tril)
    triu_ = in_place_of(rearrange.triu)

    squeeze_ = turned_by(movement.squeeze)
    unsqueeze_ = turned_by(movement.unsqueeze)
    transpose_ = turned_by(movement.transpose)
    swapaxes_ = turned_by(movement.swapaxes)
    swapdims_ = turned_by(movement.swapdims)
    t_ = turned_by(movement.t)

    def zero_(self) -> Self:
        """Every number becomes 0."""
        return self.fill_(0)

    def fill_(self, value: TensorLike) -> Self:
        """Every number becomes `value`."""
        return self.copy_(value)

    def copy_(self, source: TensorLike, non_blocking: bool = False) -> Self:  # noqa: ARG002
        """The numbers of `source`, broadcast and cast to this Tensor's dtype. Recorded if one of them takes part.

        non_blocking is accepted for PyTorch's sake, and changes nothing.
        """
        if TYPE_CHECKING:
            assert isinstance(self, Tensor)
        self[...] = source
        return self

    uniform_ = random.uniform_
    normal_ = random.normal_
    bernoulli_ = random.bernoulli_
    exponential_ = random.exponential_
    random_ = random.random_
