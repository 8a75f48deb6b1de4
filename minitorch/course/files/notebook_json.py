"""A notebook in the bytes of a learner's file: its cells, or the reason why there are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from minitorch.course.course_error import CourseError
from minitorch.course.files.decoding import MARKS, NotTextError, decoded
from minitorch.course.files.syntax_errors import CONFLICT
from minitorch.language import Message

OLDEST_FORMAT = 4


def notebook_in(data: bytes, shown: str) -> dict[str, Any]:
    """Read a notebook. Every cell has its source as one text, and metadata.

    Raises NotTextError, which calls the file what `shown` says.
    """
    text = decoded(data, shown)
    if not text.strip():
        raise NotTextError(Message("{file} is empty ({bytes} bytes)", file=shown, bytes=len(data)), lost=True)
    try:
        notebook = json.loads(text)
    except RecursionError:
        raise NotTextError(
            Message("{file} is no notebook: it is not JSON from line {line} on", file=shown, line=1)
        ) from None
    except json.JSONDecodeError as error:
        raise _no_json(text, shown, error) from None
    found: dict[str, Any] = notebook if isinstance(notebook, dict) else {}
    cells = found.get("cells")
    if cells is None and isinstance(found.get("worksheets"), list):
        raise NotTextError(
            Message(
                "{file} has the old notebook format {format}: open it in JupyterLab and save it",
                file=shown,
                format=OLDEST_FORMAT - 1,
            )
        )
    if not isinstance(cells, list) or not all(map(_is_cell, cells)):
        raise NotTextError(Message("{file} is no notebook: it is JSON, but holds no cells of a notebook", file=shown))
    for cell in cells:
        cell["source"] = "".join(cell["source"])
    return found


def _no_json(text: str, shown: str, error: json.JSONDecodeError) -> NotTextError:
    for number, line in enumerate(text.splitlines(), start=1):
        if CONFLICT.match(line):  # JSON has no text that goes on in another line
            return NotTextError(
                Message(
                    "{file}, line {line}, is a mark of a merge conflict: git left both versions there. "
                    "Keep one of them, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>",
                    file=shown,
                    line=number,
                )
            )
    whole = text.strip()
    if whole.startswith("{") and (not whole.endswith("}") or error.pos >= len(text.rstrip())):
        return NotTextError(Message("{file} was cut off: it ends in the middle", file=shown), lost=True)
    return NotTextError(
        Message("{file} is no notebook: it is not JSON from line {line} on", file=shown, line=error.lineno)
    )


def _is_cell(cell: object) -> bool:
    """Return whether it is a cell, or can be made one; metadata may be missing."""
    if not isinstance(cell, dict) or not isinstance(cell.setdefault("metadata", {}), dict):
        return False
    source = cell.get("source")
    lines = source if isinstance(source, list) else [source]
    return isinstance(cell.get("cell_type"), str) and all(isinstance(line, str) for line in lines)


def read_notebook(path: Path, *, for_jupyter: bool = False) -> dict[str, Any]:
    """Read a learner's notebook. Raises CourseError, which says why it cannot be read, and what to do.

    for_jupyter: what the course can read and Jupyter cannot, a text with a byte order mark, is refused.
    """
    shown = f"{path.parent.name}/{path.name}"
    try:
        data = path.read_bytes()
        notebook = notebook_in(data, shown)
        if for_jupyter and data.startswith(tuple(mark for mark, _ in MARKS)):
            raise CourseError(
                "{file} begins with a byte order mark, and Jupyter opens no such notebook: save it as "
                "UTF-8 without one",
                file=shown,
            )
        return notebook
    except FileNotFoundError:
        raise CourseError("{file} is missing; `minitorch lab` brings it back", file=shown) from None
    except OSError as error:
        raise CourseError(
            "{file} cannot be read ({why}); it must be a regular file", file=shown, why=error.strerror
        ) from error
    except NotTextError as error:
        kept = path.parent / ".ipynb_checkpoints" / f"{path.stem}-checkpoint.ipynb"
        if _is_notebook(kept):
            name = kept.relative_to(path.parent.parent).as_posix()
            raise CourseError(
                "{why}. JupyterLab kept your last save: copy {kept} to {file}, after you renamed the one that is there",
                why=error.why,
                kept=name,
                file=shown,
            ) from None
        raise CourseError(
            "{why}. To start anew, rename it, so that it stays yours; `minitorch upgrade` then "
            "brings the lesson's notebook",
            why=error.why,
        ) from None


def _is_notebook(path: Path) -> bool:
    try:
        notebook_in(path.read_bytes(), path.name)
    except (OSError, NotTextError):
        return False
    return True
