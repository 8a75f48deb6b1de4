"""A program's file, read: a Python file, or the code of a notebook."""

from __future__ import annotations

import codecs
import re
import tokenize
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from minitorch.course.course_error import CourseError
from minitorch.course.files.decoding import NotTextError
from minitorch.course.files.notebook_json import notebook_in
from minitorch.language import N_

MAGIC = re.compile(r"^(\s*)[%!?]")


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a program; of a notebook, the cell and the line in it for each line."""

    path: Path
    text: str
    encoding: str
    cells: tuple[tuple[int, int], ...] = ()


def load(path: Path) -> Source:
    """Read a file. Raises CourseError, in one sentence, for what is no program."""
    raw = b""
    try:
        raw = path.read_bytes()
        if path.suffix == ".ipynb":
            return _notebook(path, notebook_in(raw, str(path))["cells"])
        encoding, _ = tokenize.detect_encoding(BytesIO(raw).readline)
        return Source(path, raw.decode(encoding), encoding)
    except OSError as error:
        key = (
            N_("{file} is a folder: name one Python file")
            if path.is_dir()
            else N_("{file} cannot be read: {why}")
            if path.exists()
            else N_("there is no file {file}")
        )
        raise CourseError(key, file=path, why=error.strerror or error) from error
    except NotTextError as error:
        raise CourseError(error.why) from error
    except (SyntaxError, UnicodeDecodeError) as error:
        is_utf16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and len(raw) % 2 == 0
        raise CourseError(
            "{file} is UTF-16 text, which Python does not read: save it as UTF-8"
            if is_utf16
            else "{file} is no text: name a Python file or a notebook",
            file=path,
        ) from error


def _notebook(path: Path, cells: list[dict[str, Any]]) -> Source:
    code = enumerate((each["source"] for each in cells if each["cell_type"] == "code"), 1)
    lines = [
        (number, line, MAGIC.sub(r"\1pass  # \g<0>", text))
        for number, cell in code
        if not cell.startswith("%%")  # a cell in another language, or one that is timed
        for line, text in enumerate(cell.splitlines(), 1)
    ]
    places = tuple((number, line) for number, line, _ in lines)
    return Source(path, "".join(f"{text}\n" for *_, text in lines), "utf-8", places or ((1, 1),))
