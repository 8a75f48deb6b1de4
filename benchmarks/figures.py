"""The rows of the tables of the engine and of memory: each measurement runs in processes of its own."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pyperf

from benchmarks.operations import Measured
from benchmarks.race import ONE_THREAD
from benchmarks.table import Row

MEGABYTE = 1e6
MICROSECOND, MILLISECOND = 1e-6, 1e-3
# What pyperf is asked for. A round of the chains is one chain, and the million is built once: that takes seconds.
PLANS = {
    "chain": ("--processes=3", "--values=5", "--min-time=0.01"),
    "million": ("--processes=1", "--values=1", "--warmups=0", "--loops=1"),
    "scalar": ("--processes=3", "--values=5", "--min-time=0.01"),
    "import": ("--processes=1", "--values=10", "--loops=1"),
}
LEAST = 8  # bytes: half of the smallest object, so that not even one of those is left behind by each step


def printed_by(module: str, *arguments: str) -> Any:
    """The JSON that a module prints, run in a process of its own with one BLAS thread."""
    command = [sys.executable, "-m", module, *arguments]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, env=os.environ | ONE_THREAD).stdout)


def is_installed(package: str) -> bool:
    """Whether it can be imported."""
    return importlib.util.find_spec(package) is not None


def operations() -> list[Measured]:
    """Every operation beside its plain NumPy form, the slowest ratio first."""
    return [Measured(**each) for each in printed_by("benchmarks.operations")]


def timed() -> list[pyperf.Benchmark]:
    """What benchmarks.engine measures, by pyperf."""
    found: list[pyperf.Benchmark] = []
    with tempfile.TemporaryDirectory() as folder:
        for part, plan in PLANS.items():
            file = str(Path(folder) / f"{part}.json")
            command = [sys.executable, "-m", "benchmarks.engine", *plan, "--quiet", "--copy-env", "-o", file, part]
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=os.environ | ONE_THREAD)
            found += pyperf.BenchmarkSuite.load(file).get_benchmarks()
    return found


def engine(found: list[pyperf.Benchmark]) -> list[Row]:
    """What a node costs, and an import: the smallest of pyperf's values, for noise only ever adds."""
    least = {each.get_name(): min(each.get_values()) for each in found}
    table = []
    for size, goal in (("1", 2.0), ("1,000", 2.4)):
        parts = {part: least[f"chain of {size}: {part}"] / MICROSECOND for part in ("forward", "backward", "free")}
        what = f"chain of 10,000 adds, size {size}: forward + backward + free"
        table.append(Row(what, sum(parts.values()), "µs an op", goal))
        table += [Row(f"    {name}", value, "µs an op") for name, value in parts.items()]
    million = {part: least[f"million: {part}"] / MICROSECOND for part in ("forward", "backward")}
    table.append(Row("graph of 1,000,000 nodes: build", million["forward"], "µs a node", 2.0))
    table.append(Row("graph of 1,000,000 nodes: backward", million["backward"], "µs a node", 1.2))
    table.append(Row("scalar engine: forward + backward", least["scalar chain"] / MICROSECOND, "µs an op"))
    numpy, first = (least[name] / MILLISECOND for name in ("import numpy", "first gradient"))
    table.append(Row("python -c 'import numpy'", numpy, "ms"))
    table.append(Row("import minitorch and the first gradient, beyond that", first - numpy, "ms", 40))
    return table


def memory() -> list[Row]:
    """What is alive at most, and what stays behind. PyTorch's row only where it is installed, on Linux."""

    def measured(name: str) -> Any:
        return printed_by("benchmarks.memory", name)

    table = [Row("graph of 1,000,000 nodes", measured("million")["bytes"], "bytes a node", 220)]
    deep = measured("deep")
    table.append(Row("peak of a 100-layer MLP, 5 steps", deep["minitorch"] / MEGABYTE, "MB"))
    table.append(Row("    what must be alive, from the shapes", deep["alive"] / MEGABYTE, "MB"))
    table.append(Row("    NumPy by hand", deep["numpy"] / MEGABYTE, "MB"))
    table.append(Row("    ratio to what must be alive", deep["minitorch"] / deep["alive"], "", 1.05))
    if is_installed("torch") and Path("/proc/self/status").exists():
        ours, theirs = (measured(f"deep resident, {name}")["growth"] for name in ("minitorch", "torch"))
        table.append(Row("    growth of the resident memory's peak", ours / MEGABYTE, "MB"))
        table.append(Row("    PyTorch's growth", theirs / MEGABYTE, "MB"))
        table.append(Row("    ratio to PyTorch's growth", ours / theirs, "", 0.45))
    for depth, activations in measured("no_grad").items():
        table.append(Row(f"forward under no_grad, {depth} layers", activations, "activations", 4))
    for name, what in (("leak, MLP", "an MLP under Adam"), ("leak, GPT", "a small GPT under AdamW")):
        leak = measured(name)
        table.append(Row(f"1,000 steps of {what}, collector off: growth", leak["bytes"] / 1000, "bytes a step", LEAST))
        table.append(Row("    more objects that the collector tracks", leak["tracked"], "", 0))
        table.append(Row("    unreachable objects", leak["unreachable"], "", 0))
    ours, by_hand = measured("GPT, minitorch")["peak"], measured("GPT, numpy")["peak"]
    table.append(Row("peak of the GPT, 5 steps", ours / MEGABYTE, "MB"))
    table.append(Row("    NumPy by hand", by_hand / MEGABYTE, "MB"))
    table.append(Row("    ratio to NumPy by hand", ours / by_hand, ""))
    return table
