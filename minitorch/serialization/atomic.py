"""Atomic writing: a reader finds the old file or the new one, whatever happens in between."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO


def write_atomically(path: Path, content: bytes | Callable[[IO[bytes]], object]) -> None:
    """Fills a temporary file beside `path`, flushes it to the disk, and puts it in the place of `path`.

    content: the bytes, or a function that writes them into the file it is given. Folders that are missing are made.
    Raises OSError where the folder cannot be written to; `path` is then what it was.
    """
    path = path.resolve()  # a link stays a link: what it points at is replaced
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if isinstance(content, bytes):
                file.write(content)
            else:
                content(file)
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
