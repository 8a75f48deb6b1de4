"""Where a nan or an inf comes from: marked at its birthplace, in every view of a graph; forward and backward apart."""

import numpy as np
import pytest

from minitorch import Tensor, viz
from minitorch.scalar import Value
from minitorch.viz.facts.births import Birth, births
from minitorch.viz.facts.capture import snapshot, trace

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def named(picture):
    """Operation, or name of what the user made → (what, way, sure)."""
    graph = getattr(picture, "graph", picture)
    nodes = graph.nodes
    return {
        nodes[idx].op or nodes[idx].label or nodes[idx].kind: (b.what, b.way, b.sure)
        for idx, b in births(picture).items()
    }


def leaf(*numbers):
    return Tensor(np.array(numbers), requires_grad=True)


def log_of_a_negative():
    x, w = leaf(-1.0, 2.0), leaf(3.0, 4.0)
    return (x.log() * w).sum(), {"x": x, "w": w}


def root_at_zero():
    x, c = leaf(0.0, 4.0), Tensor([1.0, 2.0])
    return (x.sqrt() * c).sum(), {"x": x}


def test_healthy_graphs_have_none():
    x = leaf(1.0, 2.0)
    assert births(trace((x.log() * x).sum())) == {}
    assert births(snapshot(Value(2.0) * 3)) == {}


def test_the_first_operation_that_makes_one_of_finite_operands_is_it_not_what_comes_after():
    root, names = log_of_a_negative()
    assert named(snapshot(root, names)) == {"log": ("nan", "forward", True)}
    assert named(trace(root, names)) == {"log": ("nan", "forward", True)}  # the backward pass is spoiled, it makes none


def test_an_overflow_is_an_inf_and_the_nan_made_of_it_is_no_second_birth():
    x = leaf(1000.0)
    e = x.exp()
    d = e - e
    assert named(snapshot(d.sum(), {"d": d, "e": e})) == {"exp": ("inf", "forward", True)}


def test_one_that_is_born_on_the_way_back_is_marked_at_the_rule_that_made_it():
    root, names = root_at_zero()
    picture = trace(root, names)
    assert named(picture) == {"sqrt": ("inf", "backward", True)}
    ((_, birth),) = births(picture).items()
    assert birth.step == len(picture.events), "nothing is marked before it is there"


def test_a_graph_after_its_pass_says_what_its_gradients_show():
    x = leaf(0.0, 4.0)
    y = x.sqrt()
    loss = y.sum()
    loss.backward(retain_graph=True)
    assert named(snapshot(loss, {"x": x})) == {"sqrt": ("inf", "backward", True)}
    root, names = root_at_zero()
    root.backward()  # what stood between is freed
    assert named(snapshot(root, names)) == {"x": ("inf", "backward", False)}


def test_a_nan_that_was_given_is_the_users():
    x = leaf(float("nan"), 1.0)
    assert named(snapshot((x * 2).sum(), {"x": x})) == {"x": ("nan", "given", True)}


def test_a_mask_of_infinities_is_no_fault_until_a_nan_comes_of_it():
    x = leaf(1.0, 2.0)
    mask = Tensor([0.0, -np.inf])
    masked = x + mask
    weights = masked.softmax(dim=-1)
    assert named(snapshot(weights, {"x": x, "mask": mask, "masked": masked})) == {}
    all_masked = x * 0 + Tensor([-np.inf, -np.inf])
    weights = all_masked.softmax(dim=-1)
    assert named(snapshot(weights, {"x": x, "m": all_masked})) != {}


def test_scalar_values_are_told_apart_in_the_same_way():
    x = Value(0.0, label="x")
    y = x**0.5
    assert named(trace(y * 3)) == {"**": ("inf", "backward", True)}
    y.backward()
    assert named(snapshot(y)) == {"**": ("inf", "backward", True)}


def test_of_two_uses_of_a_number_the_one_is_marked_that_made_it():
    x = Value(0.0, label="x")
    z = x**0.5 + x * 2
    z.backward()
    assert named(snapshot(z)) == {"**": ("inf", "backward", True)}


# -- in the views ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", [viz.graph, viz.step])
def test_graph_and_step_ring_it_and_say_it(view):
    root, names = log_of_a_negative()
    picture = view(root, names=names)
    assert "nan born here" in picture.svg()
    assert picture.svg().count('class="nn"') == 1
    assert "nan is born in log (v1) on the way forward: what went in was finite." in picture._told()
    assert "! nan born here" in picture.text()


def test_a_step_marks_it_from_the_moment_on_that_it_is_there():
    root, names = root_at_zero()
    stepper = viz.step(root, names=names)
    last = len(stepper.steps)
    assert "born here" not in stepper.svg(last - 1) + stepper.text(last - 1)
    assert "inf born here, backward" in stepper.svg(last)
    assert "inf born here, backward" in stepper.text(last)
    node = next(each for each in stepper._player().state["scene"]["nodes"] if each["born"])
    assert (node["born"]["said"], node["born"]["step"]) == ("inf born here, backward", last)


def test_a_gradient_that_is_not_finite_does_not_look_like_a_healthy_one():
    root, names = root_at_zero()
    root.backward()
    drawn = viz.graph(root, names=names).svg()
    assert 'class="a"' in drawn
    assert viz.step(root_at_zero()[0])._player().state["scene"]["events"][-1]["look"] == "odd"


def test_it_is_said_in_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    root, names = log_of_a_negative()
    assert "nan nace aquí" in viz.graph(root, names=names).svg()


def test_a_birth_is_a_plain_fact():
    assert Birth("nan", "given") == Birth("nan", "given", True, 0)
