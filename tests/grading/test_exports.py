"""Exports: what other programs are given holds what was reached, and nothing that a learner could do harm with."""

from __future__ import annotations

import csv
import functools
import io
import json
import xml.etree.ElementTree as ET

import jsonschema
import pytest
from grading_class import GRADESCOPE, SOLUTION, SQUARED, Here, hand_in, pretend

from minitorch.course.grading import exports, run
from minitorch.course.grading.points import book
from minitorch.course.grading.settings import Settings
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
    assert found["score"] == 1.0
    assert [(test["name"], test["score"], test["max_score"], test["status"]) for test in found["tests"]] == [
        ("T1 twice_of", 0.0, 2.0, "failed"),
        ("T1 half_of", 1.0, 0.0, "passed"),
    ]
    assert found["tests"][0]["output"] == "You squared x."


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
