"""Memory, measured. Each measurement runs in a process of its own (`python -m benchmarks.memory NAME`), prints JSON.

Array data and Python's objects are counted by tracemalloc, to the byte, the same on every run. PyTorch does not tell
tracemalloc of its tensors; beside it stands the growth of the process's peak resident memory, of all contenders alike.
"""

from __future__ import annotations

import gc
import importlib
import itertools
import json
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.steps import workload_named
from benchmarks.steps.mlp import MLP
from benchmarks.steps.workload import Step, Workload, changed

DEEP = MLP("deep", (256,) * 101, 256, "SGD", {}, lr=0.01)
STEPS = 5
FLOAT = 4


def must_be_alive(widths: Sequence[int], batch: int) -> int:
    """Bytes that a step of an MLP cannot do without, at the moment when they are the most.

    The weights and the batch are always there. Forward keeps the input of each linear layer, which is also what ReLU
    needs. Backward, at a layer, holds the inputs of that layer and of those below, the gradients of the weights from
    that layer up, and two gradients of a batch: the one that it was given and the one that it makes.
    """
    pairs = list(itertools.pairwise(widths))
    weights = [n * m + m for n, m in pairs]
    held = [
        sum(widths[: layer + 1]) * batch
        + sum(weights[layer:])
        + (pairs[layer][1] + bool(layer) * pairs[layer][0]) * batch
        for layer in range(len(pairs))
    ]
    return FLOAT * (sum(weights) + max(held))


def begun(workload: Workload, contender: str) -> Step:
    """A training step on freshly drawn weights and batches."""
    return workload.step(contender, workload.draw(np.random.default_rng(0)))


def traced_peak(workload: Workload, contender: str) -> int:
    """Bytes at the peak of some steps, model, optimiser and batches included; what drew them is gone by then."""
    begun(workload, contender)()  # whatever is imported, or made once
    gc.collect()
    tracemalloc.start()
    step = begun(workload, contender)
    tracemalloc.reset_peak()
    for _ in range(STEPS):
        step()
    return tracemalloc.get_traced_memory()[1]


def deep() -> dict[str, float]:
    """The traced peak of the 100-layer MLP by minitorch and by hand, beside what must be alive."""
    batches = DEEP.draw(np.random.default_rng(0)).batches
    idle = sum(x.nbytes + y.nbytes for x, y in batches) - batches[0][0].nbytes  # no step needs the other batches
    found = {name: traced_peak(DEEP, name) - idle for name in ("minitorch", "numpy")}
    return {"alive": must_be_alive(DEEP.widths, DEEP.batch), **found}


def resident(field: str) -> int:
    """VmRSS, the resident bytes of this process, or VmHWM, their peak; Linux alone tells."""
    line = next(each for each in Path("/proc/self/status").read_text("utf-8").splitlines() if each.startswith(field))
    return int(line.split()[1]) * 1024


def resident_growth(package: str) -> int:
    """How far the deep MLP and its steps raise the peak of the resident memory above what stood before it was made."""
    torch = importlib.import_module(package)
    rng = np.random.default_rng(0)
    small = changed(DEEP, widths=DEEP.widths[:3], batch=4)
    small.training(torch, small.network(torch), small.draw(rng).batches)()
    x = rng.standard_normal((DEEP.batch, DEEP.widths[0]), np.float32)
    y = rng.integers(0, DEEP.widths[-1], DEEP.batch)
    gc.collect()
    before = resident("VmRSS")
    step = DEEP.training(torch, DEEP.network(torch), [(x, y)])
    for _ in range(STEPS):
        step()
    return resident("VmHWM") - before


def no_grad_activations(depth: int) -> float:
    """The traced peak of a forward pass under no_grad, in activations: arrays as large as one layer's output."""
    import minitorch
    from minitorch import nn

    width, batch = 64, 16_384
    model = nn.Sequential(*[layer for _ in range(depth) for layer in (nn.Linear(width, width), nn.ReLU())])
    x = minitorch.zeros(batch, width)
    with minitorch.no_grad():
        model(x)
        tracemalloc.start()
        model(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / (FLOAT * width * batch)


def leak(workload: Workload, steps: int = 1000) -> dict[str, float]:
    """What so many steps with the cyclic collector off leave behind: traced bytes, tracked and unreachable objects.

    The first tenth of the steps, in which caches fill, is not counted.
    """
    step = begun(workload, "minitorch")
    step()
    gc.collect()
    gc.disable()
    tracemalloc.start()
    for _ in range(steps // 10):
        step()
    held, tracked = tracemalloc.get_traced_memory()[0], len(gc.get_objects())
    for _ in range(steps):
        step()
    grown, more = tracemalloc.get_traced_memory()[0] - held, len(gc.get_objects()) - tracked
    tracemalloc.stop()
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    ours = sum(type(each).__module__.partition(".")[0] == "minitorch" for each in gc.garbage)
    unreachable = len(gc.garbage)
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()
    return {"bytes": grown, "tracked": more, "unreachable": unreachable, "ours": ours}


def million() -> dict[str, float]:
    """Bytes a node of a graph of 1,000,000 nodes."""
    from minitorch import Tensor

    x, one = Tensor(np.ones(1, np.float32), requires_grad=True), Tensor(np.ones(1, np.float32))
    tracemalloc.start()
    y = x
    for _ in range(1_000_000):
        y = y + one
    return {"bytes": tracemalloc.get_traced_memory()[0] / 1_000_000}


def small_gpt() -> Any:
    """A GPT of which a thousand steps take seconds."""
    return changed(workload_named("gpt", "goal"), layers=2, width=16, heads=2, context=8, batch=2)


MEASURES: dict[str, Callable[[], dict[str, float]]] = {
    "million": million,
    "deep": deep,
    "deep resident, minitorch": lambda: {"growth": resident_growth("minitorch")},
    "deep resident, torch": lambda: {"growth": resident_growth("torch")},
    "no_grad": lambda: {"10": no_grad_activations(10), "200": no_grad_activations(200)},
    "leak, MLP": lambda: leak(workload_named("mlp-adam", "goal")),
    "leak, GPT": lambda: leak(small_gpt()),
    "GPT, minitorch": lambda: {"peak": traced_peak(workload_named("gpt", "goal"), "minitorch")},
    "GPT, numpy": lambda: {"peak": traced_peak(workload_named("gpt", "goal"), "numpy")},
}

if __name__ == "__main__":
    print(json.dumps(MEASURES[sys.argv[1]]()))
