"""Padding: more around the edge, or less."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minitorch import Tensor, clone
from minitorch.autograd.primitive import Operation, primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import xp
from minitorch.errors import ShapeError
from minitorch.ops.index import picking
from minitorch.types import Shape, TensorLike

__all__ = ["pad"]

_pick = picking("pad")

Amounts = tuple[tuple[int, int], ...]


def _padded(input: Any, amounts: Amounts, value: float) -> Any:
    """`amounts` says (before, after) for each axis; what is negative is cut off."""
    pairs = [(size, *each) for size, each in zip(input.shape, amounts, strict=True)]
    out = xp(input).full([size + before + after for size, before, after in pairs], value, input.dtype)
    inner = [slice(max(before, 0), size + before + min(after, 0)) for size, before, after in pairs]
    outer = [slice(max(-before, 0), size + min(after, 0)) for size, before, after in pairs]
    out[tuple(inner)] = input[tuple(outer)]
    return out


def _remaining(size: int, before: int, after: int) -> int:
    """Return how many of `size` positions are left when the negative amounts are cut off."""
    return max(size + min(before, 0) + min(after, 0), 0)


_pad: Operation[...] = primitive(
    _padded,
    "`value` around the edge. dL/dinput = g, padded by the opposite amounts: what was added is cut off.",
    name="pad",
    input=lambda g, amounts: _pad.raw(g, tuple([(-before, -after) for before, after in amounts]), 0.0),
)


def pad(input: TensorLike, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """The input with more around it: `pad` is (before, after) of the last axis, then of the one before it, and so on.

    mode "constant" puts `value` there (0 unless given), "reflect" mirrors the inside without the edge itself,
    "replicate" repeats the edge, "circular" goes on at the other side. A negative amount cuts off. dL/dinput = g
    without what "constant" added; the other modes add it up at the positions that were copied.

    (…, n) → (…, before + n + after), and so on.
    Raises ValueError for an odd or too long `pad`, for more than the mode can copy, for cutting off more than there is.

    >>> pad(Tensor([1.0, 2.0, 3.0]), (1, 2))
    tensor([0., 1., 2., 3., 0., 0.])
    >>> pad(Tensor([[1.0, 2.0, 3.0]]), (1, -1), mode="reflect")
    tensor([[2., 1., 2.]])
    """
    shape = as_array(input).shape
    amounts = _amounts(shape, pad, cuts_first=mode in ("constant", "circular"))
    if mode == "constant":
        return _pad(input, amounts, 0.0 if value is None else value)
    if mode not in _LIMITS:
        raise ValueError(f"pad: mode {mode!r} is not known: write 'constant', 'reflect', 'replicate' or 'circular'")
    if value:
        raise ValueError(f"pad: mode {mode!r} copies what is there and takes no value")
    result: Any = input
    for axis, (size, (before, after)) in enumerate(zip(shape, amounts, strict=True)):
        if (before, after) == (0, 0):
            continue
        if size == 0 or max(before, after) > _LIMITS[mode](size, before, after):
            raise ShapeError(f"pad: mode {mode!r} cannot add {before} and {after} to axis {axis} of shape {shape}")
        position = xp(as_array(input)).arange(-before, size + after)
        result = _pick(result, (*[slice(None)] * axis, _source_index(mode, position, size, before, after)))
    return clone(input) if result is input else result


# How far each mode can go on along an axis.
_LIMITS: dict[str, Callable[[int, int, int], float]] = {
    "reflect": lambda size, before, after: size - 1,
    "replicate": lambda size, before, after: math.inf,
    "circular": lambda size, before, after: _remaining(size, before, after),
}


def _source_index(mode: str, position: Any, size: int, before: int, after: int) -> Any:
    """For each position of the padded axis, the position of the input that is copied there."""
    if mode == "reflect":
        return size - 1 - np.abs(size - 1 - np.abs(position))
    if mode == "replicate":
        return np.clip(position, 0, size - 1)
    first = max(-before, 0)  # what is cut off does not come round again
    return (position - first) % max(_remaining(size, before, after), 1) + first


def _amounts(shape: Shape, pad: Sequence[int], cuts_first: bool) -> Amounts:
    """`pad` as one pair for each axis, from the first axis on. If what is negative is cut first, it must be there."""
    if len(pad) % 2 or len(pad) > 2 * len(shape):
        raise ShapeError(f"pad: {tuple(pad)} must be pairs (before, after), at most one for each axis of shape {shape}")
    pairs = [(int(pad[at]), int(pad[at + 1])) for at in range(0, len(pad), 2)]
    amounts = ((0, 0),) * (len(shape) - len(pairs)) + tuple(reversed(pairs))
    for size, (before, after) in zip(shape, amounts, strict=True):
        most = 0 if cuts_first else math.inf
        if size + min(before, most) + min(after, most) < 0:
            raise ShapeError(f"pad: {tuple(pad)} cuts off more than there is of shape {shape}")
    return amounts
