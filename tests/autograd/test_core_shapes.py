"""How a gradient is brought to the shape and dtype of its operand."""

from typing import Any

import numpy as np
import pytest

from minitorch import Tensor, grad, primitive
from minitorch.autograd import Function, checkpoint
from minitorch.autograd.backward import reduced_axes, unbroadcast


@pytest.mark.parametrize(
    ("from_shape", "to_shape", "axes"),
    [
        ((), (), ()),
        ((3,), (3,), ()),
        ((3,), (), (0,)),
        ((2, 3), (), (0, 1)),
        ((2, 3), (3,), (0,)),
        ((2, 3), (1,), (0, 1)),
        ((2, 3), (1, 3), (0,)),
        ((2, 3), (2, 1), (1,)),
        ((4, 2, 3), (2, 1), (0, 2)),
        ((4, 1, 3), (4, 1, 3), ()),
        ((0, 3), (1, 3), (0,)),
        ((3,), (2,), None),
        ((3,), (0,), None),
        ((1,), (2,), None),
        ((2, 3), (3, 1), None),
        ((3,), (1, 3), None),
        ((), (1,), None),
        ((3,), (1, 1, 3), None),
    ],
)
def test_the_axes_that_broadcasting_stretched(from_shape: Any, to_shape: Any, axes: Any) -> None:
    assert reduced_axes(from_shape, to_shape) == axes


def test_summing_them_gives_the_shape_of_the_operand() -> None:
    gradient = np.arange(24.0).reshape(4, 2, 3)
    np.testing.assert_array_equal(unbroadcast(gradient, (2, 1)), gradient.sum(axis=(0, 2)).reshape(2, 1))
    with pytest.raises(RuntimeError, match=r"a gradient rule returned shape \(3,\) for an operand of shape \(1, 3\)"):
        unbroadcast(np.ones(3), (1, 3))


def test_a_rules_gradient_takes_the_dtype_of_its_operand_on_arrays_and_on_tensors() -> None:
    wide = primitive(lambda x: x * 2, name="wide", x=lambda g, x: (g * 2).astype(np.float64))
    x = Tensor(np.ones((2, 3), np.float32), requires_grad=True)
    wide(x).sum().backward()
    assert x.grad is not None
    assert x.grad.dtype == np.float32
    for create_graph in (False, True):
        (found,) = grad(wide(x).sum(), x, create_graph=create_graph)
        assert found is not None
        assert found.dtype == np.float32
    narrow = primitive(lambda x: x * 2, name="narrow", x=lambda g, x: (g * 2).astype(np.float32))
    y = Tensor(np.ones(2), requires_grad=True)
    for create_graph in (False, True):
        (found,) = grad(narrow(y).sum(), y, create_graph=create_graph)
        assert found is not None
        assert found.dtype == np.float64


class Doubled(Function):
    """One output, of x's shape."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        assert g.shape == (2, 3)
        return g * 2


class DoubledAndSquared(Function):
    """Two outputs of different shapes, and none of them with one axis."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        ctx.save_for_backward(x)
        return x * 2, (x * x).reshape(3, 2)

    @staticmethod
    def backward(ctx: Any, g: Tensor, h: Tensor) -> Tensor:
        assert (g.shape, h.shape) == ((2, 3), (3, 2))
        (x,) = ctx.saved_tensors
        return g * 2 + h.reshape(2, 3) * 2 * x


def test_an_output_keeps_its_shape_alone_and_among_several() -> None:
    x = Tensor(np.arange(6.0).reshape(2, 3), requires_grad=True)
    assert Doubled.apply(x).shape == (2, 3)
    doubled, squared = DoubledAndSquared.apply(x)
    assert (doubled.shape, squared.shape) == ((2, 3), (3, 2))
    np.testing.assert_array_equal(squared.data, (x.data**2).reshape(3, 2))
    Doubled.apply(x).sum().backward()
    np.testing.assert_array_equal(x.grad, np.full((2, 3), 2.0))
    x.grad = None
    (doubled.sum() + squared.sum()).backward()
    np.testing.assert_array_equal(x.grad, 2 + 2 * x.data)
    assert checkpoint(lambda x: x * 2, x).shape == (2, 3)
