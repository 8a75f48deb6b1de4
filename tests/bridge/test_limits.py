"""Each limit that docs/graph-store.md admits says so at run time; and every test that the document names exists."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch.utils.checkpoint import checkpoint  # noqa: E402

from minitorch import viz  # noqa: E402
from minitorch.bridge import CustomTensor, record  # noqa: E402
from minitorch.graph import AutogradGraph, GraphExecutor, NanError  # noqa: E402

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "graph-store.md").read_text()


def _recorded(program) -> tuple[AutogradGraph, torch.Tensor]:
    graph = AutogradGraph()
    with record(graph):
        loss = program()
    return graph, loss


def test_a_step_cannot_look_into_a_reentrant_checkpoint() -> None:
    x = torch.ones(3, requires_grad=True)
    graph, loss = _recorded(lambda: checkpoint(torch.exp, x * 1, use_reentrant=True).sum())
    with pytest.raises(RuntimeError, match=r"write use_reentrant=False, or call backward\(\)"):
        list(GraphExecutor(graph).steps(loss))
    GraphExecutor(graph).backward(loss)
    assert torch.equal(x.grad, x.detach().exp())


def test_a_step_cannot_tell_a_hook_of_several_leaves_which_of_them_will_be_run() -> None:
    x, heard = torch.ones(3, requires_grad=True), []
    graph, loss = _recorded(lambda: (x * 2).sum())
    torch.autograd.graph.register_multi_grad_hook([x], heard.append)
    for asked in (GraphExecutor(graph).steps, GraphExecutor(graph).measure):
        with pytest.raises(RuntimeError, match=r"register_multi_grad_hook.* remove it, or call backward\(\)"):
            asked(loss)
    GraphExecutor(graph).backward(loss)
    assert len(heard) == 1
    assert torch.equal(x.grad, torch.full((3,), 2.0))


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
def test_what_happens_inside_a_pass_is_traced_afterwards() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    graph = AutogradGraph()
    with record(graph):
        cube = (x**3).sum()
        (slope,) = torch.autograd.grad(cube, x, create_graph=True)
        assert [node.op for node in graph.nodes() if node.op] == ["pow", "sum", "grad"]  # a call like any other
        cube.backward(create_graph=True)
        assert len([node for node in graph.nodes() if node.op]) == 3
        loss, slope_again, x.grad = x.grad.sum(), x.grad, None
    ops = [node.op for node in graph.nodes() if node.op]
    assert "mul" in ops[3:-1]  # 3x² · g, of the pass
    assert torch.equal(slope, slope_again)
    GraphExecutor(graph).backward(loss)
    assert x.grad.tolist() == [6.0, 12.0]


def test_a_tensor_without_numbers_has_no_statistics() -> None:
    x = torch.empty(3, device="meta", requires_grad=True)
    graph, loss = _recorded(lambda: (x * 2).sum())
    GraphExecutor(graph).backward(loss)
    assert all(node.gradient is None for node in graph.nodes())
    graph, loss = _recorded(lambda: (x * 2).sum())
    with pytest.raises(ValueError, match="there is nothing to step through"):
        viz.step(graph)
    assert loss.requires_grad


def test_a_complex_tensor_shows_its_norm() -> None:
    x = torch.tensor([3 + 4j], requires_grad=True)
    graph, loss = _recorded(lambda: (x * 2j).abs().sum())
    GraphExecutor(graph).backward(loss)
    assert [node.gradient is None for node in graph.nodes()] == [True, True, False, False]
    assert "norm 5 " in viz.graph(graph).text()


@pytest.mark.filterwarnings("ignore:.torch.jit.trace:DeprecationWarning")
@pytest.mark.parametrize(
    "transformed",
    [
        lambda x: torch.func.grad(lambda t: t.sin().sum())(x),
        lambda x: torch.func.vmap(lambda t: t * 2)(x),
        lambda x: torch.jit.trace(lambda t: t.sin(), x)(x),
    ],
)
def test_where_tensors_are_no_values_nothing_is_written(transformed) -> None:
    x, graph = torch.ones(3, requires_grad=True), AutogradGraph()
    with record(graph):
        made = transformed(x)
        assert not [node for node in graph.nodes() if node.op]
        loss = (made * x).sum()
    GraphExecutor(graph).backward(loss)
    seen = x.grad.clone()
    x.grad = None
    (transformed(x) * x).sum().backward()
    assert torch.equal(seen, x.grad)


def test_a_graph_cannot_be_pickled_or_copied() -> None:
    x = torch.ones(3, requires_grad=True)
    graph, loss = _recorded(lambda: (x * 2).sum())
    assert loss.requires_grad
    for way in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="trace a result again with from_tensor"):
            way(graph)


def test_a_closed_graph_runs_the_whole_pass_and_refuses_to_tell_its_steps() -> None:
    x = torch.ones(3, requires_grad=True)
    graph, loss = _recorded(lambda: (x * 2).exp().sum())
    graph.close()
    with pytest.raises(
        RuntimeError, match=r"let go of its leaves, so no step can be told: take the steps before close"
    ):
        GraphExecutor(graph).steps(loss)
    with pytest.raises(RuntimeError, match=r"closed> has let go of its tensors: pass the root"):
        viz.step(graph)
    GraphExecutor(graph).backward(loss)
    assert torch.equal(x.grad, 2 * (x.detach() * 2).exp())


def test_what_is_no_gradient_no_graph_and_no_tensor_is_refused() -> None:
    graph, loss = _recorded(lambda: torch.ones(3, requires_grad=True).sum())
    with pytest.raises(TypeError, match=r"gradient is a tensor of PyTorch's, of the root's shape, not a float"):
        GraphExecutor(graph).backward(loss, 2.0)
    with pytest.raises(TypeError, match="writes into an AutogradGraph, not into a Linear"):
        CustomTensor([1.0], torch.nn.Linear(1, 1))
    with pytest.raises(TypeError, match="refs is a ReferenceManager, or left out; this is a int"):
        AutogradGraph(refs=3)
    with pytest.raises(TypeError, match=r"label\(w=…\) names a tensor; this is a int"):
        graph.label(w=3)
    with pytest.raises(TypeError, match="cannot be pickled or copied"):
        copy.deepcopy(graph.refs)


@pytest.mark.parametrize(
    "program",
    [
        lambda: torch.eye(2).to_sparse().requires_grad_() * 2,
        lambda: torch.eye(2).to_sparse_csr().requires_grad_() * 2,
        lambda: torch.empty(2, device="meta", requires_grad=True) * 2,
        lambda: torch.ones(2, requires_grad=True).to(torch.float8_e5m2),
        lambda: torch.nested.as_nested_tensor([torch.ones(2), torch.ones(3)]).requires_grad_() * 2,
        lambda: torch.ones(2, dtype=torch.complex64, requires_grad=True) * 1j,
    ],
)
@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors", "ignore:Sparse CSR tensor support")
def test_the_nan_finder_looks_at_tensors_of_every_kind(program) -> None:
    with record(AutogradGraph(find_nan=True)):
        result = program()
    if result.device.type == "meta":
        return
    with pytest.raises(NanError, match="mul made nan"), record(AutogradGraph(find_nan=True)):
        (result.float() if result.element_size() == 1 else result) * float("nan")


@pytest.mark.filterwarnings("ignore:.torch.jit.script:DeprecationWarning")
def test_a_recorded_model_cannot_be_compiled_by_torch_jit_script() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(2, 2))
    with (
        pytest.raises(AttributeError, match=r"call torch\.jit\.script before the recording begins"),
        record(AutogradGraph(), model=model),
    ):
        torch.jit.script(model)
    torch.jit.script(model)


@pytest.mark.parametrize("quiet", [torch.no_grad, torch.enable_grad])
def test_attention_in_eval_is_taken_step_by_step_and_a_warning_says_so(quiet) -> None:
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).requires_grad_(False)
    with record(AutogradGraph(), model=layer), quiet():
        layer(torch.ones(1, 3, 8))
        layer.eval()
        with pytest.warns(UserWarning, match="the last bits may be others than without recording"):
            layer(torch.ones(1, 3, 8))


def test_every_test_that_the_document_names_is_there() -> None:
    tables = re.findall(r"^\|.*\|$", DOCUMENT, re.MULTILINE)
    folder, file, found = "", "", 0
    for line in tables:
        if where := re.search(r"test in `(tests/\w+/)`", line):
            folder = where[1]
        for name in re.findall(r"`((?:tests/\w+/)?(?:test_\w+\.py|…)(?:::test_\w+)?)`", line.rsplit(" | ", 1)[-1]):
            path, _, test = name.partition("::")
            file = file if path == "…" else path if path.startswith("tests/") else folder + path
            text = (ROOT / file).read_text()
            assert not test or f"def {test}(" in text, name
            found += 1
    assert found > 40
