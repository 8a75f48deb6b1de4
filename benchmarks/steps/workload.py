"""What a workload is: sizes, the weights and batches drawn from a seed, and a training step by each contender."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

Array = np.ndarray
Step = Callable[[], float]
"""One training step, on the next batch; returns the loss before it."""

BATCHES = 4


@dataclass(frozen=True)
class Problem:
    """What every contender is given: the weights to begin with, under the names of `state_dict`, and the batches."""

    weights: dict[str, Array]
    batches: list[tuple[Array, Array]]

    def copied_weights(self) -> dict[str, Array]:
        """Weights of one's own, to be changed in place."""
        return {name: weight.copy() for name, weight in self.weights.items()}

    def rounds(self) -> Iterator[tuple[Array, Array]]:
        """The batches, over and over."""
        return itertools.cycle(self.batches)


class Workload:
    """A training step of one kind. Its sizes are the fields of a subclass; goals are ratios of minitorch to others.

    The baseline, the first of `contenders`, is written by hand: forward and backward without a tape.
    """

    name: ClassVar[str]
    contenders: ClassVar[tuple[str, ...]] = ("numpy", "minitorch", "torch")
    goals: ClassVar[dict[str, float]]

    @property
    def title(self) -> str:
        """What the table calls it, sizes included."""
        raise NotImplementedError

    def draw(self, rng: np.random.Generator) -> Problem:
        """Weights and batches; the same generator, the same problem."""
        raise NotImplementedError

    def step(self, contender: str, problem: Problem) -> Step:
        """The training step of one contender, which begins with the problem's weights."""
        return getattr(self, f"by_{contender}")(problem)


class NetworkWorkload(Workload):
    """A network under cross entropy. minitorch and PyTorch run the same program: their public names are the same."""

    optimizer: str
    lr: float

    def network(self, torch: Any) -> Any:
        """The module, written with `torch`: either of the two packages. It maps a batch to logits (N, classes)."""
        raise NotImplementedError

    def by_numpy(self, problem: Problem) -> Step:
        """By hand."""
        raise NotImplementedError

    def by_minitorch(self, problem: Problem) -> Step:
        """As a user of minitorch writes it."""
        import minitorch

        return self._written_with(minitorch, problem)

    def by_torch(self, problem: Problem) -> Step:
        """As a user of PyTorch writes it; eager, one thread."""
        import torch

        torch.set_num_threads(1)
        return self._written_with(torch, problem)

    def _written_with(self, torch: Any, problem: Problem) -> Step:
        model = self.network(torch)
        model.load_state_dict({name: torch.from_numpy(weight) for name, weight in problem.copied_weights().items()})
        return self.training(torch, model, problem.batches)

    def training(self, torch: Any, model: Any, batches: list[tuple[Array, Array]]) -> Step:
        """The training step of a model of either package."""
        optimizer = getattr(torch.optim, self.optimizer)(model.parameters(), lr=self.lr)
        cross_entropy = torch.nn.functional.cross_entropy
        rounds = itertools.cycle([tuple(map(torch.from_numpy, batch)) for batch in batches])

        def step() -> float:
            x, y = next(rounds)
            optimizer.zero_grad()
            loss = cross_entropy(model(x), y.flatten())
            loss.backward()
            optimizer.step()
            return loss.item()

        return step


def changed(workload: Any, **sizes: Any) -> Any:
    """The same workload with other sizes."""
    return dataclasses.replace(workload, **sizes)


def uniform(rng: np.random.Generator, shape: tuple[int, ...], fan_in: int) -> Array:
    """Float32 between ±1/√fan_in, as layers begin in PyTorch."""
    bound = fan_in**-0.5
    return rng.uniform(-bound, bound, shape).astype(np.float32)
