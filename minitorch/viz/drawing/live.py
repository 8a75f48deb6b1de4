"""Screens: where a board lives while a training runs. A notebook has one; a script and a terminal have none.

A frame is pushed when there is time for it: at most 20 a second and 400 kB a second, and never so often that this takes
more than a small share of the work of the training, of which the processor's time tells on a busy machine too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing.player import module

FRAMES, BYTES = 20, 400_000  # a second
SHARE = 0.003  # of the processor's time of a training, for making and pushing frames
SLOWEST = 2.0  # seconds from one frame to the next, where a training waits more than it works


class Screen:
    """One output of a cell: a widget while it lives, and then whatever it is replaced by."""

    def __init__(self, traits: Mapping[str, Any]) -> None:
        self._widget: Any = None
        self._handle: Any = None
        self._due = self._late = 0.0  # of the next frame: not before the one, and at the other in any case
        self._earned = 0.0  # the processor's time at which it does not cost too much
        self._cost = 0.5 * SHARE  # seconds of the processor, of a frame
        if not _has_front_end():
            told = gettext(
                'viz.live: no notebook to draw in; .text(), .svg() and .save("board.html") have the board at any time.'
            )
            sys.stderr.write(f"{told}\n")
            return
        from IPython.display import display

        try:
            self._widget = _widget(traits)
        except ImportError:
            told = gettext(
                "viz.live: the board comes when training has ended; to see it move, install "
                'anywidget: pip install "minitorch-course[viz]".'
            )
            sys.stderr.write(f"{told}\n")
            self._handle = display({"text/plain": "…"}, raw=True, display_id=True)  # type: ignore[no-untyped-call]
            return
        self._handle = display(self._widget, display_id=True)  # type: ignore[no-untyped-call]

    @property
    def is_due(self) -> bool:
        """Whether there is somebody to push a frame to, and time for it."""
        if self._widget is None:
            return False
        now = time.perf_counter()
        return now >= self._due and (now >= self._late or time.thread_time() >= self._earned)

    def push(self, made: Callable[[], tuple[bytes, Mapping[str, Any] | None]]) -> None:
        """Shows a frame, and the shell that it is for if that is a new one. made: makes both."""
        begun, worked = time.perf_counter(), time.thread_time()
        frame, board = made()
        if board is not None:
            with self._widget.hold_sync():
                self._widget.board, self._widget.frame = dict(board), frame
        else:
            self._widget.frame = frame
            spent = time.thread_time() - worked
            self._cost = min(spent, (self._cost + spent) / 2)  # one that was slow by chance is soon forgotten
        self._due = begun + max(1 / FRAMES, len(frame) / BYTES)
        self._late = begun + SLOWEST
        self._earned = worked + self._cost / SHARE

    def end(self, picture: Any, made: Callable[[], tuple[bytes, Mapping[str, Any] | None]]) -> None:
        """The last frame, for whoever still looks at the widget; then the picture takes its place."""
        if self._widget is not None:
            self.push(made)
        if self._handle is not None:
            self._handle.update(picture)
        self._widget = self._handle = None


def _has_front_end() -> bool:
    """Whether a kernel runs this, and so a notebook or a console may show what it sends."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


def _widget(traits: Mapping[str, Any]) -> Any:
    import anywidget
    import traitlets

    kinds: dict[str, Any] = {
        "_esm": module("live.js"),
        "__module__": __name__,
        "board": traitlets.Dict().tag(sync=True),
        "frame": traitlets.Bytes(b"").tag(sync=True),
    }
    return type("BoardWidget", (anywidget.AnyWidget,), kinds)(**traits)
