"""In-place changes: they happen in memory or move the Tensor on in the graph, and never make a gradient wrong."""

import gc
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, gradcheck, no_grad
from minitorch.autograd import version


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


# -- views -------------------------------------------------------------------------------------------------------------

VIEWS: dict[str, Any] = {
    "t[0]": lambda t: t[0],
    "t[0, 1]": lambda t: t[0, 1],
    "t[0][1]": lambda t: t[0][1],
    "t[0, ..., 1]": lambda t: t[0, ..., 1],
    "t[1:][0][1:]": lambda t: t[1:][0][1:],
    "next(iter(t[0]))": lambda t: next(iter(t[0])),
    "t[np.int64(0)][Tensor(1)]": lambda t: t[np.int64(0)][Tensor(1)],
    "t.T[0][1]": lambda t: t.T[0][1],
    "t.reshape(-1)[3]": lambda t: t.reshape(-1)[3],
    "t.select(0, 1).select(0, 1)": lambda t: t.select(0, 1).select(0, 1),
    "t.narrow(0, 1, 1)[0, 0]": lambda t: t.narrow(0, 1, 1)[0, 0],
    "t[:1, :1].squeeze()": lambda t: t[:1, :1].squeeze(),
    "t.diagonal()[1]": lambda t: t.diagonal()[1],
    "t[0].unbind()[1]": lambda t: t[0].unbind()[1],
    "t.view(6)[2].unsqueeze(0)[0]": lambda t: t.view(6)[2].unsqueeze(0)[0],
    "t.flatten()[4].detach()": lambda t: t.flatten()[4].detach(),
}


@pytest.mark.parametrize("title", VIEWS)
def test_a_change_of_a_view_changes_the_whole(title: str) -> None:
    t = Tensor(np.zeros((2, 3)))
    view = VIEWS[title](t)
    view.add_(1.0)
    assert t.data.sum() == view.data.size > 0
    t.add_(1.0)
    assert (view.data == 2.0).all()


@pytest.mark.parametrize("title", VIEWS)
def test_a_view_of_a_leaf_changes_it_under_no_grad_and_is_refused_else(title: str) -> None:
    w = Tensor(np.zeros((2, 3)), requires_grad=True)
    detached = "detach" in title
    if not detached:
        with pytest.raises(RuntimeError, match=r"add_: this Tensor is a view of a leaf .* `with no_grad\(\):`"):
            VIEWS[title](w).add_(1.0)
        assert (w * 1.0).data.sum() == 0.0  # and w is none the worse for it
    with no_grad():
        VIEWS[title](w).add_(1.0)
    assert w.data.sum() > 0.0


@pytest.mark.parametrize("title", VIEWS)
def test_a_recorded_change_of_a_view_is_refused(title: str) -> None:
    x = Tensor(np.ones((2, 3)), requires_grad=True)
    h = x * 2.0
    if "detach" in title:
        VIEWS[title](h).add_(x[0, 0])  # a constant, that moves on and leaves h behind
        with pytest.raises(RuntimeError, match=r"sum: a Tensor of shape .* is out of date: add_ has changed"):
            h.sum()
        return
    with pytest.raises(RuntimeError, match=r"add_: this Tensor is a view of another, of shape .* t\[0\] \+= …"):
        VIEWS[title](h).add_(1.0)
    h.sum().backward()
    np.testing.assert_array_equal(x.grad, np.full((2, 3), 2.0))


def test_an_augmented_assignment_to_a_part_is_right() -> None:
    def filled(x: Tensor) -> Tensor:
        h = x * 2.0
        h[0] += x[1]
        h[1, 0] *= x[0, 1] * h[1, 0]
        h[:, 1:] -= x[:, :1]
        h[Tensor(0)] /= 3.0
        h[np.int64(1), ...] **= 2
        h[[0, 1], [0, 1]] += h[0, 0]
        buffer = Tensor(np.ones((2, 3)))
        buffer[1] += x[0]
        buffer[0, 0] *= x[1, 1]
        return h * buffer

    assert gradcheck(filled, Tensor(np.arange(1.0, 7.0).reshape(2, 3)))


def test_a_part_that_moved_on_is_written_back_to_its_own_place_only() -> None:
    x = leaf(1.0, 2.0, 3.0)
    h = x * 2.0
    row = h[:1]
    row += x[:1]
    with pytest.raises(RuntimeError, match=r"out of date: \+= has changed"):
        h[1:2] = row
    with pytest.raises(RuntimeError, match=r"out of date: \+= has changed"):
        h[:1] = x[:1]
    h[:1] = row
    np.testing.assert_array_equal(h.data, [3.0, 4.0, 6.0])
    with pytest.raises(RuntimeError, match="out of date: setitem has changed"):
        row.sum()  # of h's memory it is no part any more
    h.sum().backward()
    np.testing.assert_array_equal(x.grad, [3.0, 2.0, 2.0])


def test_what_shared_the_memory_of_a_recorded_change_is_out_of_date() -> None:
    x = leaf(1.0, 2.0)
    h = x * 2.0
    part, other = h[:1], h.detach()
    h[0] = 1.0
    assert "out of date" in repr(part)
    for use in (
        lambda: part * 2.0,
        lambda: minitorch.cat([part, x]),
        lambda: other.sum(),
        lambda: part.item(),
        lambda: other.numpy(),
        lambda: part.tolist(),
        lambda: other.data,
        lambda: other.add_(1.0),
        lambda: other.fill_(1.0),
        lambda: part.detach() + 1,
        lambda: minitorch.nn.functional.relu(other),
    ):
        with pytest.raises(RuntimeError, match=r"a Tensor of shape .* is out of date: setitem has changed, recorded"):
            use()
    part, other = h[:1], h.detach()  # anew
    np.testing.assert_array_equal((part * other).data, [1.0, 4.0])
    h.sum().backward()
    np.testing.assert_array_equal(x.grad, [0.0, 2.0])
    assert "out of date" not in repr(h)


def test_nothing_is_out_of_date_once_nobody_shows_it() -> None:
    x = leaf(1.0, 2.0)
    h = x * 2.0
    part = h[:1]
    h[0] = 1.0
    assert version.STALE
    del part
    assert not version.STALE
    h.mul_(2.0)
    h = h.exp()
    h.mul_(3.0)  # exp saved the old numbers, and they are what they were
    h.sum().backward(create_graph=True)
    np.testing.assert_allclose(x.grad.data, [0.0, 12.0 * np.exp(8.0)])
    x.grad = None
    del h
    gc.collect()  # create_graph leaves a cycle behind
    assert not version.STALE


def test_what_a_function_saved_is_as_it_was_for_its_backward() -> None:
    class Times(minitorch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
            twice = y * 2.0
            ctx.save_for_backward(y, twice)
            ctx.mark_non_differentiable(twice)
            return x * y, twice

        @staticmethod
        def backward(ctx: Any, g: Tensor, _: Any) -> tuple[Tensor, None]:
            y, twice = ctx.saved_tensors
            return g * (twice - y), None

    x, c = leaf(1.0, 2.0), constant(3.0, 4.0)
    product, twice = Times.apply(x, c)
    c.add_(x)  # recorded: both move on, and backward finds the numbers of before
    twice.mul_(x)
    product.sum().backward()
    np.testing.assert_array_equal(x.grad, [3.0, 4.0])


def test_a_recorded_fill_with_random_numbers_cuts_the_gradient() -> None:
    x = leaf(1.0, 2.0)
    h = x * 2.0
    h.normal_()
    (h * h).sum().backward()
    np.testing.assert_array_equal(x.grad, [0.0, 0.0])


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


# -- another shape, in place -------------------------------------------------------------------------------------------


def test_a_constant_shows_its_memory_in_another_shape() -> None:
    t = constant(1.0, 2.0, 4.0)
    memory, view = t.data, t[:2]
    assert t.unsqueeze_(0) is t
    assert t.shape == (1, 3)
    assert t.unsqueeze_(-1).squeeze_(0).t_().shape == (1, 3)
    assert np.shares_memory(t.data, memory)
    t.mul_(2.0)
    assert view.tolist() == [2.0, 4.0]


def test_a_view_is_up_to_date_until_a_number_changes() -> None:
    y = leaf(1.0, 2.0, 4.0) * 2.0
    view = y[:2]
    y.unsqueeze_(0)
    assert (view * 1.0).tolist() == [2.0, 4.0]
    y.add_(1.0)
    with pytest.raises(RuntimeError, match="out of date"):
        view * 1.0


def test_a_turned_result_is_saved_and_changed_as_any_other() -> None:
    x = leaf(1.0, 2.0, 4.0)
    y = x * 2.0
    squares = y * y
    y.unsqueeze_(1)
    (squares.sum() + y.exp_().sum()).backward()
    np.testing.assert_allclose(x.grad, 8 * x.data + 2 * np.exp(2 * x.data))
    assert gradcheck(lambda x: (x * 1.5).unsqueeze_(0).transpose_(0, 1).mul_(x[0]).squeeze_(), leaf(1.0, 2.0, 4.0))


def test_a_leaf_and_a_place_in_the_graph_keep_their_shape() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match=r"^unsqueeze_: a leaf that requires grad keeps its shape: write t = t.uns"):
        x.unsqueeze_(0)
    y = x * 2.0
    with pytest.raises(RuntimeError, match=r"^t_: a Tensor of the graph, under no_grad, keeps its shape"), no_grad():
        y.t_()
    assert (x.shape, y.shape) == ((2,), (2,))


def test_detach_makes_a_constant_of_the_tensor_itself() -> None:
    x = leaf(1.0, 2.0)
    hidden = x * 2.0
    kept = hidden * 3.0
    assert hidden.detach_() is hidden
    assert not hidden.requires_grad
    (hidden * x).sum().backward()
    np.testing.assert_array_equal(x.grad, [2.0, 4.0])
    kept.sum().backward()
    np.testing.assert_array_equal(x.grad, [8.0, 10.0])
