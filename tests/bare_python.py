"""A Python as a browser has it: without processes, without threads, without the modules that go with them.

    python tests/bare_python.py PROGRAM WORDS…

What Pyodide has and cannot use (`subprocess`, `multiprocessing`) is taken away, too: a course that
gets along without the module cannot stumble over what is left of it.
"""

from __future__ import annotations

import _thread
import json
import os
import runpy
import subprocess
import sys
import threading
from pathlib import Path

GONE = [
    "_multiprocessing",
    "_posixsubprocess",
    "curses",
    "dbm",
    "fcntl",
    "grp",
    "multiprocessing",
    "pty",
    "pwd",
    "readline",
    "resource",
    "subprocess",
    "syslog",
    "termios",
    "tkinter",
    "tty",
]
STARTS = "execl execle execlp execv execve execvp execvpe fork forkpty popen posix_spawn posix_spawnp spawnv system"


class Gone:
    """Finds none of what is not there."""

    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] in GONE:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def no_thread(*_: object, **__: object) -> None:
    raise RuntimeError("can't start new thread")


def take_away() -> None:
    """Take away what a browser has not."""
    sys.meta_path.insert(0, Gone())
    for name in [each for each in sys.modules if each.partition(".")[0] in GONE]:
        del sys.modules[name]
    for module, words in ((_thread, ""), (threading, "_")):
        for name in ("start_new_thread", "start_joinable_thread"):
            if hasattr(module, words + name):
                setattr(module, words + name, no_thread)
    for name in STARTS.split():
        if hasattr(os, name):
            delattr(os, name)


def said_by(program: str, *words: str, timeout: float = 600, **environment: str) -> list:
    """What a program says, a line of JSON at a time, in such a Python."""
    command = [sys.executable, str(Path(__file__)), "-c", program, *words]
    here = {"PATH": "", "MINITORCH_BROWSER": "1", "OPENBLAS_NUM_THREADS": "1", "MINITORCH_LANG": "en"}
    root = str(Path(__file__).parents[1])
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=timeout,
        cwd=root,
        env=os.environ | here | environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    take_away()
    if sys.argv[1] == "-c":
        program, sys.argv = sys.argv[2], sys.argv[2:]
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = sys.argv[1:]
        runpy.run_path(sys.argv[0], run_name="__main__")
