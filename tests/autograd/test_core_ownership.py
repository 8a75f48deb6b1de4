"""Whose memory a gradient is: a copy where somebody else could hold it; elsewhere it is taken, or added to in place."""

from typing import Any

import numpy as np
import pytest

from minitorch import Tensor, primitive
from minitorch.autograd.grad import steps


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def test_a_fresh_contribution_becomes_the_gradient_without_a_copy() -> None:
    made: list[int] = []

    def rule(g: Any, x: Any, y: Any) -> Any:
        fresh = g * y
        made.append(address(fresh))
        return fresh

    scaled = primitive(lambda x, y: x * y, name="scaled", x=rule)
    x = leaf(1.0, 2.0)
    scaled(x, np.array([3.0, 4.0])).sum().backward()
    assert made == [address(x.grad)]


def test_a_gradient_that_nobody_else_holds_is_added_to_in_place() -> None:
    x = leaf(1.0, 2.0)
    (x * 2).sum().backward()
    before = address(x.grad)
    (x * 3).sum().backward()
    assert address(x.grad) == before
    np.testing.assert_array_equal(x.grad, [5.0, 5.0])
    held = x.grad
    (x * 4).sum().backward()
    np.testing.assert_array_equal(held, [5.0, 5.0])
    np.testing.assert_array_equal(x.grad, [9.0, 9.0])


def test_assigning_a_gradient_copies_it_unless_it_is_the_gradient_itself() -> None:
    x = leaf(1.0, 2.0)
    given = np.array([3.0, 4.0])
    x.grad = given
    assert not np.shares_memory(x.grad, given)
    before = address(x.grad)
    x.grad += 1
    assert address(x.grad) == before
    np.testing.assert_array_equal(x.grad, [4.0, 5.0])


def test_calling_backward_by_hand_after_the_graph_was_freed_says_so() -> None:
    x = leaf(2.0)
    y = x * x
    y.sum().backward()
    with pytest.raises(RuntimeError, match=r"was freed by an earlier backward\(\) \(at mul, shape \(1,\)\)"):
        y._backward()


def test_calling_backward_by_hand_before_a_gradient_has_arrived_adds_nothing() -> None:
    x = leaf(2.0)
    y = x * x
    y._backward()
    assert x.grad is None


def test_a_backward_pass_without_errors_leaves_numpys_settings_alone() -> None:
    with np.errstate(all="raise"):
        x = leaf(0.0)
        x.sqrt().sum().backward()
        assert np.geterr()["divide"] == "raise"
    np.testing.assert_array_equal(x.grad, [np.inf])


def test_an_operation_on_one_tensor_among_many_possible_gives_its_operand_away_as_a_copy() -> None:
    op = primitive(lambda *tensors: tensors[0] * 1, name="op", tensors=lambda g, tensors, slot: tensors[slot])
    x = leaf(1.0, 2.0)
    op(x).sum().backward()
    assert x.grad is not None
    assert not np.shares_memory(x.grad, x.data)


def test_adders_of_every_argument_run_where_a_gradient_may_be_changed_in_place() -> None:
    ran: list[str] = []

    def adder(name: str) -> Any:
        def add(total: Any, g: Any) -> None:
            ran.append(name)
            total += g

        return add

    op = primitive(lambda x, y: x + y, name="op", x=lambda g: g, y=lambda g: g)
    op(leaf(1.0), leaf(2.0)).sum().backward()
    op.declaration.add_adders(x=adder("x"), y=adder("y"))
    x, y = leaf(1.0), leaf(2.0)
    op(x, y).sum().backward()
    assert ran == []
    op(x, y).sum().backward()
    assert ran == ["x", "y"]
    np.testing.assert_array_equal([x.grad, y.grad], [[2.0], [2.0]])
    held = x.grad
    op(x, y).sum().backward()
    assert ran == ["x", "y", "y"]
    np.testing.assert_array_equal([held, x.grad, y.grad], [[2.0], [3.0], [3.0]])


def test_contributions_of_steps_are_records() -> None:
    x = leaf(2.0)
    for each in (each for step in steps((x * 3).sum()) for each in step.contributions):
        with pytest.raises(AttributeError):
            each.slot = 1  # type: ignore[misc]


def test_gradients_of_held_results_share_no_memory_either() -> None:
    same = primitive(lambda x: x * 1, name="same", x=lambda g: g)
    first = leaf(1.0, 2.0) * 1
    second = same(first)
    second.backward(np.array([5.0, 6.0]))
    assert first.grad is not None
    assert second.grad is not None
    assert not np.shares_memory(first.grad, second.grad)
