"""The lectures of all lessons, as `minitorch lecture` makes them, with their pages as PDF: into build/lectures.

    python site/lectures.py

Each runs its notebook, and a few of them train for ten seconds. So one is made anew only when its notebook or its
lesson has changed, or what draws it: `make clean` is for everything else.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from minitorch.course import manifest

LANGUAGES = ("en", "es")  # of each there is a folder of pages
ROOT = Path(__file__).resolve().parents[1]
MADE = ROOT / "build" / "lectures"
DRAWN_BY = (
    "viz/**/*",
    "locale/**/*.po",
    "course/activities/lecture.py",
    "course/activities/rerun.py",
    "course/cards/questions.py",
)
FORMS = (".html", ".pdf")


def make() -> Path:
    """Make those that are missing or old, as many at once as there are processors. Returns the folder."""
    began = time.monotonic()
    drawn_by = _of_files(path for pattern in DRAWN_BY for path in (ROOT / "minitorch").glob(pattern))
    wanted = {
        (lesson.number, lang): _of_files([_notebook(lesson, lang), *lesson.folder.rglob("*.toml")], drawn_by)
        for lesson in reversed(manifest.load().lessons)  # the longest first
        for lang in LANGUAGES
    }
    old = {which: mark for which, mark in wanted.items() if not _is_there(*which, mark)}
    if not old:
        return MADE
    print(f"Making {len(old)} lectures, from their notebooks", flush=True)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_make_one, *which, mark) for which, mark in old.items()]):
            done.result()
    print(f"{len(old)} lectures in {time.monotonic() - began:.0f} s")
    return MADE


def name_of(lesson: manifest.Lesson) -> str:
    """What the files of a lesson's lecture are called, without their ending."""
    return f"lecture_{lesson.number}_{lesson.slug}"


def _make_one(number: str, lang: str, mark: str) -> None:
    os.environ["MINITORCH_LANG"] = lang
    from minitorch.course.activities.lecture import lecture_of

    lesson = manifest.load().lesson(number)
    lecture, failed = lecture_of(lesson, lang)
    if failed:
        raise RuntimeError(f"the lecture of lesson {number} in {lang!r} has cells that raised: {'; '.join(failed)}")
    folder = MADE / lang
    folder.mkdir(parents=True, exist_ok=True)
    for form in FORMS:
        lecture.save(folder / f"{name_of(lesson)}{form}")
    (folder / f"{name_of(lesson)}.mark").write_text(mark, encoding="utf-8")


def _is_there(number: str, lang: str, mark: str) -> bool:
    name = name_of(manifest.load().lesson(number))
    written = MADE / lang / f"{name}.mark"
    whole = all((MADE / lang / f"{name}{form}").exists() for form in FORMS)
    return whole and written.exists() and written.read_text(encoding="utf-8") == mark


def _notebook(lesson: manifest.Lesson, lang: str) -> Path:
    return ROOT / "notebooks" / ("" if lang == "en" else lang) / lesson.notebook_name


def _of_files(paths: Iterator[Path] | list[Path], before: str = "") -> str:
    """A mark that another content of these files would not have."""
    found = hashlib.sha256(before.encode())
    for path in sorted(paths):
        if path.is_file() and path.suffix != ".pyc":
            found.update(path.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    make()
    sys.exit(0)
