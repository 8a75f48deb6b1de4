"""What goes out: a folder without solutions, and Gradescope's zip, which judges."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile

import jsonschema
import pytest
from grading_class import GRADESCOPE, NAME, SQUARED, write_own

from minitorch.course import manifest
from minitorch.course.course_error import CourseError
from minitorch.course.files.source_code import NOT_WRITTEN
from minitorch.course.files.stubs import stub_source
from minitorch.course.grading import handout
from minitorch.course.grading.courses import course_with
from minitorch.course.grading.keys import Key

KEY = Key(b"0123456789abcdef")


def test_a_handout_has_stubs_and_notebooks_of_the_lessons_and_no_solution():
    lessons = manifest.load().lessons[1:3]
    files = handout.handout(lessons, "en")
    assert sorted(name for name in files if name.startswith("exercises/")) == [
        f"exercises/{lesson.file_name}" for lesson in lessons
    ]
    assert {name for name in files if name.endswith(".ipynb")} == {f"work/{each.notebook_name}" for each in lessons}
    solutions = {each.solution_source() for each in manifest.load().lessons}
    assert not solutions & {data.decode() for data in files.values()}
    for lesson in lessons:
        assert files[f"exercises/{lesson.file_name}"].decode().count(NOT_WRITTEN) >= len(lesson.exercises)


def test_a_handout_speaks_spanish():
    lesson = manifest.load().lesson("01")
    files = handout.handout([lesson], "es")
    assert files[f"exercises/{lesson.file_name}"].decode() == stub_source(lesson, "es")
    assert json.loads(files[f"work/{lesson.notebook_name}"])["metadata"]["minitorch"] == {"language": "es"}


def test_an_instructors_lesson_is_handed_out_too(tmp_path):
    own = write_own(tmp_path)
    files = handout.handout([course_with(own).lesson("T1")], "en", own)
    assert [name for name in files if name.startswith("exercises/")] == [f"exercises/{NAME}"]
    assert b"2 * x" not in files[f"exercises/{NAME}"]


def test_a_zip_is_the_same_each_time_and_takes_the_place_of_nothing(tmp_path):
    files = {"b": b"2", "setup.sh": b"1"}
    handout.write_zip(tmp_path / "a.zip", files)
    handout.write_zip(tmp_path / "b.zip", dict(reversed(files.items())))
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with pytest.raises(CourseError, match="is there already"):
        handout.write_zip(tmp_path / "a.zip", files)
    with pytest.raises(CourseError, match=r"must end in \.zip"):
        handout.write_zip(tmp_path / "a.tar", files)


def test_gradescopes_zip_has_its_two_files_at_the_top_and_all_that_judging_needs(tmp_path):
    lesson = manifest.load().lesson("01")
    files = handout.autograder([lesson], b"", KEY)
    handout.write_zip(tmp_path / "g.zip", files)
    with zipfile.ZipFile(tmp_path / "g.zip") as archive:
        modes = {name: archive.getinfo(name).external_attr >> 16 & 0o777 for name in ("setup.sh", "run_autograder")}
    assert modes == {"setup.sh": 0o755, "run_autograder": 0o755}
    assert files["run_autograder"].startswith(b"#!/usr/bin/env bash\n")
    assert f"solutions/{lesson.file_name}" in files
    assert f"minitorch/course/lessons/{lesson.stem}/checks.py" in files
    assert not [name for name in files if "__pycache__" in name]


@pytest.mark.parametrize("name", handout.AUTOGRADER)
def test_the_scripts_are_read_by_a_shell(name, tmp_path):
    script = tmp_path / name
    script.write_bytes(handout.autograder([], None, KEY)[name])
    subprocess.run(["bash", "-n", str(script)], check=True)


@pytest.fixture
def home(tmp_path):
    """`/autograder` as Gradescope lays it out, with an instructor's own lesson."""
    own = write_own(tmp_path / "mine")
    course = b'own_lessons = "../elsewhere"\n[points]\ntwice_of = 7\n[due]\nT1 = 2020-01-01\n'
    files = handout.autograder([course_with(own).lesson("T1")], course, KEY, own)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    home = tmp_path / "autograder"
    with zipfile.ZipFile(data) as archive:
        archive.extractall(home / "source")
    (home / "submission").mkdir()
    (home / "submission" / NAME).write_text(SQUARED)
    (home / "submission_metadata.json").write_text(json.dumps({"users": [{"id": 7, "name": "Ana"}]}))
    return home


def run_autograder(home):
    script = home / "source" / "run_autograder"
    environ = os.environ | {"AUTOGRADER": str(home), "PYTHON": sys.executable}
    done = subprocess.run(["bash", str(script)], env=environ, capture_output=True, text=True, timeout=1800, check=False)
    return done, json.loads((home / "results" / "results.json").read_text())


@pytest.mark.gate
def test_gradescopes_zip_judges_a_submission(home):
    done, found = run_autograder(home)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("sandbox: ")
    jsonschema.validate(found, GRADESCOPE)
    assert [(test["name"], test["score"], test["max_score"]) for test in found["tests"]] == [
        ("T1 twice_of", 0.0, 7.0),
        ("T1 half_of", 1.0, 0.0),
    ]
    assert found["tests"][0]["output"].startswith("You squared x.")
    assert found["score"] == 14.29  # 1 of 7 points; no due date takes anything off: Gradescope has its own
    assert found["output"] == "The score is of 100. It is made of these lessons:\nlesson T1: 1 / 7 points, weight 1"


@pytest.mark.gate
def test_results_are_there_whatever_happens(home):
    (home / "source" / "key").write_text("no key")
    done, found = run_autograder(home)
    jsonschema.validate(found, GRADESCOPE)
    assert (found["score"], found["tests"]) == (0, [])
    assert "could not be judged" in found["output"]
    assert "ValueError" in done.stdout
    assert "ValueError" not in found["output"]
