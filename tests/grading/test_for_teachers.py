"""docs/for-teachers.md: its weeks are the manifest's, and what it says to type is typed."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from grading_class import write_own

from minitorch.course import manifest
from minitorch.course.grading.settings import parsed
from minitorch.course.sandbox import tiers

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "for-teachers.md").read_text(encoding="utf-8")
WEEK = re.compile(r"^\| (?P<week>\d) \| (?P<lessons>[^|]+) \| (?P<minutes>\d+) \| (?P<more>\d+) \|", re.MULTILINE)
WEEKS = [*WEEK.finditer(PAGE)]


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_weeks_are_eight_and_their_minutes_those_of_the_manifest():
    course = manifest.load()
    assert [int(week["week"]) for week in WEEKS] == [*range(1, 9)]
    for week in WEEKS:
        lessons = [course.lesson(number) for number in week["lessons"].split(", ")]
        assert int(week["minutes"]) == sum(lesson.minutes for lesson in lessons), week["week"]
        assert int(week["more"]) == sum(lesson.more for lesson in lessons), week["week"]


def test_a_lesson_stands_behind_all_that_it_builds_on():
    course, done = manifest.load(), []
    for number in (each for week in WEEKS for each in week["lessons"].split(", ")):
        assert set(course.lesson(number).prerequisites) <= set(done), number
        done.append(number)
    assert len(done) == len(set(done))
    assert {"14", "15", "16"}.isdisjoint(done)


def test_every_course_toml_of_the_page_is_one(tmp_path):
    write_own(tmp_path / "my-lessons")
    first, second = blocks("toml")
    made = parsed(first, tmp_path / "course.toml")
    assert made.lessons == ("01", "02", "03", "04")
    assert (made.drop, made.late.free_days, made.extra_days) == (1, 3, {"Ana Abad": 2})
    assert parsed(second, tmp_path / "course.toml").graded_lessons()[-1].prerequisites == ("02",)


@pytest.mark.gate
def test_every_command_of_the_page_does_what_it_says(tmp_path):
    """Typed one after the other, in one folder; the class that does not exist has three students here."""
    shims = tmp_path / "bin"
    shims.mkdir()
    for name, more in (("minitorch", " -m minitorch"), ("python", "")):
        (shims / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{more} "$@"\n')
        (shims / name).chmod(0o755)
    desk = tmp_path / "networks"
    desk.mkdir()
    (desk / "course.toml").write_text(blocks("toml")[0])
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    where = os.environ | {"PATH": f"{shims}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    typed = "".join(blocks("sh")).replace("--students 40", "--students 3")
    if os.geteuid() == 0:
        typed = re.sub(r"grade (run|regrade)", r"grade \1 --allow-root", typed)
    done = subprocess.run(
        [shutil.which("bash") or "bash", "-e", "-c", typed],
        cwd=tmp_path,
        env=where | {"MINITORCH_LANG": "en", "MINITORCH_PATIENCE": "8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"sandbox: {tiers.best()}" in done.stderr
    made = {path.name for path in desk.iterdir()} - {"course.toml"}
    files = {"week-1.zip", "points.csv", "points.json", "moodle.csv", "nbgrader.csv", "autograder.zip", "junit.xml"}
    assert made == files | {"submissions", "grades", "report", "spanish", "gradescope"}
    assert len(list((desk / "report" / "students").iterdir())) == 3
    with (desk / "points.csv").open(encoding="utf-8") as file:
        assert [row["student"] for row in csv.DictReader(file)] == ["Ana Abad", "Ben Abad", "Chloé Abad"]
    known = set(re.findall(r"minitorch (?:--lang \w+ )?grade (\w+)", "".join(blocks("sh"))))
    assert known == {"doctor", "handout", "run", "report", "export", "regrade", "autograder"}
