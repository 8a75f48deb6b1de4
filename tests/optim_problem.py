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
    *[
        (f"{kind} maximize={maximize} decay={decay}", kind, {"lr": 0.02, "maximize": maximize, "weight_decay": decay})
        for kind in ("Adamax", "NAdam", "RAdam", "Adadelta") for maximize in (False, True) for decay in (0, 0.1)
    ],
    ("Adamax betas", "Adamax", {"lr": 0.1, "betas": (0.3, 0.7), "eps": 1e-3}),
    ("NAdam betas", "NAdam", {"lr": 0.1, "betas": (0.3, 0.7), "eps": 1e-3, "momentum_decay": 0.1}),
    ("NAdam decoupled", "NAdam", {"lr": 0.02, "weight_decay": 0.1, "decoupled_weight_decay": True}),
    ("RAdam betas", "RAdam", {"lr": 0.1, "betas": (0.3, 0.7), "eps": 1e-3}),
    ("RAdam decoupled", "RAdam", {"lr": 0.02, "weight_decay": 0.1, "decoupled_weight_decay": True}),
    *[
        (f"{kind} maximize={maximize}", kind, {"lr": 0.02, "maximize": maximize, **options})
        for kind, options in (("ASGD", {}), ("Rprop", {}), ("Adafactor", {})) for maximize in (False, True)
    ],
    ("ASGD averaged", "ASGD", {"lr": 0.1, "lambd": 0.01, "alpha": 0.5, "t0": 10, "weight_decay": 0.1}),
    ("Rprop etas", "Rprop", {"lr": 0.1, "etas": (0.3, 1.7), "step_sizes": (1e-3, 0.2)}),
    ("Adafactor options", "Adafactor",
     {"lr": 0.1, "beta2_decay": -0.5, "eps": (1e-2, 0.3), "d": 1.5, "weight_decay": 0.1}),
    ("Adadelta rho", "Adadelta", {"rho": 0.5, "eps": 1e-3}),
]  # fmt: skip

# LBFGS asks for the loss itself. name, options
NEWTONS: list[tuple[str, dict[str, Any]]] = [
    ("lbfgs wolfe", {"line_search_fn": "strong_wolfe", "max_iter": 6}),
    ("lbfgs wolfe, short memory", {"line_search_fn": "strong_wolfe", "max_iter": 4, "history_size": 2, "lr": 0.5}),
    ("lbfgs wolfe, few evaluations", {"line_search_fn": "strong_wolfe", "max_iter": 9, "max_eval": 4}),
    ("lbfgs fixed", {"lr": 0.1, "max_iter": 5}),
    ("lbfgs fixed, tolerances", {"lr": 0.2, "max_iter": 8, "tolerance_change": 1e-3, "tolerance_grad": 1e-3}),
]


def descend(optimizer: Callable[[list[Any]], Any], leaf: Callable[[np.ndarray], Any], calls: int = 6) -> np.ndarray:
    """Rosenbrock's valley in two parameters: the loss of each call of step, and where each call ends."""
    x, y = leaf(np.array([-1.2, 0.8, 0.3])), leaf(np.array([[1.0, 0.6]]))
    going = optimizer([x, y])

    def closure() -> Any:
        going.zero_grad()
        loss = (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum() + ((y - x[0]) ** 4 + y * y).sum()
        loss.backward()
        return loss

    rows = []
    for _ in range(calls):
        loss = going.step(closure)
        rows.append([float(loss), *x.detach().numpy().reshape(-1), *y.detach().numpy().reshape(-1)])
    return np.array(rows)


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
