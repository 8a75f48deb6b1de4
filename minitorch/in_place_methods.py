"""The methods of a Tensor that change it: `add_`, `fill_`, `copy_` … autograd/in_place.py says when that is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from minitorch.lazy_imports import lazy_op, lazy_op_in_place
from minitorch.ops import (
    arithmetic,
    choice,
    index,
    logic,
    movement,
    products,
    random,
    rearrange,
    scan,
    unary,
)
from minitorch.ops._methods import in_place_of, turned_by
from minitorch.python_protocol import TensorDunders
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor


class InPlace(TensorDunders):
    """The part of a Tensor that ends in an underscore: each computes what its operation does, and keeps it here."""

    __slots__ = ()

    add_ = in_place_of(arithmetic.add, np.add)
    sub_ = in_place_of(arithmetic.sub, np.subtract)
    mul_ = in_place_of(arithmetic.mul, np.multiply)
    div_ = in_place_of(arithmetic.div, np.divide)
    pow_ = in_place_of(arithmetic.pow)
    floor_divide_ = in_place_of(arithmetic.floor_divide)
    remainder_ = in_place_of(arithmetic.remainder)
    lerp_ = lazy_op_in_place("lerp")
    addcmul_ = lazy_op_in_place("addcmul")
    addcdiv_ = lazy_op_in_place("addcdiv")
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

    # -- the rest of what is number by number --------------------------------------------------------------------------

    atan2_ = lazy_op_in_place("atan2")
    float_power_ = lazy_op_in_place("float_power")
    fmod_ = lazy_op_in_place("fmod")
    true_divide_ = lazy_op_in_place("true_divide")
    xlogy_ = lazy_op_in_place("xlogy")
    hypot_ = lazy_op_in_place("hypot")
    acos_ = in_place_of(unary.acos)
    acosh_ = in_place_of(unary.acosh)
    asin_ = in_place_of(unary.asin)
    asinh_ = in_place_of(unary.asinh)
    atan_ = in_place_of(unary.atan)
    atanh_ = in_place_of(unary.atanh)
    cosh_ = in_place_of(unary.cosh)
    exp2_ = in_place_of(unary.exp2)
    expm1_ = in_place_of(unary.expm1)
    frac_ = in_place_of(unary.frac)
    log10_ = in_place_of(unary.log10)
    log1p_ = in_place_of(unary.log1p)
    log2_ = in_place_of(unary.log2)
    sinh_ = in_place_of(unary.sinh)
    tan_ = in_place_of(unary.tan)
    cumprod_ = in_place_of(scan.cumprod)
    eq_ = in_place_of(logic.eq)
    ne_ = in_place_of(logic.ne)
    lt_ = in_place_of(logic.lt)
    le_ = in_place_of(logic.le)
    gt_ = in_place_of(logic.gt)
    ge_ = in_place_of(logic.ge)
    logical_and_ = in_place_of(logic.logical_and)
    logical_or_ = in_place_of(logic.logical_or)
    logical_xor_ = in_place_of(logic.logical_xor)
    logical_not_ = in_place_of(logic.logical_not)
    bitwise_and_ = in_place_of(logic.bitwise_and)
    bitwise_or_ = in_place_of(logic.bitwise_or)
    bitwise_xor_ = in_place_of(logic.bitwise_xor)
    bitwise_not_ = in_place_of(logic.bitwise_not)
    tril_ = in_place_of(rearrange.tril)
    triu_ = in_place_of(rearrange.triu)
    addmm_ = in_place_of(products.addmm)
    baddbmm_ = in_place_of(products.baddbmm)
    clip_ = in_place_of(choice.clip)

    absolute_ = lazy_op_in_place("absolute")
    arccos_ = lazy_op_in_place("arccos")
    arccosh_ = lazy_op_in_place("arccosh")
    arcsin_ = lazy_op_in_place("arcsin")
    arcsinh_ = lazy_op_in_place("arcsinh")
    arctan_ = lazy_op_in_place("arctan")
    arctan2_ = lazy_op_in_place("arctan2")
    arctanh_ = lazy_op_in_place("arctanh")
    divide_ = lazy_op_in_place("divide")
    fill_diagonal_ = lazy_op_in_place("fill_diagonal", "scattering")
    fix_ = lazy_op_in_place("fix")
    greater_ = lazy_op_in_place("greater")
    greater_equal_ = lazy_op_in_place("greater_equal")
    less_ = lazy_op_in_place("less")
    less_equal_ = lazy_op_in_place("less_equal")
    multiply_ = lazy_op_in_place("multiply")
    negative_ = lazy_op_in_place("negative")
    not_equal_ = lazy_op_in_place("not_equal")
    subtract_ = lazy_op_in_place("subtract")
    i0_ = lazy_op_in_place("i0")
    bitwise_left_shift_ = lazy_op_in_place("bitwise_left_shift")
    bitwise_right_shift_ = lazy_op_in_place("bitwise_right_shift")
    copysign_ = lazy_op_in_place("copysign")
    deg2rad_ = lazy_op_in_place("deg2rad")
    gcd_ = lazy_op_in_place("gcd")
    heaviside_ = lazy_op_in_place("heaviside")
    lcm_ = lazy_op_in_place("lcm")
    ldexp_ = lazy_op_in_place("ldexp")
    logit_ = lazy_op_in_place("logit")
    nextafter_ = lazy_op_in_place("nextafter")
    rad2deg_ = lazy_op_in_place("rad2deg")
    sgn_ = lazy_op_in_place("sgn")
    sinc_ = lazy_op_in_place("sinc")
    addbmm_ = lazy_op_in_place("addbmm")
    addmv_ = lazy_op_in_place("addmv")
    addr_ = lazy_op_in_place("addr")
    digamma_ = lazy_op_in_place("digamma")
    igamma_ = lazy_op_in_place("igamma")
    igammac_ = lazy_op_in_place("igammac")
    lgamma_ = lazy_op_in_place("lgamma")
    mvlgamma_ = lazy_op_in_place("mvlgamma")
    erfc_ = lazy_op_in_place("erfc")
    erfinv_ = lazy_op_in_place("erfinv")
    index_reduce_ = lazy_op_in_place("index_reduce")
    masked_scatter_ = lazy_op_in_place("masked_scatter")
    put_ = lazy_op_in_place("put")
    scatter_reduce_ = lazy_op_in_place("scatter_reduce")
    renorm_ = lazy_op_in_place("renorm")

    index_add_ = lazy_op_in_place("index_add")
    index_copy_ = lazy_op_in_place("index_copy")
    index_fill_ = lazy_op_in_place("index_fill")
    index_put_ = in_place_of(index.index_put)
    scatter_ = lazy_op_in_place("scatter")
    scatter_add_ = lazy_op_in_place("scatter_add")

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
    bernoulli_ = lazy_op("bernoulli_", "random")
    exponential_ = lazy_op("exponential_", "random")
    random_ = lazy_op("random_", "random")
    log_normal_ = lazy_op("log_normal_", "random")
    cauchy_ = lazy_op("cauchy_", "random")
    geometric_ = lazy_op("geometric_", "random")
