"""Pictures of several results: all of them, each marked and named by its key, its field or its position."""

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import closure_engine as engine
import numpy as np
import pytest

from minitorch import Tensor, nn, viz
from minitorch.autograd.node import Node
from minitorch.graph import AutogradGraph, autograd_graph
from minitorch.scalar import Value
from minitorch.viz.facts.model import from_json

MARKED = re.compile(r'<g class="[olk]( d)? r')


class Pair(NamedTuple):
    recon: Any
    mu: Any


@dataclass
class Output:
    logits: Any
    aux: Any = None
    count: int = 3


def of_tensors():
    x, w = Tensor([1.0, 2.0], requires_grad=True), Tensor([3.0, 4.0], requires_grad=True)
    shared = x * w
    return shared.relu(), shared.exp()


def of_values():
    x, w = Value(2.0), Value(3.0)
    shared = x * w
    return shared.relu(), shared.exp()


def of_closures():
    x = engine.Tensor([1.0, 2.0], requires_grad=True)
    w = engine.Tensor([3.0, 4.0], requires_grad=True)
    shared = engine.Tensor(x.data * w.data, True, (x, w), "*")
    made = [engine.Tensor(change(shared.data), True, (shared,), change.__name__) for change in (np.tanh, np.exp)]
    return tuple(made)


ENGINES = [of_tensors, of_values, of_closures]
CONTAINERS = {
    "tuple": (lambda a, b: (a, b), ["out[0]", "out[1]"]),
    "list": (lambda a, b: [a, b], ["out[0]", "out[1]"]),
    "dict": (lambda a, b: {"logits": a, "aux": b}, ["logits", "aux"]),
    "dict of numbers": (lambda a, b: {3: a, 7: b}, ["out[3]", "out[7]"]),
    "named tuple": (Pair, ["recon", "mu"]),
    "dataclass": (Output, ["logits", "aux"]),
    "nested": (lambda a, b: {"heads": [a], "rest": Output(b)}, ["heads[0]", "rest.logits"]),
    "nested in a tuple": (lambda a, b: (Pair(a, None), {"aux": b}), ["out[0].recon", "out[1]['aux']"]),
    "among other things": (
        lambda a, b: (None, a, 3.0, "text", b, np.ones(2), Tensor(1.0), nn.ReLU()),
        ["out[1]", "out[4]"],
    ),
    "the same twice": (lambda a, b: {"logits": a, "again": a, "aux": b}, ["logits", "aux"]),
}


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize("name", CONTAINERS)
def test_all_are_drawn_marked_and_named_and_what_they_share_is_drawn_once(make, name):
    contain, names = CONTAINERS[name]
    first, second = make()
    picture = viz.graph(contain(first, second))
    graph = picture.graph
    assert [node.op or "leaf" for node in graph.nodes] == [
        "leaf", "leaf", *map(_op_of, (_before(first), first, second))
    ]  # fmt: skip
    assert [graph.nodes[idx].label for idx in graph.results] == names
    assert graph.nodes[graph.results[0]].value == viz.graph(first).graph.nodes[-1].value
    assert graph.nodes[graph.results[1]].value == viz.graph(second).graph.nodes[-1].value
    assert picture.title == f"Computation graph of {', '.join(names)}"
    assert len(MARKED.findall(picture.svg())) == 2
    assert [line.split()[0] for line in picture.text().splitlines() if line.endswith("result")] == names
    assert all(f"{each} = " in picture._told() for each in names)
    assert picture.dot().source.count("peripheries=2") == 2


def _before(result):
    return result._node.parents[0] if isinstance(result, Tensor) else result._prev[0]


def _op_of(result):
    return getattr(result, "_node", result).op if isinstance(result, (Tensor, Node)) else result._op


def test_one_result_is_marked_as_ever_and_has_no_note():
    loss = of_values()[0]
    for each in (loss, [loss], {"loss": loss}):
        assert len(MARKED.findall(viz.graph(each).svg())) == 1
    assert "result" not in viz.graph(loss).text()
    assert viz.graph({"loss": loss}).graph.nodes[-1].label == "loss"


def test_a_name_of_its_own_is_kept_where_only_a_position_is_known_and_a_key_wins():
    recon, mu = of_values()
    recon.label, mu.label = "recon", "mu"
    assert viz.graph((recon, mu)).title == "Computation graph of recon, mu"
    assert viz.graph({"a": recon, "b": mu}).title == "Computation graph of a, b"
    a, b = of_tensors()
    assert viz.graph((a, b), names={"a": a}).title == "Computation graph of a, out[1]"


def test_a_result_that_others_are_made_of_and_a_leaf_are_marked_too():
    w = Tensor([1.0, 2.0], requires_grad=True)
    unused = Tensor([3.0], requires_grad=True)
    hidden = w * 2
    picture = viz.graph({"hidden": hidden, "loss": hidden.sum(), "w": w, "unused": unused})
    assert [picture.graph.nodes[idx].label for idx in picture.graph.results] == ["hidden", "loss", "w", "unused"]
    assert len(MARKED.findall(picture.svg())) == 4


def test_the_facts_go_out_as_json_and_back(tmp_path):
    picture = viz.graph(of_tensors())
    assert from_json(picture.save(tmp_path / "a.json").read_text(encoding="utf-8")) == picture.graph
    without = picture.save(tmp_path / "a.json").read_text(encoding="utf-8").replace('"results":[3,4],', "")
    assert from_json(without).ends == (4,), "a file of an earlier version"


@pytest.mark.parametrize("fold", [True, False])
def test_a_large_graph_has_all_of_them_folded_or_not(fold):
    model = nn.Sequential(*[nn.Linear(2, 2) for _ in range(40)])
    unused = Tensor([3.0], requires_grad=True)
    hidden = model[:3](Tensor([[1.0, 2.0]]))
    picture = viz.graph({"hidden": hidden, "out": model[3:](hidden), "unused": unused}, model=model, fold=fold)
    assert picture.title == "Computation graph of hidden, out, unused"
    assert len(MARKED.findall(picture.svg())) >= 2
    assert "unused" in picture.text()
    assert len(picture._player().state["scene"]["results"]) == 3


# -- the other views ---------------------------------------------------------------------------------------------------

OTHERS = {
    "step": viz.step,
    "predict": lambda x: viz.step(x, predict=True),
    "shapes": viz.shapes,
    "nudge": viz.nudge,
    "fan_out": viz.fan_out,
    "compare mine": lambda x: viz.compare(x, Value(1.0)),
    "compare reference": lambda x: viz.compare(Value(1.0), x),
}
WAYS = {
    "tuple": (lambda a, b: (None, a, b), "tuple", "out[1]"),
    "dict": (lambda a, b: {"logits": a, "aux": b}, "dict", "out['logits']"),
    "dataclass": (Output, "Output", "out.logits"),
    "nested": (lambda a, b: {"heads": [a, b]}, "dict", "out['heads'][0]"),
}


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("view", OTHERS)
def test_a_view_of_one_result_says_which_to_give(view, name, make):
    contain, kind, way = WAYS[name]
    with pytest.raises(TypeError) as error:
        OTHERS[view](contain(*make()))
    assert str(error.value) == (
        f"a picture needs a Tensor or a scalar Value, not {kind}: give one of its results, such as {way}, "
        f"or their sum; viz.graph draws all of them"
    )


NOTHING = {
    "no results": ([], "not list, in which no Tensor requires grad and no Value is"),
    "numbers": ({"a": 3.0, "b": None}, "not dict, in which no Tensor requires grad and no Value is"),
    "constants": ((Tensor(1.0), Tensor(2.0)), "not tuple, in which no Tensor requires grad and no Value is"),
    "both kinds": (
        (Value(1.0), Tensor(1.0, requires_grad=True)),
        "several results in one picture are Tensors or scalar Values, all of one kind, not Value, Tensor",
    ),
}


@pytest.mark.parametrize("name", NOTHING)
def test_where_there_is_no_result_it_says_so(name):
    given, said = NOTHING[name]
    with pytest.raises(TypeError, match=re.escape(said)):
        viz.graph(given)


def test_a_graph_that_grows_takes_them_as_one_stage():
    first, second = of_values()
    seen = viz.grow(first, {"logits": first, "aux": [second, None]})
    assert seen.steps == 2
    assert seen._scenes[-1].names[-2:] == ("logits", "aux[0]")
    assert viz.grow((None, first, 3.0)).steps == 1


def test_the_board_of_a_training_draws_two_losses_and_says_that_it_is_told_one():
    model = nn.Linear(2, 1)
    with viz.live(model) as board:
        out = model(Tensor([[1.0, 2.0]]))
        losses = {"fit": (out**2).sum(), "size": out.sum()}
        sum(losses.values()).backward()
        for several in (losses, tuple(losses.values()), out * Tensor([1.0, 2.0])):
            with pytest.raises(TypeError, match=r"board\.loss takes one number.*: give one of them, or their sum"):
                board.loss(several)
        board.loss(sum(losses.values()))
    drawn = board.graph(losses)
    assert "fit, size" in drawn.title
    assert len(MARKED.findall(drawn.svg())) == 2


def test_a_slide_says_what_draws_them():
    for given in ({"a": of_values()[0]}, of_values(), Value(1.0)):
        with pytest.raises(TypeError, match=r"a slide needs a picture, such as viz\.graph\(x\), or a sentence"):
            viz.lecture(given)


# -- stores ------------------------------------------------------------------------------------------------------------


def test_a_store_draws_every_result_that_is_held():
    x = Tensor([1.0, 2.0], requires_grad=True)
    with autograd_graph() as graph:
        held = (x * 2).exp(), (x * 3).relu()
        (x * 5).sqrt()  # nobody holds it
    graph.label(recon=held[0])
    picture = viz.graph(graph, names={"x": x})
    assert [node.op for node in picture.graph.nodes if node.kind == "op"] == ["mul", "exp", "mul", "relu"]
    assert [node.label for node in picture.graph.nodes if node.kind == "leaf"] == ["x"]
    assert picture.title == "Computation graph of recon, v3"
    assert len(MARKED.findall(picture.svg())) == 2


def test_a_closed_store_draws_every_result_that_it_had():
    x = Tensor([1.0, 2.0], requires_grad=True)
    with autograd_graph() as graph:
        held = (x * 2).exp(), (x * 3).relu()
    graph.close()
    assert [node.op for node in viz.graph(graph).graph.nodes if node.kind == "op"] == ["mul", "exp", "mul", "relu"]
    assert len(held) == 2


def test_a_pass_of_a_store_with_two_losses_names_them():
    x = Tensor([1.0, 2.0], requires_grad=True)
    with autograd_graph() as graph:
        losses = (x * 2).sum(), (x * 3).mean()
    with pytest.raises(RuntimeError, match=r"2 scalars could be the root.*sum.*mean.*or add them up"):
        viz.step(graph)
    assert len(losses) == 2


@pytest.mark.parametrize("view", [viz.shapes, viz.nudge, viz.fan_out, lambda x: viz.compare(x, x)])
def test_a_view_that_takes_no_store_says_which_do(view):
    with AutogradGraph() as graph:
        losses = Tensor(2.0, requires_grad=True) * 2, Tensor(2.0, requires_grad=True) * 3
    with pytest.raises(TypeError, match=r"of (a|this) recorded graph.*viz\.graph "):
        view(graph)
    assert len(losses) == 2


class Attributes(dict):
    """A dict whose keys are attributes, as programs write it: of a name that is no key it raises KeyError."""

    __getattr__ = dict.__getitem__


def test_a_dict_with_keys_for_attributes_is_a_dict():
    one, other = of_tensors()
    assert viz.graph(Attributes(one=one, other=other)).text() == viz.graph({"one": one, "other": other}).text()
    with pytest.raises(TypeError, match="give one of its results"):
        viz.step(Attributes(one=one, other=other))


def test_the_result_that_a_pass_can_start_from_is_named():
    one, other = of_tensors()
    for returned, way in (({"logits": one, "loss": other.sum()}, r"out\['loss'\]"), ((one, other), r"out\[0\]")):
        with pytest.raises(TypeError, match=f"give one of its results, such as {way}, or their sum"):
            viz.step(returned)
