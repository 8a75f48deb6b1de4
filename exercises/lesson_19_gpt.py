"""Lesson 19, a tiny GPT: what the course has made, put together, trained, and asked to write.

    B, T, C    how many texts, how many places in each, how many numbers at each place
    V          how many different characters there are
    ids        an array of whole numbers from 0 to V - 1, one for each character
    logits     the scores of the V characters that might come next, before any softmax

Below your five answers stands what they are made of. It is given, and most of it you have written before: in your
engine, your own answers take its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

Array = Any  # a NumPy array
Rng = np.random.Generator


class Module:
    """A part of a network. A subclass sets its parts in __init__ and computes with them in forward."""

    def __call__(self, *inputs: Any) -> Any:
        """Return what forward returns (given)."""
        return self.forward(*inputs)  # type: ignore[attr-defined]

    def named_parameters(self) -> dict[str, Any]:
        """Return every parameter in this module, however deep, by the way that leads to it (lesson 12)."""
        found: dict[str, Any] = {}
        ways: list[tuple[str, Any]] = [("", self)]
        while ways:
            way, thing = ways.pop()
            if isinstance(thing, Tensor) and thing.requires_grad and thing not in found.values():
                found[way] = thing
            parts = vars(thing) if isinstance(thing, Module) else dict(enumerate(thing)) if type(thing) is list else {}
            ways += [(f"{way}.{name}".lstrip("."), part) for name, part in reversed(parts.items())]
        return found

    def parameters(self) -> list[Any]:
        """Return the parameters in a list (given)."""
        return list(self.named_parameters().values())


class Block(Module):
    """One block of a GPT: each place looks at those before it, and then thinks by itself."""

    def __init__(self, width: int, heads: int, rng: Rng) -> None:
        """Make the parts; width is C, and heads divides it (given)."""
        self.heads = heads
        self.norm_1, self.norm_2 = LayerNorm(width), LayerNorm(width)
        self.query, self.key, self.value = (Layer(width, width, rng) for _ in range(3))
        self.out = Layer(width, width, rng, size=0.0)
        self.up, self.down = Layer(width, 4 * width, rng), Layer(4 * width, width, rng, size=0.0)

    def forward(self, x: Any) -> Any:
        """Return x after this block.

        x: a Tensor (B, T, C). Returns a Tensor (B, T, C). Two halves, and each adds what it makes to what it was given:

            a = x + out of what all places see       b = a + down of relu of up

        The first half gives norm_1 of x to query, key and value. Each result is dealt out to self.heads heads, attend
        looks with the causal mask of T places, and the heads are put side by side again, (B, T, C), before out. The
        second half gives norm_2 of a to up. Returns b.

            where all weights and biases of out and of down are 0: of [[[1, 2]]] the result is [[[1, 2]]], x itself
        """
        raise NotImplementedError


class GPT(Module):
    """Characters in, the logits of the character that follows each of them out."""

    def __init__(self, characters: int, width: int, heads: int, layers: int, context: int, rng: Rng) -> None:
        """Make the parts: V is characters, C is width, and context is the largest T (given)."""
        self.context = context
        self.token = Tensor(rng.normal(0.0, 0.02, (characters, width)), requires_grad=True)
        self.place = Tensor(rng.normal(0.0, 0.02, (context, width)), requires_grad=True)
        self.blocks = [Block(width, heads, rng) for _ in range(layers)]
        self.norm = LayerNorm(width)

    def forward(self, ids: Array) -> Any:
        """Return the logits of the character that follows each place.

        ids: (B, T), T at most self.context. Returns a Tensor (B, T, V).

        Each character picks its row of token, (V, C), and each place t adds row t of place, (context, C): the first
        place of a text is 0, however long the text is. Then the blocks, one after another, each on what the one before
        it made; then norm. The logit of a character is the product of what came out with that character's row of token,
        summed over the C numbers: token is used twice, and learns from both.

            without blocks, token is [[1., -1.], [0., 2.]], place all 0:  ids = [[0]] gives [[[2., -2.]]], rounded
        """
        raise NotImplementedError


def lm_loss(model: Any, ids: Array) -> Any:
    """Return how badly the model tells each next character of some texts: a Tensor of one number.

    model: called with an array of ids (B, T), it returns the logits (B, T, V). ids: (B, T + 1): the model reads the
    first T characters of each text, never more, and at each of these T places it is asked for the one after it.
    Returns the mean of -log(probability) over all B * T of them, of shape ().

        a model whose logits are all 0, and V = 4: the loss is 1.3863, which is log(4), for any ids
    """
    raise NotImplementedError


def generate(model: Any, ids: Array, count: int, temperature: float, rng: Rng) -> Array:
    """Return ids, with count characters more that the model has written.

    model: as in lm_loss; it reads model.context characters at most. ids: (T,), one or more, and any number of them;
    they stay as they are. Each new character is sample(logits, temperature, u), with the logits of the last place and
    u = rng.random(), drawn once for each character; it is read from then on. The model reads as many of the last
    characters as it can, all of them while they fit. Nothing is recorded. Returns a new array (T + count,).

        model.context is 2, ids is [5, 6, 7]: the model reads [[6, 7]], and if 8 is drawn, [[7, 8]] next
    """
    raise NotImplementedError


def train_gpt(
    model: Any,
    loss_of: Callable[[int], Any],
    state: dict[str, Any],
    rates: Sequence[float],
    tell: Callable[[int, float], Any] | None = None,
) -> None:
    """Train, going on from where state stands. Returns nothing: model and state change.

    state: as fresh_state(model) makes it, or as an earlier call left it; state["step"] steps have been made. rates: the
    learning rate of each step, from step 0 on; there are as many steps as rates. Step n: loss_of(n) computes the loss
    of its batch, a Tensor of one number; the gradients are that loss's alone, clipped to a norm of 1.0; adam_step makes
    the step with rates[n] and betas (0.9, 0.99), and counts it in state["step"]; free(loss) lets go of the graph. Then
    the loss goes to the end of state["losses"] as a plain number, and to tell(n, loss), where there is a tell. A
    KeyboardInterrupt out of loss_of or of tell ends the training and goes no further: what was learned stays, and the
    next call goes on. (One that comes in between ends it, too, and may leave a step half made.) Every other exception
    goes on to whoever called.

        state["step"] is 3, rates has 5 numbers: loss_of(3), loss_of(4); afterwards state["step"] is 5
    """
    raise NotImplementedError


def surprise(model: Any, ids: Array, start: int) -> float:
    """Return how much the model is surprised by the end of a text, having read what comes before.

    model: as in lm_loss. ids: (T,), T at most model.context + 1. start: where the end begins, from 1 to T - 1. Returns
    the sum of -log(probability) over ids[start], ids[start + 1], ..., one number: each of them after all characters
    before it. It is finite however sure the model is, as in lesson 11. Nothing is recorded.

        a model whose logits are all 0, and V = 4, ids of 5 characters, start = 3: the surprise is 2 log(4) = 2.7726
    """
    raise NotImplementedError


# ------------------------------------------------------------------------------------ given: the parts of a block


class Layer(Module):
    """x @ weight + bias at every place. x: (B, T, n_in), the result (B, T, n_out)."""

    def __init__(self, n_in: int, n_out: int, rng: Rng, size: float = 1.0) -> None:
        self.weight = Tensor(rng.normal(0.0, size * n_in**-0.5, (n_in, n_out)), requires_grad=True)
        self.bias = Tensor(np.zeros(n_out), requires_grad=True)

    def forward(self, x: Any) -> Any:
        """Return the result, (B, T, n_out) (given)."""
        B, T, n_in = x.data.shape
        return (x.reshape(B * T, n_in) @ self.weight + self.bias).reshape(B, T, -1)


class LayerNorm(Module):
    """layer_norm of lesson 18, with a gain and a bias that are learned."""

    def __init__(self, width: int) -> None:
        self.gain, self.bias = (Tensor(each, requires_grad=True) for each in (np.ones(width), np.zeros(width)))

    def forward(self, x: Any) -> Any:
        """Return x, (B, T, C), with every place at one size (given)."""
        return layer_norm(x, self.gain, self.bias)


def heads_of(x: Any, heads: int) -> Any:
    """Return the channels of x, (B, T, C), dealt out to heads: (B, H, T, C / H) (given)."""
    B, T, C = x.data.shape
    return x.reshape(B, T, heads, C // heads).transpose(0, 2, 1, 3)


def layer_norm(x: Any, gain: Any, bias: Any, eps: float = 1e-5) -> Any:
    """Return x at one size, times gain, plus bias, through layernorm_vjp of lesson 18 (given)."""
    size = np.sqrt(x.data.var(axis=-1, keepdims=True) + eps)
    unit = (x.data - x.data.mean(axis=-1, keepdims=True)) / size
    out, parents = gain.data * unit + bias.data, (x, gain, bias)
    return recorded(out, parents, "layer_norm", lambda g: layernorm_vjp(g, x.data, gain.data, eps))


def attend(q: Any, k: Any, v: Any, mask: Array) -> Any:
    """Return what each place sees, through your functions of lesson 18 (given). mask: (T, T) of True and False."""
    arrays = q.data, k.data, v.data, mask
    return recorded(attention(*arrays)[0], (q, k, v), "attention", lambda g: attention_vjp(g, *arrays))


def embedding(table: Any, ids: Array) -> Any:
    """Return table[ids], rows of a table, through embedding_vjp of lesson 17 (given)."""
    rows = len(table.data)
    return recorded(table.data[ids], (table,), "embedding", lambda g: (embedding_vjp(g, ids, rows),))


def cross_entropy_loss(scores: Any, targets: Array) -> Any:
    """Return the cross-entropy of scores (N, V) for N targets, through your functions of lesson 11 (given)."""
    if scores.data.ndim != 2 or np.shape(targets) != scores.data.shape[:1]:
        raise ValueError(f"scores {scores.data.shape} and targets {np.shape(targets)}: it takes (N, V) and (N,)")
    out = cross_entropy(scores.data, targets)
    return recorded(out, (scores,), "cross_entropy", lambda g: (cross_entropy_vjp(g, scores.data, targets),))


# ------------------------------------------------------------------------------------ given: around a training


def fresh_state(model: Any) -> dict[str, Any]:
    """Return the state of a training that has not begun (given)."""
    first, second = ([np.zeros_like(each.data) for each in model.parameters()] for _ in range(2))
    return {"step": 0, "first": first, "second": second, "losses": []}


def free(root: Any) -> None:
    """Cut the circles of a graph that is not needed any more, so that its arrays go at once: lesson 15 (given)."""
    for node in topological_order(root):
        node._prev, node._backward = (), None


# ------------------------------------------------------------------------------------ given: lessons 05 to 18

# The switch: are operations recorded?
GRAD_ENABLED: ContextVar[bool] = ContextVar("GRAD_ENABLED", default=True)


class no_grad:  # noqa: N801 - as PyTorch spells it
    """Within `with no_grad():` nothing is recorded (lesson 06)."""

    def __enter__(self) -> None:
        self._token = GRAD_ENABLED.set(False)

    def __exit__(self, *error: object) -> None:
        GRAD_ENABLED.reset(self._token)


def wants_grad(parents: Sequence[Any]) -> bool:
    """Return whether a result made from these parents takes part in the graph (lesson 05)."""
    return GRAD_ENABLED.get() and any(parent.requires_grad for parent in parents)


def topological_order(root: Any) -> list[Any]:
    """Return all nodes that root was made from, parents before children, root last (lesson 06)."""
    order: list[Any] = []
    met: set[int] = set()

    def walk(node: Any) -> None:
        met.add(id(node))
        for parent in node._prev:
            if id(parent) not in met:
                walk(parent)
        order.append(node)

    walk(root)
    return order


class Tensor:
    """An array that remembers how it was made (lessons 05 and 06)."""

    def __init__(self, data: Any, requires_grad: bool = False, _prev: tuple[Any, ...] = (), _op: str = "") -> None:
        array = np.array(data)
        self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
        self.grad, self.requires_grad, self._prev, self._op = None, requires_grad, _prev, _op
        self._backward: Any = None
        self.label = ""

    def result(self, data: Any, parents: tuple[Any, ...], op: str) -> Any:
        """Return the Tensor that an operation made out of parents (given)."""
        wanted = wants_grad(parents)
        return type(self)(data, requires_grad=wanted, _prev=parents if wanted else (), _op=op)

    def accumulate(self, gradient: Any) -> None:
        """Add gradient to self.grad, an array of its own; a constant takes none (lesson 05)."""
        if self.requires_grad:
            total = gradient if self.grad is None else self.grad + gradient
            self.grad = np.array(total, dtype=self.data.dtype)

    def backward(self) -> None:
        """Set the gradients of everything that this one number was made from (lesson 06)."""
        self.accumulate(np.ones_like(self.data))
        for node in reversed(topological_order(self)):
            if node._backward is not None:
                node._backward()

    def __add__(self, other: Any) -> Any:
        """Return self + other, two Tensors; either may be stretched to the other's shape (lesson 08)."""
        a, b = self.data.shape, other.data.shape
        return recorded(self.data + other.data, (self, other), "+", lambda g: (unbroadcast(g, a), unbroadcast(g, b)))

    def __matmul__(self, other: Any) -> Any:
        """Return self @ other, two Tensors with two axes or more (lesson 10)."""
        a, b = self.data, other.data
        return recorded(a @ b, (self, other), "@", lambda g: batched_vjp(g, a, b))

    def __mul__(self, number: float) -> Any:
        """Return self times a number (lesson 08)."""
        return recorded(self.data * number, (self,), "*", lambda g: (g * number,))

    def __getitem__(self, index: Any) -> Any:
        """Return self[index] (lesson 09)."""
        return recorded(self.data[index], (self,), "getitem", lambda g: (getitem_vjp(g, self.data, index),))

    def reshape(self, *shape: int) -> Any:
        """Return the same numbers in another shape (lesson 09)."""
        return recorded(self.data.reshape(*shape), (self,), "reshape", lambda g: (g.reshape(self.data.shape),))

    def transpose(self, *axes: int) -> Any:
        """Return self with its axes in another order, all turned round where none is named (lesson 09)."""
        back = np.argsort(axes) if axes else None
        return recorded(self.data.transpose(*axes), (self,), "transpose", lambda g: (g.transpose(back),))

    T = property(transpose)  # all axes turned round

    def relu(self) -> Any:
        """Return self where it is positive, and 0 elsewhere (lesson 11)."""
        return recorded(np.maximum(self.data, 0.0), (self,), "relu", lambda g: (g * (self.data > 0),))


def recorded(data: Any, parents: tuple[Any, ...], op: str, rule: Callable[[Array], Sequence[Array]]) -> Any:
    """Return an operation's result; rule makes the parents' gradients of the result's (given)."""
    out = parents[0].result(data, parents, op)

    def _backward() -> None:
        for parent, gradient in zip(parents, rule(out.grad), strict=True):
            parent.accumulate(gradient)

    if out.requires_grad:
        out._backward = _backward
    return out


def unbroadcast(gradient: Array, shape: tuple[int, ...]) -> Array:
    """Return gradient, summed over the axes along which an operand of this shape was stretched (lesson 08)."""
    added = gradient.ndim - len(shape)
    ones = [added + axis for axis, size in enumerate(shape) if size == 1]
    return np.asarray(gradient.sum(axis=(*range(added), *ones))).reshape(shape)


def batched_vjp(g: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return the gradients of a and of b, where g is the gradient of a @ b (lesson 10)."""
    a_grad, b_grad = g @ np.swapaxes(b, -1, -2), np.swapaxes(a, -1, -2) @ g
    return unbroadcast(a_grad, a.shape), unbroadcast(b_grad, b.shape)


def getitem_vjp(g: Array, x: Array, index: Any) -> Array:
    """Return the gradient of x, where g is the gradient of x[index] (lesson 09)."""
    gradient = np.zeros_like(x)
    np.add.at(gradient, index, g)
    return gradient


def softmax(x: Array, axis: int) -> Array:
    """Return exp(x), divided by its sum along axis (lesson 11)."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def cross_entropy(scores: Array, targets: Array) -> float:
    """Return the mean over the rows of -log(softmax of the row at its target) (lesson 11)."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    return (np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(targets)), targets]).mean()


def cross_entropy_vjp(g: float, scores: Array, targets: Array) -> Array:
    """Return the gradient of scores, where g is the gradient of cross_entropy(scores, targets) (lesson 11)."""
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient * (g / len(targets))


def clip_grad_norm(parameters: Sequence[Any], max_norm: float) -> float:
    """Shorten all gradients by one common factor, where together they are longer than max_norm (lesson 13)."""
    used = [parameter for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(float((each.grad * each.grad).sum()) for each in used))
    for each in used:
        each.grad = each.grad * min(1.0, max_norm / max(norm, 1e-30))
    return norm


def adam_step(
    parameters: Sequence[Any],
    state: dict[str, Any],
    lr: float,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.0,
) -> None:
    """Make one step of Adam, and count it in state["step"] (lesson 13)."""
    beta1, beta2 = betas
    state["step"] += 1
    for number, parameter in enumerate(parameters):
        g = parameter.grad
        if g is not None:
            state["first"][number] = beta1 * state["first"][number] + (1 - beta1) * g
            state["second"][number] = beta2 * state["second"][number] + (1 - beta2) * g * g
            first = state["first"][number] / (1 - beta1 ** state["step"])
            second = state["second"][number] / (1 - beta2 ** state["step"])
            parameter.data = (1 - lr * weight_decay) * parameter.data - lr * first / (np.sqrt(second) + eps)


def embedding_vjp(g: Array, ids: Array, rows: int) -> Array:
    """Return the gradient of table, where g is the gradient of table[ids] (lesson 17)."""
    gradient = np.zeros((rows, g.shape[-1]))
    np.add.at(gradient, ids, g)
    return gradient


def sample(scores: Array, temperature: float, u: float) -> int:
    """Return the class that u, between 0 and 1, draws from softmax(scores / temperature) (lesson 17)."""
    sums = np.cumsum(softmax(scores / temperature, 0))
    return int(min(np.searchsorted(sums, u, side="right"), len(scores) - 1))


def causal_mask(length: int) -> Array:
    """Return the mask with which every place looks at itself and at the places before it (lesson 18)."""
    place = np.arange(length)
    return place[:, None] >= place[None, :]


def attention(q: Array, k: Array, v: Array, mask: Array) -> tuple[Array, Array]:
    """Return what each place gets from those that it may look at, and the weights (lesson 18)."""
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    weights = np.where(mask, softmax(np.where(mask, scores, -1e30), -1), 0.0)
    return weights @ v, weights


def attention_vjp(g: Array, q: Array, k: Array, v: Array, mask: Array) -> tuple[Array, Array, Array]:
    """Return the gradients of q, of k and of v, where g is the gradient of what attention returns first (lesson 18)."""
    _, weights = attention(q, k, v, mask)
    pull = weights * (g @ np.swapaxes(v, -1, -2))
    scores_grad = (pull - weights * pull.sum(axis=-1, keepdims=True)) / math.sqrt(q.shape[-1])
    return scores_grad @ k, np.swapaxes(scores_grad, -1, -2) @ q, np.swapaxes(weights, -1, -2) @ g


def layernorm_vjp(g: Array, x: Array, gain: Array, eps: float = 1e-5) -> tuple[Array, Array, Array]:
    """Return the gradients of x, of gain and of bias for layer norm (lesson 18)."""
    centred = x - x.mean(axis=-1, keepdims=True)
    size = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + eps)
    unit, unit_grad = centred / size, g * gain
    along = (unit_grad * unit).mean(axis=-1, keepdims=True)
    x_grad = (unit_grad - unit_grad.mean(axis=-1, keepdims=True) - unit * along) / size
    places = tuple(range(x.ndim - 1))
    return x_grad, (g * unit).sum(axis=places), g.sum(axis=places)
