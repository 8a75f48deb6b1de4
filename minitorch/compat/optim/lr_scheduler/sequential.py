"""ReduceLROnPlateau, where a measure gets no better; SequentialLR and ChainedScheduler, in turn or all at once."""

from __future__ import annotations

import math
from bisect import bisect_right
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


class _Several(LRScheduler):
    """Base of schedulers of schedulers: the states of those inside."""

    _schedulers: list[LRScheduler]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser, and the state of each scheduler."""
        return {**super().state_dict(), "_schedulers": [scheduler.state_dict() for scheduler in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict()` gave. Raises ValueError for another number of schedulers."""
        schedulers, saved = self._schedulers, state_dict.get("_schedulers", [])
        if len(saved) != len(schedulers):
            raise ValueError(
                f"{type(self).__name__}.load_state_dict: {len(saved)} schedulers are saved, but there are "
                f"{len(schedulers)}: make it with the same schedulers"
            )
        vars(self).update({key: value for key, value in state_dict.items() if key != "_schedulers"})
        for scheduler, state in zip(schedulers, saved, strict=True):
            scheduler.load_state_dict(state)


class SequentialLR(_Several):
    """One scheduler after the other: the next takes over, at its beginning, at each of `milestones`, epochs.

    Raises ValueError for no scheduler, another number of milestones than schedulers - 1, a scheduler of another
    optimiser and a ReduceLROnPlateau, whose step needs a measure.

    >>> from minitorch.optim import SGD
    >>> from minitorch.optim.lr_scheduler import CosineAnnealingLR, LinearLR
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> warm_up = LinearLR(optimizer, start_factor=0.25, total_iters=2)
    >>> scheduler = SequentialLR(optimizer, [warm_up, CosineAnnealingLR(optimizer, T_max=2)], milestones=[2])
    >>> for epoch in range(5):
    ...     print(round(scheduler.get_last_lr()[0], 3), end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    0.25 0.625 1.0 0.5 0.0
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ) -> None:
        if not schedulers:
            raise ValueError("SequentialLR: the list of schedulers is empty: give the first one and those that follow")
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                f"SequentialLR: {len(schedulers)} schedulers need {len(schedulers) - 1} milestones between them, not "
                f"{len(milestones)}"
            )
        _require_schedulers("SequentialLR", schedulers, optimizer)
        self.optimizer = optimizer
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        # Each scheduler has set the learning rates of its own beginning when it was made: all that is undone.
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        _take_back(self)
        first = self._first()
        first._begin()
        self._last_lr = first.get_last_lr()

    def step(self) -> None:
        """Goes to the next epoch."""
        self.last_epoch += 1
        turn = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[turn]
        if turn > 0 and self._milestones[turn - 1] == self.last_epoch:
            scheduler._restart()
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def _restart(self) -> None:
        self.last_epoch = 0
        self._first()._restart()
        self._last_lr = self._first().get_last_lr()

    def _first(self) -> LRScheduler:
        return self._schedulers[bisect_right(self._milestones, 0)]


def _take_back(scheduler: LRScheduler) -> None:
    """Makes the schedulers inside believe that the epoch which their making began is still to come."""
    if isinstance(scheduler, SequentialLR):
        for each in scheduler._schedulers:
            _take_back(each)
    else:
        scheduler.last_epoch -= 1


class ChainedScheduler(_Several):
    """All schedulers in every step, so that their factors multiply. They are stepped by this one alone.

    Raises ValueError for no scheduler, one of another optimiser and a ReduceLROnPlateau, whose step needs a measure.

    >>> from minitorch.optim import SGD
    >>> from minitorch.optim.lr_scheduler import ConstantLR, ExponentialLR
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = ChainedScheduler([ConstantLR(optimizer, 0.5, total_iters=2), ExponentialLR(optimizer, 0.5)])
    >>> for epoch in range(4):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    0.5 0.25 0.25 0.125
    """

    def __init__(self, schedulers: list[LRScheduler], optimizer: Optimizer | None = None) -> None:
        if not schedulers:
            raise ValueError("ChainedScheduler: the list of schedulers is empty: give at least one")
        self.optimizer = getattr(schedulers[0], "optimizer", None) if optimizer is None else optimizer  # type: ignore[assignment]
        _require_schedulers("ChainedScheduler", schedulers, self.optimizer)
        self._schedulers = schedulers
        self._last_lr = self._now()

    def step(self) -> None:
        """Goes to the next epoch with every scheduler."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self._now()


def _require_schedulers(name: str, schedulers: list[LRScheduler], optimizer: Optimizer) -> None:
    for number, scheduler in enumerate(schedulers):
        if not isinstance(scheduler, LRScheduler):
            raise TypeError(f"{name}: schedulers[{number}] is a {type(scheduler).__name__}, not a scheduler")
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ValueError(
                f"{name}: schedulers[{number}] is a ReduceLROnPlateau, whose step() needs a measure: step it yourself"
            )
        if scheduler.optimizer is not optimizer:
            raise ValueError(
                f"{name}: schedulers[{number}], a {type(scheduler).__name__}, belongs to another optimizer: "
                f"make all of them with this one"
            )
