"""Routes of numbers: which entry of an operand each entry of a result is, and what comes back to it from a gradient."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from minitorch.language import N_, gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.model import Shape

Index = tuple[int, ...]
Rule = Callable[..., Any]


class Routes(ABC):
    """The facts of a microscope: an operand of `shape`, the gradient of a result that its numbers went into.

    gradient: what arrives, in the result's shape. expected: the operand's gradient. result: what some code made of it,
    None where none was asked or it raised; result_name: what that is called; failure: what it raised, or returned.
    """

    shape: Shape
    gradient: np.ndarray
    expected: np.ndarray
    result: np.ndarray | None = None
    result_name: str = ""
    failure: str = ""

    def judge(self, result: Any, rule: Rule | None, given: tuple[Any, ...], whose: str) -> None:
        """Takes a result, or runs a rule on what it is given. What it raises is part of what is shown."""
        if rule is None:
            self.result = None if result is None else as_array(result)
            key = N_("your {name}") if whose == "yours" else N_("{name}, {whose}")
            self.result_name = gettext(key, name=gettext("result"), whose=_owner(whose))
            return
        name = words.tidy(getattr(rule, "__name__", "") or type(rule).__name__)
        if name == "<lambda>":
            name = gettext("result")
        key = N_("your {name}") if whose == "yours" else N_("{name}, {whose}")
        self.result_name = gettext(key, name=name, whose=_owner(whose))
        try:
            with np.errstate(all="ignore"):
                made = rule(*(each.copy() if isinstance(each, np.ndarray) else each for each in given))
        except Exception as error:  # noqa: BLE001 - a learner's code may raise anything, and that is worth showing
            self.failure = gettext("it raised {error}", error=words.tidy(f"{type(error).__name__}: {error}"))
            return
        try:
            self.result = as_array(made)
        except TypeError:
            self.failure = gettext("it returned a {kind}, which is no array of numbers", kind=type(made).__name__)

    @property
    def is_judged(self) -> bool:
        """Whether there is a result to be looked at, or why there is none."""
        return self.result is not None or bool(self.failure)

    @cached_property
    def problem(self) -> str:
        """What is wrong with the result, in words; "" if it is right or none was given."""
        if self.failure or self.result is None:
            return self.failure
        with np.errstate(all="ignore"):
            if self.result.shape == self.expected.shape and close(self.result, self.expected):
                return ""
            return self._mistake(self.result)

    @abstractmethod
    def _mistake(self, have: np.ndarray) -> str:
        """The first known mistake that gives exactly this result."""

    # -- entry by entry --------------------------------------------------------------------------------------------

    @abstractmethod
    def owner(self, index: Index) -> Index:
        """The entry of the operand that the result's entry at `index` is."""

    @abstractmethod
    def is_copy(self, index: Index) -> bool:
        """False for the first of the entries that are the same one of the operand."""

    @abstractmethod
    def terms(self, index: Index) -> list[float]:
        """What is added up for one entry of the operand."""

    def name(self, index: Index) -> str:
        """The letter of an entry of the operand."""
        return letters(int(np.ravel_multi_index(index, self.shape)) if index else 0)

    def wrong(self, index: Index) -> bool:
        """True where the result differs."""
        assert self.result is not None
        return not close(self.result[index], self.expected[index])

    # -- in words --------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def title(self) -> str:
        """What the picture is called, on a page of its own."""

    @property
    @abstractmethod
    def adds(self) -> bool:
        """Whether an entry of the operand may get more than one number."""

    @abstractmethod
    def said(self) -> list[str]:
        """What happens, in sentences: first forward, then backward."""

    @abstractmethod
    def arrows(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """What stands above and below the arrow forward, and the arrow backward."""

    def troubles(self) -> list[str]:
        """Where a nan or an inf comes from, and what it spoils."""
        found = []
        for place in np.argwhere(~np.isfinite(self.gradient))[:3]:
            index = tuple(map(int, place))
            what = _what(self.gradient[index])
            found.append(
                gettext(
                    "{what} arrives at {place} and spoils {name}.",
                    what=what,
                    place=list(index),
                    name=self.name(self.owner(index)),
                )
            )
        if not found:
            for place in np.argwhere(~np.isfinite(self.expected))[:3]:
                index = tuple(map(int, place))
                found.append(
                    gettext(
                        "{what} is born in the sum of {name}: what is added is finite.",
                        what=_what(self.expected[index]),
                        name=self.name(index),
                    )
                )
        if not found and self.result is not None and not np.isfinite(self.result).all():
            bad = self.result[~np.isfinite(self.result)]
            found.append(
                gettext(
                    "{what} is born in {name}: what it was given is finite.",
                    what=_what(bad.flat[0]),
                    name=self.result_name,
                )
            )
        return found


def whose_rule(rule: Rule | None, whose: str | None) -> str:
    """Whose a rule is, if nobody says: minitorch's own are the reference, all others yours."""
    module = getattr(rule, "__module__", "") or ""
    return whose or ("reference" if module.partition(".")[0] == "minitorch" else "yours")


def _owner(whose: str) -> str:
    return gettext("reference") if whose == "reference" else whose


def _what(number: float) -> str:
    return "nan" if math.isnan(number) else "inf"


def letters(number: int) -> str:
    """The names of entries, in order: a, b, …, z, aa, ab and so on.

    >>> letters(0), letters(25), letters(26), letters(702)
    ('a', 'z', 'aa', 'aaa')
    """
    said = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        said = chr(ord("a") + letter) + said
    return said


def as_shape(thing: Any) -> Shape:
    """A shape, or that of an array or a Tensor."""
    if hasattr(thing, "shape"):
        return tuple(int(size) for size in thing.shape)
    sizes = (thing,) if isinstance(thing, int) else tuple(thing)
    if not all(isinstance(size, (int, np.integer)) and not isinstance(size, bool) and size >= 0 for size in sizes):
        raise TypeError(f"a shape is a tuple of whole numbers, such as (4, 3), not {thing!r}")
    return tuple(map(int, sizes))


def as_gradient(thing: Any) -> np.ndarray:
    """The gradient that arrives; for a shape, one that counts from 1."""
    if isinstance(thing, (tuple, int)) and not isinstance(thing, bool):
        shape = as_shape(thing)
        return np.arange(1.0, math.prod(shape) + 1).reshape(shape)
    return as_array(thing)


def as_array(thing: Any) -> np.ndarray:
    """Numbers of an array, a Tensor, or a list. Raises TypeError for what holds none."""
    plain = thing.detach() if hasattr(thing, "detach") else thing
    plain = getattr(plain, "_data", plain)
    if not isinstance(plain, (np.ndarray, np.generic, int, float, list)):
        plain = getattr(plain, "data", plain)
    try:
        if plain is not None:  # NumPy would make a nan of it
            return np.asarray(plain, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"expected an array, a Tensor or a shape, not {type(thing).__name__}")


def differing(have: np.ndarray, due: np.ndarray) -> str:
    """How many numbers differ, where nothing better can be said."""
    wrong = int((~np.isclose(have, due, rtol=1e-6, atol=1e-9, equal_nan=True)).sum())
    return (
        gettext("{wrong} of {count} numbers differ", wrong=wrong, count=due.size)
        if due.size > 1
        else gettext("the number differs")
    )


def close(one: np.ndarray, other: np.ndarray) -> bool:
    """Equal up to rounding."""
    return bool(np.allclose(one, other, rtol=1e-6, atol=1e-9, equal_nan=True))
