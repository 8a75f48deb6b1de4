"""Several roots, hooks and create_graph: the walk that keeps its gradients in a dictionary."""

from typing import Any

import numpy as np
import pytest

from minitorch import Tensor, grad
from minitorch.autograd import backward, detect_anomaly
from minitorch.autograd.grad import steps


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def test_a_root_that_is_named_twice_counts_twice() -> None:
    x = leaf(2.0, 3.0)
    y = x * x
    (found,) = grad([y, y], x, [np.array([2.0, 3.0]), np.array([5.0, 7.0])])
    assert found is not None
    np.testing.assert_array_equal(found.data, [2 * 2 * 7.0, 2 * 3 * 10.0])
    (alone,) = grad([x, x], x, [np.array([2.0, 3.0]), np.array([5.0, 7.0])])
    assert alone is not None
    np.testing.assert_array_equal(alone.data, [7.0, 10.0])


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_second_backward_adds_to_what_is_there(create_graph: bool) -> None:
    x = leaf(2.0, 3.0)
    for _ in range(2):
        backward([(x * x).sum(), x.sum()], create_graph=create_graph)
    np.testing.assert_array_equal(np.asarray(getattr(x.grad, "data", x.grad)), 2 * (2 * x.data + 1))
    assert isinstance(x.grad, Tensor) is create_graph
    x.grad = None


def test_an_upstream_gradient_of_another_dtype_is_cast_and_recorded_as_a_constant() -> None:
    x = Tensor(np.ones(2, np.float32), requires_grad=True)
    g = Tensor(np.array([2.0, 3.0]))
    (found,) = grad(x * x, x, g, create_graph=True)
    assert found is not None
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found.data, [4.0, 6.0])


def test_backward_keeps_the_graph_when_told_and_frees_it_otherwise() -> None:
    x = leaf(2.0)
    y = x * x
    backward(y.sum(), retain_graph=True)
    backward(y.sum(), retain_graph=True)
    backward(y.sum())
    np.testing.assert_array_equal(x.grad, [12.0])
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        backward(y.sum())


def test_the_number_of_upstream_gradients_must_be_that_of_the_roots() -> None:
    x = leaf(2.0)
    with pytest.raises(ValueError, match="backward: 2 grad_tensors for 1 tensors"):
        backward(x.sum(), [None, None])
    with pytest.raises(ValueError, match="grad: 1 grad_outputs for 2 outputs"):
        grad([x.sum(), x.sum()], x, [np.array(1.0)])
    with pytest.raises(ValueError, match="grad: 0 grad_outputs for 1 outputs"):
        grad(x.sum(), x, [])


def test_what_wants_no_gradient_is_named_with_its_place() -> None:
    x, constant = leaf(2.0), Tensor(1.0)
    with pytest.raises(RuntimeError, match=r"backward: tensors\[1\] does not require grad"):
        backward([x.sum(), constant])
    with pytest.raises(RuntimeError, match=r"grad: inputs\[1\] does not require grad"):
        grad(x.sum(), [x, constant])
    with pytest.raises(RuntimeError, match=r"grad: inputs\[0\] does not require grad"):
        grad(x.sum(), [3.0])


def test_hooks_that_return_nothing_change_nothing_and_the_next_one_sees_what_was_changed() -> None:
    x = leaf(1.0, 2.0)
    seen: list[Any] = []
    x.register_hook(lambda g: None)
    x.register_hook(lambda g: [10.0, 20.0])
    x.register_hook(lambda g: seen.append(np.array(g)))
    x.sum().backward()
    np.testing.assert_array_equal(seen, [[10.0, 20.0]])
    np.testing.assert_array_equal(x.grad, [10.0, 20.0])


@pytest.mark.parametrize("create_graph", [False, True])
def test_what_a_hook_returns_takes_the_gradients_dtype(create_graph: bool) -> None:
    x = Tensor(np.ones(2, np.float32), requires_grad=True)
    x.register_hook(lambda g: np.array([10.0, 20.0]))
    y = x * 2
    y.register_hook(lambda g: Tensor(np.array([3.0, 4.0])))
    (found,) = grad(y.sum(), x, create_graph=create_graph)
    assert found is not None
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found.data, [10.0, 20.0])


def test_gradients_in_between_are_kept_where_somebody_holds_them_and_describe_the_latest_pass() -> None:
    x = leaf(2.0)
    x.register_hook(lambda g: None)
    y = x * 3
    for _ in range(2):
        (y * y).sum().backward(retain_graph=True)
    np.testing.assert_array_equal(y.grad, [12.0])
    np.testing.assert_array_equal(x.grad, [72.0])


def test_chosen_inputs_in_between_gather_as_leaves_do() -> None:
    x = leaf(2.0)
    y = x * 3
    for _ in range(2):
        (y * y).sum().backward(retain_graph=True, inputs=[y])
    np.testing.assert_array_equal(y.grad, [24.0])
    assert x.grad is None


def test_a_hook_that_returns_another_shape_is_refused_whichever_is_larger() -> None:
    for values in ([1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]]):
        x = leaf(1.0, 2.0)
        x.register_hook(lambda g, values=values: values)
        with pytest.raises(ValueError, match=r"a hook of Node\(leaf, .*for a gradient of shape \(2,\)"):
            x.sum().backward()


def test_what_a_hook_computes_with_tensors_can_be_differentiated() -> None:
    x = leaf(3.0)
    x.register_hook(lambda g: g * g)
    (found,) = grad((x * x).sum(), x, create_graph=True)
    assert found is not None
    assert found.item() == 36.0
    y = found.sum()
    x._node.meta.hooks.clear()  # type: ignore[union-attr]
    (second,) = grad(y, x)
    assert second is not None
    assert second.item() == 24.0


def test_a_place_that_leads_to_no_wanted_one_is_left_out() -> None:
    x, z = leaf(2.0), leaf(3.0)
    seen: list[Any] = []
    z.register_hook(seen.append)
    (found,) = grad((x * z).sum(), x)
    assert found is not None
    assert found.item() == 3.0
    assert seen == []


def test_a_removed_hook_may_be_removed_again() -> None:
    x = leaf(1.0)
    handle = x.register_hook(lambda g: g * 10)
    handle.remove()
    handle.remove()
    x.sum().backward()
    np.testing.assert_array_equal(x.grad, [1.0])


@pytest.mark.parametrize("shape", [(), (1,), (3,), (1, 3), (2, 1), (2, 3)])
def test_a_recorded_gradient_is_summed_to_the_shape_of_its_operand(shape: tuple[int, ...]) -> None:
    x, y = Tensor(np.full(shape, 2.0), requires_grad=True), Tensor(np.arange(6.0).reshape(2, 3), requires_grad=True)
    (found,) = grad((x * y).sum(), x, create_graph=True)
    assert found is not None
    assert found.shape == shape
    (by_y,) = grad(found.sum(), y)
    assert by_y is not None
    np.testing.assert_array_equal(by_y.data, np.ones((2, 3)))


def test_a_narrower_upstream_gradient_is_widened() -> None:
    x = leaf(2.0, 3.0)
    for create_graph in (False, True):
        (found,) = grad(x * x, x, Tensor(np.ones(2, np.float32)), create_graph=create_graph)
        assert found is not None
        assert found.dtype == np.float64


def test_only_under_detect_anomaly_is_a_nan_an_error() -> None:
    x = leaf(0.0)
    (found,) = grad((x.sqrt() * 0).sum(), x)
    assert found is not None
    assert np.isnan(found.data).all()
    with detect_anomaly(), pytest.raises(RuntimeError, match="nan"):
        grad((x.sqrt() * 0).sum(), x)


def test_the_gradient_of_a_root_itself_is_the_upstream_one_in_its_own_dtype() -> None:
    for mine, given in ((np.float32, np.float64), (np.float64, np.float32), (np.float64, np.float64)):
        y = Tensor(np.ones(2, mine), requires_grad=True) * 2
        for create_graph in (False, True):
            (found,) = grad(y, y, Tensor(np.ones(2, given)), create_graph=create_graph, retain_graph=True)
            assert found is not None
            assert found.dtype == mine


def test_a_leaf_that_is_newer_than_a_result_ends_nothing() -> None:
    x = leaf(2.0)
    y = x * 3
    w = leaf(5.0)
    (y * w).sum().backward()
    np.testing.assert_array_equal(x.grad, [15.0])
    np.testing.assert_array_equal(w.grad, [6.0])
    y = leaf(2.0) * 3
    given = [each for step in steps((y * leaf(5.0)).sum()) for each in step.contributions]
    assert [each.node.op for each in given] == ["sum", "mul", "mul", "mul"]


def test_an_empty_tensor_is_not_one_number() -> None:
    x = Tensor(np.zeros(0), requires_grad=True)
    with pytest.raises(RuntimeError, match=r"starts from one number, not from shape \(0,\)"):
        x.backward()


def test_a_plain_pass_from_several_roots_after_a_recorded_one_leaves_arrays() -> None:
    x = leaf(2.0)
    backward([(x * x).sum(), x.sum()], create_graph=True)
    assert isinstance(x.grad, Tensor)
    backward([(x * x).sum(), x.sum()])
    assert type(x.grad) is np.ndarray
    np.testing.assert_array_equal(x.grad, [10.0])


def test_two_recorded_passes_add_up_to_something_that_can_be_differentiated() -> None:
    x = leaf(2.0)
    for _ in range(2):
        backward([(x * x * x).sum()], create_graph=True)
    total: Any = x.grad
    (second,) = grad(total.sum(), x)
    x.grad = None
    assert second is not None
    assert second.item() == 24.0
