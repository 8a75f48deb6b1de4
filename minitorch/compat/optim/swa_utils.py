"""Weights averaged over the steps of a training: the mean of several (SWA), or one that forgets (EMA).

A model whose weights are an average often predicts better than any of the models that it is the average of. Not loaded
with `minitorch.optim`, for it is the one part of it that knows of modules: `optim.swa_utils` or `from
minitorch.optim.swa_utils import AveragedModel` does.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from minitorch import Tensor, no_grad
from minitorch.compat.nn.batchnorm import BatchNorm3d
from minitorch.nn import BatchNorm1d, BatchNorm2d, Module
from minitorch.optim.lr_scheduler.scheduler import LRScheduler, for_each_group, require_optimizer
from minitorch.optim.optimizer import Optimizer

__all__ = ["SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn"]
__all__ += ["get_swa_multi_avg_fn", "update_bn"]

Average = Callable[[Tensor, Tensor, Any], Any]
MultiAverage = Callable[[Sequence[Tensor], Sequence[Tensor], Any], None]


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """The average that forgets: decay · average + (1 - decay) · new. Raises ValueError for a decay outside 0 to 1.

    >>> get_ema_avg_fn(0.75)(Tensor([4.0]), Tensor([0.0]), 1)
    tensor([3.])
    """
    _require_share(decay)
    return lambda average, new, _number: decay * average + (1 - decay) * new


def get_swa_avg_fn() -> Average:
    """The mean of all: average + (new - average) / (number + 1), where `number` are averaged already.

    >>> get_swa_avg_fn()(Tensor([4.0]), Tensor([1.0]), 2)
    tensor([3.])
    """
    return lambda average, new, number: average + (new - average) / (number + 1)


def get_ema_multi_avg_fn(decay: float = 0.999) -> MultiAverage:
    """`get_ema_avg_fn` for lists of Tensors, in place. Raises ValueError for a decay outside 0 to 1.

    >>> average = [Tensor([4.0])]
    >>> get_ema_multi_avg_fn(0.75)(average, [Tensor([0.0])], 1)
    >>> average
    [tensor([3.])]
    """
    one = get_ema_avg_fn(decay)
    return lambda averages, new, number: _move(averages, new, number, 1 - decay, one)


def get_swa_multi_avg_fn() -> MultiAverage:
    """`get_swa_avg_fn` for lists of Tensors, in place.

    >>> average = [Tensor([4.0])]
    >>> get_swa_multi_avg_fn()(average, [Tensor([1.0])], 2)
    >>> average
    [tensor([3.])]
    """
    one = get_swa_avg_fn()
    return lambda averages, new, number: _move(averages, new, number, 1 / (int(number) + 1), one)


def _require_share(decay: float) -> None:
    if not 0 <= decay <= 1:
        raise ValueError(f"decay is a share from 0 to 1, not {decay}")


def _move(averages: Sequence[Tensor], new: Sequence[Tensor], number: Any, share: float, one: Average) -> None:
    """Each average a share of the way towards the new value; counters, which are no floats, are cut off."""
    with no_grad():
        for average, value in zip(averages, new, strict=True):
            if average.is_floating_point():
                average.lerp_(value, share)
            else:
                average.copy_(one(average, value, number))


class AveragedModel(Module):
    """A copy of a model whose weights are an average of those that it is given in `update_parameters`.

    The first ones are taken as they are. avg_fn(average, new, number) gives the new average of one Tensor, where
    `number` are averaged already; multi_avg_fn(averages, new, number) changes a list of them in place; without both it
    is the mean of all. use_buffers: buffers are averaged as well, else they are the latest ones. The copy is `module`,
    how many were averaged is in `n_averaged`.

    Raises ValueError for both functions at once. Source: Izmailov and others, 2018, Averaging weights leads to wider
    optima; Polyak and Juditsky, 1992, for the average that forgets.

    >>> from minitorch.nn import Linear
    >>> model = Linear(1, 1)
    >>> averaged = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.75))
    >>> for weight in (4.0, 0.0):
    ...     with no_grad():
    ...         _ = model.weight.fill_(weight)
    ...     averaged.update_parameters(model)
    >>> averaged.module.weight.item()
    3.0
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: MultiAverage | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise ValueError("AveragedModel: give avg_fn or multi_avg_fn, not both")
        self.module = copy.deepcopy(model)
        if device is not None:
            self.module.to(device=device)
        self.register_buffer("n_averaged", Tensor(0, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Return the averaged model's result."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Takes the weights of `model` into the average."""
        averages, new = self._averaged(self.module), self._averaged(model)
        new = [value.to(average.device) for value, average in zip(new, averages, strict=True)]
        number = int(self.n_averaged)
        with no_grad():
            if number == 0:
                for average, value in zip(averages, new, strict=True):
                    average.copy_(value)
            elif self.avg_fn is not None:
                for average, value in zip(averages, new, strict=True):
                    average.copy_(self.avg_fn(average, value, self.n_averaged))
            else:
                (self.multi_avg_fn or get_swa_multi_avg_fn())(averages, new, self.n_averaged)
            if not self.use_buffers:
                for average, value in zip(self.module.buffers(), model.buffers(), strict=True):
                    average.copy_(value.to(average.device))
            self.n_averaged += 1

    def _averaged(self, model: Module) -> list[Tensor]:
        """The parameters, and the buffers if they are averaged, as constants that share the model's memory."""
        buffers = model.buffers() if self.use_buffers else ()
        return [each.detach() for each in (*model.parameters(), *buffers)]


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Counts the statistics of all BatchNorm layers anew, by one pass over the loader: those of averaged weights.

    loader: gives what the model takes, or lists and tuples of which that is the first. device: where it is moved to.

    >>> from minitorch import ones
    >>> from minitorch.nn import BatchNorm1d
    >>> model = BatchNorm1d(1)
    >>> update_bn([ones(2, 1) * 3, ones(2, 1) * 5], model)
    >>> model.running_mean
    tensor([4.])
    """
    layers = [each for each in model.modules() if isinstance(each, (BatchNorm1d, BatchNorm2d, BatchNorm3d))]
    momenta = [layer.momentum for layer in layers]
    if not layers:
        return
    was_training = model.training
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # the mean of all batches
    try:
        model.train()
        with no_grad():
            for batch in loader:
                given = batch[0] if isinstance(batch, (list, tuple)) else batch
                model(given if device is None else given.to(device))
    finally:
        for layer, momentum in zip(layers, momenta, strict=True):
            layer.momentum = momentum
        model.train(was_training)


class SWALR(LRScheduler):
    """From the learning rates as they are to `swa_lr`, in anneal_epochs epochs, where they stay.

    lr = (1 - α) · lr before + α · swa_lr, where α rises from 0 to 1: along half a cosine wave, or with
    anneal_strategy="linear" along a line. It is computed from the learning rate before, so that other schedulers can
    take part. swa_lr: one for all groups, or a list of one for each.

    Raises ValueError for another strategy and a negative number of epochs. Source: Izmailov and others, 2018.

    >>> from minitorch.optim import SGD
    >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=1.0)
    >>> scheduler = SWALR(optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear")
    >>> for epoch in range(4):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 0.75 0.5 0.5
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float | Sequence[float],
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"SWALR: anneal_strategy is 'cos' or 'linear', not {anneal_strategy!r}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"SWALR: anneal_epochs is a whole number from 0, not {anneal_epochs}")
        lowest = for_each_group(require_optimizer(optimizer, self), "SWALR: swa_lr", swa_lr)
        for group, lr in zip(optimizer.param_groups, lowest, strict=True):
            group["swa_lr"] = lr
        self.anneal_epochs = anneal_epochs
        self.anneal_strategy = anneal_strategy
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The present ones, taken on from the step before."""
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(step, 1)
        before, now = self._share(step - 1), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            lowest = group["swa_lr"]
            start = lowest if before == 1 else (group["lr"] - before * lowest) / (1 - before)
            rates.append(lowest * now + start * (1 - now))
        return rates

    def _share(self, step: int) -> float:
        """α after so many steps."""
        part = max(0.0, min(1.0, step / max(1, self.anneal_epochs)))
        return part if self.anneal_strategy == "linear" else (1 - math.cos(math.pi * part)) / 2
