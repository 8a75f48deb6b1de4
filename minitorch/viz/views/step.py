"""The view `step`: a backward pass, contribution by contribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from minitorch.language import gettext
from minitorch.viz.drawing import predicting, text
from minitorch.viz.drawing.graph import alternative, caption_of, draw
from minitorch.viz.drawing.moments import Moment, by_class
from minitorch.viz.drawing.player import Player
from minitorch.viz.drawing.scene import Scene
from minitorch.viz.facts import births, scopes
from minitorch.viz.facts.capture import trace
from minitorch.viz.facts.model import Event, Trace
from minitorch.viz.facts.predictions import questions
from minitorch.viz.facts.questions import Question
from minitorch.viz.views.graph import GraphPicture

__all__ = ["Prediction", "Stepper", "step"]

LONG = 9  # steps: of more a lecture leaves some out


class Stepper(GraphPicture):
    """A backward pass, step by step: a player in a notebook, for which its end stands where no script runs.

    Step 0 is before the pass, step 1 the seed, and every later step one contribution along one edge.
    """

    def __init__(
        self, trace: Trace, kinds: Mapping[str, str] | None = None, fold: bool | None = None, engine: str = "own"
    ) -> None:
        super().__init__(trace.graph, kinds, fold, engine)
        self.trace = replace(trace, graph=self.graph)

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext("Backward pass from {root}", root=self._names[self.graph.root])

    @property
    def steps(self) -> tuple[Event, ...]:
        """What happens: the seed, then one contribution after another."""
        return self.trace.events

    def svg(self, step: int | None = None) -> str:
        """The picture after `step` steps; the whole pass if None. Raises IndexError beyond the last step."""
        return draw(self._scene, self._checked(step))

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it: every step, from before the pass on."""
        drawn = self._scene
        return tuple(
            Moment(
                draw(drawn, step, captioned=False),
                caption_of(drawn, step),
                alternative(drawn, step),
                by_class("v", "h") if step else by_class("r"),
                self._asked(step),
                {"step": step},
            )
            for step in range(len(self.steps) + 1)
        )

    def highlights(self) -> tuple[Moment, ...]:
        """Of a long pass the steps at which something is decided: not those that go along a chain to the next place."""
        if len(self.steps) <= LONG:
            return self.moments()
        operands = Counter(edge.dst for edge in self.graph.edges if self.graph.nodes[edge.src].kind != "constant")
        goes_along = [False, *(event.kind == "set" and operands[event.node] == 1 for event in self.steps)]
        return tuple(moment for moment, along in zip(self.moments(), goes_along, strict=True) if not along)

    def _asked(self, step: int) -> str:
        """What a room may be asked before that step."""
        event = self.steps[step - 1] if step else None
        if event is None:
            return ""
        target = self._names[event.node]
        if event.edge is None:
            return gettext(
                "Predict: what does the hook make of the gradient of {target}?"
                if event.kind == "hook"
                else "Predict: with which gradient does the pass begin at {target}?",
                target=target,
            )
        return gettext(
            "Predict: what will {target} receive from {giver}, and with which sign, = or +=?",
            target=target,
            giver=self._names[self.graph.edges[event.edge].dst],
        )

    def text(self, step: int | None = None) -> str:
        """The nodes with the gradients that they have after `step` steps, and the steps. Raises as `svg`."""
        return self._until(self._checked(step), None)

    def save(self, path: str | Path, step: int | None = None) -> Path:
        """Writes the picture, or what it is after `step` steps; a page opens there. Raises as `Picture.save`, `svg`."""
        return self._save_moment(path, self.svg(step), self.text(step), self._player(step or 0))

    def _listing(self, limit: int | None) -> str:
        return self._until(None, limit)

    def _until(self, step: int | None, limit: int | None) -> str:
        born = births.until(self._births, step)
        if self._is_long(limit):
            gradients = self._level.trace(self.trace).gradients(step)
            nodes = text.folded(self._level, self.graph, gradients, limit, born)
        else:
            nodes = text.listing(self.graph, self.trace.gradients(step), limit, born, self._names)
        return f"{self._with_told(nodes)}\n\n{text.passing(self.trace, step, limit, self._names)}"

    def _checked(self, step: int | None) -> int | None:
        if step is not None and not 0 <= step <= len(self.steps):
            raise IndexError(f"there is no step {step}: this pass has the steps 0 to {len(self.steps)}")
        return step

    @property
    def _moves(self) -> bool:
        return True

    def _facts(self) -> Trace:
        return self.trace


class Prediction(Stepper):
    """A backward pass that is predicted: its player asks each number before it shows it.

    A wrong answer is answered by the mistake that makes it. Until a number is typed nothing shows it: the still, its
    words and the listing are those before the pass, without local gradients, so that they can be filled in by hand.
    `svg(step)`, `text(step)` and `save(path, step)` show as much of the pass as they are asked for.
    """

    def __init__(
        self, trace: Trace, kinds: Mapping[str, str] | None = None, fold: bool | None = None, engine: str = "own"
    ) -> None:
        super().__init__(trace, kinds, fold, engine)
        self._questions = questions(self.trace)

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return gettext("Backward pass from {root}, to be predicted", root=self._names[self.graph.root])

    @property
    def questions(self) -> tuple[Question, ...]:
        """What is asked, step by step, with every answer that is known, right and wrong."""
        return self._questions

    def svg(self, step: int | None = None) -> str:
        """The picture after `step` steps; before the pass if None. Raises IndexError beyond the last step."""
        return super().svg(step or 0)

    def text(self, step: int | None = None) -> str:
        """The nodes and the steps after `step` steps; before the pass if None. Raises as `svg`."""
        return super().text(step or 0)

    def highlights(self) -> tuple[Moment, ...]:
        """All of its moments: what arrives can be predicted where it was seen what is handed on."""
        return self.moments()

    @cached_property
    def _scene(self) -> Scene:
        return predicting.without_locals(super()._scene)

    def _player(self, step: int = 0) -> Player:
        return predicting.asking_player(super()._player(step), self._questions)

    def _listing(self, limit: int | None) -> str:
        return self._until(0, limit)

    def _told(self) -> str:
        return alternative(self._scene, 0)


def step(
    loss: Any,
    *,
    predict: bool = False,
    names: Mapping[str, Any] | None = None,
    model: Any = None,
    fold: bool | None = None,
    engine: str = "own",
) -> Stepper:
    """The backward pass of `loss`, contribution by contribution. No `.grad` is read or changed: it is computed aside.

    predict: asks each number before it is shown, of arrays the shape; a wrong one is answered by the mistake that makes
    it. Raises ValueError where a local gradient of the graph is wrong. names, model, fold, engine: as in `viz.graph`.

    Hooks are called as in a pass, and what one makes of a gradient is a step of its own. Raises as `loss.backward()`
    does (a constant, more than one number, a graph that was freed), and ValueError where a scalar node does not say its
    local gradients.

    >>> from minitorch.scalar import Value
    >>> x = Value(3.0, label="x")
    >>> print(step(x * x).text())
    node  made by  value  gradient
    x     leaf         3         6
    v1    x * x        9         1
    <BLANKLINE>
    backward pass from v1: 3 of 3 steps
      1  v1  seed      =  1
      2  x   from v1   =  1 * 3 = 3
      3  x   from v1  +=  1 * 3 = 3  now 6
    """
    called = {**scopes.parameters_of(model), **(names or {})}
    kind = Prediction if predict else Stepper
    return kind(trace(loss, called), scopes.kinds_of(model, loss), fold, engine)
