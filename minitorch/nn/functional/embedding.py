"""Embedding and one_hot: rows of a table picked by number, and numbers as rows of zeros with a single one."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import device_of, extremes, moved, to_host, xp
from minitorch.errors import DtypeError, IndexingError, OperandError, ShapeError
from minitorch.ops._brackets import as_index
from minitorch.ops.arithmetic import div, mul
from minitorch.ops.choice import where
from minitorch.ops.extremes import max as max_
from minitorch.ops.index import getitem, picking
from minitorch.ops.movement import unsqueeze
from minitorch.ops.reduce import sum as sum_
from minitorch.types import TensorLike

__all__ = ["embedding", "embedding_bag", "one_hot"]

_rows_of = picking("embedding")


def embedding(
    input: TensorLike,
    weight: TensorLike,
    padding_idx: int | None = None,
    max_norm: float | None = None,
) -> Tensor:
    """The row of `weight` for each number in `input`: any shape (…) with (V, d) → (…, d).

    dL/dweight = g added into zeros at the picked rows; the row `padding_idx` gets none. max_norm must be None.
    Raises TypeError when input holds no integers, IndexError on a number outside 0 … V-1.

    >>> from minitorch import Tensor
    >>> embedding(Tensor([2, 0]), Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    tensor([[5., 6.],
            [1., 2.]])
    """
    if max_norm is not None:
        raise ValueError("embedding: max_norm would change the table in place: normalise it yourself, under no_grad")
    table, numbers = as_array(weight), as_array(input)
    if table.ndim != 2:
        raise ShapeError(f"embedding: weight must have shape (rows, features), not {table.shape}")
    _require_numbers("embedding", numbers, len(table))
    numbers = as_index("embedding", numbers, table)
    rows = _rows_of(weight, (numbers,))
    if padding_idx is None:
        return rows
    if not -len(table) <= padding_idx < len(table):
        raise IndexError(f"embedding: padding_idx {padding_idx} is none of the {len(table)} rows of weight")
    padded = numbers == padding_idx % len(table)
    return where(padded[..., None], rows.detach(), rows)


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
    kept = where(present[..., None], rows, 0.0)
    if per_sample_weights is not None:
        kept = mul(kept, unsqueeze(per_sample_weights, -1))
    total = sum_(kept, 1)
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


def one_hot(tensor: TensorLike, num_classes: int = -1) -> Tensor:
    """A 1 at the place of each class number, zeros elsewhere: integers, (…) → (…, num_classes), int64.

    num_classes: -1 for one more than the largest number. The result is a constant.
    Raises TypeError when there are no integers, IndexError on a number outside 0 … num_classes-1.

    >>> from minitorch import Tensor
    >>> one_hot(Tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    numbers = as_array(tensor)
    if num_classes == -1:
        if numbers.size == 0:
            raise ShapeError(
                f"one_hot: shape {numbers.shape} holds no number to tell the classes by: pass num_classes="
            )
        num_classes = int(numbers.max()) + 1
    elif num_classes < 1 and numbers.size:
        raise OperandError(f"one_hot: num_classes must be positive, or -1 to be found out, not {num_classes}")
    _require_numbers("one_hot", numbers, num_classes)
    flat = xp(numbers).zeros(numbers.size * num_classes, np.int64)
    flat[xp(numbers).arange(numbers.size) * num_classes + numbers.reshape(-1).astype(np.int64)] = 1
    return constant(flat.reshape(*numbers.shape, num_classes))


def _require_numbers(name: str, numbers: Any, count: int) -> None:
    """Raises TypeError unless these are integers, IndexError unless all lie in 0 … count-1.

    Asked on the host: a GPU wraps a wrong index round without a word.
    """
    if numbers.dtype.kind not in "iu":
        raise DtypeError(f"{name}: the numbers of rows must be integers, not {numbers.dtype}")
    low, high = extremes(numbers) if numbers.size else (0, 0)
    if numbers.size and (low < 0 or high >= count):  #: is there such a row?
        wrong = low if low < 0 else high
        raise IndexingError(f"{name}: number {wrong} is out of range: there are the rows 0 to {count - 1}")
