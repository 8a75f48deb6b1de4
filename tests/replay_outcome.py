"""A training whose loss a function scales, captured or not, and what is seen of it step by step."""

from __future__ import annotations

import numpy as np

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.replay import capture


class Case:
    """A small model, its optimiser, and what is found out about them step by step."""

    def __init__(self, is_captured, model=None, make=lambda parameters: optim.SGD(parameters, lr=0.1)):
        minitorch.manual_seed(0)
        self.model = model or nn.Linear(3, 2)
        self.optimizer = make(self.model.parameters())
        self.is_captured, self.found, self.was_captured = is_captured, [], False

    def wrap(self, function):
        self.step = capture(function, self.model, self.optimizer) if self.is_captured else function
        return self.step

    def wrap_plain(self, result=lambda loss: loss, after=lambda _: None):
        """A step without a scale: what it returns is `result` of its loss, and `after` of its argument ends it."""
        model, optimizer = self.model, self.optimizer

        def step(x):
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            after(x)
            return result(loss)

        return self.wrap(step)

    def train(self, scale, change=lambda: None, after=4):
        """Six steps, the change, and some more."""

        model, optimizer = self.model, self.optimizer

        def step(x):
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean() * scale(x)
            loss.backward()
            optimizer.step()
            return loss

        step = self.wrap(step)
        self.call(step, 6)
        self.was_captured = getattr(step, "is_captured", False)
        change()
        self.call(step, after)

    def call(self, step, count):
        for _ in range(count):
            self.see(step(batch()))
            self.see(*self.model.parameters())

    def see(self, *values):
        self.found += [np.asarray(getattr(each, "_data", each)).tobytes() for each in values]


def batch(factor=1.0):
    return Tensor((np.arange(12, dtype=np.float32) * factor / 7).reshape(4, 3))


class Knobs:
    """An object of a user's, with whatever attributes."""


def knobs(**values):
    made = Knobs()
    vars(made).update(values)
    return made


def outcome(program, is_captured):
    case = Case(is_captured)
    program(case)
    return case
