"""What the child is started with: a bare environment, limits, the packages it may import, a group of its own."""

from __future__ import annotations

import functools
import os
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np

import minitorch

MEMORY = 1 << 30  # bytes of address space
PROCESSES = 64  # tasks more than there are on the whole machine
KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG")
BLAS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def environment() -> dict[str, str]:
    """The child's environment: what an interpreter needs to start, and one thread for BLAS."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | dict.fromkeys(BLAS, "1")


def own_group() -> dict[str, Any]:
    """The arguments of Popen that put the child and all that it starts into a group that can be ended."""
    if sys.platform == "win32":
        import subprocess

        return {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def limits() -> dict[str, int]:
    """The resource limits by the names that they have in Python's `resource` module."""
    bounds = {
        "RLIMIT_AS": MEMORY,
        "RLIMIT_CPU": 120,
        "RLIMIT_FSIZE": 16 << 20,
        "RLIMIT_NOFILE": 64,
        "RLIMIT_CORE": 0,
    }
    running = _tasks_running()
    return bounds | ({"RLIMIT_NPROC": running + PROCESSES} if running else {})


@functools.cache
def packages() -> dict[str, Any]:
    """What the child may import besides the standard library: site-packages, and minitorch by itself.

    Never the current folder nor the learner's: a file called random.py beside the exercises changes nothing.
    """
    folders = [path for path in sys.path if Path(path).name in {"site-packages", "dist-packages"}]
    if (beside_numpy := _beside(np.__file__)) not in folders:
        folders.append(beside_numpy)
    package = Path(minitorch.__file__).parent
    alone = [] if str(package.parent) in folders else [["minitorch", str(package)]]
    return {"paths": folders, "packages": alone}


@functools.cache
def numpy_alone() -> list[list[str]]:
    """NumPy by itself, for a child that finds nothing else of what is installed."""
    return [["numpy", str(Path(np.__file__).parent)]]


@functools.cache
def numpy_folders() -> list[str]:
    """Where NumPy and the libraries that its wheels bring along are."""
    package = Path(np.__file__).parent
    return [str(each) for each in (package, package.with_name("numpy.libs")) if each.is_dir()]


def signal_name(code: int) -> str:
    """The name of the signal behind an exit code, or the code in hexadecimal as Windows writes it."""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return hex(code & 0xFFFFFFFF)


def _beside(file: str) -> str:
    return str(Path(file).parent.parent)


def _tasks_running() -> int:
    """How many tasks the machine runs, where that can be read at once; the limit counts a user's tasks."""
    try:
        return int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[2])
    except (OSError, ValueError, IndexError):
        return 0
