"""A draft of lesson 08: broadcasting backwards."""

import numpy as np


def unbroadcast(gradient, shape):
    """Sum a gradient back to a shape."""
    leading = gradient.ndim - len(shape)
    gradient = gradient.sum(axis=tuple(range(leading)))
    stretched = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return gradient.sum(axis=stretched, keepdims=True)


def add_vjp(g, a, b):
    """Return both gradients of a + b."""
    return unbroadcast(g, a.shape), unbroadcast(g, b.shape)


def mul_vjp(g, a, b):
    """Return both gradients of a * b."""
    return unbroadcast(g * b, a.shape), unbroadcast(g * a, b.shape)


def div_vjp(g, a, b):
    """Return both gradients of a / b."""
    return unbroadcast(g / b, a.shape), unbroadcast(-g * a / b**2, b.shape)


def as_tensors(a, b):
    """Make constants of numbers and arrays (given)."""
    make = type(a) if hasattr(a, "result") else type(b)
    return tuple(x if hasattr(x, "result") else make(x) for x in (a, b))


def node(data, parents, op, vjp):
    """Return the result of an operation with its closure (given)."""
    out = parents[0].result(data, parents, op)

    def _backward():
        for parent, gradient in zip(parents, vjp(out.grad), strict=True):
            parent.accumulate(gradient)

    if out.requires_grad:
        out._backward = _backward
    return out


def add(a, b):
    """a + b (given)."""
    a, b = as_tensors(a, b)
    return node(a.data + b.data, (a, b), "+", lambda g: add_vjp(g, a.data, b.data))


def sub(a, b):
    """a - b (given)."""
    a, b = as_tensors(a, b)
    return add(a, neg(b))


def neg(a):
    """-a (given)."""
    return mul(a, -1.0)


def mul(a, b):
    """a * b (given)."""
    a, b = as_tensors(a, b)
    return node(a.data * b.data, (a, b), "*", lambda g: mul_vjp(g, a.data, b.data))


def div(a, b):
    """a / b (given)."""
    a, b = as_tensors(a, b)
    return node(a.data / b.data, (a, b), "/", lambda g: div_vjp(g, a.data, b.data))


ONE = np.ones(1)
