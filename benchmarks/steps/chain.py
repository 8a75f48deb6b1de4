"""A chain of additions: what an operation costs when it computes next to nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.steps.workload import Array, Problem, Step, Workload


@dataclass(frozen=True)
class Chain(Workload):
    """x + 1 + 1 + …, its gradient, and the end of the graph. The "loss" is the last sum's first number + x.grad's."""

    name: str
    length: int
    size: int
    goals: dict[str, float]

    @property
    def title(self) -> str:
        return f"chain of {self.length:,} adds, size {self.size:,}: forward + backward + free"

    def draw(self, rng: np.random.Generator) -> Problem:
        return Problem({"x": rng.standard_normal(self.size, np.float32)}, [])

    def by_numpy(self, problem: Problem) -> Step:
        """The additions alone: their gradient is what it was."""
        x, one = problem.weights["x"], np.ones(self.size, np.float32)

        def step() -> float:
            y: Array = x
            for _ in range(self.length):
                y = y + one
            return float(y[0]) + 1.0

        return step

    def by_minitorch(self, problem: Problem) -> Step:
        """With minitorch."""
        import minitorch

        return self._written_with(minitorch, problem)

    def by_torch(self, problem: Problem) -> Step:
        """With PyTorch, eager, one thread."""
        import torch

        torch.set_num_threads(1)
        return self._written_with(torch, problem)

    def _written_with(self, torch: Any, problem: Problem) -> Step:
        x = torch.from_numpy(problem.weights["x"].copy()).requires_grad_()
        one, slope = torch.ones(self.size), torch.ones(self.size)

        def step() -> float:
            x.grad = None
            y = x
            for _ in range(self.length):
                y = y + one
            y.backward(slope)
            return y[0].item() + x.grad[0].item()

        return step
