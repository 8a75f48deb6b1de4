"""What it costs to record memory: `python -m benchmarks.recording`, training steps inside `viz.memory` and outside.

All kinds take turns in one process, a few steps a round, each with weights of its own; CPU time with one BLAS thread.
A figure compares the lower quartiles over the rounds, for what else the machine does only ever adds. The quiet row
records nothing and says how far two equal things lie apart. Beside a step stands what follows once, when the block is
left: the facts are put in order, and a notebook's cell is made of them. The number of rounds may be given.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from typing import Any

from benchmarks.race import ONE_THREAD

STEPS = 5  # in one recording, as somebody would look at them
KINDS = ("plain", "quiet", "recorded", "inside")
WORKLOADS = ("mlp-sgd", "mlp-large", "gpt")


def measured(workload: str, rounds: int) -> list[str]:
    """The figures of one workload, as lines of text."""
    loops = {kind: Loop(workload, kind) for kind in KINDS}
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for turn in range(-2, rounds):
        for kind in KINDS if turn % 2 else KINDS[::-1]:
            spent = loops[kind].seconds()
            if turn >= 0:
                times[kind].append(spent)
    plain = quartile(times["plain"])
    lines = [f"{loops['plain'].title}: {plain * 1e3:.3g} ms a step"]
    for kind in KINDS[1:]:
        now = quartile(times[kind])
        more = (now - plain) / loops[kind].moments * 1e6 if loops[kind].moments else 0.0
        each = f", {more:.0f} µs for each of {loops[kind].moments:.0f} moments" if more else ""
        lines.append(f"  {kind:9} {now * 1e3:.3g} ms, {now / plain:.2f} times{each}")
    ended, shown = (quartile(each) * 1e3 for each in (loops["recorded"].ended, loops["recorded"].shown))
    return [*lines, f"  at the end of {STEPS} steps {ended:.1f} ms, and {shown:.0f} ms for the cell"]


def quartile(values: list[float]) -> float:
    """A quarter of the values lie below it."""
    return statistics.quantiles(values, n=4)[0]


class Loop:
    """One workload, trained in one way. moments: how many a step has; ended, shown: seconds after each recording."""

    def __init__(self, workload: str, kind: str) -> None:
        import numpy as np

        import minitorch
        from benchmarks.steps import workload_named

        chosen: Any = workload_named(workload, "goal")
        self.title = chosen.title
        self._kind = kind
        problem = chosen.draw(np.random.default_rng(0))
        self._model = chosen.network(minitorch)
        self._step = chosen.training(minitorch, self._model, problem.batches)
        self.moments = 0.0
        self.ended: list[float] = []
        self.shown: list[float] = []

    def seconds(self) -> float:
        """CPU seconds a step, over a few."""
        if self._kind in ("plain", "quiet"):
            return self._spent()
        from minitorch import viz

        seen = viz.memory(model=self._model, inside=self._kind == "inside")
        with seen:
            spent = self._spent()
            begun = time.process_time()
        self.ended.append(time.process_time() - begun)
        begun = time.process_time()
        seen._repr_mimebundle_()
        self.shown.append(time.process_time() - begun)
        self.moments = len(seen.runs[0].moments) / STEPS
        return spent

    def _spent(self) -> float:
        begun = time.process_time()
        for _ in range(STEPS):
            self._step()
        return (time.process_time() - begun) / STEPS


def main() -> None:
    """Measures and prints."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    if any(os.environ.get(name) != one for name, one in ONE_THREAD.items()):
        os.execve(
            sys.executable, [sys.executable, "-m", "benchmarks.recording", str(rounds)], {**os.environ, **ONE_THREAD}
        )
    for workload in WORKLOADS:
        sys.stdout.writelines(f"{line}\n" for line in measured(workload, rounds))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
