"""A tensor engine in the closure style of the tensor lessons, small and right, with places to plant faults in."""

import numpy as np


class Tensor:
    """What a learner writes: an array, its gradient, its parents, and a closure that hands the gradient on."""

    def __init__(self, data, requires_grad=False, _prev=(), _op="", label=""):
        self.data = np.array(data, np.float64) if isinstance(data, (list, float, int)) else np.array(data)
        self.grad = None
        self.requires_grad = requires_grad
        self._prev, self._op, self.label = _prev, _op, label
        self._backward = None

    def __eq__(self, other):  # compares entries, as a learner's does before the lesson on it: no picture may use it
        return self.data == other.data

    __hash__ = object.__hash__

    def accumulate(self, gradient):
        if not self.requires_grad:
            return
        gradient = np.array(gradient)
        self.grad = gradient if self.grad is None else self.grad + gradient

    def backward(self):
        order, seen = [], set()

        def visit(node):
            if id(node) not in seen:
                seen.add(id(node))
                for parent in node._prev:
                    visit(parent)
                order.append(node)

        visit(self)
        for node in order:
            if node._prev:
                node.grad = None
        self.grad = np.ones_like(self.data)
        for node in reversed(order):
            if node._backward is not None and node.grad is not None:
                node._backward()


def unbroadcast(gradient, shape):
    gradient = np.asarray(gradient)
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    ones = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return gradient.sum(axis=ones, keepdims=True)


def operation(name, data, parents, rule):
    """rule(g): one gradient for each parent."""
    wanted = any(parent.requires_grad for parent in parents)
    out = Tensor(np.asarray(data), wanted, parents if wanted else (), name)

    def hand_on():
        for parent, gradient in zip(parents, rule(out.grad), strict=True):
            parent.accumulate(gradient)

    out._backward = hand_on if wanted else None
    return out


class Engine:
    """The operations of a learner. A fault is planted by giving another function for one of them."""

    def __init__(self, fit=unbroadcast, **others):
        self.fit = fit
        self.others = others

    def _made(self, name, data, parents, rule):
        return operation(name, data, parents, self.others.get(name, rule))

    def add(self, a, b):
        fit = self.fit
        return self._made("+", a.data + b.data, (a, b), lambda g: (fit(g, a.data.shape), fit(g, b.data.shape)))

    def sub(self, a, b):
        fit = self.fit
        return self._made("-", a.data - b.data, (a, b), lambda g: (fit(g, a.data.shape), fit(-g, b.data.shape)))

    def mul(self, a, b):
        fit = self.fit
        return self._made(
            "*", a.data * b.data, (a, b), lambda g: (fit(g * b.data, a.data.shape), fit(g * a.data, b.data.shape))
        )

    def matmul(self, a, b):
        return self._made("@", a.data @ b.data, (a, b), lambda g: (g @ b.data.T, a.data.T @ g))

    def relu(self, a):
        return self._made("relu", np.maximum(a.data, 0), (a,), lambda g: (g * (a.data > 0),))

    def neg(self, a):
        return self._made("neg", -a.data, (a,), lambda g: (-g,))

    def mean(self, a):
        return self._made("mean", a.data.mean(), (a,), lambda g: (np.full(a.data.shape, g / a.data.size),))

    def sum(self, a):
        return self._made("sum", a.data.sum(), (a,), lambda g: (np.full(a.data.shape, g),))


def numbers(rows=64, inputs=8, outputs=16):
    """Reproducible arrays x, w, b, so that two engines can compute the same."""
    stream = np.random.PCG64(7)
    sizes = ((rows, inputs), (inputs, outputs), (outputs,))
    return [(stream.random_raw(int(np.prod(size))).astype(np.float64) / 2**63 - 1.0).reshape(size) for size in sizes]


def layer(engine=None, backward=True, dtype=np.float64):
    """mean(relu(x @ w + b)²), by a learner's engine. Returns (loss, its tensors by name)."""
    engine = engine or Engine()
    x, w, b = (array.astype(dtype) for array in numbers())
    x, w, b = Tensor(x, label="x"), Tensor(w, True, label="w"), Tensor(b, True, label="b")
    h = engine.relu(engine.add(engine.matmul(x, w), b))
    loss = engine.mean(engine.mul(h, h))
    h.label, loss.label = "h", "loss"
    if backward:
        loss.backward()
    return loss, {"x": x, "w": w, "b": b, "h": h}


def layer_by_minitorch(dtype=np.float64):
    """The same by minitorch, before its backward pass. Returns (loss, names)."""
    import minitorch

    x, w, b = (array.astype(dtype) for array in numbers())
    x = minitorch.Tensor(x)
    w, b = minitorch.Tensor(w, requires_grad=True), minitorch.Tensor(b, requires_grad=True)
    h = (x @ w + b).relu()
    loss = (h * h).mean()
    return loss, {"x": x, "w": w, "b": b, "h": h, "loss": loss}
