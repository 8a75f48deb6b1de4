"""Films: pictures that are drawn ahead, step by step, or that stand still."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from minitorch.viz.drawing.moments import Moment, by_mark
from minitorch.viz.drawing.player import Player
from minitorch.viz.drawing.reel import Reel, as_traits, document, height, width
from minitorch.viz.drawing.styles import Element
from minitorch.viz.drawing.theme import Theme
from minitorch.viz.views.picture import MovingPicture


class Film(MovingPicture):
    """One reel, or several to choose from. Some subclass says what is on them, and which frame stands for the whole."""

    _theme: ClassVar[Theme]

    @property
    def _choice(self) -> str:
        """What there is to choose between, where there are several reels."""
        return ""

    @staticmethod
    def _happens(element: Element) -> bool:
        """Whether that part of a frame is what happens in it."""
        return by_mark(element)

    @property
    @abstractmethod
    def _reels(self) -> Sequence[Reel]:
        """All that there is to see."""

    def _still(self) -> tuple[Reel, int]:
        """The reel and the step that stand for the whole where nothing moves."""
        return self._reels[0], 0

    @cached_property
    def _id(self) -> str:
        """Ids in a page start with it: pictures of different content keep apart."""
        return f"mf{hashlib.sha256(self._listing(None).encode()).hexdigest()[:8]}"

    def svg(self) -> str:
        """An SVG document, the same bytes for the same facts; light or dark as the reader's system is."""
        return self._document(*self._still())

    def _document(self, reel: Reel, step: int, caption: bool = False) -> str:
        return document(self._id, reel, step, self._theme, caption)

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: every step, of one reel after another."""
        return self._of(self._reels)

    def _of(self, reels: Sequence[Reel]) -> tuple[Moment, ...]:
        return tuple(self._moment(reel, step) for reel in reels for step in range(len(reel.frames)))

    def _moment(self, reel: Reel, step: int) -> Moment:
        frame = reel.frames[step]
        drawn = document(self._id, reel, step, self._theme, marks=not reel.is_marked)
        told = frame.alternative or frame.sentence
        stands = {"reel": [each.name for each in self._reels].index(reel.name), "step": step}
        return Moment(drawn, frame.sentence, told, self._happens, state=stands)

    def _told(self) -> str:
        reel, step = self._still()
        return f"{reel.title}. {reel.frames[step].alternative or reel.frames[step].sentence}"

    @property
    def _moves(self) -> bool:
        return any(len(each.frames) > 1 for each in self._reels)

    def _player(self, reel: int = 0, step: int = 0) -> Player:
        film = as_traits(self._reels, self._theme, self.title, self._choice)
        state = {"film": film, "reel": reel, "step": step}
        return Player("film.js", self.title, state, height(self._reels), width(self._reels))
