"""The contract of Tensor: what it is made of, how it meets Python and NumPy, how it is shown and copied."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, no_grad, set_default_dtype


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


# -- what it is made of ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        (1.5, "float32"),
        ([1.0, 2.0], "float32"),
        ([[1, 2.5]], "float32"),
        ([], "float32"),
        (3, "int64"),
        ([1, 2], "int64"),
        (True, "bool"),
        ([True, False], "bool"),
        (np.array([1.0]), "float64"),
        (np.array([1.0], np.float16), "float16"),
        (np.array([1], np.int32), "int32"),
        (np.array([1], np.uint8), "uint8"),
        (np.float64(1.0), "float64"),
        (np.int32(1), "int32"),
        (Tensor(np.array([1.0])), "float64"),
    ],
    ids=repr,
)
def test_dtype_of_what_it_is_made_of(data: Any, dtype: str) -> None:
    tensor = Tensor(data)
    assert tensor.dtype == dtype
    assert type(tensor.data) is np.ndarray


@pytest.mark.parametrize("values", [np.array([3, 4]), np.array([True, False]), Tensor([3, 4])], ids=repr)
def test_integers_do_not_become_the_data_of_what_wants_a_gradient(values: Any) -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(TypeError, match=r"^data of (int64|bool) given to a Tensor that requires grad: .*'float64'"):
        x.data = values
    assert x.tolist() == [1.0, 2.0]
    x.data = [3, 4]
    assert x.data.dtype == np.float64
    constant = x.detach()
    constant.data = values
    assert constant.data.dtype == np.float64


def test_dtype_can_be_asked_for() -> None:
    assert Tensor([1, 2], dtype="float64", requires_grad=True).dtype == np.float64
    assert Tensor(np.array([1.7]), dtype=np.int64).tolist() == [1]


@pytest.mark.parametrize("make", [Tensor, minitorch.tensor, minitorch.as_tensor])
def test_python_floats_are_rounded_once_to_the_dtype_that_is_asked_for(make: Any) -> None:
    assert make([0.3], dtype="float64").tolist() == [0.3]
    assert make(0.3, dtype="float64").item() == 0.3
    assert make([1e200], dtype="float64").tolist() == [1e200]
    assert make([2.0**40 + 3.0], dtype="int64").tolist() == [2**40 + 3]
    assert make([0.3]).tolist() == [float(np.float32(0.3))]


@pytest.mark.parametrize("make", [Tensor, minitorch.tensor, minitorch.as_tensor])
@pytest.mark.parametrize("dtype", ["complex64", complex, "U4", object])
def test_a_dtype_of_no_real_numbers_is_refused(make: Any, dtype: Any) -> None:
    with pytest.raises(TypeError, match=r"a Tensor holds real numbers or bools, not (complex|object|<U4)"):
        make([1.0], dtype=dtype)
    with pytest.raises(TypeError, match=r"a Tensor holds real numbers or bools, not (complex|object|<U4)"):
        make([1.0]).to(dtype=dtype)


def test_the_default_dtype_is_float32_until_it_is_set() -> None:
    set_default_dtype("float64")
    try:
        assert Tensor([1.0]).dtype == Tensor(1.0).dtype == minitorch.exp(1).dtype == np.float64
        assert (Tensor(np.ones(1, np.float32)) * 2.0).dtype == np.float32
    finally:
        set_default_dtype("float32")
    assert Tensor([1.0]).dtype == np.float32


def test_what_it_is_made_of_is_copied() -> None:
    array = np.array([1.0, 2.0])
    tensor = Tensor(array)
    again = Tensor(tensor)
    array[0] = 5.0
    tensor.data[1] = 6.0
    assert tensor.tolist() == [1.0, 6.0]
    assert again.tolist() == [1.0, 2.0]


def test_a_fresh_leaf() -> None:
    x = Tensor([[1.0, 2.0]], requires_grad=True)
    assert (x.grad, x._prev, x._op, x.is_leaf, x.requires_grad) == (None, (), "", True, True)
    assert (x.shape, x.ndim, x.dim(), x.numel(), x.device) == ((1, 2), 2, 2, 2, "cpu")


def test_results_are_arrays_never_numpy_scalars() -> None:
    x = Tensor(2.0, requires_grad=True)
    for out in (
        x * x,
        x.sum(),
        x.exp(),
        x.max(),
        x**2,
        x.reshape(1)[0],
        Tensor(1.0) + Tensor(2.0),
        Tensor([1, 2]).sum(),
    ):
        assert type(out.data) is np.ndarray
        assert out.shape == ()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: Tensor([1, 2], requires_grad=True),
            TypeError,
            r"^only floats can have a gradient, not int64: use Tensor\(values, dtype='float32'\)$",
        ),
        (lambda: Tensor(True, requires_grad=True), TypeError, "only floats can have a gradient, not bool"),
        (lambda: Tensor([1, 2]).requires_grad_(), TypeError, "only floats can have a gradient, not int64"),
        (lambda: Tensor([1j]), TypeError, "a Tensor holds real numbers or bools, not complex numbers"),
        (lambda: Tensor(1j), TypeError, "not complex numbers"),
        (lambda: Tensor("abc"), TypeError, "a Tensor holds real numbers or bools, not str"),
        (lambda: Tensor(None), TypeError, "a Tensor holds real numbers or bools, not NoneType"),
        (lambda: Tensor([[1.0], [1.0, 2.0]]), ValueError, "lists of equal lengths"),
        (lambda: Tensor([1.0], device="tpu"), ValueError, "device 'tpu' is not known: write 'cpu', 'cuda' or 'cuda:0'"),
    ],
)
def test_what_cannot_be_a_tensor_is_refused(make: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_data_can_be_assigned_and_keeps_shape_and_dtype() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    x.data = [3, 4]
    assert x.dtype == np.float32
    assert x.tolist() == [3.0, 4.0]
    x.data -= 1.0
    assert x.tolist() == [2.0, 3.0]
    with pytest.raises(ValueError, match=r"data of shape \(3,\) given to a Tensor of shape \(2,\)"):
        x.data = np.ones(3)


# -- detach, clone, copies ---------------------------------------------------------------------------------------


def test_detach_shares_values_and_leaves_the_graph() -> None:
    x = leaf(1.0, 2.0)
    constant = (x * 2.0).detach()
    assert not constant.requires_grad
    assert constant._prev == ()
    assert np.shares_memory(x.detach().data, x.data)
    (x * constant).sum().backward()
    np.testing.assert_array_equal(x.grad, [2.0, 4.0])


def test_clone_copies_values_and_stays_in_the_graph() -> None:
    x = leaf(1.0, 2.0)
    twin = x.clone()
    assert not np.shares_memory(twin.data, x.data)
    (twin * 3.0).sum().backward()
    np.testing.assert_array_equal(x.grad, [3.0, 3.0])


def test_copy_of_a_leaf_shares_values_and_is_a_leaf_of_its_own() -> None:
    x = leaf(1.0, 2.0)
    x.grad = np.ones(2)
    twin = copy.copy(x)
    assert np.shares_memory(twin.data, x.data)
    assert twin.is_leaf
    (twin * 3.0).sum().backward()
    np.testing.assert_array_equal(twin.grad, [4.0, 4.0])
    np.testing.assert_array_equal(x.grad, [1.0, 1.0])


def test_copy_of_a_result_stays_in_the_graph_and_keeps_its_gradient() -> None:
    x = leaf(1.0, 2.0)
    hidden = x * 2.0
    twin = copy.copy(hidden)
    del hidden
    (twin * 3.0).sum().backward()
    np.testing.assert_array_equal(twin.grad, [3.0, 3.0])
    np.testing.assert_array_equal(x.grad, [6.0, 6.0])


def test_deepcopy_of_a_leaf_shares_nothing() -> None:
    x = leaf(1.0, 2.0)
    (x * x).sum().backward()
    model = {"weight": x, "tied": x}
    twins = copy.deepcopy(model)
    twin = twins["weight"]
    assert twins["tied"] is twin
    assert (twin.requires_grad, twin.dtype, twin.is_leaf) == (True, np.float64, True)
    np.testing.assert_array_equal(twin.grad, x.grad)
    assert not np.shares_memory(twin.data, x.data)
    assert not np.shares_memory(twin.grad, x.grad)


def test_a_result_cannot_be_deep_copied() -> None:
    with pytest.raises(RuntimeError, match=r"only leaves can be deep-copied: write t\.detach\(\) or t\.clone\(\)"):
        copy.deepcopy(leaf(1.0) * 2.0)
    assert copy.deepcopy(Tensor([1])).tolist() == [1]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_keeps_values_flag_and_gradient(protocol: int) -> None:
    x = leaf(1.0, 2.0)
    (x * x).sum().backward()
    for original in (x, x * 2.0, Tensor([1, 2]), Tensor(np.zeros((0, 3)))):
        twin = pickle.loads(pickle.dumps(original, protocol))
        assert twin.equal(original)
        assert (twin.dtype, twin.shape, twin.requires_grad) == (original.dtype, original.shape, original.requires_grad)
        if original.grad is None:
            assert twin.grad is None
        else:
            np.testing.assert_array_equal(twin.grad, original.grad)


# -- Python's protocols ------------------------------------------------------------------------------------------


def test_item_tolist_float_int_bool() -> None:
    assert Tensor(2.5).item() == 2.5
    assert type(Tensor(2.5).item()) is float
    assert type(Tensor([3]).item()) is int
    assert Tensor([[1.5, 2.5]]).tolist() == [[1.5, 2.5]]
    assert Tensor(2.5).tolist() == 2.5
    assert float(Tensor([2.5])) == 2.5
    assert int(Tensor(2.5)) == 2
    assert bool(Tensor([1.0])) is True
    assert bool(Tensor(0)) is False


@pytest.mark.parametrize("convert", [float, int, Tensor.item])
def test_only_one_element_is_a_number(convert: Callable[[Tensor], Any]) -> None:
    with pytest.raises(ValueError, match=r"only a Tensor with one element is a number, not one of shape \(2,\)"):
        convert(Tensor([1.0, 2.0]))


@pytest.mark.parametrize("values", [[1.0, 2.0], []])
def test_the_truth_of_several_elements_is_ambiguous(values: list[float]) -> None:
    with pytest.raises(
        ValueError, match=r"the truth of a Tensor of shape \(\d,\) is ambiguous: reduce it with all\(\) or any\(\)"
    ):
        bool(Tensor(values))


def test_len_and_iteration_go_over_the_first_axis() -> None:
    x = Tensor(np.arange(6.0).reshape(3, 2), requires_grad=True)
    assert len(x) == 3
    rows = list(x)
    assert [row.tolist() for row in rows] == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
    first, second, third = x
    (first * third + second).sum().backward()
    np.testing.assert_array_equal(x.grad, [[4.0, 5.0], [1.0, 1.0], [0.0, 1.0]])


def test_a_single_number_has_no_length_and_no_rows() -> None:
    with pytest.raises(TypeError, match=r"len\(\) of a Tensor with shape \(\): it is a single number"):
        len(Tensor(1.0))
    with pytest.raises(TypeError, match="is a single number: there is nothing to iterate over"):
        iter(Tensor(1.0))


def test_a_value_in_a_tensor_is_found_by_value() -> None:
    assert 2.0 in Tensor([1.0, 2.0])
    assert 3.0 not in Tensor([1.0, 2.0])


def test_one_element_formats_as_its_number() -> None:
    loss = Tensor(0.123456, requires_grad=True)
    assert f"{loss:.3f}" == "0.123"
    assert f"{loss}" == str(loss) == repr(loss)


def test_comparisons_give_boolean_constants() -> None:
    x = leaf(1.0, 2.0, 3.0)
    for out, expected in (
        (x < 2.0, [True, False, False]),
        (x <= 2.0, [True, True, False]),
        (x > Tensor(2.0), [False, False, True]),
        (x >= np.array([2.0]), [False, True, True]),
        (2.0 < x, [False, False, True]),  # noqa: SIM300 (the number on the left is meant)
        (np.array([2.0]) < x, [False, False, True]),
    ):
        assert isinstance(out, Tensor)
        assert (out.dtype, out.tolist(), out.requires_grad) == (np.bool_, expected, False)


def test_comparing_shapes_that_do_not_fit_names_both() -> None:
    with pytest.raises(ValueError, match=r"lt: shapes \(2,\) and \(3,\) do not fit together"):
        leaf(1.0, 2.0) < leaf(1.0, 2.0, 3.0)  # noqa: B015


def test_equal_and_allclose_compare_values() -> None:
    x = Tensor([1.0, 2.0])
    assert x.equal(np.array([1.0, 2.0]))
    assert not x.equal([1.0, 2.5])
    assert x.allclose([1.0 + 1e-7, 2.0])
    assert not x.allclose([1.1, 2.0])
    assert x.allclose([1.1, 2.0], atol=0.2)


# -- NumPy -------------------------------------------------------------------------------------------------------


def test_an_array_on_the_left_leaves_the_operation_to_the_tensor() -> None:
    x, array = leaf(1.0, 2.0), np.array([3.0, 4.0])
    for out, expected in (
        (array + x, [4.0, 6.0]),
        (array - x, [2.0, 2.0]),
        (array * x, [3.0, 8.0]),
        (array / x, [3.0, 2.0]),
        (array**x, [3.0, 16.0]),
        (array @ x, 11.0),
        (np.float64(2.0) * x, [2.0, 4.0]),
        (np.float32(2.0) - x, [1.0, 0.0]),
    ):
        assert isinstance(out, Tensor)
        assert out.requires_grad
        np.testing.assert_array_equal(out.data, expected)


def test_asarray_and_numpy_give_the_values() -> None:
    x = Tensor(np.array([1.0, 2.0]))
    assert np.shares_memory(np.asarray(x), x.data)
    assert np.asarray(x, dtype=np.float32).dtype == np.float32
    assert not np.shares_memory(np.array(x), x.data)
    assert x.numpy() is x.data
    with pytest.raises(RuntimeError, match=r"numpy\(\) on a Tensor that requires grad: write t\.detach\(\)\.numpy\(\)"):
        leaf(1.0).numpy()


# -- how it is shown ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (1.5, "tensor(1.5000)"),
        (3, "tensor(3)"),
        ([1.0, 2.0], "tensor([1., 2.])"),
        ([[1.0, -2.0], [3.0, 4.5]], "tensor([[ 1.0000, -2.0000],\n        [ 3.0000,  4.5000]])"),
        ([True, False], "tensor([ True, False])"),
        ([1, -20], "tensor([  1, -20])"),
        ([], "tensor([])"),
        (np.zeros((0, 3), np.float32), "tensor([], size=(0, 3))"),
        ([1e10, 1.5], "tensor([1.0000e+10, 1.5000e+00])"),
        ([float("nan"), 1.0], "tensor([nan, 1.])"),
        ([float("inf"), 1.5, -1.0], "tensor([    inf,  1.5000, -1.0000])"),
        (np.array([1.0]), "tensor([1.], dtype=float64)"),
        (np.array([1], np.int32), "tensor([1], dtype=int32)"),
    ],
    ids=repr,
)
def test_repr_is_like_pytorchs(values: Any, shown: str) -> None:
    assert repr(Tensor(values)) == shown


def test_repr_tells_the_place_in_the_graph() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    assert repr(x) == "tensor([1., 2.], requires_grad=True)"
    assert repr(x * 2.0) == "tensor([2., 4.], op=mul)"
    with no_grad():
        assert repr(x * 2.0) == "tensor([2., 4.])"


def test_repr_of_many_numbers_is_short() -> None:
    assert len(repr(Tensor(np.arange(10_000.0)))) < 200
