"""DataLoader: order, batches, a thread ahead, and going on after an interruption."""

import gc
import threading
import time

import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.data import CharacterWindows, DataLoader, Dataset, Subset, TensorDataset


class Numbers(Dataset):
    """The numbers from 0, made one by one; at `fails` there is an error."""

    def __init__(self, size, fails=None):
        self.size = size
        self.fails = fails
        self.made = []

    def __getitem__(self, index):
        if index == self.fails:
            raise RuntimeError(f"sample {index} cannot be read")
        self.made.append(index)
        return index

    def __len__(self):
        return self.size


def values(batches):
    return [batch.tolist() for batch in batches]


def prefetch_threads():
    return [thread for thread in threading.enumerate() if thread.name == "minitorch-prefetch"]


def wait_until(true, seconds=600.0):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    return true()


# -- order and batches -------------------------------------------------------------------------------------------------


def test_batches_come_in_order_and_the_last_may_be_smaller():
    assert values(DataLoader(Numbers(5), batch_size=2)) == [[0, 1], [2, 3], [4]]
    assert values(DataLoader(Numbers(5), batch_size=2, drop_last=True)) == [[0, 1], [2, 3]]


@pytest.mark.parametrize("size", [0, 1, 4, 5])
@pytest.mark.parametrize("drop_last", [False, True])
def test_the_length_is_the_number_of_batches(size, drop_last):
    loader = DataLoader(Numbers(size), batch_size=2, drop_last=drop_last)
    assert len(loader) == len(list(loader))


@pytest.mark.parametrize("prefetch", [0, 2])
def test_every_epoch_has_an_order_of_its_own_and_a_seed_gives_them_again(prefetch):
    first = DataLoader(Numbers(20), batch_size=4, shuffle=True, generator=5, prefetch=prefetch)
    second = DataLoader(Numbers(20), batch_size=4, shuffle=True, generator=5)
    epochs = [values(first) for _ in range(3)]
    assert epochs == [values(second) for _ in range(3)]
    assert epochs[0] != epochs[1]
    assert all(sorted(number for batch in epoch for number in batch) == list(range(20)) for epoch in epochs)


def test_without_a_generator_manual_seed_decides():
    def shuffled():
        minitorch.manual_seed(1)
        return values(DataLoader(Numbers(20), batch_size=20, shuffle=True))

    assert shuffled() == shuffled()


def test_a_generator_is_used_as_it_is():
    generator = np.random.default_rng(0)
    before = generator.bit_generator.state
    list(DataLoader(Numbers(3), shuffle=True, generator=generator))
    assert generator.bit_generator.state != before


def test_a_sampler_says_the_order():
    assert values(DataLoader(Numbers(5), batch_size=2, sampler=[4, 4, 0])) == [[4, 4], [0]]


def test_collate_fn_makes_the_batches():
    assert list(DataLoader(Numbers(3), batch_size=2, collate_fn=sum)) == [1, 2]


def test_two_passes_at_once_do_not_disturb_each_other():
    loader = DataLoader(Numbers(4), batch_size=2)
    assert [(a.tolist(), b.tolist()) for a, b in zip(loader, loader)] == [([0, 1], [0, 1]), ([2, 3], [2, 3])]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 0}, "batch_size must be at least 1, not 0"),
        ({"shuffle": True, "sampler": [0]}, "the sampler already says the order"),
        ({"prefetch": -1}, "prefetch must be 0"),
        ({"batch_sampler": [[0]], "batch_size": 2}, "the batch_sampler already says the batches"),
        ({"batch_sampler": [[0]], "shuffle": True}, "the batch_sampler already says the batches"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=f"^DataLoader: {message}"):
        DataLoader(Numbers(3), **options)


@pytest.mark.parametrize(
    ("dataset", "batch_size", "message"),
    [
        (iter([1, 2]), 1, "a list_iterator is no dataset, .*: give a Dataset, a Tensor or a list"),
        ({"a": 1}, 1, "a dict is no dataset"),
        (5, 1, "an? int is no dataset"),
        (Numbers, 1, "a type is no dataset"),
        (Numbers(3), 2.5, "batch_size must be an integer, not 2.5"),
        (Numbers(3), None, "batch_size must be an integer, not None"),
    ],
)
def test_what_is_no_dataset_and_no_batch_size_is_refused(dataset, batch_size, message):
    with pytest.raises(TypeError, match=f"^DataLoader: {message}"):
        DataLoader(dataset, batch_size)


def test_a_tensor_is_a_dataset_of_its_rows():
    rows = Tensor(np.arange(10.0).reshape(5, 2))
    for dataset, expected in ((rows, rows.numpy()), (Subset(rows, [4, 0, 2]), rows.numpy()[[4, 0, 2]])):
        batches = list(DataLoader(dataset, batch_size=2))
        assert all(isinstance(batch, Tensor) for batch in batches)
        np.testing.assert_array_equal(np.concatenate([batch.numpy() for batch in batches]), expected)


def test_a_generator_of_another_kind_is_refused():
    with pytest.raises(TypeError, match=r"a NumPy Generator, a seed .* not str"):
        DataLoader(Numbers(3), shuffle=True, generator="seed")


@pytest.mark.parametrize(
    "dataset",
    [
        TensorDataset(np.arange(12.0).reshape(6, 2), np.arange(6)),
        Subset(TensorDataset(np.arange(12.0).reshape(6, 2)), [5, 1, 3]),
        Subset(Subset(TensorDataset(np.arange(6)), [5, 1, 3]), range(2)),
        CharacterWindows(np.arange(9), context=3),
    ],
    ids=lambda dataset: type(dataset).__name__,
)
def test_whole_batches_are_those_that_single_samples_make(dataset):
    quick = list(DataLoader(dataset, batch_size=4))
    slow = list(DataLoader(dataset, batch_size=4, collate_fn=lambda samples: minitorch.data.default_collate(samples)))
    for one, other in zip(quick, slow, strict=True):
        assert all(a.equal(b) and a.dtype == b.dtype for a, b in zip(one, other, strict=True))


# -- a thread ahead ----------------------------------------------------------------------------------------------------


def test_prefetch_makes_so_many_batches_ahead_and_no_more():
    dataset = Numbers(20)
    batches = iter(DataLoader(dataset, prefetch=3))
    assert wait_until(lambda: len(dataset.made) == 3)
    next(batches)
    assert wait_until(lambda: len(dataset.made) == 4)
    time.sleep(0.05)
    assert len(dataset.made) == 4


@pytest.mark.parametrize("prefetch", [0, 1, 4])
def test_an_error_reaches_the_loop_in_its_place(prefetch):
    batches = iter(DataLoader(Numbers(5, fails=2), prefetch=prefetch))
    assert values([next(batches), next(batches)]) == [[0], [1]]
    with pytest.raises(RuntimeError, match=r"^sample 2 cannot be read$"):
        next(batches)
    with pytest.raises(StopIteration):
        next(batches)


def test_an_abandoned_pass_stops_its_thread():
    gc.collect()
    loader = DataLoader(Numbers(1000), prefetch=2)
    for _ in loader:
        break
    assert wait_until(lambda: not prefetch_threads())


def test_a_finished_pass_stops_its_thread():
    list(DataLoader(Numbers(10), prefetch=2))
    assert wait_until(lambda: not prefetch_threads())


def test_the_thread_has_the_settings_of_the_loop():
    class Setting(Numbers):
        def __getitem__(self, index):
            return minitorch.is_grad_enabled()

    with minitorch.no_grad():
        assert values(DataLoader(Setting(1), prefetch=1)) == [[False]]


# -- going on ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prefetch", [0, 2])
@pytest.mark.parametrize(
    "options", [{"shuffle": True, "generator": 3}, {"shuffle": True}, {"sampler": [3, 1, 4, 1, 5]}, {}]
)
@pytest.mark.parametrize("done", range(8))
def test_a_loader_goes_on_where_another_stood(options, prefetch, done):
    def loader():
        return DataLoader(Numbers(6), batch_size=2, prefetch=prefetch, **options)

    minitorch.manual_seed(0)
    whole = loader()
    seen, state, random = [], whole.state_dict(), minitorch.autograd.scope.current_scope().random.generator
    for _ in range(3):
        for batch in whole:
            seen.append(batch.tolist())
            if len(seen) == done:
                state, common = whole.state_dict(), random.bit_generator.state
    minitorch.manual_seed(0)
    resumed = loader()
    if done:
        random.bit_generator.state = common
    resumed.load_state_dict(state)
    again = []
    while len(again) < len(seen) - done:
        again += values(resumed)
    assert again == seen[done:]
    assert resumed.epoch == 3


def test_a_state_that_was_loaded_and_not_used_is_given_on():
    loader = DataLoader(Numbers(6), shuffle=True, generator=0)
    next(iter(loader))
    state = loader.state_dict()
    loader.load_state_dict(state)
    assert loader.state_dict() == state


def test_a_state_of_other_data_is_refused():
    state = DataLoader(Numbers(6)).state_dict()
    with pytest.raises(ValueError, match=r"^DataLoader: the state is of a loader with samples 6, and this one has 7"):
        DataLoader(Numbers(7)).load_state_dict(state)
    with pytest.raises(ValueError, match="batch_size 1, and this one has 2"):
        DataLoader(Numbers(6), batch_size=2).load_state_dict(state)


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_any_kind_of_generator_can_go_on(kind):
    first = DataLoader(Numbers(9), shuffle=True, generator=np.random.Generator(kind(1)))
    state = first.state_dict()
    second = DataLoader(Numbers(9), shuffle=True, generator=np.random.Generator(kind(2)))
    second.load_state_dict(state)
    assert values(first) == values(second)


def test_a_state_of_another_kind_of_generator_is_refused():
    state = DataLoader(Numbers(9), generator=0).state_dict()
    other = DataLoader(Numbers(9), generator=np.random.Generator(np.random.MT19937(0)))
    with pytest.raises(ValueError, match="state of a PCG64 generator, but this one is MT19937"):
        other.load_state_dict(state)
