"""One hand-in: how far it is looked at, what is run again, and where."""

from __future__ import annotations

import dataclasses
import os
from contextlib import closing

import pytest
from grading_class import NAME

from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.grading import judged
from minitorch.course.grading.crew import Processes
from minitorch.course.grading.judged import Job
from minitorch.course.judging.checks import load_checks
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.limits import Clock, Limits
from minitorch.course.sandbox.outcome import Frame, Outcome

SEED = 12345
RIGHT = {"twice_of": lambda x: 2 * x, "half_of": lambda x: x / 2}


class Answers:
    """What runs a learner's code, pretended: functions by name, and others from the first renewal on."""

    def __init__(self, functions, after_renewal=None) -> None:
        self.functions = RIGHT | functions
        self.after = RIGHT | (functions if after_renewal is None else after_renewal)
        self.asked: list[tuple[str, float]] = []
        self.served: set[str] = set()
        self.clock = Clock(Limits.of_this_machine())

    def call(self, check, x):
        self.asked.append((check.exercise.name, x["x"]))
        self.served.add(check.exercise.name)
        value = self.functions[check.exercise.name](x["x"])
        return value if isinstance(value, Outcome) else Outcome("value", value)

    def renew(self):
        if len(self.served) < 2:
            return False
        self.served.clear()
        self.asked.append(("renewed", 0.0))
        self.functions = self.after
        return True

    def settle(self):
        return None


@pytest.fixture
def results(lesson):
    """Judge answers; return the results by exercise."""

    def judge(answers, lesson=lesson, exercises=("twice_of", "half_of")):
        job = Job("ana", "T1", "", "0", SEED, exercises, "none")
        file = LearnerFile.of("def twice_of(x):\n    pass\n", NAME)
        return {each.exercise: each for each in judged._judged(job, lesson, file, judged._Watched(answers), ())}

    return judge


@pytest.fixture
def cases(lesson):
    """The inputs of an exercise: the hidden ones, the published ones."""

    def of(name):
        check = load_checks(lesson)[name]
        return [[(name, x["x"]) for x in some] for some in (check.cases(SEED), check.cases())]

    return of


def test_a_right_answer_is_asked_for_the_hidden_cases_alone(results, cases):
    answers = Answers({})
    assert [each.verdict.kind for each in results(answers).values()] == [Kind.PASSED, Kind.PASSED]
    assert answers.asked == [*cases("twice_of")[0], *cases("half_of")[0]]


def test_of_a_wrong_answer_hidden_cases_are_run_up_to_the_first_that_is_wrong(results, cases):
    hidden, published = cases("twice_of")
    answers = Answers({"twice_of": lambda x: 2 * x if x == 3 else x * x})
    found = results(answers, exercises=("half_of", "twice_of"))["twice_of"]
    assert (found.verdict.kind, found.flags) == (Kind.WRONG, ())
    assert answers.asked == [*cases("half_of")[0], *hidden[:2], ("renewed", 0.0), *published]


def test_what_is_wrong_for_what_others_left_behind_passes_in_a_fresh_process(results):
    answers = Answers({"half_of": lambda x: x}, after_renewal={})
    found = results(answers)
    assert (found["half_of"].verdict.kind, found["half_of"].flags) == (Kind.PASSED, ())


def test_what_is_wrong_in_hidden_cases_alone_is_judged_by_all_of_these(results, cases):
    hidden, published = cases("twice_of")
    known = dict(published)["twice_of"], *(x for _, x in published)
    answers = Answers({"twice_of": lambda x: 2 * x if x in known else 0.0})
    found = results(answers)["twice_of"]
    assert (found.verdict.kind, found.flags) == (Kind.WRONG, ("hidden",))
    assert found.verdict.checks_run == len(hidden)


def test_an_answer_that_is_not_begun_is_asked_for_once(results, cases):
    frame = Frame(2, "twice_of")
    answers = Answers({"twice_of": lambda _: Outcome("raised", error="NotImplementedError", frames=(frame,))})
    assert results(answers)["twice_of"].verdict.kind is Kind.NOT_STARTED
    assert answers.asked == [cases("twice_of")[0][0], *cases("half_of")[0]]


def test_an_answer_that_hangs_is_waited_for_once(results, cases):
    hangs = Outcome("timeout", frames=(Frame(2, "twice_of"),), limit_s=2.0)
    answers = Answers({"twice_of": lambda x: 2 * x if x > 0 else hangs})
    assert results(answers, exercises=("half_of", "twice_of"))["twice_of"].verdict.kind is Kind.TIMEOUT
    assert answers.asked == [*cases("half_of")[0], *cases("twice_of")[0]]


def test_what_an_answer_needs_is_not_run_again_where_it_is_known_to_be_right(results, cases, lesson):
    first, second = lesson.exercises
    needing = dataclasses.replace(lesson, exercises=(first, dataclasses.replace(second, needs=("twice_of",))))
    answers = Answers({"half_of": lambda x: x})
    found = results(answers, needing)
    assert found["half_of"].verdict.kind is Kind.WRONG
    assert answers.asked.count(cases("twice_of")[1][-1]) == 1  # a fixed case, the same in both


def where(_: Job) -> set[int]:
    """The processors that this worker may use."""
    return os.sched_getaffinity(0)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system does not tell of processors")
def test_each_worker_stays_on_a_processor_and_they_are_spread():
    job = Job("ana", "T1", "", "0", SEED, (), "none")
    here = os.sched_getaffinity(0)
    with closing(Processes(2, where)) as crew:
        found = [crew.submit(job).result() for _ in range(8)]
    assert all(len(each) == 1 and each <= here for each in found)
    assert os.sched_getaffinity(0) == here
