"""Memory of a replay: what is needed at the same time lies in different places, and little of it is new."""

from __future__ import annotations

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture

MODELS = {
    "mlp": lambda: nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 3)),
    "convnet": lambda: nn.Sequential(
        nn.Unflatten(1, (1, 4, 4)), nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
        nn.Dropout(0.2), nn.Flatten(), nn.Linear(16, 3),
    ),
    "attention": lambda: nn.Sequential(
        nn.Unflatten(1, (4, 4)), nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), nn.Flatten(), nn.Linear(16, 3)
    ),
}  # fmt: skip


def captured(name, batch=24, make=optim.Adam):
    minitorch.manual_seed(0)
    model = MODELS[name]()
    optimizer = make(model.parameters(), lr=0.01)

    def step(x, y):
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    run = capture(step, model, optimizer)
    x, y = minitorch.randn(batch, 16), Tensor(np.arange(batch) % 3)
    for _ in range(5):
        run(x, y)
    return run


def stays(program):
    """(array, number of the first instruction that writes it, of the last that touches it) of each buffer."""
    first, last, forever = {}, {}, set()
    for place, each in enumerate(program.instructions):
        for slot in (*each.slots(), *each.results, *each.writes):
            if slot.memory.kind == "buffer":
                last[slot.memory] = place
        for slot in each.writes:
            if slot.memory.kind == "buffer":
                first.setdefault(slot.memory, place)
        if each.how == "grad":
            forever |= {slot.memory for slot in each.slots()}
    forever |= {slot.memory for slot in program.returned()}
    end = len(program.instructions)
    return [(slot.array, first[slot], end if slot in forever else last[slot]) for slot in first]


@pytest.mark.parametrize("name", MODELS)
def test_what_is_needed_at_the_same_time_lies_apart(name):
    found = stays(captured(name).program)
    assert len(found) > 20
    for number, (one, start, end) in enumerate(found):
        for other, begin, stop in found[:number]:
            if (
                begin < end and start < stop
            ):  # where one ends in the call in which the other begins, it may be its place
                assert not np.shares_memory(one, other)


def test_results_lie_in_the_memory_of_gradients_that_are_not_yet_written():
    program = captured("mlp").program
    gradients = [each.arguments[2].array for each in program.instructions if each.how == "grad"]
    others = [array for array, _, _ in stays(program) if not any(array is each for each in gradients)]
    assert any(np.shares_memory(one, gradient) for one in others for gradient in gradients)


def test_gradients_that_were_there_are_kept_where_a_step_fails():
    minitorch.manual_seed(0)
    model = MODELS["mlp"]()
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def step(x, y):
        loss = functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    run = capture(step, model, optimizer)
    x = minitorch.randn(24, 16)
    for _ in range(6):
        run(x, Tensor(np.arange(24) % 3))
    assert run.is_captured
    before = [param.grad.copy() for param in model.parameters()]
    with pytest.raises(IndexError):
        run(x, Tensor(np.full(24, 7)))
    after = [param.grad for param in model.parameters()]
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))
