"""The executor's gradients beside plain PyTorch's, bit for bit, where a program has its hands in the backward pass."""

import threading
from contextlib import nullcontext

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'minitorch-course[torch]'")

from torch import nn  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402

from minitorch.bridge import CustomTensor, record  # noqa: E402
from minitorch.graph import AutogradGraph, GraphExecutor  # noqa: E402


def hook_on_a_tensor(x):
    h = x * 3
    h.register_hook(lambda g: g * 0 + 7)
    return (h * h).sum()


def hook_put_on_after_its_consumer(x):
    h = x * 3
    loss = (h * h).sum()
    h.register_hook(lambda g: g * 5)
    return loss


def hook_on_a_grad_fn(x):
    h = x.sin()
    h.grad_fn.register_hook(lambda given, _: tuple(each * 2 for each in given))
    h.grad_fn.register_prehook(lambda gradients: (gradients[0] + 1,))
    return (h * x).sum()


def full_backward_hook_of_a_module(x):
    layer = nn.Linear(3, 3)
    with torch.no_grad():
        layer.weight.copy_(torch.arange(9.0).reshape(3, 3) / 10)
        layer.bias.zero_()
    layer.register_full_backward_hook(lambda _, given, __: (given[0] * 10,))
    layer.register_full_backward_pre_hook(lambda _, gradients: (gradients[0] + 1,))
    return (layer(x * 1.5) ** 2).sum()


class Two(torch.autograd.Function):
    """Two results; without materialised gradients, the backward of the unused one gets None."""

    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, first, second):
        return first * 2 if second is None else first * 100


def a_function_that_asks_for_none(x):
    first, _ = Two.apply(x)
    return first.sum()


def checkpoint_that_recomputes(x):
    return checkpoint(lambda t: (t.sin() * t).exp(), x * 2, use_reentrant=False).sum()


def checkpoint_with_a_pass_of_its_own(x):
    return checkpoint(lambda t: (t.sin() * t).exp(), x * 2, use_reentrant=True).sum()


def many_contributions(x):
    parts = [x * (0.1 * i) for i in range(7)]
    return sum((part.exp() for part in parts), torch.zeros(())).sum()


def a_forward_in_threads(x):
    found = {}

    def part(number):
        h = x
        for _ in range(number + 2):
            h = (h * 1.1).sin() + h
        found[number] = h

    for number in range(4):
        thread = threading.Thread(target=part, args=(number,))
        thread.start()
        thread.join()
    return torch.stack([found[number] for number in sorted(found)]).sum()


def a_retained_gradient(x):
    h = x.exp()
    h.retain_grad()
    x.kept = h
    return (h * h).sum()


def views_changed_in_place(x):
    y = x * 2
    y[0].mul_(3)
    y[:, 1] += x[:, 0]
    return (y * x).sum()


PROGRAMS = [
    hook_on_a_tensor,
    hook_put_on_after_its_consumer,
    hook_on_a_grad_fn,
    full_backward_hook_of_a_module,
    a_function_that_asks_for_none,
    checkpoint_that_recomputes,
    checkpoint_with_a_pass_of_its_own,
    many_contributions,
    a_forward_in_threads,
    a_retained_gradient,
    views_changed_in_place,
]


def leaf():
    return torch.linspace(-1, 1, 9).reshape(3, 3).requires_grad_()


def plain(program):
    x = leaf()
    program(x).backward()
    return x


def recorded(program):
    x, graph = leaf(), AutogradGraph()
    with record(graph):
        loss = program(x)
    return x, graph, loss


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_backward_gives_the_bits_of_pytorch(program):
    expected = plain(program)
    x, graph, loss = recorded(program)
    GraphExecutor(graph).backward(loss)
    assert torch.equal(x.grad, expected.grad)
    if hasattr(x, "kept"):
        assert torch.equal(x.kept.grad, expected.kept.grad)
    assert graph.node(x).gradient.max == x.grad.max().item()


@pytest.mark.parametrize(
    "program",
    [each for each in PROGRAMS if each is not checkpoint_with_a_pass_of_its_own],
    ids=lambda each: each.__name__,
)
def test_steps_show_the_bits_of_pytorch_in_reverse_topological_order_and_change_nothing(program):
    expected = plain(program)
    x, graph, loss = recorded(program)
    steps = list(GraphExecutor(graph).steps(loss))
    assert x.grad is None
    assert not hasattr(x, "kept") or x.kept.grad is None
    (last,) = [step for step in steps if step.node is graph.node(x)]
    assert torch.equal(last.gradient, expected.grad)
    place = {step.node: number for number, step in enumerate(steps)}
    for step in steps:
        for given in step.contributions:
            assert given.slot == -1 or place[step.node] < place[given.parent]
            if given.slot != -1 and not given.parent.is_call:
                assert tuple(given.gradient.shape) == given.parent.shape
    GraphExecutor(graph).backward(loss)
    assert torch.equal(x.grad, expected.grad)


def test_a_checkpoint_that_cannot_be_followed_says_what_to_write():
    _, graph, loss = recorded(checkpoint_with_a_pass_of_its_own)
    with pytest.raises(RuntimeError, match="write use_reentrant=False, or call backward"):
        list(GraphExecutor(graph).steps(loss))


def test_anomaly_detection_raises_through_the_executor():
    x, graph = torch.zeros(2, requires_grad=True), AutogradGraph()
    with record(graph), torch.autograd.set_detect_anomaly(True, check_nan=True):
        loss = (x.sqrt() * 0).sum()
        with (
            pytest.warns(UserWarning, match="Error detected in SqrtBackward"),
            pytest.raises(RuntimeError, match="nan"),
        ):
            GraphExecutor(graph).backward(loss)


def test_a_bias_comes_after_its_linear():
    layer, graph = nn.Linear(2, 2), AutogradGraph()
    with record(graph, model=layer):
        loss = layer(torch.ones(1, 2)).relu().sum()
    names = [step.node.op or step.node.name for step in GraphExecutor(graph).steps(loss)]
    assert names[:3] == ["sum", "relu", "linear"]
    assert sorted(names[3:]) == ["bias", "weight"]


def test_a_gradient_of_a_gradient_through_the_store():
    def program(x):
        (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        return (g * g).sum()

    expected = plain(program)
    x, graph, loss = recorded(program)
    GraphExecutor(graph).backward(loss)
    assert torch.equal(x.grad, expected.grad)


def test_two_passes_through_one_graph_at_once_are_told_apart():
    x, graph = torch.ones(4, requires_grad=True), AutogradGraph()
    with record(graph):
        shared = x * 2
        first, second = (shared * 3).sum(), (shared * 5).sum()
    inner = []

    def another_pass(_):
        if not inner:
            inner.append(True)
            inner.extend(torch.autograd.grad(second, x, retain_graph=True))

    first.grad_fn.register_prehook(another_pass)
    GraphExecutor(graph).backward(first, retain_graph=True)
    assert inner[1].tolist() == [10.0] * 4
    assert graph.node(shared).gradient.max == 3.0
    assert x.grad.tolist() == [6.0] * 4


def test_hooks_of_the_store_are_gone_after_a_pass_and_after_one_that_failed():
    x, graph = torch.ones(3, requires_grad=True), AutogradGraph()
    with record(graph):
        h = x.exp()
        loss = h.sum()
    fail = [True]

    def broken(_):
        if fail:
            raise ValueError("a hook of the program")

    h.register_hook(broken)
    with pytest.raises(ValueError, match="a hook of the program"):
        GraphExecutor(graph).backward(loss)
    fail.clear()
    before = graph.node(loss).gradient
    loss.backward(torch.full((), 9.0))
    assert graph.node(loss).gradient is before
    assert torch.equal(x.grad, 9 * torch.ones(3).exp())


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float64"])
def test_figures_of_other_dtypes(dtype):
    x, graph = torch.linspace(-2, 2, 40, dtype=getattr(torch, dtype)).requires_grad_(), AutogradGraph()
    with record(graph):
        loss = (x.relu() * 2).sum()
    GraphExecutor(graph).backward(loss)
    told = graph.node(x).gradient
    assert (told.min, told.max, told.zero_share) == (0.0, 2.0, 0.5)
    assert told.norm == pytest.approx(torch.linalg.vector_norm(x.grad.double()).item(), rel=1e-2)


def test_figures_of_a_sparse_gradient_count_its_zeros():
    table, graph = torch.ones(10, 3, requires_grad=True), AutogradGraph()
    with record(graph):
        loss = (nn.functional.embedding(torch.tensor([2, 2, 7]), table, sparse=True) * -1.5).sum()
    GraphExecutor(graph).backward(loss)
    assert table.grad.is_sparse
    told = graph.node(table).gradient
    assert (told.min, told.max, told.zero_share) == (-3.0, 0.0, 1 - 6 / 30)


def test_a_model_without_numbers_has_a_graph_and_no_figures():
    model, graph = nn.Linear(3, 2, device="meta"), AutogradGraph()
    with record(graph, model=model):
        loss = model(torch.ones(4, 3, device="meta")).sum()
    GraphExecutor(graph).backward(loss)
    assert model.weight.grad.shape == (2, 3)
    assert graph.node(model.weight).gradient is None
    again = model(torch.ones(4, 3, device="meta")).sum()
    assert next(GraphExecutor(graph).steps(again)).node.op == "sum"


@pytest.mark.parametrize("count", [3, 300])
@pytest.mark.parametrize("odd", [torch.nan, torch.inf, -torch.inf])
def test_figures_of_what_is_not_finite(count, odd):
    x, graph = torch.ones(count, requires_grad=True), AutogradGraph()
    factor = torch.arange(float(count))
    factor[1] = odd
    with record(graph):
        loss = (x * factor).sum()
    GraphExecutor(graph).backward(loss)
    low, high = torch.aminmax(x.grad)
    expected = [torch.linalg.vector_norm(x.grad).item(), low.item(), high.item(), 1 / count]
    assert list(graph.node(x).gradient) == pytest.approx(expected, nan_ok=True)


def test_what_a_second_derivative_uses_inside_of_an_operation_has_a_shape_of_its_own():
    x, layer, graph = torch.ones(3, 2, requires_grad=True), nn.Linear(2, 2), AutogradGraph()
    with record(graph, model=layer):
        (g,) = torch.autograd.grad((layer(x) ** 3).sum(), x, create_graph=True)
        loss = (g**2).sum()
    steps = list(GraphExecutor(graph).steps(loss))
    given = [each for step in steps for each in step.contributions if not each.parent.is_call]
    assert [each for each in given if tuple(each.gradient.shape) != each.parent.shape] == []
    assert "linear.t" in {step.node.op for step in steps}


def test_a_change_through_a_view_moves_base_and_view_on():
    x, graph = torch.ones(2, 3, requires_grad=True), AutogradGraph()
    with record(graph):
        y = x * 1.0
        row = y[0]
        before = graph.node(y), graph.node(row)
        row.mul_(3)
        changed = graph.node(y)
        assert changed.op == "mul_"
        assert graph.node(row) is changed
        assert changed not in before
        assert changed.shape == (2, 3)
        assert [graph.tensor(node) for node in before] == [None, None]
        later = row * 2
    assert changed in graph.reverse_toposort(later)
    assert graph.node(row) is not changed, "a row of it again, since it was asked for"
    assert graph.node(row).shape == (3,)


@pytest.mark.parametrize(("name", "shape"), [("t_", (3, 2)), ("squeeze_", (2, 3)), ("unsqueeze_", (1, 2, 3))])
@pytest.mark.parametrize("custom", [False, True])
def test_a_change_of_shape_in_place_is_an_operation(name, shape, custom):
    graph = AutogradGraph()
    x = CustomTensor(torch.ones(2, 3), graph, requires_grad=True) if custom else torch.ones(2, 3, requires_grad=True)
    with nullcontext() if custom else record(graph):
        h = x * 1.0
        getattr(h, name)(*[] if name == "t_" else [0])
        loss = (h * 2).sum()
    assert [node.op or "leaf" for node in graph.nodes()] == ["leaf", "mul", name, "mul", "sum"]
    assert graph.node(h).op == name
    assert graph.node(h).shape == shape
    GraphExecutor(graph).backward(loss)
    assert x.grad.tolist() == [[2.0] * 3] * 2
