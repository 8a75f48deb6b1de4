"""Audits: what breaks the contract is equal all the same, refused, or found before the step has run twice as often."""

from __future__ import annotations

import itertools
import os
import random
import time
from types import SimpleNamespace

import numpy as np
import pytest
from replay_case import Pair, bits_of, cross, outcome, step_of
from replay_programs import mlp, rows

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture
from minitorch.replay.ready import Replay

NUMBERS = {"scale": 1.0}
CALLS = [0]


# -- thirty that break it: program(model, optimizer) gives a score, and a change that is made later --------------------


def a_number_in_a_list(*_):
    weights = [1.0, 0.5]
    return lambda z, y: cross(z, y, weights[1]), lambda: weights.__setitem__(1, 2.0)


def a_longer_list(*_):
    weights = [1.0]
    return lambda z, y: cross(z, y, sum(weights)), lambda: weights.append(1.0)


def an_attribute_of_an_object(*_):
    settings = SimpleNamespace(loss=SimpleNamespace(scale=1.0))
    return lambda z, y: cross(z, y, settings.loss.scale), lambda: setattr(settings.loss, "scale", 3.0)


def an_attribute_of_a_class(*_):
    kind = type("Settings", (), {"scale": 1.0})
    return lambda z, y: cross(z, y, kind().scale), lambda: setattr(kind, "scale", 3.0)


def a_number_of_a_function_that_it_calls(*_):
    return lambda z, y: cross(z, y, NUMBERS["scale"]), lambda: NUMBERS.update(scale=3.0)


def a_method_that_is_replaced(*_):
    scorer = SimpleNamespace(score=cross)
    return lambda z, y: scorer.score(z, y), lambda: setattr(scorer, "score", lambda z, _: (z * z).mean())


def a_default(*_):
    def score(z, y, given=1.0):
        return cross(z, y, given)

    return lambda z, y: score(z, y), lambda: setattr(score, "__defaults__", (0.5,))


def code_that_is_replaced(*_):
    def score(z, y):
        return cross(z, y)

    def other(z, y):
        return cross(z * 2, y)

    return lambda z, y: score(z, y), lambda: setattr(score, "__code__", other.__code__)


def an_array_in_a_tuple(*_):
    pair = (np.ones(3, np.float32), 2.0)
    return lambda z, y: cross(z * Tensor(pair[0]), y), lambda: pair[0].__imul__(3)


def a_tensor_in_a_list(*_):
    scales = [Tensor([1.0, 2.0, 3.0])]
    return lambda z, y: cross(z * scales[0], y), lambda: scales.__setitem__(0, Tensor([3.0, 2.0, 1.0]))


def a_tensor_that_is_computed_with(*_):
    scale = [Tensor([1.0, 2.0, 3.0])]
    return lambda z, y: cross(z * (scale[0] * 2 + scale[0].mean()), y), lambda: scale[0].data.__setitem__(0, 5.0)


def a_setting_of_a_loss_in_a_dict(*_):
    losses = {"loss": nn.CrossEntropyLoss()}
    return lambda z, y: losses["loss"](z, y), lambda: setattr(losses["loss"], "label_smoothing", 0.2)


def an_axis_that_numpy_holds(*_):
    axis = np.array([0, 1])
    return lambda z, y: cross(z, y) + z.sum(axis[0]).max(), lambda: axis.__setitem__(0, 1)


def the_environment(*_):
    return lambda z, y: cross(z, y, float(os.environ.get("SCALE", "1"))), lambda: os.environ.update(SCALE="2")


def a_branch_by_the_step_count(model, optimizer):
    optimizer.calls = 0

    def score(z, y):
        optimizer.calls += 1
        return cross(z, y, 1.0 if optimizer.calls < 5 else 2.0)

    return score, lambda: None


def a_counter(*_):
    made = {"count": 0}

    def score(z, y):
        made["count"] += 1
        return cross(z, y, 1.0 + made["count"] / 100)

    return score, lambda: None


def an_iterator(*_):
    scales = itertools.cycle([1.0, 2.0, 3.0])
    return lambda z, y: cross(z, y, next(scales)), lambda: None


def a_draw_of_pythons(*_):
    stream = random.Random(0)
    return lambda z, y: cross(z, y, stream.random()), lambda: None


def a_generator_of_numpys(*_):
    stream = np.random.default_rng(0)
    return lambda z, y: cross(z + Tensor(stream.random(3).astype("float32")), y), lambda: None


def a_clock(*_):
    begun = time.perf_counter()
    return lambda z, y: cross(z, y, time.perf_counter() - begun), lambda: None


def a_learning_rate_that_the_step_sets(_, optimizer):
    def score(z, y):
        optimizer.param_groups[0]["lr"] *= 0.9
        return cross(z, y)

    return score, lambda: None


def layers_in_another_order(model, _):
    order = [0, 2]

    def score(z, y):
        return cross(z * sum(model[layer].weight.mean() * place for place, layer in enumerate(order)), y)

    return score, order.reverse


def another_optimiser(model, _):
    other = optim.SGD([model[0].weight], lr=0.1)

    def score(z, y):
        other.zero_grad()
        if model[2].weight.grad is not None:
            other.step()
        return cross(z, y)

    return score, lambda: None


def a_mask_that_is_frozen(*_):
    masks = [Tensor([1.0, 1.0, 1.0])]
    return lambda z, y: cross(z * masks[0], y), lambda: masks[0].data.__setitem__(0, 0.0)


def a_list_of_losses(*_):
    losses = []

    def score(z, y):
        losses.append(cross(z, y).detach())
        return cross(z, y)

    return score, lambda: None


def a_running_mean_outside(*_):
    mean = [minitorch.zeros(())]

    def score(z, y):
        mean[0] = mean[0] * 0.9 + z.detach().mean() * 0.1
        return cross(z, y) + mean[0]

    return score, lambda: None


def a_running_mean_in_place(*_):
    means = [minitorch.zeros(())]

    def score(z, y):
        with minitorch.no_grad():
            means[0].mul_(0.9).add_(z.detach().mean() * 0.1)
        return cross(z, y) + means[0]

    return score, lambda: None


def a_buffer_that_is_replaced(model, _):
    model.register_buffer("mean", minitorch.zeros(3))

    def score(z, y):
        model.mean = model.mean * 0.9 + z.detach().mean(0) * 0.1
        return cross(z + model.mean, y)

    return score, lambda: None


def data_that_the_step_replaces(model, _):
    def score(z, y):
        model[0].weight.data = model[0].weight.data * 0.99
        return cross(z, y)

    return score, lambda: None


def a_parameter_of_nobodys(*_):
    scale = [Tensor([1.0, 2.0, 3.0], requires_grad=True)]
    return lambda z, y: cross(z * scale[0] + bits(scale[0]), y), lambda: None


def bits(tensor):
    return 0.0 if tensor.grad is None else float(tensor.grad.sum())


def a_text_of_a_loss(*_):
    texts = []
    return lambda z, y: cross(z, y, 1.0 + (texts.append(str(cross(z, y))) or len(texts[-1]))), lambda: None


def an_exception_that_is_caught(*_):
    def score(z, y):
        try:
            return cross(z, y) * (1.0 + cross(z, y).item())
        except:  # noqa: E722 (which hides even what is no Exception)
            return cross(z, y)

    return score, lambda: None


def what_is_printed(*_):
    def score(z, y):
        print("a step")
        return cross(z, y)

    return score, lambda: None


BREAKING = [each for each in list(globals().values()) if getattr(each, "__module__", "") == __name__]
BREAKING.remove(bits)


@pytest.mark.parametrize("program", BREAKING, ids=lambda program: program.__name__)
def test_what_breaks_the_contract_is_equal_refused_or_found(program, monkeypatch):
    monkeypatch.delenv("SCALE", raising=False)
    monkeypatch.setitem(NUMBERS, "scale", 1.0)
    eager, _, _ = outcome(program, is_captured=False)
    monkeypatch.delenv("SCALE", raising=False)
    monkeypatch.setitem(NUMBERS, "scale", 1.0)
    replayed, warned, step = outcome(program, is_captured=True)
    if program is not a_clock:  # whose losses are never the same
        differs = [number for number, (one, other) in enumerate(zip(eager, replayed, strict=True)) if one != other]
        assert not differs or (warned and warned[0][0] <= 2 * differs[0])
    assert len(warned) <= 1
    assert step.is_captured is not bool(warned)


# -- what an audit says and does ---------------------------------------------------------------------------------------


def test_replays_1_2_4_8_16_and_so_on_are_audited():
    minitorch.manual_seed(0)
    model, eagerly = mlp(), []
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    step = step_of(model, optimizer)

    def counted(x, y):
        eagerly.append(CALLS[0])
        return step(x, y)

    run = capture(counted, model, optimizer)
    for call in range(60):
        CALLS[0] = call
        run(*rows()[0])
    assert eagerly == [0, 1, *[1 + replay for replay in (1, 2, 4, 8, 16, 32)]]


LIES = {
    "0.weight": lambda model, *_: model[0].weight.data.__iadd__(1.0),
    "0.weight.grad": lambda model, *_: model[0].weight.grad.__iadd__(1.0),
    "1.running_mean": lambda model, *_: model[1].running_mean.data.__iadd__(1.0),
    "0.bias's exp_avg": lambda model, optimizer, *_: optimizer.state[model[0].bias]["exp_avg"].__iadd__(1.0),
    "result": lambda _, __, ___, outputs: (outputs[0] + 1.0,),
    "argument 0": lambda _, __, arrays, ___: arrays[0].__iadd__(1.0),
    "the random generator": lambda *_: minitorch.rand(1),
    "lr": lambda _, optimizer, *__: optimizer.param_groups[0].update(lr=0.2),
}


@pytest.mark.parametrize("name", LIES)
def test_the_first_difference_is_named_and_the_eager_result_stands(name, monkeypatch):
    minitorch.manual_seed(0)
    model = mlp(nn.BatchNorm1d(7))
    plain = step_of(model, optim.Adam(model.parameters(), lr=0.1))
    eager = [plain(*batch).item() for batch in rows() * 2]
    minitorch.manual_seed(0)
    model = mlp(nn.BatchNorm1d(7))
    optimizer = optim.Adam(model.parameters(), lr=0.1)
    run, right = capture(step_of(model, optimizer), model, optimizer), Replay.run

    def lying(replay, arrays):
        outputs = right(replay, arrays)
        told = LIES[name](model, optimizer, arrays, outputs)
        return told if name == "result" else outputs

    monkeypatch.setattr(Replay, "run", lying)
    with pytest.warns(RuntimeWarning, match=f"does not do what the step does: {name} is different") as told:
        assert [run(*batch).item() for batch in rows() * 2] == eager
    assert len(told) == 1
    assert "test_audits.py" in told[0].filename
    assert not run.is_captured
    with pytest.raises(RuntimeError, match=f"{name} is different"):
        run.source  # noqa: B018 (a property that raises)
    run.retrace()
    monkeypatch.undo()
    assert [run(*batch) for batch in rows()]
    assert run.is_captured


def test_an_audited_step_is_observed_once(capsys):
    def make_step(model, optimizer):
        def score(z, y):
            print("a step")
            return cross(z, y)

        return step_of(model, optimizer, score)

    minitorch.manual_seed(0)
    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    run, printed = capture(make_step(model, optimizer), model, optimizer), []
    for batch in rows() * 3:
        run(*batch)
        printed.append(capsys.readouterr().out.count("a step"))
    assert printed == [1, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0]


def test_an_argument_that_the_step_changes_is_changed_once():
    def make_step(model, optimizer):
        def score(z, y, given):
            given *= 0.5
            return cross(z, y) + given.mean()

        return step_of(model, optimizer, score)

    pair, found = Pair(make_step=make_step), []
    for _, _, run in pair.sides:
        given = Tensor([1.0, 2.0])
        found.append([(run(*pair.batches[0], given).item(), bits_of(given.data)) for _ in range(12)])
    assert found[0] == found[1]
    assert pair.captured.is_captured


def test_a_scheduler_that_the_step_moves_goes_on_by_one():
    def make_step(model, optimizer):
        step, scheduler = step_of(model, optimizer), optim.lr_scheduler.StepLR(optimizer, 3, 0.5)

        def stepping(x, y):
            loss = step(x, y)
            scheduler.step()
            return loss

        return stepping

    pair = Pair(make_step=make_step, audit_every=2)
    for _ in range(20):
        pair.steps(1)
        rates = {optimizer.param_groups[0]["lr"] for _, optimizer, _ in pair.sides}
        assert len(rates) == 1
    assert pair.captured.is_captured


def test_nan_is_nan():
    pair = Pair(make_step=lambda model, optimizer: step_of(model, optimizer, lambda z, y: cross(z * np.inf, y)))
    with np.errstate(all="ignore"):
        pair.steps(8)
    assert pair.captured.is_captured


def test_audit_every_was_called_verify_every():
    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    with pytest.warns(DeprecationWarning, match="verify_every is called audit_every now") as told:
        run = capture(step_of(model, optimizer), model, optimizer, verify_every=4)
    assert len(told) == 1
    assert run._audit_every == 4


def test_retrace_takes_what_was_frozen_anew():
    settings = [1.0]

    def make_step(model, optimizer):
        return step_of(model, optimizer, lambda z, y: functional.cross_entropy(z, y) * settings[0])

    pair = Pair(make_step=make_step)
    pair.steps(6)
    settings[0] = 2.0
    pair.captured.retrace()
    pair.steps(6)
    assert pair.captured.is_captured


def test_a_step_that_begins_to_raise_raises_at_an_audit_and_stays_eager():
    model, limits = mlp(), {"calls": False}
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def stopping(x, y):
        if limits["calls"]:
            raise ValueError("stopped")
        return step_of(model, optimizer)(x, y)

    def raises():
        try:
            run(*rows()[0])
        except ValueError:
            return True
        return False

    run = capture(stopping, model, optimizer)
    assert not any(raises() for _ in range(8))
    limits["calls"] = True
    with pytest.warns(RuntimeWarning, match="which raises ValueError"):
        raised = [raises() for _ in range(16)]
    assert sum(raised) > 8
    assert not run.is_captured
