"""A fused operation and its declared twin (`composed=`): the same values, gradients and gradients of gradients.

The twin is what `create_graph=True` differentiates; every case of the op table (test_cases.py) compares its gradients
too. Here each is called on its own, whichever gradients are wanted, and with what no public function hands on.
"""

import importlib
import itertools
import pkgutil
from typing import Any

import numpy as np
import pytest
from op_table.case import Stream

import minitorch
import minitorch.compat.nn.functional
import minitorch.compat.ops
import minitorch.nn.functional
import minitorch.ops
from minitorch import Tensor, grad
from minitorch.autograd.operation import Declaration
from minitorch.autograd.primitive import Operation
from minitorch.compat.nn._recurrence import gru_sequence, lstm_sequence
from minitorch.compat.nn.functional.batchnorm import by_instance
from minitorch.compat.nn.functional.norm import by_group
from minitorch.nn.functional import conv as convolution
from minitorch.nn.functional._standardize import by_batch, by_layer
from minitorch.nn.functional._windows import windows_over
from minitorch.ops.softmax import cross_entropy_rows, cross_entropy_total
from minitorch.types import Shape

LABELS, SCALE = np.array([0, 2, 1, 1]), np.array([1.0, 0.5, 0.0, 2.0])
MATRIX: tuple[Shape, ...] = ((4, 3),)
WINDOWS = windows_over("conv2d", (5, 4), (3, 2), (2, 1), (1, 0), (1, 1))
GOING = np.array([[1, 1], [1, 0], [0, 1], [1, 0]], bool)[..., None]
LSTM: tuple[Shape, ...] = ((4, 2, 12), (2, 3), (2, 3), (12, 3), (12,))
GRU: tuple[Shape, ...] = ((4, 2, 9), (2, 3), (9, 3), (9,))
DECLARED: list[tuple[Operation, tuple[Shape, ...], tuple[Any, ...]]] = [
    (minitorch.softmax, MATRIX, (-1,)),
    (minitorch.softmax, MATRIX, (0,)),
    (minitorch.softmax, MATRIX, (0, np.float64)),
    (minitorch.log_softmax, MATRIX, (1,)),
    (minitorch.log_softmax, MATRIX, (1, np.float64)),
    (minitorch.logsumexp, MATRIX, (0,)),
    (minitorch.logsumexp, MATRIX, (1, True)),
    (minitorch.logsumexp, MATRIX, ((0, 1),)),
    (cross_entropy_rows, MATRIX, (LABELS, SCALE)),
    (cross_entropy_rows, MATRIX, (LABELS, 0.5)),
    (cross_entropy_total, MATRIX, (LABELS, SCALE)),
    (cross_entropy_total, MATRIX, (LABELS, 0.25)),
    (minitorch.nn.functional.gelu, MATRIX, ("none",)),
    (minitorch.nn.functional.gelu, MATRIX, ("tanh",)),
    (by_layer, ((4, 3), (3,), (3,)), ((1, 4, 3), 1e-5)),
    (by_layer, ((2, 2, 3), (2, 3), (2, 3)), ((1, 2, 6), 1e-5)),
    (by_batch, ((4, 3), (3,), (3,)), ((4, 3, 1), 0.1)),
    (by_batch, ((2, 4, 3), (4, 1), (4, 1)), ((2, 4, 3), 1e-5)),
    (by_group, ((2, 4, 3), (4, 1), (4, 1)), ((1, 4, 6), 1e-5)),
    (by_instance, ((2, 4, 3), (4, 1), (4, 1)), ((1, 8, 3), 1e-5)),
    (convolution._convolve, ((2, 4, 5, 4), (6, 4, 3, 2), (6,)), (WINDOWS, 1)),
    (convolution._convolve, ((2, 4, 5, 4), (6, 2, 3, 2), (6,)), (WINDOWS, 2)),
    *[
        (sequence, shapes, options)
        for sequence, shapes in ((lstm_sequence, LSTM), (gru_sequence, GRU))
        for options in ((), (None, True), (GOING,), (GOING, True))
    ],
    (lstm_sequence, LSTM[:4], (0.0,)),
    (gru_sequence, GRU[:3], (0.0, None, True)),
    (lstm_sequence, ((1, 1, 4), (1, 1), (1, 1), (4, 1), (4,)), ()),
]


IDS = [f"{fused.__name__} {number}" for number, (fused, *_) in enumerate(DECLARED)]


def results(function: Any, arrays: list[np.ndarray], options: tuple[Any, ...], wanted: tuple[int, ...]) -> list[Any]:
    """The value; the gradients of `wanted`; then those of a sum of them, for `wanted` and for the upstream gradient."""
    tensors = [Tensor(array, requires_grad=place in wanted) for place, array in enumerate(arrays)]
    stream = Stream("upstream and directions")
    out = function(*tensors, *options)
    seed = Tensor(stream.uniform(0.5, 1.5, out.shape), requires_grad=True)
    variables = [tensors[place] for place in wanted]
    out.backward(seed.data, retain_graph=True)  # on arrays; what follows, on Tensors, asks the declared twin
    first = grad(out, variables, seed, create_graph=True)
    total = sum((slope * stream.uniform(0.5, 1.5, slope.shape)).sum() for slope in first)
    second = grad(total, [*variables, seed], materialize_grads=True)
    return [out.data, *[each.grad for each in variables], *[each.data for each in (*first, *second)]]


@pytest.mark.parametrize(("fused", "shapes", "options"), DECLARED, ids=IDS)
def test_a_fused_operation_is_its_twin(fused: Operation, shapes: tuple[Shape, ...], options: tuple[Any, ...]) -> None:
    stream = Stream(fused.__name__)
    arrays = [stream.uniform(-2.0, 2.0, shape) for shape in shapes]
    for count in range(1, len(arrays) + 1):
        for wanted in itertools.combinations(range(len(arrays)), count):
            ours, theirs = (results(each, arrays, options, wanted) for each in (fused, fused.declaration.composed))
            for one, other in zip(ours, theirs, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12 * np.abs(other).max(initial=1.0))


def test_every_declared_twin_is_compared() -> None:
    found = set()
    for package in (minitorch.ops, minitorch.autograd, minitorch.nn, minitorch.compat):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            values = vars(importlib.import_module(module.name)).values()
            found |= {
                each.declaration for each in values if isinstance(getattr(each, "declaration", None), Declaration)
            }
    assert {each for each in found if each.composed} == {fused.declaration for fused, *_ in DECLARED}
