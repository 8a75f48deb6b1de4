"""Nothing of a learner's runs beside the judge in pytest's process: the run stops, and nothing is paid."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minitorch.course import manifest
from minitorch.course.files.stubs import write_stubs

pytestmark = pytest.mark.gate
FORGE = """
import minitorch.course.session as session
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.language import Message

def pay(self, judge, exercise):
    return Verdict(exercise.name, exercise.lesson, Kind.PASSED, Message(""), exercise.asks)

session.Session.judge_and_save = pay
"""
TEST = f"{FORGE}\ndef test_mine():\n    pass\n"


@pytest.fixture
def folder(tmp_path):
    write_stubs(tmp_path / "mine" / "exercises")
    return tmp_path / "mine"


def run(folder: Path, *words: str, lang: str = "en") -> tuple[int, str]:
    """Run pytest with this plugin alone; return the exit status and all that was said."""
    said = {"PYTHONPATH": str(Path.cwd()), "PYTHONIOENCODING": "utf-8", "MINITORCH_LANG": lang}
    env = {**os.environ, **said, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    alone = ("-p", "no:cacheprovider", "-p", "minitorch.course.pytest_plugin")
    command = [sys.executable, "-m", "pytest", *words, *alone]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stdout + done.stderr


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("exercises/conftest.py", FORGE, ["exercises/"]),
        ("exercises/conftest.py", FORGE, ["exercises/lesson_01_scalar_nodes.py"]),
        ("exercises/conftest.py", FORGE, ["exercises/lesson_01_scalar_nodes.py::add"]),
        ("exercises/conftest.py", FORGE, []),
        ("exercises/conftest.py", FORGE, ["../mine/exercises"]),
        ("exercises/conftest.py", FORGE, [".."]),
        ("conftest.py", FORGE, ["exercises/"]),
        ("conftest.py", FORGE, []),
        ("conftest.py", FORGE, [".."]),
        ("pytest.ini", "[pytest]\naddopts = --deselect exercises\n", ["exercises/"]),
        (".pytest.ini", "[pytest]\nmarkers = x\n", ["exercises/"]),
        ("exercises/pytest.ini", "[pytest]\n", ["exercises/"]),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-q'\n", ["exercises/"]),
        ("setup.cfg", "[tool:pytest]\naddopts = -q\n", ["exercises/"]),
        ("tox.ini", "[pytest]\naddopts = -q\n", []),
    ],
)
def test_settings_and_conftest_of_a_learner_stop_the_run(folder, name, text, words):
    write(folder / name, text)
    code, said = run(folder, *words)
    assert code == 4
    assert (
        f"nothing was judged: pytest would run or obey {Path(folder.name, name).parent.name}/{Path(name).name}" in said
    )
    assert "passed" not in said
    assert not (folder / ".minitorch" / "progress").exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("test_mine.py", []),
        ("test_mine.py", ["exercises/", "test_mine.py"]),
        ("tests/test_mine.py", []),
        ("exercises/test_mine.py", ["exercises/", "exercises/test_mine.py"]),
        ("evil.py", ["-p", "evil", "exercises/"]),
    ],
)
def test_other_code_of_a_learner_is_never_in_the_process_that_judges(folder, name, words):
    write(folder / name, TEST)
    code, said = run(folder, *words)
    assert code != 0
    assert "points earned" not in said
    assert " passed" not in said


@pytest.mark.parametrize("name", ["__init__.py", "exercises/__init__.py", "exercises/test_mine.py"])
def test_what_lies_beside_the_lessons_is_not_run(folder, name):
    write(folder / name, f"{TEST}\nopen('ran', 'w').close()\n")
    code, said = run(folder, "exercises/")
    assert code == 1
    assert f"{len(manifest.load().exercises)} not started" in said
    assert not list(folder.rglob("ran"))


def test_a_test_of_ones_own_is_run_by_itself(folder):
    write(folder / "exercises" / "test_mine.py", "def test_mine():\n    assert True\n")
    code, said = run(folder, "exercises/test_mine.py")
    assert (code, "1 passed" in said) == (0, True)


def test_a_project_file_without_a_word_about_pytest_is_no_reason_to_stop(folder):
    write(folder / "pyproject.toml", "[project]\nname = 'mine'\n")
    write(folder / "setup.cfg", "[metadata]\nname = mine\n")
    for lesson in manifest.load().lessons:
        shutil.copy(lesson.solution, folder / "exercises" / lesson.file_name)
    code, said = run(folder, "exercises/")
    assert (code, f"{len(manifest.load().exercises)} passed" in said) == (0, True)


def test_a_lecturers_settings_above_the_learners_folders_hold(folder):
    write(folder.parent / "pytest.ini", "[pytest]\naddopts = -q\n")
    write(folder.parent / "conftest.py", "")
    code, said = run(folder.parent, "mine/exercises")
    assert code == 1
    assert "not started" in said


def test_the_sentence_is_said_in_spanish(folder):
    write(folder / "exercises" / "conftest.py", "")
    code, said = run(folder, lang="es")
    assert code == 4
    assert "no se comprobó nada" in said
