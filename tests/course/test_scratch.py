"""Folders for the child's use: nothing of them stays, however deep they are, and what killed checks left is swept."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.scratch import PREFIX, Scratch, remove, sweep
from minitorch.course.session import Session


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A folder for temporary folders of this test alone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    return tmp_path / "temporary"


def deep(folder: Path, depth: int) -> None:
    """Folders in folders, with files and a link on the way, deeper than Python recurses and than a path is long."""
    home = Path.cwd()
    os.chdir(folder)
    try:
        for _ in range(depth):
            Path("file").write_text("x", encoding="utf-8")
            Path("folder").mkdir()
            os.chdir("folder")
        Path("link").symlink_to(home)
    finally:
        os.chdir(home)


def test_folders_in_folders_are_removed_to_the_last(tmp_path):
    folder, outside = tmp_path / "scratch", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "kept").write_text("x", encoding="utf-8")
    deep(folder, 1200)
    (folder / "away").symlink_to(outside)
    (folder / "locked").mkdir(mode=0)
    remove(folder)
    assert not folder.exists()
    assert (outside / "kept").exists()
    remove(folder)  # it may be gone


def files(folder: Path, count: int, size: int = 0) -> None:
    for each in range(count):
        with (folder / f"f{each}").open("wb") as file:
            file.truncate(size)


def behind_a_door(folder: Path) -> None:
    (folder / "d").mkdir()
    files(folder / "d", 1001)
    (folder / "d").chmod(0)


@pytest.mark.parametrize(
    ("made", "full"),
    [
        (lambda at: files(at, 900, 1000), False),
        (lambda at: files(at, 1001), True),
        (lambda at: files(at, 18, 15 << 20), True),
        (lambda at: deep(at, 1200), True),
        (behind_a_door, True),
    ],
    ids=["a few", "many", "large", "deep", "behind a door"],
)
def test_a_folder_is_full_at_1000_files_or_256_mb(temporary, made, full):
    folder = Scratch()
    made(folder.path)
    assert folder.is_full() is full
    folder.end()
    assert list(temporary.iterdir()) == []


def test_a_check_that_digs_leaves_nothing_behind(judge, temporary):
    dig = "    for _ in range(1500):\n        os.mkdir('d')\n        os.chdir('d')\n"
    verdict = judge(f"import os\ndef double(x):\n{dig}    return 2 * x\n")["double"]
    assert verdict.kind in Kind
    assert list(temporary.iterdir()) == []


def test_a_check_sweeps_what_killed_checks_left(judge, solution, temporary):
    left, closed, young = (temporary / f"{PREFIX}{name}" for name in ("left_ab1", "closed_2", "young_ab"))
    others = [temporary / name for name in ("other", "minitorch-mine", f"{PREFIX}up", f"{PREFIX}my-notes")]
    for folder in (left, closed, young, *others):
        folder.mkdir()
        (folder / "file").write_text("x", encoding="utf-8")
    closed.chmod(0)
    for folder in (left, closed, *others):
        os.utime(folder, (1.0, 1.0))
    judge(solution)
    assert set(temporary.iterdir()) == {young, *others}


KILLED = """
import os, sys
from minitorch.course.sandbox.scratch import Scratch
made = Scratch()
os.chdir(made.path)
for _ in range(2000):
    os.mkdir("d")
    os.chdir("d")
print(made.path, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_folder_goes_with_the_next_check_once_its_owner_is_dead_and_not_before(temporary):
    env = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, "-c", KILLED]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as owner:
        folder = Path(owner.stdout.readline().strip())
        os.utime(folder, (1.0, 1.0))
        sweep()
        assert folder.exists()
        owner.kill()
        owner.wait()
    sweep()
    assert not folder.exists()


def test_temporary_files_of_killed_commands_go_with_the_next_command(tiny, course_folder):
    private = course_folder / ".minitorch"
    left, young, own = ".double.json.abcd_123.tmp", ".double.json.zzzz_123.tmp", ".mine.tmp"
    for folder in (private / "progress", private / "hints", private / "backups", course_folder / "exercises"):
        folder.mkdir(parents=True, exist_ok=True)
        for name in (left, young, own):
            (folder / name).write_text("x", encoding="utf-8")
        for name in (left, own):
            os.utime(folder / name, (1.0, 1.0))
    Session(tiny, course_folder)
    assert not list(course_folder.rglob(left))
    assert len(list(course_folder.rglob(young))) == len(list(course_folder.rglob(own))) == 4


def test_what_belongs_to_somebody_else_is_left_alone(temporary, monkeypatch):
    left = temporary / f"{PREFIX}left_abc"
    left.mkdir()
    os.utime(left, (1.0, 1.0))
    monkeypatch.setattr(os, "getuid", lambda: left.stat().st_uid + 1)
    sweep()
    assert left.exists()
