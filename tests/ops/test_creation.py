"""Making tensors: dtypes, sharing, sizes and what is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.ops import creation

X = Tensor(np.ones((2, 3), np.float32))
N = Tensor([1, 2])


@pytest.mark.parametrize(
    ("make", "dtype"),
    [
        (lambda: minitorch.zeros(2), "float32"),
        (lambda: minitorch.zeros(2, dtype="float64"), "float64"),
        (lambda: minitorch.zeros(2, dtype=int), "int64"),
        (lambda: minitorch.ones(2, dtype=np.bool_), "bool"),
        (lambda: minitorch.full((2,), True), "bool"),
        (lambda: minitorch.full((2,), 1), "int64"),
        (lambda: minitorch.full((2,), 1.0), "float32"),
        (lambda: minitorch.full((2,), Tensor(3)), "int64"),
        (lambda: minitorch.full((2,), 1, dtype="float32"), "float32"),
        (lambda: minitorch.arange(3), "int64"),
        (lambda: minitorch.arange(3.0), "float32"),
        (lambda: minitorch.arange(0, 1, Tensor(0.5)), "float32"),
        (lambda: minitorch.arange(3, dtype="float64"), "float64"),
        (lambda: minitorch.arange(3.5, dtype="int32"), "int32"),
        (lambda: minitorch.linspace(0, 3, 4), "float32"),
        (lambda: minitorch.linspace(0, 3, 4, dtype="int64"), "int64"),
        (lambda: minitorch.eye(2, dtype="int64"), "int64"),
        (lambda: minitorch.zeros_like(N), "int64"),
        (lambda: minitorch.ones_like(N, dtype="float64"), "float64"),
        (lambda: minitorch.full_like(N, 2.5), "int64"),
        (lambda: minitorch.new_zeros(N, 2), "int64"),
        (lambda: minitorch.new_full(X, (2,), 3), "float32"),
        (lambda: minitorch.as_tensor(np.ones(2)), "float64"),
        (lambda: minitorch.as_tensor([1.0]), "float32"),
        (lambda: creation.tensor([1.0], dtype="float64"), "float64"),
    ],
)
def test_dtype(make: Callable[[], Tensor], dtype: str) -> None:
    assert make().dtype == np.dtype(dtype)


def test_the_default_dtype_is_obeyed() -> None:
    before = minitorch.get_default_dtype()
    minitorch.set_default_dtype("float64")
    try:
        made = [minitorch.zeros(1), minitorch.full((1,), 2.0), minitorch.arange(1.0), minitorch.eye(1)]
        assert {each.dtype for each in made} == {np.dtype(np.float64)}
    finally:
        minitorch.set_default_dtype(before)


def test_what_shares_its_memory() -> None:
    array = np.zeros(3)
    assert minitorch.as_tensor(array).data is array
    assert minitorch.as_tensor(array, dtype="float64", device="cpu").data is array
    assert minitorch.from_numpy(array).data is array
    assert minitorch.as_tensor(X) is X
    assert not np.shares_memory(creation.tensor(array).data, array)
    assert not np.shares_memory(minitorch.as_tensor(array, dtype="float32").data, array)


@pytest.mark.parametrize("make", [minitorch.zeros, minitorch.ones, minitorch.empty])
def test_sizes_come_one_by_one_or_as_a_tuple(make: Callable[..., Tensor]) -> None:
    assert make(2, 3).shape == make((2, 3)).shape == make([2, 3]).shape == (2, 3)
    assert make(()).shape == make().shape == ()
    assert minitorch.new_zeros(X, 2, 3).shape == minitorch.new_zeros(X, (2, 3)).shape == (2, 3)


@pytest.mark.parametrize(
    "make",
    [
        lambda: minitorch.zeros(2, requires_grad=True),
        lambda: minitorch.full((2,), 1.0, requires_grad=True),
        lambda: minitorch.arange(2.0, requires_grad=True),
        lambda: minitorch.linspace(0, 1, 2, requires_grad=True),
        lambda: minitorch.ones_like(X, requires_grad=True),
        lambda: creation.tensor([1.0], requires_grad=True),
        lambda: minitorch.new_ones(X, 2, requires_grad=True, device="cpu"),
    ],
)
def test_a_leaf_is_made(make: Callable[[], Tensor]) -> None:
    leaf = make()
    assert leaf.requires_grad
    assert leaf.is_leaf
    (leaf * 2).sum().backward()
    np.testing.assert_array_equal(leaf.grad, np.full(leaf.shape, 2.0))


def test_what_is_like_a_tensor_shares_nothing_with_it() -> None:
    x = minitorch.zeros(3, requires_grad=True)
    same = minitorch.zeros_like(minitorch.broadcast_to(x, (2, 3)))
    assert not same.requires_grad
    assert same.data.flags.writeable
    assert same.data.flags.c_contiguous


@pytest.mark.parametrize(("start", "end", "step"), [(0.0, 1.0, 0.1), (1, -2, -0.3), (0, 1, 0.3), (-1.5, 2, 0.5)])
def test_arange_of_floats_stops_before_its_end(start: float, end: float, step: float) -> None:
    np.testing.assert_allclose(minitorch.arange(start, end, step, dtype="float64").data, np.arange(start, end, step))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: minitorch.arange(0, 5, 0), ValueError, "^arange: steps of 0 do not lead from 0 to 5"),
        (lambda: minitorch.arange(5, 0), ValueError, "^arange: steps of 1 do not lead from 5 to 0"),
        (lambda: minitorch.arange(0, float("inf")), ValueError, "^arange: 0, inf and 1 must be finite numbers"),
        (lambda: minitorch.linspace(0, 1, -1), ValueError, "^linspace: -1 steps"),
        (lambda: minitorch.linspace(0, 1, 2.0), TypeError, "^linspace: the number of steps must be an integer"),  # type: ignore[arg-type]
        (lambda: minitorch.linspace([0, 1], 1, 2), TypeError, "^linspace: start and end must be single numbers"),
        (lambda: minitorch.eye(2, -1), ValueError, "^eye: 2 rows and -1 columns: sizes must not be negative"),
        (lambda: minitorch.from_numpy([1.0]), TypeError, "^from_numpy: a NumPy array is needed, not list"),
        (lambda: minitorch.from_numpy(np.array(["a"])), TypeError, "real numbers or bools"),
    ],
)
def test_errors_say_what_is_wrong(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()
