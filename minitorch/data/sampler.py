"""Samplers: in which order a DataLoader takes its samples. Any iterable of indices will do; these are PyTorch's."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from typing import Any, Generic, TypeVar

import numpy as np

from minitorch.autograd.tensor_base import as_array
from minitorch.backend import to_host
from minitorch.data._generator import as_generator
from minitorch.ops.random import multinomial

T_co = TypeVar("T_co", covariant=True)
Source = np.random.Generator | int | None
AT_ONCE = 1 << 16  # numbers that are drawn together: half a megabyte, however many are wanted

__all__ = [
    "BatchSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
]


class Sampler(Generic[T_co]):
    """What says which samples come, and in which order: give a subclass `__iter__`, and `__len__` if it is known.

    >>> class EverySecond(Sampler):
    ...     def __iter__(self):
    ...         return iter(range(0, 6, 2))
    >>> list(EverySecond())
    [0, 2, 4]
    """

    def __init__(self, data_source: Sized | None = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError(f"{type(self).__name__} has no __iter__: write one that yields indices")


class SequentialSampler(Sampler[int]):
    """From the first sample to the last.

    >>> list(SequentialSampler("abc"))
    [0, 1, 2]
    """

    data_source: Sized

    def __init__(self, data_source: Sized) -> None:
        super().__init__(data_source)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """All samples in random order; with `replacement` each drawn from all. num_samples: how many, all unless given.

    generator: a Generator, a seed, or None for the common one. More samples than there are come from several orders.
    Numbers are drawn while they are taken, so that num_samples may be larger than memory.

    >>> sorted(RandomSampler("abc", generator=0))
    [0, 1, 2]
    """

    data_source: Sized

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Source = None,
    ) -> None:
        super().__init__(data_source)
        if num_samples is not None and num_samples < 1:
            raise ValueError(f"RandomSampler: num_samples must be at least 1, not {num_samples}")
        self.replacement = replacement
        self.num_samples = len(data_source) if num_samples is None else num_samples
        self.generator = None if generator is None else as_generator(generator)

    def __iter__(self) -> Iterator[int]:
        drawn, count = as_generator(self.generator), len(self.data_source)
        if self.replacement:
            return _drawn(self.num_samples, lambda size: drawn.integers(0, count, size))
        orders = (drawn.permutation(count).tolist() for _ in range(-(-self.num_samples // max(count, 1))))
        return itertools.islice(itertools.chain.from_iterable(orders), self.num_samples)

    def __len__(self) -> int:
        return self.num_samples


def _drawn(count: int, draw: Callable[[int], Any]) -> Iterator[int]:
    """`count` numbers, up to AT_ONCE of them drawn together: those of a generator are the same in portions."""
    portions = (draw(min(AT_ONCE, count - begun)) for begun in range(0, count, AT_ONCE))
    return itertools.chain.from_iterable(portion.tolist() for portion in portions)


class SubsetRandomSampler(Sampler[int]):
    """The given indices in random order.

    >>> sorted(SubsetRandomSampler([5, 2], generator=0))
    [2, 5]
    """

    def __init__(self, indices: Sequence[int], generator: Source = None) -> None:
        super().__init__()
        self.indices = indices
        self.generator = None if generator is None else as_generator(generator)

    def __iter__(self) -> Iterator[int]:
        order = as_generator(self.generator).permutation(len(self.indices))
        return (self.indices[place] for place in order.tolist())

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """`num_samples` indices, drawn in proportion to `weights`; without `replacement` none comes twice.

    Raises ValueError for fewer than one sample, and as `multinomial` does for the weights.

    >>> list(WeightedRandomSampler([0.0, 1.0], 3))
    [1, 1, 1]
    """

    def __init__(self, weights: Any, num_samples: int, replacement: bool = True, generator: Source = None) -> None:
        super().__init__()
        if num_samples < 1:
            raise ValueError(f"WeightedRandomSampler: num_samples must be at least 1, not {num_samples}")
        self.weights = to_host(as_array(weights)).astype(np.float64)
        if self.weights.ndim != 1:
            raise ValueError(
                f"WeightedRandomSampler: weights must be one number for each sample, not shape {self.weights.shape}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = None if generator is None else as_generator(generator)

    def __iter__(self) -> Iterator[int]:
        drawn = as_generator(self.generator)
        if self.replacement:
            return _drawn(self.num_samples, lambda size: multinomial(self.weights, size, True, generator=drawn))
        return iter(multinomial(self.weights, self.num_samples, generator=drawn).tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """The indices of another sampler, `batch_size` at a time; drop_last: without a last batch that is not full.

    >>> list(BatchSampler(range(5), 2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        super().__init__()
        if batch_size < 1:
            raise ValueError(f"BatchSampler: batch_size must be at least 1, not {batch_size}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        count = len(self.sampler)  # type: ignore[arg-type]
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
