"""Schedulers that multiply the learning rate by a factor, now and then or in every epoch."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from minitorch.moved import moved_names
from minitorch.optim.lr_scheduler.scheduler import LRScheduler, for_each_group
from minitorch.optim.optimizer import Optimizer


class StepLR(LRScheduler):
    """lr · gamma every `step_size` epochs: base · gamma**⌊epoch / step_size⌋.

    Raises ValueError for a step_size below 1.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = StepLR(optimizer, step_size=2, gamma=0.5)
    >>> for epoch in range(5):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 1.0 0.5 0.5 0.25
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        if step_size < 1:
            raise ValueError(f"StepLR: step_size must be 1 or more, not {step_size}")
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The present ones, times gamma in every `step_size`-th epoch."""
        if self.last_epoch == 0 or self.last_epoch % self.step_size:
            return self._now()
        return self._times(self.gamma)

    _first_lr = LRScheduler._bases


class LambdaLR(LRScheduler):
    """base · lr_lambda(epoch), where lr_lambda is a function, or a list of one for each group.

    Functions are not saved in the state_dict; of a callable object its attributes are.

    Raises ValueError for a list of another length than the groups'.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = LambdaLR(optimizer, lambda epoch: 1 / (1 + epoch))
    >>> for epoch in range(4):
    ...     print(round(scheduler.get_last_lr()[0], 2), end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 0.5 0.33 0.25
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        self.lr_lambdas = for_each_group(optimizer, f"{type(self).__name__}: lr_lambda", lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """base · lr_lambda(last_epoch)."""
        return [base * scale(self.last_epoch) for scale, base in zip(self.lr_lambdas, self._bases(), strict=True)]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser and the functions."""
        saved = [
            None if isinstance(scale, FunctionType) else dict(getattr(scale, "__dict__", {}))
            for scale in self.lr_lambdas
        ]
        return {**super().state_dict(), "lr_lambdas": saved}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict()` gave; the functions stay those that the scheduler was made with."""
        functions = self.lr_lambdas
        super().load_state_dict(state_dict)
        for scale, saved in zip(functions, self.lr_lambdas, strict=True):
            if saved:
                vars(scale).update(saved)
        self.lr_lambdas = functions


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.optim.lr_scheduler.factors import *
else:
    __getattr__, __dir__ = moved_names(__name__)
