"""What a driver's process makes of an answer, whatever stands in it: a value, or the end of the talk."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import random
import types

import numpy as np
import pytest

from minitorch.course.sandbox import wire
from minitorch.course.sandbox.remote.link import Link, Over, Unsendable
from minitorch.course.sandbox.remote.space import Space

HONEST = [
    {"m": "return", "v": 3.5},
    {"m": "return", "v": ["#", 3], "new": [[3, "l", [1, ["#", 5]]], [5, "t", [None, "x"]]]},
    {"m": "return", "v": ["#", 3], "new": [[3, "d", ["a", "b"], [1, ["c", 1.0, 2.0]]]]},
    {"m": "return", "v": ["#", 3], "new": [[3, "a", "<f8", [2], [0], True, 16], [5, "v", "<f8", [1], 3, 8, [8], True]]},
    {"m": "return", "v": ["#", 5], "new": [[3, "K", "V", "V", "m", ["__add__"], []], [5, "h", ["#", 3]]]},
    {"m": "raise", "v": ["#", 3], "new": [[3, "x", ["p", "ValueError"], ["t"], "no"]], "at": [[3, "f"]]},
    {"m": "call", "f": 8, "n": "", "a": [1], "k": {"b": 2}},
    {"m": "return", "v": ["s", 1, None, 2], "errors": {"divide": "warn", "over": "warn", "under": "ignore"}},
    {"m": "unsendable", "text": "too much"},
]
ODD = [None, True, -1, 0, 3, 5, 1 << 70, 1.5, "", "a", "<f8", [], [[]], {}, ["#", 3], ["p", "eval"], ["t"], "\ud800"]


def talk(answer, body=b""):
    """A link whose child says this, and then nothing more."""
    stream = io.BytesIO(wire.frame({"id": 1, **answer}, body))
    return Link(io.BytesIO(), stream, "file.py")


def places(tree, path=()):
    """The paths of all that stands in an answer."""
    yield path
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, each in inner:
        yield from places(each, (*path, key))


@pytest.mark.parametrize("number", range(len(HONEST)))
def test_an_answer_with_something_odd_in_it_ends_the_talk_or_is_a_value(number):
    chance = random.Random(number)
    for _ in range(400):
        answer = json.loads(json.dumps(HONEST[number]))
        for _ in range(chance.choice((1, 1, 2))):
            *path, last = chance.choice([path for path in places(answer) if path])
            inner = answer
            for key in path:
                inner = inner[key]
            inner[last] = copy.deepcopy(chance.choice(ODD))
        link = talk(answer, bytes(16) if chance.random() < 0.8 else b"")
        expected = (Over, Unsendable, *([BaseException] if answer.get("m") == "raise" else []))
        with contextlib.suppress(*expected):
            link.ask("get", 1.0, "real")


def test_a_call_of_what_was_not_handed_over_is_refused():
    for function, name in ((8, ""), (7, "__class__"), ("", ""), (None, "x")):
        with pytest.raises(Over):
            talk({"m": "call", "f": function, "n": name, "a": [], "k": {}}).ask("get", 1.0, "real")


def test_a_message_that_cannot_be_sent_leaves_nothing_behind():
    link = talk({})
    row = [np.zeros(3)]
    with pytest.raises(wire.WireError):
        link.message({}, v=[row, types])
    assert link.things == link.refs == link.told == link.arrays.known == {}
    assert b'"new"' in link.message({}, v=row)


@pytest.mark.parametrize(
    "state",
    [[], [None], [None, 1], [None, *[0] * 626], [None, *[1 << 32] * 625], [None, *[-1] * 625], [None, *[0.5] * 625],
     ["x", *[1] * 625], [None, *[1] * 624, 700], None, {}],
)  # fmt: skip
def test_a_generators_state_that_is_none_ends_the_talk(state):
    link = Link(io.BytesIO(), io.BytesIO(), "file.py")
    generator = random.Random(3)
    link.message({}, v=generator)
    ref, before = link.refs[id(generator)], generator.getstate()
    link.answers = io.BytesIO(wire.frame({"id": 1, "m": "return", "v": 1, "set": [[ref, "G", state]]}))
    with pytest.raises(Over):
        link.ask("get", 1.0, "real")
    assert generator.getstate() == before


def test_a_child_hands_over_no_generator():
    with pytest.raises(Over):
        talk({"m": "return", "v": ["#", 3], "new": [[3, "G", [None, *[1] * 625]]]}).ask("get", 1.0, "real")


@pytest.mark.parametrize("value", [None, 1.0, [], ["t"], ["#", 3]])
def test_what_comes_with_the_beginning_of_a_case_is_a_tuple(value):
    """It answers the first question of a driver, and a child that says something else has ended the talk."""
    new = [[3, "l", [1]], [5, "t", [None, None, None, value]]]
    link = talk({"m": "return", "v": ["#", 5], "new": new})
    if value == ["t"]:
        assert link.begin("f", ("", ""), 1.0) == (None, None, None)
    else:
        with pytest.raises(Over):
            link.begin("f", ("", ""), 1.0)


def test_what_only_the_tables_hold_sleeps_and_wakes_with_all_that_it_leads_to():
    space = Space()
    row = [np.zeros(2), ([1],)]
    space.message({}, v=row)
    ref = space.refs[id(row)]
    space.sleepers.put_to_sleep()
    size = len(space.told) + len(space.arrays.known)
    assert (size, len(space.sleepers.asleep)) == (4, 0)  # the list, the array, the tuple, the list in it
    inner = row[1][0]
    del row
    space.sleepers.put_to_sleep()
    assert list(space.told) == [space.refs[id(inner)]]
    assert len(space.sleepers.asleep) == 3
    assert space.at(ref)[1][0] is inner
    assert space.sleepers.asleep == {}
