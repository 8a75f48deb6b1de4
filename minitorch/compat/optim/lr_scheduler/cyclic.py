"""Up and down again: CyclicLR between two rates, CosineAnnealingWarmRestarts along half a cosine, over and over."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType
from typing import Any

from minitorch.optim.lr_scheduler.one_cycle import set_momentum
from minitorch.optim.lr_scheduler.scheduler import LRScheduler, for_each_group
from minitorch.optim.optimizer import Optimizer


class CyclicLR(LRScheduler):
    """From base_lr up to max_lr in step_size_up steps, down again in step_size_down (as many, unless given), and so on.

    mode: "triangular"; "triangular2", where every cycle is half as high as the one before; "exp_range", where the
    height is multiplied by gamma in every step. scale_fn: the height's factor, a function of the number of the cycle,
    from 1, or of the step with scale_mode="iterations"; it takes the place of mode. cycle_momentum: the momentum, or
    β₁, goes from max_momentum down to base_momentum meanwhile. Call `step` after every batch.

    Raises ValueError for another mode, and for an optimiser without momentum unless cycle_momentum=False.
    Source: Smith, 2017, Cyclical Learning Rates for Training Neural Networks.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = CyclicLR(optimizer, base_lr=0.0, max_lr=1.0, step_size_up=2, cycle_momentum=False)
    >>> for step in range(6):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    0.0 0.5 1.0 0.5 0.0 0.5
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.8,
        max_momentum: float | list[float] = 0.9,
        last_epoch: int = -1,
    ) -> None:
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError(f"CyclicLR: mode is 'triangular', 'triangular2' or 'exp_range', not {mode!r}")
        base_lrs = for_each_group(optimizer, "CyclicLR: base_lr", base_lr)
        self.max_lrs = for_each_group(optimizer, "CyclicLR: max_lr", max_lr)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up + down)
        self.step_ratio = step_size_up / self.total_size
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if not {"momentum", "betas"} & set(optimizer.defaults):
                kind = type(optimizer).__name__
                raise ValueError(f"CyclicLR: {kind} has no momentum to cycle: write cycle_momentum=False")
            self.use_beta1 = "betas" in optimizer.defaults
            self.base_momentums = for_each_group(optimizer, "CyclicLR: base_momentum", base_momentum)
            self.max_momentums = for_each_group(optimizer, "CyclicLR: max_momentum", max_momentum)
        if last_epoch == -1:
            for number, group in enumerate(optimizer.param_groups):
                group["lr"] = base_lrs[number]
                if cycle_momentum:
                    group["max_momentum"] = self.max_momentums[number]
                    group["base_momentum"] = self.base_momentums[number]
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """The factor of the height in cycle, or step, x."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        factor: float = 0.5 ** (x - 1) if self.mode == "triangular2" else self.gamma**x
        return factor

    def get_lr(self) -> list[float]:
        """Between base_lr and max_lr. Sets the momentum, too."""
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        share = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            groups = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True)
            for group, low, high in groups:
                set_momentum(group, high - (high - low) * share * scale)
        return [base + (most - base) * share * scale for base, most in zip(self._bases(), self.max_lrs, strict=True)]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser; of scale_fn, if it is a callable object, the attributes."""
        custom = self._scale_fn_custom
        saved = None if custom is None or isinstance(custom, FunctionType) else dict(vars(custom))
        return {**super().state_dict(), "_scale_fn_custom": saved}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict()` gave; scale_fn stays the one that the scheduler was made with."""
        custom = self._scale_fn_custom
        super().load_state_dict(state_dict)
        saved = state_dict.get("_scale_fn_custom")
        if custom is not None and saved:
            vars(custom).update(saved)
        self._scale_fn_custom = custom


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
