"""Exports: what other programs are given holds what was reached, and nothing that a learner could do harm with."""

from __future__ import annotations

import csv
import functools
import io
import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import UTC, datetime

import jsonschema
import pytest
from grading_class import GRADESCOPE, SOLUTION, SQUARED, Here, hand_in, pretend

from minitorch.course.grading import exports, run
from minitorch.course.grading.points import book
from minitorch.course.grading.settings import Late, Settings
from minitorch.course.grading.submissions import read_class

ODD = ["=1+1", "+cmd|' /C calc'!A0", "-2", "@SUM(A1)", " =1", "a\u202eb", 'x","=1', "<script>&\x1b[31m"]


@pytest.fixture
def made(plan, store, own, tmp_path):
    """A class with odd names, one right and one wrong answer, and one who handed in nothing."""
    folder = hand_in(tmp_path / "class", ana=SOLUTION, ben=SQUARED, **dict.fromkeys(ODD[:3], SOLUTION))
    for name in ODD[3:]:
        (folder / name.replace("/", "∕")).mkdir()
    intake = read_class(folder, plan.lessons)
    store.take(intake)
    who = Here(functools.partial(pretend, own=own))
    list(run.grade(plan, store, who, run.to_do(plan, store, intake.hand_ins)))
    return book(Settings(), plan.lessons, store)


def student(made, name):
    return next(each for each in made.students if each.student == name)


def test_a_table_has_a_row_a_student_and_no_cell_is_a_formula(made):
    text = exports.as_csv(made)
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["student", "total", "T1", "T1 of", "T1 days late", "T1 dropped", "flags"]
    by_name = {row[0]: row for row in rows[1:]}
    assert by_name["ana"] == ["ana", "100.0", "2.0", "2.0", "0", "0", "same"]
    assert by_name["ben"] == ["ben", "50.0", "1.0", "2.0", "0", "0", ""]
    assert len(rows) == 1 + 2 + len(ODD)
    for row in rows:
        assert not any(each.lstrip().startswith(("=", "+", "-", "@")) for each in row)
    assert "\u202e" not in text
    assert "\x1b" not in text


@pytest.mark.parametrize("text", ["=A1", "+1", "-1", "@x", "  =A1", "＝A1"])
def test_a_formula_is_made_a_text(text):
    assert exports.cell(text).startswith("'")
    assert not exports.cell("ana-maria").startswith("'")


def test_nbgraders_table_has_its_columns_and_a_row_for_each_student_and_lesson(made):
    """The columns as `nbgrader export` writes them (its CsvExportPlugin), whatever name a student has."""
    text = exports.as_nbgrader(made, Settings(due={"T1": datetime(2026, 10, 1, tzinfo=UTC)}))
    header, *rows = csv.reader(io.StringIO(text))
    assert header[:4] == ["assignment", "duedate", "timestamp", "student_id"]
    assert header[4:] == [
        "last_name",
        "first_name",
        "email",
        "raw_score",
        "late_submission_penalty",
        "score",
        "max_score",
    ]
    assert len(rows) == len(made.students)
    ben = next(row for row in rows if row[3] == "ben")
    assert (ben[0], ben[1]) == ("lesson_T1_twice", "2026-10-01T00:00:00+00:00")
    assert [*map(float, ben[7:])] == [1.0, 0.0, 1.0, 2.0]
    assert not any(each.lstrip().startswith(exports.FORMULA) for row in rows for each in row)


def test_what_being_late_costs_is_nbgraders_penalty(made):
    late = Settings(due={"T1": datetime(2020, 1, 1, tzinfo=UTC)}, late=Late(0, 10, 10_000))
    days = [replace(each, lessons=tuple(replace(one, kept=0.5) for one in each.lessons)) for each in made.students]
    rows = csv.DictReader(io.StringIO(exports.as_nbgrader(replace(made, students=tuple(days)), late)))
    ana = next(row for row in rows if row["student_id"] == "ana")
    assert (ana["raw_score"], ana["late_submission_penalty"], ana["score"]) == ("2.0", "1.0", "1.0")


def test_moodles_table_knows_a_student_by_the_number_that_moodle_gave(made):
    """Its importer looks for three columns, and takes the number behind "Participant " for the student."""
    students = (replace(student(made, "ben"), student="Ana García_4711"), *made.students)
    text = exports.as_moodle(replace(made, students=students), "es")
    header, first, *rows = csv.reader(io.StringIO(text))
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(header)
    assert first == ["Participant 4711", "Ana García", "50.0", "100", "", "Puntos por lección: T1: 1 / 2"]
    assert {row[0] for row in rows} == {""}
    assert not any(each.lstrip().startswith(exports.FORMULA) for row in rows for each in row)


def test_json_says_what_was_found_and_why(made):
    data = json.loads(exports.as_json(made, "es"))
    ben = next(each for each in data["students"] if each["student"] == "ben")
    [lesson] = ben["lessons"]
    twice = next(each for each in lesson["exercises"] if each["exercise"] == "twice_of")
    assert (twice["verdict"], twice["diagnosis"], twice["earned"], twice["tier"]) == ("wrong", "square", 0.0, "none")
    assert twice["told"] == "Elevaste x al cuadrado."
    assert any(note["reason"] == "no se encontró nada que calificar" for note in data["notes"])


def test_junit_counts_what_failed(made):
    root = ET.fromstring(exports.as_junit(made, "en"))
    suites = {suite.get("name"): suite for suite in root}
    assert (suites["ben"].get("tests"), suites["ben"].get("failures")) == ("2", "1")
    assert suites["ana"].find(".//failure") is None
    assert suites["ben"].find(".//failure").text == "You squared x."
    assert any(suite.get("skipped") == "2" for suite in root)


def test_gradescope_gets_what_its_documentation_says(made):
    for each in made.students:
        jsonschema.validate(exports.as_gradescope(each, "en"), GRADESCOPE)
    found = exports.as_gradescope(student(made, "ben"), "en")
    assert found["score"] == 50.0
    assert [(test["name"], test["score"], test["max_score"], test["status"]) for test in found["tests"]] == [
        ("T1 twice_of", 0.0, 2.0, "failed"),
        ("T1 half_of", 1.0, 0.0, "passed"),
    ]
    assert found["tests"][0]["output"] == "You squared x."


def test_gradescopes_score_is_the_total_that_the_course_counts(made):
    """Of 100, like the CSV's: a lesson that was dropped is not in it, and one that counts twice is in it twice."""
    [ana], [ben] = student(made, "ana").lessons, student(made, "ben").lessons
    late = replace(ben, weight=2.0, kept=0.5, days_late=3, free_days=1)
    lowest = replace(ben, earned=0.0, dropped=True)
    one = replace(student(made, "ana"), lessons=(ana, late, lowest))
    found = exports.as_gradescope(one, "en")
    [row] = csv.DictReader(io.StringIO(exports.as_csv(replace(made, students=(one,)))))
    assert found["score"] == float(row["total"]) == 50.0  # (1 * 1 + 2 * 1/4) / 3
    assert found["output"].splitlines() == [
        "The score is of 100. It is made of these lessons:",
        "lesson T1: 2 / 2 points, weight 1",
        "lesson T1: 0.5 / 2 points, weight 2",
        "lesson T1: 0 / 2 points, dropped: it does not count",
        "lesson T1: 3 days late (free days used: 1)",
    ]
    assert exports.as_gradescope(one, "es")["output"].startswith("La nota es sobre 100.")
    jsonschema.validate(found, GRADESCOPE)


@pytest.mark.parametrize(
    "wrong", [{}, {"score": "3"}, {"score": 1, "tests": [{"status": "ok"}]}, {"score": 1, "grade": 2}, {"tests": [{}]}]
)
def test_the_schema_refuses_what_it_should(wrong):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, GRADESCOPE)


def test_each_student_has_a_file_of_their_own():
    names = [exports.file_name(name) for name in ("ana", "Ana", "ANA", "../ana", "a/b", "a_b", "?", "..", "con é")]
    assert len({name.casefold() for name in names}) == len(names)
    assert all(set(name).isdisjoint("/\\.?") for name in names)


def test_long_texts_are_cut():
    assert len(exports.plain("x" * 10_000)) == exports.LONGEST
