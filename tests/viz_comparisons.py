"""Pairs of graphs that are too large or too wide to be compared node by node."""

import numpy as np

import minitorch as mt
from minitorch import viz
from minitorch.scalar import Value


def deep(layers=40, wrong=None, nan=None):
    """A residual chain of layers, one of which may multiply where it should add, or take a logarithm of -1."""
    x = mt.Tensor(np.array([0.5, 1.5], np.float64), requires_grad=True)
    names, held = {"x": x}, x
    for number in range(layers):
        w = mt.Tensor(np.array([0.6 + number / 1000, 0.5], np.float64), requires_grad=True)
        names[f"layers.{number}.w"] = w
        made = held * w
        made = made * made if number == wrong else made + w
        if number == nan:
            with np.errstate(invalid="ignore"):
                made = (made - 1000.0).log()
        held = (made - held).tanh()
    loss = held.sum()
    return loss, names


def against(**fault):
    (mine, names), (reference, others) = deep(**fault), deep()
    return viz.compare(mine, reference, names=names, reference_names=others)


def neuron(inputs, wrong=None):
    """Products of inputs and weights side by side, and their sum; one of the products may be a sum as well."""
    x = [Value(number / 10, label=f"x{number}") for number in range(inputs)]
    w = [Value(0.5 - number / 5, label=f"w{number}") for number in range(inputs)]
    made = [a + b if number == wrong else a * b for number, (a, b) in enumerate(zip(x, w, strict=True))]
    while len(made) > 1:
        made = [sum(made[at : at + 2]) for at in range(0, len(made), 2)]
    made[0].backward()
    return made[0]
