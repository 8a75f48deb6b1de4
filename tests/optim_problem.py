"""Small problems for optimisers, run by minitorch and by PyTorch alike: the gradients are given, not computed.

The gradient of a parameter is its distance from a target plus noise, so that it depends on every step before. One
parameter has no gradient in some steps, another one is a single number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SHAPES = [(3, 2), (4,), ()]
STEPS = 100

# name, class, options
RUNS: list[tuple[str, str, dict[str, Any]]] = [
    ("sgd", "SGD", {"lr": 0.05}),
    ("sgd decay", "SGD", {"lr": 0.05, "weight_decay": 0.1}),
    ("sgd maximize", "SGD", {"lr": 0.01, "maximize": True}),
    ("sgd maximize decay", "SGD", {"lr": 0.01, "maximize": True, "weight_decay": 0.1}),
    ("sgd momentum", "SGD", {"lr": 0.05, "momentum": 0.9}),
    ("sgd dampening", "SGD", {"lr": 0.05, "momentum": 0.9, "dampening": 0.3}),
    ("sgd momentum decay dampening", "SGD", {"lr": 0.05, "momentum": 0.8, "weight_decay": 0.1, "dampening": 0.5}),
    ("sgd nesterov", "SGD", {"lr": 0.05, "momentum": 0.9, "nesterov": True}),
    ("sgd nesterov decay maximize", "SGD",
     {"lr": 0.002, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1, "maximize": True}),
    *[
        (f"{kind} amsgrad={amsgrad} maximize={maximize} decay={decay}", kind,
         {"lr": 0.02, "amsgrad": amsgrad, "maximize": maximize, "weight_decay": decay})
        for kind in ("Adam", "AdamW") for amsgrad in (False, True) for maximize in (False, True) for decay in (0, 0.1)
    ],
    ("adam betas", "Adam", {"lr": 0.1, "betas": (0.3, 0.7), "eps": 1e-3}),
    ("adam no averages", "Adam", {"lr": 0.1, "betas": (0.0, 0.0)}),
    *[
        (f"RMSprop momentum={momentum} centered={centered} maximize={maximize} decay={decay}", "RMSprop",
         {"lr": 0.01, "momentum": momentum, "centered": centered, "maximize": maximize, "weight_decay": decay})
        for momentum in (0, 0.9) for centered in (False, True) for maximize in (False, True) for decay in (0, 0.1)
    ],
    ("rmsprop alpha", "RMSprop", {"lr": 0.01, "alpha": 0.5, "eps": 1e-3}),
    *[
        (f"Adagrad lr_decay={lr_decay} start={start} maximize={maximize} decay={decay}", "Adagrad",
         {"lr": 0.1, "lr_decay": lr_decay, "initial_accumulator_value": start, "maximize": maximize,
          "weight_decay": decay})
        for lr_decay in (0, 0.1) for start in (0, 0.5) for maximize in (False, True) for decay in (0, 0.1)
    ],
]  # fmt: skip


def start(dtype: str = "float64") -> list[np.ndarray]:
    """The parameters before the first step."""
    draw = np.random.Generator(np.random.PCG64(1))
    return [np.asarray(draw.random(shape) * 2 - 1).astype(dtype) for shape in SHAPES]


def noise(step: int) -> list[np.ndarray]:
    """What is added to the gradients in a step."""
    draw = np.random.Generator(np.random.PCG64(1000 + step))
    return [np.asarray(draw.random(shape) * 2 - 1) for shape in SHAPES]


def gradients(values: list[np.ndarray], step: int) -> list[np.ndarray | None]:
    """The gradients in a step, for these values of the parameters."""
    found: list[np.ndarray | None] = [
        (value - 0.5 + extra).astype(value.dtype) for value, extra in zip(values, noise(step), strict=True)
    ]
    if step % 3 == 1:
        found[1] = None
    return found


def run(
    optimizer: Any,
    params: list[Any],
    values: Callable[[Any], np.ndarray],
    give: Callable[[Any, np.ndarray | None], None],
    steps: range = range(STEPS),
) -> np.ndarray:
    """All parameters after every step, one row a step."""
    rows = []
    for step in steps:
        for param, grad in zip(params, gradients([values(param) for param in params], step), strict=True):
            give(param, grad)
        optimizer.step()
        rows.append(np.concatenate([values(param).reshape(-1).astype(np.float64) for param in params]))
    return np.stack(rows)
