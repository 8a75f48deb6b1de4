"""Noticing saves, in all the ways in which editors and file systems make them."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from pathlib import Path

import pytest

from minitorch.course.watching import files as watch_files
from minitorch.course.watching.files import Saves

PATIENCE_S = 600


def first_save(saves: Saves, act) -> frozenset[str]:
    """Let `act` happen while saves are waited for; return what is noticed first."""

    async def run() -> frozenset[str]:
        waiting = aiter(saves)
        noticed = asyncio.ensure_future(anext(waiting))
        await asyncio.sleep(0.3)
        await asyncio.to_thread(act)
        return await asyncio.wait_for(noticed, PATIENCE_S)

    return asyncio.run(run())


@pytest.fixture
def file(course_folder) -> Path:
    return course_folder / "exercises" / "lesson_01_tiny.py"


@pytest.fixture(params=["notices", "poll", "blind"])
def saves(request, tiny, course_folder, monkeypatch):
    """Saves as the system tells of them, by polling, and where the system never tells anything."""
    if request.param == "blind":

        async def blind(*_: object, rust_timeout: int, **__: object):
            while True:
                await asyncio.sleep(rust_timeout / 1000)
                yield set()

        monkeypatch.setattr(watch_files, "awatch", blind)
    else:  # looking by itself, every so often, must not be what notices
        monkeypatch.setattr(watch_files, "LOOK_MS", 10_000 * PATIENCE_S)
    return Saves(course_folder, tiny.lessons, poll=request.param == "poll")


def test_a_file_that_is_written_in_place(saves, file):
    assert first_save(saves, lambda: file.write_text("x = 1\n")) == {"01"}


def test_a_file_that_is_written_beside_and_moved_there(saves, file):
    def act() -> None:
        beside = file.with_name(".lesson_01_tiny.py.swp")
        beside.write_text("x = 1\n")
        beside.replace(file)

    assert first_save(saves, act) == {"01"}


def test_a_file_that_is_emptied_and_written_in_pieces_counts_once_it_is_whole(saves, file, monkeypatch):
    def act() -> None:
        with file.open("w") as stream:
            stream.flush()
            time.sleep(0.25)
            for _ in range(5):
                stream.write("x = 1\n")
                stream.flush()
                time.sleep(0.03)

    before = file.stat().st_mtime_ns
    assert first_save(saves, act) == {"01"}
    assert file.read_text() == "x = 1\n" * 5
    assert file.stat().st_mtime_ns > before
    assert saves.seen == saves._look()


def test_a_file_that_is_gone_for_a_moment(saves, file):
    def act() -> None:
        away = file.rename(file.with_suffix(".py~"))
        time.sleep(0.3)
        shutil.copy(away, file)

    assert first_save(saves, act) == {"01"}
    assert saves.seen["01"] is not None


def test_a_file_that_is_gone_for_good_is_noticed_too(saves, file):
    assert first_save(saves, file.unlink) == {"01"}
    assert saves.seen["01"] is None


def test_a_save_that_changes_no_letter_is_a_save(saves, file):
    assert first_save(saves, lambda: os.utime(file)) == {"01"}


def test_where_the_system_gives_no_notices_it_polls(tiny, course_folder, file, monkeypatch):
    def refused(*_: object, **__: object):
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(watch_files, "awatch", refused)
    assert first_save(Saves(course_folder, tiny.lessons), lambda: file.write_text("x = 1\n")) == {"01"}


def test_a_folder_that_is_missing_at_first_is_waited_for(tiny, course_folder, file):
    text = file.read_text()
    shutil.rmtree(file.parent)
    saves = Saves(course_folder, tiny.lessons)

    def act() -> None:
        file.parent.mkdir()
        file.write_text(text)

    assert first_save(saves, act) == {"01"}


def test_other_files_are_no_saves(tiny, course_folder, file):
    def act() -> None:
        file.with_name("notes.txt").write_text("x")
        file.with_name(".lesson_01_tiny.py.swp").write_text("x")
        file.with_name("__pycache__").mkdir()

    async def run() -> None:
        noticed = asyncio.ensure_future(anext(aiter(Saves(course_folder, tiny.lessons))))
        await asyncio.sleep(0.3)
        act()
        await asyncio.wait_for(noticed, 3)

    with pytest.raises(TimeoutError):
        asyncio.run(run())
