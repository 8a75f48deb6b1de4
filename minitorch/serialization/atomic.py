"""Atomic writing: a reader finds the old file or the new one, whatever happens in between."""

from __future__ import annotations

import contextlib
import glob
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

OLD_S = 3600.0
"""The age at which a temporary file is what a killed writer left."""


def write_atomically(
    path: Path,
    content: bytes | Callable[[IO[bytes]], object],
    before_replacing: Callable[[], object] | None = None,
) -> None:
    """Fills a temporary file beside `path`, flushes it to the disk, and puts it in the place of `path`.

    content: the bytes, or a function that writes them into the file it is given. before_replacing: is called when only
    the last step is left. Folders that are missing are made, temporary files that killed writers left are removed.
    Raises OSError where the folder cannot be written to; `path` is then what it was.
    """
    path = path.resolve()  # a link stays a link: what it points at is replaced
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path)
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
        if before_replacing is not None:
            before_replacing()
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _flush_folder(path.parent)


def _sweep(path: Path) -> None:
    """Removes what writers of `path` left that were killed: a living one's file is young, for it is being written."""
    for each in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
        with contextlib.suppress(OSError):  # of a writer that ends at this moment
            if time.time() - each.lstat().st_mtime > OLD_S:
                each.unlink()


def _flush_folder(folder: Path) -> None:
    """The new name reaches the disk too, where a folder can be opened (not on Windows)."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
