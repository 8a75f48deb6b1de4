"""What an exception means, and what is seen at the text of an answer: one plain sentence, in every lesson."""

from __future__ import annotations

import bdb
import io
import re
import sys

import numpy as np
import pytest

from minitorch.course.judging.exception_meanings import ROWS
from minitorch.course.judging.reasons import meaning
from minitorch.course.judging.verdict import Kind
from minitorch.language import Message

X = np.arange(6.0).reshape(2, 3)
RAISES = {  # what a learner writes -> what the sentence says
    "without_keyboard(input)": "without a keyboard, so `input()` reads nothing",
    "left_debugger()": "without a keyboard, so `breakpoint()` stops it",
    "nothing(3)": "what is called in this line is None",
    "nothing + 1.0": "something in this line is None",
    "nothing.data": "something in this line is None",
    "3.0 .data": "a plain number (float) stands in this line where one with `.data` is expected",
    "np.float64(2.0).grad": "a plain number (numpy.float64) stands in this line where one with `.grad`",
    "[1.0].data": "a list has no `.data`",
    "X.grad": "only a Tensor has `.grad`",
    "X.zero_()": "an array has no `.zero_`, as PyTorch's tensors have",
    "Node().graad": "no `.graad` was ever set on this Node",
    "np.sume(X)": "the module numpy has no `sume`",
    "len(np.array(2.0))": "a single number has no length",
    "len(2.0)": "a single number has no length",
    "list(np.array(2.0))": "a single number cannot be walked through",
    "sum(2.0)": "a single number cannot be walked through",
    "number[0]": "a single number has no entries",
    "np.float64(2.0)[0]": "a single number has no entries",
    "list(Node())": "walks through something of type Node",
    "Node()[0]": "takes [...] of something of type Node",
    "X(2)": "something of type numpy.ndarray is called here like a function",
    "X.shape.__setitem__": "a tuple has no `.__setitem__`",
    "put((2, 3), 0, 1)": "a tuple cannot be changed",
    "pair[1.0]": "the entries of a list are picked with whole numbers, and this line takes a float",
    "-(X > 2)": "an array of True and False has no minus",
    "(X > 2) - (X > 3)": "an array of True and False has no minus",
    "int(X)": "an array with several numbers stands here",
    "range(2.0)": "a whole number is wanted here, and it is of type float",
    "[1] + (2,)": "+ on a list appends",
    "[1] * 2.0": "* on a list or tuple repeats it",
    "Node() + 1": "+ stands between a Node and a int",
    "-Node()": "- stands before a Node",
    "Node() < 1": "a Node and a int cannot be compared with <",
    "{[1]: 2}": "a list can be no key",
    "add()": "too few or too many arguments",
    "add(1, 2, 3)": "too few or too many arguments",
    "add(1, c=2)": "add() knows no argument called c",
    "1 if X else 2": "`if`, `and`, `or`, `not` want one yes or no",
    "X + np.ones(4)": "the shapes (2,3) (4,)",
    "np.add(X, np.ones((2, 2, 3)), out=X.copy())": "an in-place operation keeps the shape (2,3)",
    "put(X.copy(), 0, np.ones(4))": "an array of shape (4,) does not fit into a place of shape (3,)",
    "X @ X": "for @ the last size on the left",
    "np.dot(X, X)": "for @ the last size on the left",
    "X.reshape(4)": "reshape neither adds nor drops numbers: 6 of them do not fill the shape (4,)",
    "X.transpose(0)": "transpose wants each axis",
    "X.transpose(0, 0)": "transpose wants each axis",
    "X.sum(axis=(0, 0))": "an axis is named twice",
    "X.sum(axis=2)": "there is no axis 2 here: the array is 2-dimensional, and axes are counted from 0",
    "X.squeeze(0)": "squeeze drops axes of size 1 only",
    "put(frozen, 0, 1.0)": "writes into an array that it was given",
    "np.add(frozen, 1.0, out=frozen)": "writes into an array that it was given",
    "np.add(whole, 0.5, out=whole)": "an array of whole numbers (int64) cannot take the result",
    "put(np.zeros(2), 0, [1.0, 2.0])": "one entry has room for one number",
    "X[2]": "axis 0 has 2 entries here, so there is no entry 2",
    "X[0, 0, 0]": "this line picks along 3 axes, and the array is 2-dimensional",
    "X[1.0]": "no whole number, slice or mask",
    "X[np.array([0.5])]": "no whole number, slice or mask",
    "[][place]": "asks for an entry that is not there",
    "[].pop()": "asks for an entry that is not there",
    "1 / 0": "divides by 0",
    "math.exp(1000)": "too large for a float",
    "early()": "`total` is given a value somewhere in this function",
    "totl": "nothing in the file is called `totl`",
    "{}['a']": "the dict has no entry for this key yet",
    "__import__('torchh')": "there is no module torchh",
    "unpack((1, 2, 3))": "the names on the left of = are not as many",
    "check(False)": "an `assert` in this line was not fulfilled",
    "grow({1: 2})": "this loop changes what it walks through",
}


class Node:
    """An object of a learner's own."""


def add(a, b):
    return a + b


def put(things, place, value):
    things[place] = value


def early():
    total += 1  # noqa: F821
    return total


def without_keyboard(call):
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        call()
    finally:
        sys.stdin = before


def left_debugger():
    debugger = bdb.Bdb()
    debugger.reset()
    debugger.quitting = True
    debugger.dispatch_line(sys._getframe())


def unpack(pair):
    one, other = pair
    return one, other


def check(right):
    assert right


def grow(things):
    for key in things:
        things[key + 1] = 0


def raised(code):
    frozen, whole = X.copy(), np.arange(3)
    frozen.flags.writeable = False
    import math

    own = {"frozen": frozen, "whole": whole, "math": math, "nothing": None, "number": 2.0, "pair": [1, 2], "place": 0}
    try:
        eval(code, globals() | own)
    except Exception as error:  # noqa: BLE001 - every kind
        return type(error).__name__, str(error)
    raise AssertionError(f"{code} raised nothing")


@pytest.mark.parametrize("code", RAISES)
def test_what_python_and_numpy_raise_is_said_in_plain_words(code):
    said = meaning(*raised(code))
    assert said is not None, raised(code)
    assert RAISES[code] in said.to("en")
    assert "{" not in said.to("en") + said.to("es")
    assert said.to("es") != said.to("en")


def test_every_sentence_is_said_of_something_that_is_really_raised():
    said = [meaning(*raised(code)) for code in RAISES]
    for kinds, _, means in ROWS:
        es = Message(means).to("es")
        assert any(text.id == means and _fits(es, text.to("es")) for text in said), (kinds, means)


def _fits(sentence, said):
    parts = [re.escape(part) for part in re.split(r"\{\d\}", sentence)]
    return re.fullmatch(".*".join(parts), said, re.DOTALL) is not None


def test_what_is_not_known_is_not_explained():
    assert meaning("ValueError", "something of the learner's own") is None


# ------------------------------------------------------------------------------------------- in a verdict


def test_an_exception_is_told_with_what_it_means_its_text_and_the_line(judged):
    verdict = judged("def double(x):\n    y = None\n    return y * x\n")
    assert verdict.kind is Kind.ERROR
    assert verdict.reason.to("en").startswith("something in this line is None: ask")
    assert (
        "(`double` raised TypeError: unsupported operand type(s) for *: 'NoneType' and 'float')"
        in verdict.reason.to("en")
    )
    assert verdict.place.line == 3


def test_a_function_that_calls_itself_without_end_is_told_so(judged):
    verdict = judged("def double(x):\n    return double(x) + x\n")
    assert verdict.reason.to("en").startswith("`double` calls itself at this line, over and over")
    assert verdict.place.line == 2


def test_functions_that_call_one_another_without_end_are_told_so(judged):
    verdict = judged("def other(x):\n    return double(x)\n\ndef double(x):\n    return other(x)\n")
    assert verdict.reason.to("en").startswith("functions of this file call one another without end")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "    raise NotImplementedError\n    return 2 * x\n",
            "line 2 still raises NotImplementedError, so",
        ),
        (
            "    y = 2 * x\n    raise NotImplementedError\n",
            "line 3 still raises NotImplementedError after",
        ),
    ],
)
def test_a_raise_that_was_left_beside_an_answer_is_told(judged, body, says):
    verdict = judged(f"def double(x):\n{body}")
    assert verdict.kind is Kind.ERROR
    assert verdict.reason.to("en").startswith(says)


def test_a_docstring_beside_the_raise_is_no_answer(judged):
    assert judged("def double(x):\n    '''Twice.'''\n    raise NotImplementedError\n").kind is Kind.NOT_STARTED


def test_a_comparison_that_is_thrown_away_is_told(judged):
    verdict = judged("def double(x):\n    y = x\n    y == 2 * x\n    return y\n")
    assert (
        verdict.reason.to("en")
        == "line 3 compares with == and does nothing with the answer; a single = puts a value there"
    )
    assert judged("def double(x):\n    x == 2\n    return 2 * x\n").passed
