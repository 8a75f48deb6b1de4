"""A replayed step does what the eager one does, to the last bit: losses, parameters, buffers, gradients."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from replay_programs import PROGRAMS, Training

import minitorch
from minitorch import Tensor
from minitorch.replay import capture

STEPS = 20


def numbers(value: Any) -> list[bytes]:
    if isinstance(value, Tensor):
        return [value.data.tobytes()]
    values = value.values() if isinstance(value, dict) else value
    return [each for part in values for each in numbers(part)]


def run(make: Any, captured: bool, steps: int = STEPS) -> tuple[list[list[bytes]], Training, Any]:
    minitorch.manual_seed(0)
    training = make()
    step = capture(training.step, training.model, *training.optimizers) if captured else training.step
    batches = itertools.cycle(training.batches)
    return [numbers(step(*next(batches))) for _ in range(steps)], training, step


def left(training: Training) -> dict[str, bytes]:
    found = {name: value.data.tobytes() for name, value in training.model.state_dict().items()}
    for name, param in training.model.named_parameters():
        found[f"{name}.grad"] = b"" if param.grad is None else param.grad.tobytes()
    return found


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_twenty_steps_have_the_same_bits(name):
    eager, training, _ = run(PROGRAMS[name], captured=False)
    replayed, other, step = run(PROGRAMS[name], captured=True)
    assert step.is_captured
    assert replayed == eager
    assert left(other) == left(training)
    assert minitorch.rand(3).data.tobytes() is not None
