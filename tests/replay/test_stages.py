"""`stages`: the program after each pass, with nothing trained on the way."""

import re

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.replay import capture, stages
from minitorch.replay.passes import PASSES


def training(schedule=False):
    minitorch.manual_seed(3)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 3))
    optimizer = optim.Adam(model.parameters(), lr=0.01)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 5)

    def train_step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if schedule:
            scheduler.step()
        return loss

    x, y = minitorch.randn(6, 4), Tensor([0, 1, 2, 0, 1, 2])
    return capture(train_step, model, optimizer), x, y, model


def losses(step, x, y, count):
    return [step(x, y).item() for _ in range(count)]


def lines_of(source):
    """The lines without those that tell of what was made before."""
    return [line for line in source.splitlines() if not line.startswith("    # ")]


def shape_of(line):
    """A line without the numbers of its arrays, which each trace counts anew."""
    return re.sub(r"\d+| +#", "", line)


def test_there_is_a_stage_for_each_pass_and_the_last_is_what_is_replayed():
    step, x, y, _ = training()
    losses(step, x, y, 5)
    found = stages(step, x, y, repeats=2)
    assert [stage.name for stage in found] == [note.partition(":")[0] for note in step.explain().splitlines()[1:]]
    assert len(found) == len(PASSES) + 1
    assert all(stage.calls == len(lines_of(stage.source)) - 2 for stage in found)
    assert all(stage.seconds > 0 for stage in found)
    calls = [stage.calls for stage in found]
    assert calls[-1] == len(step.program.instructions) < calls[0]
    assert list(map(shape_of, lines_of(found[-1].source))) == list(map(shape_of, lines_of(step.source)))


def test_stages_are_printed_as_a_line_each():
    model = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 1))
    both = [optim.SGD(each.parameters(), lr=0.1) for each in model]  # so the note of the first pass has two lines

    def train_step(x):
        model.zero_grad()
        model(x).sum().backward()
        for each in both:
            each.step()

    step, x = capture(train_step, model, *both), minitorch.randn(6, 4)
    for _ in range(4):
        step(x)
    found = stages(step, x, repeats=1)
    assert "\n" in found[0].note
    lines = re.sub(r"[\d.]+ µs", "0.0 µs", repr(found)).splitlines()
    assert len(lines) == len(found)
    assert lines[0].startswith(f"{found[0].calls} calls, 0.0 µs after flat: ")
    assert [line.partition(": ")[2] for line in lines] == [
        stage.note.partition(": ")[2].replace("\n", "; ") for stage in found
    ]
    assert re.sub(r"[\d.]+ µs", "0.0 µs", f"{found[-1]}") == lines[-1]


def test_nothing_is_trained_and_the_random_stream_is_where_it_was():
    with_stages = training()
    ours = losses(*with_stages[:3], 5)
    stages(*with_stages[:3], repeats=3)
    ours += losses(*with_stages[:3], 4)
    plain = training()
    theirs = losses(*plain[:3], 9)
    assert ours == theirs
    for mine, other in zip(with_stages[3].parameters(), plain[3].parameters(), strict=True):
        np.testing.assert_array_equal(mine.detach().numpy(), other.detach().numpy())
        np.testing.assert_array_equal(mine.grad, other.grad)


def test_what_cannot_be_staged_is_refused():
    step, x, y, _ = training()
    with pytest.raises(TypeError, match=r"a step that minitorch\.capture has made is needed, not a function"):
        stages(lambda x: x, x)
    with pytest.raises(RuntimeError, match="not captured for such arguments yet: call it twice with them"):
        stages(step, x, y)
    losses(step, x, y, 4)
    with pytest.raises(RuntimeError, match="not captured for such arguments"):
        stages(step, minitorch.randn(3, 4), Tensor([0, 1, 2]))
    with pytest.raises(ValueError, match="repeats is 0: time one run at the least"):
        stages(step, x, y, repeats=0)


def test_a_step_with_a_scheduler_is_refused():
    step, x, y, _ = training(schedule=True)
    losses(step, x, y, 4)
    with pytest.raises(RuntimeError, match="moves a scheduler, which cannot be put back"):
        stages(step, x, y)
