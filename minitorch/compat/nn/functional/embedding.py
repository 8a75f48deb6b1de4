"""embedding_bag: the mean, sum or maximum of the rows of several numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch import Tensor, div, mul, unsqueeze, where
from minitorch import max as max_
from minitorch import sum as sum_
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import device_of, moved, to_host, xp
from minitorch.errors import ShapeError
from minitorch.nn.functional.embedding import embedding
from minitorch.ops.index import getitem
from minitorch.types import TensorLike

__all__ = ["embedding_bag"]


def embedding_bag(
    input: TensorLike,
    weight: TensorLike,
    offsets: TensorLike | None = None,
    *,
    mode: str = "mean",
    per_sample_weights: TensorLike | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """The mean, sum or max of the rows of each bag of numbers: (N, L) or (L,) with offsets, (V, d) → (N, d).

    offsets: where each bag begins in an input of one axis; the last one is the end with include_last_offset. An empty
    bag gives zeros. per_sample_weights: a factor of each row, for "sum". The row `padding_idx` does not count, nor in
    the mean. dL/dweight is that of `embedding` and of the mode.

    Raises ValueError for another mode, weights with another mode than "sum", and offsets that do not fit.

    >>> from minitorch import Tensor
    >>> embedding_bag(Tensor([2, 0, 1]), Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), Tensor([0, 2]))
    tensor([[3., 4.],
            [3., 4.]])
    """
    if mode not in ("mean", "sum", "max"):
        raise ValueError(f"embedding_bag: mode is 'mean', 'sum' or 'max', not {mode!r}")
    if per_sample_weights is not None and mode != "sum":
        raise ValueError(f"embedding_bag: per_sample_weights go with mode='sum', not {mode!r}")
    numbers, table = as_array(input), as_array(weight)
    if (numbers.ndim, offsets is None) not in ((2, True), (1, False)):
        raise ShapeError(f"embedding_bag: input of shape {numbers.shape} needs two axes, or one and offsets")
    present: Any = xp(numbers).ones(numbers.shape, bool)
    if offsets is not None:
        places, inside = _bags(numbers.size, to_host(as_array(offsets)), include_last_offset)
        places, present = (moved(each, device_of(numbers)) for each in (places, inside))
        numbers = numbers[places]
        per_sample_weights = None if per_sample_weights is None else getitem(per_sample_weights, places)
    if padding_idx is not None:
        present = present & (numbers != padding_idx % len(table))
    rows = embedding(numbers, weight)  # (N, L, d)
    if mode == "max" and numbers.size:
        best: Any = max_(where(present[..., None], rows, -np.inf), 1)[0]
        return where(present.any(axis=1)[:, None], best, 0.0)
    summands = where(present[..., None], rows, 0.0)
    if per_sample_weights is not None:
        summands = mul(summands, unsqueeze(per_sample_weights, -1))
    total = sum_(summands, 1)
    if mode == "sum":
        return total
    return div(total, constant(np.maximum(present.sum(axis=1, keepdims=True), 1).astype(table.dtype)))


def _bags(size: int, starts: Any, include_last_offset: bool) -> tuple[Any, Any]:
    """Return the positions in each bag, (N, longest), out of `size`, and whether each of those is there."""
    ends = starts[1:] if include_last_offset else np.append(starts[1:], size)
    starts = starts[: len(ends)]
    if starts.ndim != 1 or starts[:1].any() or (ends < starts).any() or (ends > size).any():
        raise ShapeError(f"embedding_bag: offsets {starts.tolist()} must rise from 0 to at most {size}")
    lengths = ends - starts
    along = np.arange(lengths.max(initial=0))
    inside = along < lengths[:, None]
    return np.where(inside, starts[:, None] + along, 0), inside
