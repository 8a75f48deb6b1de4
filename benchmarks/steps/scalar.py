"""The scalar engine: a network of single numbers that learns to tell two moons apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.steps.workload import BATCHES, Problem, Step, Workload, uniform

Rows = list[list[float]]


def _of_signs(weights: list[Any], x: list[Any], bias: Any) -> Any:
    return sum((w * n for w, n in zip(weights, x)), bias)


@dataclass(frozen=True)
class Scalar(Workload):
    """ReLU layers on points of the plane, one output, hinge loss mean(max(0, 1 - yₙ · outputₙ)), plain descent.

    minitorch, micrograd and PyTorch run the same program. In micrograd and PyTorch a neuron is a node for every
    product and every sum; minitorch has `Value.dot`, which makes one node of it. "minitorch, + and *" does without.
    """

    name: str
    widths: tuple[int, ...]
    points: int
    goals: dict[str, float]
    lr: float = 0.05
    contenders = ("floats", "minitorch", "minitorch_signs", "micrograd", "torch")

    @property
    def title(self) -> str:
        return f"scalar engine, {'-'.join(map(str, self.widths))} on {self.points} moons"

    def draw(self, rng: np.random.Generator) -> Problem:
        weights = {}
        for layer, (n, m) in enumerate(pairwise(self.widths)):
            weights[f"{layer}.weight"], weights[f"{layer}.bias"] = uniform(rng, (m, n), n), uniform(rng, (m,), n)
        return Problem(weights, [self._moons(rng) for _ in range(BATCHES)])

    def _moons(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Points on two half circles that reach into each other, and 1 or -1 for each."""
        side = rng.integers(0, 2, self.points)
        angle = rng.uniform(0, np.pi, self.points)
        upper = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        lower = np.stack([1 - np.cos(angle), 0.5 - np.sin(angle)], axis=1)
        points = np.where(side[:, None] == 0, upper, lower) + 0.1 * rng.standard_normal((self.points, 2))
        return points.astype(np.float32), 2 * side - 1

    def by_minitorch(self, problem: Problem) -> Step:
        """As a user of minitorch.scalar writes it."""
        from minitorch.scalar import Value

        return self._of_nodes(problem, Value, no_grad=None, neuron=Value.dot)

    def by_minitorch_signs(self, problem: Problem) -> Step:
        """As it is written in engines that have + and * alone."""
        from minitorch.scalar import Value

        return self._of_nodes(problem, Value, no_grad=None)

    def by_micrograd(self, problem: Problem) -> Step:
        """The same in micrograd, whose gradients begin at 0."""
        from micrograd.engine import Value

        return self._of_nodes(problem, Value, no_grad=0.0)

    def by_torch(self, problem: Problem) -> Step:
        """The same with tensors of one number."""
        import torch

        torch.set_num_threads(1)
        return self._of_nodes(problem, lambda number: torch.tensor(number, requires_grad=True), no_grad=None)

    def _of_nodes(self, problem: Problem, node: Any, no_grad: Any, neuron: Any = _of_signs) -> Step:
        layers = []
        for layer in range(len(self.widths) - 1):
            rows, biases = problem.weights[f"{layer}.weight"].tolist(), problem.weights[f"{layer}.bias"].tolist()
            layers.append([([node(each) for each in row], node(bias)) for row, bias in zip(rows, biases, strict=True)])
        parameters = [each for layer in layers for weights, bias in layer for each in (*weights, bias)]
        *hidden, last = layers
        batches = _as_lists(problem)

        def output(x: list[Any]) -> Any:
            for layer in hidden:
                x = [neuron(weights, x, bias).relu() for weights, bias in layer]
            weights, bias = last[0]
            return neuron(weights, x, bias)

        def step() -> float:
            points, sides = next(batches)
            losses = [(1 - side * output(x)).relu() for x, side in zip(points, sides)]
            loss = sum(losses[1:], losses[0]) * (1 / len(losses))
            for each in parameters:
                each.grad = no_grad
            loss.backward()
            for each in parameters:
                each.data -= self.lr * each.grad
            return float(loss.data)

        return step

    def by_floats(self, problem: Problem) -> Step:
        """Forward and backward written out in loops over floats; no work is left out where a slope is zero."""
        weights = [problem.weights[f"{layer}.weight"].tolist() for layer in range(len(self.widths) - 1)]
        biases = [problem.weights[f"{layer}.bias"].tolist() for layer in range(len(self.widths) - 1)]
        batches = _as_lists(problem)
        last = len(weights) - 1

        def step() -> float:
            points, sides = next(batches)
            weight_grads = [[[0.0] * len(row) for row in rows] for rows in weights]
            bias_grads = [[0.0] * len(row) for row in biases]
            share = 1 / len(points)
            total = 0.0
            for x, side in zip(points, sides):
                inputs = []
                for layer, rows in enumerate(weights):
                    inputs.append(x)
                    following = []
                    for row, out in zip(rows, biases[layer]):
                        for w, n in zip(row, x):
                            out += w * n
                        following.append(out if out > 0 or layer == last else 0.0)
                    x = following
                missing = 1 - side * x[0]
                total += missing if missing > 0 else 0.0
                g = [-side * share if missing > 0 else 0.0]
                for layer in range(last, -1, -1):
                    x = inputs[layer]
                    before = [0.0] * len(x)
                    sums = bias_grads[layer]
                    for place, (row, row_grad, slope) in enumerate(zip(weights[layer], weight_grads[layer], g)):
                        sums[place] += slope
                        for at, n in enumerate(x):
                            row_grad[at] += slope * n
                            before[at] += slope * row[at]
                    g = [slope if n > 0 else 0.0 for slope, n in zip(before, x)]
            for rows, grads, row, sums in zip(weights, weight_grads, biases, bias_grads):
                _descend(rows, grads, self.lr)
                _descend([row], [sums], self.lr)
            return total * share

        return step


def _descend(rows: Rows, grads: Rows, lr: float) -> None:
    for row, row_grad in zip(rows, grads):
        for at, slope in enumerate(row_grad):
            row[at] -= lr * slope


def _as_lists(problem: Problem) -> Any:
    lists = Problem({}, [(points.tolist(), sides.tolist()) for points, sides in problem.batches])
    return lists.rounds()
