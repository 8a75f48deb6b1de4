"""A recorded graph goes out to JSON and to DOT, and both say what was recorded."""

import json
import re

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, viz
from minitorch.graph import AutogradGraph, autograd_graph
from minitorch.nn import Linear, ReLU, Sequential
from minitorch.viz.facts.model import from_json


def recorded() -> tuple[AutogradGraph, Tensor]:
    model = Sequential(Linear(2, 3), ReLU())
    x, w = Tensor(np.ones((4, 2), np.float32)), Tensor(np.ones((3, 2), np.float32), requires_grad=True)
    with autograd_graph(model) as graph:
        loss = minitorch.addmm(Tensor(np.ones(2, np.float32)), model(x), w, beta=2, alpha=0.5).sum()
    return graph, loss


def test_a_recorded_graph_goes_out_to_json_and_back(tmp_path):
    graph, loss = recorded()
    drawn = viz.graph(graph)
    path = tmp_path / "graph.json"
    drawn.save(path)
    form = json.loads(path.read_text(encoding="utf-8"))
    assert (form["type"], from_json(path.read_text(encoding="utf-8"))) == ("Graph", drawn.graph)
    told = [each for each in form["nodes"] if each["kind"] == "op"]
    kept = [node for node in graph.nodes() if node.op]
    assert [(each["op"], each["scope"], tuple(each["shape"]), each["dtype"]) for each in told] == [
        (node.op, node.scope, node.shape, node.dtype) for node in kept
    ]
    assert form["nodes"][form["root"]]["value"]["values"] == [loss.item()]
    assert {each["label"] for each in form["nodes"]} >= {"0.weight", "0.bias"}
    (product,) = [each for each in told if each["op"] == "addmm"]
    operands = [form["nodes"][each["src"]] for each in form["edges"] if each["dst"] == product["idx"]]
    assert [(each["kind"], each["op"]) for each in operands] == [
        *[("constant", ""), ("op", "relu"), ("leaf", "")],
        *[("constant", "")] * 2,
    ]
    assert [each["value"]["values"] for each in operands[3:]] == [[2.0], [0.5]]


def test_a_recorded_graph_goes_out_to_dot(tmp_path):
    pytest.importorskip("graphviz")
    graph, loss = recorded()
    drawn = viz.graph(graph)
    drawn.save(tmp_path / "graph.gv")
    source = (tmp_path / "graph.gv").read_text(encoding="utf-8")
    assert source.startswith("digraph")
    named = {int(number): label for number, label in re.findall(r'^\t(\d+) \[label="([^"]*)"', source, re.MULTILINE)}
    assert len(named) == len(drawn.graph.nodes)
    for node in drawn.graph.nodes:
        assert named[node.idx].startswith(f"{node.op}\\n") if node.op else node.label in named[node.idx]
    arrows = [(int(a), int(b)) for a, b in re.findall(r"^\t(\d+) -> (\d+)", source, re.MULTILINE)]
    (root,) = re.findall(r"^\t(\d+) .* peripheries=2", source, re.MULTILINE)
    assert (int(root), loss.shape) == (drawn.graph.root, ())
    assert sorted(arrows) == sorted((each.src, each.dst) for each in drawn.graph.edges)
