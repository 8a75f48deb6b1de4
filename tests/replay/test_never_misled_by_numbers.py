"""What made a replay do something else than its step: numbers out of arrays, and answers that nobody writes down.

A number of an array is an array while a step is written down. Where code can tell the two apart, that is noticed
before the first replay: what was written down, and what is replayed first, is compared with the step as it stands.
"""

from __future__ import annotations

import contextlib
import copy
import threading
import types
import warnings
import weakref

import numpy as np
import pytest
from replay_outcome import Case, batch, outcome

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture

# -- refused -----------------------------------------------------------------------------------------------------------


def a_step_of_a_slice(case):
    settings = np.array([1, 3])
    case.train(lambda x: (x[:: settings[0] + 1] ** 2).mean())


def an_end_of_a_slice(case):
    length = np.array(2)

    def change():
        nonlocal length
        length += 1

    case.train(lambda x: (x[:length] ** 2).mean(), change)


def an_axis(case):
    axis = np.array([0, 1])
    case.train(lambda x: x.sum(axis[0]).max(), lambda: axis.__setitem__(0, 1))


def an_axis_of_a_flip(case):
    axis = np.array(1)
    case.train(lambda x: x.flip(axis)[0, 0])


def a_list_so_many_times(case):
    repeats = np.array([2, 3])
    case.train(lambda _: sum(1.0 for _ in [0] * repeats[1]))


def what_a_number_is(case):
    numbers = np.array([1.0, 2.0], np.float32)

    def weight(number):
        return 1.0 if np.isscalar(number) or isinstance(number, np.floating) else 5.0

    case.train(lambda _: weight(numbers.sum()))


def a_number_that_is_looked_up(case):
    numbers, table = np.array([1, 2]), {1: 2.0}

    def found():
        try:
            return table[numbers[0]]
        except (KeyError, TypeError):
            return 5.0

    case.train(lambda _: found())


def a_number_that_is_rounded(case):
    numbers = np.array([1.6, 2.0])

    def rounded():
        with contextlib.suppress(Exception):
            return float(round(numbers[0]))
        return 5.0

    case.train(lambda _: rounded())


def whether_one_may_write(case):
    numbers = np.array([1.0, 2.0])
    case.train(lambda _: 1.0 if numbers.flags.writeable else 2.0, lambda: numbers.setflags(write=False))


def how_many_are_alive(case):
    alive = [types.SimpleNamespace(), types.SimpleNamespace(), Case(False)]
    registry = weakref.WeakSet([alive[2]])
    case.train(lambda _: 1.0 + len(registry), alive.clear)


def who_is_alive(case):
    alive = [Case(False)]
    reference = weakref.ref(alive[0])
    case.train(lambda _: 1.0 if reference() is None else 2.0, alive.clear)


def whether_a_lock_is_taken(case):
    lock = threading.Lock()
    case.train(lambda _: 1.0 if lock.locked() else 2.0, lock.acquire)


def what_numpy_is_told(case):
    before = np.geterr()
    try:
        case.train(lambda _: 1.0 if np.geterr()["under"] == "warn" else 2.0, lambda: np.seterr(under="warn"))
    finally:
        np.seterr(**before)


REFUSED = {
    a_step_of_a_slice: "takes a part up to a number in an array",
    an_end_of_a_slice: "takes a part up to a number in an array",
    an_axis: "is told an axis or a count by a number in an array",
    an_axis_of_a_flip: "is told an axis or a count by a number in an array",
    a_list_so_many_times: "is different while it is written down",
    what_a_number_is: "is different while it is written down",
    a_number_that_is_looked_up: "looks for a number in an array",
    a_number_that_is_rounded: "rounds a number in an array",
    whether_one_may_write: "asks for the flags of an array",
    how_many_are_alive: "`registry`, which loses what it refers to",
    who_is_alive: "`reference`, which loses what it refers to",
    whether_a_lock_is_taken: "it calls thread.locked",
    what_numpy_is_told: "it calls numpy.*geterr",
}


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_cannot_be_followed_is_refused(program):
    with pytest.warns(RuntimeWarning, match=REFUSED[program]):
        replayed = outcome(program, True)
    assert replayed.found == outcome(program, False).found
    assert not replayed.was_captured


def test_an_error_that_the_step_has_only_while_it_is_written_down_is_told():
    def program(case):
        numbers = np.array([1.6, 2.0])
        case.train(lambda _: numbers[0].is_integer() + 1.0)

    with pytest.warns(RuntimeWarning, match=r"uses \.is_integer of an array|it raises AttributeError"):
        replayed = outcome(program, True)
    assert replayed.found == outcome(program, False).found


# -- captured, and right -----------------------------------------------------------------------------------------------


def momentum_that_comes_later(case):
    case.train(lambda _: 1.0, lambda: case.optimizer.param_groups[0].update(momentum=0.9), after=8)


def classes_as_rows(case):
    labels = Tensor([0, 1, 2, 0])
    case.train(lambda x: (functional.one_hot(labels, 3) * x).sum())


def the_likeliest_class_as_a_row(case):
    case.train(lambda x: (functional.one_hot(x.argmax(1), 3) * x).sum())


def a_copy_of_an_array(case):
    numbers = np.array([1.5, 2.0], np.float32)
    case.train(lambda _: copy.deepcopy(numbers).sum(), lambda: numbers.__setitem__(0, 2.0))


def an_array_in_another_shape(case):
    numbers = np.arange(12, dtype=np.float32)

    def change():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            numbers.shape = (4, 3)

    case.train(lambda _: numbers[0].sum() + 1.0, change)


def a_list_in_a_slice(case):
    part = slice([1.0], None)
    case.train(lambda _: part.start[0], lambda: part.start.__setitem__(0, 2.0))


def the_name_of_a_function(case):
    def scale():
        return 1.0

    case.train(lambda _: float(len(scale.__name__)), lambda: setattr(scale, "__name__", "other"))


def an_attribute_that_a_function_gets_later(case):
    def scale():
        return 1.0

    case.train(lambda _: getattr(scale, "factor", 1.0), lambda: setattr(scale, "factor", 2.0))


RIGHT = [
    momentum_that_comes_later,
    classes_as_rows,
    the_likeliest_class_as_a_row,
    a_copy_of_an_array,
    an_array_in_another_shape,
    a_list_in_a_slice,
    the_name_of_a_function,
    an_attribute_that_a_function_gets_later,
]


@pytest.mark.parametrize("program", RIGHT, ids=lambda program: program.__name__)
def test_a_replay_is_not_misled(program):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        replayed = outcome(program, True)
    assert replayed.found == outcome(program, False).found
    assert replayed.was_captured
    assert replayed.step.is_captured


def test_a_result_that_is_one_of_numpys_numbers_is_that_in_a_replay():
    minitorch.manual_seed(0)
    model = nn.Linear(3, 2)
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def step(x):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss, np.abs(loss.data).max()

    run = capture(step, model, optimizer)
    found = [run(batch())[1] for _ in range(8)]
    assert run.is_captured
    assert {type(each) for each in found} == {np.float32}
    assert len(set(found)) == 8


def test_a_scheduler_in_the_step_goes_on_by_one_when_a_replay_is_compared():
    minitorch.manual_seed(0)
    model = nn.Linear(3, 2)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    scheduler = optim.lr_scheduler.ExponentialLR(optimizer, 0.5)

    def step(x):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
        return loss

    run = capture(step, model, optimizer, verify_every=2)
    for number in range(9):
        run(batch())
        assert scheduler.last_epoch == number + 1
    assert run.is_captured
