"""What it costs to grade a class: `python -m benchmarks.grading`, 1,000 hand-ins of one lesson each, all lessons mixed.

A third of the files is right, a third makes known mistakes, a third is half done. `minitorch grade run` judges them
with the remote driver, each tier from nothing: what known-wrong versions do is found out within the time. Wall time
stands beside its goal, which is for two cores that have nothing else to do. CPU time is that of all processes, those
included that nobody waited for; `perf` counts it, and where that program is missing it is not told.

`python -m benchmarks.grading --files 46 --tier fork` is quick. With `--again` the class is judged a second time, now
that the known-wrong versions are known: the difference is what finding that out has cost.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.race import ONE_THREAD
from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.files.stubs import stub_source
from minitorch.course.grading.options import STORE
from minitorch.course.judging import mistakes
from minitorch.course.manifest import Lesson

FILES, WORKERS, SEED = 1000, 2, 0
GOALS_S = {"fork": 120, "landlock": 300}  # for FILES, on WORKERS cores
KINDS = ("right", "wrong", "half done")
SLOWEST = 5


@dataclass(frozen=True, slots=True)
class Graded:
    """One run over the class."""

    tier: str
    again: bool
    seconds: float
    cpu_s: float | None
    passed: int
    results: int
    slowest: list[tuple[str, int, float]]  # lesson, files, seconds of wall time that the answers' calls took


def hand_in(lesson: Lesson, kind: str, chance: random.Random) -> str:
    """The text of one file."""
    source, stub = lesson.solution_source(), stub_source(lesson)
    half = len(lesson.exercises) // 2
    for at, exercise in enumerate(lesson.exercises):
        known = mistakes.of_exercise(lesson, exercise)
        if kind == "half done" and at >= half:
            source = source_code.replace(source, exercise.target, source_code.text_of(stub, exercise.target))
        elif kind == "wrong" and known and chance.random() < 0.5:
            source = source_code.replace(source, exercise.target, chance.choice(known).source)
    return source


def class_of(files: int, seed: int) -> Iterator[tuple[str, str, str]]:
    """Yield who hands in what: the student, the file's name, its text. Each of them has one lesson, in turn."""
    chance, lessons = random.Random(seed), manifest.load().lessons
    for at in range(files):
        lesson = lessons[at % len(lessons)]
        yield f"student {at:05}", lesson.file_name, hand_in(lesson, KINDS[at // len(lessons) % len(KINDS)], chance)


def graded(folder: Path, grades: Path, tier: str, workers: int, *, again: bool = False) -> Graded:
    """Grade the class. Raises click.ClickException when not all of it could be judged."""
    command = [sys.executable, "-m", "minitorch", "grade", "run", str(folder), "--grades", str(grades)]
    command += ["--tier", tier, "--workers", str(workers), "--allow-root", *(["--again"] if again else [])]
    counted = grades.with_suffix(".perf")
    perf = shutil.which("perf")
    counting = [perf, "stat", "-x,", "-e", "task-clock", "-o", str(counted), "--"] if perf else []
    start = time.perf_counter()
    environ = os.environ | ONE_THREAD
    done = subprocess.run([*counting, *command], check=False, env=environ, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode:
        raise click.ClickException(f"minitorch grade run ended with {done.returncode}: {done.stderr[-500:].strip()}")
    with closing(sqlite3.connect(grades / STORE)) as base:
        passed, results = base.execute("SELECT SUM(kind LIKE 'passed%'), COUNT(*) FROM results").fetchone()
        slowest = base.execute(
            "SELECT lesson, COUNT(DISTINCT student), SUM(seconds) FROM results GROUP BY lesson ORDER BY 3 DESC LIMIT ?",
            (SLOWEST,),
        ).fetchall()
    return Graded(tier, again, seconds, _cpu(counted) if perf else None, passed, results, slowest)


def _cpu(counted: Path) -> float | None:
    """The CPU seconds that perf has counted; None where it was not allowed to."""
    for line in counted.read_text(encoding="utf-8").splitlines() if counted.is_file() else ():
        number, _, event = line.split(",")[:3] if line.count(",") > 1 else ("", "", "")
        if event.startswith("task-clock") and number.replace(".", "").isdigit():
            return float(number) / 1000
    return None


def sheet(runs: list[Graded], files: int, workers: int) -> Table:
    """The figures, each run a row."""
    slowest = "slowest lessons: files, wall time of their calls"
    table = Table("tier", "wall", "goal", "CPU", "CPU a file", "passed", slowest)
    for run in runs:
        at_goal = (files, workers) == (FILES, WORKERS) and run.tier in GOALS_S and not run.again
        cpu = ("not counted", "") if run.cpu_s is None else (f"{run.cpu_s:.0f} s", f"{run.cpu_s / files:.2f} s")
        table.add_row(
            f"{run.tier}, again" if run.again else run.tier,
            f"{run.seconds:.0f} s",
            f"{GOALS_S[run.tier]} s" if at_goal else "",
            *cpu,
            f"{run.passed} of {run.results}",
            "; ".join(f"{lesson}: {count}, {seconds:.0f} s" for lesson, count, seconds in run.slowest),
        )
    return table


@click.command(context_settings={"max_content_width": 100})
@click.option("--files", type=click.IntRange(min=1), default=FILES, show_default=True, help="How many hand-ins.")
@click.option("--tier", "tiers", multiple=True, type=click.Choice(["fork", "landlock", "bwrap", "none"]))
@click.option("--workers", type=click.IntRange(min=1), default=WORKERS, show_default=True)
@click.option("--seed", type=int, default=SEED, show_default=True, help="Another class.")
@click.option("--again", is_flag=True, help="Judge each class a second time, with the known-wrong versions known.")
def main(files: int, tiers: tuple[str, ...], workers: int, seed: int, again: bool) -> None:
    """Makes a class and times its grading in each tier: fork and landlock, where none is named."""
    runs = []
    with tempfile.TemporaryDirectory(prefix="minitorch-class-") as place:
        folder = Path(place) / "class"
        for student, name, text in class_of(files, seed):
            (folder / student).mkdir(parents=True)
            (folder / student / name).write_text(text, encoding="utf-8")
        for tier in tiers or tuple(GOALS_S):
            turns = (False, True) if again else (False,)
            runs += [graded(folder, Path(place) / tier, tier, workers, again=turn) for turn in turns]
    console = Console(width=None if sys.stdout.isatty() else 150)  # a file or a pipe says no width
    console.print(sheet(runs, files, workers))


if __name__ == "__main__":
    main()
