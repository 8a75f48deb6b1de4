"""Schedules that minitorch and PyTorch run alike: each a function of the module of schedulers and an optimiser."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

LRS = [0.5, 0.03]  # of the two groups
EPOCHS = 40
# A measure that falls, stays, rises and falls again.
MEASURES = [3.0, 2.0, 1.5, 1.5, 1.4999, 1.5, 1.6, 1.2, 1.2, 1.2, 1.3, 1.3, 1.3, 1.3, 1.1, 1.0, 1.0, 1.0, 1.0, 0.5] * 2

Build = Callable[[Any, Any], Any]


def sequence(m: Any, o: Any) -> Any:
    parts = [m.LinearLR(o, 0.1, total_iters=5), m.CosineAnnealingLR(o, 10, 0.001), m.ExponentialLR(o, 0.9)]
    return m.SequentialLR(o, parts, milestones=[5, 17])


def all_kinds(m: Any, o: Any) -> Any:
    parts = [
        m.ConstantLR(o, 0.5, 3),
        m.StepLR(o, 2),
        m.MultiStepLR(o, [0, 2, 2, 4]),
        m.LambdaLR(o, lambda epoch: 1 / (1 + epoch)),
        m.CosineAnnealingWarmRestarts(o, 3, 2),
        m.LinearLR(o, total_iters=4),
    ]
    return m.SequentialLR(o, parts, milestones=[4, 10, 16, 22, 30])


SCHEDULES: dict[str, Build] = {
    "step": lambda m, o: m.StepLR(o, 7),
    "step of 1": lambda m, o: m.StepLR(o, 1, gamma=0.95),
    "multi step": lambda m, o: m.MultiStepLR(o, [3, 10, 10, 25], gamma=0.3),
    "constant": lambda m, o: m.ConstantLR(o),
    "constant 0.7": lambda m, o: m.ConstantLR(o, 0.7, 12),
    "linear": lambda m, o: m.LinearLR(o),
    "linear down": lambda m, o: m.LinearLR(o, 0.9, 0.2, 30),
    "exponential": lambda m, o: m.ExponentialLR(o, 0.93),
    "lambda": lambda m, o: m.LambdaLR(o, lambda epoch: math.sin(epoch + 1) ** 2),
    "lambdas": lambda m, o: m.LambdaLR(o, [lambda epoch: 0.9**epoch, lambda epoch: 1 / (1 + epoch)]),
    "cosine": lambda m, o: m.CosineAnnealingLR(o, 40),
    "cosine waves": lambda m, o: m.CosineAnnealingLR(o, 7, eta_min=0.01),
    "cosine of 1": lambda m, o: m.CosineAnnealingLR(o, 1),
    "restarts": lambda m, o: m.CosineAnnealingWarmRestarts(o, 9),
    "restarts twice as long": lambda m, o: m.CosineAnnealingWarmRestarts(o, 3, 2, eta_min=0.001),
    "one cycle": lambda m, o: m.OneCycleLR(o, 0.7, total_steps=45),
    "one cycle linear": lambda m, o: m.OneCycleLR(
        o, [0.7, 0.1], epochs=5, steps_per_epoch=10, anneal_strategy="linear"
    ),
    "one cycle three phases": lambda m, o: m.OneCycleLR(
        o, 0.7, 41, pct_start=0.4, three_phase=True, div_factor=10, final_div_factor=100, base_momentum=[0.7, 0.8]
    ),
    "one cycle without momentum": lambda m, o: m.OneCycleLR(o, 0.7, 45, pct_start=0.5, cycle_momentum=False),
    "sequence": sequence,
    "all kinds": all_kinds,
    "polynomial": lambda m, o: m.PolynomialLR(o, 30),
    "polynomial of power 2": lambda m, o: m.PolynomialLR(o, 12, power=2.0),
    "multiplicative": lambda m, o: m.MultiplicativeLR(o, lambda epoch: 0.9 if epoch % 3 else 1.1),
    "chained": lambda m, o: m.ChainedScheduler([m.ConstantLR(o, 0.5, 6), m.ExponentialLR(o, 0.95), m.StepLR(o, 9)]),
    "cyclic": lambda m, o: m.CyclicLR(o, 0.01, 0.7, 6),
    "cyclic, halved": lambda m, o: m.CyclicLR(o, [0.01, 0.02], 0.7, 4, 7, "triangular2", base_momentum=0.7),
    "cyclic, shrinking": lambda m, o: m.CyclicLR(o, 0.01, 0.7, 5, mode="exp_range", gamma=0.97, cycle_momentum=False),
    "cyclic, its own scale": lambda m, o: m.CyclicLR(o, 0.01, 0.7, 5, scale_fn=lambda x: 1 / x),
    "plateau": lambda m, o: m.ReduceLROnPlateau(o, patience=2),
    "plateau abs": lambda m, o: m.ReduceLROnPlateau(
        o, factor=0.5, patience=1, threshold=0.1, threshold_mode="abs", cooldown=2, min_lr=[0.1, 0.001]
    ),
    "plateau max": lambda m, o: m.ReduceLROnPlateau(o, "max", factor=0.7, patience=4, threshold=0.01),
    "plateau max abs": lambda m, o: m.ReduceLROnPlateau(o, "max", 0.7, 0, 0.2, "abs", 3, 0.01, eps=0.002),
}


def momentum(group: dict[str, Any]) -> float:
    """What OneCycleLR cycles."""
    return float(group["betas"][0] if "betas" in group else group["momentum"])


def curve(build: Build, schedulers: Any, optimizer: Any, epochs: int = EPOCHS) -> np.ndarray:
    """Learning rates and momentum of both groups, one row an epoch."""
    return follow(build(schedulers, optimizer), optimizer, range(epochs))


def follow(scheduler: Any, optimizer: Any, epochs: range) -> np.ndarray:
    rows = []
    for epoch in epochs:
        groups = optimizer.param_groups
        rows.append([float(group["lr"]) for group in groups] + [momentum(group) for group in groups])
        assert scheduler.get_last_lr() == [group["lr"] for group in groups]
        optimizer.step()
        scheduler.step(*([MEASURES[epoch]] if type(scheduler).__name__ == "ReduceLROnPlateau" else []))
    return np.array(rows)


def optimizer_of(optim: Any, tensor: Callable[[np.ndarray], Any], kind: str = "SGD") -> Any:
    """Two groups with one parameter each."""
    groups = [{"params": [tensor(np.ones(2))], "lr": lr} for lr in LRS]
    return optim.SGD(groups, momentum=0.9) if kind == "SGD" else getattr(optim, kind)(groups)
