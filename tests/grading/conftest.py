"""The instructor's lesson, a plan for grading it, a store, and a class that hands it in."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from grading_class import Here, hand_in, pretend, write_own

from minitorch.course.grading.courses import course_with
from minitorch.course.grading.keys import Key
from minitorch.course.grading.run import Plan
from minitorch.course.grading.store import Store
from minitorch.course.grading.submissions import read_class


@pytest.fixture(scope="session")
def own(tmp_path_factory) -> Path:
    """The instructor's folder."""
    return write_own(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="session")
def lesson(own):
    return course_with(own).lesson("T1")


@pytest.fixture
def lessons(lesson):
    return (lesson,)


@pytest.fixture
def plan(own, lessons) -> Plan:
    return Plan(lessons, Key(b"0123456789abcdef"), "none", own=own)


@pytest.fixture
def here(own):
    return Here(functools.partial(pretend, own=own))


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "grades.sqlite") as opened:
        yield opened


@pytest.fixture
def take(store, lessons, tmp_path):
    """Have students hand something in."""

    def taken(**sources: str):
        intake = read_class(hand_in(tmp_path / "class", **sources), lessons)
        store.take(intake)
        return intake

    return taken
