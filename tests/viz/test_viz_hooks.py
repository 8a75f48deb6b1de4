"""What a picture or a step shows is what `backward()` gives: hooks, freed graphs, graphs that were kept."""

import numpy as np
import pytest

from minitorch import Tensor, is_grad_enabled, viz
from minitorch.autograd.grad import steps
from minitorch.graph import AutogradGraph, GraphExecutor


def program(hooked):
    """x, y = x·x and the sum of y; `hooked` of them has a hook that makes ten times its gradient."""
    x = Tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    loss = y.sum()
    found = {"x": x, "y": y, "loss": loss}
    found[hooked].register_hook(lambda g: g * 10)
    return found


def shown(trace, label):
    """The gradient of a node after the last step, as the picture writes it down."""
    (idx,) = [node.idx for node in trace.graph.nodes if node.label == label]
    return trace.gradients()[idx].values


@pytest.mark.parametrize("hooked", ["x", "y", "loss"])
@pytest.mark.parametrize("recorded", [False, True], ids=["tape", "store"])
def test_a_step_through_shows_what_hooks_make_of_a_gradient(hooked, recorded):
    with AutogradGraph() as graph:
        tensors = program(hooked)
    stepper = viz.step(graph if recorded else tensors["loss"], names=tensors)
    tensors["loss"].backward()
    for label in tensors:
        assert shown(stepper.trace, label) == tuple(tensors[label].grad.ravel().tolist())
    assert tensors["x"].grad.tolist() == [20.0, 40.0]


def test_the_step_of_a_hook_is_told_in_words():
    tensors = program("y")
    stepper = viz.step(tensors["loss"], names=tensors)
    (at,) = [number for number, event in enumerate(stepper.steps, start=1) if event.kind == "hook"]
    assert "3  y     a hook      =  [10, 10]" in stepper.text()
    assert stepper.text(step=at - 1).count("[10, 10]") == 0
    assert "A hook of y makes another gradient of it: grad = [10, 10]." in stepper.svg(step=at)


def test_a_hook_that_only_looks_is_no_step():
    tensors = program("y")
    looking = Tensor([1.0], requires_grad=True)
    seen = []
    looking.register_hook(seen.append)
    assert [event.kind for event in viz.step(looking * 3).steps] == ["seed", "set"]
    assert len(seen) == 1
    assert [event.kind for event in viz.step(tensors["loss"]).steps].count("hook") == 1


@pytest.mark.parametrize("recorded", [False, True], ids=["tape", "store"])
def test_a_freed_graph_is_refused_with_the_sentence_of_backward(recorded):
    with AutogradGraph() as graph:
        x = Tensor([1.0, 2.0], requires_grad=True)
        loss = (x * x).sum()
    loss.backward()
    with pytest.raises(RuntimeError) as told:
        loss.backward()
    with pytest.raises(RuntimeError, match=r"freed by an earlier backward\(\)") as shown:
        viz.step(graph if recorded else loss)
    assert str(shown.value) == str(told.value)


@pytest.mark.parametrize("recorded", [False, True], ids=["tape", "store"])
def test_a_graph_that_was_kept_is_stepped_through_from_no_gradient(recorded):
    with AutogradGraph() as graph:
        x = Tensor([1.0, 2.0], requires_grad=True)
        loss = (x * x).sum()
    loss.backward(retain_graph=True)
    loss.backward(retain_graph=True)
    trace = viz.step(graph if recorded else loss, names={"x": x}).trace
    assert shown(trace, "x") == (2.0, 4.0)
    assert x.grad.tolist() == [4.0, 8.0]


def test_the_statistics_of_a_pass_with_hooks_are_those_of_every_node():
    with AutogradGraph() as graph:
        x = Tensor([3.0], requires_grad=True)
        x.register_hook(lambda g: g * 10)
        loss = (x * 2).exp().sum()  # nobody holds what is in between
    GraphExecutor(graph).backward(loss)
    assert all(node.gradient is not None for node in graph.nodes())
    np.testing.assert_allclose(graph.find(x).gradient.max, x.grad.max(), rtol=1e-6)


def test_between_two_steps_nothing_is_switched():
    x = Tensor([1.0, 2.0], requires_grad=True)
    walk = steps((x * x).sum())
    for _ in range(2):
        next(walk)
        assert is_grad_enabled()
        assert np.geterr()["divide"] == "warn"
    walk.close()
    assert is_grad_enabled()


def test_steps_are_refused_at_once():
    with pytest.raises(RuntimeError, match="backward\\(\\) on a constant"):
        steps(Tensor(1.0))
