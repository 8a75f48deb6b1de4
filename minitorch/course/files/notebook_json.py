"""A notebook in the bytes of a learner's file: its cells, or the reason why there are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from minitorch.course.files.decoding import MARKS, NotTextError, decoded
from minitorch.course.files.syntax_errors import CONFLICT
from minitorch.course.texts.error import CourseError
from minitorch.course.texts.messages import say

OLDEST_FORMAT = 4


def notebook_in(data: bytes, shown: str) -> dict[str, Any]:
    """Read a notebook. Every cell has its source as one text, and metadata.

    Raises NotTextError, which calls the file what `shown` says.
    """
    text = decoded(data, shown)
    if not text.strip():
        raise NotTextError(say("notebook_empty", file=shown, bytes=len(data)), lost=True)
    try:
        notebook = json.loads(text)
    except RecursionError:
        raise NotTextError(say("notebook_no_json", file=shown, line=1)) from None
    except json.JSONDecodeError as error:
        raise _no_json(text, shown, error) from None
    found: dict[str, Any] = notebook if isinstance(notebook, dict) else {}
    cells = found.get("cells")
    if cells is None and isinstance(found.get("worksheets"), list):
        raise NotTextError(say("notebook_old", file=shown, format=OLDEST_FORMAT - 1))
    if not isinstance(cells, list) or not all(map(_is_cell, cells)):
        raise NotTextError(say("notebook_no_cells", file=shown))
    for cell in cells:
        cell["source"] = "".join(cell["source"])
    return found


def _no_json(text: str, shown: str, error: json.JSONDecodeError) -> NotTextError:
    for number, line in enumerate(text.splitlines(), start=1):
        if CONFLICT.match(line):  # JSON has no text that goes on in another line
            return NotTextError(say("notebook_conflict", file=shown, line=number))
    whole = text.strip()
    if whole.startswith("{") and (not whole.endswith("}") or error.pos >= len(text.rstrip())):
        return NotTextError(say("notebook_cut", file=shown), lost=True)
    return NotTextError(say("notebook_no_json", file=shown, line=error.lineno))


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
            raise CourseError(say("notebook_mark", file=shown))
        return notebook
    except FileNotFoundError:
        raise CourseError(say("notebook_missing", file=shown)) from None
    except OSError as error:
        raise CourseError(say("file_unreadable", file=shown, why=error.strerror)) from error
    except NotTextError as error:
        kept = path.parent / ".ipynb_checkpoints" / f"{path.stem}-checkpoint.ipynb"
        if _is_notebook(kept):
            name = kept.relative_to(path.parent.parent).as_posix()
            raise CourseError(say("notebook_kept", why=error.why, kept=name, file=shown)) from None
        raise CourseError(say("notebook_way_out", why=error.why)) from None


def _is_notebook(path: Path) -> bool:
    try:
        notebook_in(path.read_bytes(), path.name)
    except (OSError, NotTextError):
        return False
    return True
