"""The view `grow`: a graph that grows, stage by stage or as the cells of a notebook run; what stands does not move."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing import deck, text
from minitorch.viz.drawing.graph import alternative, draw
from minitorch.viz.drawing.growing import Growing, Standing, stretched
from minitorch.viz.drawing.moments import Moment, by_class
from minitorch.viz.drawing.player import Player
from minitorch.viz.drawing.scene import Scene, scene
from minitorch.viz.facts import words
from minitorch.viz.facts.capture import together
from minitorch.viz.facts.growing import Stage, grown, is_drawn
from minitorch.viz.facts.results import is_named, is_several, name_of, results
from minitorch.viz.views.picture import MovingPicture, Picture

__all__ = ["Growth", "grow"]

ROOM = (460, 900)  # pixels that a graph may grow into before anything of it is seen elsewhere on the screen


class Growth(MovingPicture):
    """A graph at several times. `add` makes it grow; `follow` lets a notebook's cells do that, until `stop`.

    Holds no nodes: it shows each stage as it was.
    """

    forms = Picture.forms

    def __init__(self, names: Mapping[str, Any] | None = None) -> None:
        self._names = names
        self._stages: list[Stage] = []
        self._scenes: list[Scene] = []
        self._standing = Standing()
        self._following: _Following | None = None

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext("A graph that grows")

    @property
    def steps(self) -> int:
        """How many stages there are."""
        return len(self._stages)

    def add(self, *roots: Any) -> Growth:
        """One more stage: all that is behind these Tensors, or scalar Values, as it is now. Nothing new adds none.

        Tuples, lists, mappings and dataclasses of them are looked into. Raises TypeError for what is neither, or both.
        """
        before = self._stages[-1] if self._stages else None
        found = [each for root in roots for each in (results(root) if is_several(root) else [("", root)])]
        keys = {name_of(way): part for way, part in found if is_named(way)}
        graph, _ = together([part for _, part in found], keys | dict(self._names or {}))
        stage = grown(before, graph)
        if before is not None and before.graph == stage.graph:
            return self
        arrange = Growing(stage.places, self._standing)
        self._scenes.append(scene(stage.graph, arrange=arrange))
        self._stages.append(stage)
        self._standing = arrange.standing
        return self

    def where(self, step: int) -> dict[str, tuple[int, int]]:
        """Where each box stands at a stage: the middle of its upper edge. Raises IndexError beyond the last stage."""
        shown = self._scenes[step]
        return {shown.names[box.node]: (box.x, box.y) for box in shown.layout.boxes}

    def follow(self) -> Growth:
        """From now on each cell of the notebook adds what it named. Raises RuntimeError where no notebook is."""
        self._following = self._following or _Following(self)
        return self

    def stop(self) -> Growth:
        """Ends that. The notebook keeps what there was to see as a picture with steps."""
        if self._following is not None:
            self._following.end()
        self._following = None
        return self

    def svg(self) -> str:
        """The last stage, as an SVG document."""
        return self.moments()[-1].drawn

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: every stage, each node where it will always be."""
        return self._drawn((0, 0))

    def _drawn(self, room: tuple[int, int]) -> tuple[Moment, ...]:
        if not self._scenes:
            return (_nothing(),)
        width = max(room[0], *(each.extent[1] for each in self._scenes))
        height = max(room[1], *(each.layout.height for each in self._scenes))
        shown = [replace(each, layout=stretched(each.layout, width, height)) for each in self._scenes]
        return tuple(
            Moment(
                draw(each, captioned=False),
                self._said(number),
                alternative(each),
                partial(_is_new, frozenset(_spots(each, self._stages[number]))),
            )
            for number, each in enumerate(shown)
        )

    def _said(self, number: int) -> str:
        """What is new at a stage."""
        stage, names = self._stages[number], self._scenes[number].names
        made = [
            names[node.idx] if node.kind != "op" else f"{names[node.idx]} = {words.made_by(stage.graph, node, names)}"
            for node, place in zip(stage.graph.nodes, stage.places, strict=True)
            if place in stage.new and (node.kind != "constant" or node.label)
        ]
        graded = [names[at] for at, place in enumerate(stage.places) if place in stage.graded]
        said = [gettext("New: {made}.", made=", ".join(made))] if made else []
        said += [gettext("Gradients have arrived at {names}.", names=", ".join(graded))] if graded else []
        return " ".join(map(words.typeset, said)) or gettext("Other numbers, the same graph.")

    def _told(self) -> str:
        stages = " ".join(map(self._said, range(len(self._stages))))
        return f"{self.title}. {stages or gettext('What the next cells make appears here.')}"

    def _listing(self, limit: int | None) -> str:
        head = gettext("{title}: {count} steps.", title=self.title, count=len(self._stages))
        found = [head, *(f"{number + 1}. {self._said(number)}" for number in range(len(self._stages)))]
        if self._stages:
            found += ["", text.listing(self._stages[-1].graph, limit=limit)]
        return "\n".join(text.shortened(found, limit))

    def _player(self, room: tuple[int, int] = (0, 0)) -> Player:
        moments = self._drawn(room)
        stops = tuple(deck.Stop("picture", moment.sentence, at) for at, moment in enumerate(moments))
        shown = deck.Shown(self.title, "", "", "", (), "", moments, stops)
        state = {
            "deck": deck.as_traits(self.title, [shown], ""),
            "slide": 0,
            "stop": len(stops) - 1 if any(room) else 0,
        }
        return Player("lecture.js", self.title, state, deck.HEIGHT, deck.WIDTH, fills_screen=True)


class _Following:
    """A notebook that is followed: what each cell names grows into the picture."""

    def __init__(self, growth: Growth) -> None:
        if "IPython" not in sys.modules:
            raise RuntimeError("a graph grows with the cells of a notebook: in a script, hand viz.grow its stages")
        from IPython import get_ipython

        self._shell: Any = get_ipython()
        if self._shell is None:
            raise RuntimeError("a graph grows with the cells of a notebook: in a script, hand viz.grow its stages")
        self._growth = growth
        self._there = {name: id(thing) for name, thing in self._shell.user_ns.items()}
        self._widget: Any = None
        self._handle = self._show()
        self._shell.events.register("post_run_cell", self._after)

    def _show(self) -> Any:
        from IPython.display import display

        try:
            self._widget = self._growth._player(ROOM).widget()
        except ImportError:  # the document in its place, made anew after each cell
            return display(self._growth, display_id=True)  # type: ignore[no-untyped-call]
        return display(self._widget, display_id=True)  # type: ignore[no-untyped-call]

    def _after(self, _: Any = None) -> None:
        """What the notebook's names hold now, in so far as it came since."""
        space = self._shell.user_ns
        named = {name: thing for name, thing in space.items() if not name.startswith("_") and is_drawn(thing)}
        fresh = {name: thing for name, thing in named.items() if self._there.get(name) != id(thing)}
        if not fresh:
            return
        kind = type(next(reversed(fresh.values())))
        self._growth._names = fresh
        self._growth.add(*(thing for thing in fresh.values() if isinstance(thing, kind)))
        if self._widget is None:
            self._handle.update(self._growth)
            return
        state = self._growth._player(ROOM).state
        with self._widget.hold_sync():
            self._widget.deck, self._widget.stop = state["deck"], state["stop"]

    def end(self) -> None:
        self._shell.events.unregister("post_run_cell", self._after)
        self._growth._names = None
        self._handle.update(self._growth)


def _spots(shown: Scene, stage: Stage) -> list[str]:
    """How the boxes that are new say where they stand; where none is, those that have a gradient now."""
    news = stage.new or stage.graded
    return [f"translate({box.x} {box.y})" for box in shown.layout.boxes if stage.places[box.node] in news]


def _is_new(spots: frozenset[str], element: Any) -> bool:
    return element.attributes.get("transform", "") in spots and not by_class("nn", "np")(element)


def _nothing() -> Moment:
    """Before the first cell."""
    from minitorch.viz.drawing import graph, svg

    told = gettext("What the next cells make appears here.")
    return Moment(
        svg.document("mg0", gettext("A graph that grows"), told, ROOM, graph.THEME.sheet("mg0"), ()), told, told
    )


def grow(*stages: Any, names: Mapping[str, Any] | None = None) -> Growth:
    """A graph that grows: its operations appear one after another, and what stands already does not move.

        viz.grow()                       in a notebook: what the next cells name grows into the picture, until .stop()
        viz.grow(x, p, root)             in a script: each stage has what is behind the first of these, then of two, …

    stages: Tensors or scalar Values, or several that come together, in a list or as a model returns them; their steps
    can be gone through, and laid on a slide of `viz.lecture`. names: what to call which, as in `viz.graph`; in a
    notebook the cells' own names.

    A cell that is run anew puts its nodes where those of the same making stood. Raises TypeError for what is neither a
    Tensor nor a Value, RuntimeError where there are no stages and no notebook.

    >>> from minitorch.scalar import Value
    >>> x = Value(2.0, label="x")
    >>> p = x * 3
    >>> seen = grow(x, p, p * p)
    >>> seen.steps, seen.where(0)["x"] == seen.where(2)["x"]
    (3, True)
    """
    growth = Growth(names)
    if not stages:
        return growth.follow()
    for count in range(len(stages)):
        growth.add(*stages[: count + 1])
    return growth
