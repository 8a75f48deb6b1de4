"""Linear layers with ReLU between them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.steps import plain
from benchmarks.steps.workload import BATCHES, NetworkWorkload, Problem, Step, uniform


@dataclass(frozen=True)
class MLP(NetworkWorkload):
    """A batch of rows through linear layers."""

    name: str
    widths: tuple[int, ...]
    batch: int
    optimizer: str
    goals: dict[str, float]
    lr: float

    @property
    def title(self) -> str:
        return f"MLP {'-'.join(map(str, self.widths))}, batch {self.batch}, {self.optimizer}"

    def draw(self, rng: np.random.Generator) -> Problem:
        weights = {}
        for layer, (n, m) in enumerate(pairwise(self.widths)):
            weights[f"{2 * layer}.weight"] = uniform(rng, (m, n), n)
            weights[f"{2 * layer}.bias"] = uniform(rng, (m,), n)
        shape = self.batch, self.widths[0]
        classes = self.widths[-1]
        return Problem(
            weights,
            [(rng.standard_normal(shape, np.float32), rng.integers(0, classes, self.batch)) for _ in range(BATCHES)],
        )

    def network(self, torch: Any) -> Any:
        nn = torch.nn
        layers = []
        for n, m in pairwise(self.widths):
            layers += [nn.Linear(n, m), nn.ReLU()]
        return nn.Sequential(*layers[:-1])

    def by_numpy(self, problem: Problem) -> Step:
        weights, batches = problem.copied_weights(), problem.rounds()
        update = plain.optimizer(self.optimizer, weights, self.lr)
        last = len(self.widths) - 2

        def step() -> float:
            x, y = next(batches)
            inputs = [x]
            for layer in range(last):
                x = plain.linear(x, weights[f"{2 * layer}.weight"], weights[f"{2 * layer}.bias"])
                x = np.maximum(x, 0, out=x)
                inputs.append(x)
            logits = plain.linear(x, weights[f"{2 * last}.weight"], weights[f"{2 * last}.bias"])
            loss, g = plain.cross_entropy(logits, y)
            grads = {}
            for layer in range(last, -1, -1):
                x = inputs.pop()
                grads[f"{2 * layer}.weight"] = g.T @ x
                grads[f"{2 * layer}.bias"] = plain.column_sums(g)
                if layer:
                    g = g @ weights[f"{2 * layer}.weight"]
                    g *= x > 0
            update(grads)
            return loss

        return step
