"""Answers to exercises that lie in TOML files, put into the lesson's solution and judged."""

from __future__ import annotations

import ast
import textwrap
import tomllib
from pathlib import Path
from typing import Any

from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Verdict

COURSE = manifest.load()


def tables(path: Path, kind: str) -> list[dict[str, Any]]:
    """The tables `[[kind]]` of a file that holds nothing else."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    assert set(data) == {kind}, path.name
    return data[kind]


def whole_file(exercise: str, code: str, before: str = "") -> str:
    """The lesson's solution with one exercise's definition replaced; `before` stands above it, at module level."""
    found = COURSE.exercise(exercise)
    source = COURSE.lesson_of(found).solution_source()
    written = source_code.replace(source, found.target, textwrap.dedent(code).strip() + "\n")
    if not before:
        return written
    lines = source_code.lines_of(written)
    top = source_code.find(written, found.target.split(".")[0])
    lines.insert(top.first - 1, textwrap.dedent(before).strip() + "\n\n\n")
    return "".join(lines)


def judged(exercise: str, code: str, before: str = "") -> Verdict:
    """The verdict on one answer; the rest of the file is the solution."""
    source = whole_file(exercise, code, before)
    ast.parse(source)
    lesson = COURSE.lesson_of(COURSE.exercise(exercise))
    with FileJudge(lesson, LearnerFile.of(source, lesson.file_name)) as judge:
        return judge.verdict(exercise)
