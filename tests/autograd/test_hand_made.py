"""The closure template that learners write works unchanged on the public class."""

import gc
import weakref

import numpy as np
import pytest

from minitorch import Tensor, no_grad
from minitorch.autograd.grad import steps


def square(x: Tensor) -> Tensor:
    out = Tensor(x.data**2, requires_grad=x.requires_grad, _prev=(x,), _op="square")

    def _backward() -> None:
        x.grad = (x.grad if x.grad is not None else 0) + 2 * x.data * out.grad

    out._backward = _backward
    return out


def times(x: Tensor, y: Tensor) -> Tensor:
    out = Tensor(x.data * y.data, requires_grad=x.requires_grad or y.requires_grad, _prev=(x, y), _op="times")

    def _backward() -> None:
        if x.requires_grad:
            x.grad = (x.grad if x.grad is not None else 0) + y.data * out.grad
        if y.requires_grad:
            y.grad = (y.grad if y.grad is not None else 0) + x.data * out.grad

    out._backward = _backward
    return out


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def test_template_gives_the_gradient() -> None:
    x = leaf(1.0, 2.0)
    y = square(x)
    assert (y._prev, y._op, y.requires_grad, y.is_leaf) == ((x,), "square", True, False)
    y.sum().backward()
    np.testing.assert_array_equal(x.grad, [2.0, 4.0])


def test_hand_made_and_built_in_operations_mix() -> None:
    x = leaf(1.0, 2.0)
    (square(x * 3.0) + square(square(x))).sum().backward()
    np.testing.assert_allclose(x.grad, 18 * x.data + 4 * x.data**3)


def test_hand_made_operation_with_the_same_operand_twice() -> None:
    x = leaf(3.0)
    times(x, x).sum().backward()
    np.testing.assert_array_equal(x.grad, [6.0])


def test_hand_made_operation_with_a_constant_operand() -> None:
    x = leaf(3.0)
    out = times(x, Tensor(np.array([5.0])))
    assert out._prev == (x,)
    out.sum().backward()
    np.testing.assert_array_equal(x.grad, [5.0])


def test_a_hand_made_result_of_constants_is_a_constant() -> None:
    out = square(Tensor([2.0]))
    assert not out.requires_grad
    assert out._prev == ()


def test_a_hand_made_operation_records_nothing_under_no_grad() -> None:
    x = leaf(2.0)
    with no_grad():
        out = Tensor(x.data**2, requires_grad=True, _prev=(x,), _op="square")
    assert not out.requires_grad


def test_passes_accumulate_through_a_hand_made_operation() -> None:
    x = leaf(3.0)
    loss = square(x * 1.0).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    np.testing.assert_array_equal(x.grad, [12.0])


def test_a_second_pass_over_a_freed_hand_made_operation_names_retain_graph() -> None:
    x = leaf(3.0)
    y = square(x)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        y.backward([1.0])
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        y._backward()


def test_the_cycle_of_a_closure_that_captures_its_result_is_cut_by_backward() -> None:
    gc.collect()
    gc.disable()
    try:
        x = leaf(3.0)
        y = square(x)
        gone = weakref.ref(y)
        y.sum().backward()
        del y
        assert gone() is None
    finally:
        gc.enable()


def test_calling_backward_by_hand_adds_this_nodes_contributions() -> None:
    x = leaf(2.0)
    for out in (square(x), x * x):
        x.grad = None
        out.grad = np.ones(1)
        out._backward()
        np.testing.assert_array_equal(x.grad, [4.0])


def test_a_built_in_rule_can_be_replaced() -> None:
    x = leaf(2.0)
    y = x * 3.0

    def _backward() -> None:
        x.grad = np.array([-1.0])

    y._backward = _backward
    y.sum().backward()
    np.testing.assert_array_equal(x.grad, [-1.0])
    assert y._op == "mul"


def test_a_hand_made_result_without_a_rule_says_so() -> None:
    x = leaf(2.0)
    out = Tensor(x.data, requires_grad=True, _prev=(x,), _op="copy")
    with pytest.raises(RuntimeError, match="has parents but no _backward: assign a function of no arguments"):
        out.sum().backward()


def test_a_hand_made_gradient_of_the_wrong_shape_is_refused() -> None:
    x = leaf(1.0, 2.0)
    out = Tensor(x.data.sum(), requires_grad=True, _prev=(x,), _op="total")

    def _backward() -> None:
        x.grad = out.grad

    out._backward = _backward
    with pytest.raises(ValueError, match=r"grad of shape \(\) given to a Tensor of shape \(2,\)"):
        out.backward()


def test_steps_run_a_hand_made_rule_without_touching_any_grad() -> None:
    x = leaf(1.0, 2.0)
    hidden = x * 3.0
    loss = square(hidden).sum()
    loss.backward(np.array(3.0), retain_graph=True)
    before = [x.grad.copy(), hidden.grad.copy()]  # type: ignore[union-attr]
    given = [each for step in steps(loss) for each in step.contributions]
    found = {(each.node.op, each.parent): each.gradient for each in given}
    np.testing.assert_array_equal(found["square", hidden._node], 2 * hidden.data)
    np.testing.assert_array_equal(x.grad, before[0])
    np.testing.assert_array_equal(hidden.grad, before[1])
