"""Training steps on the GPU: minitorch beside PyTorch on the same device, and beside itself on the CPU.

A GPU computes behind the program's back, so a clock is read only after it has been waited for: each round is so many
steps between two such waits. The weights and the batches are on the device before; the loss is read in no step but is
compared beforehand. TF32, which rounds numbers to ten binary places, is switched off in PyTorch; CuPy does not use it.
"""

from __future__ import annotations

import importlib.util
import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.race import require_same_curves
from benchmarks.steps import VARIANTS
from benchmarks.steps.gpt import GPT
from benchmarks.steps.mlp import MLP
from benchmarks.steps.workload import NetworkWorkload, Problem

STEPS_OF_THE_CURVE = 8
ROUNDS = 7
ROUND_SECONDS = 0.3

# Sizes that fill a GPU; those of the other benchmarks are so small that it waits for Python.
LARGE = (
    MLP("mlp-4096", (4096, 4096, 4096, 1000), 1024, "SGD", {}, lr=0.01),
    GPT("gpt-384", 6, 384, 6, 256, 32, 97, "AdamW", {}, lr=3e-4),
)
SMALL = tuple(each for each in VARIANTS["goal"] if each.name in ("mlp-sgd", "mlp-large", "gpt", "lenet"))


@dataclass(frozen=True)
class Contender:
    """A library on a device, and how to wait until it has finished."""

    name: str
    library: Any
    device: str
    wait: Callable[[], None]


@dataclass(frozen=True)
class Timed:
    """Seconds a step, the median of the rounds, by contender."""

    title: str
    seconds: dict[str, float]


def contenders(device: str) -> list[Contender]:
    """minitorch on the GPU and on the CPU, and PyTorch on the GPU where it is installed and finds one."""
    import cupy

    import minitorch

    found = [
        Contender("minitorch, GPU", minitorch, device, lambda: cupy.cuda.Device().synchronize()),
        Contender("minitorch, CPU", minitorch, "cpu", lambda: None),
    ]
    if importlib.util.find_spec("torch") is not None:
        import torch

        if torch.cuda.is_available():
            torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
            found.insert(1, Contender("PyTorch, GPU", torch, device, torch.cuda.synchronize))
    return found


def step_of(contender: Contender, workload: NetworkWorkload, problem: Problem) -> Callable[[], Any]:
    """A training step, which returns the loss as a Tensor."""
    library, device = contender.library, contender.device
    model = workload.network(library)
    model.load_state_dict({name: library.from_numpy(weight) for name, weight in problem.copied_weights().items()})
    model.to(device)
    optimizer = getattr(library.optim, workload.optimizer)(model.parameters(), lr=workload.lr)
    cross_entropy = library.nn.functional.cross_entropy
    batches = itertools.cycle([tuple(library.from_numpy(each).to(device) for each in b) for b in problem.batches])

    def step() -> Any:
        x, y = next(batches)
        optimizer.zero_grad()
        loss = cross_entropy(model(x), y.flatten())
        loss.backward()
        optimizer.step()
        return loss

    return step


def timed(workload: NetworkWorkload, all_contenders: list[Contender], seconds: float = ROUND_SECONDS) -> Timed:
    """Compares the loss curves, which also warms up, and then lets the contenders take turns.

    Raises RaceError when the curves differ.
    """
    problem = workload.draw(np.random.default_rng(0))
    steps = {each.name: step_of(each, workload, problem) for each in all_contenders}
    curves = {name: [float(step().item()) for _ in range(STEPS_OF_THE_CURVE)] for name, step in steps.items()}
    require_same_curves(workload.name, curves)
    times: dict[str, list[float]] = {each.name: [] for each in all_contenders}
    for _ in range(ROUNDS):
        for each in all_contenders:
            times[each.name].append(_seconds(steps[each.name], each.wait, seconds))
    return Timed(workload.title, {name: statistics.median(found) for name, found in times.items()})


def _seconds(step: Callable[[], Any], wait: Callable[[], None], seconds: float) -> float:
    """Seconds a step: as many as fill the time, at least one, and then waited for."""
    wait()
    start, count = time.perf_counter(), 0
    while not count or time.perf_counter() - start < seconds:
        step()
        count += 1
    wait()
    return (time.perf_counter() - start) / count


def as_markdown(found: list[Timed]) -> Iterator[str]:
    """Milliseconds a step, and minitorch's ratio to the others."""
    names = list(found[0].seconds)
    others = names[1:]
    yield f"| a training step, ms | {' | '.join(names)} | {' | '.join(f'ratio to {each}' for each in others)} |"
    yield "|---" * (1 + len(names) + len(others)) + "|"
    for each in found:
        own = each.seconds[names[0]]
        cells = [f"{each.seconds[name] * 1e3:.3g}" for name in names]
        cells += [f"{own / each.seconds[name]:.2f}" for name in others]
        yield f"| {each.title} | {' | '.join(cells)} |"
