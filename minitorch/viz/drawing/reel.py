"""Reels: one drawing with places to fill, and frames that say what stands in which place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LETTER = 6.4  # mean width of a caption's letter, in pixels


@dataclass(frozen=True, slots=True)
class Frame:
    """One step. places: what stands where, as SVG. sentence: what happens, for everybody; wrong: it should not."""

    places: Mapping[str, str]
    sentence: str
    wrong: bool = False
    alternative: str = ""


@dataclass(frozen=True, slots=True)
class Reel:
    """One drawing and its steps. shell: all that stays, with `place(name)` wherever a frame puts something."""

    name: str
    title: str
    width: int
    height: int
    shell: str
    frames: tuple[Frame, ...]

    def still(self, step: int) -> str:
        """The drawing at one step, to go between `<svg …>` and `</svg>`."""
        drawn = self.shell
        for name, content in self.frames[step].places.items():
            drawn = drawn.replace(place(name), f"<g>{content}</g>")
        return drawn


def place(name: str) -> str:
    """Where a frame puts what it has for `name`."""
    return f'<g data-place="{name}"></g>'
