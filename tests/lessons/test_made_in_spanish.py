"""What the course makes while it runs, and what its notebooks show: no English word in it but code.

An English word is one that English texts of the course say and Spanish ones do not. Titles of papers are quoted in
Spanish texts, so a word counts as English, too, where it is there more than forty times as often as here.
"""

from __future__ import annotations

import ast
import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import nbformat
import pytest
from click.testing import CliRunner
from spanish_texts import COURSE, NOTEBOOKS, everything, words

from minitorch.course.activities.lecture import lecture_of
from minitorch.course.cli import cli
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.grading import handout
from minitorch.course.grading.class_page import ClassPage, class_page
from minitorch.course.grading.insight import insight
from minitorch.course.grading.store import Graded, Result
from minitorch.course.judging.judge import FileJudge
from minitorch.course.setup.workspace import init_course

SHOWN = re.compile(r"""\b(?:alt|title|aria-label|aria-valuetext|placeholder)=(?:"([^"]*)"|'([^']*)')""")
UNSEEN = re.compile(r"(?s)<(script|style|pre|code)\b.*?</\1>|<[^>]*>")
CODE = re.compile(r"`[^`]*`|\b\w+\([^)]*\)|\w*[_.]\w+|'[^'\n]*'|\w*/\S+")  # calls, names, paths and what is quoted
NAMES = {
    "minitorch",
    "watch",
    "status",
    "check",
    "hint",
    "stub",
    "device",
    "width",
    "light",
    "dark",
    "has",
    "recursive",
}


@pytest.fixture(scope="module")
def english() -> set[str]:
    """The words that are English and not Spanish."""
    told: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for _, _, *said in everything():
        for count, text in zip(told, said, strict=True):
            count.update(word.lower() for word in words(text))
    names = {part for exercise in COURSE.exercises for part in exercise.name.split("_")}
    return {word for word, count in told[0].items() if count > 40 * told[1][word]} - names - NAMES


def of_a_page(page: str) -> str:
    """What a page of HTML shows, and what it says to a screen reader."""
    spoken = "\n".join(one or other for one, other in SHOWN.findall(page))
    return html.unescape(f"{UNSEEN.sub(chr(10), page)}\n{spoken}")


def left(text: str, english: set[str]) -> list[str]:
    """Name the lines that have an English word."""
    lines = dict.fromkeys(text.splitlines())
    return [
        f"{said}: {line.strip()}"
        for line in lines
        if (said := [w for w in words(CODE.sub(" ", line)) if w.lower() in english])
    ]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A Spanish course folder in which lesson 01 is solved."""
    monkeypatch.setenv("MINITORCH_LANG", "es")
    init_course(tmp_path / "curso", lang="es")
    monkeypatch.chdir(tmp_path / "curso")
    lesson = COURSE.lesson("01")
    (tmp_path / "curso" / "exercises" / lesson.file_name).write_text(lesson.solution_source(), encoding="utf-8")
    return tmp_path / "curso"


def run(*said: str) -> str:
    return CliRunner().invoke(cli, said).output


@pytest.mark.parametrize("said", ["status", "status 01", "check 00", "hint add", "doctor", "reset add", "upgrade"])
def test_what_a_command_says(folder, english, said):
    assert left(run(*said.split()), english) == []


def test_a_report(folder, english):
    assert left(run("report", "mine.html"), english) == []
    assert left(of_a_page((folder / "mine.html").read_text(encoding="utf-8")), english) == []


def test_an_export(folder, english):
    assert left(run("export", "mine"), english) == []
    for name in ("README.md", "pyproject.toml"):
        assert left((folder / "mine" / name).read_text(encoding="utf-8").partition("[build")[0], english) == []


@pytest.mark.parametrize("number", ["00", "02"])
def test_a_lecture(tmp_path, monkeypatch, english, number):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    lecture, _ = lecture_of(COURSE.lesson(number), "es")
    lecture.save(tmp_path / "lecture.html")
    assert left(of_a_page((tmp_path / "lecture.html").read_text(encoding="utf-8")), english) == []


def graded(student: str, source: str) -> Graded:
    lesson, results = COURSE.lesson("02"), {}
    with FileJudge(lesson, LearnerFile.of(source, lesson.file_name)) as judge:
        for exercise in lesson.exercises:
            results[exercise.name] = Result(exercise.name, "1", judge.verdict(exercise.name), 0.1, (), "fork")
    time = datetime(2026, 10, 1, tzinfo=UTC)
    return Graded(student, "02", f"{student}.py", time, "0", source, None, None, results)


def test_the_pages_of_a_class(monkeypatch, english):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    solution = COURSE.lesson("02").solution_source()
    wrong = solution.replace("return order", "return order[::-1]")
    found = insight([graded("ana", solution), graded("beto", wrong)], COURSE, ["02"], ["ana", "beto", "caro"])
    about = ClassPage(name="curso", date="2026-11-22", lessons=("02",), hand_ins=2, tiers=("fork",))
    assert left(of_a_page(class_page(found, about, "es")), english) == []


def test_a_handout(english):
    files = handout.handout([COURSE.lesson("01")], "es")
    assert left(files["README.md"].decode(), english) == []
    assert files["work/glossary.md"].startswith(b"# Glosario")


def named(cells: Sequence[Any]) -> set[str]:
    """What the code of a notebook calls its things: pictures show such names."""
    trees = [ast.parse(cell.source) for cell in cells if cell.cell_type == "code"]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return {getattr(node, "id", "") or getattr(node, "name", "") or "" for node in nodes}


def spoken(cells: Sequence[Any]) -> Iterator[str]:
    """What the pictures and cards of a notebook say that are stored in it."""
    for cell in cells:
        for output in cell.get("outputs", ()):
            page = output.get("data", {}).get("text/html")
            if page:
                yield of_a_page(page)


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.number)
def test_what_a_notebook_shows(lesson, english):
    cells = nbformat.read(NOTEBOOKS / "es" / lesson.notebook_name, as_version=4).cells
    assert left("\n".join(spoken(cells)), english - named(cells)) == []


def test_an_english_word_is_named(english):
    page = '<p>el gradiente</p><img alt="the gradient"><pre>for the code</pre><p>`the code` y `add_vjp`</p>'
    assert left(of_a_page(page), english) == ["['the']: the gradient"]
