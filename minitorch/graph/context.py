"""Recording as a `with` block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from minitorch.graph.executor import GraphExecutor
from minitorch.graph.refs import ReferenceManager
from minitorch.graph.store import AutogradGraph

if TYPE_CHECKING:
    from minitorch.nn.module import Module


def autograd_graph(
    *models: Module,
    refs: ReferenceManager | None = None,
    name: str = "",
    max_nodes: int | None = None,
    find_nan: bool = False,
) -> AutogradGraph:
    """A new graph, to be entered: `with autograd_graph() as graph:` records what this thread or task computes inside.

    models: their modules give names to what happens in them. Names from several models begin with 0, 1 and so on, as
    from a Sequential of them; `AutogradGraph.watch(model, name)` takes another beginning. The graph stays readable
    after the block, and holds its leaves until `graph.close()` or until nobody holds it; an exception closes it. The
    rest is as in AutogradGraph.

    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> with autograd_graph() as graph:
    ...     loss = (x * 3.0).sum()
    >>> graph
    <AutogradGraph: 3 nodes, 2 edges>
    """
    graph = AutogradGraph(refs, name=name, max_nodes=max_nodes, find_nan=find_nan)
    for number, model in enumerate(models):
        graph.watch(model, str(number) if len(models) > 1 else "")
    return graph


@contextmanager
def with_autograd_graph(*models: Module, **options: Any) -> Iterator[tuple[AutogradGraph, ReferenceManager]]:
    """Records, and on a clean exit runs the backward pass from the one living scalar; then the leaves are let go.

    The arguments are autograd_graph's. Raises RuntimeError that names the candidates when there is no living scalar
    that nothing living was made from, or more than one. An exception in the block closes the graph and changes no
    gradient.

    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> with with_autograd_graph() as (graph, refs):
    ...     loss = (x * x).sum()
    >>> x.grad
    array([2., 4.], dtype=float32)
    """
    graph = autograd_graph(*models, **options)
    try:
        with graph:
            yield graph, graph.refs
        GraphExecutor(graph).backward()
    finally:
        graph.close()
