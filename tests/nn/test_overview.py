"""nn.summary: layers, shapes, parameters; the model is afterwards what it was."""

from __future__ import annotations

import numpy as np
import pytest

import minitorch
from minitorch import nn


class Shared(nn.Module):
    """One layer under two names, one that is never called, one that gives a tuple."""

    def __init__(self):
        super().__init__()
        self.first = self.again = nn.Linear(3, 3)
        self.idle = nn.Linear(3, 5)
        self.rnn = nn.LSTM(3, 2, batch_first=True)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x, scale=1.0):
        out, _ = self.rnn(self.again(self.first(x)) * scale)
        return self.norm(out)


def test_it_lists_layers_shapes_and_parameters():
    found = nn.summary(Shared(), minitorch.ones(7, 4, 3), scale=2.0)
    assert [tuple(each) for each in found.layers] == [
        ("", "Shared", (7, 4, 2), 0),
        ("first", "Linear", (7, 4, 3), 12),
        ("idle", "Linear", None, 20),
        ("rnn", "LSTM", ((7, 4, 2), ((1, 7, 2), (1, 7, 2))), 4 * 2 * (3 + 2 + 2)),
        ("norm", "BatchNorm1d", (7, 4, 2), 8),
    ]
    assert found.parameters == found.trainable == 12 + 20 + 56 + 8
    assert found.bytes == found.parameters * 4
    assert "96 parameters" in repr(found)


def test_frozen_parameters_are_not_trained():
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    model[0].requires_grad_(False)
    found = nn.summary(model, minitorch.ones(1, 2))
    assert (found.parameters, found.trainable) == (9, 3)


def test_the_model_is_afterwards_what_it_was():
    model = Shared()
    model.norm.eval()
    before = {name: np.array(value.numpy()) for name, value in model.state_dict().items()}
    nn.summary(model, minitorch.ones(2, 4, 3))
    assert model.training
    assert not model.norm.training
    assert all((model.state_dict()[name].numpy() == value).all() for name, value in before.items())
    assert not any(each._forward_hooks for each in model.modules())


def test_what_the_call_raises_comes_through_and_leaves_nothing_behind():
    model = nn.Sequential(nn.Linear(2, 2))
    with pytest.raises(ValueError, match="linear"):
        nn.summary(model, minitorch.ones(1, 3))
    assert model.training
    assert not model[0]._forward_hooks


def test_it_wants_a_module():
    with pytest.raises(TypeError, match="the model is a Module, not a Tensor"):
        nn.summary(minitorch.ones(2), minitorch.ones(2))


def test_pytorch_counts_the_same():
    torch = pytest.importorskip("torch")
    ours, theirs = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten()), torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3))
    assert nn.summary(ours, minitorch.zeros(1, 3, 5, 5)).parameters == sum(p.numel() for p in theirs.parameters())
