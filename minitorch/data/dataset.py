"""Datasets: collections of samples, what a DataLoader takes its batches from."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.data._generator import as_generator
from minitorch.types import TensorLike

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

__all__ = ["ConcatDataset", "Dataset", "IterableDataset", "Subset", "TensorDataset", "get_worker_info", "random_split"]


class Samples(Protocol[T_co]):
    """What a DataLoader asks of a dataset, a list or a Tensor: samples by number, and how many there are."""

    def __getitem__(self, index: int, /) -> T_co:
        """Sample `index`."""
        ...

    def __len__(self) -> int:
        """How many samples there are."""
        ...


class Dataset(Generic[T_co]):
    """Samples that are asked for by number: give a subclass `__getitem__` and `__len__`.

    To type checkers, `Dataset[tuple[Tensor, int]]` says what a sample is.

    A dataset that can make a whole batch quicker than sample by sample may also have `gather(indices)`, which returns
    what `default_collate([self[i] for i in indices])` would.

    >>> class Squares(Dataset):
    ...     def __len__(self):
    ...         return 4
    ...     def __getitem__(self, index):
    ...         return index, index**2
    >>> Squares()[3]
    (3, 9)
    """

    def __getitem__(self, index: int) -> T_co:
        raise NotImplementedError(f"{type(self).__name__} has no __getitem__: write one that returns sample `index`")

    def __len__(self) -> int:
        raise NotImplementedError(
            f"{type(self).__name__} has no __len__: write one that returns how many samples it has"
        )

    def __iter__(self) -> Iterator[T_co]:
        """The samples from the first to the last."""
        return (self[index] for index in range(len(self)))

    def __add__(self, other: Dataset[T]) -> ConcatDataset[T_co | T]:
        return ConcatDataset([self, other])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} samples)"


class IterableDataset(Generic[T_co]):
    """Samples that come one after another and cannot be asked for by number: give a subclass `__iter__`.

    A DataLoader takes batches of them as they come, in their order; `__len__`, if there is one, is how many come.

    >>> class Countdown(IterableDataset):
    ...     def __iter__(self):
    ...         return iter([3, 2, 1])
    >>> list(Countdown())
    [3, 2, 1]
    """

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError(f"{type(self).__name__} has no __iter__: write one that yields the samples")

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def get_worker_info() -> None:
    """None, as PyTorch says in the main process: a DataLoader has no others here.

    >>> get_worker_info() is None
    True
    """


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Sample i is the tuple of row i of every Tensor. Arrays are taken as Tensors; nothing is copied.

    Raises ValueError when the first dimensions differ.

    >>> data = TensorDataset(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([0, 1]))
    >>> data[1]
    (tensor([3., 4.]), tensor(1))
    """

    def __init__(self, *tensors: TensorLike) -> None:
        self.tensors: tuple[Tensor, ...] = tuple(
            each if isinstance(each, Tensor) else constant(as_array(each)) for each in tensors
        )
        shapes = [each.shape for each in self.tensors]
        if not shapes or not all(shapes) or len({shape[0] for shape in shapes}) > 1:
            raise ValueError(
                f"TensorDataset: all Tensors need a first dimension of the same size, one row a sample; "
                f"the shapes are {', '.join(map(str, shapes)) or 'none at all'}"
            )

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(each[index] for each in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])

    def gather(self, indices: Sequence[int]) -> list[Tensor]:
        """Many samples as one batch: a single indexing for each Tensor."""
        rows = np.asarray(indices)
        return [each[rows] for each in self.tensors]

    def __repr__(self) -> str:
        return f"TensorDataset({len(self)} samples of shapes {', '.join(str(each.shape[1:]) for each in self.tensors)})"


class Subset(Dataset[T_co]):
    """The samples of `dataset` at `indices`, in their order.

    >>> Subset(["a", "b", "c"], [2, 0])[0]
    'c'
    """

    def __init__(self, dataset: Samples[T_co], indices: Iterable[int]) -> None:
        self.dataset = dataset
        self.indices = indices if isinstance(indices, Sequence) else list(indices)

    def __getitem__(self, index: int) -> T_co:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


class ConcatDataset(Dataset[T_co]):
    """The samples of several datasets, one after another. `a + b` makes one too.

    Raises ValueError for no datasets, IndexError for a sample that is not there.

    >>> ConcatDataset(["ab", "cde"])[3]
    'd'
    """

    def __init__(self, datasets: Iterable[Samples[T_co]]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise ValueError("ConcatDataset: needs at least one dataset")
        self.cumulative_sizes = list(itertools.accumulate(map(len, self.datasets)))

    def __getitem__(self, index: int) -> T_co:
        if not -len(self) <= index < len(self):
            raise IndexError(f"ConcatDataset: sample {index} of {len(self)} is asked for")
        index %= len(self)
        which = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[which][index - (self.cumulative_sizes[which - 1] if which else 0)]

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]


def random_split(
    dataset: Samples[T], lengths: Sequence[int | float], generator: np.random.Generator | int | None = None
) -> list[Subset[T]]:
    """Parts without a common sample, drawn at random: every sample is in exactly one.

    lengths: how many samples each part gets; or fractions that sum to 1, whose remainders go round the parts from the
    first. generator: a NumPy Generator, a seed, or None for the common generator.

    Raises ValueError for lengths that do not sum to the number of samples, or fractions that are not between 0 and 1.

    >>> [len(part) for part in random_split(range(10), [0.75, 0.25], generator=0)]
    [8, 2]
    """
    sizes = _sizes(lengths, len(dataset))
    order = as_generator(generator).permutation(len(dataset)).tolist()
    ends = list(itertools.accumulate(sizes))
    return [Subset(dataset, order[end - size : end]) for size, end in zip(sizes, ends)]


def _sizes(lengths: Sequence[int | float], total: int) -> list[int]:
    if all(size >= 0 and size == int(size) for size in lengths) and sum(lengths) == total:
        return [int(size) for size in lengths]
    if math.isclose(sum(lengths), 1) and all(0 <= fraction <= 1 for fraction in lengths):
        sizes = [math.floor(total * fraction) for fraction in lengths]
        for number in range(total - sum(sizes)):
            sizes[number % len(sizes)] += 1
        return sizes
    raise ValueError(
        f"random_split: the dataset has {total} samples and lengths is {list(lengths)}: "
        f"give counts that sum to {total}, or fractions between 0 and 1 that sum to 1"
    )
