"""Real sandboxes, real processes, real ends: the same scores by whoever judges, nothing lost or doubled by a kill."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from grading_class import SOLUTION, SQUARED, hand_in

from minitorch.course.grading import run
from minitorch.course.grading.crew import Cluster, Processes
from minitorch.course.grading.judged import Job, judge
from minitorch.course.grading.store import Store
from minitorch.course.grading.submissions import read_class
from minitorch.course.judging.verdict import Kind

pytestmark = pytest.mark.gate
HANGS = SOLUTION.replace("return 2 * x", "while True: pass")
DIES = SOLUTION.replace("return x / 2", "import os; os._exit(3)")
EMPTY = SOLUTION.replace("return 2 * x", "raise NotImplementedError")
PREPARED = SOLUTION.replace("return 2 * x", "return {xs}[x]")
ROOT = Path(__file__).parents[2]


def scores(store) -> dict[tuple[str, str], str]:
    return {
        (each.student, name): str(result.verdict.kind)
        for each in store.graded()
        for name, result in each.results.items()
    }


def judge_or_die(job: Job):
    """A worker that ends under one student's file."""
    if job.student == "kills":
        os.kill(os.getpid(), signal.SIGKILL)
    return judge(job)


def graded_by(crew, plan, folder, lessons, path) -> Store:
    store = Store(path)
    with closing(crew):
        intake = read_class(folder, lessons)
        store.take(intake)
        list(run.grade(plan, store, crew, run.to_do(plan, store, intake.hand_ins)))
    return store


@pytest.fixture
def folder(tmp_path):
    return hand_in(tmp_path / "class", ana=SOLUTION, ben=SQUARED, hangs=HANGS, dies=DIES, empty=EMPTY)


WANTED = {
    ("ana", "twice_of"): "passed",
    ("ana", "half_of"): "passed",
    ("ben", "twice_of"): "wrong",
    ("ben", "half_of"): "passed",
    ("hangs", "twice_of"): "timeout",
    ("hangs", "half_of"): "passed",
    ("dies", "twice_of"): "passed",
    ("dies", "half_of"): "error",
    ("empty", "twice_of"): "not started",
    ("empty", "half_of"): "passed",
}


@pytest.mark.parametrize("workers", [1, 3])
def test_the_scores_are_the_same_however_many_judge(plan, folder, lessons, tmp_path, workers):
    with graded_by(Processes(workers), plan, folder, lessons, tmp_path / "g.sqlite") as store:
        assert scores(store) == WANTED
        [ben] = [each for each in store.graded() if each.student == "ben"]
        assert ben.results["twice_of"].verdict.diagnosis == "square"
        assert ben.results["twice_of"].tier == "none"


def test_a_dask_cluster_of_two_workers_gives_the_same_scores(plan, folder, lessons, tmp_path):
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster:
        crew = Cluster(cluster.scheduler_address)
        with graded_by(crew, plan, folder, lessons, tmp_path / "g.sqlite") as store:
            assert scores(store) == WANTED


def test_a_worker_that_dies_costs_its_file_and_no_other(plan, lessons, tmp_path):
    folder = hand_in(tmp_path / "class", ana=SOLUTION, ben=SOLUTION, kills=SOLUTION, eva=SOLUTION)
    with graded_by(Processes(2, judge_or_die), plan, folder, lessons, tmp_path / "g.sqlite") as store:
        assert set(scores(store)) == {
            (name, each) for name in ("ana", "ben", "eva") for each in ("twice_of", "half_of")
        }
        failures = {each.student: each.failure for each in store.graded()}
        assert "BrokenProcessPool" in failures.pop("kills")
        assert set(failures.values()) == {None}


def test_prepared_answers_to_the_published_cases_are_wrong_and_flagged(plan, lesson):
    from minitorch.course.judging.checks import load_checks

    published = [each["x"] for each in load_checks(lesson)["twice_of"].cases()]
    source = PREPARED.format(xs={x: 2 * x for x in published})
    [result] = judge(Job("mal", "T1", source, "0", 12345, ("twice_of",), "none", own=str(plan.own)))
    assert result.verdict.kind is Kind.ERROR
    assert result.flags == ("hidden",)


SCRIPT = """
import sys
from contextlib import closing
from pathlib import Path
from minitorch.course.grading import run
from minitorch.course.grading.crew import Processes
from minitorch.course.grading.courses import course_with
from minitorch.course.grading.keys import Key
from minitorch.course.grading.store import Store
from minitorch.course.grading.submissions import read_class

if __name__ == "__main__":
    own, folder, base = map(Path, sys.argv[1:])
    lessons = (course_with(own).lesson("T1"),)
    plan = run.Plan(lessons, Key(b"0123456789abcdef"), "none", own=own)
    with Store(base) as store, closing(Processes(2)) as crew:
        intake = read_class(folder, lessons)
        store.take(intake)
        for step in run.grade(plan, store, crew, run.to_do(plan, store, intake.hand_ins)):
            print(step.hand_in.student, flush=True)
"""


def mine(mark: str) -> list[int]:
    """The processes that name this test's folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are counted in /proc")
def test_ten_kills_of_the_coordinator_lose_nothing_double_nothing_and_leave_nothing(own, tmp_path):
    students = {f"s{number:02}": (SOLUTION, SQUARED)[number % 2] for number in range(30)}
    folder = hand_in(tmp_path / "class", **students)
    script, base = tmp_path / "grade.py", tmp_path / "g.sqlite"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(own), str(folder), str(base)]
    environ = os.environ | {"MINITORCH_TEST_MARK": str(tmp_path), "PYTHONPATH": str(ROOT)}
    chance, judged = random.Random(18), []
    for _ in range(10):
        with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as process:
            judged.append(process.stdout.readline())  # so that each of them is killed at work
            time.sleep(chance.uniform(0.0, 0.6))
            process.kill()
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=300, check=True)
    rows = sqlite3.connect(base).execute("SELECT student, exercise, kind FROM results ORDER BY 1, 2").fetchall()
    kinds = {SOLUTION: "passed", SQUARED: "wrong"}
    wanted = [
        (name, exercise, kinds[source] if exercise == "twice_of" else "passed")
        for name, source in sorted(students.items())
        for exercise in ("half_of", "twice_of")
    ]
    assert rows == wanted
    assert len(done.stdout.split()) < len(students)  # what was kept was not judged again
    deadline = time.monotonic() + 30
    while (left := mine(str(tmp_path))) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert left == []
