"""A fused operation and its twin, written from elementary ones, have the same values and gradients."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from op_table.case import Stream

import minitorch
from minitorch import Tensor
from minitorch.autograd.primitive import Operation
from minitorch.ops.fused import cross_entropy_rows

LABELS, SCALE = np.array([0, 2, 1, 1]), np.array([1.0, 0.5, 0.0, 2.0])
TWINS: list[tuple[Operation, tuple[Any, ...]]] = [
    (minitorch.softmax, (-1,)),
    (minitorch.softmax, (0,)),
    (minitorch.log_softmax, (1,)),
    (minitorch.logsumexp, (0,)),
    (minitorch.logsumexp, (1, True)),
    (minitorch.logsumexp, ((0, 1),)),
    (cross_entropy_rows, (LABELS, SCALE)),
]


def value_and_gradient(operation: Callable[..., Any], options: tuple[Any, ...]) -> tuple[np.ndarray, Any]:
    x = Tensor(Stream("twins").uniform(-3.0, 3.0, (4, 3)), requires_grad=True)
    out = operation(x, *options)
    out.backward(Stream("upstream").uniform(0.5, 1.5, out.shape))
    return out.data, x.grad


@pytest.mark.parametrize(("fused", "options"), TWINS, ids=lambda part: getattr(part, "__name__", ""))
def test_the_twin_agrees(fused: Operation, options: tuple[Any, ...]) -> None:
    twin = fused.declaration.composed
    assert twin is not None
    for ours, theirs in zip(value_and_gradient(fused, options), value_and_gradient(twin, options), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)


def test_every_twin_is_compared() -> None:
    import minitorch.ops.fused
    import minitorch.ops.reduce

    modules = (minitorch.ops.fused, minitorch.ops.reduce)
    declared = {
        value.declaration
        for module in modules
        for value in vars(module).values()
        if hasattr(value, "declaration") and value.declaration.composed
    }
    assert declared == {operation.declaration for operation, _ in TWINS}
