"""Facts about a recorded program of PyTorch's that readers' programs found to be wrong, or left out in silence."""

from __future__ import annotations

import copy
import io
import math
import pickle

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from minitorch import viz  # noqa: E402
from minitorch.bridge import CustomTensor, TorchBackward, record  # noqa: E402
from minitorch.graph import AutogradGraph, GraphExecutor, GraphNode, costs, diff  # noqa: E402


class Square(torch.autograd.Function):
    """x², times a number that PyTorch tells nobody."""

    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x)
        ctx.k = k
        return x * x * k

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g * ctx.k, None


class SumAndProduct(torch.autograd.Function):
    """Two results, of which a program may use one."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x + y, x * y

    @staticmethod
    def backward(ctx, g, h):
        x, y = ctx.saved_tensors
        return g + h * y, g + h * x


class Squaring(nn.Module):
    """A module whose last operation is a Function."""

    def forward(self, x):
        """x²."""
        return Square.apply(x, 1.0)


class SquareFirst(nn.Module):
    """A module that gives what a Function has made to another module."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        """inner(x²)."""
        return self.inner(Square.apply(x, 1.0))


def _operands(graph: AutogradGraph, op: str) -> list[tuple[int, str]]:
    (node,) = [each for each in graph.nodes() if each.op == op]
    return [(slot, parent.name or parent.op) for slot, parent in graph.operands(node)]


def _leaf(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0)).requires_grad_()


def test_operands_given_by_name_stand_where_the_parameters_do() -> None:
    a, b, graph = _leaf(3), _leaf(3), AutogradGraph()
    with record(graph):
        loss = (torch.sub(other=a, input=b) + torch.lerp(weight=b, end=a, input=b)).sum()
    assert loss.requires_grad
    graph.label(a=a, b=b)
    assert _operands(graph, "sub") == [(0, "b"), (1, "a")]
    assert _operands(graph, "lerp") == [(0, "b"), (1, "a"), (2, "b")]


def test_a_function_of_the_programs_own_has_the_scope_of_the_module_that_called_it() -> None:
    model = nn.Sequential(nn.Linear(2, 2), Squaring(), nn.Linear(2, 2), SquareFirst())
    graph = AutogradGraph()
    with record(graph, model=model):
        loss = model(torch.ones(1, 2)).sum()
    assert loss.requires_grad
    scopes = [(node.op, node.scope) for node in graph.nodes() if node.op]
    assert scopes == [
        ("linear", "0"),
        ("Square", "1"),
        ("linear", "2"),
        ("Square", "3"),
        ("linear", "3.inner"),
        ("sum", ""),
    ]


@pytest.mark.parametrize("changed_first", [False, True])
def test_what_a_full_backward_hook_adds_is_outside_of_the_modules_it_leads_to(changed_first: bool) -> None:
    inner = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    model, graph = nn.Sequential(nn.ReLU(inplace=changed_first), inner, nn.Linear(2, 2)), AutogradGraph()
    inner.register_full_backward_hook(lambda module, given, arrived: None)
    with record(graph, model=model):
        loss = model(_leaf(1, 2) * 1).sum()
    assert loss.requires_grad
    scopes = [(node.op.rstrip("_"), node.scope) for node in graph.nodes() if node.op]
    assert scopes == [
        ("mul", ""),
        ("relu", "0"),
        ("BackwardHookFunction", "1"),
        ("linear", "1.0"),
        ("relu", "1.1"),
        ("BackwardHookFunction", ""),
        ("linear", "2"),
        ("sum", ""),
    ]


def test_what_a_function_was_given_beside_tensors_is_shown_as_unknown() -> None:
    x, graph = _leaf(3), AutogradGraph()
    with record(graph):
        loss = Square.apply(x, 3.0).sum()
    assert loss.requires_grad
    (node,) = [each for each in graph.nodes() if each.op == "Square"]
    assert [(each.slot, each.shape, each.value) for each in node.constants] == [(1, None, None)]
    assert "Square(v1, constant)" in viz.graph(graph).text()


def test_a_function_of_two_results_has_a_node_for_each() -> None:
    x, y, graph = _leaf(3), _leaf(3), AutogradGraph()
    with record(graph):
        _, product = SumAndProduct.apply(x, y)
        loss = (product * 2).sum()
    steps = {step.node.op: step for step in GraphExecutor(graph).steps(loss)}
    assert steps["SumAndProduct[1]"].gradient.tolist() == [2.0, 2.0, 2.0]
    assert steps["SumAndProduct"].node.is_call
    GraphExecutor(graph).backward(loss)
    assert torch.equal(x.grad, 2 * y.detach())


@pytest.mark.parametrize("layer", [nn.GroupNorm(2, 4), nn.LayerNorm(4), nn.BatchNorm1d(4)])
def test_a_step_of_one_result_has_one_gradient(layer: nn.Module) -> None:
    x, graph = _leaf(3, 4), AutogradGraph()
    with record(graph):
        loss = layer(x).pow(2).sum()
    steps = list(GraphExecutor(graph).steps(loss))
    assert [tuple(step.gradient.shape) for step in steps if step.node.op] == [(), (3, 4), (3, 4)]


def _told_in_order(steps: list) -> None:
    """Whatever a node is given has been told before the node is, and adds up to its gradient."""
    told: dict[GraphNode, torch.Tensor] = {}
    seen = set()
    for step in steps:
        assert step.node not in seen
        seen.add(step.node)
        if step.node in told and not step.node.is_call:
            torch.testing.assert_close(told[step.node], step.gradient if step.arrived is None else step.arrived)
        for each in step.contributions:
            assert each.parent not in seen, (step.node, each.parent)
            if not each.parent.is_call:
                before = told.get(each.parent)
                told[each.parent] = each.gradient if before is None else before + each.gradient


def test_a_result_made_from_another_gives_to_it_before_that_is_told() -> None:
    cell, graph = nn.LSTMCell(3, 4), AutogradGraph()
    with record(graph, model=cell):
        h = c = torch.zeros(2, 4)
        for _ in range(3):
            h, c = cell(torch.ones(2, 3), (h, c))
        loss = h.sum() + c.sum()
    _told_in_order(list(GraphExecutor(graph).steps(loss)))


@pytest.mark.parametrize("width", [4, 5])  # 5: the transposed weight has the shape of the result
def test_a_second_derivative_gives_to_the_inside_of_an_operation(width: int) -> None:
    torch.manual_seed(0)
    model, graph = nn.Sequential(nn.Linear(5, width), nn.Tanh(), nn.Linear(width, 1)), AutogradGraph()
    x = _leaf(5, 5)
    with record(graph, model=model):
        (slope,) = torch.autograd.grad(model(x).sum(), x, create_graph=True)
        loss = ((slope.norm(2, dim=1) - 1) ** 2).mean()
    steps = list(GraphExecutor(graph).steps(loss))
    _told_in_order(steps)
    for step in steps:
        if not step.node.is_call:
            assert tuple(step.gradient.shape) == step.node.shape
    (inside, *_) = [node for node in graph.nodes() if node.op == "linear.t"]
    assert [parent.name for _, parent in graph.operands(inside)] == ["0.weight"]


def test_a_leaf_can_be_named_before_it_is_used() -> None:
    w, graph = _leaf(3), AutogradGraph()
    graph.label(w=w)
    with record(graph):
        loss = (w * 2).sum()
    assert loss.requires_grad
    assert graph.node(w).name == "w"


def test_complex_numbers_are_drawn() -> None:
    x, graph = torch.randn(3, dtype=torch.complex64).requires_grad_(), AutogradGraph()
    with record(graph):
        loss = (x * 2j).abs().sum()
    assert f"norm {float(x.detach().norm()):.3g}" in viz.graph(graph).text()
    assert "mul(v1, constant)" in viz.step(graph).text()
    assert loss.requires_grad


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize("layout", ["jagged", "strided"])
def test_nested_tensors_are_recorded_and_drawn(layout: str) -> None:
    a, b, nested, kind = _leaf(2, 3), _leaf(4, 3), AutogradGraph(), getattr(torch, layout)

    def program() -> torch.Tensor:
        both = torch.nested.as_nested_tensor([a, b], layout=kind)
        return torch.nested.to_padded_tensor(both * 2 * both.detach(), 0.0).sum()

    with record(nested):
        loss = program()
    shape = next(node.shape for node in nested.nodes() if node.op == "mul")
    assert (shape[0], shape[2]) == (2, 3)
    assert not isinstance(shape[1], int) or shape[1] == -1
    GraphExecutor(nested).backward(loss, retain_graph=True)
    assert torch.equal(a.grad, 2 * a.detach())
    leaves = {step.node: step.gradient for step in GraphExecutor(nested).steps(loss) if step.node.is_leaf}
    assert torch.equal(leaves[nested.node(b)], b.grad)
    assert "<svg" in viz.graph(nested).svg()
    with pytest.raises(ValueError, match="is of several shapes"):
        viz.step(nested)
    whole = torch.nested.as_nested_tensor([a.detach(), b.detach()], layout=kind).requires_grad_()
    with record(nested):  # as a leaf, and with a scope and a constant of its own kind
        once = torch.nested.to_padded_tensor(whole * 2 * whole.detach(), 0.0).sum()
    assert once.requires_grad
    GraphExecutor(nested).backward(once)
    assert whole.grad is not None


def test_a_model_is_pickled_while_it_is_recorded_and_the_copy_needs_no_minitorch() -> None:
    model, graph = nn.Sequential(nn.Linear(2, 2), nn.ReLU()), AutogradGraph()
    with record(graph, model=model):
        written = pickle.dumps(model)
        file = io.BytesIO()
        torch.save(model, file)
        copied = pickle.loads(written)
        total = copied(torch.ones(1, 2)).sum() + model(torch.ones(1, 2)).sum()
    assert total.requires_grad
    assert b"minitorch" not in written
    assert b"minitorch" not in file.getvalue()
    assert [node.scope for node in graph.nodes() if node.op == "linear"] == ["", "0"]


def test_a_deep_copy_made_while_recording_has_the_programs_hooks_alone() -> None:
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
    model, graph = nn.TransformerEncoder(layer, 1), AutogradGraph()
    model.layers[0].linear1.register_forward_hook(print)
    with record(graph, model=model):
        copied = copy.deepcopy(model)
        both = copy.deepcopy([model.layers, {"head": model.layers[0].norm1}])
        still = [part for part in model.modules() if part._forward_hooks and part._forward_pre_hooks]
    assert len(still) == len(list(model.modules()))
    for each in (copied, both[0]):
        hooked = [part for part in each.modules() if part._forward_hooks or part._forward_pre_hooks]
        assert [(type(part), len(part._forward_hooks)) for part in hooked] == [(nn.Linear, 1)]
        assert not any(part._forward_hooks_always_called for part in each.modules())
    assert both[1]["head"] is both[0][0].norm1


@pytest.mark.filterwarnings("ignore:.torch.jit.trace:DeprecationWarning")
def test_a_model_is_traced_by_jit_inside_a_recording() -> None:
    model, graph, x = nn.Sequential(nn.Linear(2, 1), nn.Tanh()), AutogradGraph(), torch.ones(1, 2)
    with record(graph, model=model):
        traced = torch.jit.trace(model, x)
        assert [node.op for node in graph.nodes() if node.op] == []  # tracing looks at what is done: nothing is written
        loss = model(x).sum()
    assert torch.equal(traced(x), model(x))
    GraphExecutor(graph).backward(loss)
    assert model[0].weight.grad is not None


def test_what_is_no_graph_and_no_tensor_is_refused_with_what_it_is() -> None:
    graph, closed = AutogradGraph(), AutogradGraph()
    closed.close()
    loss = _leaf(3).sum()
    with pytest.raises(TypeError, match="writes into an AutogradGraph, not into a NoneType"):
        record(None)
    with pytest.raises(TypeError, match=r"takes a torch\.nn\.Module, not a int"):
        record(graph, model=3)
    with pytest.raises(TypeError, match="runs an AutogradGraph, not a int"):
        GraphExecutor(3)
    with pytest.raises(TypeError, match="compares two AutogradGraphs; this is a int"):
        diff(graph, 3)
    with pytest.raises(TypeError, match="begins at a tensor of PyTorch's, not at a int"):
        TorchBackward(graph, 3)
    with pytest.raises(RuntimeError, match=r"has recorded nothing of PyTorch's: write `with minitorch\.bridge\.record"):
        GraphExecutor(graph).backward(loss)
    with pytest.raises(RuntimeError, match="closed> cannot record: make a new AutogradGraph"):
        CustomTensor([1.0], closed, requires_grad=True)


def test_the_name_of_a_sequentials_child_does_not_read_as_a_number() -> None:
    model, graph = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 1))), AutogradGraph()
    with record(graph, model=model):
        loss = (2 - model(torch.ones(1, 2))).sum()
    assert loss.requires_grad
    text = viz.graph(graph).text()
    assert "relu(Linear 0)" in text
    assert "sub(2, Linear 1.1)" in text


def test_parameters_that_have_no_shape_before_the_first_call_have_their_names() -> None:
    model, graph = (
        nn.Sequential(nn.LazyConv1d(3, 2), nn.LazyBatchNorm1d(), nn.Flatten(), nn.LazyLinear(1)),
        AutogradGraph(),
    )
    with record(graph, model=model):
        loss = model(torch.randn(2, 2, 4)).sum()
    GraphExecutor(graph).backward(loss)
    assert {graph.find(each).name for each in model.parameters()} == {name for name, _ in model.named_parameters()}


@pytest.mark.filterwarnings("ignore:.torch.jit.script:DeprecationWarning")
def test_a_model_with_a_compiled_part_is_recorded() -> None:
    part = torch.jit.script(nn.Sequential(nn.Linear(2, 2), nn.Tanh()))
    model, graph = nn.Sequential(nn.Linear(2, 2), part, nn.ReLU()), AutogradGraph()
    x = torch.ones(1, 2)
    with record(graph, model=model):
        loss = model(x).sum()
    assert [node.scope for node in graph.nodes() if node.op in ("linear", "relu")] == ["0", "2"]
    GraphExecutor(graph).backward(loss)
    found = [each.grad for each in model.parameters()]
    model.zero_grad()
    model(x).sum().backward()
    assert all(map(torch.equal, found, [each.grad for each in model.parameters()]))


@pytest.mark.filterwarnings("ignore:.torch.jit.script:DeprecationWarning")
def test_a_gradient_of_zeros_without_memory_has_figures() -> None:
    x, graph = torch.tensor([1.0, 2.0], requires_grad=True), AutogradGraph()
    with record(graph):
        tangent = torch.func.jvp(lambda each: each * 2, (x,), (x,))[1]
        loss = tangent.sum()
    assert len(list(GraphExecutor(graph).steps(loss))) > 1
    assert [each.name for each in costs(graph, loss)][-1] == "sum"
    viz.step(graph).text()
    GraphExecutor(graph).backward(loss)
    assert torch.equal(x.grad, torch.tensor([2.0, 2.0]))
    assert any(node.gradient is not None and node.gradient.zero_share == 1 for node in graph.nodes())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("number", [-1.5, 0.0, math.nan, math.inf])
def test_the_gradient_of_one_number_has_the_statistics_of_several(number: float, dtype: torch.dtype) -> None:
    graph, found = AutogradGraph(), []
    with record(graph):
        for count in (1, 2, 20):
            x = torch.ones(count, dtype=dtype, requires_grad=True)
            GraphExecutor(graph).backward((x * 1).sum(), torch.tensor(number, dtype=dtype))
            found.append(graph.node(x).gradient)
    for count, (norm, low, high, zeros) in zip((1, 2, 20), found, strict=True):
        assert (low, high) == pytest.approx((number, number), nan_ok=True)
        assert norm == pytest.approx(abs(number) * count**0.5, rel=0.01, nan_ok=True)
        assert zeros == (number == 0)
    assert graph.node(x).gradient is found[-1]


def test_one_complex_number_has_no_statistics_and_one_of_a_sparse_gradient_has() -> None:
    graph = AutogradGraph()
    with record(graph):
        z = torch.ones(1, dtype=torch.complex64, requires_grad=True)
        table = torch.nn.Embedding(1, 1, sparse=True)
        loss = (z * 2).abs().sum() + table(torch.tensor([0, 0])).sum()
    GraphExecutor(graph).backward(loss)
    assert graph.node(z).gradient is None
    assert graph.node(table.weight).gradient == (2.0, 2.0, 2.0, 0.0)
