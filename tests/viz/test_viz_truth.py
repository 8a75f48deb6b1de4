"""Freed, "no gradient yet", 0, empty and constant are told apart, and constants have a name or a shape and a value."""

from dataclasses import replace

import closure_engine as engine
import numpy as np
import pytest

from minitorch import Tensor, viz
from minitorch.scalar import Value
from minitorch.viz.facts import words
from minitorch.viz.facts.capture import snapshot
from minitorch.viz.facts.reading import read


def ops(graph):
    return {node.op: node for node in graph.nodes if node.kind == "op"}


def two_layers():
    x = Tensor(np.array([1.0, 2.0]), requires_grad=True)
    return (x * 3).exp().sum()


@pytest.mark.parametrize("retain", [False, True])
def test_an_inner_gradient_that_was_dropped_is_freed_whether_or_not_the_graph_is_kept(retain):
    loss = two_layers()
    assert not any(node.freed for node in snapshot(loss).nodes)
    loss.backward(retain_graph=retain)
    found = ops(snapshot(loss))
    assert [found[op].freed for op in ("mul", "exp", "sum")] == [True, True, False]
    assert "gradient freed" in viz.graph(loss).text()
    assert "no gradient yet" not in viz.graph(loss).text()
    assert "no gradient yet" not in viz.shapes(loss).text()


def test_what_is_built_on_a_graph_that_a_pass_went_through_has_no_gradient_yet():
    x = Tensor(np.array([1.0, 2.0]), requires_grad=True)
    inner = (x * 3).sum()
    inner.backward(retain_graph=True)
    found = ops(snapshot(inner.exp()))
    assert found["mul"].freed
    assert not found["exp"].freed
    assert words.gradient(found["exp"], found["exp"].grad) == "no gradient yet"


def test_a_leaf_with_a_gradient_of_another_graph_does_not_make_this_one_a_graph_that_was_passed():
    x = Tensor(np.array([1.0, 2.0]), requires_grad=True)
    (x * 2).sum().backward()
    assert not any(node.freed for node in snapshot((x * 3).exp().sum()).nodes)


def test_adding_nothing_is_plus_0():
    assert snapshot(Value(6.0) + 0).nodes[1].folded == "+ 0"
    assert snapshot(Value(6.0) - 0).nodes[1].folded == "- 0"
    assert snapshot(Value(1e9) + 1e-9).nodes[1].folded == "+ const", "it may have been lost in rounding"
    assert snapshot(Value(0.1) + 1e-8).nodes[1].folded == "+ 1e-8"


def test_an_array_without_entries_is_empty_and_not_0():
    x = Tensor(np.ones((0, 3)), requires_grad=True)
    loss = (x * 2).sum()
    loss.backward()
    picture = viz.graph(loss, names={"x": x})
    assert "grad empty" in picture.svg()
    assert 'class="z"' not in picture.svg()
    assert "gradient 0" not in viz.shapes(loss, names={"x": x}).text()


def test_a_constant_is_called_by_its_name_its_number_or_its_shape_and_never_by_a_norm():
    x, big = Tensor(np.ones((4, 5)), requires_grad=True), Tensor(np.full((4, 5), 2.0))
    names = words.names(snapshot(((x * big) * 2.5).sum()))
    assert names[1:5:2] == ("constant (4, 5)", "2.5")
    assert "norm" not in " ".join(names)
    drawn = viz.graph((x * big).sum()).svg()
    assert ">(4, 5)<" in drawn
    assert ">norm 8.94<" in drawn


def test_a_constant_of_which_nothing_is_known_says_why():
    """An operation keeps what its rule needs until a backward pass frees it; of another operand it keeps nothing."""
    x, c = Tensor(np.ones((2, 3)), requires_grad=True), Tensor(np.full((2, 3), 2.0))
    loss = (x * c + c).sum()

    def said():
        graph = snapshot(loss)
        return [words.gradient(node, node.grad) for node in graph.nodes if node.kind == "constant"]

    assert said() == ["constant", "constant, numbers not kept"]
    loss.backward()
    assert said() == ["constant, numbers freed", "constant, numbers not kept"]
    drawn = viz.graph(loss).svg()
    assert ">constant, numbers freed<" in drawn
    assert ">constant, numbers not kept<" in drawn
    named = [replace(node, label="c") for node in snapshot(loss).nodes if node.kind == "constant"]
    assert [words.gradient(node, node.grad) for node in named] == said(), "a name does not take the place of numbers"


def test_a_tensor_that_nobody_holds_shows_its_numbers_while_an_operation_keeps_them():
    x = Tensor(np.array([1.0, 2.0]), requires_grad=True)
    loss = (x.exp() * x).sum()
    assert ops(snapshot(loss))["exp"].value.values == (np.exp(1.0), np.exp(2.0))
    loss.backward()
    assert ops(snapshot(loss))["exp"].value is None


def test_large_numbers_are_no_infinities():
    assert read(np.array([1e200, 1e200])).is_finite
    assert not read(np.array([np.inf])).is_finite
    assert not read(np.array([np.nan] * 100)).is_finite


def test_operands_of_three_input_operations_carry_their_contributions():
    from minitorch.nn import functional

    x, w, b = (Tensor(np.ones(shape), requires_grad=True) for shape in ((8, 4), (3, 4), (3,)))
    stepper = viz.step(functional.linear(x, w, b).sum())
    said = [label.backward for label in stepper._scene.labels]
    assert said[:3] == ["= norm 17", "= norm 27.7", "= [8, 8, 8]"]
    ends = sorted(route.points[-1][0] for route in stepper._scene.layout.routes[:3])
    assert ends[2] - ends[1] > stepper._scene.labels[1].width, "labels beside one another cover no arrow"


def test_a_tensor_of_pytorch_is_told_the_way_over_the_bridge():
    torch = pytest.importorskip("torch")
    with pytest.raises(TypeError, match=r"not a tensor of PyTorch's, .*minitorch\.bridge import record"):
        viz.graph(torch.ones(2, requires_grad=True).sum())


KEPT = {
    "en": ("no gradient yet anywhere", "are kept from an earlier pass", "those that the graph holds are left out"),
    "es": ("aún no hay ningún gradiente", "son de una pasada anterior", "los que guarda el grafo no se muestran"),
}


@pytest.mark.parametrize("lang", KEPT)
@pytest.mark.parametrize("kind", [Tensor, engine.Tensor, Value])
def test_gradients_that_are_kept_from_an_earlier_pass_are_told_apart(kind, lang, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", lang)
    none, kept, left_out = KEPT[lang]
    w = kind(3.0) if kind is Value else kind(3.0, requires_grad=True)
    root = kind(9.0, True, (w,), "square") if kind is engine.Tensor else w * w

    def said():  # the closures of a learner's Tensor do not say what they contribute, one by one
        return viz.shapes(root).text(), "" if kind is engine.Tensor else viz.step(root).moments()[0].sentence

    of_table, of_pass = said()
    assert none in of_table
    assert none in of_pass or kind is engine.Tensor
    w.grad = np.asarray(6.0, np.float32 if kind is Tensor else np.float64)
    of_table, of_pass = said()
    assert none not in of_table + of_pass
    assert kept in of_table
    assert left_out in of_pass or kind is engine.Tensor
