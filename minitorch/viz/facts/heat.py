"""What is shown of a Tensor: some of its entries, in their places, and what is true of all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from minitorch.backend import device_of, to_host
from minitorch.viz.facts.model import Shape
from minitorch.viz.facts.reading import Numbers

SLABS, ROWS, COLUMNS = 4, 16, 32  # that are shown, at most
BESIDE = 16  # columns, where slabs stand beside each other
COUNTED = 1_000_000  # entries that are looked at for what is true of all


@dataclass(frozen=True, slots=True)
class Odd:
    """Entries that are no numbers. name: "nan", "inf" or "-inf"; first: where the first of them is."""

    name: str
    count: int
    first: Shape


@dataclass(frozen=True, slots=True, eq=False)
class Heat:
    """A Tensor, as far as it is shown.

    op: what made it, "" for a leaf. slabs: matrices of its last two axes, each with its index in the others. steps:
    every how-manieth entry along each axis is in them. low, high, mean: of the finite entries, None where there are
    none; looked_at: how many entries that was found from.
    """

    shape: Shape
    dtype: str
    device: str
    op: str
    requires_grad: bool
    slabs: tuple[tuple[Shape, Numbers], ...]
    steps: Shape
    low: float | None
    high: float | None
    mean: float | None
    odd: tuple[Odd, ...]
    looked_at: int

    @property
    def size(self) -> int:
        """How many entries the Tensor has."""
        return math.prod(self.shape)

    @property
    def shown(self) -> int:
        """How many of them are shown."""
        return sum(cells.size for _, cells in self.slabs)


def heat(tensor: Any) -> Heat | None:
    """What is shown of a Tensor; None where its entries are not real numbers."""
    data = tensor.data
    if data.dtype.kind not in "biuf":
        return None
    shape = tuple(data.shape)
    outer = shape[:-2]
    most = [ROWS, BESIDE if math.prod(outer) > 1 else COLUMNS][-data.ndim :] if data.ndim else []
    inner = tuple(-(-size // limit) or 1 for size, limit in zip(shape[-2:], most, strict=True))
    apart = _thinned(outer, SLABS)
    places = product(*(range(0, size, step) for size, step in zip(outer, apart, strict=True)))
    every = tuple(slice(None, None, step) for step in inner)
    slabs = tuple((place, _matrix(to_host(data[(*place, *every)]))) for place in places)
    steps = _thinned(shape, COUNTED)
    seen = np.asarray(to_host(data[tuple(slice(None, None, step) for step in steps)]), dtype=np.float64)
    finite = seen[np.isfinite(seen)]
    low, high, mean = (float(finite.min()), float(finite.max()), _mean(finite)) if finite.size else (None,) * 3
    node = getattr(tensor, "grad_fn", None)
    return Heat(
        shape=shape,
        dtype=str(data.dtype),
        device=device_of(data),
        op="" if node is None else str(getattr(node, "op", "")),
        requires_grad=bool(tensor.requires_grad),
        slabs=slabs if math.prod(shape) else (),
        steps=(*apart, *inner),
        low=low,
        high=high,
        mean=mean,
        odd=_odd(seen, steps),
        looked_at=seen.size,
    )


def _matrix(cells: np.ndarray) -> Numbers:
    return np.asarray(cells, dtype=np.float64).reshape(cells.shape if cells.ndim == 2 else (1, -1))


def _mean(finite: Numbers) -> float:
    """The mean, also of numbers whose sum is too large."""
    scale = float(np.abs(finite).max()) or 1.0
    return float((finite / scale).mean()) * scale


def _thinned(shape: Sequence[int], most: int) -> Shape:
    """Every how-manieth entry along each axis, so that no more than `most` are left."""
    steps = [1] * len(shape)
    while math.prod(counts := [-(-size // step) for size, step in zip(shape, steps, strict=True)]) > most:
        longest = counts.index(max(counts))
        steps[longest] += max(1, steps[longest] // 2)
    return tuple(steps)


def _odd(seen: Numbers, steps: Shape) -> tuple[Odd, ...]:
    found = []
    for name, where in (("nan", np.isnan(seen)), ("inf", seen == np.inf), ("-inf", seen == -np.inf)):
        if count := int(np.count_nonzero(where)):
            first = np.unravel_index(int(np.argmax(where)), seen.shape)
            found.append(Odd(name, count, tuple(int(at) * step for at, step in zip(first, steps, strict=True))))
    return tuple(found)
