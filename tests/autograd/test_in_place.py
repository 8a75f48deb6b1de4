"""In-place changes: they happen in memory or move the Tensor on in the graph, and never make a gradient wrong."""

import gc
import operator
import re
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, gradcheck, no_grad, viz
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


# -- what a recorded operation still needs -----------------------------------------------------------------------------


def has_changed(op: str, shape: str, by: str) -> str:
    """What backward says of numbers that are no longer what they were."""
    return (
        rf"{op} saved numbers of shape {re.escape(shape)} for its gradient, which {re.escape(by)} has changed in place "
        rf"since: call backward\(\) before the change, compute the result again after it, or change a clone\(\)"
    )


def test_backward_refuses_numbers_that_were_changed_after_they_were_saved() -> None:
    x, c = leaf(1.0, 2.0), constant(3.0, 4.0)
    y = x * c
    c.add_(1.0)
    with pytest.raises(RuntimeError, match=has_changed("mul", "(2,)", "add_")):
        y.sum().backward()
    assert x.grad is None
    (x * c).sum().backward()
    np.testing.assert_array_equal(x.grad, [4.0, 5.0])


def out_of_numpy(t: Tensor) -> None:
    np.multiply(t.detach(), 2.0, out=t.data)


WRITES: dict[str, tuple[Any, str]] = {
    "a method": (lambda t: t.mul_(2.0), "mul_"),
    "another": (lambda t: t.clamp_(min=1.5), "clamp_"),
    "an operator": (lambda t: operator.iadd(t, 1), "+="),
    "an operator with a Tensor": (lambda t: operator.imul(t, t.detach()), "*="),
    "an item": (lambda t: operator.setitem(t, 0, 5.0), "setitem"),
    "a part": (lambda t: t[1:].zero_(), "setitem"),
    "one number": (lambda t: t[0].add_(1.0), "add_"),
    "the data": (lambda t: setattr(t, "data", operator.iadd(t.data, 1)), ".data"),
    "detach": (lambda t: t.detach().add_(1.0), "add_"),
    "the array": (out_of_numpy, "np.multiply"),
    "random numbers": (lambda t: t.normal_(), "normal_"),
    "nn.init": (lambda t: minitorch.nn.init.ones_(t), "ones_"),
    "a view that was there": (lambda t: t.shown.fill_(2.0), "setitem"),
}


class WithView(Tensor):
    """A Tensor with a view of it."""

    __slots__ = ("shown",)


@pytest.mark.parametrize("frozen", [False, True], ids=["", "gc.freeze"])
@pytest.mark.parametrize("title", WRITES)
def test_whatever_writes_is_noticed(title: str, frozen: bool) -> None:
    change, by = WRITES[title]
    t = WithView(np.array([1.0, 2.0]), requires_grad=True)
    t.shown = t.detach()[1:]
    loss = (t * t).sum()
    if frozen:
        gc.freeze()
    try:
        with no_grad():
            change(t)
    finally:
        gc.unfreeze()
    with pytest.raises(RuntimeError, match=has_changed("mul", "(2,)", by)):
        loss.backward()
    assert t.grad is None


def test_a_change_before_the_operation_or_after_backward_is_none_of_its_business() -> None:
    w = leaf(1.0, 2.0)
    with no_grad():
        w.mul_(2.0)
    loss = (w * w).sum()
    loss.backward()
    with no_grad():
        w.mul_(2.0)
    np.testing.assert_array_equal(w.data, [4.0, 8.0])
    np.testing.assert_array_equal(w.grad, [4.0, 8.0])


def test_all_views_of_the_numbers_share_their_version() -> None:
    x, c = leaf(1.0, 2.0), constant(3.0, 4.0, 5.0, 6.0)
    for change in (
        lambda: c.zero_(),
        lambda: c.reshape(2, 2)[0].zero_(),
        lambda: c.reshape(2, 2).T[1][0].fill_(1.0),
        lambda: c[::-1].zero_(),
    ):
        y = x * c[:2]
        change()
        with pytest.raises(RuntimeError, match=r"mul saved numbers of shape .* changed in place since"):
            y.sum().backward()


def test_the_guard_needs_no_collector() -> None:
    gc.collect()  # which stops tracking tuples of arrays
    gc.disable()
    try:
        x, c = leaf(1.0, 2.0), constant(3.0, 4.0)
        y = x * c
        c.zero_()
        with pytest.raises(RuntimeError, match="changed in place since"):
            y.sum().backward()
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


def test_an_optimiser_step_between_two_passes_over_one_graph_is_refused() -> None:
    w = leaf(3.0)
    optimizer = minitorch.optim.SGD([w], lr=1.0)
    loss = (w * w).sum()
    loss.backward(retain_graph=True)
    optimizer.step()
    optimizer.zero_grad()
    with pytest.raises(RuntimeError, match=has_changed("mul", "(1,)", "SGD.step")):
        loss.backward()
    assert w.grad is None
    (w * w).sum().backward()
    np.testing.assert_array_equal(w.grad, [-6.0])


def test_a_step_leaves_alone_what_it_does_not_move() -> None:
    w, still = leaf(3.0), leaf(5.0)
    optimizer = minitorch.optim.Adam([w, still])
    loss, other = (w * w).sum(), (still * still).sum()
    loss.backward()
    optimizer.step()
    other.backward()
    np.testing.assert_array_equal(still.grad, [10.0])


OPTIMIZERS = [
    lambda params: minitorch.optim.SGD(params, lr=0.1, momentum=0.9),
    minitorch.optim.Adam,
    minitorch.optim.AdamW,
    minitorch.optim.RMSprop,
    minitorch.optim.Adagrad,
]


@pytest.mark.parametrize("make", OPTIMIZERS)
def test_every_optimiser_is_noticed(make: Any) -> None:
    w = leaf(3.0)
    optimizer = make([w])
    loss = (w * w).sum()
    loss.backward(retain_graph=True)
    optimizer.step()
    with pytest.raises(RuntimeError, match=rf"which {type(optimizer).__name__}\.step has changed in place"):
        loss.backward()


def test_other_writers_are_noticed_too() -> None:
    layer, norm = minitorch.nn.Linear(2, 1), minitorch.nn.BatchNorm1d(2)
    x = leaf(1.0, 2.0)
    loss = (layer(x.float()) ** 2).sum()
    layer.load_state_dict(minitorch.nn.Linear(2, 1).state_dict())
    with pytest.raises(RuntimeError, match=r"which load_state_dict \(weight\) has changed"):
        loss.backward()
    norm.eval()
    by_running = norm(Tensor(np.ones((2, 2), np.float32), requires_grad=True))
    norm.train()
    norm(Tensor(np.ones((2, 2), np.float32)))
    by_running.sum().backward()  # which has computed with numbers of its own
    norm.running_mean.requires_grad_()
    loss = (norm.running_mean * norm.running_mean).sum()
    norm(Tensor(np.ones((2, 2), np.float32)))
    with pytest.raises(RuntimeError, match="which batch_norm has changed"):
        loss.backward()


def test_gradients_that_are_clipped_in_place_are_noticed() -> None:
    for clip, by in (
        (lambda w: minitorch.nn.utils.clip_grad_norm_([w], 0.1), "clip_grad_norm_"),
        (lambda w: minitorch.nn.utils.clip_grad_value_([w], 0.1), "clip_grad_value_"),
    ):
        w = leaf(2.0)
        (w**3).sum().backward(create_graph=True)
        second = (w.grad * w.grad).sum()
        clip(w)
        with pytest.raises(RuntimeError, match=rf"which {by} has changed in place"):
            second.backward()


@pytest.mark.parametrize(
    "differentiate",
    [
        lambda loss, x: loss.backward(),
        lambda loss, x: loss.backward(inputs=[x]),
        lambda loss, x: loss.backward(create_graph=True),
        lambda loss, x: minitorch.autograd.backward([loss]),
        lambda loss, x: minitorch.grad(loss, x),
        lambda loss, x: minitorch.grad(loss, x, create_graph=True),
        lambda loss, x: viz.step(loss).text(),
        lambda loss, x: loss._prev[0]._backward(),
    ],
)
def test_every_way_to_differentiate_looks(differentiate: Any) -> None:
    x = leaf(1.0, 2.0)
    square = x * x
    loss = square.sum()
    with no_grad():
        x.add_(1.0)
    with pytest.raises(RuntimeError, match=r"mul saved numbers of shape .* changed in place since"):
        differentiate(loss, x)


def test_only_what_is_asked_for_is_looked_at() -> None:
    x, y = leaf(1.0), leaf(2.0)
    loss = (x * x + y * y).sum()
    with no_grad():
        x.add_(1.0)
    (found,) = minitorch.grad(loss, y)
    assert found is not None
    np.testing.assert_array_equal(found.data, [4.0])


def test_what_a_hook_changes_on_the_way_is_noticed() -> None:
    x = leaf(2.0)
    y = x * x
    z = y * 3.0

    def hook(_: Any) -> None:
        with no_grad():
            x.add_(1.0)

    z.register_hook(hook)
    with pytest.raises(RuntimeError, match=has_changed("mul", "(1,)", "add_")):
        z.sum().backward()


def test_numbers_inside_saved_tuples_functions_and_checkpoints_are_looked_at() -> None:
    class Times(minitorch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor, y: Tensor) -> Tensor:
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> tuple[Tensor, Tensor]:
            x, y = ctx.saved_tensors
            return g * y, g * x

    x, c, index = leaf(1.0, 2.0), constant(3.0, 4.0), Tensor([1, 0])
    weight = leaf(2.0, 2.0)
    made = {
        "Times": Times.apply(x, c),
        "getitem": x[index],
        "checkpoint": minitorch.autograd.checkpoint(lambda a, b: a * b, x, c),
    }
    closed = minitorch.autograd.checkpoint(lambda a: a * weight, x)
    c.add_(1.0)
    index.fill_(0)
    with no_grad():
        weight.add_(1.0)
    for op, result in [*made.items(), ("checkpoint", closed)]:
        with pytest.raises(RuntimeError, match=f"{op} saved numbers of shape .* changed in place since"):
            result.sum().backward()


def test_a_write_that_was_refused_changes_no_version() -> None:
    x, c = leaf(1.0, 2.0), constant(3.0, 4.0)
    y = x * c
    for change in (lambda: c.copy_(np.ones(3)), lambda: c.__setitem__(7, 1.0), lambda: c.add_(np.ones((2, 2)))):
        with pytest.raises((ValueError, IndexError)):
            change()
    y.sum().backward()
    np.testing.assert_array_equal(x.grad, [3.0, 4.0])


def test_versions_are_forgotten_with_their_memory() -> None:
    known = len(version._versions)
    for _ in range(100):
        c = constant(1.0, 2.0)
        c.add_(1.0)
        c[:1].zero_()
    assert len(version._versions) == known + 1
    del c
    assert len(version._versions) == known


def test_memory_is_known_through_every_kind_of_view() -> None:
    numbers = np.arange(12.0)
    for view in (
        numbers[1:],
        numbers.reshape(3, 4).T[1:],
        np.broadcast_to(numbers[:3], (2, 3)),
        np.lib.stride_tricks.sliding_window_view(numbers, 3),
        np.lib.stride_tricks.as_strided(numbers, (2,), (8,))[:1],
        numbers.view(np.matrix),
        numbers[0, ...],
    ):
        assert version.owner(view) is numbers


def test_detect_anomaly_names_the_line_that_changed_the_numbers() -> None:
    x, c = leaf(1.0, 2.0), constant(3.0, 4.0)
    shown = c.detach()[:1]
    with minitorch.autograd.detect_anomaly():
        y = x * c
        with (
            pytest.raises(minitorch.autograd.AnomalyError, match=r"test_in_place.py:.*c.add_\(1.0\)  # guilty"),
            minitorch.autograd.detect_anomaly(),
        ):
            c.add_(1.0)  # guilty
        shown.add_(1.0)  # another view, which is not locked
        with pytest.raises(RuntimeError, match=r"which add_ at test_in_place.py:\d+: shown.add_\(1.0\)"):
            y.sum().backward()


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
    assert version.LEFT
    del part
    assert not version.LEFT
    h.mul_(2.0)
    h = h.exp()
    h.mul_(3.0)  # exp saved the old numbers, and they are what they were
    h.sum().backward(create_graph=True)
    np.testing.assert_allclose(x.grad.data, [0.0, 12.0 * np.exp(8.0)])
    x.grad = None
    del h
    gc.collect()  # create_graph leaves a cycle behind
    assert not version.LEFT


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
