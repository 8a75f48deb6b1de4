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
from minitorch.bridge import record  # noqa: E402
from minitorch.graph import AutogradGraph, GraphExecutor  # noqa: E402

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
