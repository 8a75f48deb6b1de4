"""The tables: each figure beside its goal, and whether it is met."""

from __future__ import annotations

import importlib.metadata
import platform
from dataclasses import dataclass

from rich.table import Table

from benchmarks.operations import LIMIT, Measured
from benchmarks.race import Raced
from minitorch.course.setup import products

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


@dataclass(frozen=True)
class Sheet:
    """A table in words, for the terminal and for a page."""

    title: str
    head: tuple[str, ...]
    lines: list[tuple[str, ...]]

    def printed(self) -> Table:
        """For the terminal."""
        table = Table(*self.head, title=self.title)
        is_grouped = any(not what for what, *_ in self.lines)  # the first line of a group alone has its name
        for line in self.lines:
            if is_grouped and line[0]:
                table.add_section()
            table.add_row(*line)
        return table

    def as_markdown(self) -> str:
        """For a page."""
        lines = [self.head, ("---",) * len(self.head), *self.lines]
        return "\n".join(f"| {' | '.join(line)} |".replace("|     ", "| … ") for line in lines)


def steps_sheet(found: list[Raced]) -> Sheet:
    """A line for each contender: its step, how many of them minitorch's takes, and how many it may take."""
    lines = []
    for raced in found:
        what = raced.workload.title
        for contender in sorted(raced.times, key=lambda name: name != "minitorch"):
            times = seconds(raced.minimum(contender)), seconds(raced.median(contender))
            if contender == "minitorch":
                lines.append((what, contender, *times, "", "", ""))
                continue
            goal = raced.workload.goals.get(contender)
            judged = ("", "") if goal is None else (f"≤ {ratio(goal)}", verdict(raced.is_met(contender)))
            lines.append(("", NAMES[contender], *times, ratio(raced.ratio_to(contender)), *judged))
    head = ("one training step", "contender", "minimum", "median", "minitorch / it", "goal", "")
    return Sheet("one training step, CPU time; ratios of the minima", head, lines)


def rows_sheet(found: list[Row], title: str) -> Sheet:
    """Each figure beside its goal."""
    lines = [
        (row.what, f"{row.value:.3g}", row.unit, "" if row.goal is None else f"≤ {row.goal:g}", row.verdict)
        for row in found
    ]
    return Sheet(title, (title, "value", "unit", "goal", ""), lines)


def operations_sheet(found: list[Measured]) -> Sheet:
    """Each operation's ratio beside the limit."""
    title = f"operations on about 100,000 numbers, recorded: {sum(each.is_met for each in found)} of {len(found)} met"
    lines = [
        (each.name, f"{each.ours:.1f}", f"{each.plain:.1f}", f"{each.ratio:.2f}", f"≤ {LIMIT:g}", verdict(each.is_met))
        for each in found
    ]
    return Sheet(title, ("operation", "µs", "µs in plain NumPy", "ratio", "goal", ""), lines)


def surroundings() -> dict[str, str]:
    """What the figures depend on: the processor's kind, the versions, and the kernels that multiply matrices."""
    found = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
    for package in ("numpy", "torch", "micrograd"):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    blas = products.blas()
    if blas is not None:
        found["BLAS"] = str(blas)
        part = products.time_with_wide_kernels() if products.could_be_wider(blas) else None
        if part is not None:
            found[f"a product with {products.CORETYPE}={products.WIDE}"] = f"{part:.2f} of the time"
    return found
