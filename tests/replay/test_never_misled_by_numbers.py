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
from collections import OrderedDict

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


def an_error_of_a_matrix_that_is_caught(case):
    matrix = np.zeros((3, 3), np.float32)

    def change():
        matrix[...] = np.eye(3)

    def scale(_):
        try:
            return minitorch.linalg.inv(Tensor(matrix)).sum()
        except RuntimeError:
            return 5.0

    case.train(scale, change)


def an_index_out_of_bounds_that_is_caught(case):
    places = np.array([7])

    def scale(x):
        try:
            return x[Tensor(places)].sum()
        except IndexError:
            return 5.0

    case.train(scale, lambda: places.__setitem__(0, 1))


def a_number_of_twice_the_width(case):
    numbers = np.array([0.1, 0.7])
    case.train(lambda x: (x * x).mean() * numbers.std())


REFUSED = {
    an_error_of_a_matrix_that_is_caught: "it catches an error of NumPy's, LinAlgError",
    an_index_out_of_bounds_that_is_caught: "it catches an error of NumPy's, IndexError",
    a_number_of_twice_the_width: "gives an np.float64 to an operation of Tensors",
    a_step_of_a_slice: "takes a part up to a number in an array",
    an_end_of_a_slice: "takes a part up to a number in an array",
    an_axis: "is told an axis or a count by a number in an array",
    an_axis_of_a_flip: "is told an axis or a count by a number in an array",
    a_list_so_many_times: "made twice from the same state, it leaves another",
    what_a_number_is: "made twice from the same state, it leaves another",
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


def an_index_that_goes_out_of_bounds_after_a_draw(case):
    places = np.array([1])

    def scale(x):
        try:
            return functional.dropout(x, 0.5)[Tensor(places)].sum()
        except IndexError:
            return 5.0

    case.train(scale, lambda: places.__setitem__(0, 7))


def a_view_of_an_argument_that_is_written_into(case):
    case.train(lambda x: x.clone()[1:].add_(1.0).sum())


def numbers_that_nan_to_num_writes_over(case):
    numbers = np.array([1.0, 2.0, 3.0], np.float32)

    def scale(x):
        np.nan_to_num(numbers, copy=False)
        return (x * Tensor(numbers)).sum()

    case.train(scale, lambda: numbers.__setitem__(1, np.nan))


RIGHT = [
    numbers_that_nan_to_num_writes_over,
    an_index_that_goes_out_of_bounds_after_a_draw,
    a_view_of_an_argument_that_is_written_into,
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


# -- results, and kinds of arguments -----------------------------------------------------------------------------------


def trained(score, made_of=lambda loss: loss, is_captured=True, after=lambda: None, **options):
    """A step of a small model whose loss is score(output, *arguments), and the model. made_of: what it returns."""
    minitorch.manual_seed(0)
    model = nn.Linear(3, 2)
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def step(x, *arguments):
        optimizer.zero_grad()
        loss = score(model(x), *arguments)
        loss.backward()
        optimizer.step()
        after()
        return made_of(loss)

    return (capture(step, model, optimizer, **options) if is_captured else step), model, optimizer


def squares(z):
    return (z**2).mean()


def test_a_result_that_is_one_of_numpys_numbers_is_that_in_a_replay():
    run, _, _ = trained(squares, lambda loss: np.abs(loss.data).max())
    found = [run(batch()) for _ in range(8)]
    assert run.is_captured
    assert {type(each) for each in found} == {np.float32}
    assert len(set(found)) == 8


def test_results_keep_the_class_of_their_dict():
    run, _, _ = trained(squares, lambda loss: OrderedDict(loss=loss))
    assert {type(run(batch())) for _ in range(6)} == {OrderedDict}
    assert run.is_captured


def test_results_keep_their_order_in_memory():
    minitorch.manual_seed(0)
    model = nn.Linear(3, 2)
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def step(x):
        optimizer.zero_grad()
        out = model(x)
        squares(out).backward()
        optimizer.step()
        return out.T

    run = capture(step, model, optimizer)
    assert {run(batch()).data.strides for _ in range(6)} == {step(batch()).data.strides} == {(4, 8)}
    assert run.is_captured


def test_a_scheduler_in_the_step_goes_on_by_one_when_a_replay_is_compared():
    run, _, optimizer = trained(squares, after=lambda: scheduler.step(), verify_every=2)
    scheduler = optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    for number in range(9):
        run(batch())
        assert scheduler.last_epoch == number + 1
    assert run.is_captured


def test_an_index_out_of_bounds_ends_a_replay_as_it_ends_the_step():
    found = []
    for is_captured in (True, False):
        run, model, _ = trained(lambda z, at: functional.dropout(z, 0.5)[at].sum(), is_captured=is_captured)
        for place in (0, 1, 2, 3, 0, 1):
            run(batch(), Tensor([place]))
        with pytest.raises(IndexError) as raised:
            run(batch(), Tensor([9]))
        found.append((str(raised.value), model.weight.grad, run(batch(), Tensor([1])).item()))
    assert found[0] == found[1]


def test_steps_that_fail_now_and_then_are_captured_again():
    run, _, _ = trained(functional.cross_entropy)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(5):
            for _ in range(6):
                run(batch(), Tensor([0, 1, 1, 0]))
            with pytest.raises(IndexError):
                run(batch(), Tensor([0, 1, 1, 9]))
    for _ in range(6):
        run(batch(), Tensor([0, 1, 1, 0]))
    assert run.is_captured


def test_slices_and_ranges_are_known_by_their_numbers():
    run, _, _ = trained(lambda z, part, places: squares(z[part]) * len(places))
    assert len({run(batch(), slice(0, 2), range(3)).item() for _ in range(6)}) == 6
    assert run.is_captured


# -- names -------------------------------------------------------------------------------------------------------------

SCRIPT = """
import minitorch
from minitorch import nn, optim
minitorch.manual_seed(0)
model = nn.Linear(3, 2)
optimizer = optim.SGD(model.parameters(), lr=0.1)
scale = 1.0

@minitorch.captured(model, optimizer)
def train(x):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True).expand(4, 2), reduction="mean") * scale
    loss.backward()
    optimizer.step()
    return loss

for step in range(12):
    dim, mean = step, step / 2
    if step == 8:
        scale = 50.0
    loss = train(minitorch.ones(4, 3)).item()
    losses.append(loss)
"""


def test_attributes_keywords_and_texts_are_no_globals():
    """A loop at the top of a notebook counts in `step`, and the step calls optimizer.step()."""
    found = []
    for script in (SCRIPT, SCRIPT.replace("@minitorch.captured(model, optimizer)\n", "")):
        space = {"__name__": "a_notebook", "losses": []}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(compile(script, "a notebook", "exec"), space)
        found.append(space["losses"])
        assert not hasattr(space["train"], "is_captured") or space["train"].is_captured
    assert found[0] == found[1]
    assert found[0][8] > found[0][7]  # the global that the step does read
