"""Gradients by the executor are PyTorch's own, bit for bit."""

import pytest

torch = pytest.importorskip("torch", reason='PyTorch is not installed: pip install "minitorch-course[torch]"')

from bridge_programs import GPT, assert_same_gradients, programs  # noqa: E402

from minitorch.bridge import TorchBackward, record  # noqa: E402
from minitorch.graph import AutogradGraph  # noqa: E402

PROGRAMS = programs()


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_torch_autograd(name: str) -> None:
    model, program = PROGRAMS[name]
    assert_same_gradients(model, program)


def test_modules_are_scopes_and_parameters_have_their_names() -> None:
    model = GPT()
    graph = AutogradGraph()
    with record(graph, model=model):
        model(torch.arange(8).view(1, 8)).sum()
    named = {node.name for node in graph.nodes() if node.is_leaf}
    assert named == {name for name, _ in model.named_parameters()}
    assert [node.op for node in graph.nodes() if node.scope == "blocks.1.mlp.1"] == ["gelu"]
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_operands_stand_in_their_slots() -> None:
    x, w = (torch.ones(2, requires_grad=True) for _ in range(2))
    graph = AutogradGraph()
    with record(graph):
        square = x * x
        y = torch.sub(w, square)
        a, b = y.split(1)
        c = y.detach() * b
    assert graph.parents(graph.node(square)) == [graph.node(x)] * 2
    assert graph.parents(graph.node(y)) == [graph.node(w), graph.node(square)]
    (call,) = graph.parents(graph.node(a))
    assert call.op == "split"
    assert graph.parents(graph.node(b)) == [call]
    assert graph.operands(graph.node(c)) == [(1, graph.node(b))]
    assert graph.node(c).constants[0].slot == 0


def test_in_place_gives_a_new_node_and_the_base_shares_it() -> None:
    x = torch.ones(4, requires_grad=True)
    graph = AutogradGraph()
    with record(graph):
        h = x * 2
        first = graph.node(h)
        view = h[:2]
        view.mul_(3)
        y = h.sum()
    assert graph.node(view).op == "mul_"
    assert graph.parents(graph.node(y)) == [graph.node(view)]
    assert graph.parents(graph.node(view)) == [first]


def test_what_was_made_before_the_block_is_traced() -> None:
    x = torch.ones(3, requires_grad=True)
    h = x.exp()
    graph = AutogradGraph()
    with record(graph):
        y = (h * x).sum()
    assert [node.op for node in graph.nodes()] == ["", "exp", "mul", "sum"]
    TorchBackward(graph, y).run()
    assert torch.equal(x.grad, torch.autograd.grad((x.exp() * x).sum(), x)[0])
