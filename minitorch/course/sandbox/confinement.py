"""Confinement: what a process of a class's check gives up before it meets the learner's code, for good.

`landlock.py` takes the files and the network, `seccomp.py` the system calls. Both or neither: a process that could not
be confined says so and loads nothing.
"""

from __future__ import annotations

import importlib
import os
import platform

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from typing import Any

    from minitorch.course.sandbox import landlock, seccomp
elif not __package__:
    import landlock
    import seccomp
else:
    from minitorch.course.sandbox import landlock, seccomp

NOT_DUMPABLE = 4  # <linux/prctl.h>: PR_SET_DUMPABLE


def enter(plan: dict[str, Any]) -> str | None:
    """Confine this process; return why that was not possible.

    plan: `look`, the folders of packages that may be read; `work`, the one that may be written to, or None; `box`,
    where a program has seen to files and network before.
    """
    importlib.import_module("numpy")  # with the libraries that it is linked to, wherever they are
    try:
        if plan["work"] is not None:
            os.chdir(plan["work"])
        if "box" not in plan:
            landlock.confine(landlock.readable(plan["look"]), plan["work"])
        seccomp.confine()
    except (landlock.Unconfined, seccomp.Unfiltered, OSError) as error:
        return str(error) or type(error).__name__
    return None


def prepare() -> None:
    """Find out, in a process whose copies will be confined, what is the same for all of them."""
    if landlock.version() >= landlock.LEAST:
        landlock.standard()
    if seccomp.is_known():
        seccomp.first_part(platform.machine())


def hide() -> None:
    """Let nobody of this user trace this process or read its memory."""
    import ctypes

    ctypes.CDLL(None, use_errno=True).prctl(NOT_DUMPABLE, 0, 0, 0, 0)
