"""What made a replay do something else than its step: whose method it is, which object it is, what else it did.

Attributes over those of a class, an argument that is the very Tensor around the step, keys that are equal and not the
same; versions of what is changed in place; and what a step that is refused had drawn, printed or put elsewhere.
"""

from __future__ import annotations

import dataclasses
import functools
import tempfile
import warnings
from collections import OrderedDict, defaultdict
from pathlib import Path

import numpy as np
import pytest
from replay_outcome import batch, knobs, outcome

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional

# -- captured, and told apart ------------------------------------------------------------------------------------------


class Trainer:
    """A user's, with a setting of its class and a method that reads it."""

    beta = 0.5

    def __init__(self, case):
        self.model, self.optimizer = case.model, case.optimizer

    def factor(self):
        return self.beta * getattr(self, "late", 1.0)

    def step(self, x):
        self.optimizer.zero_grad()
        loss = (self.model(x) ** 2).mean() * self.factor()
        loss.backward()
        self.optimizer.step()
        return loss

    __call__ = step


class Doubled(Trainer):
    def factor(self):
        return 2.0


def _owned(change, wrapped=lambda trainer: trainer.step):
    def program(case):
        trainer = Trainer(case)
        step = case.wrap(wrapped(trainer))
        case.call(step, 6)
        case.was_captured = getattr(step, "is_captured", False)
        change(trainer)
        case.call(step, 6)

    return program


an_attribute_over_that_of_the_class = _owned(lambda trainer: setattr(trainer, "beta", 0.25))
an_attribute_that_comes_late = _owned(lambda trainer: setattr(trainer, "late", 0.25))
a_method_over_that_of_the_class = _owned(lambda trainer: setattr(trainer, "factor", lambda: 3.0))
another_class = _owned(lambda trainer: setattr(trainer, "__class__", Doubled))
an_object_that_is_called = _owned(lambda trainer: setattr(trainer, "beta", 0.25), lambda trainer: trainer)


def what_the_class_has_beside_the_object(case):
    kind = type("Config", (), {"scale": 1.0})
    config = kind()
    config.scale = 5.0
    case.train(lambda _: type(config).scale, lambda: setattr(kind, "scale", 3.0))


def an_attribute_of_the_optimiser(case):
    case.optimizer.scale = 1.0
    case.train(lambda _: case.optimizer.scale, lambda: setattr(case.optimizer, "scale", 3.0))


def an_attribute_of_the_captured_step(case):
    model, optimizer, steps = case.model, case.optimizer, []

    def step(x):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean() * steps[0].scale
        loss.backward()
        optimizer.step()
        return loss

    steps.append(case.wrap(step))
    steps[0].scale = 1.0
    case.call(steps[0], 6)
    case.was_captured = getattr(case.step, "is_captured", False)
    steps[0].scale = 3.0
    case.call(steps[0], 6)


def an_attribute_of_a_partial(case):
    made = functools.partial(float, 2)
    made.scale = 1.0
    case.train(lambda _: made.scale, lambda: setattr(made, "scale", 3.0))


def a_step_of_the_optimiser_that_is_replaced(case):
    case.train(lambda _: 1.0, lambda: setattr(case.optimizer, "step", lambda: None))


def another_class_of_a_layer(case):
    case.model = nn.Sequential(nn.Linear(3, 2), nn.Tanh())
    case.optimizer = optim.SGD(case.model.parameters(), lr=0.1)
    case.train(lambda _: 1.0, lambda: setattr(case.model[1], "__class__", nn.ReLU))


def the_very_tensor_around_the_step(case):
    hard = batch(2.0)
    case.train(lambda x: 10.0 if x is hard else 1.0)
    case.see(*[case.step(each) for each in (hard, batch(), hard, batch(3.0), hard, hard)])


def a_tensor_among_others(case):
    weights = {batch(2.0): 10.0}
    (hard,) = weights
    case.train(lambda x: weights.get(x, 1.0))
    case.see(*[case.step(each) for each in (hard, batch(), hard, hard, hard)])


def _of_settings(*settings):
    def program(case):
        model, optimizer = case.model, case.optimizer

        def step(x, options):
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean() * (2.0 if str(options).startswith(str(settings[0])[:4]) else 1.0)
            loss.backward()
            optimizer.step()
            return loss

        run = case.wrap(step)
        for each in settings:
            case.see(*[run(batch(), each) for _ in range(5)])
        case.was_captured = getattr(run, "is_captured", False)

    return program


keys_that_are_equal = _of_settings({1: 2.0}, {True: 2.0}, {1.0: 2.0})
zeros_of_two_signs = _of_settings({0.0: 2.0}, {-0.0: 2.0})
dicts_of_two_classes = _of_settings({"a": 1.0}, OrderedDict(a=1.0), defaultdict(float, a=1.0))


def a_count_of_one_parameter(case):
    case.optimizer = optim.Adam(case.model.parameters(), lr=0.1)
    case.train(lambda _: 1.0, lambda: case.optimizer.state[case.model.bias].update(step=0))


def a_state_that_is_emptied(case):
    case.train(lambda _: 1.0, lambda: case.optimizer.state.clear())
    case.found.append(case.optimizer.state_dict()["state"])


def _pending(change):
    """A graph that was there before a call, and goes back after it."""

    def program(case):
        weights = Tensor([1.0, 2.0])
        case.train(lambda _: change(weights) or 1.0)
        pending = (case.model(batch()) * weights).sum()
        case.step(batch())
        try:
            pending.backward()
        except RuntimeError as error:
            case.found.append(str(error))

    return program


def _halves(weights):
    weights.mul_(0.5)


def _halves_its_data(weights):
    weights.data *= 0.5


what_is_changed_in_place = _pending(_halves)
what_is_changed_in_its_data = _pending(_halves_its_data)


def an_argument_that_is_changed_in_place(case):
    case.call(case.wrap_plain(after=lambda x: x.mul_(0.5)), 6)
    case.was_captured = getattr(case.step, "is_captured", False)
    kept = batch()
    pending = (case.model(kept) * Tensor([1.0, 2.0])).sum()
    case.step(kept)
    with pytest.raises(RuntimeError, match="mul_ has changed in place") as told:
        pending.backward()
    case.found.append(str(told.value))


def a_captured_step_as_a_method(case):
    case.optimizer.scale = 1.0

    def step(self, x):
        case.optimizer.zero_grad()
        loss = (case.model(x) ** 2).mean() * self.scale
        loss.backward()
        case.optimizer.step()
        return loss

    owner = type("Owner", (), {"step": case.wrap(step)})()
    owner.scale = 1.0
    case.call(owner.step, 6)
    case.was_captured = getattr(case.step, "is_captured", False)
    owner.scale = 0.5
    case.call(owner.step, 6)


CAPTURED = [
    an_attribute_over_that_of_the_class,
    an_attribute_that_comes_late,
    a_method_over_that_of_the_class,
    another_class,
    an_object_that_is_called,
    what_the_class_has_beside_the_object,
    an_attribute_of_the_optimiser,
    an_attribute_of_the_captured_step,
    an_attribute_of_a_partial,
    a_step_of_the_optimiser_that_is_replaced,
    another_class_of_a_layer,
    keys_that_are_equal,
    zeros_of_two_signs,
    a_count_of_one_parameter,
    a_state_that_is_emptied,
    what_is_changed_in_place,
    what_is_changed_in_its_data,
    an_argument_that_is_changed_in_place,
    a_captured_step_as_a_method,
]


def _called(program):
    return next(name for name, value in globals().items() if value is program)


FOR_SOME_ARGUMENTS = [the_very_tensor_around_the_step, a_tensor_among_others, dicts_of_two_classes]


@pytest.mark.parametrize("number", range(len(CAPTURED)), ids=lambda number: _called(CAPTURED[number]))
def test_a_captured_step_does_what_the_step_does(number):
    eager, captured = outcome(CAPTURED[number], False), outcome(CAPTURED[number], True)
    assert captured.found == eager.found
    assert captured.was_captured


@pytest.mark.parametrize("program", FOR_SOME_ARGUMENTS, ids=_called)
def test_what_is_captured_for_some_arguments_is_not_replayed_for_others(program):
    eager = outcome(program, False)
    with pytest.warns(RuntimeWarning, match="for such arguments"):
        captured = outcome(program, True)
    assert captured.found == eager.found
    assert captured.was_captured


# -- refused, and nothing of it left -----------------------------------------------------------------------------------


@dataclasses.dataclass
class Metrics:
    loss: Tensor


def _returning(what):
    """A step with a dropout, which what it returns keeps from being captured."""

    def program(case):
        model, optimizer = case.model, case.optimizer

        def step(x):
            optimizer.zero_grad()
            loss = (functional.dropout(model(x), 0.5) ** 2).mean()
            loss.backward()
            optimizer.step()
            return what(loss)

        run = case.wrap(step)
        for _ in range(6):
            run(batch())
            case.see(*case.model.parameters())
        case.see(minitorch.rand(3))

    return program


a_dataclass = _returning(Metrics)
a_new_tensor = _returning(lambda loss: (loss, Tensor([2.0])))
an_array = _returning(lambda loss: (loss, np.arange(3)))


def a_print_before_it_is_refused(case):
    run = case.wrap_plain(lambda loss: loss.item(), lambda _: print("a step"))
    case.see(*[run(batch()) for _ in range(6)])


def a_warning_of_the_library(case):
    target = Tensor(np.ones((4,), np.float32))

    def scale(x):
        return functional.mse_loss(x[:, :1], target).detach()

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning)
        case.train(scale)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=UserWarning)
        try:
            case.step(batch())
        except UserWarning as told:
            case.found.append(str(told))


def a_file_that_numpy_writes(case):
    saved = []

    class File:
        def write(self, values):
            saved.append(len(values))

    where = File()

    def scale(x):
        np.save(where, x.numpy())
        return 1.0

    case.train(scale)
    case.found.append(len(saved))


def a_file_that_minitorch_reads(case):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "factor.npz"
        minitorch.save({"factor": Tensor([1.0])}, path)
        case.train(
            lambda _: minitorch.load(path)["factor"].mean(),
            lambda: minitorch.save({"factor": Tensor([3.0])}, path),
        )


def a_memoryview(case):
    numbers = np.array([1.0, 2.0])
    view = memoryview(numbers)
    case.train(lambda _: view[0], lambda: numbers.__setitem__(0, 3.0))


def a_count_of_the_class(case):
    kind = type("Counter", (), {"count": 0})
    owner = kind()

    def scale(_):
        type(owner).count += 1
        return 1.0

    case.train(scale)
    case.found.append(kind.count)


def _changing(values, change):
    def program(case):
        kept = values()
        case.train(lambda _: change(kept) or 1.0)
        case.found.append(repr(kept))

    return program


an_array_of_texts = _changing(
    lambda: np.array(["aa", "bb", "cc"]), lambda kept: kept.__setitem__(..., np.roll(kept, 1))
)
a_table = _changing(
    lambda: np.zeros(2, dtype=[("scale", float)]), lambda kept: kept["scale"].__iadd__(1.0) is None or None
)
a_masked_array = _changing(
    lambda: np.ma.array([1.0, 2.0], mask=[0, 1]), lambda kept: kept.__iadd__(1.0) is None or None
)
an_array_in_a_tuple = _changing(lambda: (np.zeros(2),), lambda kept: kept[0].__iadd__(1.0) is None or None)


def what_a_class_is_derived_from(case):
    one, other = (type("One", (), {}), type("Other", (), {}))
    kind = type("Kind", (one,), {})

    def scale(_):
        kind.__bases__ = (other if kind.__bases__[0] is one else one,)
        return 1.0

    case.train(scale)
    case.found.append(kind.__bases__[0].__name__)


def a_state_that_is_loaded_in_the_step(case):
    empty = case.optimizer.state_dict()
    case.optimizer = optim.SGD(case.model.parameters(), lr=0.1, momentum=0.9)
    empty = case.optimizer.state_dict()
    case.train(lambda _: case.optimizer.load_state_dict(empty) or 1.0)


def a_result_that_is_kept(case):
    kept = knobs(last=None)

    def scale(x):
        kept.last = case.model(x)
        return 1.0

    case.train(scale, after=40)


REFUSED = {
    "a_dataclass": (a_dataclass, "it returns a Metrics"),
    "a_new_tensor": (a_new_tensor, "returns a Tensor that hangs on nothing"),
    "an_array": (an_array, "it returns an ndarray"),
    "a_print_before_it_is_refused": (a_print_before_it_is_refused, "item"),
    "a_warning_of_the_library": (a_warning_of_the_library, r"it warns \(.*by_owners\.py:\d+\).*mend what the"),
    "a_file_that_numpy_writes": (a_file_that_numpy_writes, "it calls numpy"),
    "a_file_that_minitorch_reads": (a_file_that_minitorch_reads, "it calls minitorch.serialization.load"),
    "a_memoryview": (a_memoryview, "`view`, a memoryview, whose memory no trace can follow"),
    "a_count_of_the_class": (a_count_of_the_class, "count` around it"),
    "an_array_of_texts": (an_array_of_texts, "it changes `kept` around it"),
    "a_table": (a_table, "it changes `kept` around it"),
    "a_masked_array": (a_masked_array, "it changes `kept` around it"),
    "an_array_in_a_tuple": (an_array_in_a_tuple, r"it changes `kept\[0\]` around it"),
    "what_a_class_is_derived_from": (what_a_class_is_derived_from, "around it, which a replay would not"),
    "a_state_that_is_loaded_in_the_step": (a_state_that_is_loaded_in_the_step, "it loads a state into its optimiser"),
    "a_result_that_is_kept": (a_result_that_is_kept, "`kept.last`"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_step_that_is_refused_leaves_what_the_step_leaves(name, capsys):
    program, why = REFUSED[name]
    eager = outcome(program, False)
    printed = capsys.readouterr().out
    with pytest.warns(RuntimeWarning, match=why):
        captured = outcome(program, True)
    assert captured.found == eager.found
    assert capsys.readouterr().out == printed


def test_what_a_step_prints_is_printed_once_in_each_call_that_is_no_replay(capsys):
    printed = []

    def program(case):
        run = case.wrap_plain(after=lambda _: print("a step"))
        for _ in range(12):
            run(batch())
            printed.append(capsys.readouterr().out)
        case.was_captured = run.is_captured

    assert outcome(program, True).was_captured
    assert printed[:3] == ["a step\n"] * 3  # as it stands, and twice while it is written down
    assert set(printed) == {"a step\n", ""}
    assert printed[-1] == ""


def test_another_threads_prints_go_through(capsys):
    import threading

    def program(case):
        def scale(_):
            thread = threading.Thread(target=print, args=("another",))
            thread.start()
            thread.join()
            return 1.0

        case.train(scale)

    with pytest.warns(RuntimeWarning, match="threading"):
        outcome(program, True)
    assert capsys.readouterr().out == "another\n" * 10
