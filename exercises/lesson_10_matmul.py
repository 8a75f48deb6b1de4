"""Lesson 10, matmul: the rule of a matrix product, and a layer that is made with it.

The rules take NumPy arrays of floats and return new ones; they change nothing that they are given.

    g    the gradient that arrives at a result: an array of the result's shape

Linear takes the Tensors of lessons 05 and 06. At the end of the file stands the operation @ on Tensors. It is given,
and calls your functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any  # a NumPy array


def unbroadcast(gradient: Array, shape: tuple[int, ...]) -> Array:
    """Return gradient, summed over the axes along which an operand of this shape was stretched (given: lesson 08).

    gradient: any array. shape: one that can be stretched to gradient's. Returns an array of that shape.
    """
    added = gradient.ndim - len(shape)
    ones = [added + axis for axis, size in enumerate(shape) if size == 1]
    return np.asarray(gradient.sum(axis=(*range(added), *ones))).reshape(shape)


def matmul_vjp(g: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return the gradients of a and of b, where g is the gradient of a @ b.

    a: (n, k), b: (k, m), g: (n, m). Returns the pair (a_grad, b_grad), with the shapes of a and of b.

        a = [[1., 2.]], b = [[3.], [4.]], g = [[10.]]:  a_grad is [[30., 40.]], b_grad is [[10.], [20.]]
    """
    raise NotImplementedError


def batched_vjp(g: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return the gradients of a and of b, where g is the gradient of a @ b, for one matrix or for a batch of them.

    a: (..., n, k), b: (..., k, m), g: (..., n, m), all with two axes or more. The axes before the last two count a
    batch of matrices; @ stretches them as + does. Returns the pair (a_grad, b_grad), with the shapes of a and of b.

        a = [[1., 2.]], b = [[3.], [4.]], g = [[10.]]:  a_grad is [[30., 40.]], b_grad is [[10.], [20.]]
        a of shape (8, 3, 4), b of shape (4, 5), g of shape (8, 3, 5):  a_grad is (8, 3, 4), b_grad is (4, 5)
    """
    raise NotImplementedError


def linear_vjp(g: Array, x: Array, W: Array, wanted: tuple[bool, bool, bool]) -> tuple[Any, Any, Any]:
    """Return the gradients of x, of W and of b, where g is the gradient of x @ W + b; None for each that is not wanted.

    x: (N, n_in), W: (n_in, n_out), g: (N, n_out). wanted: three truth values, for x, for W and for b, in this order.
    What is not wanted is not computed either: where x_grad is not wanted W may be None, and where W_grad is not wanted
    x may be None. Returns (x_grad, W_grad, b_grad), with the shapes of x, of W and of b, which is (n_out,).

        x = [[1., 2.]], W = [[3.], [4.]], g = [[10.]]
        wanted = (True, True, True):   x_grad is [[30., 40.]], W_grad is [[10.], [20.]], b_grad is [10.]
        wanted = (False, True, True):  x_grad is None, the other two are as above
    """
    raise NotImplementedError


class Linear:
    """A layer: it holds two Tensors, W of shape (n_in, n_out) and b of shape (n_out,), and turns x into x @ W + b."""

    def __init__(self, W: Any, b: Any) -> None:
        """Set self.W and self.b to the two Tensors themselves: whoever moves them moves the layer's numbers.

        W: a Tensor of shape (n_in, n_out), b: one of shape (n_out,). No number is copied.

            W = Tensor([[3.], [4.]]), layer = Linear(W, b):  layer.W.data is [[3.], [4.]], and layer.W is the Tensor W
        """
        raise NotImplementedError

    def parameters(self) -> list[Any]:
        """Return both Tensors in a list, for whoever trains.

        Takes no arguments. The list holds the very Tensors that the layer was made with, W first.

            layer = Linear(W, b):  layer.parameters() is [W, b]
        """
        raise NotImplementedError

    def __call__(self, x: Any) -> Any:
        """Return x @ W + b as one Tensor with a closure: one node, whose parents are x, W and b.

        x: a Tensor of shape (N, n_in). Returns a Tensor of shape (N, n_out), made by x.result, its _op "affine".
        Where the result wants a gradient, its _backward hands the three gradients of linear_vjp to x, W and b. It asks
        linear_vjp for no gradient of a constant, one whose requires_grad is False. Otherwise _backward is None.

            W = [[3.], [4.]], b = [5.], x = [[1., 2.]]:  Linear(W, b)(x).data is [[16.]]
            with [[10.]] as its grad, its _backward() makes W.grad [[10.], [20.]] and b.grad [10.]
        """
        raise NotImplementedError


def gram_vjp(g: Array, x: Array) -> Array:
    """Return the gradient of x, where g is the gradient of x @ x.T: the products of every row of x with every row.

    x: (n, k), g: (n, n), not symmetric in general. Returns an array of x's shape.

        x = [[1.], [2.]], g = [[1., 10.], [0., 0.]]:  the gradient is [[22.], [10.]]
    """
    raise NotImplementedError


# ------------------------------------------------------------------------------------ given: on Tensors


def as_tensors(a: Any, b: Any) -> tuple[Any, Any]:
    """Return both operands as Tensors: a number or an array becomes a constant of the other's type.

    Raises TypeError when neither is a Tensor.
    """
    kinds = [type(operand) for operand in (a, b) if hasattr(operand, "accumulate")]
    if not kinds:
        raise TypeError(f"one of the operands must be a Tensor, not {type(a).__name__} and {type(b).__name__}")
    left, right = (operand if hasattr(operand, "accumulate") else kinds[0](operand) for operand in (a, b))
    return left, right


def matmul(a: Any, b: Any) -> Any:
    """Return a @ b. a: (..., n, k), b: (..., k, m). Raises ValueError for operands with less than two axes."""
    a, b = as_tensors(a, b)
    if a.data.ndim < 2 or b.data.ndim < 2:
        raise ValueError(f"shapes {a.data.shape} and {b.data.shape}: @ takes matrices here, with two axes or more")
    rule = matmul_vjp if a.data.ndim == b.data.ndim == 2 else batched_vjp
    out = a.result(a.data @ b.data, (a, b), "@")

    def _backward() -> None:
        a_grad, b_grad = rule(out.grad, a.data, b.data)
        a.accumulate(a_grad)
        b.accumulate(b_grad)

    if out.requires_grad:
        out._backward = _backward
    return out
