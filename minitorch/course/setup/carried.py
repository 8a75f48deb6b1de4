"""A course folder as one zip file: made where the folder lies, in a browser too, and laid out anew somewhere else.

Only what a learner makes is in it: the answers, the notebooks, progress, hints, backups. It is read as bytes that
anybody may have written: bounded, by names that are known, and nothing lies outside the new folder.
"""

from __future__ import annotations

import base64
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from minitorch.course.cards.code_words import code_html, code_plain
from minitorch.course.cards.report import Card, frame_html
from minitorch.course.course_error import CourseError
from minitorch.course.files.chosen import chosen_language
from minitorch.course.files.course_folder import private_folder
from minitorch.course.setup.workspace import RECORD, init_course
from minitorch.language import Message, language
from minitorch.serialization.atomic import write_atomically

NAME = "minitorch-course.zip"
KINDS = {"exercises": {".py"}, "work": {".ipynb", ".md"}, ".minitorch": {".json", ".py", ".ipynb", ""}}
PART = re.compile(r"[\w][\w .+-]*")
OF_THE_PLACE = frozenset({f".minitorch/{RECORD}", ".minitorch/said-browser", ".minitorch/diagnosis"})
MOST_FILES = 2000
MOST_BYTES = 64 << 20
DEEPEST = 6


def packed(folder: Path) -> bytes:
    """What a learner made in a course folder, as a zip file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in _own(folder):
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
        lang = chosen_language(folder)
        if lang and not (private_folder(folder) / "language").is_file():
            archive.writestr(".minitorch/language", f"{lang}\n")
    return made.getvalue()


def take_home(folder: Path, lang: str) -> Card:
    """Write a course folder's zip file into it, and show a link to download it. Raises CourseError."""
    data = packed(folder)
    try:
        write_atomically(folder / NAME, data)
    except OSError as error:
        raise CourseError(
            Message("{folder} cannot be written: {why}.", folder=folder, why=error.strerror).to(language(lang))
        ) from None
    told = Message(
        "minitorch-course.zip holds your answers, your notebooks and your progress. Download it; on a computer, "
        "`minitorch init my-course --from minitorch-course.zip` makes a course folder of it.",
    ).to(language(lang))
    link = f'<a download="{NAME}" href="data:application/zip;base64,{base64.b64encode(data).decode()}">{NAME}</a>'
    return Card(frame_html(f"<div>{code_html(told).replace(NAME, link, 1)}</div>"), code_plain(told))


def init_from(folder: Path, file: Path, lang: str, *, outputs: bool = False) -> int:
    """Lay a course folder out as `init_course` does, with what a zip file brings; return how many files those are.

    It speaks the language that the zip file brings, or else `lang`. Raises CourseError where the zip file is none, or
    holds no answers; then nothing is made.
    """
    brought = unpacked(file)
    chosen = brought.get(".minitorch/language", b"").decode("ascii", "replace").strip()
    init_course(folder, chosen or lang, brought, outputs=outputs)
    return sum(not name.startswith(".minitorch/") for name in brought)


def unpacked(file: Path) -> dict[str, bytes]:
    """What a zip file brings, by name; what no course folder has is left out. Raises CourseError."""
    try:
        with zipfile.ZipFile(file) as archive:
            found = {one.filename: one for one in archive.infolist() if _belongs(one.filename)}
            if len(found) > MOST_FILES or sum(one.file_size for one in found.values()) > MOST_BYTES:
                raise CourseError(
                    "{file} holds more than {files} files or {most} MB; nothing was made.",
                    file=file,
                    files=MOST_FILES,
                    most=MOST_BYTES >> 20,
                )
            brought = {name: archive.open(one).read(one.file_size) for name, one in found.items()}
    except OSError as error:
        raise CourseError(
            "{file} cannot be read as a zip file of a course ({why}); nothing was made. Make it "
            "anew, with `take_home()` in a notebook.",
            file=file,
            why=error.strerror or error,
        ) from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError):
        raise CourseError(
            "{file} cannot be read as a zip file of a course ({why}); nothing was made. Make it "
            "anew, with `take_home()` in a notebook.",
            file=file,
            why="zip",
        ) from None
    if not any(name.startswith("exercises/lesson_") for name in brought):
        raise CourseError(
            "{file} holds no answers of a course (exercises/lesson_….py); nothing was made. Make "
            "it with `take_home()` in a notebook.",
            file=file,
        )
    return brought


def _own(folder: Path) -> Iterator[tuple[str, Path]]:
    for place in KINDS:
        for path in sorted((folder / place).rglob("*")):
            name = path.relative_to(folder).as_posix()
            linked = path.is_symlink() and place != "exercises"  # an answer may lie elsewhere
            if path.is_file() and not linked and _belongs(name):
                yield name, path


def _belongs(name: str) -> bool:
    """Whether a file of this name is something that a learner makes."""
    first, *rest = name.split("/")
    if first not in KINDS or not rest or len(rest) >= DEEPEST or not all(map(PART.fullmatch, rest)):
        return False
    here = name in OF_THE_PLACE or f"{first}/{rest[0]}" in OF_THE_PLACE
    return Path(name).suffix in KINDS[first] and not here
