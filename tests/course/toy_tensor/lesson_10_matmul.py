"""A draft of lesson 10: matmul."""

import numpy as np


def matmul_vjp(g, a, b):
    """Return both gradients of a @ b."""
    return g @ b.T, a.T @ g


def matmul(a, b):
    """a @ b (given)."""
    a, b = (x if hasattr(x, "result") else (a if hasattr(a, "result") else b).__class__(x) for x in (a, b))
    out = a.result(a.data @ b.data, (a, b), "@")

    def _backward():
        a_grad, b_grad = matmul_vjp(out.grad, a.data, b.data)
        a.accumulate(a_grad)
        b.accumulate(b_grad)

    if out.requires_grad:
        out._backward = _backward
    return out


def _unary(x, op, data, slope):
    out = x.result(data, (x,), op)
    if out.requires_grad:
        out._backward = lambda: x.accumulate(out.grad * slope)
    return out


def relu(x):
    """The positive part (given)."""
    return _unary(x, "relu", np.maximum(x.data, 0.0), x.data > 0)


def exp(x):
    """The exponential (given)."""
    return _unary(x, "exp", np.exp(x.data), np.exp(x.data))


def log(x):
    """The natural logarithm (given)."""
    return _unary(x, "log", np.log(x.data), 1.0 / x.data)
