"""Lesson 13, optimisers in a valley: what to do with a gradient besides subtracting it.

A parameter is a leaf, a Tensor as you wrote it in lesson 05:

    parameter.data    a NumPy array of floats: the numbers that training changes
    parameter.grad    an array of the same shape, or None while no gradient has arrived

What an optimiser has to remember from step to step lies in a list or a dict that whoever calls it keeps. It has a place
for each parameter; at the beginning all arrays in it are zeros.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = Any  # a NumPy array
Parameters = Sequence[Any]  # leaves, each with data and grad


def sgd_momentum(parameters: Parameters, velocities: list[Array], lr: float, momentum: float) -> None:
    """Make one step of gradient descent with momentum. Returns nothing.

    Of each parameter: the new velocity is momentum times the old one plus the gradient; the data go lr times the new
    velocity downhill. velocities: a list of arrays, one for each parameter, of its shape; each is replaced by the new
    one, by another array in the list or by other numbers in the array. A parameter whose grad is None keeps its data
    and its velocity. Every grad stays as it is.

        p.data is [1., 2.], p.grad is [3., -1.], velocities is [[10., 0.]], lr = 0.1, momentum = 0.5
        the velocity becomes [8., -1.], and p.data [0.2, 2.1]
    """
    for number, parameter in enumerate(parameters):
        if parameter.grad is not None:
            velocities[number] = momentum * velocities[number] + parameter.grad
            parameter.data = parameter.data - lr * velocities[number]


def adam_step(
    parameters: Parameters,
    state: dict[str, Any],
    lr: float,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.0,
) -> None:
    """Make one step of Adam, with decoupled weight decay (AdamW). Returns nothing.

    state: {"step": 0, "first": [zeros, ...], "second": [zeros, ...]} at the beginning, with an array for each parameter
    in both lists; it is changed. "step" counts the calls. betas are beta1 and beta2. Of each parameter, g its grad:

        first   becomes  beta1 * first  + (1 - beta1) * g
        second  becomes  beta2 * second + (1 - beta2) * g * g
        corrected:       first / (1 - beta1 ** step), second / (1 - beta2 ** step); the lists keep them uncorrected
        data    becomes  data - lr * weight_decay * data - lr * corrected first / (sqrt(corrected second) + eps)

    A parameter whose grad is None keeps its data and its two arrays. Every grad stays as it is.

        p.data is [1.], p.grad is [4.], a fresh state, lr = 0.1: after the first step p.data is [0.9]
    """
    beta1, beta2 = betas
    state["step"] += 1
    for number, parameter in enumerate(parameters):
        g = parameter.grad
        if g is not None:
            state["first"][number] = beta1 * state["first"][number] + (1 - beta1) * g
            state["second"][number] = beta2 * state["second"][number] + (1 - beta2) * g * g
            first = state["first"][number] / (1 - beta1 ** state["step"])
            second = state["second"][number] / (1 - beta2 ** state["step"])
            shrunk = parameter.data - lr * weight_decay * parameter.data
            parameter.data = shrunk - lr * first / (np.sqrt(second) + eps)


def clip_grad_norm(parameters: Parameters, max_norm: float) -> float:
    """Shorten all gradients by one common factor, where together they are longer than max_norm. Return their length.

    The length, or norm: the square root of the sum of the squares of all numbers in all grads. Where that is more than
    max_norm, every grad is multiplied by max_norm / norm; otherwise all stay as they are. A grad that is None counts
    nothing and stays None. Returns the norm before, a plain number. Changes no data.

        the grads are [3.] and [0., 4.], max_norm = 1.0: the norm is 5.0, and the grads become [0.6] and [0., 0.8]
    """
    grads = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.sqrt(sum(float((grad * grad).sum()) for grad in grads))
    if norm > max_norm:
        for parameter in parameters:
            if parameter.grad is not None:
                parameter.grad = parameter.grad * (max_norm / norm)
    return norm


def cosine_lr(step: int, steps: int, peak: float, warmup: int, final: float = 0.0) -> float:
    """Return the learning rate of a step: up in a straight line, then down along half a cosine.

    step: 0 for the first step of the training. steps: how many there are; warmup: how many of them go up, 0 to
    steps - 1. The rate is peak / warmup at step 0, 2 * peak / warmup at step 1 and so on, and peak at step warmup - 1.
    From step warmup on it is a cosine, which is peak at step warmup and final at step steps. After that it stays final.

        cosine_lr(0, 10, 1.0, warmup=2) is 0.5, at steps 1 and 2 it is 1.0, at step 6 it is 0.5, at step 10 it is 0.0
    """
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= steps:
        return final
    share = (step - warmup) / (steps - warmup)
    return final + (peak - final) * (1 + math.cos(math.pi * share)) / 2


def sharpest(
    gradient_of: Callable[[Array], Array], x: Array, start: Array, rounds: int = 50, eps: float = 1e-4
) -> float:
    """Return the curvature at x that is largest in size: how fast the slope grows where it changes most.

    gradient_of: takes a place, an array of x's shape, and returns the gradient there. start: a direction to begin
    with, of x's shape, not all zeros, of any length. In each round the direction is made 1 long, and the change of the
    gradient along it is measured: (gradient_of(x + eps * direction) - gradient_of(x - eps * direction)) / (2 * eps).
    That change is the next direction. Returns one number, from the last round: the sum of the products of the change
    and of the direction, 1 long, along which it was measured. It is negative where the slope falls: of the curvatures 2
    and -5 the result is -5. A change of 0 cannot be made 1 long: then the rounds end, and the result is 0.

        gradient_of doubles the first number and multiplies the second by 10: the largest curvature is 10.0, everywhere
    """
    direction = start
    for _ in range(rounds):
        length = math.sqrt(float((direction * direction).sum()))
        if length == 0.0:
            return 0.0
        unit = direction / length
        direction = (gradient_of(x + eps * unit) - gradient_of(x - eps * unit)) / (2 * eps)
    return float((unit * direction).sum())
