"""What `minitorch lab 08` prepares: where it begins, the workspace, and shells that find this installation first."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from minitorch.course import manifest
from minitorch.course.course_error import CourseError
from minitorch.course.files.stubs import write_stubs
from minitorch.course.session import Session
from minitorch.course.setup import lab, prepared, terminal

COURSE = manifest.load()
PROGRAMS = Path(sys.executable).parent


@pytest.fixture
def folder(tmp_path) -> Path:
    write_stubs(tmp_path / "exercises")
    return tmp_path


def solve(folder: Path, number: str) -> None:
    lesson = COURSE.lesson(number)
    shutil.copy(lesson.solution, folder / "exercises" / lesson.file_name)
    list(Session(COURSE, folder).check(lesson.exercises))


# ------------------------------------------------------------------------------------- where it begins


def test_it_begins_at_the_first_function_that_is_open(folder):
    begin = prepared.start(COURSE, folder, "8")
    lines = (folder / begin.file).read_text(encoding="utf-8").splitlines()
    assert lines[begin.line - 1].startswith("def unbroadcast(")
    assert begin.notebook == "work/08_broadcasting.ipynb"
    assert begin.at == f"exercises/lesson_08_broadcasting.py:{begin.line}"


def test_without_a_lesson_it_begins_where_the_learner_left_off(folder):
    assert prepared.start(COURSE, folder, None).lesson.number == "00"
    solve(folder, "00")
    assert prepared.start(COURSE, folder, None).exercise.name == COURSE.lesson("01").exercises[0].name


def test_a_solved_lesson_begins_at_its_first_function_and_a_broken_file_at_its_guess(folder):
    solve(folder, "00")
    assert prepared.start(COURSE, folder, "00").exercise.name == "hello_gradient"
    path = folder / "exercises" / COURSE.lesson("08").file_name
    path.write_text("def broken(:\n    pass\n\n\ndef unbroadcast(gradient, shape):\n    pass\n", encoding="utf-8")
    assert prepared.start(COURSE, folder, "08").line == 5
    path.unlink()
    assert prepared.start(COURSE, folder, "08").line == 1


def test_a_lesson_that_does_not_exist_is_answered_before_anything_is_started(folder, monkeypatch):
    monkeypatch.setattr(lab.subprocess, "Popen", lambda *_, **__: pytest.fail("JupyterLab was started"))
    with pytest.raises(CourseError, match="no lesson '66'"):
        lab.lab(folder, "66")


# --------------------------------------------------------------------------------------- the workspace


def test_the_workspace_has_the_notebook_the_file_and_a_terminal(folder):
    begin = prepared.start(COURSE, folder, "08")
    workspace = json.loads(prepared.layout(begin))
    dock = workspace["data"]["layout-restorer:data"]["main"]["dock"]
    left, right = dock["children"]
    assert left["widgets"] == ["notebook:work/08_broadcasting.ipynb"]
    assert [area["widgets"] for area in right["children"]] == [
        ["editor:exercises/lesson_08_broadcasting.py"],
        ["terminal:watch"],
    ]
    shown = [left["widgets"][0], *(area["widgets"][0] for area in right["children"])]
    assert set(shown) <= set(workspace["data"])
    assert workspace["metadata"]["id"] in begin.page


def test_the_list_of_files_begins_closed_and_leaves_its_room_to_the_notebook(folder):
    workspace = json.loads(prepared.layout(prepared.start(COURSE, folder, "08")))
    left = workspace["data"]["layout-restorer:data"]["left"]
    assert left["collapsed"]
    assert "current" not in left  # JupyterLab opens the one that it is told of as current


# ----------------------------------------------------------------------------------------- the shells

SHELLS = [
    pytest.param(name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not installed"))
    for name in ("bash", "zsh", "fish", "dash")
]


@pytest.mark.skipif(os.name != "posix", reason="POSIX shells")
@pytest.mark.parametrize("name", SHELLS)
def test_a_terminal_finds_this_installation_first_and_the_first_one_watches(name, tmp_path):
    """Though the learner's own start file puts another folder first."""
    home, programs = tmp_path / "home dir", tmp_path / "programs"
    for each in (home / ".config" / "fish", programs):
        each.mkdir(parents=True)
    for start in (".bashrc", ".zshrc"):
        (home / start).write_text('export PATH="/elsewhere:$PATH"\nalias rm="rm -i"\n', encoding="utf-8")
    fake = programs / "minitorch"
    fake.write_text('#!/bin/sh\necho "ran $*"\n', encoding="utf-8")
    fake.chmod(0o755)
    command = terminal.shell_command(tmp_path / "lab", programs, "unbroadcast", shell=shutil.which(name))
    assert "-l" not in command
    first = talk(command, home, "echo $PATH; exit\n")
    assert "ran watch unbroadcast" in first
    second = talk(command, home, "echo $PATH; command -v minitorch; exit\n")
    assert "ran watch" not in second
    assert str(fake) in second
    if name in {"bash", "zsh"}:
        assert f"{programs}:/elsewhere" in second


def talk(command: list[str], home: Path, words: str) -> str:
    """Start a shell on a terminal, type, and return all that it shows."""
    import pty  # there is none on Windows

    leader, follower = pty.openpty()
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "TERM": "dumb"}
    process = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, env=environment, start_new_session=True
    )
    os.close(follower)
    os.write(leader, words.encode())
    shown, deadline = b"", time.monotonic() + 600
    while time.monotonic() < deadline:
        ready, _, _ = select.select([leader], [], [], 0.2)
        try:
            data = os.read(leader, 4096) if ready else b""
        except OSError:
            break
        if ready and not data:
            break
        shown += data
    process.wait(timeout=600)
    os.close(leader)
    return shown.decode(errors="replace")


def test_a_shell_that_is_not_known_is_started_with_its_start_file(tmp_path):
    command = terminal.shell_command(tmp_path, PROGRAMS, "add", shell="/bin/ksh")
    assert command[:1] == ["env"]
    assert command[1] == f"ENV={tmp_path / 'shrc'}"
