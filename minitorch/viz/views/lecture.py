"""The view `lecture`: pictures as slides, with their steps, questions and notes, in one file that needs no network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing import deck, pdf
from minitorch.viz.drawing.deck_page import pages
from minitorch.viz.drawing.moments import Moment
from minitorch.viz.drawing.palette import LOOKS
from minitorch.viz.drawing.player import Player
from minitorch.viz.drawing.text import shortened
from minitorch.viz.views.picture import MovingPicture, Picture
from minitorch.viz.views.step import Prediction

__all__ = ["Lecture", "Slide", "lecture", "slide"]


@dataclass(frozen=True)
class Slide:
    """A picture or some words, or a question; `viz.slide` makes one."""

    picture: Picture | None = None
    sentence: str = ""
    notes: str = ""
    question: str = ""
    code: str = ""
    choices: tuple[str, ...] = ()
    right: str = ""
    answer: str = ""
    predict: bool = False
    whole: bool = False

    @cached_property
    def shown(self) -> deck.Shown:
        """The slide, drawn."""
        moments: tuple[Moment, ...] = ()
        if self.picture is not None:
            every = self.whole or self.predict  # what is handed on can be predicted where it was seen to arrive
            moments = self.picture.moments() if every else self.picture.highlights()
        player = self.picture._player() if isinstance(self.picture, MovingPicture) and self.picture._moves else None
        heading, _, below = self.sentence.partition("\n")
        return deck.Shown(
            heading,
            self.notes,
            self.question,
            self.code.strip("\n"),
            tuple((each, each == self.right) for each in self.choices),
            self.answer,
            moments,
            tuple(self._stops(moments, below)),
            None if player is None or player.script == "lecture.js" else player,
        )

    def _stops(self, moments: Sequence[Moment], below: str) -> Iterator[deck.Stop]:
        if self.question:
            yield deck.Stop("question")
            if self.answer or self.right:
                yield deck.Stop("answer")
        elif not moments:
            yield deck.Stop("words", below)
        for number, moment in enumerate(moments):
            if moment.asks and (self.predict or isinstance(self.picture, Prediction)):
                yield deck.Stop("picture", moment.asks, number - 1, number)
            yield deck.Stop("picture", f"{below}\n{moment.sentence}".strip(), number)


class Lecture(MovingPicture):
    """A deck of slides. `save` writes it as one page of HTML, or a page a step: as PDF, or as SVG files in a folder."""

    def __init__(self, slides: Sequence[Slide], title: str, look: str) -> None:
        self.slides = tuple(slides)
        self._title, self._look = title, look

    @property
    def title(self) -> str:
        """What the lecture is called."""
        first = self.slides[0]
        return self._title or gettext("Lecture: {first}", first=first.sentence.partition("\n")[0] or first.question)

    @cached_property
    def _shown_slides(self) -> tuple[deck.Shown, ...]:
        return tuple(each.shown for each in self.slides)

    def pages(self, look: str = "") -> list[str]:
        """Every step as an SVG document of 1920 × 1080 pixels, in the lecture's colours, which are light by default.

        look: other colours, "light", "dark", "strong" or "black". Raises ValueError for a look that there is not.
        """
        return list(self._pages(LOOKS[_checked(look or self._look or "light")]))

    def _pages(self, colours: Mapping[str, str] | None) -> Iterator[str]:
        for place, shown in enumerate(self._shown_slides, start=1):
            for step, stop in enumerate(shown.stops, start=1):
                yield from pages(shown, stop, f"{place}.{step}" if len(shown.stops) > 1 else str(place), colours)

    def svg(self) -> str:
        """The first page, light or dark as the reader's system is."""
        return next(self._pages(None))

    def save(self, path: str | Path, look: str = "") -> Path:
        """Writes the lecture: .html to be given, .pdf with a page a step, and a page a step as SVG files into a folder.

        A path without an ending is a folder; it is made. .svg and .png are the first page, .txt is the outline.
        look: of the pages, as in `pages`. Raises ValueError on another ending, and where the folder holds
        pages already.
        """
        folder = Path(path)
        if not folder.suffix:
            return self._into(folder, self.pages(look))
        if folder.suffix == ".pdf":
            folder.write_bytes(pdf.pages(self.pages(look), self.title))
            return folder
        return super().save(path)

    def _into(self, folder: Path, pages: Sequence[str]) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        there = sorted(each.name for each in folder.glob("*.svg"))
        if there:
            raise ValueError(f"{folder} holds drawings already, such as {there[0]}: name an empty folder")
        digits = max(2, len(str(len(pages))))
        for number, drawn in enumerate(pages, start=1):
            (folder / f"{number:0{digits}}.svg").write_bytes(drawn.encode())
        return folder

    def _told(self) -> str:
        stops = sum(len(each.stops) for each in self._shown_slides)
        return gettext(
            "{title}. Slides: {slides}. Steps: {stops}.", title=self.title, slides=len(self.slides), stops=stops
        )

    def _listing(self, limit: int | None) -> str:
        return "\n".join(shortened([self._told(), *deck.outline(self._shown_slides)], limit))

    def _player(self, slide: int = 0, stop: int = 0) -> Player:
        others = sorted({each.player.script for each in self._shown_slides if each.player is not None})
        state = {"deck": deck.as_traits(self.title, self._shown_slides, self._look), "slide": slide, "stop": stop}
        return Player("lecture.js", self.title, state, deck.HEIGHT, deck.WIDTH, tuple(others), fills_screen=True)


def slide(
    picture: Picture | str | None = None,
    sentence: str = "",
    *,
    notes: str = "",
    question: str = "",
    code: str = "",
    choices: Sequence[str] = (),
    right: str = "",
    answer: str = "",
    predict: bool = False,
    whole: bool = False,
) -> Slide:
    """A slide of a lecture: any picture of `viz` with a sentence above it, or words alone.

    picture: its steps, where it has some, are gone through one by one. sentence: what the room is to take from it; a
    second line stands smaller below it. notes: for who speaks. question: asked first, before the picture; the next key
    shows the answer: the one of `choices` that is `right`, and `answer`. code: what the question is about. predict:
    before each step of a backward pass the room is asked for what comes. whole: every step, also those of a long pass
    that only go along a chain, and those of all walks, of which otherwise the first is gone through and of each other
    one the end is shown.

    Raises TypeError for what is no picture, ValueError for an empty slide and where `right` is none of the choices.

    >>> slide("Two paths: add", notes="Draw both on the board.").sentence
    'Two paths: add'
    """
    if isinstance(picture, str):
        picture, sentence = None, "\n".join(filter(None, [picture, sentence]))
    if picture is not None and not isinstance(picture, Picture):
        raise TypeError(f"a slide needs a picture, such as viz.graph(x), or a sentence, not {type(picture).__name__}")
    if picture is None and not sentence and not question:
        raise ValueError("a slide with nothing on it: give it a picture, a sentence or a question")
    if right and right not in choices:
        raise ValueError(f"the right answer {right!r} is none of the choices {', '.join(map(repr, choices)) or '()'}")
    return Slide(picture, sentence, notes, question, code, tuple(choices), right, answer, predict, whole)


def lecture(*slides: Any, title: str = "", look: str = "") -> Lecture:
    """A lecture of one or several pictures, to be given full screen, without a network, from one file.

        viz.lecture("The chain rule", (viz.step(loss), "Along a path you multiply.")).save("chain_rule.html")

    slides: pictures of `viz`, sentences, pairs (picture, sentence), triples (picture, sentence, notes), what
    `viz.slide` gives, or other lectures, whose slides come in their place. look: the colours it begins with, "light",
    "dark", "strong" (high contrast) or "black" (black on white); by default as the system is. Keys: → and ← go on and
    back, step by step; ? shows the others.

    Raises TypeError for what is no slide, ValueError where there is none, and for a look that there is not.

    >>> from minitorch.scalar import Value
    >>> from minitorch.viz import step
    >>> x = Value(3.0, label="x")
    >>> print(lecture("Squares", (step(x * x), "Both paths count."), title="Squares").text().splitlines()[0])
    Squares. Slides: 2. Steps: 5.
    """
    if not slides:
        raise ValueError("a lecture without slides: give it pictures, sentences, or what viz.slide makes")
    found = [each for given in slides for each in (given.slides if isinstance(given, Lecture) else (_slide(given),))]
    return Lecture(found, title, look and _checked(look))


def _slide(given: Any) -> Slide:
    if isinstance(given, Slide):
        return given
    if isinstance(given, tuple) and 2 <= len(given) <= 3:
        return slide(given[0], given[1], notes=given[2] if len(given) == 3 else "")
    return slide(given)


def _checked(look: str) -> str:
    if look not in LOOKS:
        raise ValueError(f"there is no look {look!r}: it is one of {', '.join(map(repr, LOOKS))}")
    return look
