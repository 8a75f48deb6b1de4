"""How weights start: PyTorch's distributions, found again in many numbers, and exact where they are constants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import nn


@pytest.fixture(autouse=True)
def seed() -> None:
    minitorch.manual_seed(0)


def fills(values: Any, bound: float) -> None:
    """Uniform in ±bound: nothing beyond, and mean, deviation and extremes as they should be."""
    numbers = values.data.astype(np.float64).reshape(-1)
    spread = bound / math.sqrt(3)
    error = 5 / math.sqrt(numbers.size)
    assert np.abs(numbers).max() <= bound * (1 + 1e-6)
    assert np.abs(numbers).max() > bound * (1 - 20 / numbers.size)
    assert abs(numbers.mean()) < error * spread
    assert abs(numbers.std() / spread - 1) < error


UNIFORM = [
    ("Linear", lambda: nn.Linear(49, 300), {"weight": 49, "bias": 49}),
    ("Bilinear", lambda: nn.Bilinear(25, 7, 300), {"weight": 25, "bias": 25}),
    ("Conv1d", lambda: nn.Conv1d(12, 600, 3, groups=2), {"weight": 18, "bias": 18}),
    ("Conv2d", lambda: nn.Conv2d(6, 300, (2, 3)), {"weight": 36, "bias": 36}),
    ("ConvTranspose1d", lambda: nn.ConvTranspose1d(20, 300, 4), {"weight": 1200, "bias": 1200}),
    ("ConvTranspose2d", lambda: nn.ConvTranspose2d(6, 300, (2, 3), groups=2), {"weight": 900, "bias": 900}),
    ("RNNCell", lambda: nn.RNNCell(7, 64), dict.fromkeys(("weight_ih", "weight_hh", "bias_ih", "bias_hh"), 64)),
    ("LSTM", lambda: nn.LSTM(7, 64, 2), {"weight_ih_l0": 64, "weight_hh_l1": 64, "bias_ih_l0": 64, "bias_hh_l1": 64}),
    ("GRU", lambda: nn.GRU(7, 64, bidirectional=True), {"weight_ih_l0_reverse": 64, "bias_hh_l0": 64}),
]


@pytest.mark.parametrize(("make", "counts"), [row[1:] for row in UNIFORM], ids=[row[0] for row in UNIFORM])
def test_weight_and_bias_are_uniform_in_one_over_the_root_of_the_count(make: Any, counts: dict[str, int]) -> None:
    module = make()
    for name, count in counts.items():
        fills(getattr(module, name), 1 / math.sqrt(count))


def test_attention_is_xavier_uniform_and_its_biases_are_zero() -> None:
    attention = nn.MultiheadAttention(48, 4)
    fills(attention.in_proj_weight, math.sqrt(6 / (48 + 144)))
    fills(attention.out_proj.weight, 1 / math.sqrt(48))
    assert not attention.in_proj_bias.data.any()
    assert not attention.out_proj.bias.data.any()
    apart = nn.MultiheadAttention(48, 4, kdim=30, vdim=60)
    for weight, size in ((apart.q_proj_weight, 48), (apart.k_proj_weight, 30), (apart.v_proj_weight, 60)):
        fills(weight, math.sqrt(6 / (48 + size)))


def test_an_embedding_is_standard_normal_but_for_its_padding() -> None:
    table = nn.Embedding(300, 40, padding_idx=-300).weight.data
    assert not table[0].any()
    assert abs(table[1:].mean()) < 0.05
    assert abs(table[1:].std() - 1) < 0.05


def test_norms_start_as_if_they_were_not_there() -> None:
    for layer in (nn.BatchNorm1d(3), nn.LayerNorm(3), nn.GroupNorm(1, 3), nn.InstanceNorm2d(3, affine=True)):
        assert layer.weight.tolist() == [1.0] * 3
        assert layer.bias.tolist() == [0.0] * 3
    norm = nn.BatchNorm2d(2)
    assert (norm.running_mean.tolist(), norm.running_var.tolist()) == ([0.0, 0.0], [1.0, 1.0])
    assert norm.num_batches_tracked.dtype == np.int64
    assert norm.num_batches_tracked.item() == 0


def test_prelu_starts_at_a_quarter() -> None:
    assert nn.PReLU(2).weight.tolist() == [0.25, 0.25]


def test_the_same_seed_makes_the_same_layers() -> None:
    def drawn() -> Any:
        minitorch.manual_seed(7)
        return nn.Sequential(nn.Linear(3, 4), nn.LSTM(4, 2), nn.Embedding(3, 2)).state_dict()

    first, second = drawn(), drawn()
    assert all(np.array_equal(first[name].data, second[name].data) for name in first)


@pytest.mark.parametrize(
    "module",
    [
        nn.Linear(2, 3, dtype="float64"),
        nn.Conv2d(1, 2, 3, dtype="float64"),
        nn.BatchNorm2d(3, dtype="float64"),
        nn.LSTM(2, 3, dtype="float64"),
        nn.Embedding(2, 3, dtype="float64"),
        nn.TransformerEncoderLayer(4, 2, 8, dtype="float64"),
        nn.PReLU(dtype="float64"),
        nn.GroupNorm(1, 2, dtype="float64"),
    ],
    ids=lambda module: type(module).__name__,
)
def test_dtype_is_that_of_all_floats(module: Any) -> None:
    kinds = {value.dtype for name, value in module.state_dict().items() if not name.endswith("tracked")}
    assert kinds == {np.dtype("float64")}


def test_resetting_draws_again() -> None:
    for module in (nn.Linear(3, 4), nn.Conv1d(2, 3, 2), nn.GRU(2, 3), nn.Embedding(3, 4), nn.LSTMCell(2, 3)):
        before = [parameter.data.copy() for parameter in module.parameters()]
        module.reset_parameters()
        after = [parameter.data for parameter in module.parameters()]
        assert all((old != new).any() for old, new in zip(before, after, strict=True))
