"""Lesson 19's GPT on an engine of lessons, beside the package's: `python -m benchmarks.capstone`, and its goal.

Both begin with the same numbers in float64, read the same batches and make the same steps of Adam, in turns, in one
process. Their losses must agree in every step; the time is what a learner's engine takes beside the package.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import minitorch as mt
from minitorch.course import engine
from minitorch.data import Vocabulary, stories

SIZES = {"characters": 59, "width": 32, "heads": 2, "layers": 2, "context": 32}
TEXTS, LR = 16, 0.003
RATIO, APART = 3.0, 1e-4  # the goals


class Package:
    """The same GPT on the package's own Tensor, with the numbers of another one."""

    def __init__(self, numbers: Mapping[str, Any], sizes: Mapping[str, int]) -> None:
        self.sizes = sizes
        self.of = {
            name: mt.tensor(np.array(each), dtype=mt.float64, requires_grad=True) for name, each in numbers.items()
        }
        self.optimizer = mt.optim.Adam(list(self.of.values()), LR, betas=(0.9, 0.99))

    def step(self, ids: Any) -> float:
        """Make one step, and return the loss before it."""
        self.optimizer.zero_grad()
        logits = self.logits(ids[:, :-1])
        loss = mt.nn.functional.cross_entropy(logits.flatten(0, 1), mt.tensor(ids[:, 1:].ravel()))
        loss.backward()
        grads = [each.grad for each in self.of.values() if each.grad is not None]
        norm = float(sum((each * each).sum().item() for each in grads)) ** 0.5
        if norm > 1.0:  # by hand: clip_grad_norm_ adds 1e-6 to the norm, as PyTorch does, and lesson 13 does not
            for each in grads:
                each *= 1.0 / norm
        self.optimizer.step()
        return float(loss.item())

    def logits(self, ids: Any) -> Any:
        """The scores of the character after each place."""
        x = mt.nn.functional.embedding(mt.tensor(ids), self.of["token"]) + self.of["place"][: ids.shape[1]]
        for number in range(self.sizes["layers"]):
            x = self._block(x, f"blocks.{number}.")
        return self._norm(x, "norm") @ self.of["token"].T

    def _block(self, x: Any, name: str) -> Any:
        inside = self._norm(x, f"{name}norm_1")
        q, k, v = (
            self._layer(inside, name + part).unflatten(-1, (self.sizes["heads"], -1)).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        seen = mt.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self._layer(seen.transpose(1, 2).flatten(2), f"{name}out")
        return x + self._layer(self._layer(self._norm(x, f"{name}norm_2"), f"{name}up").relu(), f"{name}down")

    def _norm(self, x: Any, name: str) -> Any:
        return mt.nn.functional.layer_norm(x, (self.sizes["width"],), self.of[f"{name}.gain"], self.of[f"{name}.bias"])

    def _layer(self, x: Any, name: str) -> Any:
        return x @ self.of[f"{name}.weight"] + self.of[f"{name}.bias"]


class Lessons:
    """The GPT of lesson 19, out of the solutions of all lessons."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.engine = engine("reference", upto="19")
        self.model = self.engine.GPT(*sizes.values(), np.random.default_rng(0))
        self.state = self.engine.fresh_state(self.model)

    def step(self, ids: Any) -> float:
        """Make one step, and return the loss before it."""
        rates = [LR] * (self.state["step"] + 1)
        self.engine.train_gpt(self.model, lambda _: self.engine.lm_loss(self.model, ids), self.state, rates)
        return float(self.state["losses"][-1])

    def numbers(self) -> dict[str, Any]:
        """A copy of all parameters, by name."""
        return {name: each.data.copy() for name, each in self.model.named_parameters().items()}


def batches(steps: int, texts: int, context: int) -> Iterator[Any]:
    """Pieces of the stories, the same in every run."""
    text = stories(200).text
    ids = np.asarray(Vocabulary.of(stories().text).encode(text).data)
    for step in range(steps):
        at = np.random.default_rng((1, step)).integers(0, len(ids) - context, texts)
        yield ids[at[:, None] + np.arange(context + 1)]


def losses(
    steps: int, texts: int, sizes: Mapping[str, int]
) -> tuple[list[float], list[float], list[float], list[float]]:
    """The losses of the lessons and of the package in each step, and the CPU seconds of both."""
    lessons = Lessons(sizes)
    package = Package(lessons.numbers(), sizes)
    told: tuple[list[float], ...] = ([], [], [], [])
    for ids in batches(steps, texts, sizes["context"]):
        for runner, loss, seconds in ((lessons, told[0], told[2]), (package, told[1], told[3])):
            start = time.process_time()
            loss.append(runner.step(ids))
            seconds.append(time.process_time() - start)
    return told[0], told[1], told[2], told[3]


def main() -> int:
    """Print the figures beside their goals; 1 where one is missed."""
    ours, theirs, seconds, package_seconds = losses(300, TEXTS, SIZES)
    apart = max(abs(one - other) for one, other in zip(ours, theirs, strict=True))
    ratio = statistics.median(seconds) / statistics.median(package_seconds)
    print(f"300 steps, loss {ours[0]:.3f} to {ours[-1]:.3f}; losses at most {apart:.1e} apart (goal {APART})")
    print(
        f"a step: lessons {1e3 * statistics.median(seconds):.1f} ms, package "
        f"{1e3 * statistics.median(package_seconds):.1f} ms: {ratio:.2f} times (goal {RATIO})"
    )
    return int(apart > APART or ratio > RATIO)


if __name__ == "__main__":
    sys.exit(main())
