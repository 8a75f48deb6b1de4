"""A small training to be captured: its model, optimiser and batches, and what happens between two steps."""

from __future__ import annotations

import numpy as np
from replay_programs import mlp

import minitorch
from minitorch import Tensor, optim
from minitorch.nn import functional


class Case:
    """A model, an optimiser and batches. seen: what the outcome counts besides."""

    def __init__(self, model=None, make=lambda parameters: optim.Adam(parameters, lr=0.01)):
        minitorch.manual_seed(0)
        self.model = model or mlp()
        self.optimizer = make(self.model.parameters())
        random = np.random.default_rng(1)
        self.batches = [
            (
                Tensor(random.standard_normal((size, 5)).astype(np.float32)),
                Tensor(random.integers(0, 3, size)),
            )
            for size in (8, 8, 4, 3)
        ]
        self.seen = lambda: None
        self.between = lambda number: None
        self.arguments = lambda number: self.batches[0]

    def step(self, score):
        def train(x, y, *more):
            self.optimizer.zero_grad()
            loss = score(self.model(x), y, *more)
            loss.backward()
            self.optimizer.step()
            return loss

        return train

    def run(self, wrap, score, count=20, before=8, change=None, **options):
        """The bits of each step. change: what happens before the ninth."""
        made = self.step(score)
        step = wrap(made, self.model, self.optimizer, **options)
        found = []
        for number in range(count):
            if change is not None and number == before:
                change()
            self.between(number)
            loss = step(*self.arguments(number))
            parameters = [(each.detach().numpy().tobytes(), bits_of(each.grad)) for each in self.model.parameters()]
            found.append((loss.detach().numpy().tobytes(), parameters, self.seen()))
        return found, step


def bits_of(array):
    return None if array is None else np.asarray(array).tobytes()


def cross(z, y, scale=1.0):
    return functional.cross_entropy(z, y) * scale
