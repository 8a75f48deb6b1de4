"""What made a replay do something else than its step: memory that parameters share, caches, and what steps return.

A parameter that is changed in place is not all of them; a function with a cache is called once for each argument; a
container of a class of its own comes back as it is; and an error that is no Exception finds all as it was.
"""

from __future__ import annotations

import functools
from collections import Counter, namedtuple

import numpy as np
import pytest
from replay_outcome import batch, outcome

import minitorch
from minitorch import Tensor, as_tensor, nn, optim
from minitorch.optim.lr_scheduler import ExponentialLR

# -- one memory --------------------------------------------------------------------------------------------------------


def _in_place(change, make=lambda parameters: optim.SGD(parameters, lr=0.1)):
    """Between the forward and the backward pass one parameter is changed, which no gradient needs."""

    def program(case):
        case.model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        case.optimizer = make(case.model.parameters())
        model, optimizer = case.model, case.optimizer

        def step(x):
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean()
            with minitorch.no_grad():
                change(model)
            loss.backward()
            optimizer.step()
            return loss

        case.call(case.wrap(step), 8)
        case.was_captured = getattr(case.step, "is_captured", False)

    return program


def _pushed(model):
    model[0].bias.add_(0.01)


def _clamped(model):
    model[2].bias[:1].clamp_(-0.1, 0.1)


def _shrunk(model):
    model[0].weight.data *= 0.9


a_bias = _in_place(_pushed)
a_part_of_a_bias = _in_place(_clamped)
a_bias_under_adam = _in_place(_pushed, lambda parameters: optim.Adam(parameters, lr=0.01))
the_first_weight = _in_place(_shrunk)  # whose input wants no gradient


def a_graph_of_one_gradient_beside_another(case):
    case.model = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
    case.optimizer = optim.Adam(case.model.parameters(), lr=0.01)
    case.train(lambda _: 1.0)
    of_weight = as_tensor(case.model[0].weight.grad).requires_grad_()
    square = (of_weight * of_weight).sum()
    as_tensor(case.model[1].bias.grad).mul_(2.0)
    square.backward()
    case.see(of_weight.grad)


# -- caches ------------------------------------------------------------------------------------------------------------


def _cached(wrap, fresh):
    """A function with a cache, whose argument changes from epoch to epoch."""

    def program(case):
        made, epoch = [], [0]
        kept = wrap(lambda number: fresh(number, made))
        case.train(lambda _: kept(epoch[0]).mean())
        for number in (1, 1, 1, 1, 2, 2, 2, 1):
            epoch[0] = number
            case.call(case.step, 1)
        case.found.append(made)
        case.see(minitorch.rand(2))

    return program


noise_of_each_epoch = _cached(functools.cache, lambda number, made: minitorch.randn(3) + float(number))
noise_in_a_cache_of_limited_size = _cached(functools.lru_cache, lambda number, made: minitorch.randn(3) + float(number))
a_note_of_each_epoch = _cached(
    functools.lru_cache(maxsize=4), lambda number, made: made.append(number) or minitorch.ones(3) * float(number)
)


def a_kept_tensor_that_is_changed(case):
    @functools.lru_cache
    def kept(size):
        return minitorch.ones(size)

    def scale(x):
        factor = kept(x.shape[0])
        factor.mul_(1.1)
        return factor.mean().detach()

    case.train(scale)
    kept.cache_clear()
    case.call(case.step, 5)
    case.see(kept(4))


# -- what else ---------------------------------------------------------------------------------------------------------


def a_mixin_that_goes_on_above(case):
    class Doubling:
        def factor(self, x):
            return super().factor(x) * 2

    class Plain:
        scale = 1.0

        def factor(self, _):
            return self.scale

    mixed = type("Mixed", (Doubling, Plain), {})()
    case.train(lambda x: mixed.factor(x), lambda: setattr(Plain, "scale", 0.5))


def the_rate_that_a_scheduler_tells(case):
    scheduler = ExponentialLR(case.optimizer, 0.5)
    case.train(lambda _: scheduler.get_last_lr()[0] * 10, scheduler.step)


def the_dtype_of_an_array_around(case):
    numbers = np.ones(4, np.int64)
    case.train(lambda _: 2.0 if numbers.dtype == np.int64 else 1.0, lambda: setattr(numbers, "dtype", np.float64))


def the_data_of_the_loss(case):
    run = case.wrap_plain(lambda loss: loss.data)
    results = [run(batch()) for _ in range(6)]
    case.was_captured = getattr(run, "is_captured", False)
    case.found += [(type(each), each.shape, each.tobytes()) for each in results]


CAPTURED = {
    "a_bias": a_bias,
    "a_part_of_a_bias": a_part_of_a_bias,
    "a_bias_under_adam": a_bias_under_adam,
    "the_first_weight": the_first_weight,
    "a_graph_of_one_gradient_beside_another": a_graph_of_one_gradient_beside_another,
    "noise_of_each_epoch": noise_of_each_epoch,
    "noise_in_a_cache_of_limited_size": noise_in_a_cache_of_limited_size,
    "a_note_of_each_epoch": a_note_of_each_epoch,
    "a_kept_tensor_that_is_changed": a_kept_tensor_that_is_changed,
    "a_mixin_that_goes_on_above": a_mixin_that_goes_on_above,
    "the_rate_that_a_scheduler_tells": the_rate_that_a_scheduler_tells,
    "the_dtype_of_an_array_around": the_dtype_of_an_array_around,
    "the_data_of_the_loss": the_data_of_the_loss,
}


@pytest.mark.parametrize("name", CAPTURED)
def test_a_captured_step_does_what_the_step_does(name):
    eager, captured = outcome(CAPTURED[name], False), outcome(CAPTURED[name], True)
    assert captured.found == eager.found
    assert captured.was_captured


# -- what a step returns -----------------------------------------------------------------------------------------------

Pair = namedtuple("Pair", ["loss", "count"])


class Counted(Pair):
    """A pair that counts one more than it is told."""

    def __new__(cls, loss, count):
        return super().__new__(cls, loss, count + 1)


class Log(list):
    """A list with a note."""

    note = ""


def _noted(loss):
    log = Log([loss])
    log.note = "an epoch"
    return log


def _returning(make):
    def program(case):
        run = case.wrap_plain(make)
        for _ in range(6):
            result = run(batch())
            case.found += [type(result), dict(result) if isinstance(result, dict) else list(map(_told, result))]
            case.found.append(getattr(result, "note", ""))

    return program


def _told(value):
    return value.detach().numpy().tobytes() if isinstance(value, Tensor) else value


a_named_tuple_that_counts = _returning(lambda loss: Counted(loss, 1))


def test_a_named_tuple_with_a_way_of_its_own_to_be_made_comes_back_as_it_is():
    assert outcome(a_named_tuple_that_counts, True).found == outcome(a_named_tuple_that_counts, False).found


@pytest.mark.parametrize(
    ("make", "why"),
    [(lambda _: Counter(seen=8), "it returns a Counter"), (_noted, "it returns a Log")],
    ids=["a_counter", "a_list_with_a_note"],
)
def test_a_container_of_another_class_is_returned_as_it_is(make, why):
    program = _returning(make)
    with pytest.warns(RuntimeWarning, match=why):
        captured = outcome(program, True)
    assert captured.found == outcome(program, False).found


def test_a_list_around_the_step_is_returned_itself():
    lists = []

    def program(case):
        settings = ["warm"]
        run = case.wrap_plain(lambda _: settings)
        lists.append(all(run(batch()) is settings for _ in range(6)))

    with pytest.warns(RuntimeWarning, match="it returns a list that it sees around it: return what is in it"):
        outcome(program, True)
    assert lists == [True]


# -- errors ------------------------------------------------------------------------------------------------------------


class Stop(BaseException):
    """An error that is no Exception."""


def _raising(error, ends):
    def after(_):
        if ends[0]:
            raise error

    return after


@pytest.mark.parametrize("call", [1, 2, 3, 5])
@pytest.mark.parametrize("error", [Stop, SystemExit])
def test_an_error_that_is_no_exception_leaves_what_it_leaves_of_the_step(call, error):
    def program(case):
        case.model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
        case.optimizer = optim.SGD(case.model.parameters(), lr=0.1)
        ends = [False]
        run = case.wrap_plain(after=_raising(error, ends))
        for number in range(8):
            ends[0] = number == call
            try:
                run(batch())
            except error:
                case.found.append("stopped")
            case.see(*case.model.parameters(), *case.model.buffers())

    assert outcome(program, True).found == outcome(program, False).found


def test_an_interruption_while_a_step_is_written_down_puts_it_back():
    def program(case):
        model, ends = case.model, [False]
        run = case.wrap_plain(after=_raising(KeyboardInterrupt, ends))
        run(batch())
        before = [each.numpy().copy() for each in map(Tensor.detach, model.parameters())]
        ends[0] = True
        with pytest.raises(KeyboardInterrupt):
            run(batch())
        after = [each.detach().numpy() for each in model.parameters()]
        assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))
        ends[0] = False
        for _ in range(5):
            run(batch())
        assert run.is_captured

    outcome(program, True)
