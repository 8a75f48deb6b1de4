"""Datasets: samples by number, parts, and several in one."""

from typing import NamedTuple

import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.data import ConcatDataset, Dataset, Subset, TensorDataset, default_collate, random_split


def test_a_sample_of_a_tensor_dataset_is_a_tuple_of_rows():
    data = TensorDataset(Tensor([[1.0, 2.0], [3.0, 4.0]]), np.array([7, 8]))
    x, y = data[1]
    assert (x.tolist(), y.item(), len(data)) == ([3.0, 4.0], 8, 2)


def test_a_tensor_dataset_copies_nothing():
    array = np.zeros((3, 2))
    assert np.shares_memory(TensorDataset(array).tensors[0].data, array)


def test_tensors_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match=r"^TensorDataset: all Tensors need .* the shapes are \(2,\), \(3,\)$"):
        TensorDataset(np.zeros(2), np.zeros(3))
    with pytest.raises(ValueError, match="none at all"):
        TensorDataset()


def test_a_subset_shows_the_samples_in_the_order_of_the_indices():
    assert list(Subset("abcd", [3, 1])) == ["d", "b"]


def test_several_datasets_are_one():
    both = ConcatDataset(["ab", "", "cd"])
    assert "".join(both) == "abcd"
    assert both[-1] == "d"
    with pytest.raises(IndexError, match=r"^ConcatDataset: sample 4 of 4 is asked for$"):
        both[4]
    with pytest.raises(ValueError, match="at least one dataset"):
        ConcatDataset([])


def test_plus_joins_datasets():
    data = TensorDataset(np.arange(2)) + TensorDataset(np.arange(3))
    assert [sample[0].item() for sample in data] == [0, 1, 0, 1, 2]


def test_a_dataset_without_getitem_says_so():
    class Empty(Dataset):
        pass

    with pytest.raises(NotImplementedError, match=r"^Empty has no __getitem__"):
        Empty()[0]
    with pytest.raises(NotImplementedError, match=r"^Empty has no __len__"):
        len(Empty())


# -- random_split ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lengths", "sizes"), [([7, 3], [7, 3]), ([0.5, 0.5], [5, 5]), ([0.34, 0.33, 0.33], [4, 3, 3])]
)
def test_every_sample_is_in_exactly_one_part(lengths, sizes):
    parts = random_split(range(10), lengths, generator=0)
    assert [len(part) for part in parts] == sizes
    assert sorted(sample for part in parts for sample in part) == list(range(10))


def test_the_same_seed_gives_the_same_parts():
    first, second, other = ([list(part) for part in random_split(range(50), [0.5, 0.5], seed)] for seed in (1, 1, 2))
    assert first == second != other


def test_without_a_generator_manual_seed_decides():
    def drawn():
        minitorch.manual_seed(3)
        return list(random_split(range(50), [25, 25])[0])

    assert drawn() == drawn()


@pytest.mark.parametrize("lengths", [[5, 4], [0.5, 0.4], [1.5, -0.5], [11, -1]])
def test_lengths_that_do_not_fit_are_refused(lengths):
    with pytest.raises(ValueError, match=r"^random_split: the dataset has 10 samples and lengths is"):
        random_split(range(10), lengths)


# -- default_collate ---------------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    x: float
    y: int


def test_numbers_become_tensors_as_in_pytorch():
    floats, integers, bools = default_collate([(0.5, 1, True), (1.5, 2, False)])
    assert (floats.dtype, integers.dtype, bools.dtype) == (np.float64, np.int64, np.bool_)


def test_arrays_and_tensors_are_stacked():
    assert default_collate([np.ones(2, np.float32)] * 3).shape == (3, 2)
    stacked = default_collate([Tensor([1.0]), Tensor([2.0])])
    assert (stacked.tolist(), stacked.dtype) == ([[1.0], [2.0]], np.float32)


def test_structure_is_kept():
    batch = default_collate([{"pair": Pair(0.5, 1), "name": "a"}, {"pair": Pair(1.5, 2), "name": "b"}])
    assert isinstance(batch["pair"], Pair)
    assert batch["pair"].y.tolist() == [1, 2]
    assert batch["name"] == ["a", "b"]


def test_samples_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match=r"^default_collate: .* different shapes, \(1,\) and \(2,\)"):
        default_collate([np.zeros(1), np.zeros(2)])
    with pytest.raises(ValueError, match=r"different lengths, \[1, 2\]"):
        default_collate([[1], [1, 2]])
    with pytest.raises(TypeError, match=r"^default_collate: cannot batch object"):
        default_collate([object()])
    with pytest.raises(ValueError, match="no samples"):
        default_collate([])
