"""What it costs to follow a training: `python -m benchmarks.live`, the small GPT with viz.live and without, in turns.

It runs in a Jupyter kernel, so that frames are made and sent as they are in a notebook: 20 a second and no more often
than the board allows itself. Times are CPU time of the whole process, its sending threads included, with one BLAS
thread; a figure compares the lower quartiles over many short rounds, for what else the machine does only ever adds. The
quiet row follows nothing and says how far two equal things lie apart.
"""

from __future__ import annotations

import contextvars
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.race import ONE_THREAD

ROUND_SECONDS = 0.05
KINDS = ("plain", "quiet", "norms", "everything")
GOALS = {"norms": 0.01, "everything": 0.03}


def kernel_cell(rounds: int) -> str:
    """The cell that measures, in a kernel of its own."""
    return f"from benchmarks.live import measured\nprint(measured({rounds}))"


def measured(rounds: int) -> str:
    """The figures as lines of text."""
    lines = []
    for name, loops in (("small GPT", _gpt), ("spirals, an MLP with a boundary", _spirals)):
        times = _in_turns({kind: loops(kind) for kind in KINDS}, rounds)
        plain = quartile(times["plain"])
        lines.append(f"{name}: {plain * 1e3:.2f} ms a step")
        for kind in KINDS[1:]:
            more = quartile(times[kind]) / plain - 1
            goal = f" (goal {GOALS[kind]:.0%})" if kind in GOALS else ""
            lines.append(f"  {kind:10} {more:+.2%}{goal}")
    return "\n".join(lines)


def quartile(values: list[float]) -> float:
    """A quarter of the values lie below it."""
    return statistics.quantiles(values, n=4)[0]


def _in_turns(loops: dict[str, Callable[[int], None]], rounds: int) -> dict[str, list[float]]:
    """CPU seconds a step, a value for each round, by kind; each in a context of its own, where its board lives."""
    contexts = {kind: contextvars.copy_context() for kind in loops}
    for kind, loop in loops.items():
        contexts[kind].run(loop, 3)
    begun = time.process_time()
    loops["plain"](5)
    steps = max(1, round(ROUND_SECONDS * 5 / (time.process_time() - begun)))
    times: dict[str, list[float]] = {kind: [] for kind in loops}
    for turn in range(rounds):
        order = KINDS if turn % 2 else KINDS[::-1]
        for kind in order:
            begun = time.process_time()
            contexts[kind].run(loops[kind], steps)
            times[kind].append((time.process_time() - begun) / steps)
    for kind, loop in loops.items():
        contexts[kind].run(loop, 0)
    return times


def _gpt(kind: str) -> Callable[[int], None]:
    import numpy as np

    import minitorch
    from benchmarks.steps import workload_named

    workload: Any = workload_named("gpt", "goal")
    problem = workload.draw(np.random.default_rng(0))
    model = workload.network(minitorch)
    for block in list(model.body)[: workload.layers]:
        block.mlp[1] = minitorch.nn.ReLU()  # in place of a GELU, so that there are units that can be dead
    pairs = [(minitorch.from_numpy(x), minitorch.from_numpy(y)) for x, y in problem.batches]
    return _loop(kind, model, lambda x, y: minitorch.nn.functional.cross_entropy(model(x), y.flatten()), pairs, {})


def _spirals(kind: str) -> Callable[[int], None]:
    import minitorch
    from minitorch import nn
    from minitorch.data import spirals

    points, classes = spirals(300, seed=0)
    model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))
    pair = (minitorch.tensor(points), minitorch.tensor(classes))
    cross_entropy = nn.functional.cross_entropy
    return _loop(kind, model, lambda x, y: cross_entropy(model(x), y), [pair], {"boundary": (points, classes)})


def _loop(kind: str, model: Any, loss_of: Any, pairs: list[Any], plane: dict[str, Any]) -> Callable[[int], None]:
    """A training loop that goes on by so many steps when it is called, and ends when told to go on by none."""
    from minitorch import optim, viz

    optimizer = optim.AdamW(model.parameters(), lr=1e-3)
    followed = kind in GOALS
    board = viz.live(model, optimizer, dead_units=kind == "everything", **(plane if kind == "everything" else {}))
    begun = False

    def go_on(steps: int) -> None:
        nonlocal begun
        if followed and not begun:
            board.__enter__()
            begun = True
        for step in range(steps):
            x, y = pairs[step % len(pairs)]
            optimizer.zero_grad()
            loss = loss_of(x, y)
            loss.backward()
            optimizer.step()
            value = loss.item()
            if followed:
                board.loss(value)
        if followed and not steps:
            board.__exit__(None, None, None)

    return go_on


def main() -> None:
    """Starts a kernel, measures in it and prints."""
    import nbformat
    from nbclient import NotebookClient

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    os.environ.update(ONE_THREAD)
    cell = nbformat.v4.new_code_cell(kernel_cell(rounds))
    client = NotebookClient(nbformat.v4.new_notebook(cells=[cell]), timeout=None, kernel_name="python3")
    client.execute()
    sys.stdout.writelines(output.text for output in cell.outputs if output.output_type == "stream")


if __name__ == "__main__":
    main()
