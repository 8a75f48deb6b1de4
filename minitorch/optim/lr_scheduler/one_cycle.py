"""OneCycleLR: the learning rate up, then down far below its start, once in a training."""

from __future__ import annotations

import math
from typing import Any

from minitorch.optim.lr_scheduler.scheduler import LRScheduler, for_each_group, require_optimizer
from minitorch.optim.optimizer import Group, Optimizer


class OneCycleLR(LRScheduler):
    """One cycle over the whole training: up to `max_lr`, then far down; momentum the other way round.

    `step` is called after every batch, `total_steps` (or epochs · steps_per_epoch) times in all. The learning rate
    begins at max_lr / div_factor, is max_lr after a share of `pct_start` and ends at max_lr / div_factor /
    final_div_factor; with three_phase it comes back to where it began, as slowly as it rose, and then goes on to the
    end. momentum (β₁ of Adam) goes from max_momentum to base_momentum and back, unless cycle_momentum is False.
    anneal_strategy: "cos" or "linear".

    Raises ValueError for a number of steps that is missing or not above 0, pct_start outside of 0 to 1, an unknown
    strategy, an optimiser without momentum, and a step after the last. Source: Smith and Topin, 2018.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0, momentum=0.9)
    >>> scheduler = OneCycleLR(optimizer, 1.0, total_steps=5, pct_start=0.6, div_factor=4, anneal_strategy="linear")
    >>> for batch in range(4):
    ...     print(scheduler.get_last_lr()[0], round(optimizer.param_groups[0]["momentum"], 2))
    ...     optimizer.step()
    ...     scheduler.step()
    0.25 0.95
    0.625 0.9
    1.0 0.85
    0.5000125 0.9
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        require_optimizer(optimizer, self)
        self.total_steps = _number_of_steps(total_steps, epochs, steps_per_epoch)
        if not 0 <= pct_start <= 1:
            raise ValueError(f"OneCycleLR: pct_start must be from 0 to 1, not {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"OneCycleLR: anneal_strategy must be 'cos' or 'linear', not {anneal_strategy!r}")
        self._anneal_func_type = anneal_strategy
        top = float(pct_start * self.total_steps) - 1
        end = self.total_steps - 1
        # (last step, learning rate and momentum at its beginning, and at its end), named as in the groups
        up = (top, ("initial_lr", "max_momentum"), ("max_lr", "base_momentum"))
        if three_phase:
            down = (2 * top, ("max_lr", "base_momentum"), ("initial_lr", "max_momentum"))
            self._phases = [up, down, (end, ("initial_lr", "max_momentum"), ("min_lr", "max_momentum"))]
        else:
            self._phases = [up, (end, ("max_lr", "base_momentum"), ("min_lr", "max_momentum"))]
        self.cycle_momentum = cycle_momentum
        self.use_beta1 = cycle_momentum and "betas" in optimizer.defaults
        if cycle_momentum and not self.use_beta1 and "momentum" not in optimizer.defaults:
            raise ValueError(
                f"OneCycleLR: {type(optimizer).__name__} has no momentum to cycle: set cycle_momentum=False"
            )
        highest = for_each_group(optimizer, "OneCycleLR: max_lr", max_lr)
        most = for_each_group(optimizer, "OneCycleLR: max_momentum", max_momentum)
        least = for_each_group(optimizer, "OneCycleLR: base_momentum", base_momentum)
        for number, group in enumerate(optimizer.param_groups if last_epoch == -1 else ()):
            group["initial_lr"] = highest[number] / div_factor
            group["max_lr"] = highest[number]
            group["min_lr"] = group["initial_lr"] / final_div_factor
            if cycle_momentum:
                set_momentum(group, most[number])
                group["max_momentum"] = most[number]
                group["base_momentum"] = least[number]
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Between the beginning and the end of the present phase. Sets the momentum, too."""
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"OneCycleLR: step {self.last_epoch} comes after the last of total_steps={self.total_steps}: "
                f"call step() once after each batch, and count the batches of all epochs"
            )
        start, end, (begins, ends) = self._phase()
        share = (self.last_epoch - start) / (end - start) if end > start else 1.0
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[begins[0]], group[ends[0]], share))
            if self.cycle_momentum:
                set_momentum(group, self._between(group[begins[1]], group[ends[1]], share))
        return rates

    def _phase(self) -> tuple[float, float, Any]:
        start = 0.0
        for end, *names in self._phases[:-1]:
            if self.last_epoch <= end:
                return start, end, names
            start = end
        end, *names = self._phases[-1]
        return start, end, names

    def _between(self, start: float, end: float, share: float) -> float:
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)
        return (end - start) * share + start


def _number_of_steps(total_steps: int | None, epochs: int | None, steps_per_epoch: int | None) -> int:
    if total_steps is None and (epochs is None or steps_per_epoch is None):
        raise ValueError("OneCycleLR: how long is the cycle? Give total_steps, or epochs and steps_per_epoch")
    given = (
        {"total_steps": total_steps}
        if total_steps is not None
        else {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    )
    for name, value in given.items():
        if not isinstance(value, int) or value < 1:
            raise ValueError(f"OneCycleLR: {name} must be a whole number from 1, not {value}")
    return math.prod(value for value in given.values() if value is not None)


def set_momentum(group: Group, value: float) -> None:
    """Change the momentum of a group; β₁ where there are betas."""
    if "betas" in group:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value
