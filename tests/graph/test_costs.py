"""`costs`: bytes that are kept for the backward pass and seconds, by operation and by module."""

import numpy as np
import pytest

from minitorch import Tensor, nn
from minitorch.graph import AutogradGraph, autograd_graph, costs


def kept(found):
    return {each.name: each.kept for each in found}


def test_what_a_rule_needs_is_counted_once_and_what_leaves_hold_is_not():
    x = Tensor(np.ones((10, 10), np.float32), requires_grad=True)
    with AutogradGraph() as graph:
        y = x.exp()
        loss = (y * y * x).sum()
    assert [(each.node.op, each.kept) for each in costs(graph, loss)] == [
        ("exp", 400),  # its result; the first product needs the same array
        ("mul", 0),
        ("mul", 400),  # y * y; x is a leaf's
        ("sum", 0),
    ]


def test_a_module_has_all_that_is_inside_of_it():
    model = nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Tanh(), nn.Linear(4, 4), nn.Tanh()))
    with autograd_graph(model) as graph:
        loss = model(Tensor(np.ones((5, 3), np.float32))).sum()
    found = costs(graph, loss)
    modules = {each.name: each for each in found.by_module()}
    assert {name: each.operations for name, each in modules.items()} == {
        "": 5,
        "0": 1,
        "1": 3,
        "1.0": 1,
        "1.1": 1,
        "1.2": 1,
    }
    assert modules["1"].kept == sum(modules[name].kept for name in ("1.0", "1.1", "1.2"))
    assert modules[""].kept == sum(each.kept for each in found)
    assert modules[""].backward == pytest.approx(sum(each.backward for each in found))


def test_it_sets_no_gradient_and_frees_nothing():
    x = Tensor([1.0, 2.0], requires_grad=True)
    with AutogradGraph() as graph:
        loss = (x * x).sum()
    first = costs(graph, loss)
    assert kept(first) == kept(costs(graph, loss))
    assert x.grad is None
    loss.backward()
    assert x.grad.tolist() == [2.0, 4.0]
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        costs(graph, loss)


def test_the_table_says_what_nobody_timed():
    x = Tensor([1.0, 2.0], requires_grad=True)
    with AutogradGraph() as graph:
        loss = x.exp().sum()
    head, exp, total = repr(costs(graph, loss)).splitlines()
    assert head.split() == ["operations", "bytes", "kept", "forward", "backward"]
    assert exp.split()[:5] == ["exp", "1", "8", "not", "timed"]
    assert total.split()[0] == "sum"


def test_a_pass_of_recorded_pulls_is_timed_too():
    graph, x = AutogradGraph(), np.ones(1)
    y = x * 2
    graph.record("double", [(0, x)], y, backend="numpy", pull=lambda g: [(0, g * 2)])
    (cost,) = costs(graph, y)
    assert (cost.name, cost.kept) == ("double", 0)
    assert cost.backward >= 0
