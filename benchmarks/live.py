"""What it costs to follow a training: `python -m benchmarks.live`, the small GPT with viz.live and without, in turns.

Each kind runs in a Jupyter kernel of its own, so that frames are made and sent as they are in a notebook. Times are CPU
time of the whole process, its sending threads included, with one BLAS thread; a figure compares the lower quartiles
over many rounds, for what else the machine does only ever adds. The quiet row follows nothing and says how far two
equal things lie apart.
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

ROUND_SECONDS = 0.3
KINDS = ("plain", "quiet", "norms", "everything")
GOALS = {"norms": 0.01, "everything": 0.03}
WORKLOADS = {"gpt": "small GPT", "spirals": "spirals, an MLP with a boundary"}


class Kernel:
    """A kernel that trains one workload in one way."""

    def __init__(self, workload: str, kind: str) -> None:
        from jupyter_client.manager import start_new_kernel

        self._manager, self._client = start_new_kernel(kernel_name="python3")
        self._said("import contextvars\nfrom benchmarks import live\ncontext = contextvars.copy_context()")
        self._said(f"go_on = live.loop_of({workload!r}, {kind!r})")
        self.seconds(3)

    def seconds(self, steps: int) -> float:
        """CPU seconds a step, over so many."""
        return float(self._said(f"print(live.timed(context, go_on, {steps}))"))

    def stop(self) -> None:
        """Ends the kernel."""
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)

    def _said(self, code: str) -> str:
        texts: list[str] = []

        def hear(message: Any) -> None:
            if message["msg_type"] == "stream" and message["content"]["name"] == "stdout":
                texts.append(message["content"]["text"])

        reply = self._client.execute_interactive(code, output_hook=hear)["content"]
        if reply["status"] != "ok":
            raise RuntimeError("\n".join(reply["traceback"]))
        return "".join(texts)


def timed(context: contextvars.Context, go_on: Callable[[int], None], steps: int) -> float:
    """CPU seconds a step in this process, in the context in which the board was begun."""
    begun = time.process_time()
    context.run(go_on, steps)
    return (time.process_time() - begun) / steps


def measured(workload: str, rounds: int) -> list[str]:
    """The figures of one workload, as lines of text."""
    kernels = {kind: Kernel(workload, kind) for kind in KINDS}
    try:
        steps = max(1, round(ROUND_SECONDS / kernels["plain"].seconds(5)))
        times: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for turn in range(rounds):
            for kind in KINDS if turn % 2 else KINDS[::-1]:
                times[kind].append(kernels[kind].seconds(steps))
    finally:
        for kernel in kernels.values():
            kernel.stop()
    plain = quartile(times["plain"])
    lines = [f"{WORKLOADS[workload]}: {plain * 1e3:.2f} ms a step"]
    for kind in KINDS[1:]:
        goal = f" (goal {GOALS[kind]:.0%})" if kind in GOALS and workload == "gpt" else ""
        lines.append(f"  {kind:10} {quartile(times[kind]) / plain - 1:+.2%}{goal}")
    return lines


def quartile(values: list[float]) -> float:
    """A quarter of the values lie below it."""
    return statistics.quantiles(values, n=4)[0]


def loop_of(workload: str, kind: str) -> Callable[[int], None]:
    """The training loop, which goes on by so many steps when it is called."""
    return {"gpt": _gpt, "spirals": _spirals}[workload](kind)


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

    return go_on


def main() -> None:
    """Measures and prints; the number of rounds may be given."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    os.environ.update(ONE_THREAD)  # for the kernels
    for workload in WORKLOADS:
        sys.stdout.writelines(f"{line}\n" for line in measured(workload, rounds))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
