"""viz draws and steps through PyTorch's graphs, and through one graph with nodes of both kinds."""

import json
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

torch: Any = pytest.importorskip("torch", reason='PyTorch is not installed: pip install "minitorch-course[torch]"')

from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402 (after the line that skips)

from minitorch import Tensor, viz  # noqa: E402
from minitorch.bridge import record  # noqa: E402
from minitorch.graph import AutogradGraph, GraphExecutor  # noqa: E402
from minitorch.viz.facts.model import from_json  # noqa: E402


def recorded() -> tuple[Any, Any]:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    graph = AutogradGraph()
    with record(graph, model=model):
        loss = (model(torch.ones(2, 3)) ** 2).mean()
    return graph, loss


def test_a_model_of_pytorch_is_drawn_with_the_names_of_its_modules() -> None:
    graph, loss = recorded()
    listing = viz.graph(graph).text()
    for name in ("0.weight", "2.bias", "linear(", "tanh(", "mean("):
        assert name in listing
    assert viz.graph(graph).svg().startswith("<svg")
    GraphExecutor(graph).backward(loss)
    lines = viz.graph(graph).text().splitlines()
    assert "no gradient yet" not in next(line for line in lines if "0.weight" in line)


@pytest.mark.parametrize("hooked", ["x", "y", "loss"])
def test_the_stepper_shows_what_the_hooks_of_pytorch_make_of_a_gradient(hooked: str) -> None:
    graph = AutogradGraph()
    with record(graph):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        loss = y.sum()
        {"x": x, "y": y, "loss": loss}[hooked].register_hook(lambda g: g * 10)
    trace = viz.step(graph, names={"x": x}).trace
    (idx,) = [node.idx for node in trace.graph.nodes if node.label == "x"]
    assert [event.kind for event in trace.events].count("hook") == 1
    loss.backward()
    assert trace.gradients()[idx].values == tuple(x.grad.tolist()) == (20.0, 40.0)


def test_the_stepper_walks_through_a_model_of_pytorch() -> None:
    graph, loss = recorded()
    assert "linear" in str(viz.step(graph).text())
    assert loss.item() > 0


def test_one_graph_holds_nodes_of_both_kinds() -> None:
    graph = AutogradGraph()
    ours, theirs = Tensor([1.0, 2.0], requires_grad=True), torch.ones(2, requires_grad=True)
    with graph, record(graph):
        our_loss, their_loss = (ours * ours).sum(), (theirs * 3.0).sum()
    assert {node.backend for node in graph.nodes()} == {"minitorch", "torch"}
    GraphExecutor(graph).backward(our_loss)
    GraphExecutor(graph).backward(their_loss)
    np.testing.assert_array_equal(ours.grad, [2.0, 4.0])
    assert torch.equal(theirs.grad, torch.full((2,), 3.0))


def test_every_result_that_is_held_is_drawn_marked_and_named() -> None:
    graph, model = AutogradGraph(), torch.nn.LSTM(2, 3)
    with record(graph, model=model):
        out, (h, c) = model(torch.ones(4, 1, 2))
        recon, mu = out.tanh(), out.exp()
    picture = viz.graph(graph, names={"recon": recon, "mu": mu, "h": h, "c": c})
    assert sorted(picture.graph.nodes[end].label for end in picture.graph.results) == ["c", "h", "mu", "recon"]
    assert all(f" {name}" in picture.title for name in ("recon", "mu", "h", "c"))
    assert picture.svg().count('<g class="o r"') == 4
    assert sum(line.endswith("result") for line in picture.text().splitlines()) == 4


def test_results_of_pytorch_in_a_dict_are_told_where_their_graph_can_be_had() -> None:
    loss = torch.ones(2, requires_grad=True).sum()
    for view in (viz.graph, viz.grow):
        with pytest.raises(TypeError, match=r"a tensor of PyTorch's.*with record\(graph\)"):
            view({"loss": loss, "other": loss * 2.0})
    with pytest.raises(TypeError, match=r"give one of its results, such as out\['loss'\], or their sum"):
        viz.step({"loss": loss})


@pytest.mark.parametrize("kind", ["bfloat16", "float8_e4m3fn", "sparse", "meta", "fake"])
def test_tensors_of_every_kind_are_drawn(kind: str) -> None:
    graph = AutogradGraph()
    with FakeTensorMode() if kind == "fake" else nullcontext(), record(graph):
        if kind == "sparse":
            w = torch.eye(3).to_sparse().requires_grad_()
            loss = torch.sparse.mm(w, torch.ones(3, 30)).sum()
        else:
            w = torch.ones(3, requires_grad=True, device="meta" if kind == "meta" else "cpu")
            loss = ((w.to(getattr(torch, kind)).float() if "float" in kind else w) * 2).sum()
    assert viz.graph(graph).svg().startswith("<svg")
    if kind in {"meta", "fake"}:
        with pytest.raises(ValueError, match=r"has no numbers.*viz\.graph draws"):
            viz.step(graph)
    else:
        assert viz.step(graph) is not None
    GraphExecutor(graph).backward(loss)


def test_a_recorded_model_goes_out_to_json_and_dot_with_several_results(tmp_path: Any) -> None:
    graph, model = AutogradGraph(), torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh())
    with record(graph, model=model):
        q, r = torch.linalg.qr(model(torch.eye(2)))
        loss = torch.addmm(q, q, r, beta=2).sum()
    GraphExecutor(graph).backward(loss)
    drawn = viz.graph(graph)
    drawn.save(tmp_path / "graph.json")
    written = (tmp_path / "graph.json").read_text(encoding="utf-8")
    assert from_json(written) == drawn.graph
    form = json.loads(written)
    told = {each["op"]: each for each in form["nodes"] if each["kind"] == "op"}
    assert (told["linear"]["scope"], told["linear"]["shape"], told["linear"]["dtype"]) == ("0", [2, 2], "float32")
    assert (told["linalg_qr"]["shape"], told["linalg_qr[1]"]["shape"]) == (None, [2, 2])
    assert told["sum"]["grad"]["norm"] == 1.0
    operands = [form["nodes"][each["src"]] for each in form["edges"] if each["dst"] == told["addmm"]["idx"]]
    assert [each["op"] for each in operands[:3]] == ["linalg_qr[0]", "linalg_qr[0]", "linalg_qr[1]"]
    assert operands[3]["value"]["values"] == [2.0]
    pytest.importorskip("graphviz")
    drawn.save(tmp_path / "graph.gv")
    source = (tmp_path / "graph.gv").read_text(encoding="utf-8")
    assert all(f'label="{op}\\n' in source for op in told)
    assert source.count(" -> ") == len(drawn.graph.edges)
