"""A captured step beside the eager one, NumPy by hand and PyTorch: `python -m benchmarks.replay [goal|odd|single]`.

All begin with the same weights and take turns, in one process, on one thread; what counts is CPU time, and of each the
cheapest round. PyTorch is left out where it is not installed. Then: what capturing costs, in eager steps, the least of
a few, and the peak of memory of one step of each. The figures are ratios to NumPy by hand, which is in microseconds.

Who knows the tricks of a replay can use them by hand, too. That step is the page of the program itself, called with
arrays: nothing is asked before, and nothing copied after. "tricks" is what the replay takes beside it.
"""

from __future__ import annotations

import importlib.util
import itertools
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

import minitorch
from benchmarks.steps import VARIANTS
from benchmarks.steps.workload import NetworkWorkload, Problem
from minitorch.replay import CapturedStep, capture

ROUNDS, ROUND_SECONDS, CAPTURES = 40, 0.02, 5
GOALS = {"mlp-sgd": 0.75, "mlp-adam": 0.62, "mlp-large": 0.97, "gpt": 0.93, "cnn": 0.70, "lenet": 0.97}
SINGLE = 0.6  # a batch of one
MEMORY, CAPTURING = 1.15, 20  # times the eager peak, eager steps


def trained(workload: Any, problem: Problem) -> tuple[Any, Any, Callable[..., Any]]:
    """A model with the problem's weights, its optimiser, and the step of both."""
    model = workload.network(minitorch)
    model.load_state_dict({name: weight.copy() for name, weight in problem.weights.items()})
    optimizer = getattr(minitorch.optim, workload.optimizer)(model.parameters(), lr=workload.lr)

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = minitorch.nn.functional.cross_entropy(model(x), y.flatten())
        loss.backward()
        optimizer.step()
        return loss

    return model, optimizer, step


def seconds(step: Callable[[], Any], count: int) -> float:
    """CPU seconds of one step, over so many."""
    start = time.process_time()
    for _ in range(count):
        step()
    return (time.process_time() - start) / count


def peak(step: Callable[[], Any]) -> int:
    """Bytes that one step takes beyond what was there before it."""
    tracemalloc.start()
    step()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def measured(workload: Any) -> dict[str, float]:
    """Ratios and figures of one workload. Raises RuntimeError if the losses are not the same to the bit."""
    problem = workload.draw(np.random.default_rng(0))
    rounds = itertools.cycle([tuple(map(minitorch.from_numpy, batch)) for batch in problem.batches])
    _, _, eager = trained(workload, problem)
    model, optimizer, function = trained(workload, problem)
    replayed: CapturedStep[..., Any] = capture(function, model, optimizer)
    by_hand = workload.by_numpy(problem)
    by_torch = workload.by_torch(problem) if importlib.util.find_spec("torch") is not None else None
    for number in range(12):
        batch = next(rounds)
        loss = eager(*batch).item()
        if replayed(*batch).item() != loss:
            raise RuntimeError(f"{workload.name}: in step {number} the replay's loss is not the eager one's")
    if not replayed.is_captured:
        raise RuntimeError(f"{workload.name}: not captured")
    tricks = _page_of(workload, problem)
    steps = {
        "hand": by_hand,
        "eager": lambda: eager(*next(rounds)).item(),
        "replay": lambda: replayed(*next(rounds)).item(),
        "tricks": tricks,
    }
    if by_torch is not None:
        steps["torch"] = by_torch
    counts = {name: max(1, int(ROUND_SECONDS / seconds(step, 2))) for name, step in steps.items()}
    least = dict.fromkeys(steps, float("inf"))
    for _ in range(ROUNDS):
        for name, step in steps.items():
            least[name] = min(least[name], seconds(step, counts[name]))
    rooms = replayed.memory()
    return {
        **least,
        "capturing": min(_capturing(workload, problem) for _ in range(CAPTURES)) / least["eager"],
        "memory": (peak(steps["replay"]) + rooms) / peak(steps["eager"]),
    }


def _capturing(workload: Any, problem: Problem) -> float:
    """CPU seconds of all calls of a step until it is captured."""
    model, optimizer, function = trained(workload, problem)
    step: CapturedStep[..., Any] = capture(function, model, optimizer)
    batches = itertools.cycle([tuple(map(minitorch.from_numpy, batch)) for batch in problem.batches])
    start = time.process_time()
    while not step.is_captured:
        step(*next(batches))
    return time.process_time() - start


def _page_of(workload: Any, problem: Problem) -> Callable[[], float]:
    """A step of the program's text alone. It is one of another model's: its names hold that one's gradients."""
    model, optimizer, function = trained(workload, problem)
    step: CapturedStep[..., Any] = capture(function, model, optimizer)
    for _, batch in zip(range(4), itertools.cycle(problem.batches), strict=False):
        step(*map(minitorch.from_numpy, batch))
    page, batches = step.page.function(), itertools.cycle(problem.batches)
    return lambda: page(*next(batches)).item()


def main(variant: str = "goal") -> int:
    """Prints the table; 1 if a goal is missed."""
    columns = ("hand µs", "eager", "torch", "replay", "goal", "tricks", "capture", "memory")
    print("| step | " + " | ".join(columns) + " |\n" + "| --- " * (len(columns) + 1) + "|")
    missed = 0
    for workload in VARIANTS[variant]:
        if not isinstance(workload, NetworkWorkload):
            continue
        found = measured(workload)
        goal = SINGLE if variant == "single" else GOALS[workload.name]
        ratio = found["replay"] / found["hand"]
        missed += ratio > goal or found["memory"] > MEMORY or found["capturing"] > CAPTURING
        torch = f"{found['torch'] / found['hand']:.2f}" if "torch" in found else ""
        print(
            f"| {workload.title} | {found['hand'] * 1e6:,.1f} | {found['eager'] / found['hand']:.2f} | {torch} "
            f"| {ratio:.2f} | ≤ {goal:.2f} | {found['replay'] / found['tricks']:.2f} "
            f"| {found['capturing']:.0f} | {found['memory']:.2f} |",
            flush=True,
        )
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
