"""A fused operation and its twin, made of elementary ones: the same values, gradients and gradients of gradients.

The declared twin (`composed=`) is what `create_graph=True` differentiates. The twin table has another one for every
operation that is computed as one, declared or not, written down as a lesson derives it.
"""

import importlib
import itertools
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from op_table.case import exactly, signed
from twin_table import ELEMENTARY, OF_GRADIENTS, ROWS, Row, operations

import minitorch
import minitorch.compat.nn.functional
import minitorch.compat.ops
import minitorch.nn.functional
import minitorch.ops
from minitorch import Tensor, grad
from minitorch.autograd.operation import Declaration
from minitorch.autograd.primitive import Operation
from minitorch.compat.nn.functional import ctc
from minitorch.compat.nn.functional.batchnorm import by_instance
from minitorch.compat.nn.functional.norm import by_group, rms_scaled
from minitorch.compat.nn._recurrence import gru_sequence, lstm_sequence
from minitorch.nn.functional import conv as convolution
from minitorch.nn.functional._standardize import by_batch, by_layer
from minitorch.nn.functional._windows import windows_over
from minitorch.ops.softmax import cross_entropy_rows, cross_entropy_total
from minitorch.types import Shape

LABELS, SCALE = np.array([0, 2, 1, 1]), np.array([1.0, 0.5, 0.0, 2.0])
MATRIX: tuple[Shape, ...] = ((4, 3),)
WINDOWS = windows_over("conv2d", (5, 4), (3, 2), (2, 1), (1, 0), (1, 1))
GOING = np.array([[1, 1], [1, 0], [0, 1], [1, 0]], bool)[..., None]
WALK = ctc._walk(np.zeros((4, 2, 3)), np.array([[1, 2], [0, 0]]), np.array([4, 3]), np.array([2, 1]), 0)
IMPOSSIBLE = ctc._walk(np.zeros((2, 2, 3)), np.array([[1, 1], [2, 0]]), np.array([2, 2]), np.array([2, 1]), 0)
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
    (rms_scaled, ((4, 3), (3,)), (3, 1e-5)),
    (rms_scaled, ((4, 3), (3,)), (3, None)),
    (convolution._convolve, ((2, 4, 5, 4), (6, 4, 3, 2), (6,)), (WINDOWS, 1)),
    (convolution._convolve, ((2, 4, 5, 4), (6, 2, 3, 2), (6,)), (WINDOWS, 2)),
    (ctc._surprise, ((4, 2, 3),), (WALK, False)),
    (ctc._surprise, ((2, 2, 3),), (IMPOSSIBLE, True)),
    *[
        (sequence, shapes, options)
        for sequence, shapes in ((lstm_sequence, LSTM), (gru_sequence, GRU))
        for options in ((), (None, True), (GOING,), (GOING, True))
    ],
    (lstm_sequence, LSTM[:4], (0.0,)),
    (gru_sequence, GRU[:3], (0.0, None, True)),
    (lstm_sequence, ((1, 1, 4), (1, 1), (1, 1), (4, 1), (4,)), ()),
]


def with_options(operation: Callable[..., Any], options: tuple[Any, ...]) -> Callable[..., Any]:
    return lambda *tensors: operation(*tensors, *options)


DECLARED_ROWS = [
    Row(
        f"{fused.__name__} {number}, declared",
        with_options(fused, options),
        with_options(fused.declaration.composed, options),
        [signed(*shape) for shape in shapes],
    )
    for number, (fused, shapes, options) in enumerate(DECLARED)
]
every_row = pytest.mark.parametrize("row", [*DECLARED_ROWS, *ROWS], ids=lambda row: row.title)


def results(row: Row, function: Callable[..., Any], arrays: list[np.ndarray], wanted: tuple[int, ...]) -> list[Any]:
    """The value; the gradients of `wanted`; then those of a sum of them, for `wanted` and for the upstream gradient."""
    tensors = [Tensor(array, requires_grad=place in wanted) for place, array in enumerate(arrays)]
    out = function(*tensors)
    seed = Tensor(row.drawn("upstream", out.shape), requires_grad=True)
    variables = [tensors[place] for place in wanted]
    out.backward(seed.data, retain_graph=True)  # on arrays; what follows, on Tensors, asks the declared twin
    first = grad(out, variables, seed, create_graph=True)
    total = sum((slope * row.drawn(f"direction {n}", slope.shape)).sum() for n, slope in enumerate(first))
    second = grad(total, [*variables, seed], allow_unused=True)
    none = [np.zeros(each.shape) for each in (*variables, seed)]
    second = [zeros if slope is None else slope.data for slope, zeros in zip(second, none, strict=True)]
    return [out.data, *[each.grad for each in variables], *[slope.data for slope in first], *second]


def require_near(row: Row, arrays: list[np.ndarray], wanted: tuple[int, ...]) -> None:
    for ours, theirs in zip(
        results(row, row.fused, arrays, wanted), results(row, row.twin, arrays, wanted), strict=True
    ):
        largest = np.abs(theirs).max(initial=1.0)
        np.testing.assert_allclose(ours, theirs, rtol=row.rounding, atol=row.rounding * largest)


@every_row
def test_a_fused_operation_agrees_with_its_twin_whichever_gradients_are_wanted(row: Row) -> None:
    places = row.floats()
    for count in range(1, len(places) + 1):
        for wanted in itertools.combinations(places, count):
            require_near(row, row.arrays(), wanted)


def transposed_in_memory(array: np.ndarray) -> np.ndarray:
    return np.asfortranarray(array)


def every_second(array: np.ndarray) -> np.ndarray:
    wide = np.full([2 * size for size in array.shape], 9, array.dtype)
    seen = wide[(slice(None, None, 2),) * array.ndim]
    seen[...] = array
    return seen


def backwards(array: np.ndarray) -> np.ndarray:
    turned = (slice(None, None, -1),) * array.ndim
    return array[turned].copy()[turned]


@every_row
def test_how_the_inputs_lie_in_memory_makes_no_difference(row: Row) -> None:
    for layout in (transposed_in_memory, every_second, backwards):
        arrays = [np.asarray(layout(array)) if array.ndim else array for array in row.arrays()]
        try:
            require_near(row, arrays, tuple(row.floats()))
        except Exception as error:
            error.add_note(f"where the inputs lie {layout.__name__.replace('_', ' ')}")
            raise


def test_a_twin_is_made_of_elementary_operations() -> None:
    used = {}
    for row in ROWS:
        places = row.floats()
        out = row.twin(*[Tensor(array, requires_grad=place in places) for place, array in enumerate(row.arrays())])
        used[row.title] = operations(out) - ELEMENTARY
    assert {title: names for title, names in used.items() if names} == {}


def declarations() -> set[Declaration]:
    """Of every primitive in the engine and in `nn`, private ones too."""
    found = set()
    for package in (minitorch.ops, minitorch.autograd, minitorch.nn, minitorch.compat):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            values = vars(importlib.import_module(module.name)).values()
            found |= {
                each.declaration for each in values if isinstance(getattr(each, "declaration", None), Declaration)
            }
    return found


def test_every_declared_twin_is_compared() -> None:
    assert {each for each in declarations() if each.composed} == {fused.declaration for fused, *_ in DECLARED}


def test_every_operation_that_is_not_elementary_has_a_row() -> None:
    tried: set[str] = set()
    for row in ROWS:
        places = row.floats()
        out = row.fused(*[Tensor(array, requires_grad=place in places) for place, array in enumerate(row.arrays())])
        tried |= operations(out)
    known = ELEMENTARY | OF_GRADIENTS | tried
    computed = {each.forward for each in declarations() if each.name in known}  # some are one forward under many tags
    assert {each.name for each in declarations() if each.forward not in computed} == set()


WRONG: dict[str, Row] = {
    "the value": Row("value", lambda x: x * 2.0, lambda x: x * 2.0 + 1e-9, [exactly([1.0, 2.0])]),
    "the gradient": Row("gradient", lambda x: x * 2.0, lambda x: x + x.detach(), [exactly([1.0, 2.0])]),
    "the second gradient": Row(
        "second",
        minitorch.primitive(lambda x: x * x, name="square", x=lambda g, x: g * 2 * getattr(x, "data", x)),
        lambda x: x * x,
        [exactly([1.0, 2.0])],
    ),
}


@pytest.mark.parametrize("row", WRONG.values(), ids=WRONG)
def test_a_twin_that_differs_is_noticed(row: Row) -> None:
    with pytest.raises(AssertionError):
        require_near(row, row.arrays(), (0,))
