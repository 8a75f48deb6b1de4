"""A program's file, read: a Python file, or the code of a notebook."""

from __future__ import annotations

import codecs
import re
import tokenize
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from minitorch.course.files.decoding import NotTextError
from minitorch.course.files.notebook_json import notebook_in
from minitorch.course.texts.error import CourseError
from minitorch.course.texts.messages import say

CONFLICT = re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE)
MAGIC = re.compile(r"^(\s*)[%!?]")
LARGEST = 10_000_000
"""Bytes: no program that anybody wrote is larger."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a program; of a notebook, the cell and the line in it for each line."""

    path: Path
    text: str
    encoding: str
    cells: tuple[tuple[int, int], ...] = ()

    @property
    def is_notebook(self) -> bool:
        """Tell a notebook, whose lines are those of cells."""
        return bool(self.cells)


def load(path: Path) -> Source:
    """Read a file. Raises CourseError, in one sentence, for what is no program."""
    if path.is_dir():
        raise CourseError(say("port_folder", file=path))
    try:
        if path.stat().st_size > LARGEST:
            raise CourseError(say("port_large", file=path))
        raw = path.read_bytes()
    except FileNotFoundError as error:
        raise CourseError(say("port_no_file", file=path)) from error
    except OSError as error:
        raise CourseError(say("port_unreadable", file=path, why=error.strerror or error)) from error
    if path.suffix == ".ipynb":
        return _notebook(path, raw)
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(raw).readline)
        text = raw.decode(encoding)
    except (SyntaxError, UnicodeDecodeError) as error:
        raise CourseError(say("port_utf16" if _is_utf16(raw) else "port_no_text", file=path)) from error
    if "\0" in text:
        raise CourseError(say("port_no_text", file=path))
    return Source(path, text, encoding)


def conflict(path: Path, text: str) -> CourseError | None:
    """The error for a text with the marks of a merge conflict; None for any other."""
    marks = [text.count("\n", 0, found.start()) + 1 for found in CONFLICT.finditer(text)]
    return CourseError(say("port_conflict", file=path, line=marks[0])) if len(marks) > 1 else None


def _is_utf16(raw: bytes) -> bool:
    try:
        return raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and bool(raw.decode("utf-16"))
    except UnicodeDecodeError:
        return False


def _notebook(path: Path, raw: bytes) -> Source:
    try:
        cells = notebook_in(raw, str(path))["cells"]
    except NotTextError as error:
        raise CourseError(error.why) from error
    code = [each["source"] for each in cells if each["cell_type"] == "code"]
    lines, places = [], []
    for number, text in enumerate(code, 1):
        if text.startswith("%%"):
            continue  # a cell in another language, or one that is timed
        for line, each in enumerate(text.splitlines(), 1):
            lines.append(MAGIC.sub(r"\1pass  # \g<0>", each))
            places.append((number, line))
    return Source(path, "".join(f"{line}\n" for line in lines), "utf-8", tuple(places) or ((1, 1),))
