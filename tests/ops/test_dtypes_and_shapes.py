"""What comes out of every case of the op table: float32 stays float32, and an array is always an array."""

from typing import Any

import numpy as np
import pytest

import minitorch
import minitorch.nn.functional
from minitorch import Tensor

FLOAT32, FLOAT64, INT64 = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64)


def f32(*values: float) -> Tensor:
    return Tensor(np.array(values, np.float32), requires_grad=True)


def i64(*values: int) -> Tensor:
    return Tensor(np.array(values, np.int64))


X = f32(1.0, 2.0)
PROMOTIONS: list[tuple[str, Any, np.dtype[Any]]] = [
    ("float32 and a Python int", lambda: X + 1, FLOAT32),
    ("float32 and a Python float", lambda: 2.5 * X, FLOAT32),
    ("float32 and a bool", lambda: X + True, FLOAT32),
    ("float32 to a Python power", lambda: X**2.5, FLOAT32),
    ("a Python base to float32", lambda: 2.0**X, FLOAT32),
    ("float32 and a list of floats", lambda: minitorch.add(X, [1.0, 2.0]), FLOAT32),
    ("float32 and a list of ints", lambda: minitorch.add(X, [1, 2]), FLOAT32),
    ("float32 and int64", lambda: X * i64(1, 2), FLOAT32),
    ("int64 and float32", lambda: i64(1, 2) - X, FLOAT32),
    ("float32 over int64", lambda: X / i64(1, 2), FLOAT32),
    ("float32 and a bool Tensor", lambda: X * (X > 1), FLOAT32),
    ("float32 and a NumPy float", lambda: X * np.sqrt(2.0), FLOAT32),
    ("a NumPy float and float32", lambda: np.sqrt(2.0) * X, FLOAT32),
    ("float32 and float64", lambda: X * Tensor(np.ones(2)), FLOAT64),
    ("float32 and a float64 array", lambda: np.ones(2) * X, FLOAT64),
    ("float64 and a list of floats", lambda: Tensor(np.ones(2)) * [1.0, 2.0], FLOAT64),
    ("float64 and a Python float", lambda: Tensor(np.ones(2)) * 2.0, FLOAT64),
    ("int64 and a Python int", lambda: i64(1, 2) + 1, INT64),
    ("int64 and a Python float", lambda: i64(1, 2) * 1.5, FLOAT32),
    ("int64 over int64", lambda: i64(1, 2) / i64(2, 2), FLOAT32),
    ("exp of int64", lambda: minitorch.exp(i64(1, 2)), FLOAT32),
    ("sigmoid of int64", lambda: minitorch.sigmoid(i64(1, 2)), FLOAT32),
    ("sum of int64", lambda: i64(1, 2).sum(), INT64),
    ("sum of bool", lambda: (X > 1).sum(), INT64),
    ("relu of int64", lambda: i64(-1, 2).relu(), INT64),
    ("maximum of int64", lambda: minitorch.maximum(i64(1, 2), i64(2, 1)), INT64),
    ("where of float32 and a Python float", lambda: minitorch.where(X > 1, X, 0.0), FLOAT32),
    ("where of two Python floats", lambda: minitorch.where(X > 1, 1.0, 0.0), FLOAT32),
    ("where of float32 and int64", lambda: minitorch.where(X > 1, X, i64(1, 2)), FLOAT32),
    ("cat of float32 and int64", lambda: minitorch.cat([X, i64(1, 2)]), FLOAT32),
    ("cross_entropy of float32", lambda: minitorch.nn.functional.cross_entropy(X, Tensor(1)), FLOAT32),
]


@pytest.mark.parametrize(("title", "make", "dtype"), PROMOTIONS, ids=[title for title, *_ in PROMOTIONS])
def test_promotion(title: str, make: Any, dtype: np.dtype[Any]) -> None:
    out = make()
    assert out.dtype == dtype
    if out.requires_grad:
        X.grad = None
        out.sum().backward()
        assert X.grad is not None
        assert X.grad.dtype == FLOAT32


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
def test_integers_become_the_default_float(name: str) -> None:
    assert getattr(minitorch, name)(i64(1, 2), dim=0).dtype == FLOAT32


@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "tanh", "sigmoid", "relu", "abs", "neg"])
def test_a_python_number_and_a_list_are_operands_too(name: str) -> None:
    operation = getattr(minitorch, name)
    assert operation(2.0).shape == ()
    assert operation([1.0, 2.0]).shape == (2,)
    assert operation(2.0).dtype == operation([1.0, 2.0]).dtype == FLOAT32


@pytest.mark.parametrize("name", ["sum", "mean", "var", "amax", "max", "squeeze"])
def test_arrays_and_lists_are_operands_too(name: str) -> None:
    operation = getattr(minitorch, name)
    assert operation(np.ones((2, 2))).dtype == FLOAT64
    assert operation([[1.0, 2.0]]).dtype == FLOAT32


def test_a_single_number_has_no_axis_to_squeeze() -> None:
    assert minitorch.squeeze(2.0, ()).shape == Tensor(2.0).squeeze().shape == ()


def test_attention_of_no_queries_is_empty() -> None:
    q, k, v = (Tensor(np.ones(shape), requires_grad=True) for shape in ((2, 0, 2), (2, 5, 2), (2, 5, 3)))
    out = minitorch.nn.functional.scaled_dot_product_attention(q, k, v)
    out.sum().backward()
    assert (out.shape, q.grad.shape) == ((2, 0, 3), (2, 0, 2))
    assert not v.grad.any()
