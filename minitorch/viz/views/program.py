"""The view `program`: the calls of a step that is replayed, and which results share which memory."""

from __future__ import annotations

from typing import Any

from minitorch.replay import CapturedStep
from minitorch.viz.drawing.program import draw, listing, title, told
from minitorch.viz.facts.program import replayed
from minitorch.viz.views.picture import Picture

__all__ = ["ProgramPicture", "program"]


class ProgramPicture(Picture):
    """A replayed step, call by call. facts: its lines, and the memory that its results lie in. Holds no arrays."""

    def __init__(self, step: CapturedStep[..., Any]) -> None:
        self.facts = replayed(step.program, step.page)

    @property
    def title(self) -> str:
        """What the picture is called, on a page of its own."""
        return title(self.facts)

    def svg(self) -> str:
        """An SVG document, the same bytes for the same facts; light or dark as the reader's system is."""
        return draw(self.facts)

    def _listing(self, limit: int | None) -> str:
        return listing(self.facts, limit)

    def _told(self) -> str:
        return told(self.facts)


def program(step: Any) -> ProgramPicture:
    """The program that a captured step replays: each call of NumPy, and beside it which memory holds what, how long.

    step: what `minitorch.capture` or `@minitorch.captured` made, after it has written the step down. From top to bottom
    run the calls, forward, backward and the update. Each lane on the right is one piece of memory that stays from step
    to step; a block in it is a result, from the call that writes it to the last one that reads it. Blocks below one
    another share their memory. Of more than 64 calls those that follow one another for one operation are one row.

    Raises TypeError when `step` is not captured by minitorch, RuntimeError before it is written down: call it three
    times first.

    >>> from minitorch import Tensor, capture, nn, optim
    >>> model = nn.Linear(2, 1, bias=False)
    >>> optimizer = optim.SGD(model.parameters(), lr=0.1)
    >>> def train_step(x):
    ...     optimizer.zero_grad()
    ...     model(x).sum().backward()
    ...     optimizer.step()
    >>> step = capture(train_step, model, optimizer)
    >>> for _ in range(4):
    ...     step(Tensor([[1.0, 2.0]]))
    >>> print(program(step).text().splitlines()[-1].partition(".")[0])
    3 calls: 0 forward, 1 backward, 2 for gradients and the update
    """
    if not isinstance(step, CapturedStep):
        raise TypeError(
            f"viz.program: it draws a step that minitorch.capture has made, not a {type(step).__name__}: "
            f"write step = minitorch.capture(train_step, model, optimizer) and call it twice"
        )
    return ProgramPicture(step)
