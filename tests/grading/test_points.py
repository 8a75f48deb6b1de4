"""From verdicts to points: bonus exercises, late days, dropped lessons, weights."""

from __future__ import annotations

import functools
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from grading_class import SOLUTION, SQUARED, Here, pretend

from minitorch.course.grading import points, run
from minitorch.course.grading.points import LessonScore, StudentScore, book, days_late
from minitorch.course.grading.settings import Late, Settings

DUE = datetime(2026, 10, 1, 20, tzinfo=UTC)
HALF = SOLUTION.replace("x / 2", "x / 3")
NONE = SQUARED.replace("x / 2", "x / 3")


@pytest.fixture
def graded(plan, store, take, own):
    """Hand in, judge by pretending, and work out the points."""

    def made(settings=None, times=None, **sources):
        intake = take(**sources)
        hand_ins = tuple(replace(each, time=(times or {}).get(each.student)) for each in intake.hand_ins)
        store.take(replace(intake, hand_ins=hand_ins))
        who = Here(functools.partial(pretend, own=own))
        list(run.grade(plan, store, who, run.to_do(plan, store, hand_ins)))
        return {each.student: each for each in book(settings or Settings(), plan.lessons, store).students}

    return made


def only(student: StudentScore) -> LessonScore:
    [lesson] = student.lessons
    return lesson


@pytest.mark.parametrize(
    ("more", "ana", "ben", "eva"),
    [("bonus", (2, 3), (2, 1), (2, 0)), ("count", (3, 3), (3, 1), (3, 0)), ("ignore", (2, 2), (2, 0), (2, 0))],
)
def test_an_exercise_that_is_not_required_is_on_top_or_counts_or_not(graded, more, ana, ben, eva):
    students = graded(Settings(more=more), ana=SOLUTION, ben=SQUARED, eva=NONE)
    found = [(only(students[name]).points, only(students[name]).earned) for name in ("ana", "ben", "eva")]
    assert found == [ana, ben, eva]
    assert students["ana"].total == 100.0  # never more


def test_points_of_the_instructor_count(graded):
    students = graded(Settings(points={"twice_of": 10, "half_of": 5}, more="count"), ana=SQUARED)
    assert (only(students["ana"]).earned, only(students["ana"]).points) == (5, 15)


def test_who_handed_in_nothing_has_nothing(graded, tmp_path):
    (tmp_path / "class" / "eva").mkdir(parents=True)
    students = graded(ana=SOLUTION)
    assert students["eva"].total == 0.0
    assert only(students["eva"]).graded is None


@pytest.mark.parametrize(
    ("late", "days"),
    [(timedelta(0), 0), (timedelta(seconds=1), 1), (timedelta(days=1), 1), (timedelta(days=1, seconds=1), 2)],
)
def test_a_day_that_has_begun_counts(late, days):
    assert days_late(DUE + late, DUE) == days
    assert days_late(None, DUE) == days_late(DUE, None) == 0


@pytest.mark.parametrize(
    ("days", "total"),
    [(0, 100.0), (1, 100.0), (2, 90.0), (4, 70.0), (5, 0.0)],  # one day is free; after three more nothing counts
)
def test_being_late_costs_what_the_file_says(graded, days, total):
    settings = Settings(due={"T1": DUE}, late=Late(free_days=1, penalty=10, most_days=3))
    students = graded(settings, {"ana": DUE + timedelta(days=days)}, ana=SOLUTION)
    assert students["ana"].total == pytest.approx(total)


def test_a_student_with_more_days_has_them(graded):
    settings = Settings(due={"T1": DUE}, late=Late(penalty=50), extra_days={"ana": 2})
    late = DUE + timedelta(days=2)
    students = graded(settings, {"ana": late, "ben": late}, ana=SOLUTION, ben=SOLUTION)
    assert (students["ana"].total, students["ben"].total) == (100.0, 0.0)


def scores(*shares: float, weight: float = 1.0):
    from minitorch.course import manifest

    lessons = manifest.load().lessons
    return [LessonScore(lessons[at], None, (), 10.0, 10.0 * share, weight) for at, share in enumerate(shares)]


@pytest.mark.parametrize(
    ("drop", "keep", "gone"),
    [(0, [], []), (1, [], ["01"]), (2, [], ["00", "01"]), (1, ["01"], ["00"]), (9, [], ["00", "01"])],
)
def test_the_lowest_are_dropped_and_never_all(drop, keep, gone):
    settings = Settings(drop=drop, keep=frozenset(keep))
    found = points._dropped(settings, scores(0.5, 0.2, 1.0))
    assert [each.lesson.number for each in found if each.dropped] == gone


def test_free_days_are_used_in_the_order_in_which_lessons_are_due(graded):
    settings = Settings(due={"00": DUE + timedelta(days=9), "01": DUE}, late=Late(free_days=1, penalty=10))
    late = [replace(each, graded=Handed(DUE + timedelta(days=10))) for each in scores(1.0, 1.0)]
    first, second = points._late(settings, "ana", late)
    assert (first.days_late, first.free_days, first.kept) == (1, 0, 0.9)
    assert (second.days_late, second.free_days, second.kept) == (10, 1, 0.0)


class Handed:
    def __init__(self, time):
        self.time = time


def test_weights_make_the_total():
    heavy, light = scores(1.0, 0.0)
    total = StudentScore("ana", (replace(heavy, weight=3.0), replace(light, weight=1.0))).total
    assert total == pytest.approx(75.0)
    assert StudentScore("ana", ()).total == 0.0


def test_the_same_file_but_for_comments_is_flagged_and_costs_nothing(graded, lesson):
    from minitorch.course.files.stubs import stub_source

    stub = stub_source(lesson)
    students = graded(ana=SOLUTION, ben=f"# mine\n{SOLUTION}", eva=SQUARED, s1=stub, s2=stub, s3="def (", s4="def (")
    same = {name: only(each).same_as for name, each in students.items()}
    assert same == {"ana": ("ben",), "ben": ("ana",), "eva": (), "s1": (), "s2": (), "s3": ("s4",), "s4": ("s3",)}
    assert only(students["ana"]).flags == ("same",)
    assert students["ana"].total == 100.0
