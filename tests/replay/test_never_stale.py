"""What a replay takes for granted: whatever changes between steps, the result is that of the eager step, to the bit."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
from replay_programs import mlp, rows

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture
from minitorch.replay.ready import Replay


class Pair:
    """The same training twice, from one seed: eager and captured. What is done to one is done to the other."""

    def __init__(self, make_model=mlp, make_optimizer=lambda params: optim.Adam(params, lr=0.05), step=None, **options):
        self.sides = []
        for captured in (False, True):
            minitorch.manual_seed(0)
            model = make_model()
            optimizer = make_optimizer(model.parameters())
            function = (step or self.plain)(model, optimizer)
            run = capture(function, model, optimizer, **options) if captured else function
            self.sides.append((model, optimizer, run))
        self.captured = self.sides[1][2]
        self.batches = rows()

    @staticmethod
    def plain(model, optimizer):
        def step(x, y):
            optimizer.zero_grad()
            loss = functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            return loss

        return step

    def steps(self, count=1, *more, batch=None):
        """So many steps on both sides: all that they leave has the same bits."""
        for number in range(count):
            x, y = batch or self.batches[number % len(self.batches)]
            found = []
            for model, _, run in self.sides:
                minitorch.manual_seed(number)
                loss = run(x, y, *more)
                left = [loss.data.tobytes()]
                for tensor in [*model.parameters(), *model.buffers()]:
                    left += [tensor.data.tobytes(), b"" if tensor.grad is None else tensor.grad.tobytes()]
                found.append(left)
            assert found[0] == found[1], f"step {number}"

    def both(self, change):
        for model, optimizer, _ in self.sides:
            change(model, optimizer)


@pytest.fixture
def pair():
    pair = Pair()
    pair.steps(6)
    assert pair.captured.is_captured
    return pair


def test_a_parameter_is_given_other_data(pair):
    pair.both(lambda model, _: setattr(model[0].weight, "data", np.full((7, 5), 0.5, "float32")))
    pair.steps(6)
    assert pair.captured.is_captured


def test_numbers_are_written_into_a_parameter(pair):
    def write(model, _):
        model[0].weight.data[...] = 0.25

    pair.both(write)
    pair.steps(3)


def test_another_state_is_loaded(pair):
    other = {name: value.data * 0.5 for name, value in mlp().state_dict().items()}
    pair.both(lambda model, _: model.load_state_dict(other))
    pair.steps(6)


def test_the_state_of_the_optimiser_is_loaded(pair):
    import copy

    states = [copy.deepcopy(optimizer.state_dict()) for _, optimizer, _ in pair.sides]
    pair.steps(4)
    for (_, optimizer, _), state in zip(pair.sides, states, strict=True):
        optimizer.load_state_dict(state)
    pair.steps(6)


def test_the_learning_rate_changes_every_tenth_step(pair):
    for lr in (0.01, 0.11, 0.21):
        for _, optimizer, _ in pair.sides:
            optimizer.param_groups[0]["lr"] = lr
        for _ in range(10):
            pair.steps(1)


def test_a_number_that_the_step_sees_changes_every_tenth_step():
    scale = {}

    def make(model, optimizer):
        factor = 1.0

        def step(x, y):
            optimizer.zero_grad()
            loss = functional.cross_entropy(model(x), y) * factor
            loss.backward()
            optimizer.step()
            return loss

        def change(value):
            nonlocal factor
            factor = value

        scale[id(optimizer)] = change
        return step

    pair = Pair(step=make)
    for factor in (1.0, 11.0, 21.0):
        for _, optimizer, _ in pair.sides:
            scale[id(optimizer)](factor)
        for _ in range(10):
            pair.steps(1)
    assert pair.captured.is_captured


def test_a_number_given_as_an_argument():
    def make(model, optimizer):
        def step(x, y, factor):
            optimizer.zero_grad()
            loss = functional.cross_entropy(model(x), y) * factor
            loss.backward()
            optimizer.step()
            return loss

        return step

    pair = Pair(step=make)
    for factor in (1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 1.0, 0.5):
        pair.steps(1, factor)


def test_training_ends_and_begins_again():
    pair = Pair(lambda: mlp(nn.Dropout(0.5), nn.BatchNorm1d(7)))
    pair.steps(6)
    pair.both(lambda model, _: model.eval())
    pair.steps(6)
    pair.both(lambda model, _: model.train())
    pair.steps(6)


def test_the_probability_of_a_dropout_changes():
    pair = Pair(lambda: mlp(nn.Dropout(0.5)))
    pair.steps(6)
    pair.both(lambda model, _: setattr(model[1], "p", 0.1))
    pair.steps(6)


def test_no_two_masks_are_the_same():
    minitorch.manual_seed(1)
    model = nn.Sequential(nn.Linear(5, 50), nn.Dropout(0.5))
    optimizer = optim.SGD(model.parameters(), lr=0.0)

    def step(x):
        optimizer.zero_grad()
        out = model(x)
        out.sum().backward()
        optimizer.step()
        return out

    run = capture(step, model, optimizer)
    seen = {tuple(run(Tensor(np.ones((1, 5), "float32"))).data[0] == 0) for _ in range(10)}
    assert run.is_captured
    assert len(seen) == 10


def test_without_gradients(pair):
    def evaluated(x, y):
        with minitorch.no_grad():
            return pair.captured(x, y)

    with pytest.raises(RuntimeError, match="backward"):
        evaluated(*pair.batches[0])
    pair.steps(3)


def test_a_hook_on_a_parameter(pair):
    seen = []
    hooks = []
    pair.both(lambda model, _: hooks.append(model[0].weight.register_hook(lambda g: seen.append(1) or g * 0.5)))
    pair.steps(3)
    assert len(seen) == 6
    for hook in hooks:
        hook.remove()
    pair.steps(4)
    assert pair.captured.is_captured
    assert len(seen) == 6
    pair.both(lambda model, _: model[0].weight.register_hook(lambda g: seen.append(1) or g * 0.5))
    pair.steps(3)
    assert len(seen) == 12


def test_a_hook_on_a_module(pair):
    pair.both(lambda model, _: model[0].register_forward_hook(lambda module, given, out: out * 2))
    with pytest.warns(RuntimeWarning, match="as long as a Linear has hooks"):
        pair.steps(4)


def test_a_hook_on_the_optimiser(pair):
    seen = []
    pair.both(lambda _, optimizer: optimizer.register_step_post_hook(lambda *_: seen.append(1)))
    pair.steps(3)
    assert len(seen) == 6
    pair.both(lambda _, optimizer: optimizer._after_step.clear())
    pair.steps(3)


def test_a_layer_is_exchanged(pair):
    new = nn.Linear(7, 3)
    state = {name: value.data.copy() for name, value in new.state_dict().items()}

    def exchange(model, optimizer):
        model[2] = nn.Linear(7, 3)
        model[2].load_state_dict(state)
        optimizer.add_param_group({"params": list(model[2].parameters())})

    pair.both(exchange)
    pair.steps(6)


def test_another_default_dtype(pair):
    before = minitorch.get_default_dtype()
    try:
        minitorch.set_default_dtype("float64")
        pair.steps(3)
    finally:
        minitorch.set_default_dtype(before)
    pair.steps(3)


def test_a_smaller_last_batch(pair):
    small = tuple(Tensor(each.data[:3]) for each in pair.batches[0])
    for _ in range(5):
        pair.steps(3)
        pair.steps(1, batch=small)
    assert len(pair.captured._known) == 2


def test_gradients_that_the_caller_keeps_do_not_change(pair):
    kept = []
    for _ in range(6):
        pair.steps(1)
        model = pair.sides[1][0]
        kept.append((model[0].weight.grad, model[0].weight.grad.copy()))
    assert all((grad == copied).all() for grad, copied in kept)


def test_a_part_of_a_gradient_that_the_caller_keeps_does_not_change(pair):
    part = pair.sides[1][0][0].weight.grad[0]
    copied = part.copy()
    pair.steps(2)
    assert (part == copied).all()


def test_results_that_the_caller_keeps_do_not_change(pair):
    x, y = pair.batches[0]
    losses = [pair.captured(x, y) for _ in range(3)]
    numbers = [loss.item() for loss in losses]
    pair.captured(x, y)
    assert [loss.item() for loss in losses] == numbers
    assert len(set(numbers)) == 3


def test_data_that_somebody_else_holds_is_not_moved():
    pair = Pair()
    held = [model[0].weight.data for model, _, _ in pair.sides]
    pair.steps(8)
    for (model, _, _), array in zip(pair.sides, held, strict=True):
        assert model[0].weight.data is array
    assert "somebody else holds the memory" in pair.captured.explain()


def test_a_class_that_does_not_exist_is_refused_and_nothing_changes(pair):
    before = [param.data.copy() for param in pair.sides[1][0].parameters()]
    x, y = pair.batches[0]
    wrong = Tensor(np.where(np.arange(8) == 4, 99, y.data))
    with pytest.raises(IndexError, match="99"):
        pair.captured(x, wrong)
    assert all((a == b.data).all() for a, b in zip(before, pair.sides[1][0].parameters(), strict=True))


REFUSED = {
    "item": (lambda loss, model: loss * loss.item(), "Python number, as .item"),
    "branch": (lambda loss, model: loss if loss > 1.0 else loss * 2, "Python number"),
    "float": (lambda loss, model: loss * float(loss), "Python float|Python number"),
    "mask": (lambda loss, model: loss + model[0].weight[model[0].weight > 0].sum(), "mask of booleans"),
    "numpy": (
        lambda loss, model: loss * np.asarray(loss.data),
        "makes an array of NumPy's own of one that is followed",
    ),
    "seed": (lambda loss, model: minitorch.manual_seed(0) or loss, "seeds the random generator"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_captured_is_said_in_one_sentence_and_runs_eagerly(name):
    change, why = REFUSED[name]

    def make(model, optimizer):
        def step(x, y):
            optimizer.zero_grad()
            loss = change(functional.cross_entropy(model(x), y), model)
            loss.backward()
            optimizer.step()
            return loss

        return step

    pair = Pair(step=make)
    with pytest.warns(RuntimeWarning, match=why) as caught:
        pair.steps(5)
    (told,) = [each for each in caught if "not captured" in str(each.message)]
    assert "test_never_stale.py:" in str(told.message)
    assert not pair.captured.is_captured
    with pytest.raises(RuntimeError, match=why):
        pair.captured.source  # noqa: B018 (a property that raises)


def test_python_that_gives_other_numbers_each_time_is_found_out():
    def make(model, optimizer):
        def step(x, y):
            optimizer.zero_grad()
            loss = functional.cross_entropy(model(x), y) * (int.from_bytes(os.urandom(4), "little") / 2**32)
            loss.backward()
            optimizer.step()
            return loss

        return step

    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    run = capture(make(model, optimizer), model, optimizer)
    with pytest.warns(RuntimeWarning, match="it calls .*urandom, which a replay would not"):
        assert [run(x, y) for x, y in rows() * 2]
    assert not run.is_captured


def test_verifying_finds_a_replay_that_does_something_else(monkeypatch):
    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    run = capture(Pair.plain(model, optimizer), model, optimizer, verify_every=2)
    right = Replay.run

    def wrong(replay, arrays, **how):
        outputs = right(replay, arrays, **how)
        model[0].weight.data[0] += 1.0
        return outputs

    monkeypatch.setattr(Replay, "run", wrong)
    with pytest.warns(RuntimeWarning, match=r"does not do what the step does: 0\.weight is different"):
        assert [run(x, y) for x, y in rows() * 4]


def test_verifying_changes_nothing():
    pair = Pair(lambda: mlp(nn.Dropout(0.5), nn.BatchNorm1d(7)), verify_every=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pair.steps(12)
    assert pair.captured.is_captured


def test_nothing_grows_with_the_collector_off(pair):
    import gc

    x, y = pair.batches[0]
    for _ in range(5):
        pair.captured(x, y)
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(200):
            pair.captured(x, y)
        assert len(gc.get_objects()) - before < 20
    finally:
        gc.enable()
