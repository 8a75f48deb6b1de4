"""The contract check accepts a right backward pass and catches the wrong ones, without a reference of its own."""

from __future__ import annotations

import numpy as np
import pytest

from minitorch.course.judging import contract
from minitorch.course.judging.compare import Wrong
from minitorch.course.sandbox.wire import decode, encode
from minitorch.scalar import Value


class Values:
    """A learner's module whose `Value` is the engine's own."""

    Value = Value


class Backward:
    """A learner's module with a function `backward`, right or with one thing wrong."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def backward(self, root) -> None:
        order = self.order(root)
        if self.fault != "inner nodes kept":
            for node in order:
                if node._prev:
                    node.grad = None
        root.grad = 2.0 if self.fault == "seed of two" else 1.0
        for node in reversed(order):
            for parent, local in zip(node._prev, node._local_grads, strict=True):
                upstream = 1.0 if self.fault == "upstream ignored" else node.grad
                if parent.grad is None or self.fault == "last path wins":
                    parent.grad = local * upstream
                else:
                    parent.grad += local * upstream
        if self.fault == "one float too small":
            for node in order:
                node.grad = float(np.float32(node.grad))

    def order(self, root):
        order, seen, stack = [], set(), [(root, False)]
        if self.fault == "breadth first":
            layer = [root]
            while layer:
                order += [node for node in layer if node not in order]
                layer = [parent for node in layer for parent in node._prev]
            return order[::-1]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack.extend((parent, False) for parent in node._prev)
        return order


def findings(observe, learner, seed=0):
    for x in contract.cases(np.random.default_rng(seed)):
        case = decode(*encode(x))
        yield contract.judge(x, decode(*encode(observe(learner, case))))


@pytest.mark.parametrize("seed", range(10))
def test_a_right_backward_keeps_the_contract(seed):
    assert list(findings(contract.observe_backward, Backward(), seed)) == [None] * 10


@pytest.mark.parametrize("seed", range(3))
def test_the_engines_own_values_keep_the_contract(seed):
    assert list(findings(contract.observe_values, Values, seed)) == [None] * 10


@pytest.mark.parametrize(
    "fault",
    ["inner nodes kept", "seed of two", "upstream ignored", "last path wins", "breadth first", "one float too small"],
)
def test_a_wrong_backward_breaks_the_contract(fault):
    found = []
    for x in contract.cases(np.random.default_rng(0)):
        if fault == "breadth first" and "deep" in x:
            continue  # 5,000 layers, each looked up in a list: right there, and slow
        found.append(contract.judge(x, contract.observe_backward(Backward(fault), x)))
    assert any(isinstance(wrong, Wrong) for wrong in found)


def test_a_gradient_that_never_arrived_or_should_not_have_is_named():
    x = {"a": 2.0, "b": 3.0, "code": "root = a + 2", "calls": 1}
    got = contract.observe_backward(Backward(), x)
    assert got["grads"]["b"] is None
    wrong = contract.judge(x, got | {"grads": got["grads"] | {"b": 0.0}})
    assert wrong.reason.to("en") == "the leaf b takes no part in root, so no gradient may arrive there"
    wrong = contract.judge(x, got | {"grads": got["grads"] | {"a": None}})
    assert wrong.reason.to("en") == "no gradient arrived at a"


def test_a_gradient_must_agree_with_the_forwards_that_were_observed():
    """A learner whose forward and backward are wrong in the same way is caught by the value."""
    x = {"a": 2.0, "b": 3.0, "code": "root = a * b", "calls": 1}
    got = contract.observe_backward(Backward(), x)
    assert contract.judge(x, got | {"data": 6.5}).reason.to("en") == "the number in root.data is wrong"
    bent = {"a": [6.1, 5.9], "b": got["ahead"]["b"]}
    assert contract.judge(x, got | {"ahead": bent}).reason.to("en") == "the number in a.grad is wrong"


def test_slopes_are_those_of_the_program():
    x = {"a": 3.0, "b": 2.0, "code": "p = a * b; q = p * p; root = q + a"}
    assert contract.run(x) == (39.0, 0.0)
    assert contract.run(x, "a") == (39.0, 2 * 6 * 2 + 1)
    assert contract.run(x, "p") == (39.0, 12.0)
    assert contract.run(x, "root") == (39.0, 1.0)
