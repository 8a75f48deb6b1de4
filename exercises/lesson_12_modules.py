"""Lesson 12, modules: a network that finds its own parameters, names them, saves and loads them.

A parameter is a Tensor, as you wrote it in lessons 05 and 06, that wants a gradient:

    parameter.data             a NumPy array of floats
    parameter.grad             an array of the same shape, or None while no gradient has arrived
    parameter.requires_grad    True. A Tensor that says False is a constant, and no parameter

A module is an object with attributes. In an attribute may lie a parameter, another module, or a list, a tuple or a dict
that holds such things, also in lists of lists. Everything else that lies there, numbers, arrays, constants, is nobody's
parameter, and an object that is no module is passed over with all that lies in it, such as a plain Linear of lesson 10.
No module holds itself.

At the end of the file stands what lessons 05 and 10 asked for. In your engine, your own answers take its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

Array = Any  # a NumPy array


class Module:
    """A part of a network. A subclass sets its parts in __init__ and computes with them in forward."""

    training = True

    def __call__(self, *inputs: Any) -> Any:
        """Return what forward returns (given)."""
        return self.forward(*inputs)  # type: ignore[attr-defined]

    def named_parameters(self) -> dict[str, Any]:
        """Return every parameter that lies in this module, however deep, by the way that leads to it.

        Takes no arguments. Returns a dict from names to the parameters themselves, in the order in which they are met:
        attribute after attribute (vars(self) has them, by name), and all that lies in one before the next one. A name
        is the way, with dots: attributes by their names, entries of lists and tuples by their numbers from 0, those of
        dicts by their keys. A parameter that several ways lead to is there once, by the first of them. Two parameters
        that hold equal numbers are two.

            net.layers is [a, b], a.weight and b.weight are parameters, net.scale is 0.5
            net.named_parameters() is {"layers.0.weight": a.weight, "layers.1.weight": b.weight}
        """
        raise NotImplementedError

    def parameters(self) -> list[Any]:
        """Return the parameters in a list, for whoever trains (given)."""
        return list(self.named_parameters().values())

    def state_dict(self) -> dict[str, Array]:
        """Return a copy of all numbers, by name (given)."""
        return {name: parameter.data.copy() for name, parameter in self.named_parameters().items()}

    def load_state_dict(self, state: Mapping[str, Array]) -> None:
        """Copy the arrays of state into the arrays of this module's parameters, by name. Returns nothing.

        state: a dict from names to arrays, in any order. The parameters stay the same Tensors and their data the same
        arrays, with their dtypes: only the numbers in them change. state stays as it is, and shares no memory.
        Raises KeyError where a name of this module is missing in state, or state has a name that is not in this module;
        otherwise ValueError where the shapes under a name differ. Then no number of the module has changed.

            net.named_parameters() is {"weight": w}, w.data is [0., 0.]
            after net.load_state_dict({"weight": array([1., 2.])}) w.data is [1., 2.]
        """
        raise NotImplementedError

    def train(self, training: bool = True) -> Any:
        """Set the flag `training` of this module and of every module that lies in it, however deep. Return self.

        training: True or False. Modules lie where parameters may lie: in attributes, lists, tuples and dicts. Each
        module gets a flag of its own: other modules of the same class keep theirs.

            net.layers is [a, b]: after net.train(False) the flags of net, a and b are False
        """
        raise NotImplementedError

    def eval(self) -> Any:
        """Set all flags to False, for predictions (given)."""
        return self.train(False)


def he_init(n_in: int, n_out: int, rng: np.random.Generator) -> Array:
    """Return the first weights of a layer that is followed by a relu: an array of shape (n_in, n_out).

    Each number is drawn from rng, evenly between -bound and bound; rng.uniform(low, high, shape) draws an array. The
    bound is such that the mean of the squares is 2 / n_in, on average over many draws. n_in, n_out: whole numbers, at
    least 1. rng is the only source of chance. Other numbers in every call.

        he_init(6, 4, np.random.default_rng(0)) has the shape (6, 4), and its bound is 1.0
    """
    raise NotImplementedError


class Dense(Module):
    """A layer that makes its own numbers: x @ weight + bias."""

    def __init__(self, n_in: int, n_out: int, rng: np.random.Generator) -> None:
        """Set self.weight and self.bias, two parameters.

        weight: a Tensor of shape (n_in, n_out) with what he_init draws from rng. bias: a Tensor of shape (n_out,), all
        zeros. Both want a gradient. Nothing else is drawn from rng.

            layer = Dense(2, 3, rng): layer.weight.data.shape is (2, 3), layer.bias.data is [0., 0., 0.]
        """
        raise NotImplementedError

    def forward(self, x: Any) -> Any:
        """Return x @ weight + bias, by lesson 10's Linear: Linear(W, b)(x), with the weight and the bias of now.

        x: a Tensor of shape (N, n_in). Returns a Tensor of shape (N, n_out).

            weight is [[3.], [4.]], bias is [5.], x is [[1., 2.]]: the result is [[16.]]
        """
        raise NotImplementedError


# ------------------------------------------------------------------------------------ given: lessons 05, 06 and 10

# The switch: are operations recorded?
GRAD_ENABLED: ContextVar[bool] = ContextVar("GRAD_ENABLED", default=True)


class Compared:
    """What == means for a Tensor, and what a set or a dict goes by."""

    data: Array

    def __eq__(self, other: object) -> bool:
        """Return whether other is this very node (lesson 05)."""
        return self is other

    def __hash__(self) -> int:
        """Return the whole number by which sets and dicts find this node (lesson 05)."""
        return id(self)

    def equal(self, other: Any) -> bool:
        """Return whether other has the same shape and the same numbers (lesson 05)."""
        return np.array_equal(self.data, other.data)


def wants_grad(parents: Sequence[Any]) -> bool:
    """Return whether a result made from these parents takes part in the graph (lesson 05)."""
    return GRAD_ENABLED.get() and any(parent.requires_grad for parent in parents)


class Tensor(Compared):
    """An array that remembers how it was made."""

    grad: Array
    requires_grad: bool

    def __init__(self, data: Any, requires_grad: bool = False, _prev: tuple[Any, ...] = (), _op: str = "") -> None:
        """Set the seven attributes (lesson 05)."""
        array = np.array(data)
        self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
        self.grad = None
        self.requires_grad = requires_grad
        self._prev = _prev
        self._op = _op
        self._backward: Any = None
        self.label = ""

    def __repr__(self) -> str:
        """Return the numbers, and whether a gradient is wanted (given)."""
        wanted = ", requires_grad=True" if self.requires_grad else ""
        return f"Tensor({np.array2string(self.data, precision=4, separator=', ')}{wanted})"

    def result(self, data: Any, parents: tuple[Any, ...], op: str) -> Any:
        """Return the Tensor that an operation made out of parents (given)."""
        wanted = wants_grad(parents)
        return type(self)(data, requires_grad=wanted, _prev=parents if wanted else (), _op=op)

    def accumulate(self, gradient: Any) -> None:
        """Add gradient to self.grad, an array of its own; a constant takes none (lesson 05)."""
        if not self.requires_grad:
            return
        if np.shape(gradient) != self.data.shape:
            raise ValueError(f"a gradient of shape {np.shape(gradient)} arrived at data of shape {self.data.shape}")
        total = gradient if self.grad is None else self.grad + gradient
        self.grad = np.array(total, dtype=self.data.dtype)


class Linear:
    """A layer that is given its two Tensors: Linear(W, b)(x) is x @ W + b, as one node (lesson 10)."""

    def __init__(self, W: Any, b: Any) -> None:
        self.W, self.b = W, b

    def parameters(self) -> list[Any]:
        """Return both Tensors in a list (lesson 10)."""
        return [self.W, self.b]

    def __call__(self, x: Any) -> Any:
        """Return x @ W + b (lesson 10)."""
        W, b = self.W, self.b
        out = x.result(x.data @ W.data + b.data, (x, W, b), "affine")

        def _backward() -> None:
            g = out.grad
            if x.requires_grad:
                x.accumulate(g @ W.data.T)
            if W.requires_grad:
                W.accumulate(x.data.T @ g)
            if b.requires_grad:
                b.accumulate(g.sum(axis=0))

        if out.requires_grad:
            out._backward = _backward
        return out
