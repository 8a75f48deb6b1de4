"""A fused operation and its twin, written from elementary ones, have the same values and gradients."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from op_table.case import Stream

import minitorch
import minitorch.nn.functional
import minitorch.ops
from minitorch import Tensor
from minitorch.autograd.primitive import Operation
from minitorch.nn.functional.standardize import by_batch, by_group, by_instance, by_layer, scaled_to_one
from minitorch.ops import convolution
from minitorch.ops.fused import cross_entropy_rows, cross_entropy_total
from minitorch.ops.window import windows_over
from minitorch.types import Shape

LABELS, SCALE = np.array([0, 2, 1, 1]), np.array([1.0, 0.5, 0.0, 2.0])
ROWS: tuple[Shape, ...] = ((4, 3),)
WINDOWS = windows_over("conv2d", (5, 4), (3, 2), (2, 1), (1, 0), (1, 1))
TWINS: list[tuple[Operation, tuple[Shape, ...], tuple[Any, ...]]] = [
    (minitorch.softmax, ROWS, (-1,)),
    (minitorch.softmax, ROWS, (0,)),
    (minitorch.softmax, ROWS, (0, np.float64)),
    (minitorch.log_softmax, ROWS, (1,)),
    (minitorch.log_softmax, ROWS, (1, np.float64)),
    (minitorch.logsumexp, ROWS, (0,)),
    (minitorch.logsumexp, ROWS, (1, True)),
    (minitorch.logsumexp, ROWS, ((0, 1),)),
    (cross_entropy_rows, ROWS, (LABELS, SCALE)),
    (cross_entropy_rows, ROWS, (LABELS, 0.5)),
    (cross_entropy_total, ROWS, (LABELS, SCALE)),
    (cross_entropy_total, ROWS, (LABELS, 0.25)),
    (minitorch.nn.functional.gelu, ROWS, ("none",)),
    (minitorch.nn.functional.gelu, ROWS, ("tanh",)),
    (by_layer, ((4, 3), (3,), (3,)), ((1, 4, 3), 1e-5)),
    (by_layer, ((2, 2, 3), (2, 3), (2, 3)), ((1, 2, 6), 1e-5)),
    (by_batch, ((4, 3), (3,), (3,)), ((4, 3, 1), 0.1)),
    (by_batch, ((2, 4, 3), (4, 1), (4, 1)), ((2, 4, 3), 1e-5)),
    (by_group, ((2, 4, 3), (4, 1), (4, 1)), ((1, 4, 6), 1e-5)),
    (by_instance, ((2, 4, 3), (4, 1), (4, 1)), ((1, 8, 3), 1e-5)),
    (scaled_to_one, ((4, 3), (3,)), (3, 1e-5)),
    (scaled_to_one, ((4, 3), (3,)), (3, None)),
    (convolution._convolve, ((2, 4, 5, 4), (6, 4, 3, 2), (6,)), (WINDOWS, 1)),
    (convolution._convolve, ((2, 4, 5, 4), (6, 2, 3, 2), (6,)), (WINDOWS, 2)),
]


def values_and_gradients(
    operation: Callable[..., Any], shapes: tuple[Shape, ...], options: tuple[Any, ...]
) -> list[Any]:
    stream = Stream("twins")
    inputs = [Tensor(stream.uniform(-3.0, 3.0, shape), requires_grad=True) for shape in shapes]
    out = operation(*inputs, *options)
    out.backward(stream.uniform(0.5, 1.5, out.shape))
    return [out.data, *[each.grad for each in inputs]]


@pytest.mark.parametrize(("fused", "shapes", "options"), TWINS, ids=lambda part: getattr(part, "__name__", str(part)))
def test_the_twin_agrees(fused: Operation, shapes: tuple[Shape, ...], options: tuple[Any, ...]) -> None:
    twin = fused.declaration.composed
    assert twin is not None
    both = values_and_gradients(fused, shapes, options), values_and_gradients(twin, shapes, options)
    for ours, theirs in zip(*both, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)


def test_every_twin_is_compared() -> None:
    packages = (minitorch.ops, minitorch.nn.functional)
    names = [
        f"{package.__name__}.{module.name}" for package in packages for module in pkgutil.iter_modules(package.__path__)
    ]
    declared = {
        value.declaration
        for name in names
        for value in vars(importlib.import_module(name)).values()
        if hasattr(value, "declaration") and value.declaration.composed
    }
    assert declared == {operation.declaration for operation, _, _ in TWINS}
