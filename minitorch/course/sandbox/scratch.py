"""Scratch folders: where a child works. They go when it ends, and what killed checks left goes a day later."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import tempfile
import time
from pathlib import Path

PREFIX = "minitorch-"
OLD_S = 24 * 3600.0


def new() -> tempfile.TemporaryDirectory[str]:
    """Make a folder for a child. Raises OSError."""
    sweep()
    return tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)


def sweep() -> None:
    """Remove the folders of yesterday's killed checks, of this user's alone."""
    with contextlib.suppress(OSError):
        for each in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
            state = each.lstat()
            old = stat.S_ISDIR(state.st_mode) and time.time() - state.st_mtime > OLD_S
            if old and (os.name != "posix" or state.st_uid == os.getuid()):
                remove(each)


def remove(folder: Path) -> None:
    """Remove a folder, however deep. What cannot be removed stays.

    Folders within are carried up to the top before they are emptied, so neither Python's depth of calls nor the
    system's length of a path sets a limit.
    """
    waiting = [folder]
    while waiting:
        inner = waiting.pop()
        with contextlib.suppress(OSError):
            inner.chmod(0o700)
            for each in list(inner.iterdir()):
                with contextlib.suppress(OSError):
                    if each.is_dir() and not each.is_symlink():
                        each.chmod(0o700)
                        waiting.append(each.rename(folder / secrets.token_hex(8)))
                    else:
                        each.unlink()
            if inner != folder:
                inner.rmdir()
    with contextlib.suppress(OSError):
        folder.rmdir()
