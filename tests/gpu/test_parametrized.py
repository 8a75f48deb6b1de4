"""Weights that are computed, and lazy layers, on a device that is not the host: the same numbers."""

from typing import Any

import fake_cupy
import numpy as np
import pytest
from fake_cupy import uncounted

import minitorch
from minitorch import Tensor, nn

MADE: dict[str, Any] = {
    "weight_norm": lambda: nn.utils.parametrizations.weight_norm(nn.Linear(3, 4)),
    "older weight_norm": lambda: nn.utils.weight_norm(nn.Linear(3, 4)),
    "spectral_norm": lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(3, 4)),
    "older spectral_norm": lambda: nn.utils.spectral_norm(nn.Linear(3, 4)),
    **{
        by: lambda by=by: nn.utils.parametrizations.orthogonal(nn.Linear(3, 4), orthogonal_map=by)
        for by in ("matrix_exp", "cayley", "householder")
    },
    "lazy": lambda: nn.LazyLinear(4),
}


@pytest.mark.parametrize("name", MADE)
def test_the_gpu_computes_what_the_cpu_computes(name: str) -> None:
    found = []
    for device in ("cpu", "cuda"):
        minitorch.manual_seed(0)
        module = MADE[name]().double().to(device)
        out = module(Tensor(np.linspace(-1, 1, 6).reshape(2, 3), device=device))
        (out * out).sum().backward()
        with uncounted():
            found.append([fake_cupy.asnumpy(each) for each in (out.data, *[p.grad for p in module.parameters()])])
        assert all((type(p.data) is fake_cupy.ndarray) is (device == "cuda") for p in module.parameters())
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
