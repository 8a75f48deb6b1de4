"""Reels: pictures that are drawn ahead, step by step.

A reel is one drawing with places to fill; each of its frames says what stands in which place. The player
(`static/film.js`) puts them there and computes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from minitorch.language import gettext, language
from minitorch.viz.drawing import controls, palette, svg
from minitorch.viz.drawing.player import WIDEST
from minitorch.viz.drawing.theme import Theme

CONTROLS = 135  # pixels: the bar above the stage, the sentence and the keys
CHOICE = 42  # the reels to choose from
MOST = 640  # of the stage
FRAME = 2  # the player's lines on its left and right
_MOVING = re.compile(r'<g class="mv"[^>]*>|</g>')


@dataclass(frozen=True, slots=True)
class Frame:
    """One step. places: what stands where, as SVG. sentence: what happens, for everybody; wrong: it should not.

    alternative: the picture in words, where the sentence is not enough. count: where the reel stands, "2 / 7" if "".
    """

    places: Mapping[str, str]
    sentence: str
    wrong: bool = False
    alternative: str = ""
    count: str = ""


@dataclass(frozen=True, slots=True)
class Reel:
    """One drawing and its steps. shell: all that stays, with `place(name)` wherever a frame puts something."""

    name: str
    title: str
    width: int
    height: int
    shell: str
    frames: tuple[Frame, ...]

    def still(self, step: int, marks: bool = False) -> str:
        """The drawing at one step, to go between `<svg …>` and `</svg>`. marks: what has changed says so."""
        drawn = self.shell
        before: Mapping[str, str] = self.frames[step - 1].places if step else {}
        for name, content in self.frames[step].places.items():
            marked = ' data-active="1"' if marks and _resting(before.get(name, "")) != _resting(content) else ""
            drawn = drawn.replace(place(name), f"<g{marked}>{content}</g>")
        return drawn

    @property
    def is_marked(self) -> bool:
        """Whether the frames say themselves what happens in them."""
        return any("data-active" in content for frame in self.frames for content in frame.places.values())


def _resting(content: str) -> str:
    """What stands there when all that moved has arrived."""
    return _MOVING.sub("", content)


def place(name: str) -> str:
    """Where a frame puts what it has for `name`."""
    return f'<g data-place="{name}"></g>'


def document(name: str, reel: Reel, step: int, theme: Theme, caption: bool = False, marks: bool = False) -> str:
    """One frame as an SVG document whose id is `name`; with a caption where there is no status line beside it.

    marks: as in `Reel.still`.
    """
    frame = reel.frames[step]
    lines = svg.wrapped(frame.sentence, reel.width) if caption else []
    body = [reel.still(step, marks), *svg.captions(lines, reel.height + 6)]
    size = reel.width, reel.height + svg.CAPTION * len(lines)
    return svg.document(name, reel.title, frame.alternative or frame.sentence, size, theme.sheet(name), body)


def height(reels: Sequence[Reel]) -> int:
    """Pixels that the player needs to show the tallest reel, or a good part of it."""
    return CONTROLS + (CHOICE if len(reels) > 1 else 0) + min(max(reel.height for reel in reels), MOST)


def width(reels: Sequence[Reel]) -> int:
    """Pixels that the player can use: those of its widest reel, where these are more than what any player has."""
    return max(WIDEST, *(reel.width + FRAME for reel in reels))


def as_traits(reels: Sequence[Reel], theme: Theme, title: str, choice: str) -> dict[str, Any]:
    """All that the player needs, as plain JSON. choice: what there is to choose between."""
    return {
        "title": title,
        "choice": choice,
        "keys": _keys(reels),
        "controls": controls.of_steps(),
        "lang": language(),
        "palette": {"light": palette.LIGHT, "dark": palette.DARK},
        "reels": [
            {
                "name": reel.name,
                "title": reel.title,
                "shell": f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{reel.width}" '
                f'height="{reel.height}" viewBox="0 0 {reel.width} {reel.height}">'
                f"<style>{theme.variables()}</style>{reel.shell}</svg>",
                "frames": _changes(reel.frames),
            }
            for reel in reels
        ],
    }


def _keys(reels: Sequence[Reel]) -> str:
    """What the keyboard does, of what there is to do."""
    steps = gettext("← → one step, Home, End; space plays.") if any(len(reel.frames) > 1 for reel in reels) else ""
    return f"{steps} {gettext('↑ ↓ or a number: another picture.') if len(reels) > 1 else ''}".strip()


def _changes(frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """The frames, each with what is not as it was in the one before."""
    found = []
    before: Mapping[str, str] = {}
    for frame in frames:
        places = {name: content for name, content in frame.places.items() if before.get(name) != content}
        found.append(
            {
                "places": places,
                "sentence": frame.sentence,
                "wrong": frame.wrong,
                "alternative": frame.alternative,
                "count": frame.count,
            }
        )
        before = frame.places
    return found
