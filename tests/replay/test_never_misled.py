"""What a step sees may come later, be hidden, or hang on something else: a replay is not misled by that.

Each program trains with a loss that a function scales; after the sixth step something changes that it sees. The losses
and the weights must not depend on whether the step is captured. One that is refused says why.
"""

from __future__ import annotations

import abc
import builtins
import functools
import operator
import sys
import types

import numpy as np
import pytest
from replay_outcome import Knobs, knobs, outcome

from minitorch import Tensor, nn
from minitorch.optim.lr_scheduler import LambdaLR

SETTINGS = types.ModuleType("settings_of_a_user.inner")
ONE = "_1"


# -- not there yet -----------------------------------------------------------------------------------------------------


def an_attribute_that_comes_later(case):
    k = knobs()
    case.train(lambda _: getattr(k, "scale", 1.0), lambda: setattr(k, "scale", 3.0))


def an_attribute_of_the_class_that_comes_later(case):
    class Own(Knobs):
        pass

    k = Own()
    case.train(lambda _: getattr(k, "scale", 1.0), lambda: setattr(Own, "scale", 3.0))


def an_attribute_whose_absence_is_caught(case):
    k = knobs()

    def scale(_):
        try:
            return k.scale
        except AttributeError:
            return 1.0

    case.train(scale, lambda: setattr(k, "scale", 3.0))


def a_slot_that_is_empty(case):
    class Slotted:
        __slots__ = ("scale",)

    k = Slotted()
    case.train(lambda _: getattr(k, "scale", 1.0), lambda: setattr(k, "scale", 3.0))


def a_global_that_comes_later(case):
    def scale(_):
        try:
            return LATER
        except NameError:
            return 1.0

    try:
        case.train(scale, lambda: globals().update(LATER=3.0))
    finally:
        globals().pop("LATER", None)


def a_builtin_that_is_replaced(case):
    before = builtins.abs
    try:
        case.train(lambda _: abs(-1.0), lambda: setattr(builtins, "abs", lambda _: 3.0))
    finally:
        builtins.abs = before


def a_variable_that_comes_later(case):
    def scale(_):
        try:
            return later
        except NameError:
            return 1.0

    def change():
        nonlocal later
        later = 3.0

    later = 0.0
    del later
    case.train(scale, change)


def a_variable_that_is_deleted(case):
    def scale(_):
        try:
            return there
        except NameError:
            return 3.0

    def change():
        nonlocal there
        del there

    there = 1.0
    case.train(scale, change)


def a_class_that_is_registered_later(case):
    class Large(abc.ABC):  # noqa: B024 (that it is abstract is the point)
        pass

    k = knobs()
    case.train(lambda _: 3.0 if isinstance(k, Large) else 1.0, lambda: Large.register(Knobs))


# -- named in another way ----------------------------------------------------------------------------------------------


def a_pattern(case):
    k = knobs(scale=1.0)

    def scale(_):
        match k:
            case Knobs(scale=found):
                return found

    case.train(scale, lambda: setattr(k, "scale", 3.0))


def a_pattern_by_place(case):
    class Pair:
        __match_args__ = ("scale", "other")

    k = Pair()
    vars(k).update(scale=1.0, other=2.0)

    def scale(_):
        match k:
            case Pair(found, _):
                return found

    case.train(scale, lambda: setattr(k, "scale", 3.0))


def a_field_of_a_text(case):
    k = knobs(scale=1.0)
    case.train(lambda _: float(f"{k.scale}"), lambda: setattr(k, "scale", 3.0))


def a_getter_of_a_made_name(case):
    k = knobs(scale_1=1.0)
    case.train(lambda _: operator.attrgetter("scale" + ONE)(k), lambda: setattr(k, "scale_1", 3.0))


def a_made_name_of_a_module(case):
    SETTINGS.scale_1 = 1.0
    case.train(lambda _: getattr(SETTINGS, "scale" + ONE), lambda: setattr(SETTINGS, "scale_1", 3.0))


def another_module_of_that_name(case):
    first, second = types.ModuleType("settings_of_a_user"), types.ModuleType("settings_of_a_user")
    first.scale, second.scale = 1.0, 3.0

    def scale(_):
        import settings_of_a_user

        return settings_of_a_user.scale

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "settings_of_a_user", first)
        case.train(scale, lambda: patch.setitem(sys.modules, "settings_of_a_user", second))


# -- hanging on something else -----------------------------------------------------------------------------------------


def attributes_of_containers(case):
    kinds = [
        type("Numbers", (list,), {})([1]),
        type("Table", (dict,), {})(a=1),
        type("Few", (set,), {})([1]),
        np.zeros(2).view(type("Field", (np.ndarray,), {})),
        type("Named", (Tensor,), {})([1.0]),
    ]
    for each in kinds:
        each.scale = 1.0
    one, two, three, four, five = kinds
    case.train(lambda _: one.scale * two.scale * three.scale * four.scale * five.scale)
    for each in kinds:
        each.scale = 1.5
        case.call(case.step, 4)


def values_of_a_dict(case):
    table = {"scale": 1.0}
    view = table.values()
    case.train(lambda _: sum(view), lambda: table.update(scale=3.0))


def another_dict_of_attributes(case):
    k = knobs(scale=1.0)
    case.train(lambda _: k.scale, lambda: setattr(k, "__dict__", {"scale": 3.0}))


def another_class_of_the_model(case):
    class Once(nn.Linear):
        def forward(self, x):
            return super().forward(x)

    class Thrice(nn.Linear):
        def forward(self, x):
            return super().forward(x) * 3

    case.__init__(case.is_captured, Once(3, 2))
    case.train(lambda _: 1.0, lambda: setattr(case.model, "__class__", Thrice))


def a_descriptor(case):
    class Setting:
        value = 1.0

        def __get__(self, _, kind=None):
            return self.value

    setting = Setting()
    k = type("Own", (), {"scale": setting})()
    case.train(lambda _: k.scale, lambda: setattr(setting, "value", 3.0))


def the_epoch_of_a_scheduler(case):
    scheduler = LambdaLR(case.optimizer, lambda _: 1.0)
    case.train(lambda _: 1.0 if scheduler.last_epoch < 2 else 3.0, lambda: [scheduler.step() for _ in range(3)])


def a_one_among_keys_that_becomes_true(case):
    table = {1: "a"}

    def change():
        table.clear()
        table[True] = "a"

    case.train(lambda _: 3.0 if max(table) is True else 1.0, change)


def a_zero_in_a_set_that_changes_its_sign(case):
    few = {0.0}

    def change():
        few.clear()
        few.add(-0.0)

    case.train(lambda _: 2.0 + float(np.copysign(1.0, max(few))), change)


def a_cache_that_is_cleared(case):
    k = knobs(scale=1.0)

    @functools.cache
    def scale():
        return k.scale

    case.train(lambda _: scale(), lambda: setattr(k, "scale", 3.0))
    scale.cache_clear()
    assert scale() == 3.0
    case.call(case.step, 4)


def a_tensor_that_a_cache_keeps(case):
    weights = functools.cache(lambda: Tensor([2.0]))
    case.train(lambda _: (weights() * 2).mean(), lambda: weights().data.fill(3.0))


def a_profile_that_runs(case):
    profile = lambda *_: None  # noqa: E731 (a function that does nothing)
    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        case.train(lambda _: 1.0)
        case.see(sys.getprofile() is profile)
    finally:
        sys.setprofile(before)


RIGHT = [
    an_attribute_that_comes_later,
    an_attribute_of_the_class_that_comes_later,
    an_attribute_whose_absence_is_caught,
    a_slot_that_is_empty,
    a_global_that_comes_later,
    a_builtin_that_is_replaced,
    a_variable_that_comes_later,
    a_variable_that_is_deleted,
    a_class_that_is_registered_later,
    a_pattern,
    a_pattern_by_place,
    a_field_of_a_text,
    a_getter_of_a_made_name,
    a_made_name_of_a_module,
    another_module_of_that_name,
    attributes_of_containers,
    values_of_a_dict,
    another_dict_of_attributes,
    another_class_of_the_model,
    a_descriptor,
    the_epoch_of_a_scheduler,
    a_one_among_keys_that_becomes_true,
    a_zero_in_a_set_that_changes_its_sign,
    a_cache_that_is_cleared,
    a_tensor_that_a_cache_keeps,
    a_profile_that_runs,
]


@pytest.mark.parametrize("program", RIGHT, ids=lambda program: program.__name__)
def test_a_replay_is_not_misled(program):
    eager = outcome(program, False)
    captured = outcome(program, True)
    assert captured.found == eager.found
    assert captured.was_captured
