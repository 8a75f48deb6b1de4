"""Callbacks: what `fit` tells those who follow a training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Callback(Protocol):
    """One who follows a training: `fit(…, callbacks=[…])` calls these. A subclass writes those that it needs.

    A callback looks and changes nothing: with it the training gives the very numbers that it gives without.

    >>> class Losses(Callback):
    ...     def loss(self, loss):
    ...         print(f"{float(loss):.1f}")
    >>> Losses().loss(0.25)
    0.2
    """

    def begin(self, model: Any, optimizer: Any) -> None:
        """Before the first step."""

    def loss(self, loss: Any) -> None:
        """The loss of a step, a Tensor with its graph, before anything flows back from it; it may be nan."""

    def evaluated(self, record: Mapping[str, Any]) -> None:
        """After an evaluation: its record in the History."""

    def end(self) -> None:
        """After the last step, or where training was interrupted or failed."""
