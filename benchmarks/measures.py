"""The measurements. Each runs in a process of its own (`python -m benchmarks.measures NAME`) and prints JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

ROUNDS = 15


def cheapest(action: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """CPU seconds of the cheapest of many rounds: noise only ever adds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        kept = action()
        best = min(best, time.process_time() - start)
        del kept
    return best


def chain(size: int, length: int = 10_000) -> dict[str, float]:
    """Microseconds an operation of a chain of additions: forward, backward, and freeing the graph."""
    from minitorch import Tensor

    best = {"forward": float("inf"), "backward": float("inf"), "free": float("inf")}
    for _ in range(ROUNDS):
        x, one = Tensor(np.ones(size, np.float32), requires_grad=True), Tensor(np.ones(size, np.float32))
        seed = np.ones(size, np.float32)
        times = [time.process_time()]
        y = x
        for _ in range(length):
            y = y + one
        times.append(time.process_time())
        y.backward(seed)
        times.append(time.process_time())
        del y
        times.append(time.process_time())
        for name, start, stop in zip(best, times, times[1:], strict=False):
            best[name] = min(best[name], stop - start)
    return {name: seconds / length * 1e6 for name, seconds in best.items()}


def million() -> dict[str, float]:
    """A graph of 1,000,000 nodes: microseconds a node."""
    from minitorch import Tensor

    x, one = Tensor(np.ones(1, np.float32), requires_grad=True), Tensor(np.ones(1, np.float32))
    start = time.process_time()
    y = x
    for _ in range(1_000_000):
        y = y + one
    built = time.process_time()
    y.backward()
    return {"build": built - start, "backward": time.process_time() - built}


def scalar_chain(length: int = 10_000) -> dict[str, float]:
    """Microseconds an operation of the scalar engine: a chain of `v * 1.001 + w`."""
    from minitorch.scalar import Value

    def run() -> Any:
        w, v = Value(0.5), Value(1.0)
        for _ in range(length // 2):
            v = v * 1.001 + w
        v.backward()

    return {"total": cheapest(run) / length * 1e6}


def first_gradient() -> dict[str, float]:
    """Milliseconds from a started interpreter to the first gradient; NumPy's own import alone; the difference."""
    code = "import time; a = time.perf_counter(); {}; print(time.perf_counter() - a)"
    ours = "from minitorch import Tensor; x = Tensor(2.0, requires_grad=True); (x * x).backward()"
    with tempfile.TemporaryDirectory() as cache:  # modules are compiled once, whatever this environment says of .pyc
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = cache
        numpy, first = (
            min(_in_new_process(code.format(what), environment) for _ in range(7)) for what in ("import numpy", ours)
        )
    return {"numpy": numpy * 1e3, "total": first * 1e3, "beyond numpy": (first - numpy) * 1e3}


def _in_new_process(code: str, environment: dict[str, str]) -> float:
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


MEASURES: dict[str, Callable[[], dict[str, float]]] = {
    "chain of 1": lambda: chain(1),
    "chain of 1,000": lambda: chain(1000),
    "million": million,
    "scalar chain": scalar_chain,
    "first gradient": first_gradient,
}

if __name__ == "__main__":
    print(json.dumps(MEASURES[sys.argv[1]]()))
