"""Callers: the line of the user's code that called into minitorch, which warnings name."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from traceback import StackSummary

PACKAGE = __file__.removesuffix("callers.py")


def calling_frame() -> FrameType | None:
    """Return the innermost frame outside minitorch, and outside NumPy, which calls a Tensor; None if there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (_is_ours(frame) or _is_numpys(frame)):
        frame = frame.f_back
    return frame


def calling_line() -> str:
    """Return the line of the code that called into minitorch, as `file:number: text`."""
    import traceback  # with linecache and tokenize, which `import minitorch` need not take

    frame = calling_frame()
    return "an unknown line" if frame is None else innermost_line(traceback.extract_stack(frame, limit=1))


def innermost_line(stack: StackSummary) -> str:
    """Return the innermost line outside minitorch."""
    from pathlib import Path  # 4 ms, which `import minitorch` need not take

    outside = [each for each in stack if not each.filename.startswith(PACKAGE)]
    last = (outside or list(stack))[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    return f"{where}: {last.line}" if last.line else where


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(PACKAGE)


def _is_numpys(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] == "numpy"


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn of the line of the user's code that called into minitorch, however deep the call is."""
    level, frame, caller = 1, sys._getframe(), calling_frame()
    while frame is not caller and frame.f_back is not None:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


class Located:
    """An entry of `warnings.filters` that gives NumPy's warnings of what minitorch computes the user's line.

    NumPy warns, in C, of the line that called it, which lies in minitorch. A filter is asked at that moment and at no
    other: an `np.errstate` around each operation would make the small ones 8 % slower (70 ns). The entry warns again,
    of the user's line, for which the other filters decide, and has the first warning ignored. Filters that somebody
    puts in front of it later and that show a warning, such as `simplefilter("always")`, show the line in minitorch.
    """

    def match(self, text: str) -> bool:
        """Return whether this warning is NumPy's, of a call by minitorch: then it has been given the user's line."""
        frame: FrameType | None = sys._getframe(1)
        if " encountered in " not in text or frame is None or frame.f_code.co_filename == __file__:
            return False
        is_ours = False
        while frame is not None and (_is_ours(frame) or _is_numpys(frame)):
            is_ours = is_ours or _is_ours(frame)
            frame = frame.f_back
        if frame is None or not is_ours:
            return False
        warnings.warn_explicit(
            text,
            RuntimeWarning,
            frame.f_code.co_filename,
            frame.f_lineno,
            frame.f_globals.get("__name__", "<unknown>"),
            frame.f_globals.setdefault("__warningregistry__", {}),
        )
        return True


def locate_numpys_warnings() -> None:
    """Put the entry in front of the filters: once, when minitorch is imported."""
    warnings.filters.insert(0, ("ignore", Located(), RuntimeWarning, None, 0))  # type: ignore[attr-defined]
