"""Names of what was handed in: the lesson that a file's name ends with, the student before it, and by-products.

Moodle, Canvas and Blackboard put a student's name and numbers before the file's name; browsers and Canvas put a number
behind a second copy. By-products are what systems, editors, learning platforms and the hand-out leave beside an answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from minitorch.course.grading import archives
from minitorch.course.manifest import Lesson

NOTEBOOK = ".ipynb"
FOREIGN = re.compile(r"\.(?:rar|7z|xz|txz|lzma|zst|lz4?|bz2|gz|z|cab|arj|dmg|iso)$", re.IGNORECASE)  # archives
MOODLE = re.compile(r"^(?P<name>.+_\d+)_assignsubmission_(?:file|onlinetext)_?.*$", re.DOTALL)
CANVAS = re.compile(r"^(?P<name>.+?)(?:_LATE)?_(?P<user>\d{3,})_(?P<upload>\d{3,})(?:_.*)?$", re.DOTALL)
BLACKBOARD = re.compile(r"^(?P<name>.+)_attempt_\d{4}(?:-\d\d){5}(?P<receipt>\.txt)?(?(receipt)|(?:_.*)?)$", re.DOTALL)
COPY = r"(?:-(?P<dash>\d{1,4})| ?\((?P<round>\d{1,4})\))?"  # what Canvas and browsers put behind a second one
COPY_OF_NOTEBOOK = COPY.replace("?P<dash>", "").replace("?P<round>", "")
BY_PRODUCTS = {  # folders and files, in lower case
    *("__macosx", "__pycache__", "thumbs.db", "desktop.ini", "icon\r", ".ds_store"),
    *(".git", ".github", ".gitignore", ".gitattributes", ".gitkeep", ".ipynb_checkpoints", ".minitorch"),
    *(".venv", ".vscode", ".idea", ".jupyter", ".ipython", ".cache", ".pytest_cache", ".mypy_cache", ".ruff_cache"),
    *("timestamp.txt", "submission_metadata.yml", "license", "license.txt", "license.md"),
}
SOLUTIONS = "solutions"  # the folder of a clone in which the course keeps its own answers
LAID_OUT = {"work", "notebooks"}  # the folders in which the hand-out lays pages of text beside its notebooks


def of_lesson(name: str, lesson: Lesson) -> re.Match[str] | None:
    """Match a file's name that ends with a lesson's, or its notebook's; what stands before it is the student's.

    A hidden file is none: editors keep copies under such names.
    """
    stem, short = re.escape(lesson.stem), re.escape(Path(lesson.notebook_name).stem)
    names = rf"(?:{stem}{COPY}\.py|(?:lesson_)?{short}{COPY_OF_NOTEBOOK}\{NOTEBOOK})"
    return re.fullmatch(rf"(?!\.)(?P<before>.*?){names}", name, re.IGNORECASE | re.DOTALL)


def is_notebook(name: str) -> bool:
    """Return True for a notebook's name."""
    return name.lower().endswith(NOTEBOOK)


def is_by_product(parts: tuple[str, ...]) -> bool:
    """Return True for what lies beside answers everywhere, and is no answer."""
    if any(part.casefold() in BY_PRODUCTS or part.startswith("._") for part in parts):
        return True
    name = parts[-1].casefold() if parts else ""
    page = name.endswith(".md") and len(parts) > 1 and parts[-2] in LAID_OUT
    return page or re.fullmatch(r"readme(?:\.\w+)?", name) is not None or is_receipt(parts)


def is_receipt(parts: tuple[str, ...]) -> bool:
    """Return True for the text that Blackboard puts beside each attempt."""
    match = BLACKBOARD.match(parts[-1]) if parts else None
    return match is not None and match["receipt"] is not None


def student_of(parts: tuple[str, ...], lessons: Sequence[Lesson]) -> str:
    """Return the student's name that an entry bears, as it stands there; empty where that cannot be told."""
    if not parts:
        return ""
    if len(parts) > 1:
        moodle = MOODLE.match(parts[0])
        return moodle["name"] if moodle else parts[0]
    stem = archives.stem_of(parts[0])
    if stem is None and FOREIGN.search(parts[0]):
        stem = FOREIGN.sub("", parts[0]).removesuffix(".tar")
    if stem is not None:
        return without_upload(stem)
    match = next(filter(None, (of_lesson(parts[0], lesson) for lesson in lessons)), None)
    if match:
        return without_upload(match["before"].rstrip("_- ."))
    uploaded = without_upload(parts[0])
    return uploaded if uploaded != parts[0] else ""


def without_upload(name: str) -> str:
    """Return a name without what Moodle, Canvas and Blackboard add that differs from one upload to the next."""
    for pattern in (MOODLE, BLACKBOARD):
        if match := pattern.match(name):
            return match["name"]
    canvas = CANVAS.match(name)
    return f"{canvas['name']}_{canvas['user']}" if canvas else name


def copy_number(name: str) -> int:
    """Return the number behind a second copy's name; 0 where there is none."""
    copy = re.search(rf"{COPY}\.\w+$", name, re.IGNORECASE)
    return next((int(each) for each in (copy.groups() if copy else ()) if each), 0)
