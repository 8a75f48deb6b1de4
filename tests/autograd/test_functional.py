"""autograd.functional: products with Jacobians and Hessians, against central differences and each other."""

from typing import Any

import numpy as np
import pytest

from minitorch import Tensor, grad
from minitorch.autograd import functional

A, B = np.random.default_rng(0).normal(size=(3, 2)), np.random.default_rng(1).normal(size=(2,))
X = Tensor(np.random.default_rng(2).normal(size=(3,)))
V = Tensor(np.random.default_rng(3).normal(size=(3,)))


def vector(x: Tensor) -> Tensor:
    return (x @ A).tanh() * B


def number(x: Tensor) -> Tensor:
    return (vector(x) ** 3).sum()


def numeric_jacobian(function: Any, point: np.ndarray) -> np.ndarray:
    columns = []
    for at in np.ndindex(point.shape):
        step = np.zeros(point.shape)
        step[at] = 1e-6
        ahead, behind = function(Tensor(point + step)).data, function(Tensor(point - step)).data
        columns.append((ahead - behind) / 2e-6)
    return np.stack(columns, axis=-1)


def test_jacobian() -> None:
    found = functional.jacobian(vector, X)
    assert found.shape == (2, 3)
    np.testing.assert_allclose(found.data, numeric_jacobian(vector, X.data), atol=1e-8)


def test_products_with_the_jacobian() -> None:
    jacobian = functional.jacobian(vector, X).data
    value, pulled = functional.vjp(vector, X, Tensor(B))
    np.testing.assert_allclose(value.data, vector(X).data)
    np.testing.assert_allclose(pulled.data, B @ jacobian)
    value, pushed = functional.jvp(vector, X, V)
    np.testing.assert_allclose(value.data, vector(X).data)
    np.testing.assert_allclose(pushed.data, jacobian @ V.data)


def test_hessian_and_products_with_it() -> None:
    hessian = functional.hessian(number, X)
    assert hessian.shape == (3, 3)
    np.testing.assert_allclose(hessian.data, hessian.data.T)
    slope = lambda x: grad(number(x.requires_grad_()), x)[0]  # noqa: E731
    np.testing.assert_allclose(hessian.data, numeric_jacobian(slope, X.data), atol=1e-7)
    for product in (functional.hvp, functional.vhp):
        value, found = product(number, X, V)
        np.testing.assert_allclose(value.item(), number(X).item())
        np.testing.assert_allclose(found.data, hessian.data @ V.data)


def test_several_inputs_and_outputs() -> None:
    def function(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return x * y.sum(), (x * x).sum()

    x, y = Tensor(np.array([1.0, 2.0])), Tensor(np.array([3.0, 4.0, 5.0]))
    (dx0, dy0), (dx1, dy1) = functional.jacobian(function, (x, y))
    np.testing.assert_array_equal(dx0.data, 12 * np.eye(2))
    np.testing.assert_array_equal(dy0.data, np.outer([1.0, 2.0], np.ones(3)))
    np.testing.assert_array_equal(dx1.data, [2.0, 4.0])
    np.testing.assert_array_equal(dy1.data, np.zeros(3))
    _, (gx, gy) = functional.vjp(function, (x, y), (np.ones(2), np.array(1.0)))
    np.testing.assert_array_equal(gx.data, [14.0, 16.0])
    np.testing.assert_array_equal(gy.data, [3.0, 3.0, 3.0])
    _, (first, second) = functional.jvp(function, (x, y), (np.ones(2), np.zeros(3)))
    np.testing.assert_array_equal(first.data, [12.0, 12.0])
    assert second.item() == 6.0
    blocks = functional.hessian(lambda x, y: (x.sum() * y * y).sum(), (x, y))
    np.testing.assert_array_equal(blocks[0][0].data, np.zeros((2, 2)))
    np.testing.assert_array_equal(blocks[0][1].data, [[6.0, 8.0, 10.0]] * 2)
    np.testing.assert_array_equal(blocks[1][1].data, np.diag([6.0, 6.0, 6.0]))


def test_a_function_that_does_not_depend_on_its_input_has_zeros() -> None:
    constant = Tensor(np.ones(2))
    np.testing.assert_array_equal(functional.jacobian(lambda x: constant, X).data, np.zeros((2, 3)))
    np.testing.assert_array_equal(functional.jvp(lambda x: constant, X, V)[1].data, np.zeros(2))
    np.testing.assert_array_equal(functional.hvp(lambda x: x.sum(), X, V)[1].data, np.zeros(3))


def test_nobodys_graph_or_grad_takes_part_unless_asked() -> None:
    x = Tensor(np.array([1.0, 2.0]), requires_grad=True)
    found = functional.jacobian(lambda x: x**3, x)
    assert not found.requires_grad
    assert x.grad is None
    kept = functional.jacobian(lambda x: x**3, x, create_graph=True)
    kept.sum().backward()
    np.testing.assert_array_equal(x.grad, [6.0, 12.0])


def test_of_a_single_number_v_may_be_left_out() -> None:
    two = Tensor(np.array(2.0))
    assert functional.vjp(lambda x: x**3, two)[1].item() == 12.0
    assert functional.jvp(lambda x: x**3, two)[1].item() == 12.0
    assert functional.hvp(lambda x: x**3, two)[1].item() == 12.0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: functional.jvp(vector, X), ValueError, "jvp: v may be left out only for a single number"),
        (
            lambda: functional.jvp(vector, X, np.ones(2)),
            ValueError,
            r"jvp: v has shapes \[\(2,\)\], but the inputs have",
        ),
        (lambda: functional.hessian(vector, X), ValueError, r"hessian: the function must return one number, not shape"),
        (lambda: functional.hvp(vector, X, V), ValueError, "hvp: the function must return one number"),
        (
            lambda: functional.jacobian(lambda x: 3.0, X),
            TypeError,
            "jacobian: the function must return Tensors, not float",
        ),
    ],
)
def test_what_does_not_fit_is_named(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
