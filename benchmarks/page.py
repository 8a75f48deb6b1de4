"""The figures in a page of docs/: Markdown tables between two comments, the rest of the page left as it is."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from benchmarks.operations import LIMIT, Measured
from benchmarks.race import Raced
from benchmarks.table import NAMES, Row, ratio, seconds, surroundings, verdict

BEGIN, END = "<!-- as last measured -->", "<!-- to here -->"


class PageError(Exception):
    """A page without a place for the figures."""


def filled(page: str, sections: list[str]) -> str:
    """The page with these sections between the comments. Raises PageError when they are not there, in this order."""
    before, found, rest = page.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise PageError(f"the page needs the lines {BEGIN} and {END}: the figures are written between them")
    return "\n\n".join([before + BEGIN, measured_on(), *sections, END + after])


def write(path: Path, sections: list[str]) -> None:
    """Fills the page in one move: it is never half written."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(filled(path.read_text("utf-8"), sections), encoding="utf-8")
    new.replace(path)


def measured_on() -> str:
    """The day and the versions."""
    versions = ", ".join(f"{name} {version}" for name, version in surroundings().items())
    return f"Measured on {dt.datetime.now(dt.UTC):%Y-%m-%d}: {versions}."


def steps_section(found: list[Raced]) -> str:
    """A line for each workload and contender, the goal beside the ratio."""
    rows = []
    for raced in found:
        ours = seconds(raced.minimum("minitorch")), seconds(raced.median("minitorch"))
        rows.append((raced.workload.title, "minitorch", *ours, "", "", ""))
        for contender in raced.times:
            if contender == "minitorch":
                continue
            goal = raced.workload.goals.get(contender)
            judged = ("", "") if goal is None else (f"≤ {ratio(goal)}", verdict(raced.is_met(contender)))
            times = seconds(raced.minimum(contender)), seconds(raced.median(contender))
            rows.append(("", NAMES[contender], *times, ratio(raced.ratio_to(contender)), *judged))
    return _table(("one training step", "contender", "minimum", "median", "minitorch / it", "goal", ""), rows)


def rows_section(found: list[Row], title: str) -> str:
    """Each figure beside its goal."""
    rows = [
        (row.what.replace("    ", "… "), f"{row.value:.3g}", row.unit, _at_most(row.goal), row.verdict) for row in found
    ]
    return _table((title, "value", "unit", "goal", ""), rows)


def operations_section(found: list[Measured]) -> str:
    """How many are within the limit, and which are the slowest beside NumPy."""
    met = sum(each.is_met for each in found)
    slowest = ", ".join(f"`{each.name}` {each.ratio:.2f}" for each in found[:5])
    return (
        f"Operations on about 100,000 numbers, recorded, beside their plain NumPy form: {met} of {len(found)} take at "
        f"most {LIMIT:g} times as long. The largest ratios: {slowest}."
    )


def _at_most(goal: float | None) -> str:
    return "" if goal is None else f"≤ {goal:g}"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
