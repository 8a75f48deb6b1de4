"""Runs every measurement and prints it beside its goal: `python -m benchmarks [--only engine|operations]`."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from benchmarks.operations import LIMIT, Measured

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


def printed_by(module: str, *arguments: str) -> Any:
    """The JSON that a module prints, run in a process of its own with one BLAS thread."""
    command = [sys.executable, "-m", module, *arguments]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, env=os.environ | ONE_THREAD).stdout)


def measured(name: str) -> dict[str, float]:
    """One measurement of the engine."""
    return {key: float(value) for key, value in printed_by("benchmarks.measures", name).items()}


def rows() -> list[Row]:
    """All that is measured of the engine; PyTorch's rows only where it is installed."""
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


def operations() -> list[Measured]:
    """Every operation beside its plain NumPy form, the slowest ratio first."""
    return [Measured(**each) for each in printed_by("benchmarks.operations")]


def engine_table(found: list[Row]) -> Table:
    """Each figure beside its goal."""
    table = Table("measured", "value", "unit", "goal", "")
    for row in found:
        goal = "" if row.goal is None else f"≤ {row.goal:g}"
        table.add_row(row.what, f"{row.value:.3g}", row.unit, goal, row.verdict)
    return table


def operations_table(found: list[Measured]) -> Table:
    """Each operation's ratio beside the limit."""
    title = f"operations on about 100,000 numbers, recorded: {sum(each.is_met for each in found)} of {len(found)} met"
    table = Table("operation", "µs", "µs in plain NumPy", "ratio", "goal", "", title=title)
    for each in found:
        verdict = "met" if each.is_met else "missed"
        table.add_row(each.name, f"{each.ours:.1f}", f"{each.plain:.1f}", f"{each.ratio:.2f}", f"≤ {LIMIT:g}", verdict)
    return table


@click.command()
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Also write the figures to this file.")
@click.option("--only", type=click.Choice(["engine", "operations"]), help="One of the two tables.")
def main(json_file: Path | None, only: str | None) -> None:
    """Measures the engine, then every operation against plain NumPy; prints each figure beside its goal.

    CPU time of the cheapest of many rounds, one BLAS thread, float32.
    """
    figures: dict[str, list[dict[str, Any]]] = {}
    if only != "operations":
        found = rows()
        Console().print(engine_table(found))
        figures["engine"] = [vars(row) for row in found]
    if only != "engine":
        compared = operations()
        Console().print(operations_table(compared))
        figures["operations"] = [vars(each) | {"ratio": each.ratio} for each in compared]
    if json_file is not None:
        json_file.write_text(json.dumps(figures, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
