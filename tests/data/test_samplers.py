"""Samplers, data without numbers, and what PyTorch's programs tell a DataLoader beside them."""

import itertools

import numpy as np
import pytest

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
