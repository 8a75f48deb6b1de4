"""stages: a captured step after each of its passes, and how long it takes then."""

from __future__ import annotations

import functools
import timeit
from dataclasses import dataclass
from typing import Any

from minitorch.replay.passes import PASSES
from minitorch.replay.step import CapturedStep


@dataclass(frozen=True, slots=True)
class Stage:
    """A program after some of the passes. It is printed as one line, without its source.

    name: of the last of them. note: what that pass saved, in words. source: the program as Python. calls: how many
    lines it has. seconds: what one step takes, the least of several runs.
    """

    name: str
    note: str
    source: str
    calls: int
    seconds: float

    def __repr__(self) -> str:
        note = self.note.replace("\n", "; ")
        return f"{self.calls} calls, {self.seconds * 1e6:.1f} µs after {note}"


class Stages(tuple[Stage, ...]):
    """Stages in the order of the passes, printed as a line each."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(repr, self))


def stages(step: CapturedStep[..., Any], *arguments: Any, repeats: int = 50, **options: Any) -> Stages:
    """The program of a captured step as it is after each pass, the first of which lays the parameters flat.

    step: what `minitorch.capture` made, captured already. arguments, options: as the step is called. repeats: how many
    runs are timed for each stage. The step is traced anew for each stage and run; parameters, gradients, states and the
    random stream are put back afterwards, so nothing is trained.

    Raises TypeError when `step` is no captured step, RuntimeError where it is not captured for such arguments, or where
    it moves a scheduler, which could not be put back; ValueError for fewer than one repeat.

    >>> from minitorch import Tensor, capture, nn, optim
    >>> model = nn.Linear(2, 1)
    >>> optimizer = optim.SGD(model.parameters(), lr=0.1)
    >>> def train_step(x):
    ...     optimizer.zero_grad()
    ...     (model(x) ** 2).mean().backward()
    ...     optimizer.step()
    >>> step, x = capture(train_step, model, optimizer), Tensor([[1.0, 2.0]])
    >>> for _ in range(4):
    ...     step(x)
    >>> [stage.name for stage in stages(step, x)]
    ['flat', 'constants', 'dead code', 'buffers', 'views', 'products', 'numbers']
    """
    if not isinstance(step, CapturedStep):
        raise TypeError(f"stages: a step that minitorch.capture has made is needed, not a {type(step).__name__}")
    if repeats < 1:
        raise ValueError(f"stages: repeats is {repeats}: time one run at the least")
    arrays = step.arrays_of(arguments, options)
    if arrays is None:
        raise RuntimeError("stages: this step is not captured for such arguments yet: call it twice with them")
    if any(each.how == "call" and each.arguments[0] == "scheduler" for each in step.program.instructions):
        raise RuntimeError("stages: this step moves a scheduler, which cannot be put back: leave that out of the step")
    found = []
    for count in range(len(PASSES) + 1):
        with step.replayed_with(PASSES[:count], (arguments, options)) as replay:
            replay.run(arrays)
            seconds = min(timeit.repeat(functools.partial(replay.run, arrays), number=1, repeat=repeats))
        note = replay.notes[-1]
        calls = len(replay.program.instructions)
        found.append(Stage(note.partition(":")[0], note, replay.page.text, calls, seconds))
    return Stages(found)
