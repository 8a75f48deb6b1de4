"""Codes: the names that some code of Python's looks up."""

from __future__ import annotations

import dis
import re
import types
from collections.abc import Iterable, Iterator
from typing import Any

_OF_GLOBALS = frozenset(("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"))


def names_in(codes: Iterable[types.CodeType]) -> Iterator[str]:
    """The names of globals and attributes in some code; its texts, for getattr; and the fields of a text for format."""
    for each in codes:
        yield from each.co_names
        for text in _texts_in(each.co_consts):
            yield text
            yield from re.findall(r"\w+", " ".join(re.findall(r"{[^{}]*}", text)))


def globals_in(codes: Iterable[types.CodeType]) -> set[str]:
    """The names of globals alone: `step` of `step(x)`, and not of `optimizer.step()`, `sum(step=1)` or "step"."""
    return {each.argval for code in codes for each in dis.get_instructions(code) if each.opname in _OF_GLOBALS}


def _texts_in(constants: tuple[Any, ...]) -> Iterator[str]:
    for each in constants:
        if isinstance(each, str):
            yield each
        elif isinstance(each, tuple):
            yield from _texts_in(each)


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code, and that of the functions that it makes."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes_in(each)
