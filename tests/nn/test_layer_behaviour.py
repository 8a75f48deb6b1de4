"""What layers do beyond their numbers: modes, memory, copies, masks, and the arguments that change nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn


@pytest.fixture(autouse=True)
def seed() -> None:
    minitorch.manual_seed(0)


def draw(*shape: int) -> Tensor:
    return minitorch.randn(*shape, dtype="float64")


# -- text --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "text"),
    [
        (nn.ReLU(inplace=True), "ReLU(inplace=True)"),
        (nn.ReLU6(inplace=True), "ReLU6(inplace=True)"),
        (nn.LeakyReLU(0.2, inplace=True), "LeakyReLU(negative_slope=0.2, inplace=True)"),
        (nn.ELU(inplace=True), "ELU(alpha=1.0, inplace=True)"),
        (nn.CELU(inplace=True), "CELU(alpha=1.0, inplace=True)"),
        (nn.SELU(inplace=True), "SELU(inplace=True)"),
        (nn.SiLU(inplace=True), "SiLU(inplace=True)"),
        (nn.Mish(inplace=True), "Mish(inplace=True)"),
        (nn.Hardtanh(inplace=True), "Hardtanh(min_val=-1.0, max_val=1.0, inplace=True)"),
        (nn.Hardswish(inplace=True), "Hardswish()"),
        (nn.Hardsigmoid(inplace=True), "Hardsigmoid()"),
        (nn.Dropout(inplace=True), "Dropout(p=0.5, inplace=True)"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_inplace_is_shown_and_changes_nothing(module: Any, text: str) -> None:
    assert repr(module) == text
    x = draw(4)
    before = x.numpy().copy()
    module(x)
    np.testing.assert_array_equal(x.data, before)


def test_layers_are_not_each_others_kind() -> None:
    assert isinstance(nn.ReLU6(), nn.Hardtanh)
    assert not isinstance(nn.CELU(), nn.ELU)
    assert not isinstance(nn.LogSoftmax(0), nn.Softmax)
    assert not isinstance(nn.Dropout2d(), nn.Dropout)
    assert not isinstance(nn.GRU(2, 3), nn.RNN)


# -- dropout, embedding ------------------------------------------------------------------------------------------------


def test_dropout_drops_while_training_only() -> None:
    layer, x = nn.Dropout(0.25), minitorch.ones(10_000)
    dropped = layer(x).data
    assert set(np.unique(dropped)) == {np.float32(0), np.float32(1 / 0.75)}
    assert abs((dropped == 0).mean() - 0.25) < 0.03
    assert layer.eval()(x) is x


def test_a_pretrained_table_is_shared_and_frozen() -> None:
    table = draw(3, 2)
    frozen, trained = nn.Embedding.from_pretrained(table), nn.Embedding.from_pretrained(table, freeze=False)
    assert not frozen.weight.requires_grad
    assert trained.weight.requires_grad
    assert np.shares_memory(frozen.weight.data, table.data)


# -- batch norm --------------------------------------------------------------------------------------------------------


def test_running_statistics_move_in_the_memory_that_state_dict_shows() -> None:
    layer = nn.BatchNorm1d(2)
    state = layer.state_dict()
    x = minitorch.tensor(np.array([[0.0, 10.0], [2.0, 10.0]], dtype="float32"))
    layer(x)
    np.testing.assert_allclose(state["running_mean"].data, [0.1, 1.0], rtol=1e-6)
    np.testing.assert_allclose(state["running_var"].data, [0.9 + 0.1 * 2, 0.9], rtol=1e-6)
    assert state["num_batches_tracked"].item() == 1
    layer.eval()(x)
    assert state["num_batches_tracked"].item() == 1
    layer.reset_running_stats()
    assert state["running_var"].tolist() == [1.0, 1.0]


def test_momentum_none_is_the_mean_of_all_batches() -> None:
    layer, batches = nn.BatchNorm1d(3, momentum=None).double(), [draw(5, 3) for _ in range(4)]
    for batch in batches:
        layer(batch)
    np.testing.assert_allclose(layer.running_mean.data, np.mean([b.data.mean(0) for b in batches], axis=0))
    np.testing.assert_allclose(layer.running_var.data, np.mean([b.data.var(0, ddof=1) for b in batches], axis=0))


def test_a_batch_that_is_refused_is_not_counted_for_its_axes() -> None:
    layer = nn.BatchNorm2d(3)
    with pytest.raises(ValueError, match="BatchNorm2d"):
        layer(draw(2, 3))
    assert layer.num_batches_tracked.item() == 0


# -- attention ---------------------------------------------------------------------------------------------------------


def test_attention_weights_are_shares_and_nothing_masked_is_seen() -> None:
    attention, x = nn.MultiheadAttention(8, 2, batch_first=True).double(), draw(3, 5, 8)
    causal = minitorch.ones(5, 5, dtype="bool").triu(1)
    _, weights = attention(x, x, x, attn_mask=causal, average_attn_weights=False)
    assert weights.shape == (3, 2, 5, 5)
    np.testing.assert_allclose(weights.data.sum(-1), 1.0)
    assert not weights.data[..., causal.data].any()


def test_a_query_that_may_see_nothing_gets_zeros() -> None:
    attention, x = nn.MultiheadAttention(4, 2, batch_first=True).double(), draw(1, 3, 4)
    out, weights = attention(x, x, x, key_padding_mask=minitorch.tensor([[True, True, True]]))
    assert not weights.data.any()
    np.testing.assert_allclose(out.data, np.broadcast_to(attention.out_proj.bias.data, (1, 3, 4)))


def test_bools_and_minus_infinity_mask_alike() -> None:
    attention, x = nn.MultiheadAttention(4, 2).double(), draw(3, 2, 4)
    hidden = np.triu(np.ones((3, 3), dtype=bool), 1)
    by_bool, _ = attention(x, x, x, attn_mask=minitorch.tensor(hidden))
    by_float, _ = attention(x, x, x, attn_mask=minitorch.tensor(np.where(hidden, -np.inf, 0.0)))
    np.testing.assert_array_equal(by_bool.data, by_float.data)


def test_one_product_or_three_give_the_same() -> None:
    attention, x = nn.MultiheadAttention(6, 3).double(), draw(4, 2, 6)
    together, _ = attention(x, x, x)
    apart, _ = attention(x, x.clone(), x.clone())
    np.testing.assert_allclose(together.data, apart.data, atol=1e-14)


def test_attention_drops_weights_while_training() -> None:
    attention, x = nn.MultiheadAttention(4, 2, dropout=0.5, batch_first=True), minitorch.randn(2, 6, 4)
    _, weights = attention(x, x, x, average_attn_weights=False)
    assert (weights.data == 0).any()
    assert (attention.eval()(x, x, x)[1].data > 0).all()


def test_an_encoders_layers_are_copies() -> None:
    layer = nn.TransformerEncoderLayer(4, 2, 8)
    encoder = nn.TransformerEncoder(layer, 3)
    weights = [each.linear1.weight for each in encoder.layers] + [layer.linear1.weight]
    for place, weight in enumerate(weights):
        np.testing.assert_array_equal(weight.data, weights[0].data)
        assert not any(np.shares_memory(weight.data, other.data) for other in weights[:place])


# -- recurrent ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_a_network_is_its_cell_step_by_step(kind: str) -> None:
    network, cell = getattr(nn, kind)(3, 4).double(), getattr(nn, f"{kind}Cell")(3, 4).double()
    cell.load_state_dict({name.removesuffix("_l0"): value for name, value in network.state_dict().items()})
    x, state = draw(6, 2, 3), None
    outputs, _ = network(x)
    for step in range(6):
        state = cell(x[step], state)
        h = state[0] if kind == "LSTM" else state
        np.testing.assert_allclose(h.data, outputs.data[step], atol=1e-14)


@pytest.mark.parametrize("kind", [nn.GRU, nn.LSTM])
def test_a_graph_that_is_kept_is_walked_twice_with_seeds_in_one_array(kind: type[nn.Module]) -> None:
    network, x, seed = kind(3, 4).double(), draw(5, 2, 3), np.ones((5, 2, 4))
    output, _ = network(x)
    found = []
    for factor in (1.0, 3.0):
        network.zero_grad()
        seed *= factor
        output.backward(seed, retain_graph=True)
        found.append([parameter.grad.copy() for parameter in network.parameters()])
    for first, second in zip(*found, strict=True):
        np.testing.assert_allclose(second, 3 * first, rtol=1e-12)


def test_the_second_direction_reads_from_the_end() -> None:
    both, backwards = nn.GRU(3, 4, bidirectional=True).double(), nn.GRU(3, 4).double()
    state = both.state_dict()
    backwards.load_state_dict({name: state[f"{name}_reverse"] for name in backwards.state_dict()})
    x = draw(5, 2, 3)
    out, h = both(x)
    other, last = backwards(x.flip(0))
    np.testing.assert_allclose(out.data[..., 4:], other.data[::-1], atol=1e-14)
    np.testing.assert_allclose(h.data[1], last.data[0], atol=1e-14)


def test_a_state_carries_a_sequence_on() -> None:
    network, x = nn.LSTM(3, 4, 2).double(), draw(6, 2, 3)
    whole, _ = network(x)
    first, state = network(x[:2])
    second, _ = network(x[2:], state)
    np.testing.assert_allclose(minitorch.cat([first, second]).data, whole.data, atol=1e-14)


def test_dropout_works_between_the_layers_only() -> None:
    network, x = nn.RNN(3, 4, 2, dropout=0.9), minitorch.randn(5, 2, 3)
    assert not np.array_equal(network(x)[0].data, network(x)[0].data)
    assert (network(x)[0].data != 0).all()
    network.eval()
    np.testing.assert_array_equal(network(x)[0].data, network(x)[0].data)


def test_states_have_the_networks_float() -> None:
    out, (h, c) = nn.LSTM(3, 4)(minitorch.randn(5, 2, 3))
    assert {out.dtype, h.dtype, c.dtype} == {np.dtype("float32")}
