"""The language that a course folder was last opened in: its stubs and notebooks have it, and so have the answers."""

from __future__ import annotations

import os
from pathlib import Path

from minitorch.course.course_error import CourseError
from minitorch.course.files.course_folder import find_course_folder, private_folder
from minitorch.language import languages
from minitorch.serialization.atomic import write_atomically

FILE = "language"


def chosen_language(folder: Path) -> str | None:
    """The language that is kept for a course folder; None where none is, or it cannot be read.

    A folder that came without what is hidden, as the browser edition's do, may say it in a file that is seen.
    """
    for place in (private_folder(folder), folder):
        try:
            word = (place / FILE).read_bytes()[:8].decode("ascii").strip()
        except (OSError, ValueError):
            continue
        if word in languages():
            return word
    return None


def keep_language(folder: Path, lang: str) -> None:
    """Keep a language for a course folder. Raises OSError."""
    if chosen_language(folder) != lang:
        write_atomically(private_folder(folder) / FILE, f"{lang}\n".encode("ascii"))


def speak_as_chosen(folder: Path | None = None) -> None:
    """Let this process speak the language of a course folder, or of the one that we are in, unless it was told one.

    It is kept in `MINITORCH_LANG`: the pictures, and the processes that are started from here, read it there.
    """
    if os.environ.get("MINITORCH_LANG"):
        return
    try:
        lang = chosen_language(folder or find_course_folder())
    except CourseError:
        return
    if lang:
        os.environ["MINITORCH_LANG"] = lang
