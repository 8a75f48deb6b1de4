"""A reset beside an editor: whatever is saved at the same moment is in the file or in the backup."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from minitorch.course import manifest
from minitorch.course.cli import cli
from minitorch.course.course_error import CourseError
from minitorch.course.files.reset import reset_exercise, reset_lesson
from minitorch.course.files.stubs import stub_source

SAVED = "# what the editor saved\n"


@pytest.fixture
def path(course_folder, solution):
    file = course_folder / "exercises" / "lesson_01_tiny.py"
    file.write_text(solution, encoding="utf-8")
    return file


def save_in_place(path: Path) -> None:
    path.write_text(SAVED, encoding="utf-8")


def save_by_renaming(path: Path) -> None:
    other = path.with_name("other")
    other.write_text(SAVED, encoding="utf-8")
    other.replace(path)


def at_first_call(monkeypatch, owner, name, act):
    """Let something happen just before the first call of owner.name."""
    real, calls = getattr(owner, name), []

    def patched(*args, **options):
        calls.append(args)
        if len(calls) == 1:
            act()
        return real(*args, **options)

    monkeypatch.setattr(owner, name, patched)


def reset_first(folder, lesson):
    return reset_exercise(folder, lesson, lesson.exercises[0])


def texts(folder: Path) -> set[str]:
    files = [*(folder / "exercises").glob("lesson_01*"), *(folder / ".minitorch" / "backups").iterdir()]
    return {file.read_text(encoding="utf-8") for file in files}


@pytest.mark.parametrize("save", [save_in_place, save_by_renaming])
@pytest.mark.parametrize("reset", [reset_lesson, reset_first])
def test_what_is_saved_while_the_stub_is_written_is_not_lost(tiny, course_folder, path, monkeypatch, save, reset):
    at_first_call(monkeypatch, os, "fsync", lambda: save(path))
    with pytest.raises(CourseError, match="is being written to right now, so it stays as it is; run the command again"):
        reset(course_folder, tiny.lessons[0])
    assert path.read_text(encoding="utf-8") == SAVED
    assert texts(course_folder) == {SAVED}
    assert reset_lesson(course_folder, tiny.lessons[0]).backup.read_text(encoding="utf-8") == SAVED


def test_what_is_saved_in_place_in_the_last_microsecond_is_in_the_backup(tiny, course_folder, path, monkeypatch):
    at_first_call(monkeypatch, Path, "chmod", lambda: save_in_place(path))
    backup = reset_lesson(course_folder, tiny.lessons[0]).backup
    assert backup.read_text(encoding="utf-8") == SAVED


@pytest.mark.skipif(sys.platform != "linux", reason="two files change places in one step on Linux alone")
def test_what_is_saved_by_renaming_in_the_last_microsecond_is_in_the_backup(tiny, course_folder, path, monkeypatch):
    at_first_call(monkeypatch, Path, "chmod", lambda: save_by_renaming(path))
    backup = reset_lesson(course_folder, tiny.lessons[0]).backup
    assert backup.read_text(encoding="utf-8") == SAVED


EDITOR = """
import os, sys, time
for line in sys.stdin:
    way, delay, path, text = line.split()
    time.sleep(float(delay))
    if way == "rename":
        with open(path + ".new", "w") as file:
            file.write(text)
        os.replace(path + ".new", path)
    else:
        with open(path, "w") as file:
            file.write(text)
    print(flush=True)
"""


@pytest.mark.gate
@pytest.mark.parametrize("way", ["rename", "in-place"])
def test_an_editor_that_saves_at_any_moment_of_a_reset_loses_nothing(tiny, course_folder, path, solution, way):
    lesson, rng = tiny.lessons[0], random.Random(0)
    backups = course_folder / ".minitorch" / "backups"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", EDITOR], **pipes) as editor:
        for trial in range(300):
            path.write_text(solution, encoding="utf-8")
            text = f"saved-{trial}"
            editor.stdin.write(f"{way} {rng.uniform(0, 0.004):.5f} {path} {text}\n")
            editor.stdin.flush()
            with contextlib.suppress(CourseError):
                reset_lesson(course_folder, lesson)
            editor.stdout.readline()
            kept = [path, *backups.iterdir()]
            assert text in {file.read_text(encoding="utf-8") for file in kept}, trial
            shutil.rmtree(backups)
            backups.mkdir()


def test_a_link_stays_one_and_the_file_that_it_names_is_reset(tiny, course_folder, path, solution, monkeypatch):
    elsewhere = course_folder / "elsewhere.py"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    monkeypatch.setattr(manifest, "load", lambda: tiny)
    monkeypatch.setenv("MINITORCH_COURSE", str(course_folder))
    told = CliRunner().invoke(cli, ["reset", "01"]).output
    assert f"exercises/{path.name} is a link, so this was written to {elsewhere}" in told
    assert path.is_symlink()
    assert elsewhere.read_text(encoding="utf-8") == stub_source(tiny.lessons[0])
    [backup] = (course_folder / ".minitorch" / "backups").iterdir()
    assert backup.read_text(encoding="utf-8") == solution
    elsewhere.unlink()
    told = CliRunner().invoke(cli, ["reset", "double"]).output
    assert "was missing and is written anew" in told
    assert path.is_symlink()
    assert elsewhere.read_text(encoding="utf-8") == stub_source(tiny.lessons[0])


def test_a_disk_without_hard_links_gets_a_copy(tiny, course_folder, path, solution, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    first = reset_lesson(course_folder, tiny.lessons[0]).backup
    path.write_text("x = 1\n", encoding="utf-8")
    again = reset_lesson(course_folder, tiny.lessons[0]).backup
    assert first.read_text(encoding="utf-8") == solution
    assert again.read_text(encoding="utf-8") == "x = 1\n"
    assert first != again
