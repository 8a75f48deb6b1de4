"""The figures in a page of docs/: Markdown tables between two comments, the rest of the page left as it is."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from benchmarks.operations import LIMIT, Measured
from benchmarks.table import surroundings

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


def operations_section(found: list[Measured]) -> str:
    """How many are within the limit, and which are the slowest beside NumPy."""
    met = sum(each.is_met for each in found)
    slowest = ", ".join(f"`{each.name}` {each.ratio:.2f}" for each in found[:5])
    return (
        f"Operations on about 100,000 numbers, recorded, beside their plain NumPy form: {met} of {len(found)} take at "
        f"most {LIMIT:g} times as long. The largest ratios: {slowest}."
    )
