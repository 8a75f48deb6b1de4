"""Diagnosis by behaviour: what the learner's code did is looked for among what the known-wrong versions do.

No source is analysed. First comes the one mistake that does the same in every case, exceptions and prints included;
then the one that gives the same values and shapes; then two mistakes in one answer. Where that is not enough, each
single fact that differs from the solution's is laid to the mistake that shows the same fact: two mistakes may explain
all of them, or one may explain most, and what it leaves over is said beside it.

A version is run only as far as it agrees, so most cost one call.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minitorch.course.judging import known_mistakes, mistakes
from minitorch.course.judging.behaviour import RIGHT, Behaviours, batches
from minitorch.course.judging.checks import PUBLIC_SEED, Check
from minitorch.course.judging.facts import RAISED, Facts
from minitorch.course.judging.mistakes import Mistake
from minitorch.course.manifest import Exercise, Lesson
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.sandbox.values import size
from minitorch.language import Message

if TYPE_CHECKING:
    from minitorch.course.sandbox.runner import Runner

COMPARABLE = frozenset({"value", "raised", "memory", "timeout", "crashed", "exited"})
MOST_PAIRS = 200
LOOKED_AT = 10  # cases that are compared fact by fact

Fact = tuple[int, str]  # a case, and a place in what came back


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was recognised, and the cases that it does not explain."""

    mistake: Mistake
    also: Mistake | None = None
    unexplained: frozenset[int] = frozenset()


def find(
    lesson: Lesson,
    check: Check,
    outcomes: Sequence[Outcome],
    failing: Sequence[int] | None = None,
    cache: Path | None = None,
    seed: int = PUBLIC_SEED,
    runner: Runner | None = None,
) -> Diagnosis | None:
    """The mistakes that show in these outcomes of a check's first cases; `failing` are the wrong ones.

    runner: one of `behaviour.for_versions`, which serves others afterwards.
    """
    with Behaviours.opened(lesson, check, cache, seed, runner) as known:
        return among(known, outcomes, failing)


def among(known: Behaviours, outcomes: Sequence[Outcome], failing: Sequence[int] | None = None) -> Diagnosis | None:
    """`find`, among versions that may have been looked at before."""
    seen = [known.facts_of(outcome, case) for case, outcome in enumerate(outcomes)]
    wrong = list(range(len(seen)) if failing is None else failing)
    if outcomes[-1].kind == "timeout" and all(facts.raised for facts in seen):
        return None  # many loops never end: by itself that names nothing
    return _Search(known, known.cases, seen, wrong).best() if known.said else None


def mistakes_of(lesson: Lesson, exercise: Exercise) -> Mapping[str, Mistake]:
    """The known mistakes of one exercise by id: the shipped ones, or those of the lesson's own files."""
    table = known_mistakes.read(lesson)
    if table is not None:
        return table.mistakes[exercise.name]
    can_be_made = lesson.solution.is_file()
    return {one.id: one for one in mistakes.of_exercise(lesson, exercise)} if can_be_made else {}


class _Search:
    """One learner's answer, beside what the versions do."""

    def __init__(self, known: Behaviours, cases: Sequence[Any], seen: Sequence[Facts], failing: Sequence[int]) -> None:
        self.known, self.seen, self.failing = known, seen, frozenset(failing)
        first = sorted(failing, key=lambda case: _cost(cases[case]))
        rest = sorted(set(range(len(seen))) - self.failing, key=lambda case: _cost(cases[case]))
        self.order = [*first, *rest]  # what tells most stands first
        self.looked_at = [*first[: LOOKED_AT * 2 // 3], *rest[: LOOKED_AT // 3]]

    def best(self) -> Diagnosis | None:
        """The simplest explanation."""
        singles = [(name,) for name in self.known.names()]
        found = self._same(singles, _exactly) or self._same(singles, _silently)
        if found:
            return found
        if not self._has_wrong_values():
            return self._raised_alike(singles) or self._raised_alike(self.known.pairs(travelling=True))
        by_facts = _ByFacts(self.known, self.seen, self.looked_at, self.failing)
        with_slip = list(self.known.pairs(travelling=True))
        likely = by_facts.likely(with_slip)
        unlikely = [pair for pair in with_slip if pair not in likely]  # one of the two may undo what the other does
        others = by_facts.likely(self.known.pairs(travelling=False))[: max(0, MOST_PAIRS - len(likely))]
        return (
            self._same(singles, _in_values)
            or self._same([*likely, *unlikely], _in_values)
            or by_facts.two()
            or self._same(others, _in_values)
            or by_facts.one()
        )

    def _raised_alike(self, versions: Iterable[tuple[str, ...]]) -> Diagnosis | None:
        """What raises where the answer does, exceptions of the same types, and is right elsewhere.

        Where every case raises, exceptions name nothing. Where several versions fit, what they have in common is told.
        """
        if len(self.failing) == len(self.seen):
            return None
        found = list(self._alike(versions, _in_values))
        said = [frozenset(self.known.said[name].text for name in names) for names in found]
        common = frozenset.intersection(*said) if said else frozenset[Message]()
        return next(
            (self._told(names) for names, texts in zip(found, said, strict=True) if texts == common), None
        ) or next(
            (self._told((name,)) for names in found for name in names if self.known.said[name].text in common), None
        )

    def _same(self, versions: Iterable[tuple[str, ...]], same: Callable[[Facts, Facts], bool]) -> Diagnosis | None:
        """The first version that does the same in all cases."""
        return next((self._told(names) for names in self._alike(versions, same)), None)

    def _alike(
        self, versions: Iterable[tuple[str, ...]], same: Callable[[Facts, Facts], bool]
    ) -> Iterator[tuple[str, ...]]:
        """Yield the versions that do the same in all cases."""
        for several in batches(versions):
            self.known.look(["+".join(names) for names in several], self.order[0])
            for names in several:
                one = "+".join(names)
                if all((facts := self.known.facts(one, case)) and same(facts, self.seen[case]) for case in self.order):
                    yield names

    def _told(self, names: tuple[str, ...]) -> Diagnosis:
        said = [self.known.said[name] for name in names]
        return Diagnosis(said[0], also=said[1] if len(said) > 1 else None)

    def _has_wrong_values(self) -> bool:
        """Whether a value came back that differs from the solution's in more than its type: exceptions name nothing."""
        for case in self.failing:
            right = self.known.facts(RIGHT, case)
            if right is not None and not self.seen[case].raised and right.parts != self.seen[case].parts:
                return True
        return False


def _cost(x: Any) -> tuple[int, int]:
    """What tells how long a case takes: a deep graph counts before all that there is to read."""
    deep = x.get("deep", 0) if isinstance(x, dict) else 0
    return (deep if isinstance(deep, int) else 0, size(x))


def _exactly(one: Facts, other: Facts) -> bool:
    return one.exact == other.exact


def _silently(one: Facts, other: Facts) -> bool:
    return one.silent == other.silent


def _in_values(one: Facts, other: Facts) -> bool:
    return one.parts == other.parts


class _ByFacts:
    """Each fact in which the answer differs from the solution, laid to the mistakes that show the same fact."""

    def __init__(self, known: Behaviours, seen: Sequence[Facts], cases: Sequence[int], failing: frozenset[int]) -> None:
        self.known, self.seen, self.cases = known, seen, cases
        self.failing = failing.intersection(cases)

    @functools.cached_property
    def wrong(self) -> dict[Fact, str]:
        """The facts to explain: where the answer differs in a case that is judged wrong."""
        return self._against_right({case: self.seen[case] for case in self.cases if case in self.failing})

    def likely(self, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """The pairs of which no right case rules out one; those that explain most come first."""
        may = [pair for pair in pairs if all(name in self.deviates for name in pair)]
        none: frozenset[Fact] = frozenset()
        return sorted(may, key=lambda pair: -len(none.union(*(self.explained.get(name, none) for name in pair))))

    @functools.cached_property
    def deviates(self) -> dict[str, dict[Fact, str]]:
        """For each mistake that may have been made, the facts in which it differs from the solution.

        A case that is right tells most: there the answer does not show what the mistake would. One that a case has
        ruled out is not run on the next.
        """
        deviates: dict[str, dict[Fact, str]] = {name: {} for name in self.known.names()}
        for case in sorted(self.cases, key=self.failing.__contains__):
            for names in batches(deviates):
                self.known.look(names, case)
            does = {name: facts for name in deviates if (facts := self.known.facts(name, case))}
            deviates = {name: deviates[name] | self._against_right({case: facts}) for name, facts in does.items()}
            deviates = {name: differs for name, differs in deviates.items() if self._may_be(differs)}
        return deviates

    @functools.cached_property
    def explained(self) -> dict[str, frozenset[Fact]]:
        """For each mistake that may have been made, the facts that it explains."""
        found = {}
        for name, differs in self.deviates.items():
            same = frozenset(fact for fact, mark in differs.items() if self.wrong.get(fact) == mark)
            if any(fact[1] != RAISED and differs[fact] for fact in same):  # what is missing in both is no evidence
                found[name] = same
        return found

    def two(self) -> Diagnosis | None:
        """Two mistakes that explain everything between them, each something that the other does not.

        Where several pairs do, only what they have in common is told.
        """
        everything, said = frozenset(self.wrong), self.known.said
        pairs = [
            (one, other)
            for (one, its), (other, others) in itertools.combinations(self.explained.items(), 2)
            if its | others == everything and its - others and others - its and said[one].text != said[other].text
        ]
        pairs = [pair for pair in pairs if not any(map(self._belied, pair))]
        if not pairs:
            return None
        if len({frozenset(said[name].text for name in pair) for pair in pairs}) == 1:
            one, other = sorted(pairs[0], key=lambda name: -len(self.explained[name]))
            return Diagnosis(said[one], said[other])
        common = [name for name in pairs[0] if all(name in pair for pair in pairs)]
        return self._leaving(common[0]) if common else None

    def one(self) -> Diagnosis | None:
        """The mistake that explains most, if it shows in two cases or in most of the wrong ones.

        Of several that explain as much, those that a case rules out do not count.
        """
        most = max(map(len, self.explained.values()), default=0)
        ranked = [name for name, facts in self.explained.items() if facts and len(facts) == most]
        best = [name for name in ranked if not self._belied(name)]
        if len({self.known.said[name].text for name in best}) != 1:
            return None
        shown_in = {case for case, place in self.explained[best[0]] if place != RAISED}
        if 3 * len(shown_in) < len(self.failing) or (len(shown_in) < 2 < len(self.failing)):
            return None
        return self._leaving(best[0])

    def _leaving(self, name: str) -> Diagnosis:
        explained = self.explained[name]
        left = frozenset(case for case, place in self.wrong if (case, place) not in explained)
        untouched = left - {case for case, _ in explained}
        return Diagnosis(self.known.said[name], unexplained=untouched or left)

    def _belied(self, name: str) -> bool:
        """Whether a case that was not looked at is right and would not be, had this mistake been made."""
        for case in sorted(set(range(len(self.seen))) - set(self.cases)):
            right, facts = self.known.facts(RIGHT, case), self.known.facts(name, case)
            if right is not None and facts is not None and self.seen[case].parts == right.parts != facts.parts:
                return True
        return False

    def _may_be(self, deviates: Mapping[Fact, str]) -> bool:
        """Whether the answer is wrong wherever this mistake would make it wrong."""
        return all(
            (case, place) in self.wrong or self.seen[case].raised or self.seen[case].parts.get(place) == mark
            for (case, place), mark in deviates.items()
        )

    def _against_right(self, does: Mapping[int, Facts]) -> dict[Fact, str]:
        wrong: dict[Fact, str] = {}
        for case, facts in does.items():
            right = self.known.facts(RIGHT, case)
            places = {} if right is None else right.parts
            if facts.raised:
                if facts.parts != places:  # where an exception is wanted, it is no deviation
                    wrong[case, RAISED] = facts.parts[RAISED]
                continue
            missing = places if places.keys() & facts.parts.keys() else {}  # nothing is missing in quite another record
            for place in {**missing, **facts.parts}:
                if facts.parts.get(place) != places.get(place):
                    wrong[case, place] = facts.parts.get(place, "")
        return wrong
