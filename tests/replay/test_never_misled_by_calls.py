"""What a step does with its arguments and with NumPy: a replay is not misled by that.

A program makes the step and what it is given in each call; losses, weights and what the caller sees must not depend on
whether the step is captured.
"""

from __future__ import annotations

import collections
import os

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture

ROWS = np.arange(12, dtype=np.float32).reshape(4, 3) / 7
CLASSES = [[0, 1, 2, 2]] * 6 + [[1, 1, 1, 1], [0, 1, 2, 3], [3, 0, 0, 0], [2, 2, 1, 5], [0, 0, 0, 0]]


class Case:
    """A small model and its optimiser. found: what was seen, call by call."""

    def __init__(self, is_captured):
        minitorch.manual_seed(0)
        self.model = nn.Linear(3, 2)
        self.optimizer = optim.SGD(self.model.parameters(), lr=0.1)
        self.is_captured, self.found, self.was_captured = is_captured, [], False

    def step(self, score, after=lambda *_: None):
        """score(output, *arguments) is what the loss is multiplied by; after(*arguments) ends the step."""
        model, optimizer = self.model, self.optimizer

        def step(x, *more):
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean() * score(x, *more)
            loss.backward()
            optimizer.step()
            after(x, *more)
            return loss

        self.captured = capture(step, model, optimizer) if self.is_captured else step
        return self.captured

    def see(self, *values):
        self.found += [
            np.asarray(value).tobytes() if isinstance(value, (np.ndarray, np.generic)) else repr(value)
            for value in (getattr(each, "_data", each) for each in values)
        ]

    def try_to(self, step, *arguments):
        self.was_captured |= getattr(step, "is_captured", False)
        try:
            self.see(step(*arguments))
        except (IndexError, FloatingPointError, TypeError) as error:
            self.see(type(error).__name__)
        self.see(*self.model.parameters())


def x(dtype=np.float32):
    return minitorch.from_numpy(ROWS.astype(dtype))


# -- shapes that follow from numbers, and texts ------------------------------------------------------------------------

BY_NUMBERS = {
    "where": lambda a, y: a[np.where(y > 0)[0]].sum(),
    "repeat": lambda a, y: np.repeat(a[:, 0], y).sum(),
    "a method repeat": lambda a, y: a[:, 0].repeat(y).sum(),
    "bincount": lambda a, y: np.bincount(y).astype("f").mean(),
    "setdiff1d": lambda a, y: np.setdiff1d(y, [0]).astype("f").sum(),
    "union1d": lambda a, y: np.union1d(y, [0]).astype("f").mean(),
    "trim_zeros": lambda a, y: np.trim_zeros(y).astype("f").sum(),
    "delete": lambda a, y: np.delete(a, y, 0).sum(),
    "split": lambda a, y: np.split(a[:, 0], y[1:2])[0].sum(),
    "unique_counts": lambda a, y: np.unique_counts(y).counts.astype("f").mean(),
    "text of an array": lambda a, y: 3.0 if "5" in str(y) else 1.0,
    "text of a Tensor": lambda a, y: 3.0 if "5" in str(Tensor(y)) else 1.0,
    "format": lambda a, y: 3.0 if "5" in f"{Tensor(y)[3]}" else 1.0,
}


def by_numbers(case, score):
    step = case.step(lambda a, y: Tensor(score(a.data, y.data)) * 1.0)
    for classes in CLASSES:
        case.try_to(step, x(), Tensor(np.array(classes)))


@pytest.mark.parametrize("name", BY_NUMBERS)
def test_shapes_that_follow_from_numbers_and_texts_are_refused(name):
    eager, captured = Case(False), Case(True)
    by_numbers(eager, BY_NUMBERS[name])
    with pytest.warns(RuntimeWarning, match="depends on numbers|as text|needs the numbers"):
        by_numbers(captured, BY_NUMBERS[name])
    assert captured.found == eager.found
    assert not captured.was_captured


# -- captured, and the same --------------------------------------------------------------------------------------------


def an_output_that_is_given_by_its_place(case):
    weight, total, table = case.model.weight, np.zeros(3, np.float32), np.zeros((4, 4), np.float32)

    def after(a):
        np.clip(weight.data, -0.1, 0.1, weight.data)
        np.sum(a.data, 0, None, total)
        a.data.dot(a.data.T, table)

    step = case.step(lambda _: 1.0, after)
    for number in range(8):
        case.try_to(step, Tensor(ROWS + number))
        case.see(total, table)


def arguments_that_are_written_into(case):
    def score(_, b, c):
        b.mul_(3)
        c *= 2
        return b.mean() + c.sum()

    step = case.step(score)
    for _ in range(7):
        b, c = x(), ROWS.copy()
        case.try_to(step, x(), b, c)
        case.see(b, c)


def a_nested_argument_that_requires_gradients_later(case):
    step = case.step(lambda _, more: (more["b"] * more["b"]).mean())
    for number in range(8):
        b = x()
        b.requires_grad = number > 5
        case.try_to(step, x(), {"b": b})
        case.see(b.grad)


def another_order_of_bytes(case):
    step = case.step(lambda _: 1.0)
    for number in range(8):
        case.try_to(step, x(">f4" if number > 5 else "<f4"))


def errors_of_numpy_that_are_raised_for_a_while(case):
    step = case.step(lambda a: a.exp().mean())
    for _ in range(6):
        case.try_to(step, x())
    with np.errstate(over="raise"):
        case.try_to(step, Tensor(ROWS * 1e4))
    case.try_to(step, x())


def labels_that_another_view_changes(case):
    labels = np.array([0, 1, 0, 1])
    view, y, more = labels[:], minitorch.from_numpy(labels), np.zeros(4, int)
    model = case.model

    def score(a):
        view[...] = view + more
        return functional.cross_entropy(model(a), y)

    step = case.step(score)
    for number in range(8):
        more[0] = number > 5
        case.try_to(step, x())
        case.see(labels)


RIGHT = [
    an_output_that_is_given_by_its_place,
    arguments_that_are_written_into,
    a_nested_argument_that_requires_gradients_later,
    another_order_of_bytes,
    errors_of_numpy_that_are_raised_for_a_while,
]


@pytest.mark.parametrize("program", RIGHT, ids=lambda program: program.__name__)
@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.filterwarnings("ignore:this step is not captured.*requires gradients")
def test_a_replay_is_not_misled_by_calls(program):
    eager, captured = Case(False), Case(True)
    program(eager)
    program(captured)
    assert captured.found == eager.found
    assert captured.was_captured


# -- refused -----------------------------------------------------------------------------------------------------------


def a_log_that_is_given(case):
    def after(a, log):
        log["mean"] = a.mean()

    step = case.step(lambda *_: 1.0, after)
    for _ in range(6):
        log = {}
        case.try_to(step, x(), log)
        case.see(list(log))


def a_list_that_is_emptied(case):
    step = case.step(lambda _, more: more.pop().mean())
    for _ in range(6):
        more = [x()]
        case.try_to(step, x(), more)
        case.see(len(more))


def a_place_in_the_graph_for_an_argument(case):
    def score(a):
        a.requires_grad = True
        return (a * a).mean()

    step = case.step(score)
    for _ in range(6):
        a = x()
        case.try_to(step, a)
        case.see(a.grad)


def another_array_for_an_argument(case):
    def score(a):
        a.data = a.data * 2
        return a.mean()

    step = case.step(score)
    for _ in range(6):
        a = x()
        case.try_to(step, a)
        case.see(a)


def another_array_for_a_parameter(case):
    bias = case.model.bias

    def after(_):
        bias.data = bias.data * 0.5

    step = case.step(lambda _: 1.0, after)
    for _ in range(6):
        kept = bias.data
        case.try_to(step, x())
        case.see(kept)


def a_tensor_of_another_class(case):
    class Image(Tensor):
        def mean(self):
            return super().mean() * 3

    step = case.step(lambda a: a.mean())
    for _ in range(6):
        case.try_to(step, Image(ROWS))


def a_dict_of_another_class(case):
    step = case.step(lambda _, more: 1.0 + more["absent"])
    for _ in range(6):
        case.try_to(step, x(), collections.Counter(a=1))


def two_arguments_of_one_memory(case):
    model = case.model

    def score(a, b, y):
        b.add_(1)
        return functional.mse_loss(model(a), y)

    step = case.step(score)
    for number in range(8):
        memory = np.zeros((4, 2), np.float32)
        other = memory[:4] if number > 5 else memory.copy()
        case.try_to(step, x(), minitorch.from_numpy(memory), minitorch.from_numpy(other))


def errors_of_numpy_that_the_step_raises(case):
    def score(a):
        with np.errstate(over="raise"):
            return a.exp().mean()

    step = case.step(score)
    for number in range(8):
        case.try_to(step, Tensor(ROWS * (1e4 if number > 5 else 1)))


def bytes_that_are_written_before_a_refusal(case):
    read, write = os.pipe()

    def score(a):
        os.write(write, b"1")
        return a.mean().item()

    step = case.step(score)
    for _ in range(5):
        case.try_to(step, x())
    case.see(os.read(read, 100))
    os.close(read)
    os.close(write)


REFUSED = {
    labels_that_another_view_changes: "asks about numbers",
    a_log_that_is_given: "it changes a dict that it is given",
    a_list_that_is_emptied: "it changes a list that it is given",
    a_place_in_the_graph_for_an_argument: "it changes a Tensor that it is given",
    another_array_for_an_argument: "it changes a Tensor that it is given",
    another_array_for_a_parameter: "it puts another array into bias",
    a_tensor_of_another_class: "an argument is an Image",
    a_dict_of_another_class: "an argument is a Counter",
    two_arguments_of_one_memory: "shares its memory with another|of another kind",
    errors_of_numpy_that_the_step_raises: "NumPy is told to raise errors",
    bytes_that_are_written_before_a_refusal: "it calls posix.write",
}


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_a_replay_would_do_otherwise_is_refused(program):
    eager, captured = Case(False), Case(True)
    program(eager)
    with pytest.warns(RuntimeWarning, match=REFUSED[program]):
        program(captured)
    assert captured.found == eager.found
