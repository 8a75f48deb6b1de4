"""A draft of lesson 06: the walk over arrays; what lesson 05 asked for is given."""

from __future__ import annotations

from contextvars import ContextVar

import numpy as np

GRAD_ENABLED = ContextVar("GRAD_ENABLED", default=True)


class Compared:
    """What == means."""

    def __eq__(self, other):
        """Return whether it is the same node."""
        return self is other

    def __hash__(self):
        """Return a hash that goes with ==."""
        return id(self)


def wants_grad(parents):
    """Return whether a result remembers its parents."""
    return GRAD_ENABLED.get() and any(parent.requires_grad for parent in parents)


class Tensor(Compared):
    """An array that remembers how it was made."""

    def __init__(self, data, requires_grad=False, _prev=(), _op=""):
        """Make a node."""
        self.data = np.array(data, dtype=np.float64)
        self.grad = None
        self.requires_grad = requires_grad
        self._prev = _prev
        self._op = _op
        self._backward = None
        self.label = ""

    def accumulate(self, gradient):
        """Add to grad."""
        if self.requires_grad:
            gradient = np.array(gradient, dtype=self.data.dtype).reshape(self.data.shape)
            self.grad = gradient if self.grad is None else self.grad + gradient

    def backward(self):
        """Walk the graph."""
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for parent in node._prev:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = np.ones_like(self.data)
        for node in reversed(order):
            if node._backward is not None:
                node._backward()

    def detach(self):
        """Return the same data without its history."""
        return type(self)(self.data)

    def result(self, data, parents, op):
        """Return a node made from parents (given)."""
        wanted = wants_grad(parents)
        return type(self)(data, requires_grad=wanted, _prev=tuple(parents) if wanted else (), _op=op)


class no_grad:  # noqa: N801
    """A block in which nothing is recorded."""

    def __enter__(self):
        """Turn the switch off."""
        self._token = GRAD_ENABLED.set(False)

    def __exit__(self, *error):
        """Turn it back."""
        GRAD_ENABLED.reset(self._token)
