"""PyTorch's own loader, beside ours: the same batches, structures, dtypes and sizes."""

import numpy as np
import pytest

from minitorch import Tensor, data

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from torch.utils import data as theirs  # noqa: E402

SAMPLES = [
    [1, 2],
    [0.5, 1.5],
    [True, False],
    ["a", "b"],
    [np.float32(1), np.float32(2)],
    [np.arange(3), np.arange(3)],
    [(1, np.ones(2, np.float32)), (2, np.zeros(2, np.float32))],
    [{"x": [1.0, (2, "a")]}, {"x": [3.0, (4, "b")]}],
]


def described(value):
    if isinstance(value, (Tensor, torch.Tensor)):
        return "tensor", str(value.dtype).removeprefix("torch."), value.tolist()
    if isinstance(value, dict):
        return {key: described(each) for key, each in value.items()}
    return [described(each) for each in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("samples", SAMPLES, ids=repr)
def test_default_collate(samples):
    ours, other = data.default_collate(samples), theirs.default_collate(samples)
    assert described(ours) == described(other)
    assert isinstance(ours, list) == isinstance(other, list)


@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("batch_size", [1, 3, 7, 10])
def test_batches(batch_size, drop_last):
    x, y = np.arange(14.0).reshape(7, 2), np.arange(7)
    ours = data.DataLoader(data.TensorDataset(x, y), batch_size, drop_last=drop_last)
    set_ = theirs.TensorDataset(torch.tensor(x), torch.tensor(y))
    other = theirs.DataLoader(set_, batch_size, drop_last=drop_last)
    assert described(list(ours)) == described(list(other))
    assert len(ours) == len(other)


@pytest.mark.parametrize("lengths", [[7, 3], [0.5, 0.5], [0.34, 0.33, 0.33], [0.05, 0.95], [0.25] * 4, [10], [1.0]])
def test_random_split_sizes(lengths):
    ours, other = data.random_split(range(10), lengths), theirs.random_split(range(10), lengths)
    assert [len(part) for part in ours] == [len(part) for part in other]
