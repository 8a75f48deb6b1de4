"""Sequences of different lengths as one Tensor: padded, or packed without padding for recurrent networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from minitorch import Tensor, cat, full, stack, transpose, unbind
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import device_of, moved, to_host
from minitorch.compat.nn.functional.padding import pad
from minitorch.errors import OperandError, ShapeError
from minitorch.ops.index import getitem

__all__ = ["PackedSequence", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence", "pad_sequence"]
__all__ += ["unpack_sequence", "unpad_sequence"]


class PackedSequence(NamedTuple):
    """Sequences of different lengths without padding: all first steps, then all second ones, and so on.

    The longest sequence stands first. data: (Σ lengths, …). batch_sizes: how many sequences have a step t.
    sorted_indices: which sequence stands where; unsorted_indices undo that. Both are None for sequences that came
    sorted. `pack_padded_sequence` makes one.
    """

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None = None
    unsorted_indices: Tensor | None = None

    def to(self, *target: Any, **options: Any) -> PackedSequence:
        """With the numbers in another dtype or on another device."""
        return self._replace(data=self.data.to(*target, **options))


def pad_sequence(
    sequences: Sequence[Tensor], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """One Tensor of sequences of shape (length, …): (longest, N, …), or (N, longest, …), with padding_value after them.

    padding_side "left": before them. Raises ValueError for no sequences and another side.

    >>> pad_sequence([Tensor([1.0, 2.0]), Tensor([3.0])], batch_first=True)
    tensor([[1., 2.],
            [3., 0.]])
    """
    if not sequences:
        raise ShapeError("pad_sequence: there is no sequence in the list: give at least one")
    if padding_side not in ("left", "right"):
        raise ValueError(f"pad_sequence: padding_side is 'left' or 'right', not {padding_side!r}")
    shapes = [as_array(each).shape for each in sequences]
    if not all(shapes):
        raise ShapeError("pad_sequence: each sequence needs a first axis, its steps, and one is a single number")
    longest = max(shape[0] for shape in shapes)
    padded = []
    for each, shape in zip(sequences, shapes, strict=True):
        missing = longest - shape[0]
        amounts = (0, missing) if padding_side == "right" else (missing, 0)
        padded.append(pad(each, (*(0, 0) * (len(shape) - 1), *amounts), value=padding_value))
    return stack(padded, 0 if batch_first else 1)


def unpad_sequence(padded_sequences: Tensor, lengths: Any, batch_first: bool = False) -> list[Tensor]:
    """The sequences that `pad_sequence` padded, without what was added.

    >>> unpad_sequence(Tensor([[1.0, 2.0], [3.0, 0.0]]), [2, 1], batch_first=True)
    [tensor([1., 2.]), tensor([3.])]
    """
    rows = unbind(padded_sequences, 0 if batch_first else 1)
    return [row[: int(length)] for row, length in zip(rows, _counts(lengths), strict=True)]


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """The steps of (T, N, …), or (N, T, …), that the lengths say are there. dL/dinput = g there, 0 in the padding.

    enforce_sorted: the longest sequence must come first; False sorts them, and the PackedSequence knows the order.

    Raises ValueError for a length that is not from 1 to T or not one for each sequence, and for unsorted lengths.

    >>> pack_padded_sequence(Tensor([[1.0, 2.0], [3.0, 0.0]]), [2, 1], batch_first=True).data
    tensor([1., 3., 2.])
    """
    counts = _counts(lengths)
    steps, count = as_array(input).shape[:2][:: -1 if batch_first else 1]
    if counts.shape != (count,) or counts.min(initial=1) < 1 or counts.max(initial=1) > steps:
        raise OperandError(
            f"pack_padded_sequence: lengths {counts.tolist()} do not fit {count} sequences of up to {steps} steps: "
            f"one length from 1 to {steps} for each is needed"
        )
    order = np.argsort(-counts, kind="stable")
    if enforce_sorted and (np.diff(counts) > 0).any():
        raise OperandError(
            f"pack_padded_sequence: lengths {counts.tolist()} must fall: sort the sequences, or write "
            f"enforce_sorted=False"
        )
    sizes = (counts[order][None, :] > np.arange(counts.max(initial=0))[:, None]).sum(axis=1)
    times = np.repeat(np.arange(len(sizes)), sizes)
    rows = order[np.concatenate([np.arange(size) for size in sizes])]
    place = device_of(as_array(input))
    at = [moved(each, place) for each in ((rows, times) if batch_first else (times, rows))]
    data, batch_sizes = getitem(input, tuple(at)), constant(sizes)
    if enforce_sorted:
        return PackedSequence(data, batch_sizes)
    back = constant(moved(np.argsort(order), place))
    return PackedSequence(data, batch_sizes, constant(moved(order, place)), back)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """(padded, lengths) in the order that the sequences had: (T, N, …), or (N, T, …), and (N,).

    total_length: T, if it is to be more than the longest has. Raises ValueError where it is less.

    >>> packed = pack_padded_sequence(Tensor([[1.0, 2.0], [3.0, 0.0]]), [2, 1], batch_first=True)
    >>> pad_packed_sequence(packed, batch_first=True)
    (tensor([[1., 2.],
            [3., 0.]]), tensor([2, 1]))
    """
    sizes = _counts(sequence.batch_sizes)
    steps = len(sizes) if total_length is None else total_length
    if steps < len(sizes):
        raise OperandError(
            f"pad_packed_sequence: total_length {steps} is less than the {len(sizes)} steps of the longest sequence"
        )
    # where each step stands among the packed ones; the row after the last is the padding
    count, total = int(sizes.max(initial=0)), int(sizes.sum())
    places = np.full((steps, count), total)
    for step, (start, size) in enumerate(zip(np.cumsum(sizes) - sizes, sizes, strict=True)):
        places[step, :size] = np.arange(start, start + size)
    lengths = (places < total).sum(axis=0)
    if sequence.unsorted_indices is not None:
        back = to_host(as_array(sequence.unsorted_indices))
        places, lengths = places[:, back], lengths[back]
    data = sequence.data
    row = full((1, *data.shape[1:]), padding_value, dtype=data.dtype, device=data.device)
    padded = getitem(cat([data, row]), moved(places, data.device))
    return (transpose(padded, 0, 1) if batch_first else padded), constant(lengths)


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences of shape (length, …), packed: `pack_padded_sequence` of `pad_sequence`.

    >>> pack_sequence([Tensor([1.0, 2.0]), Tensor([3.0])]).data
    tensor([1., 3., 2.])
    """
    lengths = [len(each) for each in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed, each of its own length.

    >>> unpack_sequence(pack_sequence([Tensor([1.0, 2.0]), Tensor([3.0])]))
    [tensor([1., 2.]), tensor([3.])]
    """
    return unpad_sequence(*pad_packed_sequence(packed_sequences))


def _counts(lengths: Any) -> Any:
    return np.asarray(to_host(as_array(lengths))).astype(np.int64)
