"""Atomic writing: a reader finds the old file or the new one, whatever happens in between."""

from __future__ import annotations

import contextlib
import ctypes
import glob
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

TEMPORARY = re.compile(r"\..+\.[a-z0-9_]{8}\.tmp")
HERE, EXCHANGE = -100, 2  # <fcntl.h>, <linux/fs.h>
OLD_S = 3600.0
"""The age at which a temporary file is what a killed writer left."""


def write_atomically(
    path: Path,
    content: bytes | Callable[[IO[bytes]], object],
    before_replacing: Callable[[], object] | None = None,
    look_at_the_old: Callable[[Path], object] | None = None,
) -> None:
    """Fills a temporary file beside `path`, flushes it to the disk, and puts it in the place of `path`.

    content: the bytes, or a function that writes them into the file it is given. before_replacing: is called when only
    the last step is left. look_at_the_old: is given the file that stood there until the last step, whoever wrote it in
    the meantime, where the system can tell (Linux); that file then goes. Folders that are missing are made, temporary
    files that killed writers left are removed. Raises OSError where the folder cannot be written to; `path` is then
    what it was.
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
        if look_at_the_old is None or not _exchanged(temporary, path):
            temporary.replace(path)
        else:
            try:
                look_at_the_old(temporary)
            except BaseException:
                _exchanged(temporary, path)
                raise
            temporary.unlink(missing_ok=True)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _flush_folder(path.parent)


def _exchanged(one: Path, other: Path) -> bool:
    """Lets two files change places in one step; returns whether that was done."""
    if sys.platform != "linux":
        return False
    try:
        exchange = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError):
        return False
    return bool(exchange(HERE, os.fsencode(one), HERE, os.fsencode(other), EXCHANGE) == 0)


def _sweep(path: Path) -> None:
    """Removes what writers of `path` left that were killed: a living one's file is young, for it is being written."""
    for each in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
        with contextlib.suppress(OSError):  # of a writer that ends at this moment
            if time.time() - each.lstat().st_mtime > OLD_S:
                each.unlink()


def sweep_folder(folder: Path, older_s: float = OLD_S) -> None:
    """Removes every temporary file in a folder that a killed writer left, whatever it was to become."""
    with contextlib.suppress(OSError):
        for each in folder.glob(".*.tmp"):
            with contextlib.suppress(OSError):
                if TEMPORARY.fullmatch(each.name) and time.time() - each.lstat().st_mtime > older_s:
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
