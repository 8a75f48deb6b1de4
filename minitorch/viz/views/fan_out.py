"""The view `fan_out`: the same graph walked backward by several algorithms, side by side and move by move.

At every step the picture says which node hands on what, for the how-manieth time, and out of which contributions each
gradient is made up so far. The right gradient stands beside it, and the first wrong move is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing import dot
from minitorch.viz.drawing.fan_out import boxes, reel, title, together
from minitorch.viz.drawing.moments import Moment, by_class, by_mark
from minitorch.viz.drawing.reel import Reel
from minitorch.viz.drawing.styles import Element
from minitorch.viz.drawing.walk_boxes import THEME, WalkBoxes
from minitorch.viz.drawing.walk_words import listing, moves_of, notes
from minitorch.viz.facts.fan_out import Walks
from minitorch.viz.facts.scalars import number
from minitorch.viz.facts.walks import Walk
from minitorch.viz.views.film import Film
from minitorch.viz.views.picture import DOT

__all__ = ["FanOut", "fan_out"]

Walking = str | Callable[[Any], Any]


class FanOut(Walks, Film):
    """Several backward passes over one graph. walks: their facts. paths: the ways from the result to each node.

    Holds no tensors and no nodes: it shows the graph as it was when the picture was made.
    """

    forms = (*Film.forms, *DOT)
    _theme = THEME

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return title(self)

    @property
    def _choice(self) -> str:
        return gettext("which algorithm walks")

    def svg(self, walk: str | None = None, step: int | None = None) -> str:
        """The walks side by side, or one of them after `step` steps (at its end if None).

        Raises ValueError for a walk that is not shown, IndexError beyond its last step.
        """
        if walk is None:
            return super().svg()
        number = self._found(walk)
        return self._document(self._reels[number], self._checked(self.walks[number], step), caption=True)

    def text(self, walk: str | None = None, step: int | None = None) -> str:
        """What all walks arrive at, then their moves; or those of one of them, up to `step`. Raises as `svg`."""
        if walk is None:
            return super().text()
        shown = self.walks[self._found(walk)]
        return "\n".join(moves_of(self, shown, self._checked(shown, step), None))

    def save(self, path: str | Path, walk: str | None = None, step: int | None = None) -> Path:
        """Writes the picture, or one walk after `step` steps; a page opens there. Raises as `Picture.save`, `svg`."""
        if walk is None:
            return super().save(path)
        number = self._found(walk)
        player = self._player(number, self._checked(self.walks[number], step))
        return self._save_moment(path, self.svg(walk, step), self.text(walk, step), player)

    def dot(self) -> Any:
        """The graph with its right gradients as a `graphviz.Digraph`, and what each walk arrives at where it is wrong.

        Raises ImportError when the graphviz package is missing.
        """
        right = self.walks[0].right
        nodes = tuple(
            node if grad is None else replace(node, grad=number(grad))
            for node, grad in zip(self.graph.nodes, right, strict=True)
        )
        return dot.digraph(replace(self.graph, nodes=nodes), self.names, notes(self))

    def _found(self, name: str) -> int:
        names = [walk.name for walk in self.walks]
        if name not in names:
            raise ValueError(f"this picture has no walk {name!r}: it has {', '.join(map(repr, names))}")
        return names.index(name)

    def _checked(self, walk: Walk, step: int | None) -> int:
        last = len(walk.moves) + 1
        if step is not None and not 0 <= step <= last:
            raise IndexError(
                f"there is no step {step}: this walk has the steps 0 to {last}, the last one is its verdict"
            )
        return last if step is None else step

    @cached_property
    def _reels(self) -> tuple[Reel, ...]:
        return (*(reel(self, self._boxes, walk) for walk in self.walks), together(self, self._boxes))

    @cached_property
    def _boxes(self) -> WalkBoxes:
        return boxes(self)

    def _still(self) -> tuple[Reel, int]:
        return self._reels[-1], 0

    def moments(self) -> tuple[Moment, ...]:
        """What there is to show of it in a lecture: every walk, and, where there are several, then all side by side."""
        return (*self._of(self._on_slides), *self._all_ends)

    def highlights(self) -> tuple[Moment, ...]:
        """The first walk move by move, of each other one how it ends, and then all of them side by side."""
        first, *others = self._on_slides
        ends = tuple(self._moment(each, len(each.frames) - 1) for each in others)
        return (*self._of([first]), *ends, *self._all_ends)

    @property
    def _all_ends(self) -> tuple[Moment, ...]:
        """Several walks side by side, where nothing happens more than elsewhere."""
        if len(self.walks) < 2:
            return ()
        return (replace(self._moment(together(self, self._boxes, slide=True), 0), active=None),)

    @staticmethod
    def _happens(element: Element) -> bool:
        return by_mark(element) or by_class("vg", "k", "y")(element)

    @cached_property
    def _on_slides(self) -> list[Reel]:
        return [reel(self, self._boxes, walk, slide=True) for walk in self.walks]

    def _listing(self, limit: int | None) -> str:
        return listing(self, limit)


def fan_out(
    loss: Any, walk: Walking | Sequence[Walking] | None = None, *, names: Mapping[str, Any] | None = None
) -> FanOut:
    """The backward pass of `loss` by several algorithms: what each node adds up, how often it is visited, who is wrong.

    walk: which of them, one or several; all five by default. "topological": children first, each node once, the right
    one. "recursive": each node hands on its whole gradient whenever something arrives; it counts paths, and what has
    been handed on before counts twice. "paths": each hands on just what has arrived; right, but with one visit for
    each path, 2^n in a chain of n diamonds. "overwrite": = in place of +=. "breadth_first": level by level, too early.
    A function `backward(root)` is run on a copy of the graph whose nodes write down each change of their `.grad`;
    what it raises is shown, and a walk without an end is broken off.

    `loss` is a scalar Value, or a Tensor whose graph holds single numbers only. Raises as `step`, and ValueError for a
    graph of more than 300 nodes, for one with larger Tensors and for a walk that it does not know.

    >>> from minitorch.scalar import Value
    >>> x = Value(2.0, label="x")
    >>> p = x * 3
    >>> seen = fan_out(p + p * p, ["topological", "recursive"], names={"p": p})
    >>> [(walk.name, walk.gradients[0], walk.first_wrong) for walk in seen.walks]
    [('topological', 39.0, None), ('recursive', 63.0, 6)]
    >>> print(seen.walks[1].fault)
    p hands its whole 7 on to x, but 1 of it went there before and counts twice
    """
    return FanOut(loss, walk, names)
