"""Runs the measurements and prints each beside its goal: `python -m benchmarks`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import pyperf
from rich.console import Console

from benchmarks import figures, page, plot
from benchmarks.race import Raced, RaceError, benchmark, race
from benchmarks.steps import VARIANTS
from benchmarks.table import operations_sheet, rows_sheet, steps_sheet

PARTS = ("steps", "engine", "memory", "operations")


def raced(names: tuple[str, ...], variant: str, rounds: int, seed: int) -> list[Raced]:
    """The races of the workloads whose names begin with one of these; of all when there are none."""
    chosen = [each for each in VARIANTS[variant] if not names or each.name.startswith(names)]
    if not chosen:
        known = ", ".join(each.name for each in VARIANTS[variant])
        raise click.BadParameter(f"none of {variant} begins with {', '.join(names)}: there are {known}")
    found = []
    with Console(stderr=True).status("") as status:
        for workload in chosen:
            status.update(f"{workload.name}: do all compute the same?")
            contenders = [each for each in workload.contenders if each not in OPTIONAL or figures.is_installed(each)]
            found.append(race(workload, contenders, rounds, seed, _watch(status, workload.name, rounds)))
    return found


OPTIONAL = ("torch", "micrograd")


def _watch(status: Any, name: str, rounds: int) -> Any:
    return lambda done: status.update(f"{name}: round {done} of {rounds}")


@click.command(context_settings={"max_content_width": 100})
@click.option("--only", type=click.Choice(PARTS), help="One part alone.")
@click.option(
    "--workload",
    "names",
    multiple=True,
    help="Of the steps, those whose name begins so: mlp, gpt, cnn, … May be given several times; implies --only steps.",
)
@click.option(
    "--variant",
    type=click.Choice(list(VARIANTS)),
    default="goal",
    show_default=True,
    help="The sizes that the goals are set for; other depths, widths and odd sizes; or a batch of 1.",
)
@click.option("--rounds", type=click.IntRange(min=1), default=100, show_default=True, help="How often each steps.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Other weights, other data.")
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path),
    help="Also keep the times, for `python -m pyperf compare_to`.",
)
@click.option("--plot", "plot_file", type=click.Path(path_type=Path), help="Draw the steps: a .svg or .png file.")
@click.option(
    "--page",
    "page_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Put the figures into this Markdown page, in place of those that stand there.",
)
def main(
    only: str | None,
    names: tuple[str, ...],
    variant: str,
    rounds: int,
    seed: int,
    json_file: Path | None,
    plot_file: Path | None,
    page_file: Path | None,
) -> None:
    """Measures training steps, the engine, memory, and every operation; prints each figure beside its goal.

    A training step is run by NumPy code written by hand, by minitorch, and by PyTorch and micrograd where they are
    installed: float32, one BLAS thread, each in a process of its own, in turns. Their loss curves must agree before
    anything is timed. Times are CPU time; ratios are those of the minima over the rounds.
    """
    parts = ("steps",) if names and only is None else PARTS if only is None else (only,)
    # A file or a pipe says no width: there, no cell need be broken.
    console = Console(width=None if sys.stdout.isatty() else 150)
    kept: list[pyperf.Benchmark] = []
    sections: list[str] = []
    console.print(page.measured_on(), style="dim")
    try:
        if page_file is not None:
            page.filled(page_file.read_text("utf-8"), sections)  # said before anything is measured
        if plot_file is not None:
            if "steps" not in parts:
                raise plot.PlotError(f"--plot draws the steps, and --only {only} leaves them out")
            plot.checked_path(plot_file)
        if "steps" in parts:
            races = raced(names, variant, rounds, seed)
            sheet = steps_sheet(races)
            console.print(sheet.printed())
            kept += [each for one in races for each in one.times.values()]
            sections.append(sheet.as_markdown())
            if plot_file is not None:
                plot.save(races, plot_file)
    except (page.PageError, plot.PlotError, RaceError) as error:
        raise click.ClickException(str(error)) from error
    tables = {}
    if "engine" in parts:
        timed = figures.timed()
        kept += timed
        tables["engine"] = figures.engine(timed)
    if "memory" in parts:
        tables["memory"] = figures.memory()
    for title, table in tables.items():
        sheet = rows_sheet(table, title)
        console.print(sheet.printed())
        sections.append(sheet.as_markdown())
    if "operations" in parts:
        compared = figures.operations()
        console.print(operations_sheet(compared).printed())
        kept += [benchmark(f"operation: {each.name}", [each.ours * 1e-6]) for each in compared]
        sections.append(page.operations_section(compared))
    if page_file is not None:
        page.write(page_file, sections)
    if json_file is not None and kept:
        pyperf.BenchmarkSuite(kept).dump(str(json_file), replace=True)


if __name__ == "__main__":
    main()
