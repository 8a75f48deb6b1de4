"""Evaluation: how good a model is on data that it does not learn from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.scope import no_grad
from minitorch.autograd.tensor_base import as_array
from minitorch.types import TensorLike

__all__ = ["accuracy", "evaluate", "predict"]

Metric = Callable[[Any, Any], Any]


def accuracy(output: TensorLike, target: TensorLike) -> float:
    """The share of targets whose class got the largest score. output: (N, C) or (N, C, d₁, …); target without C.

    >>> accuracy(Tensor([[2.0, 1.0], [0.0, 3.0], [1.0, 0.0]]), Tensor([0, 1, 1]))
    0.6666666666666666
    """
    scores, classes = as_array(output), as_array(target)
    return float((scores.argmax(axis=1) == classes).mean())


def evaluate(
    model: Callable[..., Any],
    loader: Iterable[Any],
    loss_fn: Metric,
    metrics: Mapping[str, Metric] | None = None,
) -> dict[str, float]:
    """The mean loss and metrics over all samples: {"loss": …, and each metric's name: …}.

    Batches are (input, …, target). Each batch counts by its samples, so a smaller last one counts less. Nothing is
    recorded, and the model is in evaluation mode meanwhile. Raises ValueError when the loader has no batches.

    >>> from minitorch import nn
    >>> evaluate(lambda x: x * 2, [(Tensor([1.0, 2.0]), Tensor([2.0, 5.0]))], nn.functional.mse_loss)
    {'loss': 0.5}
    """
    totals: dict[str, float] = {}
    samples = 0
    learner: Any = model  # a Module, or any function
    was_training = getattr(learner, "training", False)
    if was_training:
        learner.eval()
    try:
        with no_grad():
            for batch in loader:
                output, target = predict(model, batch)
                count = len(target) if target.shape else 1
                samples += count
                for name, measure in {"loss": loss_fn, **(metrics or {})}.items():
                    totals[name] = totals.get(name, 0.0) + float(measure(output, target)) * count
    finally:
        if was_training:
            learner.train()
    if not samples:
        raise ValueError("evaluate: the loader gave no batch: is its dataset empty?")
    return {name: total / samples for name, total in totals.items()}


def predict(model: Any, batch: Any) -> tuple[Any, Any]:
    """The model's output for a batch (input, …, target), and the target, both where the model is.

    Raises TypeError for a batch that is no tuple or list of at least two parts.
    """
    if not isinstance(batch, (tuple, list)) or len(batch) < 2:
        raise TypeError(
            f"fit and evaluate need batches (input, …, target), not {type(batch).__name__}: "
            f"give the DataLoader a collate_fn that makes them"
        )
    parameters = getattr(model, "parameters", None)
    first = next(iter(parameters()), None) if parameters is not None else None
    if first is not None:
        batch = [part.to(first.device) if isinstance(part, Tensor) else part for part in batch]
    *inputs, target = batch
    return model(*inputs), target
