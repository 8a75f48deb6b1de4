"""In-place changes: they happen in memory or move the Tensor on in the graph, and never make a gradient wrong."""

import gc
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, gradcheck, no_grad


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def constant(*values: float) -> Tensor:
    return Tensor(np.array(values))


CHANGES: dict[str, tuple[Any, list[float]]] = {
    "add_": (lambda t: t.add_(1.0), [2.0, 3.0, 5.0]),
    "add_ with alpha": (lambda t: t.add_(np.ones(3), alpha=2), [3.0, 4.0, 6.0]),
    "sub_": (lambda t: t.sub_(1.0), [0.0, 1.0, 3.0]),
    "mul_": (lambda t: t.mul_(np.array([1.0, 2.0, 3.0])), [1.0, 4.0, 12.0]),
    "div_": (lambda t: t.div_(2.0), [0.5, 1.0, 2.0]),
    "pow_": (lambda t: t.pow_(2), [1.0, 4.0, 16.0]),
    "zero_": (lambda t: t.zero_(), [0.0, 0.0, 0.0]),
    "fill_": (lambda t: t.fill_(7.0), [7.0, 7.0, 7.0]),
    "copy_": (lambda t: t.copy_([3, 2, 1]), [3.0, 2.0, 1.0]),
    "clamp_": (lambda t: t.clamp_(min=1.5, max=3.0), [1.5, 2.0, 3.0]),
    "masked_fill_": (lambda t: t.masked_fill_(t > 1.5, 0.0), [1.0, 0.0, 0.0]),
    "neg_": (lambda t: t.neg_(), [-1.0, -2.0, -4.0]),
    "sqrt_": (lambda t: t.sqrt_(), [1.0, 2.0**0.5, 2.0]),
}


@pytest.mark.parametrize("title", CHANGES)
def test_a_constant_changes_in_memory_and_is_returned(title: str) -> None:
    change, expected = CHANGES[title]
    t = constant(1.0, 2.0, 4.0)
    memory = t.data
    assert change(t) is t
    assert t.data is memory
    np.testing.assert_allclose(memory, expected)


@pytest.mark.parametrize("title", CHANGES)
def test_a_leaf_changes_under_no_grad_and_stays_a_leaf(title: str) -> None:
    change, expected = CHANGES[title]
    t = leaf(1.0, 2.0, 4.0)
    with no_grad():
        change(t)
    assert t.requires_grad
    assert t.is_leaf
    np.testing.assert_allclose(t.data, expected)


@pytest.mark.parametrize("title", CHANGES)
def test_a_leaf_is_not_changed_while_operations_are_recorded(title: str) -> None:
    t = leaf(1.0, 2.0, 4.0)
    with pytest.raises(RuntimeError, match=r"a leaf that requires grad cannot be changed .* `with no_grad\(\):`"):
        CHANGES[title][0](t)
    np.testing.assert_array_equal(t.data, [1.0, 2.0, 4.0])


@pytest.mark.parametrize("title", [title for title in CHANGES if title != "masked_fill_"])
def test_a_recorded_change_is_differentiable(title: str) -> None:
    assert gradcheck(lambda x: CHANGES[title][0](x * 1.1) * x, leaf(1.0, 2.0, 4.0))


def test_pytorchs_idiom_for_a_training_step() -> None:
    w = leaf(1.0, 2.0)
    for _ in range(3):
        (w * w).sum().backward()
        with no_grad():
            w -= 0.1 * w.grad
        w.grad = None
    assert w.is_leaf
    assert w.requires_grad
    np.testing.assert_allclose(w.data, 0.8**3 * np.array([1.0, 2.0]))


def test_augmented_assignment_is_in_place() -> None:
    t = same = constant(1.0, 2.0)
    t += 1
    t *= 2
    t -= 1
    t /= 2
    t **= 2
    assert t is same
    np.testing.assert_allclose(t.data, [2.25, 6.25])
    total = Tensor(np.zeros(()))
    x = leaf(1.0, 2.0)
    for row in x:
        total += row * row
    total.backward()
    np.testing.assert_array_equal(x.grad, [2.0, 4.0])


# -- item assignment ---------------------------------------------------------------------------------------------------


def test_item_assignment_writes_into_a_constant() -> None:
    t = Tensor(np.zeros((2, 3)))
    memory = t.data
    t[0] = 1.0
    t[1, 1:] = [5, 6]
    t[:, 0] = Tensor(np.array([8.0, 9.0]))
    t[t > 8.5] = 0.5
    assert t.data is memory
    np.testing.assert_array_equal(memory, [[8.0, 1.0, 1.0], [0.5, 5.0, 6.0]])


def test_item_assignment_is_differentiable_in_both() -> None:
    def filled(x: Tensor, y: Tensor) -> Tensor:
        t = x * 1.0
        t[0] = y
        t[1, [0, 2]] = y[:2] * t[0, 0]
        return t * t

    assert gradcheck(filled, [Tensor(np.arange(6.0).reshape(2, 3) + 1), Tensor(np.array([0.5, 1.5, 2.5]))])


def test_a_buffer_filled_with_results_takes_part() -> None:
    x = leaf(1.0, 2.0, 3.0)
    buffer = Tensor(np.zeros(3))
    for place in range(3):
        buffer[place] = x[place] ** 2
    buffer.sum().backward()
    np.testing.assert_array_equal(x.grad, [2.0, 4.0, 6.0])


def test_what_was_there_before_keeps_its_gradient_right() -> None:
    x = leaf(1.0, 2.0)
    h = x.exp()
    early = h.sum()  # exp still needs the numbers that h shows now
    h[0] = 0.0
    (early + h.sum()).backward()
    np.testing.assert_allclose(x.grad, [np.e, 2 * np.exp(2.0)])


def test_the_graph_after_a_change_names_its_parents() -> None:
    x = leaf(1.0, 2.0)
    h = x * 2.0
    h[0] = 5.0
    assert h._op == "setitem"
    (before,) = h._prev
    assert before is not h
    assert before._op == "mul"


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda t: t.__setitem__(5, 1.0), IndexError, r"setitem: index 5 is out of bounds for axis 0 with size 3"),
        (lambda t: t.__setitem__(slice(0, 2), [1.0, 2.0, 3.0]), ValueError, r"setitem: .*\(3,\).*\(2,\)"),
        (
            lambda t: t.add_(np.ones((2, 3))),
            ValueError,
            r"add_: the result has shape \(2, 3\), which does not fit into",
        ),
        (lambda t: t.copy_(np.ones(2)), ValueError, r"setitem: .*\(2,\).*\(3,\)"),
    ],
)
def test_what_does_not_fit_is_named(change: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        change(constant(1.0, 2.0, 3.0))


def test_floats_do_not_fit_into_integers() -> None:
    with pytest.raises(TypeError, match="add_: float32 numbers do not fit into a Tensor of int64"):
        Tensor([1, 2]).add_(0.5)


# -- what a recorded operation still needs -----------------------------------------------------------------------------


def test_numbers_that_a_recorded_operation_needs_are_not_changed() -> None:
    x, c = leaf(1.0, 2.0), constant(3.0, 4.0)
    y = x * c
    with pytest.raises(RuntimeError, match=r"add_: mul still needs these numbers for its gradient: call backward\(\)"):
        c.add_(1.0)
    with pytest.raises(RuntimeError, match="setitem: mul still needs these numbers"):
        c[0] = 1.0
    y.sum().backward()
    c.add_(1.0)
    np.testing.assert_array_equal(c.data, [4.0, 5.0])


def test_a_leafs_numbers_are_guarded_under_no_grad() -> None:
    w = leaf(1.0, 2.0)
    loss = (w * w).sum()
    with no_grad(), pytest.raises(RuntimeError, match="mul_: mul still needs these numbers"):
        w.mul_(2.0)
    loss.backward()
    with no_grad():
        w.mul_(2.0)
    np.testing.assert_array_equal(w.data, [2.0, 4.0])


def test_views_of_the_numbers_are_guarded_too() -> None:
    x, c = leaf(1.0, 2.0), constant(3.0, 4.0, 5.0, 6.0)
    y = x * c[:2]
    with pytest.raises(RuntimeError, match="still needs these numbers"):
        c.zero_()
    with pytest.raises(RuntimeError, match="still needs these numbers"):
        c.reshape(2, 2).zero_()
    c[2:].zero_()  # another part of the same memory
    np.testing.assert_array_equal(c.data, [3.0, 4.0, 0.0, 0.0])
    y.sum().backward()
    np.testing.assert_array_equal(x.grad, [3.0, 4.0])


def test_the_guard_works_without_the_collector() -> None:
    gc.collect()  # which stops tracking tuples of arrays
    gc.disable()
    try:
        x, c = leaf(1.0, 2.0), constant(3.0, 4.0)
        y = x * c
        with pytest.raises(RuntimeError, match="still needs these numbers"):
            c.zero_()
        del y
        c.zero_()
    finally:
        gc.enable()


def test_an_operation_that_saves_nothing_forbids_nothing() -> None:
    x, c = leaf(1.0, 2.0), constant(3.0, 4.0)
    y = x + c
    c.zero_()
    y.sum().backward()
    np.testing.assert_array_equal(x.grad, [1.0, 1.0])


def test_an_array_that_the_user_holds_forbids_nothing() -> None:
    c = constant(3.0, 4.0)
    array, view, other = c.data, c.data[:1], c.detach()
    c.add_(1.0)
    np.testing.assert_array_equal(array, [4.0, 5.0])
    np.testing.assert_array_equal(view, [4.0])
    np.testing.assert_array_equal(other.data, [4.0, 5.0])


def test_a_view_sees_an_unrecorded_change_and_a_recorded_one_is_refused() -> None:
    c = Tensor(np.zeros((2, 2)))
    row = c[0]
    row.fill_(3.0)
    np.testing.assert_array_equal(c.data, [[3.0, 3.0], [0.0, 0.0]])
    x = leaf(1.0, 2.0)
    h = x * 2.0
    part = h[:1]
    with pytest.raises(RuntimeError, match=r"another Tensor shares this memory .* work on a clone\(\)"):
        h[0] = 1.0
    assert part.item() == 2.0
    del part
    h[0] = 1.0


def test_an_expanded_view_is_not_changed() -> None:
    wide = constant(1.0).expand(3)
    with pytest.raises(RuntimeError, match=r"add_: this Tensor shows read-only numbers .*clone\(\)"):
        wide.add_(1.0)


def test_random_numbers_in_place() -> None:
    minitorch.manual_seed(0)
    t = Tensor(np.zeros(1000))
    assert t.uniform_(2.0, 3.0) is t
    assert 2.0 <= t.data.min() < t.data.max() < 3.0
    t.normal_(5.0, 0.1)
    assert abs(t.data.mean() - 5.0) < 0.02
    with pytest.raises(RuntimeError, match="a leaf that requires grad"):
        leaf(1.0).uniform_()
