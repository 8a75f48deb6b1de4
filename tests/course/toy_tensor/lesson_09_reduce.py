"""A draft of lesson 09: reduce, reshape, index."""

import numpy as np


def sum_vjp(g, x, axis, keepdims):
    """Return the gradient of a sum."""
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return np.broadcast_to(g, x.shape)


def getitem_vjp(g, x, index):
    """Return the gradient of x[index]."""
    out = np.zeros_like(x)
    np.add.at(out, index, g)
    return out


def node(data, x, op, vjp):
    """Return the result of an operation with its closure (given)."""
    out = x.result(data, (x,), op)

    def _backward():
        x.accumulate(vjp(out.grad))

    if out.requires_grad:
        out._backward = _backward
    return out


def sum(x, axis=None, keepdims=False):
    """The sum (given)."""
    return node(x.data.sum(axis=axis, keepdims=keepdims), x, "sum", lambda g: sum_vjp(g, x.data, axis, keepdims))


def mean(x, axis=None, keepdims=False):
    """The mean (given)."""
    data = x.data.mean(axis=axis, keepdims=keepdims)
    return node(data, x, "mean", lambda g: sum_vjp(g, x.data, axis, keepdims) * data.size / x.data.size)


def max(x, axis=None, keepdims=False):
    """The maximum of numbers without ties (given)."""
    peak = x.data.max(axis=axis, keepdims=True)
    data = x.data.max(axis=axis, keepdims=keepdims)
    return node(data, x, "max", lambda g: sum_vjp(g, x.data, axis, keepdims) * (x.data == peak))


def reshape(x, shape):
    """The same entries in another shape (given)."""
    return node(x.data.reshape(shape), x, "reshape", lambda g: g.reshape(x.data.shape))


def transpose(x, axes=None):
    """The axes in another order (given)."""
    back = None if axes is None else tuple(np.argsort(axes))
    return node(x.data.transpose(axes), x, "transpose", lambda g: g.transpose(back))


def getitem(x, index):
    """x[index] (given)."""
    return node(x.data[index], x, "[]", lambda g: getitem_vjp(g, x.data, index))
