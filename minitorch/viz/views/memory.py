"""The view `memory`: which arrays are alive while a program runs, what for, and what keeps them."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

from minitorch.language import gettext
from minitorch.viz.drawing import memory_words
from minitorch.viz.drawing.memory import draw
from minitorch.viz.drawing.memory_player import player
from minitorch.viz.drawing.moments import Moment
from minitorch.viz.drawing.player import Player
from minitorch.viz.facts.allocations import Recorder, labelled
from minitorch.viz.facts.holders import Names
from minitorch.viz.facts.memory import Run
from minitorch.viz.facts.remaining import run_of, settled
from minitorch.viz.views.picture import MovingPicture

__all__ = ["Memory", "memory"]

Program = Callable[[], Any]


class Memory(MovingPicture):
    """The memory of a program, moment by moment, or of several on one scale. Also a context manager around a loop.

    runs: the facts. Holds no arrays and no tensors.
    """

    def __init__(self, title: str, options: Mapping[str, Any]) -> None:
        self._title = title
        self._options = options
        self._recorder: Recorder | None = None
        self.runs: tuple[Run, ...] = ()

    @property
    def title(self) -> str:
        """What the picture is called."""
        return self._title or gettext("Memory")

    # -- recording -----------------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        if self._recorder is not None or self.runs:
            raise RuntimeError("viz.memory: this has recorded a program already: make a new one for the next")
        self._recorder = Recorder(**self._options)
        self._recorder.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            recorder.stop()
            self.runs = settled([run_of("", recorder, Names(sys._getframe(1)))], [recorder])
            self._options = {}

    def record(self, programs: Mapping[str, Program], frame: FrameType) -> Self:
        """Runs one program after the other. frame: where names of variables are looked for."""
        runs, recorders = [], []
        for name, program in programs.items():
            recorder = Recorder(**self._options)
            recorder.start()
            try:
                returned = program()
            finally:
                recorder.stop()
            runs.append(run_of(name, recorder, Names(frame, _parts(returned))))
            del returned
            recorder.forget_gradients()
            recorders.append(recorder)
        self.runs = settled(runs, recorders)
        self._options = {}
        return self

    # -- its pictures --------------------------------------------------------------------------------------------------

    @property
    def _id(self) -> str:
        return f"mm{hashlib.sha256(self._listing(None).encode()).hexdigest()[:8]}"

    def _recorded(self) -> tuple[Run, ...]:
        if not self.runs:
            raise RuntimeError(
                "viz.memory: nothing is recorded yet: write `with viz.memory() as seen:` around the program, or give "
                "it as a function"
            )
        return self.runs

    def svg(self, run: str | None = None, moment: int | None = None) -> str:
        """An SVG document, the same bytes for the same facts. run: one of several, alone. moment: not at its peak.

        Raises ValueError for a run that there is not, IndexError beyond the last moment.
        """
        return draw(self._chosen(run, moment), self.title, self._id, moment)

    def save(self, path: str | Path, run: str | None = None, moment: int | None = None) -> Path:
        """Writes the picture, or one run at a moment; a page opens there. Raises as `Picture.save` and `svg`."""
        if run is None and moment is None:
            return super().save(path)
        runs = self._chosen(run, moment)
        told = memory_words.listing(runs, self.title, None)
        return self._save_moment(path, self.svg(run, moment), told, player(runs, self.title, moment))

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: all side by side, then each run where its phases end, and at its peak."""
        runs = self._recorded()
        found = []
        if len(runs) > 1:
            drawn = draw(runs, self.title, self._id, slide=True)
            found.append(Moment(drawn, "", self._told()))
        for number, run in enumerate(runs):
            title = f"{self.title}: {run.name}" if run.name else self.title
            for at in run.turns:
                drawn = draw([run], title, f"{self._id}{number}x{at}", at, slide=True)
                found.append(Moment(drawn, memory_words.at(run, at), memory_words.told([run], title)))
        return tuple(found)

    def _chosen(self, run: str | None, moment: int | None) -> tuple[Run, ...]:
        runs = self._recorded()
        if run is not None:
            runs = tuple(each for each in runs if each.name == run)
            if not runs:
                raise ValueError(f"there is no run {run!r}: there are {', '.join(each.name for each in self.runs)}")
        if moment is not None:
            if len(runs) > 1:
                raise ValueError("a moment is one of a run: say which, as in svg('checkpoint', 12)")
            if not 0 <= moment < len(runs[0].moments):
                raise IndexError(f"there is no moment {moment}: they are 0 to {len(runs[0].moments) - 1}")
        return runs

    def text(self) -> str:
        """The picture as lines of text, with the same numbers."""
        return self._listing(None)

    def _listing(self, limit: int | None) -> str:
        return memory_words.listing(self._recorded(), self.title, limit)

    def _told(self) -> str:
        return memory_words.told(self._recorded(), self.title)

    def _player(self) -> Player:
        return player(self._recorded(), self.title)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        if not self.runs:
            return {"text/plain": repr(self)}
        return super()._repr_mimebundle_(**options)

    def __repr__(self) -> str:
        return super().__repr__() if self.runs else f"<{self.title}>"


def memory(
    program: Program | Mapping[str, Program] | None = None,
    *,
    model: Any = None,
    optimizer: Any = None,
    names: Mapping[str, Any] | None = None,
    inside: bool = False,
    title: str = "",
) -> Memory:
    """Which arrays are alive while a program runs: bytes over its moments, and when each array comes and goes.

    program: a function of no arguments; several of them by name, shown on one scale; or None, for a block:

        with viz.memory(model=model, optimizer=optimizer) as seen:
            for x, y in batches[:5]:
                …
        seen

    A moment is an operation, a node that a backward pass has passed, or a step of the optimizer. An array is counted
    from the moment at which it is first seen, parameters from the beginning; views are counted with what they are views
    of. At the end the picture says what is left of what was made on the way, which line made it, and which names of the
    program hold it. What a function returns is held until then, and a leaf that had no gradient before it has none
    after it.

    model: a Module, which says where operations happen. optimizer: its state, and its steps. names: what Tensors are to
    be called. inside: also measures, with tracemalloc, what is needed inside a moment and let go again, Python's own
    objects included; those numbers are not the same each time.

    >>> from minitorch import Tensor
    >>> w = Tensor([1.0, 2.0], requires_grad=True)
    >>> seen = memory(lambda: (w.exp() * 2).sum().backward(), names={"w": w})
    >>> print(seen.text().splitlines()[1].partition(":")[0])
    Peak 32 B at moment 5 of 7 (backward, mul)
    """
    if program is not None and not callable(program) and not isinstance(program, Mapping):
        raise TypeError(
            f"viz.memory: a program is a function of no arguments, or several by name, not a {type(program).__name__}"
        )
    labels = labelled(names or {})
    seen = Memory(title, {"model": model, "optimizer": optimizer, "labels": labels, "inside": inside})
    if program is None:
        return seen
    if isinstance(program, Mapping) and not program:
        raise ValueError("viz.memory: the mapping of programs is empty: give at least one, by its name")
    programs = program if isinstance(program, Mapping) else {"": program}
    return seen.record({str(name): each for name, each in programs.items()}, sys._getframe(1))


def _parts(returned: Any) -> list[tuple[Any, str]]:
    """What a function returned, and what is in it, under the name that these have here."""
    parts = returned if isinstance(returned, (list, tuple)) else returned.values() if isinstance(returned, dict) else ()
    return [(each, gettext("what the function returned")) for each in (returned, *parts)]
