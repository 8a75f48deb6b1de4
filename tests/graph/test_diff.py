"""`diff` of two graphs: what came, what went, and what became of the rest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minitorch import Tensor, nn
from minitorch.graph import AutogradGraph, GraphExecutor, autograd_graph, diff


def recorded(program, *, backward=False, start=(1.0, 2.0)):
    x = Tensor(start, requires_grad=True)
    with AutogradGraph() as graph:
        loss = program(x)
    if backward:
        GraphExecutor(graph).backward(loss, np.ones(loss.shape, np.float32))
    return graph


def told(before, after):
    return [str(change) for change in diff(before, after)]


def test_a_graph_does_not_differ_from_itself_or_from_the_same_program():
    one, two = (recorded(lambda x: (x * 2).exp().sum(), backward=True) for _ in range(2))
    assert not diff(one, one)
    assert not diff(one, two)
    assert repr(diff(one, two)) == "no difference"


def test_the_order_of_operands_differs():
    assert told(recorded(lambda x: x - 2), recorded(lambda x: 2 - x)) == [
        "~ sub: operands in slots 0 → 1; numbers [-1.  0.] → [1. 0.]"
    ]


def test_a_constant_a_shape_and_a_dtype_differ():
    assert told(recorded(lambda x: x * 2), recorded(lambda x: x * 3))[0].startswith("~ mul: constant 2 → 3")
    longer = recorded(lambda x: x * 2, start=(1.0, 2.0, 3.0))
    assert told(recorded(lambda x: x * 2), longer) == ["~ leaf: shape (2,) → (3,)", "~ mul: shape (2,) → (3,)"]
    wide = told(recorded(lambda x: x * 2), recorded(lambda x: x.to(np.float64) * 2))
    assert "~ mul: dtype float32 → float64; operands leaf → to" in wide


def test_operations_that_came_and_went():
    changes = diff(recorded(lambda x: (x * 2).sum()), recorded(lambda x: (x * 2).relu().sum()))
    assert [(change.before is None, str(change)) for change in changes] == [
        (True, "+ relu (2,)"),
        (False, "~ sum: operands mul → relu"),
    ]
    back = diff(recorded(lambda x: (x * 2).relu().sum()), recorded(lambda x: (x * 2).sum()))
    assert str(back[0]) == "- relu (2,)"


def test_two_steps_of_a_training_differ_in_numbers_alone():
    model = nn.Linear(2, 1)
    graphs = []
    for factor in (1.0, 3.0):
        with autograd_graph(model) as graph:
            loss = (model(Tensor([[1.0, 2.0]])) * factor).sum()
        model.zero_grad()
        GraphExecutor(graph).backward(loss)
        graphs.append(graph)
    changes = diff(*graphs)
    assert {change.after.title for change in changes} == {"weight", "bias", "linear", "mul", "sum"}
    assert not any(None in change[:2] for change in changes)
    (weight,) = [change for change in changes if change.after.name == "weight"]
    before, after = weight.before.gradient.norm, weight.after.gradient.norm
    assert after == pytest.approx(3 * before)
    assert weight.what == (f"norm of the gradient {before:.4g} → {after:.4g}",)


def test_a_long_report_ends_with_a_count():
    def chain(x):
        for _ in range(60):
            x = x.exp().log()
        return x

    report = repr(diff(recorded(lambda x: x * 1), recorded(chain)))
    assert len(report.splitlines()) == 41
    assert report.splitlines()[-1] == "and 81 more"


OPS = {"exp": lambda x: (x * 0).exp(), "relu": lambda x: x.relu(), "neg": lambda x: -x, "sin": lambda x: x.sin()}


@given(st.lists(st.sampled_from(sorted(OPS)), max_size=6), st.lists(st.sampled_from(sorted(OPS)), max_size=6))
def test_what_came_less_what_went_is_the_difference_in_size(first, second):
    def program(names):
        def run(x):
            for name in names:
                x = OPS[name](x)
            return x * 1

        return run

    one, two = recorded(program(first)), recorded(program(second))
    changes = diff(one, two)
    came, went = (sum(getattr(each, side) is None for each in changes) for side in ("before", "after"))
    assert len(one) - went == len(two) - came
    assert bool(changes) == (first != second)
