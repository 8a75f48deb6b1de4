"""What is checked before each replay: whatever of it changes, a captured step leaves the bits of the eager one."""

from __future__ import annotations

import contextlib
import copy
import gc
import threading

import numpy as np
import pytest
from replay_case import Pair, cross, step_of
from replay_programs import mlp, rows

import minitorch
from minitorch import Tensor, from_numpy, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")
SCALE = 1.0
CHANGES_OF = {}  # of each model's step


@pytest.fixture
def pair():
    pair = Pair()
    pair.steps(6)
    assert pair.captured.is_captured
    return pair


# -- parameters, modules, optimisers -----------------------------------------------------------------------------------


def other_data(model, _):
    model[0].weight.data = np.full((7, 5), 0.5, "float32")


def numbers_written_into_a_parameter(model, _):
    model[0].weight.data[...] = 0.25


def a_state_is_loaded(model, _):
    model.load_state_dict({name: value.data * 0.5 for name, value in model.state_dict().items()})


def a_parameter_is_frozen(model, _):
    model[0].weight.requires_grad_(False)


def a_layer_is_exchanged(model, optimizer):
    minitorch.manual_seed(7)
    model[2] = nn.Linear(7, 3)
    optimizer.add_param_group({"params": list(model[2].parameters())})


def a_parameter_is_exchanged(model, optimizer):
    model[2].bias = nn.Parameter(Tensor([0.1, 0.2, 0.3]))
    optimizer.add_param_group({"params": [model[2].bias], "lr": 0.01})


def another_forward(model, _):
    model[0].forward = lambda x: functional.linear(x, model[0].weight * 2, model[0].bias)


def an_optimisers_state_is_loaded(_, optimizer):
    state = copy.deepcopy(optimizer.state_dict())
    for own in state["state"].values():
        own["exp_avg"] *= 0.5
    optimizer.load_state_dict(state)


def an_optimisers_state_is_emptied(_, optimizer):
    optimizer.state.clear()


def one_state_is_written_into(_, optimizer):
    next(iter(optimizer.state.values()))["step"] = 1


def a_learning_rate(_, optimizer):
    optimizer.param_groups[0]["lr"] *= 0.1


def a_weight_decay(_, optimizer):
    optimizer.param_groups[0]["weight_decay"] = 0.1


def gradients_are_set(model, _):
    for param in model.parameters():
        param.grad = np.ones_like(param.data)


CHANGES = [
    other_data, numbers_written_into_a_parameter, a_state_is_loaded, a_parameter_is_frozen, a_layer_is_exchanged,
    a_parameter_is_exchanged, another_forward, an_optimisers_state_is_loaded, an_optimisers_state_is_emptied,
    one_state_is_written_into, a_learning_rate, a_weight_decay, gradients_are_set,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_what_is_changed_between_two_calls_is_noticed(pair, change):
    pair.both(change)
    pair.steps(6)
    assert pair.captured.is_captured


def test_an_option_that_makes_a_state():
    pair = Pair(make_optimizer=lambda params: optim.SGD(params, lr=0.05))
    pair.steps(6)
    pair.both(lambda _, optimizer: optimizer.param_groups[0].update(momentum=0.9))
    pair.steps(6)
    assert pair.captured.is_captured


def test_training_ends_and_begins_again():
    pair = Pair(lambda: mlp(nn.Dropout(0.5), nn.BatchNorm1d(7)))
    pair.steps(6)
    pair.both(lambda model, _: model.eval())
    pair.steps(6)
    pair.both(lambda model, _: model.train())
    pair.steps(6)
    pair.both(lambda model, _: setattr(model[1], "p", 0.1))
    pair.steps(6)
    assert pair.captured.is_captured


def test_a_schedule_outside_of_the_step_is_read_in_each(pair):
    schedulers = [optim.lr_scheduler.CosineAnnealingLR(optimizer, 20) for _, optimizer, _ in pair.sides]
    traces = pair.captured._traces
    for _ in range(12):
        pair.steps(1)
        for each in schedulers:
            each.step()
    assert pair.captured._traces == traces


# -- hooks -------------------------------------------------------------------------------------------------------------


def on_a_parameter(model, _, hook):
    return model[0].weight.register_hook(hook)


def on_a_module(model, _, hook):
    return model[0].register_forward_hook(hook)


def on_the_optimiser(_, optimizer, hook):
    return optimizer.register_step_post_hook(hook)


@pytest.mark.parametrize("register", [on_a_parameter, on_a_module, on_the_optimiser])
def test_hooks_run_as_long_as_they_are_there(pair, register):
    seen = []
    handles = [register(model, optimizer, lambda *_: seen.append(1)) for model, optimizer, _ in pair.sides]
    pair.steps(3)
    assert len(seen) == 6
    for each in handles:
        each.remove()
    pair.steps(4)
    assert len(seen) == 6
    assert pair.captured.is_captured


def test_a_hook_that_stays_is_told():
    pair = Pair()
    pair.both(lambda model, _: model[0].register_forward_hook(lambda module, given, out: out * 2))
    with pytest.warns(RuntimeWarning, match="now there are hooks of a Linear"):
        pair.steps(6)


# -- the scope ---------------------------------------------------------------------------------------------------------


def test_another_default_dtype(pair):
    try:
        minitorch.set_default_dtype("float64")
        pair.steps(3)
    finally:
        minitorch.set_default_dtype("float32")
    pair.steps(3)


def test_a_program_outlasts_steps_without_gradients(pair):
    before = pair.captured.source
    with pytest.raises(RuntimeError, match="backward"), minitorch.no_grad():
        pair.captured(*pair.batches[0])
    pair.steps(3)
    assert pair.captured.source == before


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
    assert len({tuple(run(Tensor(np.ones((1, 5), "float32"))).data[0] == 0) for _ in range(10)}) == 10
    assert run.is_captured


# -- arguments ---------------------------------------------------------------------------------------------------------


def test_a_smaller_last_batch_has_a_program_of_its_own(pair):
    small = tuple(Tensor(each.data[:3]) for each in pair.batches[0])
    for _ in range(5):
        pair.steps(3)
        pair.steps(1, batch=small)
    assert len(pair.captured._programs) == 2


def test_another_dtype_and_other_strides(pair):
    x, y = pair.batches[0]
    turned = Tensor(np.asfortranarray(x.data))
    pair.steps(3, batch=(turned, y))
    pair.steps(3, batch=(x, Tensor(y.data.astype(np.int32))))
    assert len(pair.captured._programs) == 3


def test_a_number_as_an_argument():
    pair = Pair(make_step=lambda model, optimizer: step_of(model, optimizer, cross))
    for factor in (1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 1.0, 0.5, 0.0, -0.0):
        pair.steps(1, factor)
    assert pair.captured.is_captured


@pytest.mark.parametrize(("start", "is_refused"), [(None, False), (0, False), (2, True)])
def test_arguments_that_share_their_memory(start, is_refused):
    def make_step(model, optimizer):
        def score(z, y, first, second):
            first *= 0.5
            return cross(z, y) + second.mean()

        return step_of(model, optimizer, score)

    pair, outcomes = Pair(make_step=make_step), []
    with pytest.warns(RuntimeWarning, match="shares its memory") if is_refused else contextlib.nullcontext():
        for _, _, run in pair.sides:
            whole = np.ones(12, np.float32)
            second = from_numpy(np.ones(4, np.float32) if start is None else whole[start : start + 4])
            parts = [second if start == 0 else from_numpy(whole[:4]), second]
            outcomes.append([run(*pair.batches[0], *parts).item() for _ in range(6)])
    assert outcomes[0] == outcomes[1]
    assert pair.captured.is_captured is not is_refused


def test_eight_kinds_of_arguments_are_kept_and_one_in_each_call_is_given_up(pair):
    x, y = pair.batches[0]
    for _ in range(3):
        for count in range(1, 8):
            pair.steps(1, batch=(Tensor(x.data[:count]), Tensor(y.data[:count])))
    assert len(pair.captured._programs) == 8
    pair = Pair(make_step=lambda model, optimizer: step_of(model, optimizer, cross))
    with pytest.warns(RuntimeWarning, match="its arguments are of another kind in nearly each call"):
        assert [pair.steps(1, float(number)) for number in range(40)]
    assert not pair.captured.is_captured


# -- what its own code reads by name -----------------------------------------------------------------------------------


def a_variable(model, optimizer):
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

    CHANGES_OF[id(model)] = change
    return step


def a_global(model, optimizer):
    def step(x, y):
        optimizer.zero_grad()
        loss = sum([functional.cross_entropy(model(x), y) * SCALE for _ in range(1)])
        loss.backward()
        optimizer.step()
        return loss

    CHANGES_OF[id(model)] = lambda value: globals().update(SCALE=value)
    return step


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.scale = model, optimizer, 1.0
        self.loss = nn.CrossEntropyLoss()

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.loss(self.model(x), y) * self.scale
        loss.backward()
        self.optimizer.step()
        return loss


def an_attribute(model, optimizer):
    trainer = Trainer(model, optimizer)
    CHANGES_OF[id(model)] = lambda value: setattr(trainer, "scale", value)
    return trainer.step


def a_setting_of_a_loss(model, optimizer):
    trainer = Trainer(model, optimizer)
    CHANGES_OF[id(model)] = lambda value: setattr(trainer.loss, "label_smoothing", value / 10)
    return trainer.step


def a_tensor(model, optimizer):
    scale = Tensor([1.0, 2.0, 3.0])

    def step(x, y):
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x) * scale, y)
        loss.backward()
        optimizer.step()
        return loss

    CHANGES_OF[id(model)] = lambda value: scale.data.__imul__(value)
    return step


@pytest.mark.parametrize("make_step", [a_variable, a_global, an_attribute, a_setting_of_a_loss, a_tensor])
def test_a_number_that_it_reads_by_name_is_read(make_step):
    globals().update(SCALE=1.0)
    pair = Pair(make_step=make_step)
    for value in (1.0, 2.0, 3.0):
        pair.both(lambda model, _, value=value: CHANGES_OF[id(model)](value))
        pair.steps(7)
    assert pair.captured.is_captured


def test_a_number_that_changes_before_each_call_is_named():
    pair = Pair(make_step=a_global)

    def train():
        for number in range(24):
            globals().update(SCALE=number / 2)
            pair.steps(1)

    with pytest.warns(RuntimeWarning, match="`SCALE` is another in nearly each call: give a number that changes in a"):
        train()
    assert not pair.captured.is_captured


# -- what it hands out -------------------------------------------------------------------------------------------------


def test_gradients_that_the_caller_keeps_do_not_change(pair):
    kept = []
    for _ in range(6):
        pair.steps(1)
        grad = pair.sides[1][0][0].weight.grad
        kept.append((grad, grad.copy(), grad[0], grad[0].copy()))
    assert all((grad == copied).all() and (part == same).all() for grad, copied, part, same in kept)


def test_results_are_constants_of_their_own_from_the_first_call_on():
    pair = Pair()
    losses = [pair.captured(*pair.batches[0]) for _ in range(7)]
    assert [loss.requires_grad for loss in losses] == [False] * 7
    assert len({loss.item() for loss in losses}) == 7


def test_data_that_somebody_else_holds_is_not_moved():
    pair = Pair()
    held = [model[0].weight.data for model, _, _ in pair.sides]
    pair.steps(8)
    assert all(model[0].weight.data is array for (model, _, _), array in zip(pair.sides, held, strict=True))
    assert "somebody else holds the memory" in pair.captured.explain()


@pytest.mark.parametrize("calls", [2, 3])
@pytest.mark.parametrize("outside", [False, True])
def test_gradients_that_are_gathered_over_some_calls(calls, outside):
    """A call that begins without gradients has another program than one that begins with those of the call before."""
    outcomes = []
    for is_captured in (False, True):
        minitorch.manual_seed(0)
        model = nn.Linear(3, 2)
        optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

        def step(x, is_last, model=model, optimizer=optimizer):
            loss = (model(x) ** 2).mean() / calls
            loss.backward()
            if outside or is_last:
                optimizer.step()
            if is_last and not outside:
                optimizer.zero_grad()
            return loss

        run, found = capture(step, model, optimizer) if is_captured else step, []
        for number in range(9 * calls):
            if outside and number % calls == 0:
                optimizer.zero_grad()
            found.append(run(minitorch.randn(4, 3), False if outside else number % calls == calls - 1).item())
            found += [None if each.grad is None else each.grad.tobytes() for each in model.parameters()]
        outcomes.append(found)
    assert outcomes[0] == outcomes[1]
    assert run._replays >= 5 * calls


# -- other uses --------------------------------------------------------------------------------------------------------


def test_two_threads_do_not_write_into_one_programs_memory():
    pair = Pair(make_optimizer=lambda params: optim.SGD(params, lr=0.0))
    pair.steps(4)
    found = {0: set(), 1: set()}

    def train(which):
        for _ in range(100):
            found[which].add(pair.captured(*pair.batches[which]).item())

    threads = [threading.Thread(target=train, args=(which,)) for which in found]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [len(each) for each in found.values()] == [1, 1]
    assert found[0] != found[1]


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

        def step(x, y, inner=inner, optimizer=optimizer):
            optimizer.zero_grad()
            loss = inner(x, y)
            optimizer.step()
            return loss

        run = capture(step, model, optimizer) if is_captured else step
        outcomes.append([*alone, *(run(*batch).item() for batch in rows() * 3)])
    assert outcomes[0] == outcomes[1]
    assert run.is_captured
    assert inner.is_captured


def test_nothing_grows_with_the_collector_off(pair):
    x, y = pair.batches[0]
    for _ in range(30):
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
