"""What a step sees around it: whatever of that changes, a captured step does what the eager one does, to the bit.

Each program trains, and changes something that its step sees; it is given `wrap`, which captures the step or leaves it
as it is. What it returns, and its model's parameters, must not depend on which.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import random
import warnings
from array import array
from collections import deque
from types import SimpleNamespace

import numpy as np
import pytest
from replay_programs import mlp, rows

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture
from minitorch.replay.surroundings import MOST

SCALE = 1.0


def scaled(z):
    return z * SCALE


def run(wrap, score, change=None, model=None, optimizer=None, count=18):
    """Losses of `count` steps on `score(z, y)`; before the ninth, `change` is made."""
    model = model or mlp()
    optimizer = optimizer or optim.SGD(model.parameters(), lr=0.1)

    def step(x, y):
        optimizer.zero_grad()
        loss = score(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    step = wrap(step, model, optimizer)
    losses = []
    for number, (x, y) in zip(range(count), itertools.cycle(rows()), strict=False):
        if change is not None and number == 9:
            change(model, optimizer)
        losses.append(step(x, y).item())
    return losses, model


def a_number_in_a_list(wrap):
    weights = [1.0, 0.5]
    return run(
        wrap,
        lambda z, y: weights[0] * functional.cross_entropy(z, y) + weights[1] * (z * z).mean(),
        lambda *_: weights.__setitem__(1, 2.0),
    )


def a_longer_list(wrap):
    weights = [1.0]
    return run(wrap, lambda z, y: functional.cross_entropy(z, y) * sum(weights), lambda *_: weights.append(1.0))


def a_number_in_an_array_of_pythons(wrap):
    weights = array("d", [1.0])
    return run(wrap, lambda z, y: functional.cross_entropy(z, y) * weights[0], lambda *_: weights.append(1.0))


def an_attribute(wrap):
    settings = SimpleNamespace(scale=1.0, other=1.0)
    return run(
        wrap,
        lambda z, y: functional.cross_entropy(z * settings.scale, y),
        lambda *_: setattr(settings, "scale", 3.0),
    )


def an_attribute_of_an_attribute(wrap):
    trainer = SimpleNamespace(settings=SimpleNamespace(loss=SimpleNamespace(scale=1.0)))
    return run(
        wrap,
        lambda z, y: functional.cross_entropy(z * trainer.settings.loss.scale, y),
        lambda *_: setattr(trainer.settings.loss, "scale", 3.0),
    )


def an_attribute_in_a_slot(wrap):
    @dataclasses.dataclass(slots=True)
    class Settings:
        kind: str = "plain"

    settings = Settings()
    return run(
        wrap,
        lambda z, y: functional.cross_entropy(z.tanh() if settings.kind == "tanh" else z, y),
        lambda *_: setattr(settings, "kind", "tanh"),
    )


def an_attribute_of_a_class(wrap):
    class Settings:
        scale = 1.0

    return run(
        wrap,
        lambda z, y: functional.cross_entropy(z * Settings.scale, y),
        lambda *_: setattr(Settings, "scale", 3.0),
    )


def a_method_that_is_replaced(wrap):
    class Scorer:
        def __init__(self):
            self.made = 0

        def score(self, z, y):
            return functional.cross_entropy(z, y)

    scorer = Scorer()
    return run(
        wrap,
        lambda z, y: scorer.score(z, y),
        lambda *_: setattr(scorer, "score", lambda z, _: (z * z).mean()),
    )


def a_global_of_a_function_that_is_called(wrap):
    def change(*_):
        globals()["SCALE"] = 3.0

    globals()["SCALE"] = 1.0
    return run(wrap, lambda z, y: functional.cross_entropy(scaled(z), y), change)


def a_default(wrap):
    settings = {"scale": 1.0}

    def score(z, y, given=settings):
        return functional.cross_entropy(z * given["scale"], y)

    return run(wrap, score, lambda *_: settings.update(scale=3.0))


def what_is_given_beforehand(wrap):
    settings = {"scale": 1.0}

    def score(given, z, y):
        return functional.cross_entropy(z * given["scale"], y)

    return run(wrap, functools.partial(score, settings), lambda *_: settings.update(scale=3.0))


class Layered(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(5, 5), nn.Linear(5, 5)])
        self.last = nn.Linear(5, 3)
        self.order = [0, 1]

    def forward(self, x):
        for place in self.order:
            x = self.layers[place](x).tanh()
        return self.last(x)


def a_list_in_a_module(wrap):
    minitorch.manual_seed(0)
    return run(wrap, functional.cross_entropy, lambda model, _: model.order.reverse(), Layered())


def a_setting_of_a_loss(wrap):
    loss = nn.CrossEntropyLoss()
    return run(wrap, lambda z, y: loss(z, y), lambda *_: setattr(loss, "label_smoothing", 0.2))


def a_group_of_parameters(wrap):
    model = mlp()
    optimizer = optim.SGD(model[0].parameters(), lr=0.1)
    return run(
        wrap,
        functional.cross_entropy,
        lambda model, optimizer: optimizer.add_param_group({"params": list(model[2].parameters()), "lr": 0.01}),
        model,
        optimizer,
    )


def an_empty_state(wrap):
    model = mlp()
    optimizer = optim.Adam(model.parameters(), lr=0.1)
    return run(wrap, functional.cross_entropy, lambda _, optimizer: optimizer.state.clear(), model, optimizer)


def carried(wrap, change):
    """Gradients that are halved and carried into the next step, while the parameters' memory is held outside."""
    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    held = [param.data for param in model.parameters()]

    def step(x, y):
        before = [param.grad for param in model.parameters()]
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        seen = sum((Tensor(param.grad) - Tensor(was)).abs().sum() for param, was in zip(model.parameters(), before))
        optimizer.step()
        change(model)
        return loss, seen

    def halved_first(x, y):
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        change(model)
        return loss, loss

    first = wrap(halved_first, model, optimizer)
    batches = rows()
    found = [[each.item() for each in first(*batch)] for batch in batches * 3]
    second = wrap(step, model, optimizer)
    found += [[each.item() for each in second(*batch)] for batch in batches * 3]
    return [*found, [float(each.sum()) for each in held]], model


def gradients_that_are_carried(wrap):
    def change(model):
        for param in model.parameters():
            param.grad *= 0.5

    return carried(wrap, change)


def a_running_mean_outside_in_place(wrap):
    mean = minitorch.zeros(())

    def score(z, y):
        with minitorch.no_grad():
            mean.add_(z.detach().mean())
        return functional.cross_entropy(z, y)

    losses, model = run(wrap, score)
    return (losses, mean.item()), model


PROGRAMS = [
    a_number_in_a_list, a_longer_list, a_number_in_an_array_of_pythons, an_attribute, an_attribute_of_an_attribute,
    an_attribute_in_a_slot,
    an_attribute_of_a_class, a_method_that_is_replaced, a_global_of_a_function_that_is_called, a_default,
    what_is_given_beforehand, a_list_in_a_module, a_setting_of_a_loss, a_group_of_parameters, an_empty_state,
    gradients_that_are_carried, a_running_mean_outside_in_place,
]  # fmt: skip


def both(program):
    """What the program returns and leaves, eagerly and captured; and the captured steps."""
    steps = []

    def captured(function, model, *optimizers):
        steps.append(capture(function, model, *optimizers))
        return steps[-1]

    found = []
    for wrap in (lambda function, *_: function, captured):
        minitorch.manual_seed(0)
        random.seed(0)
        returned, model = program(wrap)
        found.append((repr(returned), [param.data.tobytes() for param in model.parameters()]))
    return (*found, steps)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_changes_around_a_step_changes_a_replay_too(program):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eager, replayed, steps = both(program)
    assert replayed == eager
    assert all(step.is_captured for step in steps)


def a_counter(wrap):
    made = SimpleNamespace(count=0)

    def score(z, y):
        made.count += 1
        return functional.cross_entropy(z, y) * (1.0 if made.count < 9 else 2.0)

    losses, model = run(wrap, score)
    return (losses, made.count), model


def a_variable_that_is_not_its_own(wrap):
    made = 0

    def score(z, y):
        nonlocal made
        made += 1
        return functional.cross_entropy(z, y) / made

    losses, model = run(wrap, score)
    return (losses, made), model


def a_list_of_losses(wrap, kept=list):
    kept = kept()

    def score(z, y):
        loss = functional.cross_entropy(z, y)
        kept.append(loss.detach())
        return loss

    losses, model = run(wrap, score)
    return (losses, [each.item() for each in kept]), model


def a_running_mean_outside(wrap):
    mean = [Tensor(0.0)]

    def score(z, y):
        mean[0] = mean[0] * 0.9 + z.detach().mean() * 0.1
        return functional.cross_entropy(z, y)

    losses, model = run(wrap, score)
    return (losses, mean[0].item()), model


class Centred(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(5, 3)
        self.register_buffer("mean", minitorch.zeros(3))

    def forward(self, x):
        z = self.first(x)
        self.mean = self.mean * 0.9 + z.detach().mean(0) * 0.1
        return z - self.mean


def a_buffer_that_is_replaced(wrap):
    minitorch.manual_seed(0)
    return run(wrap, functional.cross_entropy, model=Centred())


def an_iterator(wrap):
    numbers = itertools.count(1)
    return run(wrap, lambda z, y: functional.cross_entropy(z, y) / next(numbers))


def a_branch_by_chance(wrap):
    return run(wrap, lambda z, y: functional.cross_entropy(z * 2 if random.random() < 0.3 else z, y))


def a_generator_of_its_own(wrap):
    chance = np.random.default_rng(5)
    return run(wrap, lambda z, y: functional.cross_entropy(z * 2 if chance.random() < 0.3 else z, y))


def too_many_numbers(wrap):
    weights = [1.0] * (MOST + 1)
    return run(wrap, lambda z, y: functional.cross_entropy(z, y) * weights[7])


REFUSED = {
    a_counter: "it changes `made.count` around it",
    a_variable_that_is_not_its_own: "it changes `made` around it",
    a_list_of_losses: "it changes `kept` around it",
    a_running_mean_outside: r"it changes `mean\[0\]` around it",
    a_buffer_that_is_replaced: "it changes `model.mean` around it",
    an_iterator: "takes what comes next from `numbers`",
    a_branch_by_chance: "a random generator other than manual_seed's",
    a_generator_of_its_own: "a random generator other than manual_seed's",
    too_many_numbers: "more than 2,000 numbers around it",
}


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_a_step_that_a_replay_would_not_do_is_refused_in_a_sentence_and_runs_eagerly(program):
    with pytest.warns(RuntimeWarning, match=REFUSED[program]):
        eager, replayed, steps = both(program)
    assert replayed == eager
    assert not steps[0].is_captured


def test_a_queue_of_losses_is_refused_too():
    with pytest.warns(RuntimeWarning, match="it changes `kept` around it"):
        eager, replayed, _ = both(lambda wrap: a_list_of_losses(wrap, deque))
    assert replayed == eager


def test_a_step_whose_surroundings_change_before_each_call_is_given_up():
    settings = SimpleNamespace(scale=1.0)
    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def step(x, y):
        sign = settings.scale
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        if sign < 0:
            loss = loss * 2
        loss.backward()
        optimizer.step()
        return loss

    def train():
        for x, y in rows() * 8:
            settings.scale += 1.0
            captured(x, y)

    captured = capture(step, model, optimizer)
    with pytest.warns(RuntimeWarning, match="changed before each of 8 such calls, at last `settings.scale`"):
        train()
    assert not captured.is_captured


def test_what_an_object_has_beside_what_the_step_names_may_change():
    trainer = SimpleNamespace(scale=1.0, epoch=0)

    def score(z, y):
        return functional.cross_entropy(z * trainer.scale, y)

    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def step(x, y):
        optimizer.zero_grad()
        loss = score(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    step = capture(step, model, optimizer)
    for x, y in rows() * 3:
        trainer.epoch += 1
        step(x, y)
    assert step.is_captured
