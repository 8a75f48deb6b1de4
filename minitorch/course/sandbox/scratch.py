"""Scratch folders: where a child works. They go when it ends; what a killed check left goes when the next one begins.

A living check holds a lock on its folder, and the system takes the lock away from a dead one. Where there are no such
locks, what is a day old is nobody's.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
import tempfile
import time
from pathlib import Path

PREFIX = "minitorch-check-"
# What mkdtemp makes of it. A folder that a person has called minitorch-something is never taken for one of these.
_OURS = re.compile(re.escape(PREFIX) + r"[a-z0-9_]{8}")
MOST_FILES, MOST_BYTES = 1000, 256 << 20  # what one child may have lying in its folder
YOUNG_S = 60.0  # a folder that was made just now may not have its lock yet
OLD_S = 24 * 3600.0


class Scratch:
    """A folder for a child. Raises OSError where none can be made."""

    def __init__(self) -> None:
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = _locked(self.path)

    def is_full(self) -> bool:
        """Whether more lies in it than a child may write: nothing else limits how many files it makes.

        It is looked at no further than to the first file too many.
        """
        files, room, waiting = 0, MOST_BYTES, [self.path]
        while waiting:
            folder = waiting.pop()
            try:
                if folder != self.path:
                    folder.chmod(0o700)  # a child may have closed it
                with os.scandir(folder) as entries:
                    for each in entries:
                        files += 1
                        if each.is_dir(follow_symlinks=False):
                            waiting.append(folder / each.name)
                        else:
                            room -= each.stat(follow_symlinks=False).st_size
                        if files > MOST_FILES or room < 0:
                            return True
            except OSError as error:
                if error.errno == errno.ENAMETOOLONG:  # too deep to be looked into
                    return True
        return False

    def end(self) -> None:
        """Remove the folder with all that is in it."""
        remove(self.path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def sweep() -> None:
    """Remove the folders of checks that were killed, of this user's alone."""
    with contextlib.suppress(OSError):
        for each in filter(lambda path: _OURS.fullmatch(path.name), Path(tempfile.gettempdir()).iterdir()):
            with contextlib.suppress(OSError):  # its check ends at this moment
                state = each.lstat()
                age = time.time() - state.st_mtime
                ours = os.name != "posix" or state.st_uid == os.getuid()
                if ours and stat.S_ISDIR(state.st_mode) and age > YOUNG_S and _is_nobodys(each, age):
                    remove(each)


def _is_nobodys(folder: Path, age: float) -> bool:
    folder.chmod(0o700)  # what ran in it may have closed it
    lock = _locked(folder)
    if lock is None:
        return sys.platform == "win32" and age > OLD_S
    os.close(lock)
    return True


def _locked(folder: Path) -> int | None:
    """A descriptor that holds the lock on a folder; None where another process holds it, or there are no locks."""
    if sys.platform == "win32":
        return None
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


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
