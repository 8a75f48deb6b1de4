"""CosineAnnealingWarmRestarts: half a cosine wave, over and over."""

from __future__ import annotations

import math

from minitorch.optim.lr_scheduler.scheduler import LRScheduler
from minitorch.optim.optimizer import Optimizer


class CosineAnnealingWarmRestarts(LRScheduler):
    """CosineAnnealingLR that jumps back to the base learning rate after T_0 epochs, T_0 · T_mult more, and so on.

    lr = eta_min + (base - eta_min) · (1 + cos(π · T_cur / T_i)) / 2, T_cur epochs after the latest restart, of T_i.

    Raises ValueError for a T_0 or T_mult that is no whole number from 1. Source: Loshchilov and Hutter, 2017 (SGDR).

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = CosineAnnealingWarmRestarts(optimizer, T_0=2, T_mult=2)
    >>> for epoch in range(7):
    ...     print(round(scheduler.get_last_lr()[0], 3), end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 0.5 1.0 0.854 0.5 0.146 1.0
    """

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"CosineAnnealingWarmRestarts: {name} must be a whole number from 1, not {value}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """On the cosine, `T_cur` of `T_i` epochs after the restart."""
        height = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self._bases()]

    def step(self, epoch: float | None = None) -> None:
        """Goes to the next epoch, or to `epoch`, which may be a fraction: epoch + batch / batches.

        Raises ValueError for a negative epoch.
        """
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            self._find(epoch)
        self.last_epoch = math.floor(epoch)
        self._set(self.get_lr())

    def _find(self, epoch: float) -> None:
        """Sets T_cur and T_i for an epoch: after n restarts, T_0 · (T_mult**n - 1) / (T_mult - 1) epochs are over."""
        if epoch < 0:
            raise ValueError(f"CosineAnnealingWarmRestarts: epoch must be 0 or more, not {epoch}")
        restarts = 0
        if epoch >= self.T_0 and self.T_mult > 1:
            restarts = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**restarts - 1) / (self.T_mult - 1)
        else:
            self.T_cur = epoch % self.T_0
        self.T_i = self.T_0 * self.T_mult**restarts
