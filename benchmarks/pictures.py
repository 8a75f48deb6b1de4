"""The times of pictures, a script of pyperf: graphs of 60, 2,000 and 10,000 nodes, from the graph to the drawing.

`python -m benchmarks.pictures`, with pyperf's options: it repeats in fresh processes and writes JSON. Times are CPU
time. The goals: 60 nodes in 5 ms, 2,000 in 150 ms, 10,000 in 1 s. "drawn" is `viz.graph(x).svg()`, "shown" what a
notebook stores: the drawing, the words, and for a folded graph the document in which it can be opened.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pyperf

SIZES = (60, 2_000, 10_000)


def tangle(count: int) -> Any:
    """Scalar nodes with long edges and shared results, the same ones each time: nothing to be folded by its form."""
    from minitorch.scalar import Value

    pick = random.Random(0)
    values = [Value(pick.uniform(-1, 1)) for _ in range(max(2, count // 8))]
    while len(values) < count:
        a, b = values[-1], values[max(0, len(values) - pick.randint(1, 25))]
        values.append(a + b if pick.random() < 0.5 else a * b)
    return values[-1]


def chain(count: int) -> Any:
    """One number, to which 1 is added again and again."""
    from minitorch.scalar import Value

    value = Value(1.0)
    for _ in range(count - 1):
        value = value + 1.0
    return value


def timed(loops: int, make: Callable[[int], Any], count: int, shown: bool) -> float:
    """CPU seconds of so many pictures."""
    from minitorch import viz

    root = make(count)
    viz.graph(make(20)).svg()  # what is imported late is imported now
    start = time.process_time()
    for _ in range(loops):
        picture = viz.graph(root)
        if shown:
            picture._repr_mimebundle_()
        else:
            picture.svg()
    return time.process_time() - start


def main() -> None:
    """Measures all sizes of both families, in processes of pyperf's."""
    runner = pyperf.Runner(program_args=("-m", "benchmarks.pictures"), processes=3, values=3, warmups=1)
    for make in (tangle, chain):
        for count in SIZES:
            for shown in (False, True):
                what = "shown" if shown else "drawn"
                runner.bench_time_func(f"{make.__name__} of {count:,}: {what}", timed, make, count, shown)


if __name__ == "__main__":
    main()
