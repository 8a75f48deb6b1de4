"""What the graph store costs: `python -m benchmarks.store`, three figures, each with and without it in turn.

An operation of ours and one of PyTorch's, recorded and not, and a pass through 20,000 of PyTorch's smallest nodes. CPU
time with one thread. A figure is the median of what the pairs say, for the machine's pace changes and a pair sees one;
beside it stands what the least of either say, for what else the machine does only ever adds. The number of rounds may
be given.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.race import ONE_THREAD

OPERATIONS = 20_000


def chain(leaf: Any, factor: Any = 1.0) -> Any:
    """One operation after another, on one number."""
    result = leaf
    for _ in range(OPERATIONS):
        result = result * factor
    return result


def spent(what: Callable[[], Any]) -> tuple[float, Any]:
    """CPU microseconds for each of the operations, and the result."""
    begun = time.process_time()
    result = what()
    return (time.process_time() - begun) / OPERATIONS * 1e6, result


def ours() -> tuple[float, float]:
    """An operation of ours without and with recording."""
    import numpy as np

    from minitorch import Tensor
    from minitorch.graph import autograd_graph

    x = Tensor(np.ones(()), requires_grad=True)
    plain, _ = spent(lambda: chain(x, x))
    with autograd_graph():
        recorded, _ = spent(lambda: chain(x, x))
    return plain, recorded


def pytorch() -> tuple[float, float]:
    """One of PyTorch's."""
    import torch

    from minitorch.bridge import record
    from minitorch.graph import AutogradGraph

    x = torch.ones((), requires_grad=True)
    plain, _ = spent(lambda: chain(x, x))
    with record(AutogradGraph()):
        recorded, _ = spent(lambda: chain(x, x))
    return plain, recorded


def a_pass() -> tuple[float, float]:
    """The pass through a node of PyTorch's, by PyTorch and through the store."""
    import torch

    from minitorch.bridge import record
    from minitorch.graph import AutogradGraph, GraphExecutor

    x, graph = torch.ones((), requires_grad=True), AutogradGraph()
    loss = chain(x)
    plain, _ = spent(loss.backward)
    with record(graph):
        loss = chain(x)
    stored, _ = spent(lambda: GraphExecutor(graph).backward(loss))
    return plain, stored


def told(what: str, measure: Callable[[], tuple[float, float]], rounds: int) -> str:
    """One figure as a line of text. The first pair is not counted."""
    pairs = [measure() for _ in range(rounds + 1)][1:]
    plain, stored = (statistics.median(each) for each in zip(*pairs, strict=True))
    more = statistics.median(after - before for before, after in pairs)
    ratio = statistics.median(after / before for before, after in pairs)
    quick, slow = (min(each) for each in zip(*pairs, strict=True))
    return (
        f"{what:20} {plain:5.2f} µs, with the store {stored:5.2f} µs: {more:5.2f} µs more, {ratio:.2f} times; "
        f"the least {quick:5.2f} µs and {slow:5.2f} µs: {slow - quick:5.2f} µs more, {slow / quick:.2f} times\n"
    )


def main() -> None:
    """Measures and prints."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    if any(os.environ.get(name) != one for name, one in ONE_THREAD.items()):
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks.store", str(rounds)], {**os.environ, **ONE_THREAD})
    for what, measure in (("an operation of ours", ours), ("one of PyTorch's", pytorch), ("a node in a pass", a_pass)):
        sys.stdout.write(told(what, measure, rounds))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
