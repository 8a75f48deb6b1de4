"""DataLoader: a dataset, batch by batch, in an order that can be taken up again after an interruption."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypedDict, TypeVar, Unpack, overload

import numpy as np

from minitorch._tensor import Tensor
from minitorch.data._generator import as_generator, generator_state, restore_generator
from minitorch.data._prefetch import Prefetched
from minitorch.data.collate import default_collate
from minitorch.data.dataset import IterableDataset, Samples, Subset

T = TypeVar("T")
B = TypeVar("B")

__all__ = ["DataLoader"]


class _Options(TypedDict, total=False):
    """What a DataLoader is told beside its dataset, whatever the batches are."""

    sampler: Iterable[int] | None
    batch_sampler: Iterable[Iterable[int]] | None
    drop_last: bool
    generator: np.random.Generator | int | None
    prefetch: int
    num_workers: int
    pin_memory: bool
    timeout: float
    worker_init_fn: Callable[[int], None] | None
    multiprocessing_context: Any
    prefetch_factor: int | None
    persistent_workers: bool
    pin_memory_device: str
    in_order: bool


# What PyTorch's worker processes are told: accepted, for there are none.
OF_PROCESSES = {"num_workers", "pin_memory", "timeout", "worker_init_fn", "multiprocessing_context"}
OF_PROCESSES |= {"prefetch_factor", "persistent_workers", "pin_memory_device", "in_order"}


class DataLoader(Generic[B]):
    """The batches of a dataset; `for x, y in loader` is one pass over all samples, an epoch.

    To type checkers it is a DataLoader of its batches: Tensors of Tensors, lists of Tensors of a TensorDataset, what
    collate_fn returns, or else Any.

    dataset: anything with `__getitem__` and `__len__`, or an IterableDataset, whose samples come in their own order.
    shuffle: a new random order in every epoch.
    sampler: the indices in the order in which samples are wanted, read whole when an epoch begins (not with shuffle).
    batch_sampler: the indices of every batch, read so, too (not with batch_size, shuffle, sampler or drop_last).
    collate_fn: makes a batch of a list of samples; `default_collate` unless given. drop_last: leave out a last batch
    that is not full. generator: where random orders come from: a NumPy Generator, a seed, or None for the common
    generator, which `manual_seed` starts. prefetch: how many batches one thread makes ahead of the loop; worth it for
    datasets that read or compute. Order and values are the same with it, unless samples draw from the common generator.

    `state_dict()` says where the loader stands, even within an epoch; a loader of the same data and batch size goes on
    there after `load_state_dict`. There are no worker processes: num_workers, worker_init_fn, persistent_workers,
    pin_memory and what else PyTorch has for them is accepted and changes nothing.

    Raises ValueError for a batch size below 1, shuffle with a sampler, whatever a batch_sampler or an IterableDataset
    decides by itself, and a negative prefetch; TypeError for a dataset without a length or samples by number, and for
    a batch size that is no integer.

    >>> from minitorch.data import TensorDataset
    >>> loader = DataLoader(TensorDataset(Tensor([1.0, 2.0, 3.0])), batch_size=2)
    >>> [batch for batch in loader]
    [[tensor([1., 2.])], [tensor([3.])]]
    """

    @overload
    def __init__(
        self: DataLoader[Tensor],
        dataset: Samples[Tensor],
        batch_size: int = ...,
        shuffle: bool = ...,
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    def __init__(
        self: DataLoader[list[Tensor]],
        dataset: Samples[tuple[Tensor, ...]],
        batch_size: int = ...,
        shuffle: bool = ...,
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    def __init__(
        self,
        dataset: Samples[T],
        batch_size: int = ...,
        shuffle: bool = ...,
        *,
        collate_fn: Callable[[list[T]], B],
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    def __init__(
        self: DataLoader[Any],
        dataset: Samples[Any],
        batch_size: int = ...,
        shuffle: bool = ...,
        **options: Unpack[_Options],
    ) -> None: ...
    def __init__(
        self,
        dataset: Any,
        batch_size: int = 1,
        shuffle: bool = False,
        *,
        sampler: Iterable[int] | None = None,
        batch_sampler: Iterable[Iterable[int]] | None = None,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        drop_last: bool = False,
        generator: np.random.Generator | int | None = None,
        prefetch: int = 0,
        **of_processes: Any,
    ) -> None:
        unknown = sorted(set(of_processes) - OF_PROCESSES)
        if unknown:
            raise TypeError(f"DataLoader: there is no option {unknown[0]!r}")
        streams = isinstance(dataset, IterableDataset)
        numbered = hasattr(dataset, "__getitem__") and hasattr(dataset, "__len__")
        if not (numbered or streams) or isinstance(dataset, (dict, type)):
            raise TypeError(
                f"DataLoader: a {type(dataset).__name__} is no dataset, which gives samples by number and has a "
                f"length: give a Dataset, a Tensor or a list"
            )
        if not isinstance(batch_size, (int, np.integer)):
            raise TypeError(f"DataLoader: batch_size must be an integer, not {batch_size!r}")
        if batch_size < 1:
            raise ValueError(f"DataLoader: batch_size must be at least 1, not {batch_size}")
        if streams and (shuffle or sampler is not None or batch_sampler is not None):
            raise ValueError(
                "DataLoader: an IterableDataset gives its samples in its own order: leave out shuffle and samplers"
            )
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
            raise ValueError(
                "DataLoader: the batch_sampler already says the batches: leave out batch_size, shuffle, sampler "
                "and drop_last"
            )
        if shuffle and sampler is not None:
            raise ValueError("DataLoader: the sampler already says the order: leave out shuffle, or the sampler")
        if prefetch < 0:
            raise ValueError(f"DataLoader: prefetch must be 0 (no thread) or more, not {prefetch}")
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.collate_fn = default_collate if collate_fn is None else collate_fn
        self.drop_last = drop_last
        self.prefetch = prefetch
        self.generator = None if generator is None else as_generator(generator)
        self.epoch = 0  # how many passes were begun
        self._place: _Place | None = None
        self._resumed: dict[str, Any] | None = None

    def __len__(self) -> int:
        """How many batches an epoch has. Raises TypeError for samples or a sampler without a length."""
        if self.batch_sampler is not None:
            return len(self.batch_sampler)  # type: ignore[arg-type]
        samples = len(self.dataset) if self.sampler is None else len(self.sampler)  # type: ignore[arg-type]
        return samples // self.batch_size if self.drop_last else -(-samples // self.batch_size)

    def __iter__(self) -> Iterator[B]:
        """A new pass; the rest of the interrupted one, if a state was loaded that stands within an epoch."""
        resumed, self._resumed = self._resumed, None
        if resumed is None:
            self.epoch += 1
            key, position = self._new_key(), 0
        else:
            key, position = resumed["order"], resumed["position"]
        self._place = _Place(key, position)
        batches = self._batches(self._order(key), position)
        return _Pass(Prefetched(batches, self.prefetch) if self.prefetch else batches, self._place)

    def __repr__(self) -> str:
        if self.batch_sampler is not None:
            return f"DataLoader({self.dataset!r}, in the sampler's batches)"
        order = (
            "in random order" if self.shuffle else "in the sampler's order" if self.sampler is not None else "in order"
        )
        return f"DataLoader({self.dataset!r}, {order}, batches of {self.batch_size})"

    # -- the order of one pass -----------------------------------------------------------------------------------------

    def _new_key(self) -> Any:
        """What decides the order of a pass: a number that it is shuffled by, the sampler's indices, or None."""
        if self.shuffle:
            return int(as_generator(self.generator).integers(2**63))
        if self.batch_sampler is not None:
            return [[int(index) for index in batch] for batch in self.batch_sampler]
        return None if self.sampler is None else [int(index) for index in self.sampler]

    def _order(self, key: Any) -> Sequence[Any]:
        if isinstance(self.dataset, IterableDataset):
            return ()
        if self.shuffle:
            order: list[int] = as_generator(key).permutation(len(self.dataset)).tolist()
            return order
        return range(len(self.dataset)) if key is None else key

    def _batches(self, order: Sequence[Any], position: int) -> Iterator[Any]:
        """The batches from number `position` on. A generator that does not hold the pass it belongs to."""
        if isinstance(self.dataset, IterableDataset):
            samples = itertools.islice(self.dataset, position * self.batch_size, None)
            while batch := list(itertools.islice(samples, self.batch_size)):
                if len(batch) == self.batch_size or not self.drop_last:
                    yield self.collate_fn(batch)
            return
        gather = _gatherer(self.dataset) if self.collate_fn is default_collate else None
        size, end = self.batch_size, len(order)
        end = end // size * size if self.drop_last else end
        cuts = (order[start : start + size] for start in range(position * size, end, size))
        for indices in cuts if self.batch_sampler is None else order[position:]:
            if gather is not None:
                yield gather(indices)
            else:
                yield self.collate_fn([self.dataset[index] for index in indices])

    # -- interruption --------------------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Where the loader stands: the epoch, how many of its batches were handed out, its order, its generator."""
        if self._resumed is not None:
            return dict(self._resumed)
        place = self._place or _Place(None, 0, over=True)
        return {
            "epoch": self.epoch,
            "position": place.position,
            "order": place.key,
            "within_epoch": not place.over,
            "generator": None if self.generator is None else generator_state(self.generator),
            "samples": self._samples(),
            "batch_size": self.batch_size,
        }

    def _samples(self) -> int | None:
        """How many samples there are; None where nobody knows."""
        return len(self.dataset) if hasattr(self.dataset, "__len__") else None

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on where the loader stood that the state is of: the next pass is the rest of its epoch.

        Raises ValueError when the state is of another number of samples or another batch size.
        """
        for name, own in (("samples", self._samples()), ("batch_size", self.batch_size)):
            if state[name] != own:
                raise ValueError(
                    f"DataLoader: the state is of a loader with {name} {state[name]}, and this one has {own}: "
                    f"its place in the data would mean other samples"
                )
        if state["generator"] is not None and self.generator is not None:
            restore_generator(self.generator, state["generator"])
        self.epoch = int(state["epoch"])
        self._place = None
        self._resumed = dict(state) if state["within_epoch"] else None


@dataclass
class _Place:
    """Where a pass stands. The loader keeps this and not the pass, whose thread ends when the loop lets go of it."""

    key: Any
    position: int
    over: bool = False


class _Pass(Iterator[Any]):
    """One pass over the data, which counts the batches that were handed out."""

    def __init__(self, batches: Iterator[Any], place: _Place) -> None:
        self._batches = batches
        self._place = place

    def __next__(self) -> Any:
        try:
            batch = next(self._batches)
        except StopIteration:
            self._place.over = True
            raise
        self._place.position += 1
        return batch


def _gatherer(dataset: Any) -> Callable[[Sequence[int]], Any] | None:
    """The dataset's own way to make a whole batch, if it has one."""
    if isinstance(dataset, Tensor):  # its own `gather` is another thing
        return lambda rows: dataset[np.asarray(rows)]
    if not isinstance(dataset, Subset):
        return getattr(dataset, "gather", None)
    inner = _gatherer(dataset.dataset)
    if inner is None:
        return None
    rows = np.asarray(dataset.indices, np.int64)
    return lambda indices: inner(rows[np.asarray(indices)])
