"""Lazy layers: what they become is the ordinary layer, as in PyTorch."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn
from minitorch.compat.nn import lazy

SHAPES = {"1d": (2, 3, 5), "2d": (2, 3, 5, 4), "3d": (2, 3, 4, 3, 3), "ar": (2, 3)}
OPTIONS: dict[str, dict[str, Any]] = {
    "Linear": {"out_features": 4, "bias": False},
    "Conv": {"out_channels": 6, "kernel_size": 2, "padding": 1, "groups": 3},
    "Batch": {"momentum": 0.3},
    "Instance": {"affine": True, "track_running_stats": True},
}


def options_of(name: str) -> dict[str, Any]:
    return next(options for kind, options in OPTIONS.items() if kind in name)


def drawn(name: str) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(SHAPES[name[-2:]])


@pytest.mark.parametrize("name", lazy.__all__)
def test_it_becomes_the_ordinary_layer_and_its_parameters_stay(name: str) -> None:
    minitorch.manual_seed(0)
    layer = getattr(nn, name)(**options_of(name)).double()
    before = list(layer.parameters())
    minitorch.manual_seed(1)
    layer(Tensor(drawn(name)))
    assert type(layer).__name__ == name.removeprefix("Lazy")
    assert all(one is other for one, other in zip(before, layer.parameters(), strict=True))
    minitorch.manual_seed(1)
    ordinary = type(layer)(3, **options_of(name)).double()
    ordinary(Tensor(drawn(name)))
    assert repr(layer) == repr(ordinary)
    for (label, one), (other, value) in zip(layer.state_dict().items(), ordinary.state_dict().items(), strict=True):
        assert (label, one.dtype) == (other, value.dtype)
        np.testing.assert_array_equal(one.data, value.data)


@pytest.mark.parametrize("name", lazy.__all__)
def test_beside_installed_pytorch(name: str, torch: Any) -> None:
    ours, theirs = getattr(nn, name)(**options_of(name)), getattr(torch.nn, name)(**options_of(name))
    assert repr(ours) == repr(theirs)
    ours(Tensor(drawn(name).astype("f")))
    theirs(torch.tensor(drawn(name).astype("f")))
    assert repr(ours) == repr(theirs)
    assert {label: value.shape for label, value in ours.state_dict().items()} == {
        label: tuple(value.shape) for label, value in theirs.state_dict().items()
    }
    signatures = [inspect.signature(getattr(module, name)).parameters for module in (nn, torch.nn)]
    assert [(each.name, each.default) for each in signatures[0].values()] == [
        (each.name, each.default) for each in signatures[1].values()
    ]


def test_a_network_of_them_is_trained_by_an_optimiser_that_was_made_before() -> None:
    minitorch.manual_seed(0)
    model = nn.Sequential(nn.LazyLinear(8), nn.Tanh(), nn.LazyLinear(1))
    optimizer = minitorch.optim.Adam(model.parameters(), lr=0.05)
    x = minitorch.randn(32, 3)
    losses = []
    for _ in range(60):
        loss = (model(x) - x.sum(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.1 * losses[0]
