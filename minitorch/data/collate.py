"""default_collate: many samples become one batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.backend import is_array, xp
from minitorch.ops.joining import stack

__all__ = ["default_collate"]


def default_collate(batch: Sequence[Any]) -> Any:
    """Samples of equal structure as one batch of that structure, with one dimension more at the front.

    Tensors and arrays are stacked; integers become an int64 Tensor, floats float64, bools bool; strings and bytes stay
    a list. Tuples and lists become a list of batches, named tuples and dicts keep their kind.

    Raises ValueError for Tensors of different shapes, sequences of different lengths and an empty batch, KeyError for
    a dict that lacks a key of the first, TypeError for what no Tensor can hold.

    >>> default_collate([(Tensor([1.0, 2.0]), 0), (Tensor([3.0, 4.0]), 1)])
    [tensor([[1., 2.],
            [3., 4.]]), tensor([0, 1])]
    >>> default_collate([{"word": "one", "length": 3}, {"word": "three", "length": 5}])
    {'word': ['one', 'three'], 'length': tensor([3, 5])}
    """
    if not batch:
        raise ValueError("default_collate: a batch of no samples has no shape")
    first = batch[0]
    if isinstance(first, Tensor) or is_array(first):
        return _stacked(batch)
    if isinstance(first, (bool, int, float, np.generic)):
        return Tensor(np.asarray(batch))
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, Mapping):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if isinstance(first, Sequence):
        return _fields(batch)
    raise TypeError(
        f"default_collate: cannot batch {type(first).__name__}: let the dataset return Tensors, arrays, numbers, "
        f"strings, tuples or dicts of them, or give the DataLoader a collate_fn"
    )


def _stacked(batch: Sequence[Any]) -> Any:
    shapes = {sample.shape for sample in batch}
    if len(shapes) > 1:
        raise ValueError(
            f"default_collate: the samples of a batch have different shapes, {' and '.join(map(str, sorted(shapes)))}: "
            f"bring them to one shape, or give the DataLoader a collate_fn"
        )
    if isinstance(batch[0], Tensor):
        return stack(list(batch))
    return Tensor(xp(batch[0]).stack(list(batch)))


def _fields(batch: Sequence[Any]) -> Any:
    """The first field of all samples, then the second of all, and so on."""
    lengths = {len(sample) for sample in batch}
    if len(lengths) > 1:
        raise ValueError(f"default_collate: the samples of a batch have different lengths, {sorted(lengths)}")
    fields = [default_collate(field) for field in zip(*batch, strict=True)]
    named = hasattr(batch[0], "_fields")
    return type(batch[0])(*fields) if named else fields
