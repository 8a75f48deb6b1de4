"""Threads that share parameters: each walks its own graph, and no gradient is lost where they meet."""

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn
from minitorch.autograd import Function

THREADS, PASSES = 8, 40


@pytest.fixture(autouse=True)
def _hasty() -> Iterator[None]:
    """Threads take turns as often as Python lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(work: Callable[[], None], threads: int = THREADS) -> None:
    """Runs `work` in several threads that start together."""
    start, errors = threading.Barrier(threads), []

    def run() -> None:
        try:
            start.wait()
            work()
        except BaseException as error:  # noqa: BLE001 (a thread's error would only be printed)
            errors.append(error)

    workers = [threading.Thread(target=run) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not errors


def ones(size: int) -> Tensor:
    return Tensor(np.ones(size, np.float32), requires_grad=True)


class Twice(Function):
    """A rule that is asked as a whole."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        return g * 2.0


LOSSES: dict[str, tuple[Callable[[Tensor], Tensor], float]] = {
    "one path": (lambda w: (w * 1.0).sum(), 1.0),
    "several paths": (lambda w: (w * 1.0 + w * w).sum(), 3.0),
    "a view": (lambda w: w.reshape(2, -1).sum(), 1.0),
    "a part, added in place": (lambda w: w[:].sum() + w[0:].sum(), 2.0),
    "a Function": (lambda w: Twice.apply(w).sum(), 2.0),
}


@pytest.mark.parametrize(("title", "passes"), [("one path", 200), *[(title, PASSES) for title in LOSSES]])
def test_shared_parameters_lose_no_gradient(title: str, passes: int) -> None:
    loss, slope = LOSSES[title]
    w = ones(100_000)

    def work() -> None:
        for _ in range(passes):
            loss(w).backward()

    in_threads(work)
    assert np.unique(w.grad).tolist() == [slope * THREADS * passes]


def test_nor_where_there_is_no_gradient_yet() -> None:
    leaves = [ones(100_000) for _ in range(PASSES)]

    def work() -> None:
        for w in leaves:
            w.reshape(2, -1).sum().backward()  # the first contribution is a view, and copied

    in_threads(work)
    assert {float(number) for w in leaves for number in np.unique(w.grad)} == {float(THREADS)}


def test_nor_in_a_ledger() -> None:
    w = ones(100_000)
    calls = []
    w.register_hook(calls.append)

    def work() -> None:
        for _ in range(PASSES):
            (w * 1.0).sum().backward(inputs=[w])

    in_threads(work)
    assert np.unique(w.grad).tolist() == [float(THREADS * PASSES)]
    assert len(calls) == THREADS * PASSES


def test_nor_from_a_leaf_itself_or_by_a_hand_made_rule() -> None:
    w, leaf_alone = ones(50_000), ones(50_000)

    def work() -> None:
        for _ in range(PASSES):
            leaf_alone.backward(np.ones(50_000))
            out = Tensor(np.zeros(50_000), requires_grad=True, _prev=(w,), _op="same")

            def back(out: Tensor = out) -> None:
                w.grad = out.grad if w.grad is None else w.grad + out.grad

            out._backward = back
            out.sum().backward()

    in_threads(work)
    assert np.unique(leaf_alone.grad).tolist() == [float(THREADS * PASSES)]
    assert np.unique(w.grad).tolist() == [float(THREADS * PASSES)]


def test_a_layer_that_threads_share_gets_the_sum_of_their_gradients() -> None:
    minitorch.manual_seed(0)
    layer = nn.Linear(400, 400)
    x = Tensor(np.arange(4 * 400, dtype=np.float32).reshape(4, 400) % 7)
    layer(x).sum().backward()
    once = {name: parameter.grad.copy() for name, parameter in layer.named_parameters()}
    layer.zero_grad()

    def work() -> None:
        for _ in range(PASSES):
            layer(x).sum().backward()

    in_threads(work)
    for name, parameter in layer.named_parameters():
        np.testing.assert_array_equal(parameter.grad, once[name] * (THREADS * PASSES))
