"""Effects: what a step calls while it is written down, asked before it is done.

A replay calls NumPy and nothing else. So a call whose effect or answer lies outside of the arrays (a clock, a file, the
environment, a queue) is refused, and so is a user's function that the surroundings did not lead to.
"""

from __future__ import annotations

import gc
import sys
import threading
import warnings
from types import CodeType, FrameType, ModuleType
from typing import Any

from minitorch.replay.objects import is_a_users
from minitorch.replay.traced import CannotCaptureError

# Modules in C that ask or change the world, and those of Python's own library that do nothing of the kind.
_OUTSIDE = frozenset([
    "_contextvars", "_ctypes", "_datetime", "_io", "_posixsubprocess", "_queue", "_socket", "_sqlite3", "_ssl",
    "atexit", "contextvars", "datetime", "gc", "io", "mmap", "nt", "posix", "queue", "select", "signal", "sqlite3",
    "sys", "time",
])  # fmt: skip
_OF_BUILTINS = frozenset(["breakpoint", "eval", "exec", "get_ident", "get_native_id", "globals", "input", "open"])
_OF_OTHERS = frozenset(
    ["__subclasses__", "getweakrefcount", "getweakrefs", "locked"]
)  # who knows of a thing, or has it
# NumPy's functions that read or write files, or tell or set how NumPy is.
ASK_THE_WORLD = frozenset([
    "fromfile", "fromregex", "genfromtxt", "get_printoptions", "getbufsize", "geterr", "geterrcall", "load", "loadtxt",
    "memmap", "open_memmap", "save", "savetxt", "savez", "savez_compressed", "set_printoptions", "setbufsize",
    "show_config", "show_runtime", "tofile",
])  # fmt: skip
_PURE = frozenset([
    "_collections_abc", "_py_abc", "_weakrefset", "abc", "bisect", "collections", "contextlib", "copy", "dataclasses",
    "enum", "fractions", "functools", "heapq", "itertools", "json", "keyword", "math", "numbers", "operator", "pprint",
    "random", "re", "reprlib", "statistics", "string", "textwrap", "types", "typing", "weakref",
])  # fmt: skip
_WARN = warnings.warn


class Watched:
    """A block in which each call that a user's code makes is looked at: CannotCaptureError for one with an effect.

    codes: those of the functions that the surroundings led to. The collector rests meanwhile: what it calls (its
    callbacks, a `__del__`) runs wherever it happens to begin, and is none of the step's.
    """

    def __init__(self, codes: set[CodeType]) -> None:
        self._codes = codes
        self._known: dict[CodeType, bool] = {}  # whether code is a user's
        self.prints, self.warns = False, ""

    def __enter__(self) -> Watched:
        self._former: Any = sys.getprofile()
        self._collecting = gc.isenabled()
        gc.disable()
        sys.setprofile(self._look)
        return self

    def __exit__(self, *_: object) -> None:
        if hasattr(self._former, "enable"):  # cProfile's, which is no function, and so is put back in its own way
            sys.setprofile(None)
            self._former.enable()
        else:
            sys.setprofile(self._former)
        if self._collecting:
            gc.enable()

    def _look(self, frame: FrameType, event: str, function: Any) -> None:
        """Python's own calls of this are most of what watching costs: those that matter to nobody leave early."""
        if event == "c_call":
            if function is _WARN:
                place = _place(self._users_line(frame))
                self.warns = f"it warns{place}, which a replay would not: mend what the warning is of"
                raise CannotCaptureError(self.warns)
            if self._is_a_users(frame):
                self._called(frame, function)
        elif event == "call":
            caller = frame.f_back
            if self._is_a_users(frame):
                self._entered(frame.f_code, caller)
            elif caller is not None and self._is_a_users(caller):
                self._entered_library(frame, caller)

    def _is_a_users(self, frame: FrameType) -> bool:
        found = self._known.get(frame.f_code)
        if found is None:
            found = self._known[frame.f_code] = is_a_users(frame.f_globals.get("__name__"))
        return found

    def _users_line(self, frame: FrameType) -> FrameType | None:
        """Where in a user's code it began."""
        found: FrameType | None = frame
        while found is not None and not self._is_a_users(found):
            found = found.f_back
        return found

    def _called(self, frame: FrameType, function: Any) -> None:
        """A function that is written in C."""
        owner = getattr(function, "__self__", None)
        if owner is None or isinstance(owner, ModuleType):
            module = function.__module__
        else:
            module = (owner if isinstance(owner, type) else type(owner)).__module__
        asks = function.__name__ in _OF_OTHERS or (
            module in ("builtins", "_thread") and function.__name__ in _OF_BUILTINS
        )
        self.prints |= function is print
        if module in _OUTSIDE or asks or (module.partition(".")[0] == "numpy" and function.__name__ in ASK_THE_WORLD):
            raise _refused(frame, f"{module.lstrip('_')}.{function.__name__}")

    def _entered(self, code: CodeType, caller: FrameType | None) -> None:
        """A function of the user's."""
        if code not in self._codes and code.co_filename != "<string>" and not _stepping_or_importing(caller):
            raise CannotCaptureError(
                f"it calls {code.co_qualname}{_place(caller)}, which was not found beforehand in what the step "
                "names: name it in the step, or call it outside of it"
            )

    def _entered_library(self, frame: FrameType, caller: FrameType) -> None:
        """A function of somebody else's, written in Python, that the user's code calls."""
        module = str(frame.f_globals.get("__name__"))
        root = module.partition(".")[0]
        asks = module.startswith("minitorch.serialization") or (
            root == "numpy" and (frame.f_code.co_name in ASK_THE_WORLD or "memmap" in frame.f_code.co_qualname)
        )
        is_import = frame.f_code.co_name == "_handle_fromlist"  # of what is loaded, whose attributes are facts
        if asks or (not is_import and root not in _PURE and root not in ("minitorch", "numpy")):
            hint = " (as np.random.default_rng does)" if frame.f_code.co_name == "RLock" else ""
            raise _refused(caller, f"{module}.{frame.f_code.co_qualname}{hint}")


class HeldBack:
    """A block in which what this thread prints is kept, and printed at the end where `go_on()` was called.

    A step that is refused prints it again, when it runs eagerly.
    """

    def __enter__(self) -> HeldBack:
        self._kept = {name: _Kept(stream) for name in ("stdout", "stderr") if (stream := getattr(sys, name))}
        for name, kept in self._kept.items():
            setattr(sys, name, kept)
        self._goes_on = False
        return self

    def __exit__(self, *_: object) -> None:
        for name, kept in self._kept.items():
            if getattr(sys, name) is kept:
                setattr(sys, name, kept.stream)
            if self._goes_on and kept.parts:
                kept.stream.write("".join(kept.parts))

    def go_on(self) -> None:
        """The step is written down: what it printed is to be seen."""
        self._goes_on = True


class _Kept:
    """A stream that keeps what this thread writes."""

    def __init__(self, stream: Any) -> None:
        self.stream, self.parts, self._thread = stream, list[str](), threading.get_ident()

    def write(self, text: str) -> int:
        if threading.get_ident() != self._thread:
            return int(self.stream.write(text))
        self.parts.append(text)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def _stepping_or_importing(frame: FrameType | None) -> bool:
    """Whether a scheduler has called it, which steps in a replay, too; or a part of this package is being loaded."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(("minitorch.optim", "importlib._bootstrap")):
            return True
        frame = frame.f_back
    return False


def _refused(frame: FrameType | None, what: str) -> CannotCaptureError:
    return CannotCaptureError(f"it calls {what}, which a replay would not{_place(frame)}: call it outside of the step")


def _place(frame: FrameType | None) -> str:
    return "" if frame is None else f" ({frame.f_code.co_filename}:{frame.f_lineno})"
