"""Helpers for judges: each returns None when the value is right, or a `Wrong` that says what is wrong with it.

They look at type, shape, dtype and finiteness before closeness, so that an array of shape (1,) never stands for a
number and an int subclass never for an int.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitorch.course.sandbox.values import close, first_difference, is_number, show, type_name
from minitorch.language import Message

RESULT = Message("the result")
RTOL, ATOL = 1e-7, 1e-9

Label = Message | str | tuple[str, str]  # a pair: as lessons of the second edition have it


@dataclass(frozen=True, slots=True, init=False)
class Wrong:
    """What is wrong with an answer: a message, or its English and its fields; where it helps, what was expected."""

    reason: Message
    expected: str | Message | None
    got: str | Message | None
    hint: int | Message | None  # which of the exercise's hints helps, from 1, or one for just this; None when none does

    def __init__(
        self,
        reason: str | Message,
        es: str = "",
        *,
        expected: object = None,
        got: object = None,
        hint: int | Message | None = None,
        **fields: object,
    ) -> None:
        object.__setattr__(self, "reason", _message(reason, es, fields))
        object.__setattr__(self, "expected", expected if isinstance(expected, str | Message | None) else show(expected))
        object.__setattr__(self, "got", got if isinstance(got, str | Message | None) else show(got))
        object.__setattr__(self, "hint", hint)


def with_hint(wrong: Wrong | None, hint: int | Message) -> Wrong | None:
    """The same finding with another hint; None stays None."""
    return wrong and Wrong(wrong.reason, expected=wrong.expected, got=wrong.got, hint=hint)


@dataclass(frozen=True, slots=True, init=False)
class But:
    """The answer is right, but: a remark. The exercise counts as passed."""

    reason: Message

    def __init__(self, reason: str | Message, es: str = "", **fields: object) -> None:
        object.__setattr__(self, "reason", _message(reason, es, fields))


def pair(en: str, es: str) -> Message:
    """A sentence and its Spanish side by side, as checks of the second edition have them. Warns."""
    instead = "write Message('…'), or Message.of({'en': …, 'es': …})"
    warnings.warn(
        f"English and Spanish side by side are deprecated in a check: {instead}", DeprecationWarning, stacklevel=4
    )
    return Message.of({"en": en, "es": es})


def _message(words: str | Message, es: str, fields: dict[str, object]) -> Message:
    if isinstance(words, Message):
        return words
    return pair(words, es) if es else Message(words, **fields)


def same_number(
    got: object, want: float, what: Label = RESULT, *, rtol: float = RTOL, atol: float = ATOL
) -> Wrong | None:
    """Check that `got` is a plain number (int or float, not a bool, not an array) close to `want`.

    what: the thing that is compared, as it reads in a sentence: a code word or a `Message`.
    """
    label = label_of(what)
    if got is None:
        return Wrong("{what} is None; is a `return` missing?", what=label, expected=show(want), got="None")
    if not is_number(got):
        message = Message("{what} is of type {type}, not a plain number", what=label, type=type_name(got))
        return Wrong(message, expected=show(want), got=show(got))
    assert isinstance(got, (int, float))
    if not math.isfinite(got) and math.isfinite(want):
        return Wrong("{what} is not finite", what=label, expected=show(want), got=show(got))
    if not (close(got, want, rtol, atol) or (math.isnan(got) and math.isnan(want))):
        return Wrong("{what} is wrong", what=label, expected=show(want), got=show(got))
    return None


def same_numbers(
    got: object, want: Sequence[float], what: Label = RESULT, *, rtol: float = RTOL, atol: float = ATOL
) -> Wrong | None:
    """Check that `got` is a list or tuple of plain numbers, as long as `want` and close to it entry by entry."""
    label = label_of(what)
    wanted = show(list(want))
    if got is None:
        return Wrong("{what} is None; is a `return` missing?", what=label, expected=wanted, got="None")
    if not isinstance(got, (list, tuple)):
        return Wrong(
            "{what} is of type {type}, not a list", what=label, type=type_name(got), expected=wanted, got=show(got)
        )
    if len(got) != len(want):
        message = Message("{what} has {got} entries instead of {want}", what=label, got=len(got), want=len(want))
        return Wrong(message, expected=wanted, got=show(got))
    for index, (one, wish) in enumerate(zip(got, want, strict=True)):
        place = Message("{what}, entry {index},", what=label, index=index)
        wrong = same_number(one, wish, place, rtol=rtol, atol=atol)
        if wrong:
            return wrong
    return None


def same_array(
    got: object, want: Any, what: Label = RESULT, *, dtype: object = None, rtol: float = RTOL, atol: float = ATOL
) -> Wrong | None:
    """Check that `got` is an array with the shape of `want`, its dtype if `dtype` is given, finite and close to it."""
    label, want = label_of(what), np.asarray(want)
    if got is None:
        return Wrong("{what} is None; is a `return` missing?", what=label, expected=show(want), got="None")
    if not isinstance(got, np.ndarray):
        return Wrong(
            "{what} is of type {type}, not an array",
            what=label,
            type=type_name(got),
            expected=show(want),
            got=show(got),
        )
    if got.shape != want.shape:
        message = Message("{what} has shape {got} instead of {want}", what=label, got=got.shape, want=want.shape)
        return Wrong(message, expected=show(want), got=show(got))
    if dtype is not None and got.dtype != np.dtype(dtype):  # type: ignore[call-overload]
        message = Message("{what} has dtype {got} instead of {want}", what=label, got=got.dtype, want=np.dtype(dtype))  # type: ignore[call-overload]
        return Wrong(message, expected=show(want), got=show(got))
    if np.all(np.isfinite(want)) and not np.all(np.isfinite(got)):
        return Wrong("{what} is not finite", what=label, expected=show(want), got=show(got))
    index = first_difference(got, want, rtol, atol)
    if index is None:
        return None
    mine, yours = show(want[index].item()), show(got[index].item())
    message = (
        Message("{what} differs first at {index}", what=label, index=list(index))
        if index
        else Message("{what} is wrong", what=label)
    )
    return Wrong(
        message, expected=_in(mine, show(want)) if index else mine, got=_in(yours, show(got)) if index else yours
    )


def _in(entry: str, whole: str) -> Message:
    return Message("{entry} in {whole}", entry=entry, whole=whole)


def same_value(got: object, want: object, what: Label = RESULT) -> Wrong | None:
    """Check that `got` is exactly the plain value `want`: same types all the way down, same entries in order.

    For words, flags, None and nested lists of them; numbers that come out of a computation go to `same_number`.
    """
    if _identical(got, want):
        return None
    label = label_of(what)
    if got is None:
        return Wrong("{what} is None; is a `return` missing?", what=label, expected=show(want), got="None")
    if type(got) is not type(want):
        message = Message(
            "{what} is of type {got} instead of {want}", what=label, got=type_name(got), want=type_name(want)
        )
        return Wrong(message, expected=show(want), got=show(got))
    return Wrong("{what} is wrong", what=label, expected=show(want), got=show(got))


def first_wrong(*findings: Wrong | None) -> Wrong | None:
    """The first finding that is one: the way to chain checks in a judge."""
    return next((finding for finding in findings if finding is not None), None)


def _identical(got: object, want: object) -> bool:
    if type(got) is not type(want):
        return False
    if isinstance(got, (list, tuple)):
        assert isinstance(want, (list, tuple))
        return len(got) == len(want) and all(map(_identical, got, want))
    if isinstance(got, dict):
        assert isinstance(want, dict)
        return list(got) == list(want) and all(_identical(got[key], want[key]) for key in want)
    if isinstance(got, np.ndarray):
        assert isinstance(want, np.ndarray)
        return got.dtype == want.dtype and got.shape == want.shape and bool(np.array_equal(got, want))
    return got == want


def label_of(what: Label) -> Message:
    """The thing that is compared, as it reads in a sentence."""
    return pair(*what) if isinstance(what, tuple) else Message.of(what)
