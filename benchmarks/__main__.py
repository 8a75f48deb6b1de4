"""Runs every measurement and prints it beside its goal: `python -m benchmarks [--json FILE]`."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, in which unit, and the goal (None where there is none)."""

    what: str
    value: float
    unit: str
    goal: float | None = None

    @property
    def verdict(self) -> str:
        """Whether the goal is met."""
        if self.goal is None:
            return ""
        return "met" if self.value <= self.goal else "missed"


def measured(name: str) -> dict[str, float]:
    """One measurement, in a process of its own with one BLAS thread."""
    command = [sys.executable, "-m", "benchmarks.measures", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | ONE_THREAD)
    return {key: float(value) for key, value in json.loads(done.stdout).items()}


def rows() -> list[Row]:
    """All the rows; PyTorch's only where it is installed."""
    table = []
    has_torch = importlib.util.find_spec("torch") is not None
    for size, goal in (("1", 2.0), ("1,000", 2.4)):
        parts = measured(f"chain of {size}")
        total = sum(parts.values())
        table.append(Row(f"chain of 10,000 adds, size {size}: forward + backward + free", total, "µs an op", goal))
        table += [Row(f"    {name}", value, "µs an op") for name, value in parts.items()]
        table.append(Row("    NumPy's additions alone", measured(f"chain of {size}, numpy")["total"], "µs an op"))
        if has_torch:
            theirs = measured(f"chain of {size}, torch")["total"]
            table.append(Row("    PyTorch eager, one thread", theirs, "µs an op"))
            table.append(Row("    ratio to PyTorch eager", total / theirs, "", 0.7))
    million = measured("million")
    table.append(Row("graph of 1,000,000 nodes: build", million["build"], "µs a node", 2.0))
    table.append(Row("graph of 1,000,000 nodes: backward", million["backward"], "µs a node", 1.2))
    table.append(Row("graph of 1,000,000 nodes: memory", million["bytes"], "bytes a node", 220))
    table.append(Row("scalar engine: forward + backward", measured("scalar chain")["total"], "µs an op"))
    first = measured("first gradient")
    table.append(Row("import numpy", first["numpy"], "ms"))
    table.append(Row("import minitorch and the first gradient, beyond numpy", first["beyond numpy"], "ms", 40))
    return table


@click.command()
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Also write the figures to this file.")
def main(json_file: Path | None) -> None:
    """Measures the engine and prints each figure beside its goal.

    CPU time of the cheapest of 15 rounds, one BLAS thread, float32.
    """
    table = Table("measured", "value", "unit", "goal", "")
    found = rows()
    for row in found:
        goal = "" if row.goal is None else f"≤ {row.goal:g}"
        table.add_row(row.what, f"{row.value:.3g}", row.unit, goal, row.verdict)
    Console().print(table)
    if json_file is not None:
        json_file.write_text(json.dumps([vars(row) for row in found], indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
