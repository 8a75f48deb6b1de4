"""Lesson 08, broadcasting backwards: the gradient of a stretched array is summed back to the array's own shape.

NumPy stretches the operands of + - * / until their shapes agree. Shapes are lined up at the right, axes that are
missing are added on the left, and an axis of size 1 is repeated. Each repeated entry is used several times, so it
gets several contributions, and contributions are added.

All arrays here hold float64 numbers. In a rule `..._vjp(g, a, b)`

    a, b             the operands' arrays, in the shapes that they had before they were stretched
    g                the gradient that arrives, in the shape of the result of a + b, a * b, a / b
    a_grad, b_grad   what the rule returns, as a pair: a_grad has a's shape, b_grad has b's shape

"vjp" is short for vector-Jacobian product (lesson 07). A rule changes neither g nor a nor b. Where nothing is stretched
it may return g itself: `accumulate` of lesson 05 makes a copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# ---------------------------------------------------------------------------------------------- your five exercises


def unbroadcast(gradient: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return the gradient, summed over every axis along which an array of `shape` was stretched.

    gradient: array in the shape of the result. shape: the operand's own shape, one that NumPy can stretch to
    gradient.shape. Both may hold axes of size 0, and shape may be (), a single number.
    Returns an array of exactly that shape, also for (): NumPy's own sum would give a NumPy number there.

        gradient = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], shape (2, 3)
        unbroadcast(gradient, (3,)) is [5.0, 7.0, 9.0], shape (3,)
        unbroadcast(gradient, (2, 1)) is [[6.0], [15.0]], shape (2, 1)
        unbroadcast(gradient, ()) is 21.0, an array of shape ()
    """
    added = gradient.ndim - len(shape)
    stretched = [added + axis for axis, size in enumerate(shape) if size == 1]
    total = gradient.sum(axis=(*range(added), *stretched))
    return np.asarray(total).reshape(shape)


def add_vjp(g: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (a_grad, b_grad) for the result a + b. It calls `unbroadcast`.

    g: array in the shape of a + b. Returns two arrays, one of a's shape and one of b's shape.

        a = [[1.0, 1.0], [1.0, 1.0]], shape (2, 2); b = [7.0, 8.0], shape (2,); g = [[1.0, 2.0], [3.0, 4.0]]
        a_grad is [[1.0, 2.0], [3.0, 4.0]], shape (2, 2), and b_grad is [4.0, 6.0], shape (2,)
    """
    return unbroadcast(g, a.shape), unbroadcast(g, b.shape)


def mul_vjp(g: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (a_grad, b_grad) for the result a * b. It calls `unbroadcast`.

    g: array in the shape of a * b. Returns two arrays, one of a's shape and one of b's shape.

        a = [[2.0, 3.0], [4.0, 5.0]], shape (2, 2); b = [7.0, 8.0], shape (2,); g = [[1.0, 1.0], [1.0, 10.0]]
        a_grad is [[7.0, 8.0], [7.0, 80.0]], shape (2, 2), and b_grad is [6.0, 53.0], shape (2,)
    """
    return unbroadcast(g * b, a.shape), unbroadcast(g * a, b.shape)


def div_vjp(g: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (a_grad, b_grad) for the result a / b. It calls `unbroadcast`. No entry of b is 0.

    g: array in the shape of a / b. Returns two arrays, one of a's shape and one of b's shape.

        a = [2.0, 6.0], shape (2,); b = 2.0, shape (); g = [1.0, 10.0]
        a_grad is [0.5, 5.0], shape (2,), and b_grad is -15.5, an array of shape ()
    """
    return unbroadcast(g / b, a.shape), unbroadcast(-g * a / b**2, b.shape)


def where_vjp(g: np.ndarray, mask: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (a_grad, b_grad) for the result np.where(mask, a, b). It calls `unbroadcast`.

    mask: array of bool. Where it is True, the result takes a's entry, elsewhere b's. NumPy stretches mask, a and b to
    one shape; mask gets no gradient. g: array in the shape of the result. Returns two arrays, one of a's shape and one
    of b's shape.

        mask = [True, False], shape (2,); a = [[1.0, 2.0], [3.0, 4.0]], shape (2, 2); b = 9.0, shape ()
        np.where(mask, a, b) is [[1.0, 9.0], [3.0, 9.0]]; with g = [[1.0, 10.0], [100.0, 1000.0]]
        a_grad is [[1.0, 0.0], [100.0, 0.0]], shape (2, 2), and b_grad is 1010.0, an array of shape ()
    """
    return unbroadcast(np.where(mask, g, 0.0), a.shape), unbroadcast(np.where(mask, 0.0, g), b.shape)


# -------------------------------------------------------------------------------- given: the rules become operations
#
# A Tensor is any object with data, grad, requires_grad, accumulate(gradient) and result(data, parents, op), as in
# lesson 05.


def as_tensors(a: Any, b: Any) -> tuple[Any, Any]:
    """Return both operands as Tensors: a number or an array becomes a constant of the other's type (given).

    Raises TypeError when neither is a Tensor.
    """
    kinds = [type(operand) for operand in (a, b) if hasattr(operand, "accumulate")]
    if not kinds:
        raise TypeError(f"one of the operands must be a Tensor, not {type(a).__name__} and {type(b).__name__}")
    left, right = (operand if hasattr(operand, "accumulate") else kinds[0](operand) for operand in (a, b))
    return left, right


def add(a: Any, b: Any) -> Any:
    """a + b, either side a Tensor, a number or an array (given)."""
    a, b = as_tensors(a, b)
    out = a.result(a.data + b.data, (a, b), "+")

    def _backward() -> None:
        a_grad, b_grad = add_vjp(out.grad, a.data, b.data)
        a.accumulate(a_grad)
        b.accumulate(b_grad)

    if out.requires_grad:
        out._backward = _backward
    return out


def neg(x: Any) -> Any:
    """-x (given): nothing is stretched."""
    out = x.result(-x.data, (x,), "neg")

    def _backward() -> None:
        x.accumulate(-out.grad)

    if out.requires_grad:
        out._backward = _backward
    return out


def sub(a: Any, b: Any) -> Any:
    """a - b, either side a Tensor, a number or an array (given): the rule of a + b, with b's gradient negated."""
    a, b = as_tensors(a, b)
    out = a.result(a.data - b.data, (a, b), "-")

    def _backward() -> None:
        a_grad, b_grad = add_vjp(out.grad, a.data, b.data)
        a.accumulate(a_grad)
        b.accumulate(-b_grad)

    if out.requires_grad:
        out._backward = _backward
    return out


def mul(a: Any, b: Any) -> Any:
    """a * b, either side a Tensor, a number or an array (given)."""
    a, b = as_tensors(a, b)
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward() -> None:
        a_grad, b_grad = mul_vjp(out.grad, a.data, b.data)
        a.accumulate(a_grad)
        b.accumulate(b_grad)

    if out.requires_grad:
        out._backward = _backward
    return out


def div(a: Any, b: Any) -> Any:
    """a / b, either side a Tensor, a number or an array (given)."""
    a, b = as_tensors(a, b)
    out = a.result(a.data / b.data, (a, b), "/")

    def _backward() -> None:
        a_grad, b_grad = div_vjp(out.grad, a.data, b.data)
        a.accumulate(a_grad)
        b.accumulate(b_grad)

    if out.requires_grad:
        out._backward = _backward
    return out
