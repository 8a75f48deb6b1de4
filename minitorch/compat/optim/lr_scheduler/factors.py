"""Further schedulers that multiply the learning rate by a factor: at milestones, in a line, by a power."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import Any

from minitorch.optim.lr_scheduler.factors import LambdaLR
from minitorch.optim.lr_scheduler.scheduler import LRScheduler
from minitorch.optim.optimizer import Optimizer


class MultiStepLR(LRScheduler):
    """lr · gamma at each of `milestones`, epochs; one that is named n times counts n times.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = MultiStepLR(optimizer, milestones=[1, 4], gamma=0.5)
    >>> for epoch in range(5):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 0.5 0.5 0.5 0.25
    """

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The present ones, times gamma at a milestone."""
        if self.last_epoch not in self.milestones:
            return self._now()
        return self._times(self.gamma ** self.milestones[self.last_epoch])

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict()` gave, also after JSON has made strings of the milestones."""
        super().load_state_dict(state_dict)
        self.milestones = Counter({int(epoch): times for epoch, times in self.milestones.items()})

    def _first_lr(self) -> list[float]:
        factor = self.gamma ** bisect_right(sorted(self.milestones.elements()), 0)
        return [base * factor for base in self._bases()]


class ConstantLR(LRScheduler):
    """lr · factor until epoch `total_iters`, the full one from then on.

    Raises ValueError for a factor outside of 0 to 1.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = ConstantLR(optimizer, factor=0.5, total_iters=2)
    >>> for epoch in range(4):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    0.5 0.5 1.0 1.0
    """

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if not 0 <= factor <= 1:
            raise ValueError(f"ConstantLR: factor must be from 0 to 1, not {factor}")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The present ones, times factor in the first epoch and divided by it in epoch `total_iters`."""
        if self.last_epoch == 0:
            return self._times(self.factor)
        return self._times(1.0 / self.factor) if self.last_epoch == self.total_iters else self._now()

    def _first_lr(self) -> list[float]:
        return [base * (self.factor if self.total_iters > 0 else 1.0) for base in self._bases()]


class LinearLR(LRScheduler):
    """lr · a factor that goes straight from `start_factor` to `end_factor` in `total_iters` epochs: a warm-up.

    Raises ValueError for a start_factor that is not above 0 and up to 1, and for an end_factor outside of 0 to 1.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = LinearLR(optimizer, start_factor=0.25, total_iters=3)
    >>> for epoch in range(5):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    0.25 0.5 0.75 1.0 1.0
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1:
            raise ValueError(f"LinearLR: start_factor must be above 0 and at most 1, not {start_factor}")
        if not 0 <= end_factor <= 1:
            raise ValueError(f"LinearLR: end_factor must be from 0 to 1, not {end_factor}")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The present ones, times this epoch's factor over the last one's."""
        if self.last_epoch == 0:
            return self._times(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._now()
        rise = self.end_factor - self.start_factor
        return self._times(1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise))

    def _first_lr(self) -> list[float]:
        return [base * self.start_factor for base in self._bases()]


class ExponentialLR(LRScheduler):
    """lr · gamma in every epoch: base · gamma**epoch.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = ExponentialLR(optimizer, gamma=0.5)
    >>> for epoch in range(4):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 0.5 0.25 0.125
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The present ones, times gamma after the first epoch."""
        return self._now() if self._is_initial else self._times(self.gamma)

    _first_lr = LRScheduler._bases


class PolynomialLR(LRScheduler):
    """base · (1 - epoch / total_iters)**power, and 0 from epoch `total_iters` on.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = PolynomialLR(optimizer, total_iters=4)
    >>> for epoch in range(6):
    ...     print(round(scheduler.get_last_lr()[0], 2), end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 0.75 0.5 0.25 0.0 0.0
    """

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The present ones, times this epoch's factor over the last one's."""
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._now()
        left = (1.0 - self.last_epoch / self.total_iters) / (1.0 - (self.last_epoch - 1) / self.total_iters)
        return self._times(left**self.power)

    _first_lr = LRScheduler._bases


class MultiplicativeLR(LambdaLR):
    """The present lr · lr_lambda(epoch), where lr_lambda is a function, or a list of one for each group.

    Functions are not saved in the state_dict; of a callable object its attributes are.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = MultiplicativeLR(optimizer, lambda epoch: 0.5 if epoch < 3 else 1)
    >>> for epoch in range(4):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 0.5 0.25 0.25
    """

    def get_lr(self) -> list[float]:
        """The present ones, times lr_lambda(last_epoch) after the first epoch."""
        if self._is_initial:
            return self._now()
        return [lr * scale(self.last_epoch) for scale, lr in zip(self.lr_lambdas, self._now(), strict=True)]

    _first_lr = LRScheduler._bases
