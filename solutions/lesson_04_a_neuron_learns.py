"""Lesson 04, a neuron learns: a loss that says how wrong the scores are, and steps that make it smaller.

All numbers here. A node is a Value as you wrote it in lesson 01; it knows +, - , * and **:

    node.data           one number
    node.grad           one number, or None while no gradient has arrived
    node._prev          tuple of its parents; () for a leaf
    node._local_grads   tuple of numbers, one for each parent

A parameter is a leaf that training may change: a weight or a bias.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from typing import Any

Node = Any  # the class is yours, of lesson 01; this file makes nodes with type(node)(...)


def relu(node: Node) -> Node:
    """Return max(0, node) as a new node (given).

    node: one node. Returns one node with one parent. Its local gradient is 1 above zero, else 0.

        relu(Value(3.0)).data is 3.0, relu(Value(-3.0)).data is 0.0
    """
    above = node.data > 0
    return type(node)(node.data if above else 0.0, (node,), "relu", (1.0 if above else 0.0,))


def neuron(weights: Sequence[Node], bias: Node, inputs: Sequence[Node | float]) -> Node:
    """Return bias + weights[0] * inputs[0] + weights[1] * inputs[1] + ... as one node (given).

    weights: n nodes. bias: one node. inputs: n plain numbers, or n nodes of the layer before. Returns one node.

        neuron([Value(2.0), Value(3.0)], Value(1.0), [5.0, 1.0]).data is 14.0
    """
    out = bias
    for weight, each in zip(weights, inputs, strict=True):
        out = out + weight * each
    return out


def hinge_loss(scores: Sequence[Node], labels: Sequence[float]) -> Node:
    """Return the mean of max(0, 1 - label * score) over all points, as one node.

    scores: n nodes, n at least 1. labels: n plain numbers, each 1 or -1. Returns one node, for any scores.
    A Value has no max and no /. Use `relu` above, and multiply by a plain number.

        scores = [Value(0.5), Value(3.0)], labels = [1, 1]
        the terms are 0.5 and 0, the loss is 0.25, and its gradients are -0.5 and 0
    """
    total = sum(relu(1 - score * label) for score, label in zip(scores, labels, strict=True))
    return total * (1 / len(scores))


def sgd_step(parameters: Sequence[Node], lr: float) -> None:
    """Move each parameter's number one step against its gradient: lr times grad. Returns nothing.

    parameters: a list of leaves. lr: one positive number, the learning rate.
    Changes data and nothing else: the same leaves stay in the list, and every grad stays as it is.
    A parameter whose grad is None stays where it is.

        p.data is 1.0 and p.grad is 2.0; after sgd_step([p], lr=0.1) p.data is 0.8
    """
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data -= lr * parameter.grad


def zero_grad(parameters: Sequence[Node]) -> None:
    """Set the grad of every parameter back to None: no gradient yet. Returns nothing.

    parameters: a list of leaves. Changes grad and nothing else.

        p.data is 1.0 and p.grad is 2.0; after zero_grad([p]) p.data is 1.0 and p.grad is None
    """
    for parameter in parameters:
        parameter.grad = None


def train_step(
    parameters: Sequence[Node], loss_of: Callable[[], Node], backward: Callable[[Node], None], lr: float
) -> float:
    """Make one step of training with your `zero_grad` and `sgd_step`. Return the loss before the step, a plain number.

    parameters: a list of leaves; whatever their grads hold when the call begins has no part in the step.
    loss_of: takes nothing; each call computes the loss anew, from the parameters as they are then, as one node.
    backward: your function of lesson 02; backward(loss) adds to the grads of leaves. lr: one positive number.

        loss_of computes p * p, and p.data is 3.0: the loss is 9.0, and its gradient is 6.0
        train_step([p], loss_of, backward, lr=0.1) returns 9.0; after it p.data is 2.4
    """
    zero_grad(parameters)
    loss = loss_of()
    backward(loss)
    sgd_step(parameters, lr)
    return loss.data


def init_weights(n_inputs: int, rng: random.Random) -> list[float]:
    """Return the first weights of one neuron, each drawn from rng, evenly between -bound and bound.

    bound is sqrt(3 / n_inputs). n_inputs: one whole number, at least 1. rng: a random.Random, and the only source of
    chance; rng.uniform(low, high) draws one number. Returns a list of n_inputs plain numbers, other ones in every call.

        init_weights(3, random.Random(0)) is [0.689, 0.516, -0.159], to 3 digits; its bound is sqrt(3 / 3) = 1
    """
    bound = math.sqrt(3 / n_inputs)
    return [rng.uniform(-bound, bound) for _ in range(n_inputs)]


class MLP:
    """A network of neurons in layers (given). MLP stands for multilayer perceptron.

    sizes: (2, 8, 8, 1) are 2 inputs, two layers of 8 neurons with relu, and 1 neuron without, which gives the score.
    layers: for each layer a list of (weights, bias), one for each neuron. Weights come from `init`, biases are 0.

        MLP(Value, (2, 8, 8, 1), random.Random(0))([0.5, -1.0]) is one node, the score of one point
    """

    def __init__(
        self,
        new: Callable[[float], Node],
        sizes: Sequence[int],
        rng: random.Random,
        init: Callable[[int, random.Random], list[float]] | None = None,
    ) -> None:
        draw = init_weights if init is None else init
        self.layers = [
            [([new(weight) for weight in draw(n_inputs, rng)], new(0.0)) for _ in range(n_neurons)]
            for n_inputs, n_neurons in itertools.pairwise(sizes)
        ]

    def __call__(self, inputs: Sequence[float]) -> Node:
        """Return the score of one point: one node."""
        for number, layer in enumerate(self.layers, start=1):
            outs = [neuron(weights, bias, inputs) for weights, bias in layer]
            inputs = outs if number == len(self.layers) else [relu(out) for out in outs]
        (score,) = inputs
        return score

    def parameters(self) -> list[Node]:
        """Return all weights and biases as one list."""
        return [each for layer in self.layers for weights, bias in layer for each in (*weights, bias)]


def careful_step(
    parameters: Sequence[Node],
    loss_of: Callable[[], Node],
    backward: Callable[[Node], None],
    lr: float,
    tries: int = 10,
) -> float:
    """Make one step of training that never makes the loss larger. Return the learning rate that it was made with.

    All tries start from the same numbers and use the same gradients, so backward runs once. The first try takes lr.
    Where the loss after a try is not smaller than the loss before the step, the parameters get their numbers back, and
    the next try takes half the rate. tries: how many there may be, at least 1. When none of them helps, all numbers
    are as they were, and the function returns 0.0. Returns one plain number.
    parameters, loss_of, backward and lr: as in `train_step`.

        loss_of computes p * p, and p.data is 3.0; careful_step([p], loss_of, backward, lr=1.5) returns 0.75:
        from 3.0 the rate 1.5 leads to -6.0, and the loss would be 36; half of it leads to -1.5, and the loss is 2.25
    """
    zero_grad(parameters)
    loss = loss_of()
    backward(loss)
    before = [parameter.data for parameter in parameters]
    for _ in range(tries):
        sgd_step(parameters, lr)
        if loss_of().data < loss.data:
            return lr
        for parameter, number in zip(parameters, before, strict=True):
            parameter.data = number
        lr = lr / 2
    return 0.0
