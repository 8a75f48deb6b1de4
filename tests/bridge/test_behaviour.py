"""Where recording passes through, what it holds, what it frees, and what it says."""

import gc
import threading
import weakref
from contextlib import nullcontext

import pytest

torch = pytest.importorskip("torch", reason='PyTorch is not installed: pip install "minitorch-course[torch]"')

import minitorch  # noqa: E402
from minitorch.bridge import CustomTensor, TorchBackward, record  # noqa: E402
from minitorch.graph import AutogradGraph, GraphExecutor, NanError, ReferenceManager  # noqa: E402


def _ops(graph: AutogradGraph) -> list[str]:
    return [node.op or "leaf" for node in graph.nodes()]


def test_a_custom_tensor_records_itself_and_its_results() -> None:
    refs = ReferenceManager()
    graph = AutogradGraph(refs=refs)
    x = CustomTensor([1.0, 2.0], graph, refs, requires_grad=True)
    w = torch.nn.Parameter(torch.tensor([3.0, 4.0]))
    loss = ((x + torch.exp(x)) * w).sum()
    assert _ops(graph) == ["leaf", "exp", "add", "leaf", "mul", "sum"]
    GraphExecutor(graph).backward(loss)
    assert torch.equal(x.grad, w * (1 + torch.exp(x.detach())))
    assert isinstance(loss, CustomTensor)
    assert loss.graph is graph


def test_a_custom_tensor_without_a_graph_is_an_ordinary_tensor() -> None:
    y = CustomTensor(torch.ones(2), requires_grad=True) * 2
    assert y.graph is None
    y.sum().backward()


def test_references_of_another_graph_are_refused() -> None:
    with pytest.raises(ValueError, match="AutogradGraph\\(refs=ref_mgr\\)"):
        CustomTensor(1.0, AutogradGraph(), ReferenceManager())


def test_tensors_of_two_graphs_do_not_mix() -> None:
    graphs = [AutogradGraph(), AutogradGraph()]
    one, two = (CustomTensor(1.0, graph) for graph in graphs)
    with pytest.raises(ValueError, match=r"tensors of 2 graphs: .* as in t\.detach\(\)\.as_subclass\(torch\.Tensor\)"):
        one + two
    assert (one + two.detach().as_subclass(torch.Tensor)).graph is graphs[0]


def test_a_custom_tensor_in_a_recorded_block_is_recorded_once() -> None:
    graph = AutogradGraph()
    x = CustomTensor([1.0, 2.0], graph, requires_grad=True)
    with record(graph):
        y = (x * x).sum()
    assert _ops(graph) == ["leaf", "mul", "sum"]
    TorchBackward(graph, y).run()
    with pytest.raises(RuntimeError, match="second time"):
        TorchBackward(graph, y).run()


def test_no_grad_makes_constants() -> None:
    x = torch.ones(2, requires_grad=True)
    graph = AutogradGraph()
    with record(graph):
        with torch.no_grad():
            k = x * 2
        y = x * k
    assert _ops(graph) == ["leaf", "mul"]
    assert graph.node(y).constants[0].value.tolist() == [2.0, 2.0]


def test_nested_graphs_each_see_what_happens_in_their_block() -> None:
    x = torch.ones(2, requires_grad=True)
    outer, inner = AutogradGraph(), AutogradGraph()
    with record(outer):
        y = x * 2
        with record(inner):
            z = y.exp().sum()
    assert _ops(outer) == ["leaf", "mul", "exp", "sum"]
    assert sorted(_ops(inner)) == sorted(_ops(outer))  # mul happened before; it is traced
    TorchBackward(inner, z, retain_graph=True).run()
    TorchBackward(outer, z).run()
    assert torch.equal(x.grad, 4 * torch.exp(2 * x.detach()))


def test_ten_threads_with_ten_graphs() -> None:
    graphs = [AutogradGraph() for _ in range(10)]
    wrong: list[int] = []

    def work(number: int) -> None:
        x = torch.full((3,), float(number), requires_grad=True)
        with record(graphs[number]):
            y = x
            for _ in range(number + 20):
                y = y * 1.01
            loss = y.sum()
        GraphExecutor(graphs[number]).backward(loss)
        x2 = x.detach().clone().requires_grad_()
        y = x2
        for _ in range(number + 20):
            y = y * 1.01
        y.sum().backward()
        if not torch.equal(x.grad, x2.grad) or len(graphs[number]) != number + 22:
            wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_exception_closes_the_graph_and_takes_the_hooks_away() -> None:
    model = torch.nn.Linear(2, 2)
    graph = AutogradGraph()

    def block() -> None:
        with record(graph, model=model):
            model(torch.ones(2))
            model(torch.ones(3))

    with pytest.raises(RuntimeError):
        block()
    assert graph.closed
    assert not model._forward_hooks
    assert not model._forward_pre_hooks
    assert (torch.ones(2, requires_grad=True) * 2).sum().item() == 4.0
    assert _ops(graph) == ["leaf", "leaf", "linear"]


def test_transforms_pass_through() -> None:
    x = torch.randn(3)
    graph = AutogradGraph()
    with record(graph):
        g = torch.func.grad(lambda t: t.sin().sum())(x)
        rows = torch.func.vmap(lambda t: t * 2)(x)
    assert torch.equal(g, x.cos())
    assert torch.equal(rows, x * 2)
    assert len(graph) == 0


@pytest.mark.filterwarnings("ignore")
def test_compiled_functions_pass_through() -> None:
    x = torch.randn(3, requires_grad=True)
    compiled = torch.compile(lambda t: (t.sin() * t).sum(), backend="aot_eager")
    expected = torch.autograd.grad((x.sin() * x).sum(), x)[0]
    graph = AutogradGraph()
    with record(graph):
        y = compiled(x)
        loss = y * 1
    TorchBackward(graph, loss).run()
    assert torch.allclose(x.grad, expected)


def lives_of_results(recording: bool) -> tuple[list[bool], bool]:
    """Which results live once their variables are gone, in a loop of operations; and whether the graph does."""
    graph = AutogradGraph()
    x = torch.ones(5, requires_grad=True)
    with record(graph) if recording else nullcontext():
        results = [x]
        for function in (torch.exp, torch.sin, torch.relu, torch.neg, torch.sigmoid, torch.sum):
            results.append(function(results[-1]))
        made = [weakref.ref(each) for each in results[1:]]
        del results
    watched = weakref.ref(graph)
    del graph
    return [each() is not None for each in made], watched() is None


def test_recording_changes_no_lifetime() -> None:
    gc.disable()
    try:
        plain, _ = lives_of_results(False)
        recorded, graph_is_gone = lives_of_results(True)
    finally:
        gc.enable()
    assert recorded == plain == [False] * 6
    assert graph_is_gone


def test_what_a_living_result_needs_lives_as_without_recording() -> None:
    def kept(recording: bool) -> list[bool]:
        x = torch.ones(5, requires_grad=True)
        with record(AutogradGraph()) if recording else nullcontext():
            y = x.exp()
            z = y.sin()
            u = z.neg()
            loss = u.sum()
        made = [weakref.ref(each) for each in (y, z, u)]
        del y, z, u
        alive = [each() is not None for each in made]
        assert loss.requires_grad
        return alive

    assert kept(True) == kept(False)


def test_pytorchs_own_backward_frees_as_ever_and_the_second_pass_is_refused() -> None:
    x = torch.ones(5, requires_grad=True)
    graph = AutogradGraph()
    with record(graph):
        loss = x.exp().sum()
        loss.backward()
    with pytest.raises(RuntimeError, match="second time"):
        TorchBackward(graph, loss).run()


def test_retain_graph_keeps_what_was_saved() -> None:
    x = torch.ones(5, requires_grad=True)
    graph = AutogradGraph()
    with record(graph):
        loss = x.exp().sum()
    TorchBackward(graph, loss, retain_graph=True).run()
    once = x.grad.clone()
    TorchBackward(graph, loss).run()
    assert torch.equal(x.grad, once + once)
    with pytest.raises(RuntimeError, match="second time"):
        TorchBackward(graph, loss).run()


def test_what_a_function_saved_is_freed() -> None:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    x = torch.ones(5, requires_grad=True)
    graph = AutogradGraph()
    with record(graph):
        h = x * 3
        saved = weakref.ref(h)
        loss = Square.apply(h).sum()
        del h
    assert saved() is None or saved().shape == (5,)
    TorchBackward(graph, loss).run()
    assert _ops(graph) == ["leaf", "mul", "Square", "sum"]
    with pytest.raises(RuntimeError, match="second time"):
        TorchBackward(graph, loss).run()


def test_a_modified_saved_tensor_raises() -> None:
    x = torch.ones(5, requires_grad=True)
    graph = AutogradGraph()
    with record(graph):
        y = x.exp()
        loss = y.sum()
        y.mul_(2)
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation.*is at version 1; expected version 0"):
        TorchBackward(graph, loss).run()
    assert x.grad is None


def test_hooks_and_retained_gradients() -> None:
    def program(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = x * 3
        y.register_hook(lambda g: g * 10)
        y.retain_grad()
        return y, (y * y).sum()

    a, b = (torch.ones(2, requires_grad=True) for _ in range(2))
    a.register_hook(lambda g: g + 1)
    b.register_hook(lambda g: g + 1)
    kept, loss = program(a)
    loss.backward()
    graph = AutogradGraph()
    with record(graph):
        ours, loss = program(b)
    GraphExecutor(graph).backward(loss)
    assert torch.equal(a.grad, b.grad)
    assert torch.equal(kept.grad, ours.grad)


def test_steps_show_the_pass_and_change_nothing() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    graph = AutogradGraph()
    with record(graph):
        a, b = (x * x + x).split(1)
        loss = (a * b).sum()
    seen = list(GraphExecutor(graph).steps(loss))
    assert [step.node.op for step in seen] == ["sum", "mul", "split[0]", "split[1]", "split", "add", "mul", ""]
    assert x.grad is None
    add = seen[5]
    assert [(each.parent.op, each.slot) for each in add.contributions] == [("mul", 0), ("", 1)]
    squares = seen[6].contributions
    assert [each.slot for each in squares] == [0, 1]
    assert squares[0].before is not None
    GraphExecutor(graph).backward(loss)
    assert torch.equal(seen[-1].gradient, x.grad)
    assert graph.node(x).gradient.max == x.grad.max().item()


def test_abandoned_steps_leave_everything_as_it_was() -> None:
    x = torch.ones(3, requires_grad=True)
    graph = AutogradGraph()
    with record(graph):
        loss = x.exp().sin().sum()
    steps = GraphExecutor(graph).steps(loss)
    next(steps)
    next(steps)
    steps.close()
    GraphExecutor(graph).backward(loss)
    assert torch.equal(x.grad, torch.cos(torch.ones(3).exp()) * torch.ones(3).exp())


def test_one_graph_holds_nodes_of_both_kinds() -> None:
    graph = AutogradGraph()
    t = torch.ones(2, requires_grad=True)
    m = minitorch.Tensor([1.0, 2.0], requires_grad=True)
    with graph, record(graph):
        ours = (m * m).sum()
        theirs = (t * 3).sum()
    assert {node.backend for node in graph.nodes()} == {"minitorch", "torch"}
    GraphExecutor(graph).backward(ours)
    GraphExecutor(graph).backward(theirs)
    assert m.grad.tolist() == [2.0, 4.0]
    assert t.grad.tolist() == [3.0, 3.0]


def test_a_root_that_cannot_be_one_is_named() -> None:
    graph = AutogradGraph()
    with pytest.raises(RuntimeError, match="requires grad"):
        TorchBackward(graph, torch.ones(()))
    with pytest.raises(RuntimeError, match=r"shape \(2,\)"):
        TorchBackward(graph, torch.ones(2, requires_grad=True))
    with pytest.raises(RuntimeError, match=r"shape \(3,\), but the root has shape \(2,\)"):
        TorchBackward(graph, torch.ones(2, requires_grad=True), torch.ones(3))


def test_a_closed_graph_is_refused_and_leaves_no_hook_behind() -> None:
    model = torch.nn.Linear(2, 2)
    graph = AutogradGraph()
    graph.close()
    with pytest.raises(RuntimeError, match="cannot record: make a new AutogradGraph"), record(graph, model=model):
        pass
    assert not model._forward_hooks
    assert not model._forward_pre_hooks
    assert (torch.ones(2, requires_grad=True) * 2).sum().item() == 4.0


def test_a_module_of_pytorch_is_refused_with_what_to_call() -> None:
    with (
        pytest.raises(TypeError, match=r"Linear is a module of PyTorch.*record\(graph, model=model\)"),
        minitorch.graph.autograd_graph(torch.nn.Linear(2, 2)),
    ):
        pass


def test_a_root_that_nobody_recorded_is_traced() -> None:
    graph = AutogradGraph()
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record(graph):
        y = x.exp()
    loss = (y * y).sum()
    expected = torch.autograd.grad(loss, x, retain_graph=True)[0]
    GraphExecutor(graph).backward(loss)
    assert torch.equal(x.grad, expected)


def test_a_detached_root_says_that_it_requires_no_grad() -> None:
    graph = AutogradGraph()
    with record(graph):
        loss = (torch.ones(2, requires_grad=True) * 2).sum()
    with pytest.raises(RuntimeError, match="this one does not"):
        GraphExecutor(graph).backward(loss.detach())
    with pytest.raises(RuntimeError, match="plain number"):
        GraphExecutor(graph).backward(loss.item())


def test_the_first_nan_is_named_in_programs_of_pytorch_too() -> None:
    layer = torch.nn.Linear(2, 2)
    graph = AutogradGraph(find_nan=True)
    with record(graph, model=layer), pytest.raises(NanError, match=r"log made nan in 1 of 2 numbers"):
        (layer(torch.ones(1, 2)) * 0 + torch.tensor([-1.0, 1.0])).log()
    backward = AutogradGraph(find_nan=True)
    x = torch.zeros(2, requires_grad=True)
    with record(backward):
        loss = (x.sqrt() * 0).sum()
    with pytest.raises(NanError, match="gradient rule of sqrt made nan"):
        GraphExecutor(backward).backward(loss)


class Copied(torch.autograd.Function):
    """A Function of the program's own: what its backward leaves behind is the collector's to find."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        return gradient


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("works", [True, False])
def test_the_collector_rests_during_a_pass(works: bool, own: bool) -> None:
    x, graph, seen = torch.ones(2, requires_grad=True), AutogradGraph(), []
    x.register_hook(lambda _gradient: seen.append(gc.isenabled()))
    with record(graph):
        loss = (Copied.apply(x) if own else x * 2).sum()
    before = gc.isenabled()
    try:
        gc.enable() if works else gc.disable()
        GraphExecutor(graph).backward(loss, retain_graph=True)
        x.register_hook(lambda _gradient: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            GraphExecutor(graph).backward(loss)
        assert gc.isenabled() is works
    finally:
        gc.enable() if before else gc.disable()
    assert seen == [works and own] * 2
