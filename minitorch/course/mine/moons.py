"""Two moons on an engine's single numbers: a network of 105 of them learns to tell the moons apart."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

SIZES = (2, 8, 8, 1)


@dataclass(frozen=True)
class Trained:
    """A training: the points and their labels, the network, the loss before each step, and how long it took."""

    points: list[list[float]]
    labels: list[int]
    model: Any
    losses: list[float]
    seconds: float

    @property
    def share(self) -> float:
        """The share of the points that the network tells rightly."""
        scores = [self.model(point).data for point in self.points]
        right = [(score > 0) == (label > 0) for score, label in zip(scores, self.labels, strict=True)]
        return float(sum(right) / len(right))


def moons(count: int, noise: float = 0.1, seed: int = 0) -> tuple[list[list[float]], list[int]]:
    """Points on two half circles that reach into each other, in random order, and their labels, 1 and -1."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, np.pi, count // 2)
    upper = np.stack([np.cos(t), np.sin(t)], axis=1)
    lower = np.stack([1.0 - np.cos(t), 0.5 - np.sin(t)], axis=1)
    points = np.concatenate([upper, lower]) + rng.normal(0.0, noise, (len(upper) + len(lower), 2))
    labels = [-1] * len(upper) + [1] * len(lower)
    order = rng.permutation(len(points))
    return points[order].tolist(), [labels[place] for place in order]


def train(engine: Any, steps: int = 80, batch: int = 32, lr: float = 1.0) -> Trained:
    """Train on 100 points.

    engine: whatever has `Value`, `MLP`, `hinge_loss`, `train_step` and `backward`, as lessons 01 to 04 write them.
    """
    start = time.perf_counter()
    points, labels = moons(100)
    model = engine.MLP(engine.Value, SIZES, random.Random(0))  # noqa: S311 - no secret
    parameters, chance, losses = model.parameters(), random.Random(1), []  # noqa: S311 - no secret
    for _ in range(steps):
        some = chance.sample(range(len(points)), batch)

        def loss_of(some: list[int] = some) -> Any:
            return engine.hinge_loss([model(points[i]) for i in some], [labels[i] for i in some])

        losses.append(engine.train_step(parameters, loss_of, engine.backward, lr))
    return Trained(points, labels, model, losses, time.perf_counter() - start)
