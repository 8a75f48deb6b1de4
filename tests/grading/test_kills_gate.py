"""Kills of workers, of the coordinator and of Dask's scheduler, at random moments: nothing is lost, nothing is
doubled, and the results are those of a run that nobody disturbed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from grading_class import SOLUTION, SQUARED, hand_in

pytestmark = [
    pytest.mark.gate,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found in /proc"),
]
ROOT = Path(__file__).parents[2]
STUDENTS = {f"s{number:02}": (SOLUTION, SQUARED)[number % 2] for number in range(24)}
KILLS = {"coordinator": 5, "worker": 5, "scheduler": 3}
LONGEST_S = 600
SCRIPT = """
import sys
from contextlib import closing
from pathlib import Path
from minitorch.course.grading import run
from minitorch.course.grading.crew import Cluster, Processes
from minitorch.course.grading.courses import course_with
from minitorch.course.grading.keys import Key
from minitorch.course.grading.store import Store
from minitorch.course.grading.submissions import read_class

if __name__ == "__main__":
    own, folder, base = map(Path, sys.argv[1:4])
    lessons = (course_with(own).lesson("T1"),)
    plan = run.Plan(lessons, Key(b"0123456789abcdef"), "none", own=own)
    with Store(base) as store, closing(Cluster(sys.argv[4]) if sys.argv[4:] else Processes(2)) as crew:
        intake = read_class(folder, lessons)
        store.take(intake)
        print("begins", flush=True)
        for step in run.grade(plan, store, crew, run.to_do(plan, store, intake.hand_ins)):
            print(step.hand_in.student, step.failure or "judged", flush=True)
"""


class Class:
    """A class that is graded by a process of its own, again and again."""

    def __init__(self, own: Path, place: Path) -> None:
        self.base, self.place = place / "grades.sqlite", place
        hand_in(place / "class", **STUDENTS)
        (place / "grade.py").write_text(SCRIPT)
        self.command = [sys.executable, str(place / "grade.py"), str(own), str(place / "class"), str(self.base)]
        self.environ = os.environ | {"MINITORCH_TEST_MARK": str(place), "PYTHONPATH": str(ROOT)}

    @contextmanager
    def run(self, *more: str):
        """One run, going on."""
        command = [*self.command, *more]
        with subprocess.Popen(command, env=self.environ, stdout=subprocess.PIPE, stderr=2, text=True) as process:
            try:
                yield process
            finally:
                process.kill()

    def to_the_end(self, *more: str) -> list[str]:
        """Runs until nothing is left to judge; the lines of the last one but one."""
        lines = ["begins"]
        for _ in range(3):
            done = subprocess.run(
                [*self.command, *more], env=self.environ, stdout=subprocess.PIPE, text=True, timeout=1800, check=True
            )
            if done.stdout.split() == ["begins"]:
                return lines
            lines = done.stdout.splitlines()
        raise AssertionError(f"still something to judge: {lines}")

    def rows(self) -> list[tuple[str, ...]]:
        """What is kept of every exercise, but for when it was judged and what time it took."""
        with closing(sqlite3.connect(self.base, timeout=60)) as base:
            columns = "student, lesson, exercise, sha256, version, seed_id, tier, kind, verdict, flags"
            return base.execute(f"SELECT {columns} FROM results ORDER BY 1, 3").fetchall()

    def processes(self, word: str = "") -> list[int]:
        """The processes of this class whose command holds a word."""
        mark, found = str(self.place).encode(), []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes():
                    command = (entry / "cmdline").read_bytes().decode(errors="replace")
                    found += [int(entry.name)] if word in command and command else []
            except OSError:
                continue
        return [pid for pid in found if pid != os.getpid()]

    def workers(self, coordinator: int) -> list[int]:
        """The processes that judge for a run.

        A worker that starts the process of a hand-in is for a moment there twice, under the one command; only the
        first is the coordinator's own. A kill of the other is what running out of memory looks like: a result.
        """
        return [pid for pid in self.processes("spawn_main") if parent(pid) == coordinator]


def parent(pid: int) -> int | None:
    """Which process started this one; None of one that has ended."""
    try:
        told = (Path("/proc") / str(pid) / "stat").read_text()
    except OSError:
        return None
    return int(told.rpartition(")")[2].split()[1])


@pytest.fixture(scope="module")
def undisturbed(own, tmp_path_factory) -> list[tuple[str, ...]]:
    calm = Class(own, tmp_path_factory.mktemp("calm"))
    calm.to_the_end()
    rows = calm.rows()
    assert [(row[0], row[2]) for row in rows] == [(name, each) for name in STUDENTS for each in ("half_of", "twice_of")]
    assert {row[0] for row in rows if row[7] == "wrong"} == {name for name in STUDENTS if STUDENTS[name] == SQUARED}
    return rows


@pytest.fixture
def graded(own, tmp_path):
    made = Class(own, tmp_path)
    yield made
    deadline = time.monotonic() + LONGEST_S
    while (left := made.processes()) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert left == []


def judges_a_part(process) -> None:
    """Wait until a run has begun to judge."""
    assert process.stdout.readline() == "begins\n"
    process.stdout.readline()


def faults(rows: list[tuple[str, ...]], all_rows: list[tuple[str, ...]]) -> list[object]:
    """What is there that should not be, and what is there twice."""
    names = [(row[0], row[2]) for row in rows]
    return [*sorted(set(rows) - set(all_rows)), *[name for name in set(names) if names.count(name) > 1]]


def test_kills_of_the_coordinator(graded, undisturbed):
    for seed in range(KILLS["coordinator"]):
        with graded.run() as process:
            judges_a_part(process)
            time.sleep(random.Random(seed).uniform(0.0, 0.5))
            process.kill()
        assert faults(graded.rows(), undisturbed) == []
        if graded.rows() == undisturbed:
            graded.base.unlink()  # the next one has something to disturb again
    graded.to_the_end()
    assert graded.rows() == undisturbed


def test_kills_of_workers(graded, undisturbed):
    killed = 0
    for seed in range(KILLS["worker"]):
        chance = random.Random(100 + seed)
        with graded.run() as process:
            judges_a_part(process)
            time.sleep(chance.uniform(0.0, 0.3))
            workers = graded.workers(process.pid)
            if workers:  # else it was done already
                os.kill(chance.choice(workers), signal.SIGKILL)
                killed += 1
            process.communicate(timeout=LONGEST_S)
            assert process.returncode == 0
        assert faults(graded.rows(), undisturbed) == []
        graded.to_the_end()
        assert graded.rows() == undisturbed
        graded.base.unlink()
    assert killed


@contextmanager
def cluster(graded: Class):
    """A scheduler with two workers, and its address."""
    told = graded.place / "scheduler.json"
    told.unlink(missing_ok=True)
    shared = ["--scheduler-file", str(told), "--no-dashboard"]
    commands = [
        ["distributed.cli.dask_scheduler", "--host", "localhost", "--port", "0", "--no-show", *shared],
        *[["distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--death-timeout", "10", *shared]] * 2,
    ]
    started = []
    try:
        for command in commands:
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            started.append(subprocess.Popen([sys.executable, "-m", *command], env=graded.environ, **quiet))
            deadline = time.monotonic() + LONGEST_S
            while not told.exists() and time.monotonic() < deadline:
                time.sleep(0.05)
        yield started[0], json.loads(told.read_text())["address"]
    finally:
        for each in started:
            each.kill()
            each.wait()


def test_kills_of_the_scheduler(graded, undisturbed):
    pytest.importorskip("distributed", reason="Dask is not installed: pip install distributed")
    for seed in range(KILLS["scheduler"]):
        with cluster(graded) as (scheduler, address), graded.run(address) as process:
            judges_a_part(process)
            time.sleep(random.Random(200 + seed).uniform(0.0, 0.5))
            scheduler.kill()
            process.communicate(timeout=LONGEST_S)  # it waits for the scheduler a while, and then ends
        assert faults(graded.rows(), undisturbed) == []
        if graded.rows() == undisturbed:
            graded.base.unlink()
    with cluster(graded) as (_, address):
        graded.to_the_end(address)
    assert graded.rows() == undisturbed
