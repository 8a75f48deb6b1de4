"""Errors of indexing name the operation, the index, the axis and its size, in one plain sentence."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch as m
from minitorch import Tensor
from minitorch.ops import indexing
from minitorch.ops.index import getitem, setitem

X = Tensor(np.zeros((2, 3)))
V = Tensor(np.zeros(3))
ONE = Tensor(1.0)
I64 = np.int64


def ints(*values: Any) -> Tensor:
    return Tensor(np.array(values, I64))


OUT_OF_RANGE: list[tuple[Callable[[], Any], str]] = [
    (lambda: X[2], r"^getitem: index 2 is out of bounds for axis 0 with size 2 \(the Tensor has shape \(2, 3\)\)$"),
    (lambda: X[-3], r"^getitem: index -3 is out of bounds for axis 0 with size 2"),
    (lambda: X[:, 3], r"^getitem: index 3 is out of bounds for axis 1 with size 3"),
    (lambda: X[[0, 2]], r"^getitem: index 2 is out of bounds for axis 0 with size 2 \(.*shape \(2, 3\)\)$"),
    (lambda: X[:, ints(0, -4)], r"^getitem: index -4 is out of bounds for axis 1 with size 3 \(.*\(2, 3\)\)$"),
    (lambda: X[0, ints(3)], r"^getitem: index 3 is out of bounds for axis 1 with size 3 \(.*shape \(2, 3\)\)$"),
    (lambda: X[2, ints(0)], r"^getitem: index 2 is out of bounds for axis 0 with size 2"),
    (lambda: X[0, 0, 0], r"^getitem: too many indices .* 3 were indexed \(the Tensor has shape \(2, 3\)\)$"),
    (lambda: X[0, 0, [1]], r"^getitem: too many indices: 3 for a Tensor of shape \(2, 3\)$"),
    (lambda: ONE[0], r"^getitem: too many indices"),
    (lambda: X[..., ...], r"^getitem: an index can only have a single ellipsis"),
    (lambda: X[np.ones(3, bool)], r"^getitem: boolean index did not match .* axis 0; size of axis is 2 but .* is 3"),
    (lambda: X[0, np.ones(2, bool)], r"^getitem: a mask of shape \(2,\) does not fit at axis 1 of shape \(2, 3\)$"),
    (lambda: getitem(X, 1.5), r"^getitem: only integers, slices .* are valid indices"),
    (lambda: getitem(X, "one"), r"^getitem: only integers, slices .* are valid indices"),
    (lambda: X[Tensor([0.0, 1.0])], r"^getitem: an index array holds integers or bools, not float32$"),
    (lambda: X[[0.5]], r"^getitem: an index array holds integers or bools, not float64$"),
    (lambda: X[[slice(None), 0]], r"^getitem: an index array holds integers or bools, not object$"),
    (lambda: X[[[0, 1], [0]]], r"^getitem: the lists of an index need equal lengths, unlike \[\[0, 1\], \[0\]\]$"),
    (lambda: setitem(X, 2, 0.0), r"^setitem: index 2 is out of bounds for axis 0 with size 2 \(.*shape \(2, 3\)\)$"),
    (lambda: setitem(X, (slice(None), [0, 3]), 0.0), r"^setitem: index 3 is out of bounds for axis 1 with size 3"),
    (lambda: setitem(X, [0.5], 0.0), r"^setitem: an index array holds integers or bools, not float64$"),
    (
        lambda: m.gather(X, 1, ints([0, 3])),
        r"^gather: index 3 is out of bounds for axis 1 with size 3 \(the Tensor has shape \(2, 3\)\)$",
    ),
    (lambda: m.gather(X, -1, ints([-1])), r"^gather: index -1 is .* axis 1 .*; gather does not count from the end$"),
    (lambda: m.gather(X, 2, ints([0])), r"^gather: axis 2 does not exist in shape \(2, 3\)$"),
    (lambda: m.gather(V, 0, V), r"^gather: an index array holds integers, not float64$"),
    (lambda: m.gather(V, 0, V > 0), r"^gather: an index array holds integers, not bool$"),
    (lambda: m.take_along_dim(X, ints([3]), 1), r"^take_along_dim: index 3 is out of bounds for axis 1 with size 3"),
    (lambda: m.take_along_dim(X, ints(6)), r"^take_along_dim: index 6 is out of bounds for axis 0 with size 6"),
    (lambda: m.scatter(V, 0, ints(3), 1.0), r"^scatter: index 3 is out of bounds for axis 0 with size 3"),
    (lambda: m.scatter(V, 0, ints(-1), 1.0), r"^scatter: index -1 .*; scatter does not count from the end$"),
    (lambda: m.scatter_add(V, 0, ints(3), V), r"^scatter_add: index 3 is out of bounds for axis 0 with size 3"),
    (lambda: m.scatter_add(V, 1, ints(0), V), r"^scatter_add: axis 1 does not exist in shape \(3,\)$"),
    (lambda: m.index_select(X, 1, ints(3)), r"^index_select: index 3 is out of bounds for axis 1 with size 3"),
    (lambda: m.index_select(X, 1, ints(-1)), r"^index_select: index -1 .*; index_select does not count from the end$"),
    (lambda: m.index_add(V, 0, ints(3), V[:1]), r"^index_add: index 3 is out of bounds for axis 0 with size 3"),
    (lambda: m.index_copy(V, 0, ints(-1), V[:1]), r"^index_copy: index -1 .* does not count from the end$"),
    (lambda: m.index_fill(V, 0, ints(-4), 0.0), r"^index_fill: index -4 is out of bounds for axis 0 with size 3"),
    (lambda: m.index_put(X, (ints(0), ints(3)), 0.0), r"^index_put: index 3 is out of bounds for axis 1 with size 3"),
    (lambda: m.index_put(V, (ints(0),) * 2, 0.0), r"^index_put: too many indices: 2 for a Tensor of shape \(3,\)$"),
    (lambda: m.index_put(V, (V,), 0.0), r"^index_put: an index array holds integers or bools, not float64$"),
    (lambda: m.index_put(V, (np.ones(2, bool),), 0.0), r"^index_put: a mask of shape \(2,\) does not fit at axis 0"),
    (lambda: m.take(X, ints(6)), r"^take: index 6 is out of bounds for axis 0 with size 6"),
]

UNFITTING: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: setitem(V, slice(0, 2), V),
        r"^setitem: could not broadcast input array from shape \(3,\) into shape \(2,\)$",
    ),
    (lambda: setitem(V, [0, 1], V), r"^setitem: shape mismatch: value array of shape \(3,\)"),
    (lambda: setitem(ints(1, 2), 0, float("nan")), r"^setitem: cannot convert float NaN to integer$"),
    (lambda: m.gather(X, 1, ints(0)), r"^gather: index of shape \(1,\) and input of shape \(2, 3\) need equally many"),
    (lambda: m.gather(X, 1, ints([0], [0], [0])), r"^gather: index of shape \(3, 1\) is larger .* beside axis 1$"),
    (lambda: m.take_along_dim(X, ints(0), 1), r"^take_along_dim: indices of shape \(1,\) and input of shape \(2, 3\)"),
    (
        lambda: m.take_along_dim(X, ints([0], [0], [0]), 1),
        r"^take_along_dim: shapes \(2, 3\) and \(3, 1\) may differ along axis 1 only$",
    ),
    (
        lambda: m.scatter(V, 0, ints(0, 1), V[:1]),
        r"^scatter: index of shape \(2,\) is larger than src of shape \(1,\)$",
    ),
    (lambda: m.scatter(V, 0, ints(0), V, reduce="max"), r"^scatter: reduce is 'add' or 'multiply', not 'max'$"),
    (lambda: m.scatter_add(V, 0, ints(0), X), r"^scatter_add: index of shape \(1,\) and src of shape \(2, 3\) need"),
    (lambda: m.index_select(X, 0, ints([0])), r"^index_select: the index has one axis, not shape \(1, 1\)$"),
    (
        lambda: m.index_add(X, 1, ints(0, 1), X),
        r"^index_add: source has shape \(2, 3\); the slices of shape \(2, 3\) need \(2, 2\)$",
    ),
    (lambda: m.index_copy(X, 0, ints(0), V), r"^index_copy: source has shape \(3,\); .* need \(1, 3\)$"),
    (lambda: m.index_fill(V, 0, ints(0), V), r"^index_fill: value must be one number, not of shape \(3,\)$"),
    (lambda: m.index_put(V, (ints(0, 1),), V), r"^index_put: values of shape \(3,\) do not fit into shape \(2,\)$"),
    (lambda: m.index_put(X, (ints(0, 1), ints(0, 1, 2)), 0.0), r"^index_put: shapes \(2,\) and \(3,\) of the indices"),
    (lambda: m.masked_select(V, np.ones(2, bool)), r"^masked_select: shapes \(3,\) and \(2,\) do not fit together$"),
]

WRONG_TYPES: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: m.masked_select(V, ints(1, 0, 1)),
        r"^masked_select: the mask must be made of bools, not int64: compare, as in x > 0$",
    ),
    (lambda: m.scatter(V, 0, ints(0)), r"^scatter: either src or value must be given, and not both$"),
    (lambda: m.scatter(V, 0, ints(0), V, value=1.0), r"^scatter: either src or value must be given, and not both$"),
    (lambda: m.scatter(V, 0, ints(0), np.ones(1, np.float32)), r"^scatter: float64 and float32 do not mix: convert"),
    (lambda: m.scatter_add(V, 0, ints(0), ints(1)), r"^scatter_add: float64 and int64 do not mix"),
    (lambda: m.index_add(V, 0, ints(0), ints(1)), r"^index_add: float64 and int64 do not mix"),
    (
        lambda: m.index_add(ints(1), 0, ints(0), ints(1), alpha=0.5),
        r"^index_add: alpha is 0.5, but the Tensor holds int64$",
    ),
    (lambda: m.index_copy(V, 0, ints(0), ints(1)), r"^index_copy: float64 and int64 do not mix"),
    (lambda: m.index_put(V, (ints(0),), ints(1)), r"^index_put: float64 and int64 do not mix"),
    (
        lambda: m.scatter(V, 0, ints(0), Tensor(np.ones(1), requires_grad=True), reduce="multiply"),
        r"^scatter: reduce='multiply' has no gradient for src: write src.detach\(\)$",
    ),
]


@pytest.mark.parametrize(("wrong", "message"), OUT_OF_RANGE)
def test_an_index_that_names_nothing_is_an_index_error(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises(IndexError, match=message):
        wrong()


@pytest.mark.parametrize(("wrong", "message"), UNFITTING)
def test_shapes_and_values_that_do_not_fit_are_value_errors(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wrong()


@pytest.mark.parametrize(("wrong", "message"), WRONG_TYPES)
def test_wrong_types_are_type_errors(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        wrong()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda: X[[0, 2]],
            r"^getitem: index 2 is out of bounds for axis 0 with size 2 \(the Tensor has shape \(2, 3\)\)$",
        ),
        (lambda: X[..., None, [-4]], r"^getitem: index -4 is out of bounds for axis 1 with size 3"),
        (lambda: X[[0], ..., [3]], r"^getitem: index 3 is out of bounds for axis 1 with size 3"),
        (lambda: X[:, [True, False]], r"^getitem: a mask of shape \(2,\) does not fit at axis 1 of shape \(2, 3\)$"),
        (lambda: setitem(X, [0, 2], 0.0), r"^setitem: index 2 is out of bounds for axis 0 with size 2"),
    ],
)
def test_on_a_gpu_that_would_wrap_around_the_host_asks_first(
    wrong: Callable[[], Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "on_gpu", lambda array: True)
    with pytest.raises(IndexError, match=message):
        wrong()
