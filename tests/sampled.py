"""A gate's sample: one of each kind, the same ones every day; `pytest -m exhaustive` runs the others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def one_of_each(things: Sequence[T], kind: Callable[[T], Hashable], name: Callable[[T], str]) -> list[Any]:
    """Return the things as parameters of a test, all but one of each kind marked exhaustive.

    Of the i-th kind it is the i-th member, so that other properties (a lesson, a theme) change from kind to kind.
    """
    members: dict[Hashable, list[int]] = {}
    for index, thing in enumerate(things):
        members.setdefault(kind(thing), []).append(index)
    chosen = {group[number % len(group)] for number, group in enumerate(members.values())}
    return [
        pytest.param(
            *(thing if isinstance(thing, tuple) else (thing,)),
            id=name(thing),
            marks=() if index in chosen else pytest.mark.exhaustive,
        )
        for index, thing in enumerate(things)
    ]
