"""Questions about one step of a backward pass: which answers are right, and which are the numbers of a mistake.

A mistake is carried out twice, with the numbers as they are and as a reader sees them, and what lies between the two
counts as its number. One that cannot be told from the right number is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from minitorch.viz.facts import words
from minitorch.viz.facts.misconceptions import RIGHT, Slopes, as_shown
from minitorch.viz.facts.model import Shape

NEAR = 0.05  # of a number: an answer that is so close lacks digits

# Mistakes that are a second explanation beside another one of the same number; the others only stand first.
_BESIDE = ("both_uses", "before", "upstream_only", "local_only", "overwritten", "kept")
# What says by itself that the gradient came through as it was.
_PASSES_ON = ("let_through", "minus")

Kind = Literal["seed", "part", "sum", "shape", "entry", "total"]


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers that count as one: from the smallest to the largest."""

    low: float
    high: float

    def __contains__(self, number: float) -> bool:
        return self.low <= number <= self.high

    def meets(self, other: Span) -> bool:
        """Whether some number counts as both."""
        return self.low <= other.high and other.low <= self.high


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of one step.

    kind: the seed, what arrives (`part`), what the sum is then, or of an array the shape of what arrives, its number at
    a place (`entry`), and the sum there (`total`). step: from 1. right: the numbers, or the one shape, that are right;
    near: numbers that only lack digits. wrong: numbers or shapes, each with the mistake that makes it, the likelier
    ones first. rule: the local rule with names in place of numbers, "" where it is not known. fields: what its
    sentences speak of.
    """

    kind: Kind
    step: int
    right: Span | Shape
    wrong: tuple[tuple[Span | Shape, str], ...]
    near: Span | None = None
    rule: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    def judged(self, answer: float | Shape) -> tuple[str, ...]:
        """What there is to say of an answer: "right", "near", or the mistakes that make it, the first two at most."""
        if _is(answer, self.right):
            return (RIGHT,)
        found = tuple(name for made, name in self.wrong if _is(answer, made))
        if found:
            return found[:2]
        return ("near",) if self.near is not None and _is(answer, self.near) else ()


def _is(answer: float | Shape, what: Span | Shape) -> bool:
    if isinstance(what, Span):
        return isinstance(answer, (int, float)) and answer in what
    return answer == what


def question(kind: Kind, step: int, made: Slopes, seen: Slopes, rule: str, fields: Mapping[str, str]) -> Question:
    """made: the right number and those of mistakes; seen: the same worked out with the numbers that a reader sees."""
    right = span_of(made[RIGHT], seen.get(RIGHT, made[RIGHT]))
    wrong: list[tuple[Span | Shape, str]] = []
    for name, number in made.items():
        other = seen.get(name, number)
        if name == RIGHT or not math.isfinite(number) or not math.isfinite(other):
            continue
        span = span_of(number, other)
        alike = [earlier for there, earlier in wrong if isinstance(there, Span) and span.meets(there)]
        covered = alike and (name not in _BESIDE or any(each in _PASSES_ON for each in alike))
        if not span.meets(right) and not covered:
            wrong.append((span, name))
    number = made[RIGHT]
    near = None if as_shown(number) == number else Span(number - NEAR * abs(number), number + NEAR * abs(number))
    told = {"right": words.number(number, words.TYPESET)}
    return Question(kind, step, right, tuple(wrong), near, rule, {**fields, **told})


def span_of(number: float, seen: float) -> Span:
    """A number and what it is where it is worked out with numbers as they are shown; rounded to what is shown.

    >>> third = span_of(1 / 3, 1 / 3)
    >>> 0.333 in third, 0.34 in third, 0.501 in span_of(0.5, 0.5)
    (True, False, False)
    """
    if not math.isfinite(seen):
        seen = number
    known = number, seen, as_shown(number), as_shown(seen)
    largest = max(map(abs, known))
    exact = math.isclose(min(known), max(known), rel_tol=1e-12, abs_tol=1e-300)
    unit = 0.0 if exact or not largest else 10.0 ** (math.floor(math.log10(largest)) - 2)
    spare = unit + 1e-7 * largest
    return Span(min(known) - spare, max(known) + spare)
