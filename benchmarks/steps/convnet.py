"""Convolutions with ReLU and pooling between them, then linear layers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.steps import plain
from benchmarks.steps.workload import BATCHES, NetworkWorkload, Problem, Step, uniform


@dataclass(frozen=True)
class ConvNet(NetworkWorkload):
    """A batch of images (N, channels[0], size, size): convolution, ReLU and 2 × 2 pool for each channel count, linear.

    paddings: one for each convolution. pool: "max" or "avg". hidden: the widths between the last pool and the classes.
    """

    name: str
    size: int
    channels: tuple[int, ...]
    kernel: int
    paddings: tuple[int, ...]
    pool: str
    hidden: tuple[int, ...]
    batch: int
    optimizer: str
    goals: dict[str, float]
    lr: float
    classes: int = 10

    @property
    def title(self) -> str:
        channels = " and ".join(map(str, self.channels[1:]))
        network = "LeNet" if self.hidden else "CNN"
        return f"{network} on {self.size}×{self.size} images, {channels} channels, {self.pool} pool, batch {self.batch}"

    def _widths(self) -> tuple[int, ...]:
        size = self.size
        for padding in self.paddings:
            size = (size + 2 * padding - self.kernel + 1) // 2
        return self.channels[-1] * size * size, *self.hidden, self.classes

    def _places(self) -> tuple[list[int], list[int]]:
        """Where the convolutions and the linear layers stand in the Sequential."""
        convolutions = [3 * place for place in range(len(self.paddings))]
        first = 3 * len(self.paddings) + 1
        return convolutions, [first + 2 * place for place in range(len(self.hidden) + 1)]

    def draw(self, rng: np.random.Generator) -> Problem:
        weights = {}
        convolutions, linears = self._places()
        for place, n, m in zip(convolutions, self.channels, self.channels[1:], strict=False):
            fan_in = n * self.kernel**2
            weights[f"{place}.weight"] = uniform(rng, (m, n, self.kernel, self.kernel), fan_in)
            weights[f"{place}.bias"] = uniform(rng, (m,), fan_in)
        widths = self._widths()
        for place, n, m in zip(linears, widths, widths[1:], strict=False):
            weights[f"{place}.weight"] = uniform(rng, (m, n), n)
            weights[f"{place}.bias"] = uniform(rng, (m,), n)
        shape = self.batch, self.channels[0], self.size, self.size
        return Problem(
            weights,
            [
                (rng.standard_normal(shape, np.float32), rng.integers(0, self.classes, self.batch))
                for _ in range(BATCHES)
            ],
        )

    def network(self, torch: Any) -> Any:
        nn = torch.nn
        pool = {"max": nn.MaxPool2d, "avg": nn.AvgPool2d}[self.pool]
        layers = []
        for n, m, padding in zip(self.channels, self.channels[1:], self.paddings, strict=False):
            layers += [nn.Conv2d(n, m, self.kernel, padding=padding), nn.ReLU(), pool(2)]
        layers.append(nn.Flatten())
        widths = self._widths()
        for n, m in pairwise(widths):
            layers += [nn.Linear(n, m), nn.ReLU()]
        return nn.Sequential(*layers[:-1])

    def by_numpy(self, problem: Problem) -> Step:
        weights, batches = problem.copied_weights(), problem.rounds()
        update = plain.optimizer(self.optimizer, weights, self.lr)
        convolutions, linears = self._places()
        pool = {"max": plain.max_pool, "avg": plain.average_pool}[self.pool]
        pool_backward = {"max": plain.max_pool_backward, "avg": plain.average_pool_backward}[self.pool]

        def step() -> float:
            x, y = next(batches)
            seen = []
            for place, padding in zip(convolutions, self.paddings, strict=True):
                before = x
                image, columns = plain.convolution(x, weights[f"{place}.weight"], weights[f"{place}.bias"], padding)
                np.maximum(image, 0, out=image)
                x = pool(image)
                seen.append((place, padding, before, columns, image, x))
            pooled = x.shape
            x = x.reshape(len(x), -1)
            inputs = []
            for place in linears:
                if inputs:
                    np.maximum(x, 0, out=x)
                inputs.append(x)
                x = plain.linear(x, weights[f"{place}.weight"], weights[f"{place}.bias"])
            loss, g = plain.cross_entropy(x, y)

            grads = {}
            for place, x in zip(reversed(linears), reversed(inputs), strict=True):
                grads[f"{place}.weight"] = g.T @ x
                grads[f"{place}.bias"] = plain.column_sums(g)
                g = g @ weights[f"{place}.weight"]
                if place != linears[0]:
                    g *= x > 0
            g = g.reshape(pooled)
            for place, padding, before, columns, image, x in reversed(seen):
                g = pool_backward(g, image, x)
                g *= image > 0
                weight = weights[f"{place}.weight"]
                grads[f"{place}.weight"], grads[f"{place}.bias"] = plain.convolution_backward(g, columns, weight)
                if place:
                    g = plain.convolution_backward_to_input(g, weight, before, padding)
            update(grads)
            return loss

        return step
