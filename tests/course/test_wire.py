"""Plain values cross; nothing else does, whatever the bytes say."""

from __future__ import annotations

import io
import random
import struct

import numpy as np
import pytest
from effort import lines_run

from minitorch.course.sandbox import wire

DTYPES = ["?", "i1", "u1", "i2", "u4", "i8", "f2", "f4", "f8", "c8", "c16", ">f8", ">i4"]


def through(value):
    tree, body = wire.encode(value)
    header, body = wire.read_frame(io.BytesIO(wire.frame({"value": tree}, body)))
    return wire.decode(header["value"], body)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -(2**200),
        1.5,
        -0.0,
        float("inf"),
        1 + 2j,
        "",
        "é\ud800\0",
        [],
        (),
        {},
        [(1, [2.0])],
        {"a": {1: ()}},
    ],
    ids=repr,
)
def test_plain_values_come_back_as_they_were(value):
    got = through(value)
    assert type(got) is type(value)
    assert repr(got) == repr(value)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0, 3), (4,), (2, 3, 1)])
def test_arrays_come_back_as_they_were(dtype, shape):
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    got = through({"one": array, "two": [array]})
    for each in (got["one"], got["two"][0]):
        assert each.shape == shape
        assert each.dtype == array.dtype.newbyteorder("=")
        assert np.array_equal(each, array)
        assert each.flags.writeable


def test_arrays_that_are_views_are_sent_by_their_entries():
    array = np.arange(12.0).reshape(3, 4)
    for view in (array.T, array[::-1, ::2], np.broadcast_to(array[0], (5, 4)), np.asfortranarray(array)):
        assert np.array_equal(through(view), view)


class Always(float):
    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (Always(1), "Always"),
        (np.float64(1), "numpy.float64"),
        (np.ma.array([1.0]), "numpy.ma.MaskedArray"),
        (np.array([object()]), "array of object"),
        (np.array(["text"]), "array of <U4"),
        (np.longdouble(1), "numpy.longdouble"),
        ({1, 2}, "set"),
        (b"bytes", "bytes"),
        (2**300, "int of more than 256 bits"),
        (type("L", (list,), {})([1]), "L"),
        (wire.Opaque, "type"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_everything_else_arrives_as_the_name_of_its_type(value, name):
    got = through(value)
    assert isinstance(got, wire.Opaque)
    assert got.type_name.endswith(name)
    assert got != value


def test_a_type_that_lies_about_its_name_cannot_run_code_in_the_parent():
    lie = property(lambda cls: 1 / 0)
    meta = type("Meta", (type,), {"__module__": lie, "__name__": lie, "__repr__": lambda cls: 1 / 0})
    assert "Liar" in through(meta("Liar", (), {})()).type_name


@pytest.mark.parametrize(
    "value",
    [
        [0] * (wire.MAX_ITEMS + 1),
        "x" * (wire.MAX_TEXT + 1),
        np.broadcast_to(np.float64(0), (1 << 40,)),
        np.zeros((wire.MAX_BODY // 8) + 1),
    ],
    ids=["items", "text", "claimed bytes", "bytes"],
)
def test_what_is_too_large_is_refused_before_it_is_built(value):
    def encode():
        with pytest.raises(wire.WireError):
            wire.encode(value)

    assert lines_run(encode) < 10 * wire.MAX_ITEMS


def test_a_list_that_holds_itself_is_refused():
    endless: list = []
    endless.append(endless)
    with pytest.raises(wire.WireError, match="deep"):
        wire.encode(endless)


@pytest.mark.parametrize(
    "tree",
    [
        [],
        ["?"],
        [1],
        {"a": 1},
        ["a", "|O", [1]],
        ["a", "<f8", [1 << 40]],
        ["a", "<f8", [-1]],
        ["a", "<f8", [True]],
        ["a", "<f8", [2]],
        ["a", "<f8", [1] * 17],
        ["a", "<f8", [1 << 26, 1 << 26, 1 << 26, 0]],
        ["c", 1, 2],
        ["d", [["l"], 1]],
        ["d", [1]],
        ["o", 1],
        10**100,
        ["l"] * 2,
    ],
    ids=str,
)
def test_trees_that_no_encoder_makes_are_refused(tree):
    with pytest.raises(wire.WireError):
        wire.decode(tree, b"12345678")


def test_brackets_without_end_are_refused():
    text = b"[" * 1_000_000
    with pytest.raises(wire.WireError):
        wire.read_frame(io.BytesIO(wire.HEAD.pack(wire.MAGIC, len(text), 0) + text))


def test_a_frame_that_claims_too_much_is_refused_unread():
    for sizes in ((wire.MAX_HEADER + 1, 0), (10, wire.MAX_BODY + 1)):
        with pytest.raises(wire.WireError, match="too large"):
            wire.read_frame(io.BytesIO(struct.pack("<4sII", wire.MAGIC, *sizes)))


def test_the_end_of_the_stream_is_told_from_half_a_frame():
    whole = wire.frame({"value": 1})
    assert wire.read_frame(io.BytesIO(b"")) is None
    for length in range(1, len(whole)):
        with pytest.raises(wire.WireError):
            wire.read_frame(io.BytesIO(whole[:length]))


def test_mutated_frames_are_values_or_errors_and_never_anything_else():
    value = {"y": np.arange(6.0).reshape(2, 3), "grad": [1.0, None, (True, "text")]}
    tree, body = wire.encode(value)
    good = wire.frame({"value": tree, "id": "x"}, body)
    chance = random.Random(0)
    for _ in range(3000):
        data = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            header, rest = wire.read_frame(io.BytesIO(bytes(data)))
            wire.decode(header.get("value"), rest)
        except wire.WireError:
            continue
