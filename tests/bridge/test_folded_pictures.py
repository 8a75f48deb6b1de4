"""Models of PyTorch as pictures: modules are boxes, blocks are folded, the stepper ends with PyTorch's gradients."""

import re
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason='PyTorch is not installed: pip install "minitorch-course[torch]"')

import torch_graphs  # noqa: E402 (after the line that skips)
from torch_graphs import MODELS, Recorded, recorded  # noqa: E402
from widget_page import Stepper, widget_page  # noqa: E402

from minitorch import viz  # noqa: E402
from minitorch.viz.facts.levels import level_of  # noqa: E402

EACH = pytest.mark.parametrize("name", MODELS)
READABLE = 1060  # pixels: a wider picture has text of less than 11 px in a notebook of 900


def boxes(made: Recorded) -> dict[str, str]:
    """Title → what it is, in the first picture of a graph."""
    level = viz.graph(made[1])._level
    return {name: node.op for name, node in zip(level.names, level.graph.nodes, strict=True)}


def test_six_layers_are_one_box_though_the_first_has_fewer_operations() -> None:
    """What is done to an input that needs no gradient is not recorded, so that the first layer's row is shorter."""
    found = boxes(torch_graphs.encoder())
    assert found == {"layers": "TransformerEncoderLayer × 6", "2": "", "v1": "pow", "v2": "sum"}  # pow(…, 2)


def test_a_gpt_is_its_embeddings_its_blocks_and_its_head() -> None:
    found = boxes(torch_graphs.gpt())
    assert found["blocks"] == "Block × 6"
    assert (found["token"], found["norm"], found["head"]) == ("Embedding", "LayerNorm", "Linear")


def test_a_cell_called_again_and_again_is_one_box() -> None:
    assert "17 operations × 12" in boxes(torch_graphs.unrolled_by_hand()).values()


def test_modules_of_one_kind_with_other_parameters_are_not_alike() -> None:
    layers = [torch.nn.Sequential(torch.nn.Linear(n, n + 1), torch.nn.Tanh(), *_more(n + 1)) for n in range(2, 9)]
    model = torch.nn.Sequential(*layers)
    found = boxes(recorded(model, lambda: model(torch.ones(3, 2)).sum()))
    assert not any("×" in what for what in found.values())


def _more(n: int) -> list[Any]:
    return [torch.nn.Linear(n, n), torch.nn.Tanh(), torch.nn.Linear(n, n)]


def test_the_skips_of_a_unet_are_arrows_between_its_stages() -> None:
    _, graph, _loss = torch_graphs.unet()
    level = viz.graph(graph)._level
    stages = {name: place for place, name in enumerate(level.names)}
    ends = {(edge.src, edge.dst) for edge in level.graph.edges}
    cats = [place for place, node in enumerate(level.graph.nodes) if node.op == "cat"]
    assert [(stages[f"down.{number}"], cat) in ends for number, cat in zip((2, 1, 0), cats, strict=True)] == [True] * 3


def test_the_names_in_an_opened_layer_keep_their_ends() -> None:
    _, graph, _loss = torch_graphs.encoder()
    picture = viz.graph(graph)
    (layers,) = [group for group in picture._folding.top.groups if group.repeated]
    last = level_of(picture._folding, layers.groups[-1])
    assert "layers.5.linear1" in last.names
    inside = [name for idx, name in enumerate(last.names) if idx not in last.outside and last.graph.nodes[idx].label]
    assert len(inside) > 10
    assert all(name.startswith("layers.5") for name in inside)


@EACH
def test_the_model_is_known_to_the_recording_and_may_be_named_all_the_same(name: str) -> None:
    model, graph, _ = MODELS[name]()
    assert viz.graph(graph, model=model).text() == viz.graph(graph).text()
    assert viz.graph(graph, model=model).svg() == viz.graph(graph).svg()


@EACH
def test_the_stepper_ends_with_the_gradients_of_pytorch(name: str) -> None:
    model, graph, loss = MODELS[name]()
    stepper = viz.step(graph)
    loss.backward()
    ends = stepper.trace.gradients()
    found = {node.label: ends[node.idx] for node in stepper.graph.nodes if node.kind == "leaf"}
    assert set(found) == {each for each, parameter in model.named_parameters() if parameter.grad is not None}
    for each, parameter in model.named_parameters():
        assert found[each].norm == pytest.approx(parameter.grad.norm().item(), rel=1e-4, abs=1e-6), each
    assert stepper.svg(len(stepper.steps)).startswith("<svg")
    assert stepper._repr_mimebundle_()["text/plain"]


def test_what_a_cell_gives_to_its_own_result_is_a_step_and_comes_before_it_is_handed_on() -> None:
    """An LSTM's h is made from its c: c's gradient is what the next cell gives, and what comes back from h."""
    torch.manual_seed(0)
    cell = torch.nn.LSTMCell(4, 6)
    kept: list[Any] = []

    def run() -> Any:
        h, c = cell(torch.ones(2, 4), (torch.zeros(2, 6), torch.zeros(2, 6)))
        c.retain_grad()
        kept.append(c)
        h, c = cell(torch.ones(2, 4), (h, c))
        return (h * h).sum()

    _, graph, loss = recorded(cell, run)
    stepper = viz.step(graph, names={"c": kept[0]})
    (c,) = [node.idx for node in stepper.graph.nodes if node.label == "c"]
    to_c = [place for place, event in enumerate(stepper.steps) if event.node == c]
    from_c = [
        place
        for place, event in enumerate(stepper.steps)
        if event.edge is not None and stepper.graph.edges[event.edge].dst == c
    ]
    assert [stepper.steps[place].kind for place in to_c] == ["set", "add"]
    assert max(to_c) < min(from_c)
    loss.backward()
    assert stepper.trace.gradients()[c].norm == pytest.approx(kept[0].grad.norm().item())
    inner = to_c[1] + 1
    assert stepper.steps[to_c[1]].edge is None
    assert "Inside that operation, c goes into another of its results." in stepper.svg(inner)


def test_a_call_of_several_results_has_no_shape_and_its_gradient_is_theirs_together() -> None:
    x = torch.nn.Parameter(torch.ones(4, 6))
    _, graph, loss = recorded(torch.nn.ParameterList([x]), lambda: _split(x))
    stepper = viz.step(graph)
    (call,) = [node for node in stepper.graph.nodes if node.op == "split"]
    assert (call.shape, call.dtype) == (None, "")
    given = [event for event in stepper.steps if event.node == call.idx]
    assert [event.kind for event in given] == ["set", "add"]
    assert given[-1].after.norm == pytest.approx(float((12 * 1 + 12 * 4) ** 0.5))
    assert loss.item() > 0


def _split(x: Any) -> Any:
    left, right = x.split(3, dim=1)
    return left.sum() + 2 * right.sum()


# -- seen on a page --------------------------------------------------------------------------------------------------


@EACH
def test_a_picture_that_is_too_wide_for_a_notebook_is_moved_and_not_squeezed(name: str) -> None:
    _, graph, _loss = MODELS[name]()
    picture = viz.graph(graph)
    width = int(re.findall(r' width="(\d+)"', picture.svg())[0])
    assert ("<iframe" in picture._repr_mimebundle_()["text/html"]) == (picture._folds or width > READABLE)


@pytest.mark.browser
@pytest.mark.parametrize("width", [900, 1920])
@EACH
def test_the_first_screen_can_be_read(browser: Any, name: str, width: int) -> None:
    _, graph, _loss = MODELS[name]()
    with widget_page(browser, "graph.js", width) as page:
        for picture in (viz.graph(graph), viz.step(graph)):
            page.evaluate("state => show(state)", dict(picture._player().state))
            view = Stepper(page, page.locator(".root").count() - 1)
            view.root.locator(".box").first.wait_for()
            sizes = view.root.locator("svg .box text").evaluate_all(
                "all => all.map(each => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"
            )
            assert sizes
            assert min(sizes) >= 11


# -- what cannot be drawn --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", [viz.graph, viz.step, viz.shapes, viz.fan_out])
def test_a_tensor_is_told_the_way_over_the_bridge(view: Any) -> None:
    with pytest.raises(TypeError, match=r"not a tensor of PyTorch's, .*minitorch\.bridge import record"):
        view(torch.ones(2, requires_grad=True).sum())


def test_a_graph_whose_results_are_gone_says_so() -> None:
    _, graph, loss = torch_graphs.small()
    del loss
    with pytest.raises(ValueError, match="has lost its results, for it holds none: keep the loss until its graph is"):
        viz.graph(graph)
    with pytest.raises(RuntimeError, match="keep the loss in a variable until the end of the block"):
        viz.step(graph)


@pytest.mark.parametrize("view", [viz.graph, viz.step])
def test_a_model_is_told_that_its_result_is_drawn(view: Any) -> None:
    with pytest.raises(TypeError, match="not Linear, a model, which has no graph: call it, and draw what it gives"):
        view(torch.nn.Linear(2, 2))
    with pytest.raises(TypeError, match=r"a Tensor or a scalar Value, not SGD$"):
        view(torch.optim.SGD(torch.nn.Linear(2, 2).parameters(), lr=0.1))


@pytest.mark.parametrize("view", [viz.shapes, viz.fan_out, lambda graph: viz.compare(graph, graph)])
def test_what_does_not_read_a_recorded_graph_says_what_does(view: Any) -> None:
    _, graph, _loss = torch_graphs.small()
    with pytest.raises(TypeError, match=r"not AutogradGraph: of a recorded graph there are viz\.graph and viz\.step"):
        view(graph)
