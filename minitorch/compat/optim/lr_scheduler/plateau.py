"""ReduceLROnPlateau: a smaller learning rate where a measure gets no better."""

from __future__ import annotations

import math
from typing import Any

from minitorch.optim.lr_scheduler.scheduler import LRScheduler, for_each_group, require_optimizer
from minitorch.optim.optimizer import Optimizer


class ReduceLROnPlateau(LRScheduler):
    """lr · factor when a measure has not become better for more than `patience` epochs.

    Better, in mode "min", is below best · (1 - threshold), or below best - threshold with threshold_mode="abs"; in
    mode "max" above best · (1 + threshold), or above best + threshold. After a reduction `cooldown` epochs are not
    counted. The learning rate stays at or above min_lr, and is not changed by less than eps.

    Raises ValueError for a factor of 1 or more, an unknown mode, and min_lr of another length than the groups'.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    >>> for loss in (3.0, 2.0, 2.0, 2.0, 1.0):
    ...     scheduler.step(loss)
    ...     print(scheduler.get_last_lr()[0], end=" ")
    1.0 1.0 1.0 0.5 0.5
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | list[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        if not factor < 1:
            raise ValueError(
                f"ReduceLROnPlateau: factor must be below 1, not {factor}: it makes the learning rate smaller"
            )
        for name, value, known in (("mode", mode, ("min", "max")), ("threshold_mode", threshold_mode, ("rel", "abs"))):
            if value not in known:
                raise ValueError(f"ReduceLROnPlateau: {name} must be {known[0]!r} or {known[1]!r}, not {value!r}")
        self.optimizer = require_optimizer(optimizer, self)
        self.mode = mode
        self.factor = factor
        self.patience = patience
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.cooldown = cooldown
        self.min_lrs = for_each_group(optimizer, "ReduceLROnPlateau: min_lr", min_lr)
        self.eps = eps
        self.last_epoch = 0
        self.best = math.inf if mode == "min" else -math.inf
        self.cooldown_counter = 0
        self.num_bad_epochs = 0
        self._last_lr = self._now()

    def step(self, metrics: Any) -> None:
        """Takes the measure of the epoch: a number, or a Tensor with one element."""
        current = float(metrics)
        self.last_epoch += 1
        if self._is_better(current):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = self._now()

    @property
    def in_cooldown(self) -> bool:
        """True while epochs after a reduction are not counted."""
        return self.cooldown_counter > 0

    def _is_better(self, current: float) -> bool:
        sign = 1.0 if self.mode == "max" else -1.0
        if self.threshold_mode == "rel":
            bar = self.best * (1.0 + sign * self.threshold)
        else:
            bar = self.best + sign * self.threshold
        return current > bar if self.mode == "max" else current < bar

    def _reduce(self) -> None:
        groups = self.optimizer.param_groups
        if len(self.min_lrs) != len(groups):
            raise RuntimeError(
                f"ReduceLROnPlateau: the optimizer has {len(groups)} groups now, but had {len(self.min_lrs)} when the "
                f"scheduler was made: set min_lrs to a list of {len(groups)}"
            )
        for group, lowest in zip(groups, self.min_lrs, strict=True):
            before = float(group["lr"])
            after = max(before * self.factor, lowest)
            if before - after > self.eps:
                group["lr"] = after
