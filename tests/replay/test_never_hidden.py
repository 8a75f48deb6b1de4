"""What a replay cannot look into, or what a step does to itself, is refused by name, and the step goes on eagerly."""

from __future__ import annotations

import contextvars
import ctypes
import decimal
import inspect
import random
import threading

import numpy as np
import pytest
from replay_outcome import outcome

from minitorch import optim

# -- hidden ------------------------------------------------------------------------------------------------------------


def a_record_of_a_table(case):
    record = np.array([(1.0,)], dtype=[("scale", float)])[0]
    case.train(lambda _: float(record["scale"]), lambda: record.__setitem__("scale", 3.0))


def a_number_of_c(case):
    number = ctypes.c_double(1.0)
    case.train(lambda _: number.value, lambda: setattr(number, "value", 3.0))


def a_variable_of_a_context(case):
    variable = contextvars.ContextVar("variable", default=1.0)
    case.train(lambda _: variable.get(), lambda: variable.set(3.0))


def the_precision_of_decimals(case):
    with decimal.localcontext():
        case.train(
            lambda _: float(decimal.Decimal(1) / decimal.Decimal(3)),
            lambda: setattr(decimal.getcontext(), "prec", 2),
        )


def _in_another_thread(case, scale):
    case.train(scale)
    thread = threading.Thread(target=case.call, args=(case.step, 4))
    thread.start()
    thread.join()


def what_a_thread_has_of_its_own(case):
    local = threading.local()
    local.scale = 1.0

    def scale(_):
        return getattr(local, "scale", 3.0)

    _in_another_thread(case, scale)


def which_thread_it_is(case):
    _in_another_thread(case, lambda _: 1.0 if threading.current_thread() is threading.main_thread() else 3.0)


def the_number_of_the_thread(case):
    this = threading.get_ident()
    _in_another_thread(case, lambda _: 1.0 if threading.get_ident() == this else 3.0)


def globals_by_a_made_name(case, one="_1"):
    globals()["SCALE_1"] = 1.0
    case.train(lambda _: globals()["SCALE" + one], lambda: globals().update(SCALE_1=3.0))


def a_variable_of_the_caller(case):
    def scale(_):
        frame = inspect.currentframe()
        while "factor" not in frame.f_locals:
            frame = frame.f_back
        return frame.f_locals["factor"]

    factor = 1.0
    case.train(scale)
    factor += 2.0
    case.call(case.step, 4)


def the_count_of_the_optimisers_steps(case):
    case.__init__(case.is_captured, make=lambda parameters: optim.Adam(parameters, lr=0.1))
    weight, optimizer = case.model.weight, case.optimizer
    case.train(lambda _: 3.0 if optimizer.state and optimizer.state[weight]["step"] > 8 else 1.0, after=8)


def a_generator_that_is_seeded_alike_in_each_step(case):
    def scale(_):
        random.seed(0)
        return random.random()

    before = random.getstate()
    case.train(scale)
    for _ in range(4):
        case.call(case.step, 1)
        case.see(random.random())
    random.setstate(before)


REFUSED = {
    a_record_of_a_table: "`record`, a void, which a replay cannot look into",
    a_number_of_c: "`number`, a c_double, which a replay cannot look into",
    a_variable_of_a_context: "it calls contextvars.get",
    the_precision_of_decimals: "`decimal.Decimal`, whose arithmetic depends on a context",
    what_a_thread_has_of_its_own: "`local`, a _local, which a replay cannot look into",
    which_thread_it_is: "it calls threading",
    the_number_of_the_thread: "it calls thread.get_ident",
    globals_by_a_made_name: "it calls builtins.globals",
    a_variable_of_the_caller: "it calls inspect.currentframe",
    the_count_of_the_optimisers_steps: "which each step of the optimiser changes",
    a_generator_that_is_seeded_alike_in_each_step: "draws from a random generator other than manual_seed",
}


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_cannot_be_seen_is_refused(program):
    eager = outcome(program, False)
    with pytest.warns(RuntimeWarning, match=REFUSED[program]) as warned:
        captured = outcome(program, True)
    assert captured.found == eager.found
    assert not captured.step.is_captured
    assert len(warned) == 1
