"""Numbers that a recorded operation still needs: every write to them is noticed by backward, whoever did it."""

import gc
import operator
import re
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, no_grad, viz
from minitorch.autograd import version


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def constant(*values: float) -> Tensor:
    return Tensor(np.array(values))


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
    known = len(version._counters)
    for _ in range(100):
        c = constant(1.0, 2.0)
        c.add_(1.0)
        c[:1].zero_()
    assert len(version._counters) == known + 1
    del c
    assert len(version._counters) == known


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
            pytest.raises(minitorch.autograd.AnomalyError, match=r"test_versions.py:.*c.add_\(1.0\)  # guilty"),
            minitorch.autograd.detect_anomaly(),
        ):
            c.add_(1.0)  # guilty
        shown.add_(1.0)  # another view, which is not locked
        with pytest.raises(RuntimeError, match=r"which add_ at test_versions.py:\d+: shown.add_\(1.0\)"):
            y.sum().backward()
