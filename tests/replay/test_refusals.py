"""What cannot be traced is refused with its operation and line, and the step goes on eagerly, with the same bits."""

from __future__ import annotations

import copy
import pickle
import sys

import fake_cupy
import numpy as np
import pytest
from replay_case import Pair, step_of
from replay_programs import mlp, rows

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture

HISTORY = []

REFUSED = {
    "item": (lambda loss, *_: loss * loss.item(), "Python number, as .item"),
    "float": (lambda loss, *_: loss * float(loss), "Python (float|number)"),
    "int": (lambda loss, *_: loss * int(loss.data), "into a Python int"),
    "branch": (lambda loss, *_: loss if loss > 1.0 else loss * 2, "Python number|branches on a number"),
    "round": (lambda loss, *_: loss * round(loss.data[()]), "rounds a number"),
    "text": (lambda loss, *_: loss * len(str(loss)), "Python number|as text|mask of booleans"),
    "mask": (lambda loss, model, _: loss + model[0].weight[model[0].weight > 0].sum(), "mask of booleans"),
    "numpy": (lambda loss, *_: loss * np.asarray(loss.data), "makes an array of NumPy's own of one that is traced"),
    "nonzero": (lambda loss, model, _: loss * len(np.nonzero(model[0].weight.data)[0]), "calls nonzero, whose result"),
    "unique": (lambda loss, model, _: loss * np.unique(model[0].weight.data)[0], "shape that follows from numbers"),
    "a slice": (lambda loss, _, y: loss * y.data[: y.data[0]].sum(), "takes a part up to a number|into a Python int"),
    "an axis": (lambda loss, model, y: loss * model[0].weight.data.sum(y.data[0] * 0).mean(), "an axis or counts"),
    "repeats": (lambda loss, _, y: loss * np.repeat(y.data, y.data).sum(), "tells repeat an axis or counts"),
    "seed": (lambda loss, *_: minitorch.manual_seed(0) or loss, "seeds the random generator"),
    "zeros": (
        lambda loss, model, _: loss + into_zeros(model[0].weight),
        "hangs on nothing which it is given|makes an array of NumPy",
    ),
    "data": (lambda loss, model, _: setattr(model[0].weight, "data", model[0].weight.data * 1) or loss, "puts another"),
    "frozen": (
        lambda loss, model, _: model[2].bias.requires_grad_(not model[2].bias.requires_grad) is None or loss,
        "changes requires_grad",
    ),
    "dtype": (lambda loss, *_: minitorch.set_default_dtype(other_dtype()) or loss, "changes a setting"),
    "kept": (lambda loss, *_: HISTORY.append(loss.detach()) or loss, "it keeps what cross_entropy1 gives: return it"),
    "another graph": (lambda loss, *_: loss + OUTSIDE[0].sum(), "a Tensor with a graph from outside"),
}
OUTSIDE = []


def into_zeros(weight):
    kept = minitorch.zeros(7, 5)
    kept[2] = weight[2]
    return kept.sum()


def other_dtype():
    return {np.dtype("float32"): "float64", np.dtype("float64"): "float32"}[minitorch.get_default_dtype()]


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_traced_is_said_with_its_line(name):
    change, why = REFUSED[name]
    HISTORY.clear()
    OUTSIDE[:] = [Tensor([1.0], requires_grad=True)]

    def make_step(model, optimizer):
        return lambda x, y: step_of(model, optimizer, lambda z, y: change(functional.cross_entropy(z, y), model, y))(
            x, y
        )

    pair = Pair(make_step=make_step)
    try:
        with pytest.warns(RuntimeWarning, match=why) as caught:
            losses = [[run(*batch).item() for _, _, run in pair.sides] for batch in pair.batches]
        assert all(one == other for one, other in losses) or name in ("dtype", "another graph")
    finally:
        minitorch.set_default_dtype("float32")
    (told,) = [each for each in caught if "not captured" in str(each.message)]
    assert name in ("data", "frozen", "dtype", "kept") or "test_refusals.py:" in str(told.message)
    assert not pair.captured.is_captured
    with pytest.raises(RuntimeError, match=why):
        pair.captured.source  # noqa: B018 (a property that raises)
    assert [type(each.data) for each in HISTORY] == [np.ndarray] * len(HISTORY)
    assert len({each.item() for each in HISTORY}) * 2 == len(HISTORY)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (Tensor([1.0], requires_grad=True), "an argument requires gradients"),
        (np.ma.masked_array([1.0]), "an argument is a MaskedArray"),
        ({"loss": 0}, "it puts something into a list, a dict or a Tensor"),
    ],
)
def test_arguments_that_cannot_be_traced(given, why):
    def make_step(model, optimizer):
        step = step_of(model, optimizer)

        def noting(x, y, given):
            loss = step(x, y)
            if isinstance(given, dict):
                given["loss"] = loss.detach()
            return loss

        return noting

    pair = Pair(make_step=make_step)
    with pytest.warns(RuntimeWarning, match=why):
        pair.steps(4, given)
    assert not pair.captured.is_captured


def test_a_closure_for_the_optimiser():
    def make_step(model, optimizer):
        def step(x, y):
            def closure():
                optimizer.zero_grad()
                loss = functional.cross_entropy(model(x), y)
                loss.backward()
                return loss

            return optimizer.step(closure)

        return step

    pair = Pair(make_step=make_step)
    with pytest.warns(RuntimeWarning, match="it steps with a closure"):
        pair.steps(4)


def test_what_the_step_returns_must_be_tensors():
    pair = Pair(make_step=lambda model, optimizer: lambda x, y: (step_of(model, optimizer)(x, y), model)[0:2])
    with pytest.warns(RuntimeWarning, match="it returns a Sequential: return Tensors"):
        assert [pair.captured(*batch)[0].item() for batch in pair.batches]


def test_a_number_that_an_operation_needs_is_told_with_the_operation():
    pair = Pair(lambda: mlp(nn.BatchNorm1d(7, momentum=None)))
    with pytest.warns(RuntimeWarning, match=r"as \.item\(\) does \(.*, in ChannelNorm\.forward\)"):
        pair.steps(4)


def test_an_optimiser_that_never_steps_is_told():
    model = nn.Linear(5, 3)
    step = capture(lambda x, _: (model(x) ** 2).mean().backward(), model, optim.SGD(model.parameters(), lr=0.1))
    with pytest.warns(RuntimeWarning, match="not each of its optimisers has made a step") as told:
        assert [step(*batch) for batch in rows() * 10]
    assert len(told) == 1


def test_on_a_gpu_the_step_goes_on_eagerly(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    model = mlp().to("cuda")
    run = capture(step_of(model, optim := minitorch.optim.SGD(model.parameters(), lr=0.1)), model, optim)
    losses = [run(Tensor(x.data).to("cuda"), Tensor(y.data).to("cuda")).item() for x, y in rows() * 2]
    assert len(set(losses)) == 8
    assert not run.is_captured


@pytest.mark.parametrize("wrong", [(None, 1), (nn.Linear(2, 2), 3.0), (nn.Linear(2, 2),)])
def test_what_is_no_model_or_optimiser_is_refused(wrong):
    with pytest.raises(TypeError):
        capture(lambda: None, *wrong)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_captured_step_is_not_copied(copied):
    with pytest.raises(TypeError, match="would train the same model"):
        copied(Pair().captured)


# -- errors ------------------------------------------------------------------------------------------------------------


def test_a_label_that_is_no_class_changes_nothing():
    pair = Pair(lambda: mlp(nn.Dropout(0.3), nn.BatchNorm1d(7)))
    pair.steps(7)
    _, _, run = pair.sides[1]
    x, y = pair.batches[0]
    wrong = Tensor(np.where(np.arange(8) == 4, 99, y.data))
    for model, _, run in pair.sides:
        for param in model.parameters():
            param.grad = None
        minitorch.manual_seed(3)
        with pytest.raises(IndexError, match="99"):
            run(x, wrong)
    pair.steps(3)
    assert pair.captured.is_captured


def test_a_matrix_that_is_singular_puts_everything_back():
    def make_step(model, optimizer):
        def score(z, y, matrix):
            return functional.cross_entropy(z, y) + minitorch.linalg.inv(matrix + z.mean() * 0).sum()

        return step_of(model, optimizer, score)

    pair = Pair(lambda: mlp(nn.Dropout(0.3), nn.BatchNorm1d(7)), make_step=make_step)
    pair.steps(7, Tensor(np.eye(3, dtype="float32")))
    assert pair.captured._last.may_fail
    for _, _, run in pair.sides:
        minitorch.manual_seed(3)
        with pytest.raises(np.linalg.LinAlgError):
            run(*pair.batches[0], Tensor(np.zeros((3, 3), "float32")))
    pair.steps(3, Tensor(np.eye(3, dtype="float32")))
    assert pair.captured.is_captured


def test_an_error_of_the_step_leaves_no_stand_ins_behind():
    kept = []

    def make_step(model, optimizer):
        step = step_of(model, optimizer)

        def failing(x, y):
            loss = step(x, y)
            if kept:
                kept.append(model(x).detach())
                raise ValueError("no")
            return loss

        return failing

    pair = Pair(make_step=make_step)
    pair.captured(*pair.batches[0])
    kept.append(Tensor(0.0))
    for _ in range(3):
        with pytest.raises(ValueError, match="no"):
            pair.captured(*pair.batches[0])
    assert {type(each.data) for each in kept} == {np.ndarray}


def test_a_number_that_the_step_reads_and_changes_itself_is_refused_with_its_name():
    model = mlp()
    optimizer, calls = optim.SGD(model.parameters(), lr=0.1), 0

    def counted(x, y):
        nonlocal calls
        calls += 1
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y) * (2.0 if calls > 40 else 1.0)
        loss.backward()
        optimizer.step()
        return loss

    step = capture(counted, model, optimizer)
    with pytest.warns(RuntimeWarning, match="it changes `calls` itself, which a replay would not"):
        [step(*rows()[0]) for _ in range(3)]
    assert not step.is_captured
    assert calls == 3


class Counting(nn.Linear):
    calls = 0

    def forward(self, input):
        self.calls += 1
        return super().forward(input)


def test_a_module_that_counts_its_calls_is_refused_with_the_name_of_the_attribute():
    model = nn.Sequential(Counting(5, 3))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    model[0].calls = 0
    step = step_of(model, optimizer)
    run = capture(step, model, optimizer)
    with pytest.warns(RuntimeWarning, match=r"it changes `0\.calls` itself"):
        [run(*rows()[0]) for _ in range(3)]
