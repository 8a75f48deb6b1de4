"""SequentialLR and ChainedScheduler: several schedulers, one after the other or all at once."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from minitorch.compat.optim.lr_scheduler.plateau import ReduceLROnPlateau
from minitorch.optim.lr_scheduler.scheduler import LRScheduler
from minitorch.optim.optimizer import Optimizer


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
