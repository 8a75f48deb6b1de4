"""Real sandboxes, real processes, real ends: the same scores by whoever judges, nothing lost or doubled by a kill."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from grading_class import SOLUTION, SQUARED, hand_in

from minitorch.course.grading import run
from minitorch.course.grading.crew import Cluster, Processes
from minitorch.course.grading.judged import Job, judge
from minitorch.course.grading.store import Store
from minitorch.course.grading.submissions import read_class
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.tiers import TIERS, Sandbox

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


CREWS = [*zip(TIERS, (1, 2, 4, 8), strict=True)]  # each tier, and as many who judge


@pytest.mark.parametrize(("tier", "workers"), CREWS)
def test_the_scores_are_the_same_however_many_judge_and_in_whichever_tier(
    plan, folder, lessons, tmp_path, tier, workers
):
    with Sandbox(tier) as sandbox:
        if (fault := sandbox.fault()) is not None:
            pytest.skip(f"{tier} does not hold here: {fault}")
    plan = replace(plan, tier=tier)
    with graded_by(Processes(workers), plan, folder, lessons, tmp_path / "g.sqlite") as store:
        assert scores(store) == WANTED
        [ben] = [each for each in store.graded() if each.student == "ben"]
        assert ben.results["twice_of"].verdict.diagnosis == "square"
        assert ben.results["twice_of"].tier == tier


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
