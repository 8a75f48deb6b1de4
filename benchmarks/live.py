"""What it costs to follow a training: `python -m benchmarks.live`, the small GPT with viz.live and without, in turns.

All kinds run in one process, each in a context of its own, in short rounds. Times are CPU time with one BLAS thread; a
figure compares the lower quartiles over the rounds, for what else the machine does only ever adds. The quiet row has no
board and says how far two equal things lie apart. Frames are not in it: what one costs to make is a line of its own,
and viz.live sends them no more often than keeps them below its share of the processor's time.
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
FRAMES = 100
KINDS = ("plain", "quiet", "norms", "everything")
GOALS = {"norms": 0.01, "everything": 0.03}
WORKLOADS = {"gpt": "small GPT", "spirals": "spirals, an MLP with a boundary"}


def measured(workload: str, rounds: int) -> list[str]:
    """The figures of one workload, as lines of text."""
    from minitorch.viz.drawing.live import SHARE

    loops = {kind: Loop(workload, kind) for kind in KINDS}
    for loop in loops.values():
        loop.seconds(3)
    steps = max(1, round(ROUND_SECONDS / loops["plain"].seconds(5)))
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for turn in range(rounds):
        for kind in KINDS if turn % 2 else KINDS[::-1]:
            times[kind].append(loops[kind].seconds(steps))
    plain = quartile(times["plain"])
    lines = [f"{WORKLOADS[workload]}: {plain * 1e3:.2f} ms a step"]
    for kind in KINDS[1:]:
        goal = f" (goal {GOALS[kind]:.0%}, frames included)" if kind in GOALS and workload == "gpt" else ""
        lines.append(f"  {kind:10} {quartile(times[kind]) / plain - 1:+.2%}{goal}")
    made = loops["everything"].frame_seconds()
    return [*lines, f"  a frame    {made * 1e3:.2f} ms to make; with sending, all are held to {SHARE:.1%}"]


def quartile(values: list[float]) -> float:
    """A quarter of the values lie below it."""
    return statistics.quantiles(values, n=4)[0]


class Loop:
    """One workload, trained in one way, in the context in which its board lives."""

    def __init__(self, workload: str, kind: str) -> None:
        from minitorch import optim, viz

        model, self._loss_of, self._pairs, plane = {"gpt": _gpt, "spirals": _spirals}[workload]()
        self._optimizer = optim.AdamW(model.parameters(), lr=1e-3)
        whole = kind == "everything"
        self._board = viz.live(model, self._optimizer, dead_units=whole, **(plane if whole else {}))
        self._followed = kind in GOALS
        self._context = contextvars.copy_context()
        if self._followed:
            self._context.run(self._board.__enter__)

    def seconds(self, steps: int) -> float:
        """CPU seconds a step, over so many."""
        begun = time.process_time()
        self._context.run(self._go_on, steps)
        return (time.process_time() - begun) / steps

    def frame_seconds(self) -> float:
        """CPU seconds that one frame takes to make."""
        times = []
        for _ in range(FRAMES):
            begun = time.process_time()
            self._board._moment()
            times.append(time.process_time() - begun)
        return quartile(times)

    def _go_on(self, steps: int) -> None:
        for step in range(steps):
            x, y = self._pairs[step % len(self._pairs)]
            self._optimizer.zero_grad()
            loss = self._loss_of(x, y)
            loss.backward()
            self._optimizer.step()
            value = loss.item()
            if self._followed:
                self._board.loss(value)


def _gpt() -> tuple[Any, Callable[..., Any], list[Any], dict[str, Any]]:
    import numpy as np

    import minitorch
    from benchmarks.steps import workload_named

    workload: Any = workload_named("gpt", "goal")
    problem = workload.draw(np.random.default_rng(0))
    model = workload.network(minitorch)
    for block in list(model.body)[: workload.layers]:
        block.mlp[1] = minitorch.nn.ReLU()  # in place of a GELU, so that there are units that can be dead
    pairs = [(minitorch.from_numpy(x), minitorch.from_numpy(y)) for x, y in problem.batches]
    return model, lambda x, y: minitorch.nn.functional.cross_entropy(model(x), y.flatten()), pairs, {}


def _spirals() -> tuple[Any, Callable[..., Any], list[Any], dict[str, Any]]:
    import minitorch
    from minitorch import nn
    from minitorch.data import spirals

    points, classes = spirals(300, seed=0)
    model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))
    pair = (minitorch.tensor(points), minitorch.tensor(classes))
    cross_entropy = nn.functional.cross_entropy
    return model, lambda x, y: cross_entropy(model(x), y), [pair], {"boundary": (points, classes)}


def main() -> None:
    """Measures and prints; the number of rounds may be given."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    if any(os.environ.get(name) != one for name, one in ONE_THREAD.items()):
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks.live", str(rounds)], {**os.environ, **ONE_THREAD})
    for workload in WORKLOADS:
        sys.stdout.writelines(f"{line}\n" for line in measured(workload, rounds))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
