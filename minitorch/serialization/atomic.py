"""Writing a file so that a reader finds the old one or the new one, whatever happens in between."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO


def write_atomically(path: Path, write: Callable[[IO[bytes]], None]) -> None:
    """Lets `write` fill a temporary file beside `path`, flushes it to the disk, and puts it in the place of `path`.

    Raises FileNotFoundError for a missing folder, OSError where it cannot be written to; `path` is then what it was.
    """
    path = path.resolve()  # a link stays a link: what it points at is replaced
    if not path.parent.is_dir():
        raise FileNotFoundError(f"save: there is no folder {path.parent}: make it first")
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _flush_folder(path.parent)


def _flush_folder(folder: Path) -> None:
    """The new name reaches the disk too, where a folder can be opened (not on Windows)."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
