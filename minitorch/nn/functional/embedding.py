"""Embedding and one_hot: rows of a table picked by number, and numbers as rows of zeros with a single one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import extremes, xp
from minitorch.errors import DtypeError, IndexingError, OperandError, ShapeError
from minitorch.moved import moved_names
from minitorch.ops.choice import where
from minitorch.ops.index import picking
from minitorch.ops.indexing import as_index
from minitorch.types import TensorLike

__all__ = ["embedding", "one_hot"]

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
    if numbers.size and (low < 0 or high >= count):  # is there such a row?
        wrong = low if low < 0 else high
        raise IndexingError(f"{name}: number {wrong} is out of range: there are the rows 0 to {count - 1}")


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.functional.embedding import *
else:
    __getattr__, __dir__ = moved_names(__name__)
