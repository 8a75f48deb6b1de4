"""What was left to the eager step though it need not be: captured, with the same bits, and what changes is noticed."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from replay_programs import mlp, rows

import minitorch
from minitorch import nn, optim
from minitorch.autograd.primitive import primitive
from minitorch.nn import functional
from minitorch.replay import capture
from minitorch.replay.guards import held_tensors
from minitorch.replay.program import difference
from minitorch.replay.surroundings import Surroundings
from minitorch.replay.tracing import trace


def an_operation_of_ones_own(_):
    factor = [1.0]

    @primitive
    def soft(input):
        """ln(1 + e**x)."""
        return np.log1p(np.exp(input))

    soft.vjp(input=lambda g, input: factor[0] * g / (1 + np.exp(-input)))
    return lambda z, y: functional.cross_entropy(soft(z), y), lambda _: factor.__setitem__(0, 0.5)


def a_method_above(_):
    class Plain:
        scale = 1.0

        def loss(self, z, y):
            return functional.cross_entropy(z, y) * self.scale

    class Doubled(Plain):
        def loss(self, z, y):
            return super().loss(z, y) * 2

    trainer = Doubled()

    def change(_):
        Plain.loss = lambda self, z, y: functional.cross_entropy(z, y) * self.scale * 3

    return trainer.loss, change


def numbers_that_numpy_sorts(_):
    factor = [1.0]

    def loss(z, y):
        return functional.cross_entropy(z + minitorch.from_numpy(np.sort(z.detach().numpy(), axis=1)) * factor[0], y)

    return loss, lambda _: factor.__setitem__(0, 0.5)


def class_weights(_):
    weights = nn.Parameter(np.array([1.0, 2.0, 0.5], np.float32), requires_grad=False)
    return lambda z, y: functional.cross_entropy(z, y, weights), lambda _: weights.mul_(2.0)


def a_setting_in_each_epoch(_):
    settings = {"smoothing": 0.0}
    change = lambda number: settings.__setitem__("smoothing", 0.05 * (number // 9))  # noqa: E731 (beside its step)
    return lambda z, y: functional.cross_entropy(z, y, label_smoothing=settings["smoothing"]), change


def frozen_in_every_other_epoch(model):
    change = lambda number: model[0].weight.requires_grad_(number // 9 % 2 == 1)  # noqa: E731 (beside its step)
    return functional.cross_entropy, change


def a_pool_behind_a_dropout(_):
    pooled = lambda z: functional.max_pool1d(functional.dropout(z, 0.3)[:, None], 2)[:, 0]  # noqa: E731 (one line)
    return lambda z, y: functional.cross_entropy(z, y) + pooled(z).pow(2).mean(), lambda _: None


def an_index_that_is_drawn(_):
    return lambda z, y: functional.cross_entropy(
        z.index_select(0, minitorch.randint(0, 7, (7,))), y[:7]
    ), lambda _: None


def numbers_that_are_read_only(_):
    weights = minitorch.ones(1).expand(3)
    return lambda z, y: functional.cross_entropy(z * weights, y), lambda _: None


def a_relu_of_what_is_laid_out_backwards(_):
    table = minitorch.from_numpy(np.linspace(-1, 1, 48, dtype=np.float32).reshape(8, 6)[::-1, ::-2])
    return lambda z, y: functional.cross_entropy(z * functional.relu(table[: len(y)]), y), lambda _: None


def a_polynomial(_):
    line = np.polynomial.Polynomial(np.array([1, 2], np.float32))
    return lambda z, y: functional.cross_entropy(z * (line.coef * 2)[:1], y), lambda number: line.coef.__setitem__(
        0, 1 + number / 9
    )


def masks_of_their_own(_):
    kept = lambda: functional.alpha_dropout(minitorch.ones(3), 0.5, training=True)  # noqa: E731 (one line)
    return lambda z, y: functional.cross_entropy(z * kept(), y), lambda _: None


@pytest.mark.parametrize(
    "program",
    [
        an_operation_of_ones_own,
        a_method_above,
        numbers_that_numpy_sorts,
        class_weights,
        a_setting_in_each_epoch,
        frozen_in_every_other_epoch,
        a_pool_behind_a_dropout,
        an_index_that_is_drawn,
        numbers_that_are_read_only,
        a_relu_of_what_is_laid_out_backwards,
        a_polynomial,
        masks_of_their_own,
    ],
)
def test_it_is_captured_and_does_what_the_step_does(program):
    """Each ninth call begins with a change; the last row of the batch is left out in the eighth."""
    outcomes = []
    for is_captured in (False, True):
        minitorch.manual_seed(0)
        model = mlp()
        optimizer = optim.SGD(model.parameters(), lr=0.1)
        score, change = program(model)

        def step(x, y, model=model, optimizer=optimizer, score=score):
            optimizer.zero_grad()
            loss = score(model(x), y)
            loss.backward()
            optimizer.step()
            return loss

        run, losses = capture(step, model, optimizer) if is_captured else step, []
        for number, (x, y) in zip(range(54), itertools.cycle(rows()), strict=False):
            if number and number % 9 == 0:
                change(number)
            few = slice(None, -1 if number % 9 == 8 else None)
            losses.append(run(x[few], y[few]).item())
        outcomes.append((losses, [each.data.tobytes() for each in model.parameters()], minitorch.rand(1).item()))
    assert outcomes[0] == outcomes[1]
    assert run.is_captured
    assert run._replays >= 18


def test_a_captured_step_within_another():
    outcomes = []
    for is_captured in (False, True):
        minitorch.manual_seed(0)
        model = mlp()
        optimizer = optim.SGD(model.parameters(), lr=0.1)

        def gather(x, y, model=model):
            loss = functional.cross_entropy(model(x), y)
            loss.backward()
            return loss

        inner = capture(gather, model, optimizer) if is_captured else gather
        optimizer.step()
        alone = [inner(*batch).item() for batch in rows() * 2]
        assert not is_captured or inner.is_captured

        def step(x, y, inner=inner, optimizer=optimizer):
            optimizer.zero_grad()
            loss = inner(x, y)
            optimizer.step()
            return loss

        run = capture(step, model, optimizer) if is_captured else step
        outcomes.append([*alone, *(run(*batch).item() for batch in rows() * 3)])
    assert outcomes[0] == outcomes[1]
    assert run.is_captured


def test_what_differs_is_said_with_its_numbers_and_its_line():
    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def programs():
        for factor in (2.0, 2.5):
            step = lambda x, y, factor=factor: functional.cross_entropy(model(x), y) * factor  # noqa: E731 (one line)
            around = Surroundings(step, [model], [optimizer])
            yield trace(step, rows()[0], {}, held_tensors([model], [optimizer], around), [optimizer], around)[1]

    said = difference(*programs())
    assert re.fullmatch(r"multiply of mul is given 2, then 2\.5 \(.*test_captured_too\.py:\d+\)", said)


def test_a_setting_that_changes_before_each_call_is_named():
    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    settings = {"smoothing": 0.0}

    def step(x, y):
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y, label_smoothing=settings["smoothing"])
        loss.backward()
        optimizer.step()
        return loss

    run = capture(step, model, optimizer)

    def train():
        for batch in rows() * 4:
            run(*batch)
            settings["smoothing"] += 0.01

    with pytest.warns(RuntimeWarning, match=r"changed before each of 8 such calls, at last `settings\['smoothing'\]`"):
        train()
    assert not run.is_captured
