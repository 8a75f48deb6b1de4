"""History: the record of a training."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

__all__ = ["History"]


@dataclass(repr=False)
class History:
    """The record of one training, from its first step on, interruptions included. Printed, it is a table.

    losses, rates: the loss and the learning rate of every step. records: one dict for each evaluation: "epoch" (how
    many were finished), "step", "loss" (the mean since the record before), "valid_loss" and the metrics, if there was
    something to evaluate on. seconds: how long it took. stopped_early: patience came to an end.

    >>> history = History(losses=[2.0, 1.0], rates=[0.1, 0.1], records=[{"epoch": 1, "step": 2, "loss": 1.5}])
    >>> history
    History: 2 steps, 1 epoch, 0.0 s
      epoch  step    loss
          1     2  1.5000
    >>> history["loss"]
    [1.5]
    """

    losses: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    stopped_early: bool = False

    def __getitem__(self, name: str) -> list[Any]:
        """One column of the records. Raises KeyError, with the names there are."""
        names = list(self.records[0]) if self.records else []
        if name not in names:
            raise KeyError(f"History: no column {name!r}: there are {', '.join(names) or 'no records yet'}")
        return [record[name] for record in self.records]

    def mean_loss_since(self, step: int) -> float:
        """The mean of the losses of the steps after number `step`; nan when there was none."""
        losses = self.losses[step:]
        return math.fsum(losses) / len(losses) if losses else math.nan

    def __repr__(self) -> str:
        epochs = self.records[-1]["epoch"] if self.records else 0
        head = f"History: {_counted(len(self.losses), 'step')}, {_counted(epochs, 'epoch')}, {self.seconds:.1f} s"
        head += ", stopped early" if self.stopped_early else ""
        if not self.records:
            return head
        names = list(self.records[0])
        rows = [[_shown(record[name]) for name in names] for record in self.records]
        if len(rows) > 12:
            rows = [*rows[:5], ["…"] * len(names), *rows[-6:]]
        widths = [max(map(len, column)) for column in zip(names, *rows)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in [names, *rows]]
        return "\n  ".join([head, *lines])


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _shown(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"
