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


WHOLE = 1 << 18  # indices of a sampler that are kept: they take 10 MB; a longer one is read as its indices are needed

# What PyTorch's worker processes are told: accepted, for there are none.
OF_PROCESSES = {"num_workers", "pin_memory", "timeout", "worker_init_fn", "multiprocessing_context"}
OF_PROCESSES |= {"prefetch_factor", "persistent_workers", "pin_memory_device", "in_order"}


class DataLoader(Generic[B]):
    """The batches of a dataset; `for x, y in loader` is one pass over all samples, an epoch.

    To type checkers it is a DataLoader of its batches: Tensors of Tensors, lists of Tensors of a TensorDataset, what
    collate_fn returns, or else Any.

    dataset: anything with `__getitem__` and `__len__`, or an IterableDataset, whose samples come in their own order.
    shuffle: a new random order in every epoch.
    sampler: the indices in the order in which samples are wanted, read when an epoch begins, and those beyond 262,144
    as they are needed (not with shuffle). batch_sampler: the indices of every batch, read so, too (not with batch_size,
    shuffle, sampler or drop_last).
    collate_fn: makes a batch of a list of samples; `default_collate` unless given. drop_last: leave out a last batch
    that is not full. generator: where random orders come from: a NumPy Generator, a seed, or None for the common
    generator, which `manual_seed` starts. prefetch: how many batches one thread makes ahead of the loop; worth it for
    datasets that read or compute. Order and values are the same with it, unless samples or a longer sampler draw from
    the common generator.

    `state_dict()` says where the loader stands, even within an epoch; a loader of the same data and batch size goes on
    there after `load_state_dict`. A sampler of more than 262,144 indices is read anew for it, from where its attribute
    `generator` stood, or the common generator: it goes on exactly if its order depends on nothing else. There are no
    worker processes: num_workers, worker_init_fn, persistent_workers, pin_memory and what else PyTorch has for them is
    accepted and changes nothing.

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
            position = 0
            key, order = self._new_order()
        else:
            key, position = resumed["order"], resumed["position"]
            order = self._order(key, position)
        self._place = _Place(key, position)
        batches = self._batches(order)
        return _Pass(Prefetched(batches, self.prefetch) if self.prefetch else batches, self._place)

    def __repr__(self) -> str:
        if self.batch_sampler is not None:
            return f"DataLoader({self.dataset!r}, in the sampler's batches)"
        order = (
            "in random order" if self.shuffle else "in the sampler's order" if self.sampler is not None else "in order"
        )
        return f"DataLoader({self.dataset!r}, {order}, batches of {self.batch_size})"

    # -- the order of one pass -----------------------------------------------------------------------------------------

    def _new_order(self) -> tuple[Any, Iterator[Sequence[Any]]]:
        """The key of a new pass, which decides its order, and the order, batch by batch.

        A key is a number that samples are shuffled by, the sampler's indices, the state of the generator that a long
        sampler draws from, or None.
        """
        if self._sampler is None:
            key = int(as_generator(self.generator).integers(2**63)) if self.shuffle else None
            return key, self._order(key, 0)
        began, read, count = generator_state(_generator_of(self._sampler)), [], 0
        indices = self._indices()
        for each in indices:
            read.append(each)
            count += 1 if self.batch_sampler is None else len(each)
            if count > WHOLE:
                return began, self._cut(itertools.chain(read, indices), 0)
        return read, self._cut(read, 0)

    def _order(self, key: Any, position: int) -> Iterator[Sequence[Any]]:
        """The order that a key decides, from batch number `position` on: indices, or the samples of a stream."""
        if isinstance(self.dataset, IterableDataset):
            return self._cut(iter(self.dataset), position)
        if isinstance(key, str):
            return self._read_again(key, position)
        if self.shuffle:
            return self._cut(as_generator(key).permutation(len(self.dataset)).tolist(), position)
        return self._cut(range(len(self.dataset)) if key is None else key, position)

    def _read_again(self, began: str, position: int) -> Iterator[Sequence[int]]:
        """The indices of a long sampler, from a generator in the state in which their pass began."""
        generator = _generator_of(self._sampler)
        now = generator_state(generator)
        restore_generator(generator, began)
        order = self._cut(self._indices(), position)
        first = list(itertools.islice(order, 1))  # those before it are drawn now
        if generator is as_generator(None):  # and what others draw goes on where the program stands
            restore_generator(generator, now)
        return itertools.chain(first, order)

    @property
    def _sampler(self) -> Any:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def _indices(self) -> Iterator[Any]:
        """A pass over the sampler: indices, or lists of them."""
        if self.batch_sampler is None:
            return map(int, self._sampler)
        return ([int(index) for index in batch] for batch in self.batch_sampler)

    def _cut(self, order: Iterable[Any], position: int) -> Iterator[Sequence[Any]]:
        """An order in batches, from batch number `position` on."""
        if self.batch_sampler is not None:
            return itertools.islice(order, position, None)
        size = self.batch_size
        if not isinstance(order, Sequence):
            left = itertools.islice(order, position * size, None)
            cut = iter(lambda: list(itertools.islice(left, size)), [])
            return (batch for batch in cut if len(batch) == size or not self.drop_last)
        end = len(order) // size * size if self.drop_last else len(order)
        return (order[start : start + size] for start in range(position * size, end, size))

    def _batches(self, order: Iterator[Sequence[Any]]) -> Iterator[Any]:
        """The batches of an order. A generator that does not hold the pass it belongs to."""
        streams = isinstance(self.dataset, IterableDataset)
        gather = None if streams or self.collate_fn is not default_collate else _gatherer(self.dataset)
        for each in order:
            if gather is not None:
                yield gather(each)
            else:
                yield self.collate_fn(list(each) if streams else [self.dataset[index] for index in each])

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


def _generator_of(sampler: Any) -> np.random.Generator:
    """The generator of a sampler, or of the one that it takes indices from; the common one where they have none."""
    while not hasattr(sampler, "generator") and hasattr(sampler, "sampler"):
        sampler = sampler.sampler
    own = getattr(sampler, "generator", None)
    return own if isinstance(own, np.random.Generator) else as_generator(None)


def _gatherer(dataset: Any) -> Callable[[Sequence[int]], Any] | None:
    """The dataset's own way to make a whole batch, if it has one."""
    if isinstance(dataset, Tensor):  # its own `gather` is another thing
        return lambda rows: dataset[np.asarray(rows)]
    if not isinstance(dataset, Subset):
        return getattr(dataset, "gather", None)
    inner = _gatherer(dataset.dataset)
    if inner is None:
        return None
    rows = dataset.indices
    return lambda indices: inner([int(rows[index]) for index in indices])
