"""The times of pictures, a script of pyperf: graphs of 60, 2,000 and 10,000 nodes, an MLP and a GPT as they come.

`python -m benchmarks.pictures`, with pyperf's options: it repeats in fresh processes and writes JSON; three minutes.
Times are CPU time. The goals: 60 nodes in 5 ms, 2,000 in 150 ms, 10,000 in 1 s. "drawn" is `viz.graph(x).svg()`,
"shown" what a notebook stores: the drawing, the words, and for a folded graph the document in which it can be opened;
"stepped" the same of `viz.step(x)`. `python -m benchmarks.pictures sizes` prints how many bytes a cell stores of 60
nodes instead: the goal is 60,000.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pyperf

Picture = tuple[Any, Any]  # what is drawn, and the model that names its parameters, or None
SIZES = (60, 2_000, 10_000)
POINTS, WIDTHS = 4, (2, 4, 4, 1)  # of the MLP


def tangle(count: int) -> Picture:
    """Scalar nodes with long edges and shared results, the same ones each time: nothing to be folded by its form."""
    from minitorch.scalar import Value

    pick = random.Random(0)
    values = [Value(0.5)]
    nodes = 1
    while nodes < count:
        a, b = values[-1], values[max(0, len(values) - pick.randint(1, 25))]
        tame = abs(a.data) > 10
        if not tame and nodes + 2 <= count and pick.random() < 1 / 8:
            b = Value(pick.uniform(-1, 1))
            nodes += 1
        values.append(a.tanh() if tame else a + b if pick.random() < 0.5 else a * b)
        nodes += 1
    return values[-1], None


def chain(count: int) -> Picture:
    """One number, to which 1 is added again and again."""
    from minitorch.scalar import Value

    value = Value(1.0)
    for _ in range(count - 1):
        value = value + 1.0
    return value, None


def mlp(_count: int) -> Picture:
    """The loss of an MLP of scalar Values on a few points."""
    from minitorch.scalar import Value

    pick = random.Random(0)
    layers = [
        [([Value(pick.uniform(-1, 1)) for _ in range(have)], Value(0.0)) for _ in range(want)]
        for have, want in pairwise(WIDTHS)
    ]
    loss = Value(0.0)
    for _ in range(POINTS):
        x = [Value(pick.uniform(-1, 1)) for _ in range(WIDTHS[0])]
        for layer in layers:
            x = [sum((w * v for w, v in zip(ws, x, strict=True)), b).tanh() for ws, b in layer]
        loss = loss + (x[0] - 1.0) ** 2
    return loss, None


def gpt(blocks: int) -> Picture:
    """The loss of a small GPT."""
    import numpy as np

    import minitorch
    from benchmarks.steps import workload_named

    workload: Any = replace(workload_named("gpt", "goal"), layers=blocks)
    x, y = workload.draw(np.random.default_rng(0)).batches[0]
    model = workload.network(minitorch)
    logits = model(minitorch.from_numpy(x))
    return minitorch.nn.functional.cross_entropy(logits, minitorch.from_numpy(y).flatten()), model


def timed(loops: int, make: Callable[[int], Picture], count: int, what: str) -> float:
    """CPU seconds of so many pictures."""
    from minitorch import viz

    root, model = make(count)
    form: Callable[[], Any] = {
        "drawn": lambda: viz.graph(root, model=model).svg(),
        "shown": lambda: viz.graph(root, model=model)._repr_mimebundle_(),
        "stepped": lambda: viz.step(root, model=model)._repr_mimebundle_(),
    }[what]
    viz.step(chain(20)[0], fold=True)._repr_mimebundle_()  # what is imported late is imported now
    start = time.process_time()
    for _ in range(loops):
        form()
    return time.process_time() - start


def sizes() -> None:
    """Prints the bytes of HTML that a cell stores of graphs of 60 nodes."""
    from minitorch import viz

    for make in (tangle, chain):
        for view in (viz.graph, viz.step):
            stored = view(make(SIZES[0])[0])._repr_mimebundle_()["text/html"]
            print(f"{make.__name__} of {SIZES[0]}, viz.{view.__name__}: {len(stored.encode()):,} bytes")


def main() -> None:
    """Measures all sizes of all families, in processes of pyperf's."""
    # No warm-ups: `timed` imports what comes late before it measures, and a picture keeps nothing for the next one.
    runner = pyperf.Runner(program_args=("-m", "benchmarks.pictures"), processes=2, values=2, warmups=0, min_time=0.02)
    cases: list[tuple[str, Callable[[int], Picture], int]] = [
        *((f"{make.__name__} of {count:,}", make, count) for make in (tangle, chain) for count in SIZES),
        (f"MLP on {POINTS} points", mlp, 0),
        ("GPT of 6 blocks", gpt, 6),
    ]
    for name, make, count in cases:
        for what in ("drawn", "shown", *(("stepped",) if count < SIZES[-1] else ())):
            runner.bench_time_func(f"{name}: {what}", timed, make, count, what)


if __name__ == "__main__":
    if sys.argv[1:] == ["sizes"]:
        sizes()
    else:
        main()
