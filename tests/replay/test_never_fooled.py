"""Programs that try to make a replay lie: about numbers, gradients, or something around the step.

Each program makes a step and something that happens between two calls; the bits of twenty steps, of what they leave,
and of what they see around them must not depend on whether the step is captured. A program that is refused says why.
"""

from __future__ import annotations

import functools
import operator
import types
import warnings
from array import array
from collections import ChainMap, UserDict, namedtuple

import numpy as np
import pytest
from replay_case import Case, bits_of, cross

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture

CONFIG = types.ModuleType("configuration_of_a_user")
CONFIG.scale = 1.0


# -- right: captured, and the same -------------------------------------------------------------------------------------


def a_name_that_is_a_variable(wrap):
    settings, name = types.SimpleNamespace(scale_of_all=1.0), "scale_of" + "_all"
    return Case().run(
        wrap, lambda z, y: cross(z, y, getattr(settings, name)), change=lambda: setattr(settings, name, 3.0)
    )


def all_values_of_an_object(wrap):
    settings = types.SimpleNamespace(one=1.0, two=2.0)
    return Case().run(
        wrap, lambda z, y: cross(z, y, sum(vars(settings).values())), change=lambda: setattr(settings, "two", 3.0)
    )


def defaults_that_are_replaced(wrap):
    def score(z, y, scale=1.0, *, power=2.0):
        return cross(z, y, scale) * power

    def change():
        score.__defaults__ = (0.5,)
        score.__kwdefaults__["power"] = 3.0

    return Case().run(wrap, score, change=change)


def code_that_is_replaced(wrap):
    def score(z, y):
        return cross(z, y)

    def other(z, y):
        return cross(z * 2, y)

    return Case().run(wrap, score, change=lambda: setattr(score, "__code__", other.__code__))


def keywords_of_a_partial(wrap):
    score = functools.partial(functional.cross_entropy, label_smoothing=0.0)
    return Case().run(wrap, score, change=lambda: score.keywords.update(label_smoothing=0.2))


def an_array_that_is_written_to(wrap):
    weights = np.ones(3, np.float32)
    case = Case()
    case.between = lambda _: weights.__imul__(1.1)
    return case.run(wrap, lambda z, y: cross(z * Tensor(weights), y))


def an_array_in_a_tuple(wrap):
    pair = (np.ones(3, np.float32), 2.0)
    return Case().run(wrap, lambda z, y: cross(z * Tensor(pair[0]), y), change=lambda: pair[0].__imul__(3))


def a_number_of_a_structured_array(wrap):
    table = np.ones(2, dtype=[("scale", np.float32)])
    return Case().run(
        wrap, lambda z, y: cross(z, y, float(table["scale"][0])), change=lambda: table["scale"].__imul__(3)
    )


def an_array_that_the_step_writes_to(wrap):
    history = np.zeros(4, np.float32)

    def score(z, y):
        loss = cross(z, y)
        history[:-1] = history[1:]
        history[-1:] = loss.detach().data
        return loss

    case = Case()
    case.seen = history.tobytes
    return case.run(wrap, score)


def an_array_that_counts(wrap):
    counts = np.zeros(3, np.int64)

    def score(z, y):
        np.add(counts, 1, out=counts)
        return cross(z, y)

    case = Case()
    case.seen = counts.tobytes
    return case.run(wrap, score)


def a_moving_average_in_place(wrap):
    case = Case()
    shadow = [each.detach().clone() for each in case.model.parameters()]

    def score(z, y):
        with minitorch.no_grad():
            for mean, parameter in zip(shadow, case.model.parameters(), strict=True):
                mean *= 0.9
                mean += parameter * 0.1
        return cross(z, y)

    case.seen = lambda: [each.numpy().tobytes() for each in shadow]
    return case.run(wrap, score)


def a_tensor_that_is_computed_with(wrap):
    scale = Tensor([1.0, 2.0, 3.0])
    return Case().run(
        wrap, lambda z, y: cross(z * (scale * 2 + scale.mean()), y), change=lambda: scale.data.__setitem__(0, 5.0)
    )


def a_setting_of_an_object_whose_class_has_it_too(wrap):
    class Settings:
        scale = 1.0

    settings = Settings()
    return Case().run(wrap, lambda z, y: cross(z, y, settings.scale), change=lambda: setattr(settings, "scale", 2.0))


def a_class_that_gets_what_it_inherited(wrap):
    class Base:
        scale = 1.0

    class Settings(Base):
        pass

    settings = Settings()
    return Case().run(wrap, lambda z, y: cross(z, y, settings.scale), change=lambda: setattr(Settings, "scale", 2.0))


def another_class(wrap):
    class One:
        def scale(self):
            return 1.0

    class Two:
        def scale(self):
            return 2.0

    settings = One()
    return Case().run(
        wrap, lambda z, y: cross(z, y, settings.scale()), change=lambda: setattr(settings, "__class__", Two)
    )


def a_property_of_a_metaclass(wrap):
    class Kind(type):
        @property
        def scale(cls):
            return cls.hidden

    class Settings(metaclass=Kind):
        hidden = 1.0

    return Case().run(wrap, lambda z, y: cross(z, y, Settings.scale), change=lambda: setattr(Settings, "hidden", 2.0))


def attributes_by_magic(wrap):
    class Settings:
        def __init__(self):
            self.__dict__["store"] = {"scale": 1.0}

        def __getattr__(self, name):
            return self.store[name]

    settings = Settings()
    return Case().run(wrap, lambda z, y: cross(z, y, settings.scale), change=lambda: settings.store.update(scale=2.0))


def a_number_with_an_attribute(wrap):
    class Number(float):
        pass

    number = Number(1.0)
    number.scale = 1.0
    return Case().run(wrap, lambda z, y: cross(z, y, number.scale), change=lambda: setattr(number, "scale", 2.0))


def getters(wrap):
    settings, table = types.SimpleNamespace(scale=1.0), {"power": 1.0}
    scale, power = operator.attrgetter("scale"), operator.itemgetter("power")

    def change():
        settings.scale = 2.0
        table["power"] = 3.0

    return Case().run(wrap, lambda z, y: cross(z, y, scale(settings) * power(table)), change=change)


def containers_of_other_kinds(wrap):
    numbers, few, view = bytearray([1, 2]), {1.0, 2.0}, {"scale": 1.0}
    others = array("d", [1.0]), types.MappingProxyType(view), ChainMap({}, view), UserDict(scale=1.0)
    case = Case()

    def score(z, y):
        more = others[0][0] * others[1]["scale"] * others[2]["scale"] * others[3]["scale"]
        return cross(z, y, numbers[0] * sum(few) * more)

    def between(number):
        if number == 6:
            numbers[0] = 2
        if number == 9:
            few.remove(1.0)
            few.add(5.0)
        if number == 12:
            view["scale"] = 0.5
        if number == 15:
            others[0][0] = others[3]["scale"] = 0.5

    case.between = between
    return case.run(wrap, score)


def the_order_of_a_dict(wrap):
    weights = {"one": 1.0, "two": 2.0}
    return Case().run(
        wrap,
        lambda z, y: cross(z, y, next(iter(weights.values()))),
        change=lambda: weights.update(one=weights.pop("one")),
    )


def a_module_of_settings(wrap):
    CONFIG.scale = 1.0
    return Case().run(wrap, lambda z, y: cross(z, y, CONFIG.scale), change=lambda: setattr(CONFIG, "scale", 2.0))


def a_function_of_the_package_that_is_replaced(wrap):
    with pytest.MonkeyPatch.context() as patch:
        return Case().run(
            wrap,
            lambda z, y: functional.cross_entropy(functional.relu(z), y),
            change=lambda: patch.setattr(functional, "relu", minitorch.tanh),
        )


def a_zero_that_changes_its_sign(wrap):
    settings = types.SimpleNamespace(zero=0.0)
    return Case().run(
        wrap,
        lambda z, y: cross(z, y, float(np.copysign(1.0, settings.zero))),
        change=lambda: setattr(settings, "zero", -0.0),
    )


def an_object_as_an_argument(wrap):
    settings = types.SimpleNamespace(scale=1.0)
    case = Case()
    case.arguments = lambda _: (*case.batches[0], settings)
    return case.run(wrap, lambda z, y, given: cross(z, y, given.scale), change=lambda: setattr(settings, "scale", 2.0))


def a_function_as_an_argument(wrap):
    scales = [1.0]
    case = Case()

    def made(loss):
        return loss * scales[0]

    case.arguments = lambda _: (*case.batches[0], made)
    return case.run(wrap, lambda z, y, given: given(cross(z, y)), change=lambda: scales.__setitem__(0, 2.0))


def a_cache(wrap):
    scales = [1.0]

    @functools.lru_cache
    def scale(_):
        return scales[0]

    def change():
        scales[0] = 2.0
        scale.cache_clear()

    return Case().run(wrap, lambda z, y: cross(z, y, scale(len(y))), change=change)


def the_same_array_twice(wrap):
    minitorch.manual_seed(0)
    case = Case(nn.Sequential(nn.Linear(5, 5)), lambda parameters: optim.SGD(parameters, lr=0.1))
    x, other = case.batches[0][0], case.batches[1][0]
    case.arguments = lambda number: (x, x) if number < 6 else (x, other) if number < 12 else (other, other)
    case.step = lambda _: stepping

    def stepping(x, y):
        case.optimizer.zero_grad()
        loss = functional.mse_loss(case.model(x), y) * (2.0 if x is y else 1.0)
        loss.backward()
        case.optimizer.step()
        return loss

    return case.run(wrap, None)


def the_learning_rate_as_a_number(wrap):
    case = Case()
    group = case.optimizer.param_groups[0]
    return case.run(
        wrap,
        lambda z, y: cross(z, y, case.optimizer.param_groups[0]["lr"]),
        change=lambda: group.update(lr=0.5),
    )


def gradients_kept_by_several_programs(wrap):
    case, kept = Case(), []
    case.arguments = lambda number: case.batches[(0, 0, 2, 3, 0, 2)[number % 6]]
    case.seen = lambda: [kept.append(case.model[0].weight.grad), [bits_of(each) for each in kept]]
    return case.run(wrap, cross, count=40)


def a_state_that_the_caller_holds(wrap):
    case, kept = Case(), []

    def between(number):
        if number == 1:
            kept.append(case.optimizer.state[case.model[0].weight]["exp_avg"])

    case.between, case.seen = between, lambda: [each.tobytes() for each in kept]
    return case.run(wrap, cross)


def a_tuple_with_names(wrap):
    pair = namedtuple("pair", "z y")
    return Case().run(wrap, lambda z, y: cross(*pair(z, y)))


def numbers_drawn_from_a_table(wrap):
    random = np.random.default_rng(0)
    table, classes = Tensor(random.standard_normal((50, 5)).astype(np.float32)), Tensor(random.integers(0, 3, 50))
    case = Case()
    chosen = [Tensor(random.integers(0, 50, 8)) for _ in range(20)]
    case.arguments = lambda number: (chosen[number], None)
    case.step = lambda _: stepping

    def stepping(rows, _):
        case.optimizer.zero_grad()
        loss = functional.cross_entropy(case.model(table[rows]), classes[rows])
        loss.backward()
        case.optimizer.step()
        return loss

    return case.run(wrap, None, change=lambda: table.data.__imul__(2))


RIGHT = [
    a_name_that_is_a_variable,
    all_values_of_an_object,
    defaults_that_are_replaced,
    code_that_is_replaced,
    keywords_of_a_partial,
    an_array_that_is_written_to,
    an_array_in_a_tuple,
    a_number_of_a_structured_array,
    an_array_that_the_step_writes_to,
    an_array_that_counts,
    a_moving_average_in_place,
    a_tensor_that_is_computed_with,
    a_setting_of_an_object_whose_class_has_it_too,
    a_class_that_gets_what_it_inherited,
    another_class,
    a_property_of_a_metaclass,
    attributes_by_magic,
    a_number_with_an_attribute,
    getters,
    containers_of_other_kinds,
    the_order_of_a_dict,
    a_module_of_settings,
    a_function_of_the_package_that_is_replaced,
    a_zero_that_changes_its_sign,
    an_object_as_an_argument,
    a_function_as_an_argument,
    a_cache,
    the_same_array_twice,
    the_learning_rate_as_a_number,
    gradients_kept_by_several_programs,
    a_state_that_the_caller_holds,
    a_tuple_with_names,
    numbers_drawn_from_a_table,
]


@pytest.mark.parametrize("program", RIGHT, ids=lambda program: program.__name__)
def test_a_replay_is_not_fooled(program):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eager, _ = program(lambda function, *_: function)
        replayed, step = program(capture)
    assert replayed == eager
    assert step.is_captured
