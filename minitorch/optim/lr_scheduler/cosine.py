"""Schedulers along half a cosine wave."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from minitorch.moved import moved_names
from minitorch.optim.lr_scheduler.scheduler import LRScheduler
from minitorch.optim.optimizer import Optimizer


class CosineAnnealingLR(LRScheduler):
    """From the base learning rate down to `eta_min` in `T_max` epochs, along half a cosine wave; then up again.

    lr = eta_min + (base - eta_min) · (1 + cos(π · epoch / T_max)) / 2, computed from the learning rate before, so that
    other schedulers can take part.

    Raises ValueError for a T_max below 1. Source: Loshchilov and Hutter, 2017 (SGDR, without the restarts).

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = CosineAnnealingLR(optimizer, T_max=4)
    >>> for epoch in range(5):
    ...     print(round(scheduler.get_last_lr()[0], 3), end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 0.854 0.5 0.146 0.0
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        if T_max < 1:
            raise ValueError(f"CosineAnnealingLR: T_max must be 1 or more, not {T_max}")
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The present ones, taken on from epoch `last_epoch` - 1."""
        if self._is_initial:
            return self._now()
        epoch, lowest = self.last_epoch, self.eta_min
        if (epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # from the very bottom, where nothing is left to multiply
            rise = 1 - math.cos(math.pi / self.T_max)
            return [lr + (base - lowest) * rise / 2 for lr, base in zip(self._now(), self._bases(), strict=True)]
        ratio = self._height(epoch) / self._height(epoch - 1)
        return [ratio * (lr - lowest) + lowest for lr in self._now()]

    def _height(self, epoch: int) -> float:
        return 1 + math.cos(math.pi * epoch / self.T_max)

    def _first_lr(self) -> list[float]:
        return [self.eta_min + (base - self.eta_min) * self._height(0) / 2 for base in self._bases()]


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.optim.lr_scheduler.cyclic import *
else:
    __getattr__, __dir__ = moved_names(__name__, "optim.lr_scheduler.cyclic")
