"""What the operations of a graph cost: bytes kept for the backward pass, and seconds, by node and by module."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from minitorch.graph.executor import GraphExecutor
from minitorch.graph.node import GraphNode
from minitorch.graph.store import AutogradGraph


class Cost(NamedTuple):
    """What an operation costs, or a module with all that is inside of it.

    name: the operation in its module, or the module's path, "" for everything. operations: how many they are. kept:
    bytes that stay for the backward pass, parameters and other leaves not counted; what several keep counts once, for
    the oldest. forward: seconds of the calls, None where nobody measured them. backward: seconds of the gradient rules.
    """

    name: str
    node: GraphNode | None
    operations: int
    kept: int
    forward: float | None
    backward: float


class Costs(tuple[Cost, ...]):
    """One entry for each operation in the order of creation; printed as a table."""

    __slots__ = ()

    def by_module(self) -> Costs:
        """One entry for each module, with all that is inside of it; first, named "", the whole graph."""
        groups: dict[str, list[Cost]] = {"": []}
        for cost in self:
            scope = "" if cost.node is None else cost.node.scope
            parts = scope.split(".") if scope else []
            for count in range(len(parts) + 1):
                groups.setdefault(".".join(parts[:count]), []).append(cost)
        return Costs(_total(path, inside) for path, inside in groups.items())

    def __repr__(self) -> str:
        head = ("", "operations", "bytes kept", "forward", "backward")
        rows = [head, *((each.name or "all", *_figures(each)) for each in self)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        texts = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in rows]
        return "\n".join(map("  ".join, texts))


def costs(graph: AutogradGraph, root: Any = None, gradient: Any = None) -> Costs:
    """Runs one backward pass from `root` that sets no `.grad` and frees nothing, and says what each operation costs.

    root, gradient: as in `GraphExecutor.steps`; so are the errors. Calls are timed in `AutogradGraph(timed=True)`,
    those of PyTorch alone; on a device that works beside the program the seconds are those of asking.

    >>> x = Tensor([[1.0, 2.0]], requires_grad=True)
    >>> with AutogradGraph() as graph:
    ...     loss = (x * 3).exp().sum()
    >>> [(each.name, each.kept) for each in costs(graph, loss)]
    [('mul', 0), ('exp', 8), ('sum', 0)]
    >>> (whole,) = costs(graph, loss).by_module()
    >>> whole.operations, whole.kept, whole.forward
    (3, 8, None)
    """
    measured = GraphExecutor(graph).measure(root, gradient)
    found = sorted(measured.items(), key=lambda each: each[0].uid)
    return Costs(
        Cost(node.title, node, 1, kept, graph.seconds.get(node.uid) if graph.seconds is not None else None, seconds)
        for node, (kept, seconds) in found
    )


def _total(path: str, inside: Iterable[Cost]) -> Cost:
    costs = list(inside)
    forward = [each.forward for each in costs if each.forward is not None]
    return Cost(
        path,
        None,
        sum(each.operations for each in costs),
        sum(each.kept for each in costs),
        sum(forward) if forward else None,
        sum(each.backward for each in costs),
    )


def _figures(cost: Cost) -> tuple[str, str, str, str]:
    return str(cost.operations), f"{cost.kept:,}", _time(cost.forward), _time(cost.backward)


def _time(seconds: float | None) -> str:
    return "not timed" if seconds is None else f"{seconds * 1e6:,.0f} µs"
