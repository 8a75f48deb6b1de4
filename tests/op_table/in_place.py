"""Cases of recorded changes in place: of a result, so that the leaf itself is never touched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from op_table.case import Case, case, exactly, indices, mask, positive, signed, spread


def changed(op: str, title: str, change: Callable[..., Any], *draws: Any, **options: Any) -> Case:
    """change(m, result, *others), where the result is not a leaf and is used before and after."""

    def call(m: Any, x: Any, *others: Any) -> Any:
        result = x * 1.5
        before = result + 1.0  # which saves nothing: PyTorch would refuse a change of what is saved
        returned = change(m, result, *others)
        return before + (result if returned is None else returned) * 2.0

    return case(op, title, call, *draws, **options)


def turned(op: str, title: str, turn: Callable[..., Any], *draws: Any) -> Case:
    """turn(result), where the result is used before, as it was, and after, as it then is."""

    def call(m: Any, x: Any) -> Any:
        result = x * 1.5
        before, view = result + 1.0, result.reshape(-1)
        returned = turn(result)
        return returned * result * 2.0 + before.sum() + (view * view).sum()

    return case(op, title, call, *draws)


def filled(m: Any, t: Any, y: Any) -> None:
    t[0] = y
    t[1, [0, 2]] = y[:2]


def assigned(m: Any, t: Any) -> None:
    t[..., 1:] = 3.0


def masked(m: Any, t: Any, c: Any, y: Any) -> None:
    t[c] = y


def buffer(m: Any, x: Any) -> Any:
    out = m.zeros(3, dtype=x.dtype)
    for place in range(3):
        out[place] = x[place] ** 2
    return out


def summed(m: Any, x: Any) -> Any:
    total = x[0] * 0.0
    for row in x:
        total += row * row
    return total


CASES = [
    changed("add_", "a Tensor", lambda m, t, y: t.add_(y), signed(2, 3), signed(2, 3)),
    changed("add_", "broadcast, with alpha", lambda m, t, y: t.add_(y, alpha=2), signed(2, 3), signed(3)),
    changed("add_", "a number", lambda m, t: t.add_(1.5), signed(2)),
    case("add_", "+= in a loop", summed, signed(3, 2)),
    changed("sub_", "a Tensor", lambda m, t, y: t.sub_(y), signed(2, 3), signed(1, 3)),
    changed("mul_", "a Tensor", lambda m, t, y: t.mul_(y), signed(2, 3), signed(2, 1)),
    changed("mul_", "by a Tensor made of it", lambda m, t: t.mul_(t + 1.0), signed(2)),
    changed("div_", "a Tensor", lambda m, t, y: t.div_(y), signed(2), positive(2)),
    changed("pow_", "a number", lambda m, t: t.pow_(3), signed(2)),
    changed("clamp_", "both sides", lambda m, t: t.clamp_(-0.5, 0.9), spread(5)),
    changed("masked_fill_", "a number", lambda m, t, c: t.masked_fill_(c, 2.0), signed(2), mask(True, False)),
    changed("abs_", "", lambda m, t: t.abs_(), spread(4)),
    changed("exp_", "", lambda m, t: t.exp_(), signed(4)),
    changed("neg_", "", lambda m, t: t.neg_(), signed(4)),
    changed("relu_", "", lambda m, t: t.relu_(), spread(4)),
    changed("sigmoid_", "", lambda m, t: t.sigmoid_(), signed(4)),
    changed("sqrt_", "", lambda m, t: t.sqrt_(), positive(4)),
    changed("tanh_", "", lambda m, t: t.tanh_(), signed(4)),
    changed("zero_", "", lambda m, t: t.zero_(), signed(2, 2)),
    changed("fill_", "a number", lambda m, t: t.fill_(3.0), signed(2, 2)),
    changed("fill_", "a Tensor", lambda m, t, y: t.fill_(y), signed(2, 2), signed()),
    changed("copy_", "broadcast", lambda m, t, y: t.copy_(y), signed(2, 3), signed(3)),
    changed("index_add_", "repeats", lambda m, t, i, y: t.index_add_(0, i, y), signed(2), indices(0, 0), signed(2)),
    changed("index_copy_", "", lambda m, t, i, y: t.index_copy_(0, i, y), signed(3), indices(2, 0), signed(2)),
    changed("index_fill_", "", lambda m, t, i: t.index_fill_(0, i, 2.0), signed(3), indices(2, 0)),
    changed("index_put_", "", lambda m, t, i, y: t.index_put_((i,), y), signed(3), indices(2, 0), signed(2)),
    changed("scatter_", "", lambda m, t, i, y: t.scatter_(0, i, y), signed(3), indices(2, 0), signed(2)),
    changed("scatter_add_", "", lambda m, t, i, y: t.scatter_add_(0, i, y), signed(3), indices(2, 2), signed(2)),
    changed("setitem", "rows and lists", filled, signed(2, 3), signed(3)),
    changed("setitem", "a number into a slice", assigned, signed(2, 3)),
    changed("setitem", "a mask", masked, signed(3), mask(True, False, True), signed(2)),
    case("setitem", "a buffer of constants takes part", buffer, signed(3)),
    changed("zero_", "size 0", lambda m, t: t.zero_(), signed(0, 2)),
    *[
        changed(f"{name}_", "", lambda m, t, name=name: getattr(t, f"{name}_")(), spread(4))
        for name in ("ceil", "cos", "erf", "floor", "nan_to_num", "reciprocal", "round", "sign", "sin", "trunc")
    ],
    changed("square_", "", lambda m, t: t.square_(), signed(4)),
    changed("log_", "", lambda m, t: t.log_(), positive(4)),
    changed("rsqrt_", "", lambda m, t: t.rsqrt_(), positive(4)),
    changed("cumsum_", "", lambda m, t: t.cumsum_(0), signed(4, 2)),
    changed("clamp_min_", "", lambda m, t: t.clamp_min_(0.25), spread(5)),
    changed("clamp_max_", "", lambda m, t: t.clamp_max_(0.25), spread(5)),
    case("floor_divide_", "indices", lambda m, i: i.clone().floor_divide_(2), indices(5, -3)),
    changed("remainder_", "a number", lambda m, t: t.remainder_(0.7), spread(5)),
    changed("lerp_", "a weight", lambda m, t, y: t.lerp_(y, 0.3), signed(2, 3), signed(3)),
    changed("addcmul_", "a value", lambda m, t, y, z: t.addcmul_(y, z, value=0.5), signed(2), signed(2), signed(2)),
    changed("addcdiv_", "a value", lambda m, t, y, z: t.addcdiv_(y, z, value=0.5), signed(2), signed(2), positive(2)),
    changed("copy_", "not blocking", lambda m, t, y: t.copy_(y, non_blocking=True), signed(2, 3), signed(3)),
    changed("add_", "single numbers", lambda m, t, y: t.add_(y), signed(), exactly(2.0)),
    changed("tril_", "", lambda m, t: t.tril_(), signed(3, 2)),
    changed("triu_", "above the diagonal", lambda m, t: t.triu_(1), signed(2, 3)),
    turned("squeeze_", "all", lambda t: t.squeeze_(), signed(1, 3, 1)),
    turned("squeeze_", "one axis", lambda t: t.squeeze_(0), signed(1, 3, 1)),
    turned("unsqueeze_", "in front", lambda t: t.unsqueeze_(0), signed(2, 3)),
    turned("unsqueeze_", "single number", lambda t: t.unsqueeze_(-1), signed()),
    turned("transpose_", "two axes", lambda t: t.transpose_(0, 1), signed(2, 3)),
    turned("swapaxes_", "two axes", lambda t: t.swapaxes_(0, -1), signed(2, 1, 3)),
    turned("swapdims_", "two axes", lambda t: t.swapdims_(0, 1), signed(2, 3)),
    turned("t_", "a matrix", lambda t: t.t_(), signed(2, 3)),
    turned("t_", "size 0", lambda t: t.t_(), signed(0, 3)),
]

# -- what is number by number and stands nowhere above -----------------------------------------------------------------

BETWEEN = exactly([0.3, -0.4, 0.2])
ABOVE = exactly([1.2, 2.3, 1.9])
CASES += [
    changed(f"{name}_", "", lambda m, t, name=name: getattr(t, f"{name}_")(), draw)
    for names, draw in (
        ("acos arccos asin arcsin erfinv sgn", BETWEEN),
        ("atan arctan cosh sinh tan exp2 expm1 frac absolute negative fix deg2rad rad2deg", BETWEEN),
        ("sinc erfc i0", BETWEEN),
        ("log10 log1p log2 lgamma digamma", ABOVE),
    )
    for name in names.split()
]
CASES += [
    changed(f"{name}_", "a Tensor", lambda m, t, y, name=name: getattr(t, f"{name}_")(y), positive(3), positive(3))
    for name in (
        [
            "atan2",
            "arctan2",
            "xlogy",
            "hypot",
            "fmod",
            "true_divide",
            "divide",
            "multiply",
            "subtract",
            "copysign",
            "ldexp",
            "nextafter",
        ]
    )
]
CASES += [
    case(
        "float_power_",
        "in float64",
        lambda m, x, y: x * (x.double() * 1).float_power_(y).sum(),
        positive(2, 3),
        signed(3),
    ),
    changed("logit_", "eps", lambda m, t: t.logit_(0.1), exactly([0.3, 0.2])),
    changed("clip_", "both sides", lambda m, t: t.clip_(-0.5, 0.9), spread(5)),
    changed("mvlgamma_", "of 2", lambda m, t: t.mvlgamma_(2), exactly([2.1, 3.3])),
    changed("polygamma_", "order 1", lambda m, t: t.polygamma_(1), positive(3)),
    changed("cumprod_", "", lambda m, t: t.cumprod_(0), signed(4, 2)),
    changed("fill_diagonal_", "a wide matrix", lambda m, t: t.fill_diagonal_(0.5), signed(2, 4)),
    changed("fill_diagonal_", "begun again", lambda m, t: t.fill_diagonal_(0.5, wrap=True), signed(7, 2)),
    changed("fill_diagonal_", "three axes", lambda m, t: t.fill_diagonal_(2.0), signed(3, 3, 3)),
    changed("renorm_", "", lambda m, t: t.renorm_(2, 0, 0.8), signed(3, 3)),
    changed("addmm_", "", lambda m, t, a, b: t.addmm_(a, b), signed(2, 2), signed(2, 3), signed(3, 2)),
    changed("addmv_", "", lambda m, t, a, b: t.addmv_(a, b), signed(2), signed(2, 3), signed(3)),
    changed("addr_", "", lambda m, t, a, b: t.addr_(a, b), signed(2, 3), signed(2), signed(3)),
    changed("addbmm_", "", lambda m, t, a, b: t.addbmm_(a, b), signed(2, 2), signed(3, 2, 3), signed(3, 3, 2)),
    changed("baddbmm_", "", lambda m, t, a, b: t.baddbmm_(a, b), signed(3, 2, 2), signed(3, 2, 3), signed(3, 3, 2)),
    changed("put_", "", lambda m, t, i, y: t.put_(i, y), signed(3), indices(2, 0), signed(2)),
    changed(
        "masked_scatter_", "", lambda m, t, c, y: t.masked_scatter_(c, y), signed(3), mask(True, False, True), signed(2)
    ),
    changed(
        "scatter_reduce_",
        "",
        lambda m, t, i, y: t.scatter_reduce_(0, i, y, "prod"),
        signed(3),
        indices(2, 2),
        signed(2),
    ),
    changed(
        "index_reduce_", "", lambda m, t, i, y: t.index_reduce_(0, i, y, "prod"), signed(3), indices(2, 2), signed(2)
    ),
]
CASES += [
    case(
        f"{name}_",
        "beside a float",
        lambda m, x, y, name=name: x * getattr(x.detach().clone(), f"{name}_")(y),
        exactly([1.0, 2.0, 0.0]),
        exactly([1.0, 1.0, 2.0]),
        fixed=(1,),
        smooth=False,
    )
    for name in [
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "not_equal",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "logical_and",
        "logical_or",
        "logical_xor",
        "heaviside",
        "igamma",
        "igammac",
    ]
]
CASES += [
    case(
        "logical_not_",
        "beside a float",
        lambda m, x: x * x.detach().clone().logical_not_(),
        exactly([1.0, 0.0]),
        smooth=False,
    ),
    case("bitwise_not_", "indices", lambda m, i: i.clone().bitwise_not_(), indices(5, -3)),
]
CASES += [
    case(
        f"{name}_",
        "indices",
        lambda m, i, k, name=name: getattr(i.clone(), f"{name}_")(k),
        indices(12, 5),
        indices(2, 3),
    )
    for name in ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift", "gcd", "lcm"]
]
# PyTorch has no gradient of these in place.
CASES += [
    case(
        f"{name}_",
        "beside a float",
        lambda m, x, name=name: x * getattr(x.detach().clone(), f"{name}_")(),
        draw,
        smooth=False,
    )
    for names, draw in (("atanh arctanh asinh arcsinh", BETWEEN), ("acosh arccosh", ABOVE))
    for name in names.split()
]
