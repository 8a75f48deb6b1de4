"""Checks of what `fit` is given: mistakes that would end in a puzzle later, or in a training of nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.tensor_base import TensorBase
from minitorch.data.dataset import Dataset

__all__ = ["require_callbacks", "require_counts", "require_loss", "require_parts"]


TOLD = ("begin", "loss", "evaluated", "end")  # the methods of a Callback


def require_parts(model: Any, loader: Any, optimizer: Any, loss_fn: Any, scheduler: Any) -> None:
    """Raises TypeError for a part of the wrong kind, ValueError for parts that do not belong together."""
    for name, part in (("model", model), ("loss_fn", loss_fn), ("optimizer", optimizer)):
        if isinstance(part, type):
            raise TypeError(f"fit: {name} is the class {part.__name__}: call it, as in {part.__name__}(…)")
    if not hasattr(optimizer, "param_groups"):
        raise TypeError(
            f"fit: optimizer is a {type(optimizer).__name__}: the order is fit(model, loader, optimizer, loss_fn, …)"
        )
    if isinstance(loader, Dataset):
        raise TypeError(
            f"fit: loader is a {type(loader).__name__}, which gives single samples: "
            f"put it into a DataLoader(dataset, batch_size=…)"
        )
    if not hasattr(loader, "__iter__"):
        raise TypeError(f"fit: loader is a {type(loader).__name__}, which gives no batches: use a DataLoader")
    own = {id(each) for each in model.parameters()} if hasattr(model, "parameters") else set()
    if own and not any(id(each) in own for group in optimizer.param_groups for each in group["params"]):
        raise ValueError(
            f"fit: the {type(optimizer).__name__} has no parameter of this {type(model).__name__}: "
            f"make it with model.parameters() of the model that is trained"
        )
    if getattr(scheduler, "optimizer", optimizer) is not optimizer:
        raise ValueError(
            f"fit: the {type(scheduler).__name__} belongs to another optimizer: make it with the one that fit is given"
        )


def require_callbacks(callbacks: Any) -> None:
    """Raises TypeError for what is no callback."""
    for each in callbacks:
        missing = [name for name in TOLD if not callable(getattr(each, name, None))]
        if isinstance(each, type) or missing:
            what = f"the class {each.__name__}: call it" if isinstance(each, type) else f"a {type(each).__name__}"
            raise TypeError(f"fit: a callback has the methods {', '.join(TOLD)}, and one of callbacks is {what}")


def require_counts(least: int, **counts: Any) -> None:
    """Raises TypeError for what is no integer, ValueError below `least`. None is not looked at."""
    for name, count in counts.items():
        if count is None:
            continue
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)):
            raise TypeError(f"fit: {name} must be an integer, not {count!r}")
        if count < least:
            raise ValueError(f"fit: {name} must be at least {least}, not {count}")


def require_loss(loss: Any) -> None:
    """Raises TypeError unless `loss` is a Tensor, ValueError unless it is a single number."""
    if not isinstance(loss, TensorBase):
        raise TypeError(
            f"fit: loss_fn returned a {type(loss).__name__}, which has no gradient: "
            f"return a Tensor that is computed from the model's output"
        )
    if loss._data.size != 1:
        raise ValueError(
            f"fit: loss_fn returned shape {loss._data.shape}, but a loss is one number: take its mean, "
            f"or leave out reduction='none'"
        )
