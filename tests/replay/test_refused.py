"""What a replay would not do is refused before it is done, and the step goes on eagerly; other uses of a step."""

from __future__ import annotations

import contextlib
import gc
import itertools
import logging
import os
import queue
import sys
import threading
import time
from contextvars import ContextVar
from pathlib import Path

import numpy as np
import pytest
from replay_case import Case, bits_of, cross

import minitorch
from minitorch import optim
from minitorch.replay import capture

# -- refused: eager, and the same --------------------------------------------------------------------------------------


def a_block_that_counts(wrap):
    class Counting:
        count = 0

        def __enter__(self):
            self.count += 1

        def __exit__(self, *_):
            return False

    block = Counting()

    def score(z, y):
        with block:
            return cross(z, y)

    case = Case()
    case.seen = lambda: block.count
    return case.run(wrap, score)


def an_attribute_of_the_function(wrap):
    def score(z, y):
        score.count += 1
        return cross(z, y)

    score.count = 0
    case = Case()
    case.seen = lambda: score.count
    return case.run(wrap, score)


def a_clock(wrap):
    start = time.monotonic() - 1e9
    return Case().run(wrap, lambda z, y: cross(z, y, 1.0 if time.monotonic() > start else 2.0))


def the_environment(wrap):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCALE_OF_A_TEST", "1.0")
        return Case().run(
            wrap,
            lambda z, y: cross(z, y, float(os.environ["SCALE_OF_A_TEST"])),
            change=lambda: patch.setenv("SCALE_OF_A_TEST", "2.0"),
        )


def a_file(wrap):
    def score(z, y):
        with contextlib.suppress(FileNotFoundError), Path("no such file").open():
            pass
        return cross(z, y)

    return Case().run(wrap, score)


def a_variable_of_the_context(wrap):
    scale = ContextVar("scale", default=1.0)
    return Case().run(wrap, lambda z, y: cross(z, y, scale.get()), change=lambda: scale.set(2.0))


def a_queue(wrap):
    results = queue.SimpleQueue()

    def score(z, y):
        results.put(1)
        return cross(z, y)

    case = Case()
    case.seen = results.qsize
    return case.run(wrap, score)


def a_log(wrap):
    written = []
    log = logging.getLogger("of a test")
    log.propagate = False
    log.addHandler(type("Kept", (logging.Handler,), {"emit": lambda _, record: written.append(record.msg)})())

    def score(z, y):
        log.warning("a step")
        return cross(z, y)

    case = Case()
    case.seen = lambda: len(written)
    return case.run(wrap, score)


def an_object_that_dies(wrap):
    died = []

    class Mortal:
        def __del__(self):
            died.append(1)

    def score(z, y):
        Mortal()
        return cross(z, y)

    case = Case()
    case.seen = lambda: len(died)
    return case.run(wrap, score)


def an_error_that_is_caught(wrap):
    def score(z, y):
        loss = cross(z, y)
        try:
            scale = 1.0 + loss.item()
        except:  # noqa: E722 (which hides even what is no Exception)
            scale = 1.0
        return loss * scale

    return Case().run(wrap, score)


def a_learning_rate_that_the_step_sets(wrap):
    case = Case()

    def score(z, y):
        case.optimizer.param_groups[0]["lr"] *= 0.9
        return cross(z, y)

    case.seen = lambda: case.optimizer.param_groups[0]["lr"]
    return case.run(wrap, score)


def a_default_dtype_that_the_step_sets(wrap):
    def score(z, y):
        kinds = {minitorch.float32: minitorch.float64, minitorch.float64: minitorch.float32}
        minitorch.set_default_dtype(kinds[minitorch.get_default_dtype()])
        return cross(z, y)

    try:
        return Case().run(wrap, score)
    finally:
        minitorch.set_default_dtype(minitorch.float32)


def an_argument_that_requires_gradients(wrap):
    case = Case()
    case.batches[0][0].requires_grad = True
    case.seen = lambda: bits_of(case.batches[0][0].grad)
    return case.run(wrap, cross)


def a_parameter_as_an_argument(wrap):
    case = Case()
    case.arguments = lambda _: (*case.batches[0], case.model[0].weight)
    return case.run(wrap, lambda z, y, weight: cross(z, y) + (weight * weight).mean())


def an_argument_that_is_changed_before_a_refusal(wrap):
    case = Case()

    def stepping(x, y):
        x.data *= 0.9
        case.optimizer.zero_grad()
        loss = cross(case.model(x), y)
        loss.backward()
        loss.item()
        case.optimizer.step()
        return loss

    case.step, case.seen = lambda _: stepping, lambda: case.batches[0][0].numpy().tobytes()
    return case.run(wrap, None)


def an_optimiser_that_capture_was_not_given(wrap):
    case = Case()
    other = optim.SGD(case.model.parameters(), lr=0.1)

    def score(z, y):
        other.zero_grad()
        return cross(z, y)

    return case.run(wrap, score)


def another_number_in_each_call(wrap):
    case, numbers = Case(), itertools.count()
    case.arguments = lambda _: (*case.batches[0], float(next(numbers)))
    return case.run(wrap, cross, count=50)


REFUSED = {
    a_block_that_counts: "it changes `block.count`",
    an_attribute_of_the_function: "it changes `score",
    a_clock: "it calls time.monotonic",
    the_environment: "it sees `os.environ`, which others may change",
    a_file: "it calls pathlib",
    a_variable_of_the_context: "it calls contextvars.get",
    a_queue: "`results`, a SimpleQueue, which a replay cannot look into",
    a_log: "this step is not captured",
    an_object_that_dies: "it changes `died`",
    an_error_that_is_caught: "it turns a number in an array into a Python number",
    a_learning_rate_that_the_step_sets: "it changes .*lr",
    a_default_dtype_that_the_step_sets: "it changes a setting, such as the default dtype",
    an_argument_that_requires_gradients: "an argument requires gradients",
    a_parameter_as_an_argument: "an argument requires gradients",
    an_argument_that_is_changed_before_a_refusal: "into a Python number",
    an_optimiser_that_capture_was_not_given: "`other` is not among those that capture was given",
    another_number_in_each_call: "its arguments are of another kind in each call",
}


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_a_replay_would_not_do_is_refused_before_it_is_done(program):
    eager, _ = program(lambda function, *_: function)
    with pytest.warns(RuntimeWarning, match=REFUSED[program]) as warned:
        replayed, step = program(capture)
    assert replayed == eager
    assert not step.is_captured
    assert len(warned) == 1


# -- other uses --------------------------------------------------------------------------------------------------------


def test_results_are_constants_from_the_first_call_on():
    case = Case()
    step = capture(case.step(cross), case.model, case.optimizer)
    assert [step(*case.batches[0]).requires_grad for _ in range(5)] == [False] * 5


def test_two_threads_do_not_write_into_one_programs_memory():
    case = Case(make=lambda parameters: optim.SGD(parameters, lr=0.0))
    step = capture(case.step(cross), case.model, case.optimizer)
    for _ in range(4):
        step(*case.batches[0])
    found = {0: set(), 1: set()}

    def train(which):
        for _ in range(100):
            found[which].add(step(*case.batches[which]).item())

    threads = [threading.Thread(target=train, args=(which,)) for which in found]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [len(each) for each in found.values()] == [1, 1]
    assert found[0] != found[1]


def test_a_program_outlasts_steps_without_gradients():
    case = Case()
    step = capture(lambda x, y: cross(case.model(x), y), case.model, case.optimizer)
    for x, y in [case.batches[0]] * 4:
        case.optimizer.zero_grad()
        cross(case.model(x), y).backward()
        case.optimizer.step()
        step(x, y)
    assert step.is_captured
    with minitorch.no_grad():
        step(*case.batches[0])
    assert step.is_captured


@pytest.mark.parametrize("copied", ["copy.copy", "copy.deepcopy", "pickle.dumps"])
def test_a_captured_step_is_not_copied(copied):
    case = Case()
    step = capture(case.step(cross), case.model, case.optimizer)
    module, name = copied.split(".")
    with pytest.raises(TypeError, match="would train the same model"):
        getattr(__import__(module), name)(step)


def test_an_error_of_the_step_leaves_no_stand_ins_behind():
    case, kept = Case(), []

    def train(x, y):
        case.optimizer.zero_grad()
        kept.append(cross(case.model(x), y))
        raise ValueError("no")

    case.run(lambda function, *_: function, cross, count=1)
    step = capture(train, case.model, case.optimizer)
    for _ in range(3):
        with pytest.raises(ValueError, match="no"):
            step(*case.batches[0])
    assert [type(each.data) for each in kept] == [np.ndarray] * 3


def test_what_the_collector_calls_is_none_of_the_steps(monkeypatch):
    case, complaints = Case(), []

    def tell(phase, _):
        time.perf_counter()

    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    thresholds = gc.get_threshold()
    gc.callbacks.append(tell)
    gc.set_threshold(1)
    try:
        _, step = case.run(capture, cross, count=4)
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(tell)
    assert step.source
    assert not complaints
    assert gc.isenabled()


def test_what_a_step_was_seen_with_does_not_pile_up():
    case, numbers = Case(), itertools.count()
    step = capture(case.step(cross), case.model, case.optimizer)
    with pytest.warns(RuntimeWarning, match="of another kind in each call"):
        assert [step(*case.batches[0], float(next(numbers))) for _ in range(60)]
    assert len(step._seen) + len(step._known) + len(step._refused) < 10
