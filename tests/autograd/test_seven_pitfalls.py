"""The seven pitfalls of the first tensor lesson: what a first autograd engine gets wrong."""

import numpy as np
import pytest

import minitorch
from minitorch import Tensor


def test_grad_shape_equals_data_shape() -> None:
    bias = Tensor(np.zeros(3), requires_grad=True)
    column = Tensor(np.zeros((4, 1)), requires_grad=True)
    single = Tensor(0.0, requires_grad=True)
    (Tensor(np.ones((4, 3))) + bias * column + single).sum().backward()
    for tensor in (bias, column, single):
        assert tensor.grad is not None
        assert tensor.grad.shape == tensor.data.shape


def test_requires_grad_propagates() -> None:
    x, constant = Tensor(2.0, requires_grad=True), Tensor(3.0)
    assert (x * constant).requires_grad
    assert (constant * x).requires_grad
    assert ((constant * x) + 1.0).exp().requires_grad
    assert not (constant * constant).requires_grad


def test_backward_on_a_non_scalar_raises() -> None:
    y = Tensor([1.0, 2.0], requires_grad=True) * 2.0
    with pytest.raises(RuntimeError, match=r"starts from one number, not from shape \(2,\): .*loss\.sum\(\)\.backward"):
        y.backward()


def test_backward_on_a_constant_raises() -> None:
    with pytest.raises(RuntimeError, match="backward\\(\\) on a constant: nothing it was made from has requires_grad"):
        (Tensor(1.0) * Tensor(2.0)).backward()


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_the_seed_is_an_array(shape: tuple[int, ...]) -> None:
    loss = Tensor(np.full(shape, 3.0, np.float32), requires_grad=True) * 2.0
    loss.backward()
    assert type(loss.grad) is np.ndarray
    assert loss.grad.shape == shape
    assert loss.grad.dtype == np.float32
    assert loss.grad.tolist() == np.ones(shape).tolist()


def test_a_leaf_reached_twice_accumulates() -> None:
    x = Tensor(3.0, requires_grad=True)
    (x * x + x).backward()
    assert x.grad == 7.0
    (x * 2.0).backward()
    assert x.grad == 9.0


def test_a_result_of_constants_has_no_parents() -> None:
    out = minitorch.exp(Tensor([1.0, 2.0]) * Tensor(3.0))
    assert out._prev == ()
    assert out._op == ""
    assert out._node is None
