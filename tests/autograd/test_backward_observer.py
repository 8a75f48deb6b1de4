"""What watchers hear of a backward pass and of changes in place, and that nothing lives longer for it."""

import weakref
from dataclasses import replace

import numpy as np
import pytest

from minitorch import Tensor, no_grad
from minitorch.autograd import checkpoint, grad
from minitorch.autograd.scope import Scoped


class Listener:
    """Writes down what it hears; of gradients only how many of what it was told of are still there."""

    def __init__(self):
        self.heard = []
        self.gradients = []

    def __call__(self, name, _arguments, _result, _slots=()):
        self.heard.append(name)

    def wrote(self, name, tensor):
        self.heard.append(f"wrote {name} {tensor.shape}")

    def on_start(self, gradients):
        self.heard.append(f"begun {[node.op for node, _ in gradients]}")

    def on_node(self, uid, op, gradients):
        assert uid > 0
        self.heard.append(f"{op} gave {[node.op or 'leaf' for node, each in gradients if each is not None]}")
        self.gradients += [weakref.ref(each) for _, each in gradients if each is not None]

    def on_end(self):
        self.heard.append("ended")


class Listening(Scoped):
    def __init__(self, *watchers):
        super().__init__()
        self.watchers = watchers

    def changed(self, scope):
        return replace(scope, watchers=self.watchers)


@pytest.fixture
def x():
    return Tensor([1.0, 2.0], requires_grad=True)


def test_a_pass_is_told_node_by_node(x):
    listener = Listener()
    with Listening(listener):
        ((x * x) + x).sum().backward()
    assert listener.heard == [
        "mul", "add", "sum", "begun ['sum']",
        "sum gave ['add']", "add gave ['mul', 'leaf']", "mul gave ['leaf', 'leaf']", " gave []", "ended",
    ]  # fmt: skip


def test_gradients_die_as_they_do_without_a_listener(x):
    listener = Listener()
    with Listening(listener):
        (x.exp().exp() * 2).sum().backward()
    assert [each() is not None for each in listener.gradients] == [False, False, False, True]
    assert listener.gradients[-1]() is x.grad


def test_what_is_told_of_a_pass_in_a_ledger(x):
    listener = Listener()
    with Listening(listener):
        x.register_hook(lambda g: g * 2)
        (x * 3).sum().backward()
    heard = ["sum gave ['sum', 'sum', 'mul', 'mul']", "mul gave ['mul', 'mul', 'leaf', 'leaf']"]
    assert listener.heard == ["mul", "sum", "begun ['sum']", *heard, " gave ['leaf', 'leaf']", "ended"]
    assert np.array_equal(x.grad, [6.0, 6.0])


def test_a_checkpoint_is_computed_and_differentiated_inside_the_pass(x):
    listener = Listener()
    with Listening(listener):
        checkpoint(lambda x: (x * x).exp(), x).sum().backward()
    again = listener.heard[listener.heard.index("sum gave ['checkpoint']") :]
    assert again[1:3] == ["mul", "exp"]
    assert [each.split()[0] for each in again[3:]] == ["exp", "mul", "checkpoint", "gave", "ended"]


def test_grad_is_told_too_and_a_pass_that_fails_is_ended(x):
    listener = Listener()
    y = (x * x).sum()
    with Listening(listener):
        grad(y, x)
        with pytest.raises(RuntimeError, match="was freed"):
            y.backward()
    assert listener.heard[0] == "begun ['sum']"
    assert listener.heard[-1] == "ended"


def test_a_pass_is_told_to_those_alone_who_listen(x):
    def deaf(*_):
        pass

    with Listening(deaf):
        (x * x).sum().backward()
    assert np.array_equal(x.grad, [2.0, 4.0])


def test_a_change_in_place_takes_no_other_memory_because_somebody_watches():
    listener = Listener()
    t = Tensor(np.ones(4))
    memory = t.data
    with Listening(listener), no_grad():
        t += 1.0
        t[0] = 5.0
    assert t.data is memory
    assert listener.heard[0] == "wrote += (4,)"
    assert listener.heard[-1] == "wrote setitem (4,)"
