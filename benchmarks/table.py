"""The tables: each figure beside its goal, and whether it is met."""

from __future__ import annotations

import importlib.metadata
import platform
from dataclasses import dataclass

from rich.table import Table

from benchmarks.operations import LIMIT, Measured
from benchmarks.race import Raced

NAMES = {
    "numpy": "NumPy by hand",
    "torch": "PyTorch eager",
    "floats": "Python floats by hand",
    "micrograd": "micrograd",
    "minitorch_signs": "minitorch, + and * alone",
}


@dataclass(frozen=True)
class Row:
    """One line of a table: what was measured, in which unit, and the goal (None where there is none)."""

    what: str
    value: float
    unit: str
    goal: float | None = None

    @property
    def verdict(self) -> str:
        """Whether the goal is met."""
        return "" if self.goal is None else verdict(self.value <= self.goal)


def verdict(is_met: bool) -> str:
    """In one word."""
    return "met" if is_met else "missed"


def seconds(value: float) -> str:
    """Three digits, in the unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} µs"


def ratio(value: float) -> str:
    """Three digits, however small."""
    return f"{value:.3f}" if value >= 0.1 else f"{value:.2g}"


def steps_table(found: list[Raced]) -> Table:
    """A line for each contender: its step, how many of them minitorch's takes, and how many it may take."""
    title = "one training step, CPU time; ratios of the minima"
    table = Table("workload", "contender", "minimum", "median", "minitorch / it", "goal", "", title=title)
    for raced in found:
        what = raced.workload.title
        for contender in raced.times:
            times = seconds(raced.minimum(contender)), seconds(raced.median(contender))
            if contender == "minitorch":
                table.add_row(what, contender, *times)
            else:
                goal = raced.workload.goals.get(contender)
                judged = ("", "") if goal is None else (f"≤ {ratio(goal)}", verdict(raced.is_met(contender)))
                table.add_row(what, NAMES[contender], *times, ratio(raced.ratio_to(contender)), *judged)
            what = ""
        table.add_section()
    return table


def rows_table(found: list[Row], title: str) -> Table:
    """Each figure beside its goal."""
    table = Table("measured", "value", "unit", "goal", "", title=title)
    for row in found:
        goal = "" if row.goal is None else f"≤ {row.goal:g}"
        table.add_row(row.what, f"{row.value:.3g}", row.unit, goal, row.verdict)
    return table


def operations_table(found: list[Measured]) -> Table:
    """Each operation's ratio beside the limit."""
    title = f"operations on about 100,000 numbers, recorded: {sum(each.is_met for each in found)} of {len(found)} met"
    table = Table("operation", "µs", "µs in plain NumPy", "ratio", "goal", "", title=title)
    for each in found:
        figures = f"{each.ours:.1f}", f"{each.plain:.1f}", f"{each.ratio:.2f}"
        table.add_row(each.name, *figures, f"≤ {LIMIT:g}", verdict(each.is_met))
    return table


def surroundings() -> dict[str, str]:
    """What the figures depend on: the processor's kind and the versions."""
    found = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
    for package in ("numpy", "torch", "micrograd"):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
