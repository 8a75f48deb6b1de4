"""What the op table cannot say of indexing: views, dtypes, repeats, and how an index may be spelled."""

from typing import Any

import numpy as np
import pytest

import minitorch as m
from minitorch import Tensor, gradcheck
from minitorch.ops.index import getitem, setitem


def leaf(values: Any, dtype: Any = np.float64) -> Tensor:
    return Tensor(np.array(values, dtype), requires_grad=True)


def gradient(tensor: Tensor) -> np.ndarray:
    assert tensor.grad is not None
    return tensor.grad


@pytest.mark.parametrize("index", [0, slice(1, 2), (..., None), (slice(None), 1), slice(None, None, -1)], ids=str)
def test_slices_and_integers_are_views(index: Any) -> None:
    x = Tensor(np.arange(6.0).reshape(2, 3))
    assert np.shares_memory(x[index].data, x.data)


@pytest.mark.parametrize("index", [[0, 1], ([0], [1]), np.array([True, False]), (0, [1, 2])], ids=str)
def test_lists_and_masks_copy(index: Any) -> None:
    x = Tensor(np.arange(6.0).reshape(2, 3))
    assert not np.shares_memory(x[index].data, x.data)


def test_slices_may_step_backwards() -> None:
    x = leaf([1.0, 2.0, 3.0])
    assert x[::-1].tolist() == [3.0, 2.0, 1.0]
    assert gradcheck(lambda t: t[::-2] * t[1], [x])


@pytest.mark.parametrize(
    "index",
    [
        [2, 0],
        (2, 0),
        range(2, -1, -2),
        np.array([2, 0]),
        np.array([2, 0], np.uint8),
        np.array([-1, -3], np.int8),
        Tensor(np.array([2, 0])),
        [Tensor(np.array(2)), 0],
        [np.int64(2), np.int32(0)],
    ],
    ids=repr,
)
def test_rows_may_be_spelled_in_many_ways(index: Any) -> None:
    x = leaf(np.arange(6.0).reshape(3, 2))
    rows = x[(index,)] if not isinstance(index, tuple) else x[list(index)]
    assert rows.tolist() == [[4.0, 5.0], [0.0, 1.0]]
    rows.sum().backward()
    assert gradient(x).tolist() == [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]


@pytest.mark.parametrize("one", [1, np.int64(1), np.array(1), Tensor(np.array(1))], ids=repr)
def test_a_single_integer_takes_its_axis_away(one: Any) -> None:
    x = Tensor(np.arange(24.0).reshape(2, 3, 4))
    assert x[one].shape == (3, 4)
    assert x[one, :, [1, 2]].shape == (3, 2)


@pytest.mark.parametrize("yes", [np.True_, np.array(True), Tensor(np.array(True))], ids=repr)
def test_a_single_bool_adds_an_axis(yes: Any) -> None:
    assert Tensor(np.zeros((2, 3)))[yes].shape == (1, 2, 3)


def test_a_nested_list_is_one_index_array() -> None:
    assert Tensor(np.zeros((3, 2)))[[[0, 1], [2, 2]]].shape == (2, 2, 2)


def test_integers_beside_lists_are_taken_first() -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    assert x[0, :, [1, 2]].shape == (2, 3)  # NumPy puts the new axis in front
    assert np.array_equal(Tensor(x)[0, :, [1, 2]].data, x[0][:, [1, 2]])


def test_an_element_that_is_picked_twice_gets_both_gradients() -> None:
    for index in ([0, 0, 2], ([0, 0, 2],), (np.array([[0], [0], [2]]), slice(None))):
        x = leaf(np.zeros((3, 2)))
        getitem(x, index).sum().backward()
        assert gradient(x).tolist() == [[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]]


def test_gradients_keep_float32() -> None:
    x = leaf(np.zeros((4, 3)), np.float32)
    for out in (x[[1, 1]], x[1:], m.gather(x, 1, np.zeros((4, 1), int)), m.index_add(x, 0, [0], np.ones((1, 3), "f4"))):
        out.sum().backward()
        assert out.dtype == gradient(x).dtype == np.float32


def test_a_mask_index_is_not_the_integers_0_and_1() -> None:
    assert Tensor(np.array([5.0, 6.0]))[[False, True]].tolist() == [6.0]
    assert Tensor(np.array([True, False]))[[0, 0]].tolist() == [True, True]


def test_setitem_leaves_its_input_alone() -> None:
    x = leaf([1.0, 2.0, 3.0])
    assert setitem(x, 0, 9.0).tolist() == [9.0, 2.0, 3.0]
    assert x.tolist() == [1.0, 2.0, 3.0]


def test_setitem_keeps_the_dtype_of_its_input() -> None:
    assert setitem(Tensor(np.zeros(2, np.float32)), 0, np.float64(0.5)).dtype == np.float32
    assert setitem(Tensor(np.array([1, 2])), 0, 7.9).tolist() == [7, 2]
    assert setitem(Tensor(np.array([1, 2])), 0, leaf(7.9)).tolist() == [7, 2]
    assert setitem(Tensor(np.array([True, False])), 1, 3).tolist() == [True, True]


def test_setitem_gives_a_value_of_another_float_type_its_gradient() -> None:
    x, value = leaf([1.0, 2.0], np.float32), leaf(5.0)
    out = setitem(x, 1, value)
    out.backward(np.array([2.0, 3.0], np.float32))
    assert out.dtype == np.float32
    assert gradient(value).dtype == np.float64
    assert (gradient(x).tolist(), gradient(value).tolist()) == ([2.0, 0.0], 3.0)


@pytest.mark.parametrize("value", [[5.0, 6.0], (5.0, 6.0), np.array([5, 6]), Tensor(np.array([5.0, 6.0], np.float32))])
def test_setitem_takes_what_a_tensor_can_be_made_of(value: Any) -> None:
    assert setitem(Tensor(np.zeros(3)), [2, 0], value).tolist() == [6.0, 0.0, 5.0]


def test_where_setitem_is_told_twice_the_last_value_stays_and_both_get_its_gradient() -> None:
    x, value = leaf([1.0, 2.0]), leaf([5.0, 6.0])
    out = setitem(x, [1, 1], value)
    out.backward(np.array([2.0, 3.0]))
    assert out.tolist() == [1.0, 6.0]
    assert (gradient(x).tolist(), gradient(value).tolist()) == ([2.0, 0.0], [3.0, 3.0])


def test_the_part_of_src_that_the_index_leaves_out_gets_no_gradient() -> None:
    for operation in (m.scatter, m.scatter_add):
        src = leaf([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        operation(leaf(np.zeros((2, 3))), 1, np.array([[2, 0]]), src).sum().backward()
        assert gradient(src).tolist() == [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]


def test_scatter_with_reduce_add_has_gradients_where_pytorch_has_none() -> None:
    index = np.array([1, 1, 0])
    assert gradcheck(lambda x, s: m.scatter(x, 0, index, s, reduce="add"), [leaf([1.0, 2.0]), leaf([3.0, 4.0, 5.0])])
    assert gradcheck(lambda x: m.scatter(x, 0, index, 3.0, reduce="multiply"), [leaf([1.0, 2.0])])


def test_scatter_is_the_reverse_of_gather() -> None:
    order = np.array([[2, 0, 1], [1, 2, 0]])
    x = Tensor(np.arange(6.0).reshape(2, 3))
    assert m.scatter(m.zeros_like(x), 1, order, m.gather(x, 1, order)).equal(x)


def test_nonzero_as_a_tuple_is_an_index() -> None:
    x = Tensor(np.array([[0.0, 2.0], [3.0, 0.0]]))
    where = m.nonzero(x, as_tuple=True)
    assert x[where].tolist() == [2.0, 3.0]
    assert not any(each.requires_grad for each in where)


def test_lists_of_values_take_the_dtype_of_the_tensor() -> None:
    x = Tensor(np.zeros(3))
    assert m.index_put(x, ([0, 2],), [0.1, 2.0]).tolist() == [0.1, 0.0, 2.0]  # not rounded to float32 on the way
    assert setitem(x, 1, [0.1]).tolist() == [0.0, 0.1, 0.0]
    assert m.scatter(x, 0, [1], [4.0]).dtype == np.float64


@pytest.mark.parametrize(
    "call",
    [
        lambda x, axis: m.gather(x, index=np.zeros((2, 1), int), **axis),
        lambda x, axis: m.index_select(x, index=[0], **axis),
        lambda x, axis: m.take_along_dim(x, np.zeros((2, 1), int), **axis),
        lambda x, axis: m.index_fill(x, index=[0], value=1.0, **axis),
        lambda x, axis: m.scatter(x, index=np.zeros((2, 1), int), value=1.0, **axis),
    ],
)
def test_axis_means_dim(call: Any) -> None:
    x = Tensor(np.arange(6.0).reshape(2, 3))
    assert call(x, {"axis": 1}).equal(call(x, {"dim": 1}))


@pytest.mark.parametrize("index", [0, -1, (0,), np.array(0)], ids=repr)
@pytest.mark.parametrize("shape", [(1,), (1, 1)])
def test_one_number_may_be_written_as_a_tensor_with_axes(index: Any, shape: tuple[int, ...]) -> None:
    """As in PyTorch, recorded or not."""
    for requires_grad in (False, True):
        t = Tensor(np.zeros(1), requires_grad=requires_grad) * 1
        t[index] = Tensor(np.full(shape, 2.0))
        assert t.tolist() == [2.0]
