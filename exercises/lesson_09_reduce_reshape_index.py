"""Lesson 09, reduce, reshape, index: the gradients of operations that add numbers up, move them, or pick some.

All arrays here hold float64 numbers. In a rule `..._vjp(g, x, ...)`

    x                 the operand's array, of any shape
    g                 the gradient that arrives, in the shape of the operation's result
    what it returns   the gradient of x: an array of x's shape

A rule changes neither g nor x. What it returns may be a view, an array that looks into the memory of g (`g.reshape`,
`g.transpose` and `np.broadcast_to` make such views): `accumulate` of lesson 05 makes a copy.

Beware: `sum` and `max` in this file are the operations at its end, for Tensors. For arrays write x.sum(...) and
x.max(...), for a list of numbers np.sum(...) and np.max(...).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

AnyTensor = Any  # any class with `data`, `grad`, `requires_grad`, `accumulate` and `result`, such as that of lesson 05
Axis = int | tuple[int, ...] | None


# --------------------------------------------------------------------------------------------- your seven exercises


def sum_vjp(g: np.ndarray, x: np.ndarray, axis: Axis, keepdims: bool) -> np.ndarray:
    """Return the gradient of x for the result x.sum(axis=axis, keepdims=keepdims).

    g: array in the shape of that result. axis: one axis, a tuple of axes, or None for all of them; -1 is the last one.
    keepdims: True where the result kept the summed axes, with size 1. Returns an array of x's shape.

        x = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], shape (2, 3); axis = 1, keepdims = False; g = [10.0, 20.0], shape (2,)
        sum_vjp(g, x, axis, keepdims) is [[10.0, 10.0, 10.0], [20.0, 20.0, 20.0]], shape (2, 3)
    """
    raise NotImplementedError


def mean_vjp(g: np.ndarray, x: np.ndarray, axis: Axis, keepdims: bool) -> np.ndarray:
    """Return the gradient of x for the result x.mean(axis=axis, keepdims=keepdims). It may call `sum_vjp`.

    g, axis and keepdims: as for sum_vjp. x is not empty. Returns an array of x's shape.

        x = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], shape (2, 3); axis = 1, keepdims = False; g = [3.0, 6.0], shape (2,)
        mean_vjp(g, x, axis, keepdims) is [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]], shape (2, 3)
    """
    raise NotImplementedError


def max_vjp(g: np.ndarray, x: np.ndarray, axis: Axis, keepdims: bool) -> np.ndarray:
    """Return the gradient of x for the result x.max(axis=axis, keepdims=keepdims). It may call `sum_vjp`.

    Only the largest number of each group has a gradient. In a tie of k equal numbers each gets 1 / k of it, as in
    PyTorch's amax. g, axis and keepdims: as for sum_vjp. Returns an array of x's shape.

        x = [[1.0, 5.0, 2.0], [4.0, 0.0, 4.0]], shape (2, 3); axis = 1, keepdims = False; g = [10.0, 20.0], shape (2,)
        max_vjp(g, x, axis, keepdims) is [[0.0, 10.0, 0.0], [10.0, 0.0, 10.0]], shape (2, 3)
    """
    raise NotImplementedError


def reshape_vjp(g: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return the gradient of x for the result x.reshape(shape). g has that shape.

    reshape reads the numbers row by row and writes them row by row. g: array with as many numbers as x.
    Returns an array of x's shape.

        x = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], shape (2, 3); g = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], shape (3, 2)
        reshape_vjp(g, x) is [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], shape (2, 3)
    """
    raise NotImplementedError


def transpose_vjp(g: np.ndarray, x: np.ndarray, axes: tuple[int, ...] | None) -> np.ndarray:
    """Return the gradient of x for the result x.transpose(axes).

    axes: a tuple that names every axis of x once, -1 for the last one: axis i of the result is axis axes[i] of x.
    None reverses the order of the axes, as x.T does. g: array in the shape of the result.
    Returns an array of x's shape.

        x of shape (2, 3, 4), axes = (1, 2, 0): the result and g have shape (3, 4, 2)
        transpose_vjp(g, x, axes).shape is (2, 3, 4), and its entry [0, 1, 2] is g[1, 2, 0]
        x = [[1.0, 2.0], [3.0, 4.0]], shape (2, 2); axes = (1, 0); g = [[1.0, 2.0], [3.0, 4.0]]
        transpose_vjp(g, x, axes) is [[1.0, 3.0], [2.0, 4.0]], shape (2, 2)
    """
    raise NotImplementedError


def getitem_vjp(g: np.ndarray, x: np.ndarray, index: Any) -> np.ndarray:
    """Return the gradient of x for the result x[index].

    index: whatever NumPy takes between the brackets: a number, a slice, an array of whole numbers or of booleans,
    None, ..., or a tuple of these. An array may name a place several times: that place gets all its gradients, added.
    g: array in the shape of the result. Returns an array of x's shape, 0.0 where nothing was picked.

        x = [1.0, 2.0, 3.0], shape (3,); index = np.array([0, 2, 0]); g = [10.0, 20.0, 30.0], shape (3,)
        getitem_vjp(g, x, index) is [40.0, 0.0, 20.0], shape (3,)
    """
    raise NotImplementedError


def repeat_vjp(g: np.ndarray, x: np.ndarray, times: int, axis: int) -> np.ndarray:
    """Return the gradient of x for the result x.repeat(times, axis=axis).

    repeat writes each entry `times` times, side by side along one axis: [5, 6] repeated 3 times is [5, 5, 5, 6, 6, 6].
    times: a whole number from 1 on. axis: one axis, -1 is the last one. g: array in the shape of the result, which has
    `times` times the size of x along that axis. Returns an array of x's shape.

        x = [5.0, 6.0], shape (2,); times = 2, axis = 0; g = [1.0, 2.0, 30.0, 40.0], shape (4,)
        repeat_vjp(g, x, times, axis) is [3.0, 70.0], shape (2,)
    """
    raise NotImplementedError


# ------------------------------------------------------------------------------------------------------------- given
# The operations that call your rules. They use nothing of a Tensor but `data`, `grad`, `requires_grad`, `result` and
# `accumulate`.


def must_be_tensor(x: Any, name: str) -> None:
    """Raise TypeError when x is no Tensor: somebody meant Python's own `sum` or `max` (given)."""
    if not hasattr(x, "accumulate"):
        raise TypeError(f"{name} is the operation for Tensors here; of an array or a list take np.{name}(...)")


def sum(x: AnyTensor, axis: Axis = None, keepdims: bool = False) -> AnyTensor:
    """The sum of a Tensor's numbers over one axis, several, or all (given)."""
    must_be_tensor(x, "sum")
    out = x.result(x.data.sum(axis=axis, keepdims=keepdims), (x,), "sum")

    def _backward() -> None:
        x.accumulate(sum_vjp(out.grad, x.data, axis, keepdims))

    if out.requires_grad:
        out._backward = _backward
    return out


def mean(x: AnyTensor, axis: Axis = None, keepdims: bool = False) -> AnyTensor:
    """The mean of a Tensor's numbers over one axis, several, or all (given)."""
    out = x.result(x.data.mean(axis=axis, keepdims=keepdims), (x,), "mean")

    def _backward() -> None:
        x.accumulate(mean_vjp(out.grad, x.data, axis, keepdims))

    if out.requires_grad:
        out._backward = _backward
    return out


def max(x: AnyTensor, axis: Axis = None, keepdims: bool = False) -> AnyTensor:
    """The largest of a Tensor's numbers over one axis, several, or all (given)."""
    must_be_tensor(x, "max")
    out = x.result(x.data.max(axis=axis, keepdims=keepdims), (x,), "max")

    def _backward() -> None:
        x.accumulate(max_vjp(out.grad, x.data, axis, keepdims))

    if out.requires_grad:
        out._backward = _backward
    return out


def reshape(x: AnyTensor, shape: int | tuple[int, ...]) -> AnyTensor:
    """The same numbers, row by row, in another shape (given)."""
    out = x.result(x.data.reshape(shape), (x,), "reshape")

    def _backward() -> None:
        x.accumulate(reshape_vjp(out.grad, x.data))

    if out.requires_grad:
        out._backward = _backward
    return out


def transpose(x: AnyTensor, axes: tuple[int, ...] | None = None) -> AnyTensor:
    """The same numbers with the axes in another order; None reverses them (given)."""
    out = x.result(x.data.transpose(axes), (x,), "transpose")

    def _backward() -> None:
        x.accumulate(transpose_vjp(out.grad, x.data, axes))

    if out.requires_grad:
        out._backward = _backward
    return out


def getitem(x: AnyTensor, index: Any) -> AnyTensor:
    """The numbers at an index, x[index] (given). The index is plain: numbers, slices, arrays; not a Tensor."""
    out = x.result(x.data[index], (x,), "getitem")

    def _backward() -> None:
        x.accumulate(getitem_vjp(out.grad, x.data, index))

    if out.requires_grad:
        out._backward = _backward
    return out
