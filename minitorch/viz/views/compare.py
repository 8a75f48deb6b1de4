"""What `viz.compare` gives back: two graphs beside each other, drawn and in words."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from minitorch.viz.drawing import side_by_side
from minitorch.viz.drawing.html import page
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import words
from minitorch.viz.facts.differences import Compared, Difference
from minitorch.viz.facts.model import NodeFacts

LINES = 200  # of text in a notebook; `.text()` has them all


class Comparison:
    """My graph against the reference. Holds no tensors: it shows both graphs as they were."""

    def __init__(self, facts: Compared) -> None:
        self._facts = facts

    @property
    def verdict(self) -> str:
        """The result in one sentence: "the same, 7 nodes, 7 gradients", or "first difference: …"."""
        return self._facts.verdict

    @property
    def same(self) -> bool:
        """True when nothing that was compared differs."""
        return not self._facts.differences

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Every difference, the first one first: values on the way forward, then gradients on the way back."""
        return self._facts.differences

    @property
    def first(self) -> str:
        """The name of the node that differs first; "" where none does."""
        return self._facts.names[self.differences[0].place] if self.differences else ""

    @cached_property
    def _sides(self) -> side_by_side.Sides:
        return side_by_side.sides(self._facts)

    def svg(self) -> str:
        """Both graphs as one SVG document, the first difference ringed; the same bytes for the same graphs."""
        return side_by_side.draw(self._sides)

    def text(self) -> str:
        """One line a node, newest first: how it was made, value and gradient of both, and whether they differ."""
        return self._text(None)

    def html(self, path: str | Path) -> Path:
        """Writes the picture and its words as a page of its own, light or dark as the reader's system is."""
        path = Path(path)
        path.write_text(page(side_by_side.TITLE, self._image()), encoding="utf-8")
        return path

    def save(self, path: str | Path) -> Path:
        """Writes the picture; the name's ending says how: .svg, .html or .txt. Raises ValueError on another ending."""
        path = Path(path)
        writers: dict[str, Callable[[], object]] = {
            ".svg": lambda: path.write_text(self.svg(), encoding="utf-8"),
            ".html": lambda: self.html(path),
            ".txt": lambda: path.write_text(f"{self.text()}\n", encoding="utf-8"),
        }
        if path.suffix not in writers:
            raise ValueError(f"cannot write a picture as {path.suffix or path.name!r}: use {', '.join(writers)}")
        writers[path.suffix]()
        return path

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/html": self._image(), "image/svg+xml": self.svg(), "text/plain": self._text(LINES)}

    def __repr__(self) -> str:
        return self._text(LINES)

    def _image(self) -> str:
        """The SVG has no place for an `alt`, and a notebook that is not trusted hides it."""
        source = f"data:image/svg+xml;base64,{b64encode(self.svg().encode()).decode()}"
        said = escape(f"{side_by_side.TITLE}. {side_by_side.description(self._facts)}")
        return f'<img alt="{said}" src="{source}">'

    # -- the listing ---------------------------------------------------------------------------------------------------

    def _text(self, limit: int | None) -> str:
        facts = self._facts
        rows = [["", "node", "made by", "mine", "its gradient", "reference", "its gradient"]]
        rows += [self._row(place) for place in reversed(range(len(facts.names))) if self._is_shown(place)]
        later = [f"also: {each}" for each in shortened([str(each) for each in facts.differences[1:]], limit)]
        return "\n".join([facts.verdict, *shortened(aligned(rows, ()), limit), *later])

    def _is_shown(self, place: int) -> bool:
        nodes = [node for node in (self._facts.mine[place], self._facts.reference[place]) if node is not None]
        return any(node.kind != "constant" or node.label for node in nodes)

    def _row(self, place: int) -> list[str]:
        facts = self._facts
        differing = [each.place for each in facts.differences]
        mark = "" if place not in differing else "!=>" if place == differing[0] else "!="
        mine, reference = facts.mine[place], facts.reference[place]
        return [
            mark,
            facts.names[place],
            _made(mine, reference),
            *_told(mine, "not here"),
            *_told(reference, "not there"),
        ]


def _made(mine: NodeFacts | None, reference: NodeFacts | None) -> str:
    """The operation, with both spellings if they differ."""
    said = [node.op or node.kind for node in (mine, reference) if node is not None]
    return " | ".join(dict.fromkeys(said))


def _told(node: NodeFacts | None, absent: str) -> list[str]:
    if node is None:
        return [absent, "-"]
    shape = "" if node.shape in ((), None) else f"{node.shape} "
    value = "not kept" if node.value is None else words.reading(node.value)
    return [f"{shape}{value}", words.gradient(node, node.grad).removeprefix("grad ")]
