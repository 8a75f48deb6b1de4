"""The same training twice, eager and captured: what is done to one is done to the other, and bits are compared."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
from replay_programs import mlp, rows

import minitorch
from minitorch import optim
from minitorch.nn import functional
from minitorch.replay import capture


def bits_of(array):
    return None if array is None else np.asarray(array).tobytes()


def cross(z, y, scale=1.0):
    return functional.cross_entropy(z, y) * scale


def step_of(model, optimizer, score=functional.cross_entropy):
    """A step on `score(output, target)`."""

    def step(x, y, *more):
        optimizer.zero_grad()
        loss = score(model(x), y, *more)
        loss.backward()
        optimizer.step()
        return loss

    return step


class Pair:
    """Two trainings from one seed. make_step(model, optimizer) makes the step of each."""

    def __init__(
        self,
        make_model=mlp,
        make_optimizer=lambda params: optim.Adam(params, lr=0.05),
        make_step=step_of,
        **options,
    ):
        self.sides = []
        for is_captured in (False, True):
            minitorch.manual_seed(0)
            model = make_model()
            optimizer = make_optimizer(model.parameters())
            function = make_step(model, optimizer)
            run = capture(function, model, optimizer, **options) if is_captured else function
            self.sides.append((model, optimizer, run))
        self.captured = self.sides[1][2]
        self.batches = rows()

    def steps(self, count=1, *more, batch=None):
        """So many steps on both sides: all that they leave has the same bits."""
        for number in range(count):
            x, y = batch or self.batches[number % len(self.batches)]
            found = []
            for model, _, run in self.sides:
                minitorch.manual_seed(number)
                left = [bits_of(run(x, y, *more).data)]
                for tensor in [*model.parameters(), *model.buffers()]:
                    left += [bits_of(tensor.data), bits_of(tensor.grad)]
                found.append((left, minitorch.rand(1).item()))
            assert found[0] == found[1], f"step {number}"

    def both(self, change):
        for model, optimizer, _ in self.sides:
            change(model, optimizer)


def outcome(program, is_captured, before=10, after=12):
    """The losses of a training that breaks the contract, and in which calls the captured step has warned.

    program(model, optimizer) gives a score and a change, which is made after `before` calls; both sides of it alike.
    """
    minitorch.manual_seed(0)
    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    score, change = program(model, optimizer)
    function = step_of(model, optimizer, score)
    step = capture(function, model, optimizer) if is_captured else function
    losses, warned = [], []
    for number, batch in zip(range(before + after), itertools.cycle(rows())):
        if number == before:
            change()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            losses.append(bits_of(step(*batch).data))
        warned += [(number, str(each.message)) for each in caught if "not captured" in str(each.message)]
    return losses, warned, step
