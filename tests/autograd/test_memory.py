"""What is alive when: counted in arrays, in objects, and with the garbage collector switched off."""

import gc
import sys
import tracemalloc
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from array_count import LENGTH, counted_arrays, large_array

import minitorch
import minitorch.nn.functional
from minitorch import Tensor, no_grad
from minitorch.autograd.node import Node


@pytest.fixture
def _no_collector() -> Iterator[None]:
    """Only reference counts free memory."""
    gc.disable()
    yield
    gc.enable()


def ours() -> int:
    return sum(type(each) in (Tensor, Node) for each in gc.get_objects())


@pytest.mark.usefixtures("_no_collector")
def test_training_leaves_no_object_behind() -> None:
    x, labels = Tensor(np.ones((8, 4))), Tensor(np.arange(8) % 3)

    def step(w1: Tensor, b1: Tensor, w2: Tensor) -> None:
        hidden = (x @ w1 + b1).relu()
        hidden.sum().backward(retain_graph=True)
        loss = minitorch.nn.functional.cross_entropy(hidden @ w2, labels) + (w1 * w1).mean()
        loss.backward()
        for weight in (w1, b1, w2):
            weight.data -= 0.1 * weight.grad
            weight.grad = None
        with pytest.raises(ValueError, match="do not fit together"):
            hidden + np.ones(9)
        hidden.tanh()  # a branch that is never differentiated

    weights = [Tensor(np.full(shape, 0.1), requires_grad=True) for shape in ((4, 5), (5,), (5, 3))]
    step(*weights)
    before = ours()
    for _ in range(5):
        step(*weights)
    assert ours() == before


def test_the_collector_finds_no_garbage_of_ours() -> None:
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        x = Tensor(np.ones((3, 3)), requires_grad=True)
        loss = ((x @ x).softmax(dim=-1) * x).sum() + minitorch.cat([x, x]).max(dim=0).values.sum()
        loss.backward()
        del x, loss
        gc.collect()
        assert not [each for each in gc.garbage if type(each) in (Tensor, Node)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()


def test_an_intermediate_that_no_rule_needs_dies_in_the_forward_pass() -> None:
    with counted_arrays() as arrays:
        x = Tensor(large_array(), requires_grad=True)
        h = x
        for _ in range(10):
            h = -(h + x) - 1.0
        assert arrays.live() == 2  # x and h
        assert arrays.peak() <= 4


SAVED_PER_OP: dict[str, tuple[Callable[[Tensor], Tensor], int]] = {
    "add saves nothing": (lambda h: h + 1.0, 0),
    "mul by a number saves the number": (lambda h: h * 1.5, 0),
    "tanh saves its result": (lambda h: h.tanh(), 1),
    "sigmoid saves its result": (lambda h: h.sigmoid(), 1),
    "exp saves its result": (lambda h: (h * 0.1).exp(), 1),
    "sqrt saves its result": (lambda h: h.sqrt(), 1),
    "relu saves its result": (lambda h: h.relu(), 1),
    "log saves its operand": (lambda h: h.log(), 1),
    "a view saves nothing": (lambda h: h.reshape(2, -1).T.T.reshape(-1), 0),
    "mean saves nothing": (lambda h: h + h.mean(), 0),
}


@pytest.mark.parametrize("title", SAVED_PER_OP)
def test_forward_keeps_what_the_rules_name_and_no_more(title: str) -> None:
    op, saved = SAVED_PER_OP[title]
    with counted_arrays() as arrays, np.errstate(all="ignore"):
        x = Tensor(large_array(), requires_grad=True)
        h = op(x)
        after_one = arrays.live()
        for _ in range(10):
            h = op(h)
        assert arrays.live() - after_one == 10 * saved
        del x


def test_an_operand_is_saved_only_if_the_other_wants_a_gradient() -> None:
    with counted_arrays() as arrays:
        x = Tensor(large_array(), requires_grad=True)
        constant = Tensor(large_array())
        products = [x * (constant + float(place)) for place in range(3)]
        assert arrays.live() == 2 + 3 + 3  # each product, and the operand that dx needs
        sums = [(x + 1.0) * constant for _ in range(3)]
        assert arrays.live() == 2 + 3 + 3 + 3  # x + 1 is needed by nobody
        del products, sums


def test_no_grad_keeps_nothing() -> None:
    with counted_arrays() as arrays, no_grad():
        h = Tensor(large_array(), requires_grad=True)
        for _ in range(10):
            h = h.tanh()
        assert arrays.live() == 1


def test_after_backward_only_leaves_the_root_and_what_is_held_are_alive() -> None:
    with counted_arrays() as arrays:
        x = Tensor(large_array(), requires_grad=True)
        h = x
        for _ in range(5):
            h = h.tanh()
        held = h
        for _ in range(5):
            h = h.exp().log()
        loss = (h * h).sum()
        del h
        loss.backward()
        assert arrays.live() == 4  # data and grad of x and of held
        del held, loss
        assert arrays.live() == 2
        assert x.grad is not None


def test_retain_graph_keeps_the_saved_arrays_and_nothing_else() -> None:
    with counted_arrays() as arrays:
        x = Tensor(large_array(), requires_grad=True)
        h = x
        for _ in range(10):
            h = h.tanh()
        loss = h.sum()
        del h
        before = arrays.live()
        loss.backward(retain_graph=True)
        assert arrays.live() == before + 1  # x.grad
        loss.backward()
        assert arrays.live() == 2


@pytest.mark.parametrize("op", [Tensor.tanh, lambda h: h * h, lambda h: (h + 1.0).sqrt()], ids=["tanh", "mul", "sqrt"])
def test_the_peak_of_a_50_op_chain_is_what_forward_saved_and_six_more(op: Callable[[Tensor], Tensor]) -> None:
    with counted_arrays() as arrays:
        x = Tensor(large_array(), requires_grad=True)
        h = x
        for _ in range(50):
            h = op(h)
        loss = h.sum()
        del h
        saved = arrays.live()
        arrays.forget_peak()
        loss.backward()
        assert arrays.peak() <= saved + 6


def test_gradients_in_a_fan_out_are_summed_as_they_come() -> None:
    with counted_arrays() as arrays:
        x = Tensor(large_array(), requires_grad=True)
        total = x * 1.0
        for factor in range(2, 30):
            total = total + x * float(factor)
        loss = total.sum()
        del total
        arrays.forget_peak()
        loss.backward()
        assert arrays.peak() <= 6
        np.testing.assert_allclose(x.grad, np.full(LENGTH, 435.0))


CHAINS: dict[str, tuple[Callable[[Tensor], Tensor], int]] = {
    "binary": (lambda h: h * 0.5 + 0.5, 2),
    "unary": (lambda h: h.tanh(), 1),
    "view": (lambda h: h.reshape(1), 1),
    "reduction": (lambda h: h.sum(dim=0, keepdim=True), 1),
    "cat": (lambda h: minitorch.cat([h]), 1),
}


@pytest.mark.parametrize("title", CHAINS)
def test_nodes_are_three_tracked_objects_at_most(title: str) -> None:
    op, nodes_each = CHAINS[title]

    def chain(length: int) -> Tensor:
        h = Tensor([1.0], requires_grad=True)
        for _ in range(length):
            h = op(h)
        return h

    chain(10)
    gc.collect()
    before = len(gc.get_objects())
    long = chain(1000)
    gc.collect()  # which stops tracking tuples of plain numbers
    assert len(gc.get_objects()) - before <= 3 * 1000 * nodes_each + 20
    assert long.requires_grad


def test_a_node_is_220_bytes_at_most() -> None:
    def chain(length: int) -> Tensor:
        h = Tensor(1.0, requires_grad=True)
        for _ in range(length):
            h = h * 0.5 + 0.5
        return h

    chain(10)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        long = chain(1000)
        assert (tracemalloc.get_traced_memory()[0] - before) / 2000 <= 220
        assert long.requires_grad
    finally:
        tracemalloc.stop()


def test_a_result_keeps_its_operands_nodes_and_not_their_tensors() -> None:
    x = Tensor([1.0], requires_grad=True)
    y = x * 2.0
    holders = sys.getrefcount(y)
    z = y + 1.0
    assert sys.getrefcount(y) == holders
    assert z.requires_grad
