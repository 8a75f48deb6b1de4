"""LRScheduler: counts epochs (or batches: whatever `step` is called after) and sets each group's "lr"."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from minitorch.autograd.scope import current_scope
from minitorch.callers import warn
from minitorch.optim.optimizer import Optimizer


def _told(step: Callable[..., None]) -> Callable[..., None]:
    """A step of which watchers hear by their method `scheduled(scheduler, arguments)`, if they have it."""

    @wraps(step)
    def announced(self: LRScheduler, *args: Any, **kwargs: Any) -> None:
        if self._stepping:
            return step(self, *args, **kwargs)
        for watch in current_scope().watchers or ():
            scheduled = getattr(watch, "scheduled", None)
            if scheduled is not None:
                scheduled(self, (*args, *kwargs.values()))
        self._stepping = True
        try:
            step(self, *args, **kwargs)
        finally:
            self._stepping = False

    return announced


class LRScheduler:
    """The base of all schedulers. A subclass says in `get_lr` what the learning rates are in epoch `last_epoch`.

    Most compute them from the present ones, `group["lr"]`, so that several schedulers of one optimiser multiply.

    optimizer: its groups' "lr", when the scheduler is made, is remembered as "initial_lr" and in `base_lrs`.
    last_epoch: -1 begins; an epoch goes on after it, with an optimiser whose state was loaded.

    Raises TypeError for what is no Optimizer, ValueError for last_epoch and groups without "initial_lr".

    >>> class Halving(LRScheduler):
    ...     def get_lr(self):
    ...         return [group["lr"] * (0.5 if self.last_epoch else 1) for group in self.optimizer.param_groups]
    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=0.4)
    >>> scheduler = Halving(optimizer)
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.2]
    """

    _stepping = False  # in a subclass's own step, which is told of once

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "step" in vars(cls):
            cls.step = _told(cls.step)  # type: ignore[method-assign]

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        self.optimizer = require_optimizer(optimizer, self)
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise ValueError(
                    f"{type(self).__name__}: last_epoch={last_epoch} continues a schedule, but group {number} has no "
                    f'"initial_lr": load the optimizer\'s state_dict first, or leave last_epoch out'
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._last_lr: list[float] = []
        self._begin()

    def _begin(self) -> None:
        """The first step, which nobody calls: it sets the learning rates of the first epoch."""
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    @_told
    def step(self) -> None:
        """Goes to the next epoch. Warns (UserWarning) if the optimiser has not stepped before."""
        optimizer = self.optimizer
        if self._step_count == 1 and not optimizer._stepped and type(optimizer).step is Optimizer.step:
            warn(
                f"{type(self).__name__}.step() came before the first optimizer.step(), which skips the first learning "
                f"rate: call optimizer.step() first"
            )
        self._step_count += 1
        self.last_epoch += 1
        self._set(self.get_lr())

    def get_lr(self) -> list[float]:
        """The learning rates of epoch `last_epoch`, one for each group. What was last set is `get_last_lr()`."""
        raise NotImplementedError(f"{type(self).__name__} has no get_lr(): return a learning rate for each group")

    def get_last_lr(self) -> list[float]:
        """The learning rates that were last set, one for each group."""
        return self._last_lr

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser, whose own state_dict is to be saved, too."""
        return {key: value for key, value in vars(self).items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict()` gave. Raises ValueError for what is no scheduler's."""
        if "last_epoch" not in state_dict:
            raise ValueError(
                f"{type(self).__name__}.load_state_dict: there is no last_epoch in it: pass what a scheduler's "
                f"state_dict() gave"
            )
        vars(self).update(state_dict)

    # ----------------------------------------------------------------------------------------------------------------

    def _restart(self) -> None:
        """Goes to epoch 0, wherever the learning rates are now."""
        self.last_epoch = 0
        self._set(self._first_lr())

    def _first_lr(self) -> list[float]:
        """The learning rates of epoch 0, from `base_lrs` and not from the present ones where that differs."""
        return self.get_lr()

    def _bases(self) -> list[float]:
        groups = len(self.optimizer.param_groups)
        if len(self.base_lrs) != groups:
            raise ValueError(
                f"{type(self).__name__}: the optimizer has {groups} groups now, but had {len(self.base_lrs)} when the "
                f"scheduler was made: make the scheduler after the last add_param_group"
            )
        return self.base_lrs

    def _now(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    def _times(self, factor: float) -> list[float]:
        return [lr * factor for lr in self._now()]

    def _set(self, values: list[float]) -> None:
        for group, lr in zip(self.optimizer.param_groups, values, strict=True):
            group["lr"] = lr
        self._last_lr = self._now()


def require_optimizer(optimizer: Any, scheduler: Any) -> Optimizer:
    """The optimizer itself. Raises TypeError for what is none."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(
            f"{type(scheduler).__name__}: {type(optimizer).__name__} is no Optimizer: pass the optimizer first"
        )
    return optimizer


def for_each_group(optimizer: Optimizer, name: str, value: Any) -> list[Any]:
    """A list of one value for each group, from one that all share or from such a list.

    Raises ValueError for another number of values.
    """
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * groups
    if len(value) != groups:
        raise ValueError(f"{name} has {len(value)} values, but the optimizer has {groups} groups: give one for each")
    return list(value)
