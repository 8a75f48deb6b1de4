"""What is kept of one call to compare it with others: facts, each a place in what came back and a mark of it.

Values and shapes count: `2.0`, `np.float64(2.0)` and `np.array(2.0)` are one number, a list of numbers is an array.
Of an exception only its type counts, never its text, nor does the text that a driver keeps under the key "raised".
The `exact` mark tells all of these apart, and printing from silence.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.sandbox.values import close_mark, is_number
from minitorch.course.sandbox.wire import Opaque

RAISED = "!"  # where the only fact is that there was no value
MOST_FACTS = 200  # of one case
MARKED = 2000  # so many entries of an array tell it from others


@dataclass(frozen=True, slots=True)
class Facts:
    """What one call did, as marks."""

    exact: str
    silent: str  # the same, whatever was printed
    parts: dict[str, str]  # place -> mark

    @property
    def raised(self) -> bool:
        """Whether no value came back."""
        return RAISED in self.parts


def facts_of(outcome: Outcome, targets: Collection[str]) -> Facts:
    """The facts of one outcome. targets: what else the lesson defines, to tell where an exception was raised."""
    mark = outcome.mark(targets)
    if outcome.kind == "value":
        parts = {place: _short(text) for place, text in _places(outcome.value)}
    else:
        parts = {RAISED: _short(f"{outcome.kind} {outcome.error}")}
    return Facts(_short(f"{mark} {'prints' if outcome.printed else ''}"), _short(mark), parts)


def _short(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def _places(value: Any) -> Iterator[tuple[str, str]]:
    for count, (place, leaf) in enumerate(_leaves(value, "")):
        if count == MOST_FACTS:
            return
        yield place, leaf


def _leaves(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "raised" and isinstance(item, str):
                item = "an exception"
            yield from _leaves(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, (list, tuple)) and not (value and all(map(_is_numeric, value))):
        yield place, f"{len(value)} entries"
        for index, item in enumerate(value):
            yield from _leaves(item, f"{place}[{index}]")
    else:
        yield place, _leaf(value)


def _leaf(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        value = [_number(each) for each in value]
    elif _is_numeric(value):
        value = _number(value)
    elif not isinstance(value, np.ndarray):
        return repr(value)
    array = np.asarray(value)
    return f"{array.shape} " + ",".join(map(close_mark, array.ravel()[:MARKED].tolist()))


def _number(value: Any) -> Any:
    return value.value if isinstance(value, Opaque) else value


def _is_numeric(value: Any) -> bool:
    return is_number(value) or (isinstance(value, Opaque) and value.value is not None)
