"""Graphs that the tests of pictures share: each function makes a fresh one and returns (root, names)."""

import random

import numpy as np

import minitorch as mt
from minitorch import Tensor, captured, nn, optim, viz
from minitorch.scalar import Value


def product_and_sum():
    x, y = Value(2.0, label="x"), Value(-3.0, label="y")
    loss = x * y + x
    loss.label = "loss"
    return loss, {}


def square():
    x = Value(3.0, label="x")
    return x * x, {}


def neuron():
    w, x, b = Value(-3.0, label="w"), Value(2.0, label="x"), Value(6.5, label="b")
    out = (w * x + b).tanh()
    out.label = "out"
    return out, {}


def diamond():
    """With Python numbers on both sides of an operation."""
    a = Value(0.5, label="a")
    h = a.exp()
    return h * 2 + h**2 - 1 / h, {"h": h}


def zero_gradients():
    z = Value(0.0, label="z")
    return (z * z).relu() + Value(4.0, label="c") * 0.0, {}


def shared_leaf():
    """One leaf, used so often that it is drawn several times."""
    t = Value(2.0, label="t")
    q = t + 1
    for _ in range(5):
        q = q * t
    return q, {}


def layer():
    """Broadcasting, a constant that is kept, one that is not, and arrays of every size."""
    x = Tensor(np.linspace(0, 1, 12).reshape(6, 2))
    w = Tensor(np.linspace(-1, 1, 6).reshape(2, 3), requires_grad=True)
    b = Tensor(np.array([0.1, 0.2, 0.3]), requires_grad=True)
    h = ((x @ w) + b).tanh()
    loss = (h**2 + Tensor(np.ones((6, 3)))).mean()
    return loss, {"x": x, "w": w, "b": b, "h": h, "loss": loss}


def attention():
    rng = np.random.default_rng(0)
    x = Tensor(rng.normal(size=(2, 4, 3)))
    wq, wk = (Tensor(rng.normal(size=(3, 3)), requires_grad=True) for _ in range(2))
    q, k = x @ wq, x @ wk
    weights = mt.softmax(q @ k.transpose(-1, -2) * 3**-0.5, dim=-1)
    return ((weights @ q) ** 2).sum(), {"wq": wq, "wk": wk, "q": q}


def stacked():
    """An operation with four operands."""
    return mt.stack([Tensor(np.arange(3.0), requires_grad=True) for _ in range(4)]).sum(), {}


def odd_labels():
    a = Value(1.5, label="<b>\"&'|{x}\\n🙂 and a name that is far too long for any box")
    b = Value(2.0, label="]]>--><script>alert(1)</script>")
    return a * b + a, {}


PICTURES = {
    maker.__name__: maker
    for maker in (
        product_and_sum,
        square,
        neuron,
        diamond,
        zero_gradients,
        shared_leaf,
        layer,
        attention,
        stacked,
        odd_labels,
    )
}


def random_values(count: int, seed: int = 0) -> Value:
    """A graph of about `count` scalar nodes, with long edges and shared results."""
    pick = random.Random(seed)
    values = [Value(pick.uniform(-1, 1)) for _ in range(max(2, count // 4))]
    while len(values) < count:
        a, b = values[-pick.randint(1, min(len(values), 25))], values[pick.randrange(len(values))]
        values.append(a + b if pick.random() < 0.5 else (a * b).tanh())
    return sum(values[-10:], Value(0.0))


def wrong_square():
    x = Value(3.0, label="x")
    return Value(9.0, (x, x), "*", (3.0, 0.0))


def right_square():
    x = Value(3.0, label="x")
    return x * x


def short_training():
    model = nn.Linear(2, 1)
    nn.init.constant_(model.weight, 0.5)
    nn.init.zeros_(model.bias)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    with viz.live(model, optimizer) as board:
        for _ in range(4):
            loss = (model(Tensor([[1.0, -2.0], [0.5, 3.0]])) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            board.loss(loss)
    return board


def remembered():
    """The memory of two steps of a loop that keeps its losses."""
    w = Tensor(np.linspace(-1, 1, 6).reshape(2, 3), requires_grad=True)
    x = Tensor(np.linspace(0, 1, 12).reshape(6, 2))
    losses = []
    with viz.memory(names={"w": w, "x": x}) as seen:
        for _ in range(3):
            loss = ((x @ w).tanh() ** 2).mean()
            losses.append(loss)
        loss.backward()
    return seen


def remembered_twice():
    w = Tensor(np.linspace(-1, 1, 6), requires_grad=True)

    def kept():
        loss = w.exp().tanh().sum()
        loss.backward(retain_graph=True)
        return loss

    return viz.memory({"freed": lambda: w.exp().tanh().sum().backward(), "kept": kept}, names={"w": w})


def replayed():
    """The program of a captured step."""
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    @captured(model, optimizer)
    def step(x):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    for _ in range(4):
        step(Tensor([[1.0, -2.0], [0.5, 3.0]]))
    return viz.program(step)


VIEWS = {
    "graph": lambda: viz.graph(product_and_sum()[0]),
    "step": lambda: viz.step(product_and_sum()[0]),
    "nudge": lambda: viz.nudge(product_and_sum()[0]),
    "fan_out": lambda: viz.fan_out(product_and_sum()[0]),
    "shapes": lambda: viz.shapes(product_and_sum()[0]),
    "compare": lambda: viz.compare(wrong_square(), right_square()),
    "unbroadcast": lambda: viz.unbroadcast((4, 3), (3,)),
    "transpose": lambda: viz.transpose((2, 3)),
    "reshape": lambda: viz.reshape((2, 3), (3, 2)),
    "getitem": lambda: viz.getitem((3,), [0, 2, 0]),
    "curve": lambda: viz.curve({"mine": [3, 2, 1], "reference": [3, 1, 0.5]}, title="Two runs"),
    "live": short_training,
    "memory": remembered,
    "memory side by side": remembered_twice,
    "program": replayed,
    "grow": lambda: viz.grow(product_and_sum()[0]),
    "lecture": lambda: viz.lecture(viz.slide(viz.graph(product_and_sum()[0]), "z = x·y + x"), title="z"),
    "descent": lambda: viz.descent(lambda p: (p**2).sum(axis=1), [[2.0, 1.0], [1.0, 0.5], [0.5, 0.25]]),
    "boundary": lambda: viz.boundary(lambda at: at[:, 0] - 1, [[0, 0], [2, 1], [0.5, 1]], [-1, 1, 1]),
}


def uneven():
    """A short and a long path to p, as in lesson 02."""
    x = Value(2.0, label="x")
    p = x * 3
    q = p * p
    root = p + q
    p.label, q.label, root.label = "p", "q", "root"
    return root


def diamonds(count, left=0.5, right=0.7):
    x = Value(1.0, label="x")
    node = x
    for _ in range(count):
        node = node * left + node * right
    return node


def backward(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in node._prev)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads, strict=True):
            given = local * node.grad
            parent.grad = given if parent.grad is None else parent.grad + given
