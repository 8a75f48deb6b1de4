"""Samplers, data without numbers, and what PyTorch's programs tell a DataLoader beside them."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from array_count import counted_arrays

import minitorch
from minitorch import Generator, Tensor
from minitorch.utils import data
from minitorch.utils.data import DataLoader


class Stream(data.IterableDataset):
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return iter(range(self.count))


class Measured(Stream):
    def __len__(self):
        return self.count


def lists(loader):
    return [batch.tolist() for batch in loader]


def test_what_worker_processes_are_told_is_accepted_and_changes_nothing():
    told = {"num_workers": 4, "pin_memory": True, "persistent_workers": True, "worker_init_fn": pytest.fail}
    told |= {"timeout": 3, "prefetch_factor": 2, "multiprocessing_context": "fork", "pin_memory_device": "cuda"}
    assert lists(DataLoader(range(5), 2, **told)) == [[0, 1], [2, 3], [4]]


def test_an_option_that_is_not_known_is_refused():
    with pytest.raises(TypeError, match=r"^DataLoader: there is no option 'num_worker'"):
        DataLoader(range(5), num_worker=2)


def test_a_batch_sampler_says_every_batch():
    loader = DataLoader(range(5), batch_sampler=[[4, 0], [2]])
    assert (lists(loader), len(loader)) == ([[4, 0], [2]], 2)
    assert lists(DataLoader(range(5), batch_sampler=data.BatchSampler(range(5), 2, True))) == [[0, 1], [2, 3]]


def test_a_batch_sampler_s_pass_is_taken_up_again():
    order = data.BatchSampler(data.RandomSampler(range(9), generator=1), 2, False)
    loader = DataLoader(range(9), batch_sampler=order)
    batches = iter(loader)
    next(batches)
    state, rest = loader.state_dict(), lists(batches)
    again = DataLoader(range(9), batch_sampler=order)
    again.load_state_dict(state)
    assert lists(again) == rest


@pytest.mark.parametrize("prefetch", [0, 2])
@pytest.mark.parametrize("drop_last", [False, True])
def test_samples_without_numbers_come_as_they_are(drop_last, prefetch):
    loader = DataLoader(Stream(5), 2, drop_last=drop_last, prefetch=prefetch)
    assert lists(loader) == lists(loader) == [[0, 1], [2, 3], [4]][: 2 if drop_last else 3]


def test_the_length_of_a_stream_is_its_own():
    assert len(DataLoader(Measured(5), 2)) == 3
    with pytest.raises(TypeError):
        len(DataLoader(Stream(5), 2))


def test_a_stream_is_taken_up_again():
    loader = DataLoader(Stream(7), 2)
    batches = iter(loader)
    next(batches)
    again = DataLoader(Stream(7), 2)
    again.load_state_dict(loader.state_dict())
    assert lists(again) == [[2, 3], [4, 5], [6]]


@pytest.mark.parametrize("options", [{"shuffle": True}, {"sampler": [0]}, {"batch_sampler": [[0]]}])
def test_nobody_else_says_the_order_of_a_stream(options):
    with pytest.raises(ValueError, match=r"^DataLoader: an IterableDataset gives its samples in its own order"):
        DataLoader(Stream(3), **options)


def test_a_stream_without_samples_says_what_to_write():
    with pytest.raises(NotImplementedError, match=r"IterableDataset has no __iter__: write one that yields"):
        list(DataLoader(data.IterableDataset()))


def test_random_orders():
    sampler = data.RandomSampler("abcdef", generator=0)
    first, second = list(sampler), list(sampler)
    assert sorted(first) == sorted(second) == list(range(6))
    assert first != second
    assert list(data.RandomSampler("abcdef", generator=0)) == first
    longer = list(data.RandomSampler("abc", num_samples=7, generator=0))
    assert [sorted(longer[start : start + 3]) for start in (0, 3)] == [[0, 1, 2]] * 2
    drawn = list(data.RandomSampler("abc", replacement=True, num_samples=600, generator=0))
    assert (len(drawn), set(drawn)) == (600, {0, 1, 2})
    assert 150 < drawn.count(1) < 250


def test_a_subset_in_random_order():
    sampler = data.SubsetRandomSampler([7, 3, 5], generator=2)
    assert sorted(sampler) == [3, 5, 7]
    assert len(sampler) == 3


def test_weights_decide_how_often_a_sample_comes():
    sampler = data.WeightedRandomSampler(Tensor([1.0, 0.0, 3.0]), 4000, generator=0)
    drawn = list(sampler)
    assert (len(sampler), drawn.count(1)) == (4000, 0)
    assert abs(drawn.count(2) / 4000 - 0.75) < 0.03
    assert sorted(data.WeightedRandomSampler([1.0, 0.0, 3.0], 2, replacement=False)) == [0, 2]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: data.WeightedRandomSampler([1.0], 0), r"^WeightedRandomSampler: num_samples must be at least 1"),
        (
            lambda: data.WeightedRandomSampler([[1.0]], 1),
            r"^WeightedRandomSampler: weights must be one number",
        ),
        (lambda: data.RandomSampler("ab", num_samples=0), "^RandomSampler: num_samples must be at least 1"),
        (lambda: data.BatchSampler(range(3), 0, False), "^BatchSampler: batch_size must be at least 1"),
    ],
)
def test_samplers_say_what_is_wrong(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_a_generator_is_pytorch_s_by_its_methods():
    generator = Generator()
    assert generator.manual_seed(5) is generator
    assert generator.initial_seed() == 5
    state = generator.get_state()
    first = minitorch.randn(4, generator=generator)
    assert not minitorch.randn(4, generator=generator).equal(first)
    generator.set_state(state)
    assert minitorch.randn(4, generator=generator).equal(first)
    minitorch.manual_seed(5)
    assert minitorch.randn(4).equal(first)
    assert generator.seed() == generator.initial_seed() != 5
    with pytest.raises(ValueError, match=r"^set_state: 2 bytes are no state of a generator"):
        generator.set_state(np.zeros(2, np.uint8))


def test_a_generator_shuffles_a_loader():
    orders = [lists(DataLoader(range(9), 4, shuffle=True, generator=Generator().manual_seed(3))) for _ in range(2)]
    assert orders[0] == orders[1]
    assert sorted(itertools.chain.from_iterable(orders[0])) == list(range(9))


# -- samplers that are longer than memory ------------------------------------------------------------------------------

LONG = 10**10


class Endless(data.Sampler):
    def __init__(self, count):
        super().__init__()
        self.count = count

    def __iter__(self):
        return itertools.cycle(range(self.count))


ENDLESS = {
    "RandomSampler": lambda: data.RandomSampler(range(7), replacement=True, num_samples=LONG, generator=1),
    "RandomSampler in orders": lambda: data.RandomSampler(range(7), num_samples=LONG, generator=1),
    "RandomSampler of the common generator": lambda: data.RandomSampler(range(7), True, LONG),
    "WeightedRandomSampler": lambda: data.WeightedRandomSampler([1.0, 2.0, 0.0], LONG, generator=1),
    "SequentialSampler": lambda: data.SequentialSampler(range(LONG)),
    "BatchSampler": lambda: data.BatchSampler(data.RandomSampler(range(7), True, LONG, 1), 4, False),
    "a sampler without an end": lambda: Endless(7),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_sampler_draws_as_it_goes(name):
    with counted_arrays() as arrays:
        list(itertools.islice(ENDLESS[name](), 200_000))
        assert arrays.peak() < 100


@pytest.mark.parametrize("prefetch", [0, 2])
@pytest.mark.parametrize("name", ENDLESS)
def test_a_loader_reads_a_long_sampler_as_it_goes(name, prefetch):
    given = "batch_sampler" if name == "BatchSampler" else "sampler"
    with counted_arrays() as arrays:
        loader = DataLoader(range(LONG), **{given: ENDLESS[name]()}, prefetch=prefetch)
        batches = itertools.islice(loader, 1000)
        assert len(list(batches)) == 1000
        assert len(str(loader.state_dict())) < 2000
        assert arrays.peak() < 100


def test_a_subset_of_many_samples_is_read_as_it_goes():
    class Ones(Sequence):
        def __len__(self):
            return LONG

        def __getitem__(self, index):
            return 1

    with counted_arrays() as arrays:
        batch = next(iter(DataLoader(data.Subset(Tensor([[1.0], [2.0]]), Ones()), 3)))
        assert (batch.tolist(), arrays.peak()) == ([[2.0]] * 3, 0)


def test_portions_draw_what_one_draw_would():
    drawn = np.random.Generator(np.random.PCG64(5)).integers(0, 9, 200_000)
    assert list(data.RandomSampler(range(9), True, 200_000, generator=5)) == drawn.tolist()
    weights = np.array([1.0, 2.0, 3.0])
    wanted = np.random.Generator(np.random.PCG64(5)).random(200_000)
    drawn = np.searchsorted(np.cumsum(weights) / 6, wanted, side="right")
    assert list(data.WeightedRandomSampler(weights, 200_000, generator=5)) == drawn.tolist()


@pytest.mark.parametrize("prefetch", [0, 2])
@pytest.mark.parametrize("name", [name for name in ENDLESS if "common" not in name])
def test_a_pass_over_a_long_sampler_is_taken_up_again(name, prefetch):
    def made():
        if name == "BatchSampler":
            return DataLoader(range(LONG), batch_sampler=ENDLESS[name](), prefetch=prefetch)
        return DataLoader(range(LONG), 3, sampler=ENDLESS[name](), prefetch=prefetch)

    loader = made()
    next(iter(loader))  # a pass that is left: the next one begins where the sampler's generator then stands
    batches = iter(loader)
    lists(itertools.islice(batches, 5))
    state, rest = loader.state_dict(), lists(itertools.islice(batches, 9))
    again = made()
    again.load_state_dict(state)
    batches = iter(again)
    assert lists(itertools.islice(batches, 9)) == rest
    assert again.state_dict()["position"] == 14


def test_a_long_order_of_the_common_generator_is_taken_up_again_and_disturbs_nobody():
    def made():
        return DataLoader(range(300_000), 3, sampler=data.SubsetRandomSampler(range(300_000)))

    minitorch.manual_seed(4)
    loader = made()
    batches = iter(loader)
    lists(itertools.islice(batches, 5))
    state, common = loader.state_dict(), minitorch.get_rng_state()
    rest, drawn = lists(itertools.islice(batches, 9)), minitorch.rand(3)
    minitorch.set_rng_state(common)
    again = made()
    again.load_state_dict(state)
    assert lists(itertools.islice(again, 9)) == rest
    assert minitorch.rand(3).equal(drawn)
