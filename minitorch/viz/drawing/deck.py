"""Decks: the slides of a lecture as facts, and what static/lecture.js is given of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from minitorch.language import N_, gettext, language
from minitorch.viz.drawing import palette
from minitorch.viz.drawing.moments import SMALLEST, Moment
from minitorch.viz.drawing.player import Player

HEIGHT = 620  # pixels of the frame in a notebook
WIDTH = 10_000  # pixels of the largest wall

# Keys, and what each of them does.
_KEYS = (
    (N_("→ space PageDown"), N_("next step, then next slide")),
    (N_("← PageUp"), N_("step back")),
    (N_("↓ ↑"), N_("next, previous slide")),
    (N_("Home End"), N_("first, last slide")),
    (N_("12 Enter"), N_("slide 12")),
    ("f", N_("full screen")),
    ("b", N_("black screen")),
    ("n", N_("notes, next slide and clock here")),
    ("p", N_("the same in a window for the speaker")),
    ("s", N_("colours: as the system, light, dark, high contrast, black and white")),
    ("o", N_("try the picture yourself; Escape ends that")),
    (N_("Ctrl+P"), N_("hand-out: every step, for printing")),
)
# What the script says itself.
_WORDS = {
    "nothing": N_("No notes for this slide."),
    "coming": N_("Next:"),
    "end": N_("This is the last slide."),
    "notes": N_("Notes"),
    "keys": N_("Keys"),
    "back": N_("back (left arrow)"),
    "forth": N_("on (right arrow)"),
    "live": N_("try it: the picture's own player (o)"),
    "help": N_("keys (?)"),
    "full": N_("full screen (f)"),
}


@dataclass(frozen=True, slots=True)
class Stop:
    """What stands there until the next key. says: the sentence of this step.

    moment: which of the slide's moments, None where only words stand there. looks: at the place of another moment,
    where what comes next is asked for.
    """

    kind: Literal["words", "question", "answer", "picture"]
    says: str = ""
    moment: int | None = None
    looks: int | None = None


@dataclass(frozen=True)
class Shown:
    """A slide, ready to be shown: its words, its moments, and its stops in order.

    choices: answers to choose from, each with whether it is right. player: of the picture itself, to be tried.
    """

    heading: str
    notes: str
    question: str
    code: str
    choices: tuple[tuple[str, bool], ...]
    answer: str
    moments: tuple[Moment, ...]
    stops: tuple[Stop, ...]
    player: Player | None = None

    @property
    def least(self) -> float:
        """Pixels: the smallest letters of its pictures."""
        return min((moment.still.least for moment in self.moments), default=float(SMALLEST))


def as_traits(title: str, slides: Sequence[Shown], look: str) -> dict[str, Any]:
    """All that the script needs, as plain JSON."""
    return {
        "title": title,
        "lang": language(),
        "look": look,
        "looks": palette.LOOKS,
        "words": {name: gettext(key) for name, key in _WORDS.items()},
        "keys": [[gettext(key), gettext(does)] for key, does in _KEYS],
        "slides": [_slide(each) for each in slides],
    }


def _slide(slide: Shown) -> dict[str, Any]:
    stills, at = _stills(slide)
    found: dict[str, Any] = {
        "heading": slide.heading,
        "notes": slide.notes,
        "question": slide.question,
        "code": slide.code,
        "choices": [list(choice) for choice in slide.choices],
        "answer": slide.answer,
        "least": slide.least,
        "stills": stills,
        "stops": [_stop(slide, stop, at) for stop in slide.stops],
    }
    if slide.player is not None:
        found["player"] = {"script": slide.player.script, "state": dict(slide.player.state)}
    return found


def _stills(slide: Shown) -> tuple[list[dict[str, Any]], list[int]]:
    """The drawings, each of them once, and which of them each moment has."""
    known: dict[str, int] = {}
    at = [known.setdefault(moment.drawn, len(known)) for moment in slide.moments]
    first = [slide.moments[at.index(number)].still for number in range(len(known))]
    return [{"drawn": each.markup(), "w": each.width, "h": each.height} for each in first], at


def _stop(slide: Shown, stop: Stop, at: Sequence[int]) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": stop.kind if stop.looks is None else "asks", "says": stop.says}
    if stop.moment is not None:
        moment, place = slide.moments[stop.moment], stop.moment if stop.looks is None else stop.looks
        focus = slide.moments[place].focus
        found |= {
            "still": at[stop.moment],
            "told": moment.told,
            "focus": focus and list(focus),
            "at": dict(moment.state),
        }
    return found


def outline(slides: Sequence[Shown]) -> Iterator[str]:
    """The lecture as lines of text: slides, questions and answers, steps, notes."""
    for number, slide in enumerate(slides, start=1):
        yield f"{number}. {slide.heading or slide.question}"
        for stop in slide.stops:
            if stop.kind == "question":
                yield from _asked(slide)
            elif stop.kind == "answer":
                right = [text for text, is_right in slide.choices if is_right]
                yield f"   {gettext('Answer')}: {' '.join([*right, slide.answer]).strip()}"
            elif stop.says:
                yield f"   - {stop.says}"
        if slide.notes:
            yield from (f"   {gettext('Notes')}: {slide.notes}".splitlines())


def _asked(slide: Shown) -> Iterator[str]:
    yield f"   {gettext('Question')}: {slide.question}"
    yield from (f"      {line}" for line in slide.code.splitlines())
    yield from (f"      {letter}) {text}" for letter, (text, _) in zip("ABCDEFGH", slide.choices, strict=False))
