"""The view `live`: the board of a training, while it runs and when it has ended."""

from __future__ import annotations

import hashlib
import math
import sys
import weakref
from base64 import b64encode
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from minitorch.language import gettext
from minitorch.viz.drawing import board
from minitorch.viz.drawing.curve import Words, plot
from minitorch.viz.drawing.live import Screen
from minitorch.viz.drawing.player import Player
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import board as said
from minitorch.viz.facts import scopes, words
from minitorch.viz.facts.boundary import Regions
from minitorch.viz.facts.capture import snapshot_of_all
from minitorch.viz.facts.grades import BYS, By, graded
from minitorch.viz.facts.observer import Observer
from minitorch.viz.facts.training import NONE, Birth, Training
from minitorch.viz.views.health import Health
from minitorch.viz.views.picture import MovingPicture

__all__ = ["Live", "live"]

FRAME = 84  # pixels of a document around the drawing: the line of words, and that of the keys


class Live(MovingPicture):
    """The board of one training: a context manager around a loop, and a callback of `fit`.

    facts: what is known of the training, as numbers; no tensor is held once it has ended. birth: where a number was
    first lost to nan or inf, None where none was.
    """

    def __init__(self, model: Any, optimizer: Any, title: str, options: Mapping[str, Any]) -> None:
        self._given = (model, optimizer)
        self._title = title
        self._options = options
        self._observer: Observer | None = None
        self._screen: Screen | None = None
        self._shell: board.Shell | None = None
        self._plane: tuple[Regions | None, str, str] | None = None  # drawn once
        self._rows: tuple[tuple[str, ...], bool] = ((), True)  # what the shell was made for: rectifiers, and no plane
        self._followed: Mapping[str, Callable[[], Any]] = {}  # parameters, held weakly
        self._model: Callable[[], Any] = lambda: None  # the same
        self.facts = Training((), options["every"])

    @property
    def title(self) -> str:
        """What the picture is called."""
        return self._title or gettext("Training")

    @property
    def birth(self) -> Birth | None:
        """Where a number was first lost."""
        return self.facts.birth

    # -- a training ----------------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        model, optimizer = self._given
        if model is None and optimizer is None:
            raise TypeError("viz.live: around a loop it needs the model, and its optimizer: viz.live(model, optimizer)")
        self.begin(model, optimizer)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(kind)

    def begin(self, model: Any, optimizer: Any) -> None:
        """Begins to follow a training; `fit` calls it.

        Raises TypeError for an optimizer without hooks of a step, ValueError for no parameters, and for a boundary that
        cannot be drawn.
        """
        if optimizer is not None and not hasattr(optimizer, "register_step_pre_hook"):
            raise TypeError(
                f"viz.live: a {type(optimizer).__name__} has no hooks of a step: leave it out, and call "
                f"board.loss(loss) after the backward pass"
            )
        if self._options["plane"] is not None and not callable(model):
            raise TypeError(f"viz.live: a boundary is asked of a model that is called, not of a {type(model).__name__}")
        observer = Observer(model, optimizer, after=self._step_ended, **self._options)
        if not observer.facts.names:
            raise ValueError("viz.live: there is no parameter to follow: give the model, or a mapping of its Tensors")
        observer.start()
        self._followed = observer.followed
        self._model = weakref.ref(model) if hasattr(model, "named_parameters") else lambda: None
        self._given = (None, None)
        self._observer, self.facts = observer, observer.facts
        self._shell = self._plane = None
        self._screen = Screen({"board": self._traits(), "frame": self._frame().encoded()})

    def loss(self, loss: Any) -> None:
        """Tells the loss of a step: a Tensor, or a number. Call it once a step, anywhere in the loop."""
        if self._observer is None:
            raise RuntimeError("viz.live: no training is followed: write `with viz.live(model, optimizer) as board:`")
        self._observer.loss(loss)

    def evaluated(self, record: Mapping[str, Any]) -> None:
        """Tells the loss on other data; `fit` calls it."""
        if "valid_loss" in record:
            self.facts.valid.append((int(record["step"]), float(record["valid_loss"])))

    def graph(
        self,
        loss: Any,
        by: By = "gradient",
        *,
        model: Any = None,
        names: Mapping[str, Any] | None = None,
        fold: bool | None = None,
    ) -> Health:
        """The graph of a loss, in which parameters and rectifiers say how they are, as measured last.

        by: "gradient", its norm; "update", how far a step moves the weight, by the weight; "dead", the share of dead
        units alone. A box of a module says the worst of what it holds. model, names, fold: as in `viz.graph`; the
        watched model is known as long as it lives. Raises RuntimeError before the first step, ValueError for a loss of
        another model and for what was not measured.

        >>> from minitorch import Tensor
        >>> w = Tensor([1.0, 2.0], requires_grad=True)
        >>> with live({"w": w}) as board:
        ...     loss = (w * w).sum()
        ...     loss.backward()
        ...     board.loss(loss)
        >>> print(board.graph(loss).text().splitlines()[-1])
        w   gradient 4.47  fine
        """
        if by not in BYS:
            raise ValueError(f"board.graph: by is {', '.join(map(repr, BYS[:-1]))} or {BYS[-1]!r}, not {by!r}")
        if not self.facts.steps:
            raise RuntimeError("board.graph: no step was heard yet: take one with the optimizer, or tell its loss")
        alive = {name: tensor for name, held in self._followed.items() if (tensor := held()) is not None}
        model = self._model() if model is None else model
        given = {**scopes.parameters_of(model), **(names or {})}
        watched = {id(tensor): name for name, tensor in alive.items()}
        called = {watched[id(tensor)]: name for name, tensor in given.items() if id(tensor) in watched}
        drawn = snapshot_of_all(loss, given | {name: each for name, each in alive.items() if name not in given})
        found = graded(self.facts, drawn, by, called)
        return Health(drawn, found, self.facts.steps, by, scopes.kinds_of(model, loss), fold)

    def end(self) -> None:
        """Ends the board: the notebook keeps it as a document. `fit` calls it."""
        self._end(sys.exc_info()[0])

    def _end(self, kind: type[BaseException] | None) -> None:
        observer, screen = self._observer, self._screen
        if observer is None or screen is None:
            return
        self._observer = self._screen = None
        interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        observer.stop("finished" if kind is None else "interrupted" if interrupted else "failed")
        screen.end(self, self._moment)

    def _step_ended(self) -> None:
        if self._screen is not None and self._screen.is_due:
            self._screen.push(self._moment)

    # -- its pictures --------------------------------------------------------------------------------------------------

    def _moment(self) -> tuple[bytes, Mapping[str, Any] | None]:
        """A frame, and the shell where rows have come to it since."""
        before = self._shell
        frame = self._frame().encoded()
        return frame, None if before is self._shell else self._traits()

    def _frame(self) -> board.Frame:
        facts = self.facts
        rows = facts.kinds, facts.plane is None and not facts.unplaced
        if self._shell is None or self._rows != rows:
            self._rows = rows
            self._shell = board.shell(facts, self.title)
        if self._plane is None or self._plane[:2] != (facts.plane, facts.unplaced):
            self._plane = (facts.plane, facts.unplaced, board.plane(facts, f"{self._id}h"))
        return board.frame(facts, self._shell, self._plane[2])

    def _traits(self) -> dict[str, Any]:
        self._frame()
        assert self._shell is not None
        return board.as_traits(self._shell, self.title)

    @property
    def _id(self) -> str:
        facts = self.facts
        content = repr((facts.names, facts.steps, facts.loss, facts.last, facts.state, self.title))
        return f"ml{hashlib.sha256(content.encode()).hexdigest()[:8]}"

    def svg(self) -> str:
        """An SVG document, the same bytes for the same facts; light or dark as the reader's system is."""
        frame = self._frame()
        assert self._shell is not None
        return board.document(self._id, self._shell, frame, self.title)

    def _player(self) -> Player:
        traits, frame = self._traits(), self._frame()
        height = traits["height"] + FRAME
        return Player("live.js", self.title, {"board": traits, "frame": b64encode(frame.encoded()).decode()}, height)

    def _told(self) -> str:
        return " ".join([f"{self.title}.", *said.sentences(self.facts, words.TYPESET)])

    def _listing(self, limit: int | None) -> str:
        facts = self.facts
        found = [self.title, *said.sentences(facts)]
        if facts.told:
            found += ["", *plot([facts.loss_line()], Words("", gettext("step"), gettext("loss"), ""))]
        rows = [[gettext("parameter"), gettext("gradient norm"), gettext("update / weight")]]
        nothing: tuple[None, ...] = (None,) * len(facts.names)
        for name, square, ratio in zip(facts.names, facts.last or nothing, facts.last_ratios or nothing, strict=True):
            norm = gettext("none") if square in (None, NONE) else words.number(math.sqrt(square))
            rows.append([name, norm, "" if ratio is None else words.number(ratio)])
        found += ["", *aligned(rows, (rows[0][1], rows[0][2]))]
        if facts.units:
            found += ["", gettext("dead units: for a whole batch, no gradient goes through")]
            pairs = zip(said.rectifiers(facts), facts.dead, facts.units, strict=True)
            found += [f"{name}: {dead} / {units}" for name, dead, units in pairs]
        return "\n".join(shortened(found, limit))


def live(
    model: Any = None,
    optimizer: Any = None,
    *,
    boundary: tuple[Any, Any] | None = None,
    dead_units: bool = True,
    every: int = 10,
    title: str = "",
) -> Live:
    """The board of a training: loss, gradient norms, updates beside weights, dead units, the boundary in the plane.

        with viz.live(model, optimizer) as board:
            for x, y in loader:
                loss = loss_fn(model(x), y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                board.loss(loss)

    or `fit(…, callbacks=[viz.live()])`. In a notebook it moves while the loop runs, and stays as a document when it has
    ended, also where it was interrupted; a script has `.text()`, `.svg()` and `.save(path)`.

    model: a Module, or a mapping of names to Tensors. optimizer: its hooks tell of every step; without one, a step is
    looked at when its loss is told, which must then be after the backward pass. boundary: (points, labels), for a model
    of points in the plane: drawn once a second at most. dead_units: whether operations with a flat side are watched
    (relu, relu6, hardtanh, hardsigmoid, hardswish, and the maximum of x and 0); a unit is dead that lets no gradient
    through for a whole batch. every: updates and dead units are measured in one step of so many, the gradients in each.

    Nothing of the training is changed. A number that is lost to nan or inf is marked where that came first: in the
    loss, in which parameter's gradient, or in which parameter.

    >>> from minitorch import Tensor, optim
    >>> w = Tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = optim.SGD([w], lr=0.25)
    >>> with live({"w": w}, optimizer) as board:
    ...     for _ in range(3):
    ...         optimizer.zero_grad()
    ...         loss = (w * w).sum()
    ...         loss.backward()
    ...         optimizer.step()
    ...         board.loss(loss)
    >>> board.text().splitlines()[:3]
    ['Training', '3 steps.', 'Loss 0.312: at first 5, smallest 0.312 at step 3.']
    """
    if isinstance(every, bool) or not isinstance(every, int) or every < 1:
        raise ValueError(f"viz.live: every is a whole number of steps from 1 on, not {every!r}")
    return Live(model, optimizer, title, {"every": every, "dead_units": dead_units, "plane": boundary})
