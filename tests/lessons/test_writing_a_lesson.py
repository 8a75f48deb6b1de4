"""docs/writing-a-lesson.md: its example is a lesson that works, and what it names exists."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from minitorch.course import manifest
from minitorch.course.cards.questions import load_questions
from minitorch.course.files.statements import said, said_otherwise
from minitorch.course.files.stubs import stub_source
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.mistakes import full_source, load_mistakes
from minitorch.course.judging.verdict import Kind

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "writing-a-lesson.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`([\w/.]+)`:\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """Lay the page's example out beside the shipped lessons and return it."""
    root = tmp_path_factory.mktemp("page")
    for folder in ("minitorch/course/lessons", "solutions"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return manifest.load(root / "minitorch/course/lessons", root / "solutions").lesson("99")


def test_the_page_shows_every_file_that_is_written_by_hand():
    written = {Path(name).name for name in FILES}
    assert written == {"lesson_99_slope.py", "lesson.toml", "measured_slope.toml", "checks.py", "quiz.toml"}


def test_the_example_passes_and_its_stub_is_not_started(lesson):
    assert {each.kind for each in judge_source(lesson, lesson.solution_source()).values()} == {Kind.PASSED}
    assert {each.kind for each in judge_source(lesson, stub_source(lesson)).values()} == {Kind.NOT_STARTED}


def test_each_known_wrong_version_of_the_example_is_named(lesson):
    known = load_mistakes(lesson)
    assert len(known) >= 5
    for one in known:
        assert judge_source(lesson, full_source(lesson, one))[one.exercise].diagnosis == one.id


def test_the_quiz_of_the_example_can_be_asked(lesson):
    ids = {one.id for one in load_mistakes(lesson)}
    for question in load_questions(lesson):
        assert all(option.correct or option.mistake in ids for option in question.options)


def test_the_example_is_typeset_as_the_house_is(tmp_path):
    ruff = shutil.which("ruff", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if ruff is None:
        pytest.skip("ruff is not installed")
    for name, text in FILES.items():
        (tmp_path / Path(name).name).write_text(text, encoding="utf-8")
    words = [ruff, "format", "--check", "--config", str(ROOT / "pyproject.toml"), "--no-cache", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_file_of_the_repository_that_it_names_exists():
    named = set(re.findall(r"`((?:minitorch|solutions|notebooks|exercises|tests|scripts)/[\w/.]+)`", PAGE))
    named |= {f"scripts/{name}" for name in re.findall(r"scripts/(\w+\.py)", PAGE)}
    named |= set(re.findall(r"pytest (tests/\S+)", PAGE))
    assert len(named) > 10
    assert [name for name in named if "_99_" not in name and "/99_" not in name and not (ROOT / name).exists()] == []


def test_the_helpers_that_it_names_exist():
    from minitorch.course.judging import checks

    for name in ("same_number", "same_numbers", "same_array", "same_value", "first_wrong", "Wrong", "But"):
        assert name in PAGE
        assert hasattr(checks, name)


def test_the_example_can_be_said_in_spanish(lesson):
    """The page's table holds for its lesson; what it shows of other lessons stands in them."""
    table = tomllib.loads(re.search(r"^```toml\n(\[es\]\n.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1])["es"]
    own = {each.key for each in said(stub_source(lesson))}
    stub = said_otherwise(stub_source(lesson), {key: text for key, text in table.items() if key in own})
    assert "Lección 99" in stub
    assert "medida con un paso hacia cada lado" in stub
    assert {each.kind for each in judge_source(lesson, stub).values()} == {Kind.NOT_STARTED}


def test_the_commands_for_notebooks_exist():
    script = (ROOT / "scripts" / "notebooks.py").read_text(encoding="utf-8")
    commands = set(re.findall(r"scripts/notebooks\.py (\w+)", PAGE))
    assert commands == {"run", "check", "test", "translated"}
    assert all(f'"{command}"' in script for command in commands)
    assert commands <= {node.name for node in ast.walk(ast.parse(script)) if isinstance(node, ast.FunctionDef)}
