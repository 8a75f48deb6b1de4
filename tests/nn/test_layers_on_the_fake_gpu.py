"""Every layer and loss on a device that is not the host: the same numbers, and none that crosses over unasked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import fake_cupy
import numpy as np
import pytest
from layer_cases import CASES, Case, flat, prepared

import minitorch
from minitorch import nn
from minitorch.autograd.handle import constant
from minitorch.backend import moved, to_host

# Where numbers cross, and why.
CROSSES = {
    "Embedding": "row numbers are checked on the host",
    "CrossEntropyLoss": "class numbers are checked on the host",
    "NLLLoss": "class numbers are checked on the host",
    "BCELoss": "probabilities are checked",
    "AvgPool": "windows at the edge have other sizes: a table goes up",
    "Adaptive": "windows differ in size: a table goes up",
    "cumulative": "one over the number of batches is a Python number",
    "BatchNorm2d twice": "one over the number of batches is a Python number",
}


@pytest.fixture(autouse=True)
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    fake_cupy.transfers.clear()
    yield
    fake_cupy.transfers.clear()


def evaluated(case: Case, device: str) -> tuple[list[Any], list[Any]]:
    """Outputs, gradients and buffers, and what has crossed during forward and backward."""
    module, rng = prepared(case, nn, minitorch.tensor)
    module.to(device)
    drawn = [rng.uniform(0.1, 0.9, shape) for shape in case.shapes]
    inputs = [minitorch.tensor(values, device=device, requires_grad=True) for values in drawn]
    fixed = [minitorch.tensor(np.array(values), device=device) for values in case.fixed]
    fake_cupy.transfers.clear()
    outputs = flat(case.run(module, *inputs, *fixed))
    crossed = list(fake_cupy.transfers)
    seeds = [constant(moved(rng.standard_normal(out.shape), device)) for out in outputs]
    fake_cupy.transfers.clear()
    sum((out * seed).sum() for out, seed in zip(outputs, seeds, strict=True)).backward()
    crossed += fake_cupy.transfers
    gradients = [leaf.grad for leaf in [*inputs, *module.parameters()]]
    return [*[out.data for out in outputs], *gradients, *[buffer.data for buffer in module.buffers()]], crossed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_gpu_computes_what_the_cpu_computes(case: Case) -> None:
    expected, _ = evaluated(case, "cpu")
    found, crossed = evaluated(case, "cuda")
    for ours, theirs in zip(found, expected, strict=True):
        assert (ours is None) == (theirs is None)
        if ours is not None:
            assert type(ours) is fake_cupy.ndarray
            np.testing.assert_allclose(to_host(ours), theirs, rtol=1e-10, atol=1e-12)
    assert crossed == [] or any(word in case.name for word in CROSSES)


@pytest.mark.parametrize("word", CROSSES)
def test_every_reason_is_needed(word: str) -> None:
    assert any(evaluated(case, "cuda")[1] for case in CASES if word in case.name)
