"""What layers refuse, in one sentence that names the layer and what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import nn


def floats(*shape: int) -> Any:
    return minitorch.tensor(np.ones(shape, dtype="float32"))


MISTAKES = [
    (lambda: nn.Linear(-1, 2), ValueError, "Linear: in_features must be 0 or more, not -1"),
    (lambda: nn.Linear(3, 2.0), TypeError, "Linear: out_features must be an integer, not 2.0"),
    (lambda: nn.Embedding("3", 2), TypeError, "Embedding: num_embeddings must be an integer, not '3'"),
    (lambda: nn.Conv2d("3", 4, 2), TypeError, "Conv2d: in_channels must be an integer, not '3'"),
    (lambda: nn.BatchNorm1d(-1), ValueError, "BatchNorm1d: num_features must be 0 or more, not -1"),
    (lambda: nn.LSTM(2, 2.5), TypeError, "LSTM: hidden_size must be an integer, not 2.5"),
    (lambda: nn.GRUCell(-2, 3), ValueError, "GRUCell: input_size must be 0 or more, not -2"),
    (lambda: nn.MultiheadAttention(4.0, 2), TypeError, "MultiheadAttention: embed_dim must be an integer, not 4.0"),
    (lambda: nn.LSTM(3, 4)(floats(5, 2, 3), floats(1, 2, 4)), TypeError, r"LSTM: hx is a pair \(h, c\), not a Tensor"),
    (lambda: nn.Sequential([nn.ReLU()]), TypeError, r"Sequential: .* star before the list, Sequential\(\*layers\)"),
    (lambda: nn.Bilinear(0, 1, 2), ValueError, "Bilinear: in1_features must be at least 1, not 0"),
    (lambda: nn.Dropout(1.5), ValueError, "Dropout: p must be a probability between 0 and 1, not 1.5"),
    (lambda: nn.Dropout2d(-0.1), ValueError, "Dropout2d: p must be a probability"),
    (lambda: nn.Embedding(3, 2, padding_idx=3), IndexError, "Embedding: padding_idx 3 is none of the 3 rows"),
    (lambda: nn.Embedding.from_pretrained(floats(3)), ValueError, r"Embedding.from_pretrained: .*not \(3,\)"),
    (lambda: nn.Embedding(3, 2, _weight=floats(2, 3)), ValueError, r"Embedding: a table of shape \(2, 3\) was given"),
    (lambda: nn.Conv2d(3, 4, 2, groups=2), ValueError, "Conv2d: in_channels=3 must be divisible by groups=2"),
    (lambda: nn.Conv2d(4, 3, 2, groups=2), ValueError, "Conv2d: out_channels=3 must be divisible by groups=2"),
    (lambda: nn.Conv1d(4, 3, 2, groups=0), ValueError, "Conv1d: groups=0 must be at least 1"),
    (lambda: nn.Conv2d(4, 3, 2, padding="full"), ValueError, "Conv2d: padding 'full' is not known: write 'same'"),
    (lambda: nn.Conv2d(4, 3, 2, 2, padding="same"), ValueError, r"Conv2d: padding 'same' needs stride 1, not \(2, 2\)"),
    (lambda: nn.Conv2d(4, 3, (2, 2, 2)), ValueError, "Conv2d: kernel_size 2×2×2 must be one number, or 2"),
    (lambda: nn.Conv1d(4, 3, 2, padding_mode="edge"), ValueError, "Conv1d: padding_mode must be 'zeros', 'reflect'"),
    (lambda: nn.ConvTranspose2d(4, 3, 2, padding="same"), ValueError, "ConvTranspose2d: padding 'same' is not known"),
    (
        lambda: nn.ConvTranspose2d(4, 3, 2, padding_mode="reflect"),
        ValueError,
        "ConvTranspose2d: padding_mode must be 'zeros', not 'reflect'",
    ),
    (
        lambda: nn.ConvTranspose2d(1, 1, 3, stride=3)(floats(1, 1, 2, 2), output_size=(9, 6)),
        ValueError,
        r"ConvTranspose2d: an input of shape \(1, 1, 2, 2\) gives output sizes from \(6, 6\) to \(8, 8\), not \(9, 6\)",
    ),
    (lambda: nn.Conv2d(3, 4, 3)(floats(1, 2, 5, 5)), ValueError, "^conv2d: "),
    (
        lambda: nn.ZeroPad2d((1, 2)),
        ValueError,
        r"ZeroPad2d: padding must be one number or \(left, right, top, bottom\)",
    ),
    (lambda: nn.BatchNorm1d(3)(floats(3)), ValueError, r"BatchNorm1d: input must have shape \(N, C\) or \(N, C, L\)"),
    (
        lambda: nn.BatchNorm3d(3)(floats(2, 3, 1, 1)),
        ValueError,
        r"BatchNorm3d: input must have shape \(N, C, D, H, W\)",
    ),
    (lambda: nn.BatchNorm2d(3)(floats(2, 3)), ValueError, r"BatchNorm2d: input must have shape \(N, C, H, W\), not"),
    (lambda: nn.InstanceNorm1d(3)(floats(2, 4, 5)), ValueError, "InstanceNorm1d: input has 4 channels, but num_fea"),
    (
        lambda: nn.InstanceNorm2d(3)(floats(2, 3)),
        ValueError,
        r"InstanceNorm2d: input must have shape \(N, C, H, W\) or",
    ),
    (lambda: nn.GroupNorm(2, 3), ValueError, "GroupNorm: num_channels=3 do not fall into num_groups=2 equal groups"),
    (lambda: nn.LayerNorm(3)(floats(2, 4)), ValueError, r"layer_norm: input of shape \(2, 4\) does not end with"),
    (lambda: nn.Hardtanh(1.0, 1.0), ValueError, "Hardtanh: min_val 1.0 must be below max_val 1.0"),
    (lambda: nn.Softmax(), TypeError, "dim"),
    (lambda: nn.MSELoss(reduction="avg"), ValueError, "MSELoss: reduction must be 'mean', 'sum' or 'none', not 'avg'"),
    (lambda: nn.KLDivLoss(reduction="avg"), ValueError, "KLDivLoss: reduction must be .* or 'batchmean', not 'avg'"),
    (lambda: nn.CrossEntropyLoss([1.0, 2.0]), TypeError, "CrossEntropyLoss.weight: a buffer is a Tensor or None"),
    (lambda: nn.CrossEntropyLoss()(floats(1, 2), minitorch.tensor([2])), IndexError, "^cross_entropy: "),
    (lambda: nn.MultiheadAttention(6, 4), ValueError, "embed_dim=6 must be a positive multiple of num_heads=4"),
    (
        lambda: nn.MultiheadAttention(6, 2)(floats(2, 1, 6), floats(3, 1, 6), floats(4, 1, 6)),
        ValueError,
        r"query \(2, 1, 6\), key \(3, 1, 6\) and value \(4, 1, 6\) must have shapes \(length, N, 6\)",
    ),
    (
        lambda: nn.MultiheadAttention(6, 2, batch_first=True)(*[floats(2, 3, 6)] * 3, attn_mask=floats(2, 2)),
        ValueError,
        r"attn_mask has shape \(2, 2\), but 3 queries and 3 keys need \(3, 3\) or \(4, 3, 3\)",
    ),
    (
        lambda: nn.MultiheadAttention(6, 2)(*[floats(3, 2, 6)] * 3, key_padding_mask=floats(3, 2)),
        ValueError,
        r"key_padding_mask has shape \(3, 2\), but 2 rows of 3 keys need \(2, 3\)",
    ),
    (
        lambda: nn.MultiheadAttention(6, 2)(*[floats(3, 6)] * 3, attn_mask=minitorch.zeros(3, 3, dtype="int64")),
        TypeError,
        "attn_mask must hold bools or floats, not int64",
    ),
    (
        lambda: nn.MultiheadAttention(6, 2)(*[floats(3, 6)] * 3, is_causal=True),
        ValueError,
        "is_causal says of what kind attn_mask is: pass the mask too",
    ),
    (
        lambda: nn.TransformerEncoderLayer(4, 2, activation="swish"),
        ValueError,
        "TransformerEncoderLayer: activation must be 'relu', 'gelu' or a function, not 'swish'",
    ),
    (lambda: nn.LSTM(3, 0), ValueError, "LSTM: hidden_size=0 and num_layers=1 must be at least 1"),
    (lambda: nn.LSTM(3, 4, proj_size=4), ValueError, "LSTM: .* proj_size=4 below hidden_size"),
    (lambda: nn.GRU(3, 4, 2, dropout=2), ValueError, "GRU: dropout must be a probability between 0 and 1, not 2"),
    (lambda: nn.RNN(3, 4, nonlinearity="sin"), ValueError, "RNN: nonlinearity must be 'tanh' or 'relu', not 'sin'"),
    (lambda: nn.RNNCell(3, 4, nonlinearity="sin"), ValueError, "RNNCell: nonlinearity must be 'tanh' or 'relu'"),
    (lambda: nn.LSTM(3, 4)(floats(2, 2, 5)), ValueError, r"LSTM: input must have shape \(T, N, 3\) or \(T, 3\), not"),
    (
        lambda: nn.GRU(3, 4, batch_first=True)(floats(2, 0, 3)),
        ValueError,
        r"GRU: input of shape \(2, 0, 3\) has no steps",
    ),
    (
        lambda: nn.LSTM(3, 4)(floats(5, 2, 3), (floats(1, 2, 4), floats(1, 2, 3))),
        ValueError,
        r"LSTM: c has shape \(1, 2, 3\), but an input of shape \(5, 2, 3\) needs \(1, 2, 4\)",
    ),
    (
        lambda: nn.GRU(3, 4)(floats(5, 3), floats(1, 1, 4)),
        ValueError,
        r"GRU: hx has shape \(1, 1, 4\), .* needs \(1, 4\)",
    ),
    (
        lambda: nn.GRUCell(3, 4)(floats(2, 4)),
        ValueError,
        r"GRUCell: input must have shape \(N, 3\) or \(3,\), not \(2, 4\)",
    ),
    (
        lambda: nn.LSTMCell(3, 4)(floats(2, 3), (floats(2, 4), floats(1, 4))),
        ValueError,
        r"LSTMCell: c has shape \(1, 4\), but an input of shape \(2, 3\) needs \(2, 4\)",
    ),
]


@pytest.mark.parametrize(("wrong", "error", "message"), MISTAKES)
def test_each_mistake_is_one_sentence(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        wrong()
    assert "\n" not in str(caught.value)


def test_dropout_in_one_layer_is_a_warning() -> None:
    with pytest.warns(UserWarning, match="LSTM: dropout=0.5 works between layers, and there is one layer only") as seen:
        nn.LSTM(3, 4, dropout=0.5)
    assert seen[0].filename == __file__
