"""What known-wrong versions do, case by case: read where that is known, and run where it is not.

One child serves them all: it is our own code. A case is run when it is asked for, for several versions at once, so a
version that differs from the learner's answer at the first look costs one call. The next exercise has a child of its
own, which is a copy of one that has loaded NumPy (`for_versions`). What was seen is remembered in a file, under a hash
of all that it depends on; an installed course carries it (`known_mistakes.py`), and runs nothing.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from minitorch.course.files import source_code
from minitorch.course.judging import known_mistakes, mistakes
from minitorch.course.judging.checks import PUBLIC_SEED, Check, is_cut
from minitorch.course.judging.facts import Facts, facts_of
from minitorch.course.judging.mistakes import Mistake, WrongVersion
from minitorch.course.manifest import Lesson
from minitorch.course.sandbox.limits import Limits
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.sandbox.platforms import Platform, runner_for
from minitorch.serialization.atomic import write_atomically

if TYPE_CHECKING:
    from minitorch.course.sandbox.runner import Runner

T = TypeVar("T")
RIGHT = ""  # the name of the solution among the versions
TOGETHER = 16  # so many run at one request: what is asked one by one waits for two processes each time
LIMIT_S = 0.25  # for one call of a version: none needs a tenth of it, unless it hangs
SLOWER = 4  # a browser's Python
READY = "import numpy"  # a text of ours that is loaded before any version


def for_versions() -> Runner:
    """What can run known-wrong versions, of any exercise; it starts a process when it is first asked. To be closed."""
    return runner_for(READY, "versions.py")


class Behaviours:
    """What the versions of one exercise do. A version is an id, two ids joined by "+", or RIGHT for the solution."""

    def __init__(
        self,
        lesson: Lesson,
        check: Check,
        cache: Path | None = None,
        seed: int = PUBLIC_SEED,
        runner: Runner | None = None,
    ) -> None:
        self.lesson, self.check = lesson, check
        table = known_mistakes.read(lesson) if seed == PUBLIC_SEED else None
        self.runs = lesson.solution.is_file() and bool(mistakes.files_of(lesson))
        self.said: Mapping[str, Mistake] = {}
        self._path = (
            cache / f"{check.exercise.name}.json"
            if cache and self.runs and table is None and seed == PUBLIC_SEED
            else None
        )
        if table is not None:
            self.said = table.mistakes[check.exercise.name]
            as_here = {case for case, x in enumerate(check.cases(seed)) if not is_cut(x)}
            rows = table.seen[check.exercise.name].items()
            self._seen = {name: {case: seen[case] for case in as_here & seen.keys()} for name, seen in rows}
        else:
            self.said = {one.id: one for one in self._versions}
            self._seen = _read(self._path, self._version()) if self._path else {}
        self._known = sum(map(len, self._seen.values()))
        self.cases = check.cases(seed)
        self._targets = [each.target for each in lesson.exercises if each.name != check.exercise.name]
        self._lent, self._runner = runner is not None, runner or for_versions()
        self._hung: dict[str, set[int]] = {}  # the cases in which a version did not end in time
        slower = 1 if Platform.here().processes else SLOWER
        self._limit_s = min(check.limit_s, LIMIT_S * slower) * Limits.of_this_machine().patience

    @classmethod
    @contextmanager
    def opened(
        cls,
        lesson: Lesson,
        check: Check,
        cache: Path | None = None,
        seed: int = PUBLIC_SEED,
        runner: Runner | None = None,
    ) -> Iterator[Behaviours]:
        """The behaviours of an exercise's versions; at the end the child is gone and what was seen is remembered.

        runner: one of `for_versions`, which serves others afterwards.
        """
        behaviours = cls(lesson, check, cache, seed, runner)
        try:
            yield behaviours
        finally:
            behaviours.close()

    def close(self) -> None:
        """End the child, and remember what was seen."""
        if self._lent:
            self._runner.rest()
        else:
            self._runner.close()
        if self._path and sum(map(len, self._seen.values())) > self._known:
            _write(self._path, self._version(), self._certain())

    @functools.cached_property
    def _versions(self) -> tuple[WrongVersion, ...]:
        return mistakes.of_exercise(self.lesson, self.check.exercise) if self.runs else ()

    def _certain(self) -> dict[str, dict[int, Facts]]:
        """What is worth remembering: on a busy machine a version may run out of time that would have ended."""
        return {
            name: {case: facts for case, facts in seen.items() if case not in self._hung.get(name, ())}
            for name, seen in self._seen.items()
        }

    def names(self) -> list[str]:
        """The single mistakes, the likeliest first."""
        return list(self.said)

    def pairs(self, *, travelling: bool) -> Iterator[tuple[str, str]]:
        """Yield pairs of different mistakes: with one that usually goes along with others, or all the rest.

        Only those whose edits fit together, the likeliest first. There are none where nothing can be run: a table holds
        single mistakes, which explain two by their facts.
        """
        combined = itertools.combinations(enumerate(self._versions), 2)
        for (_, one), (_, other) in sorted(combined, key=lambda pair: pair[0][0] + pair[1][0]):
            if (one.travels or other.travels) is not travelling or one.text == other.text:
                continue
            if mistakes.both(one, other) is not None:
                main, slip = (other, one) if one.travels and not other.travels else (one, other)
                yield main.id, slip.id

    def facts(self, name: str, case: int) -> Facts | None:
        """What the version did in a case; None where that is not known, or where two mistakes do not fit together."""
        self.look([name], case)
        return self._seen[name].get(case)

    def look(self, names: Sequence[str], case: int) -> None:
        """See what several versions do in one case, at once: `facts` then knows."""
        unseen = [name for name in names if case not in self._seen.setdefault(name, {}) and self._may_run(name)]
        definitions = {name: text for name in unseen if (text := self._definition(name)) is not None}
        for name, outcome in self._run(definitions, case).items() if definitions else ():
            self._seen[name][case] = self.facts_of(outcome, case)
            if outcome.kind == "timeout":
                self._hung.setdefault(name, set()).add(case)

    def facts_of(self, outcome: Outcome, case: int) -> Facts:
        """The facts of what an answer did in one case."""
        return facts_of(self.check.compared(self.cases[case], outcome), self._targets)

    def _may_run(self, name: str) -> bool:
        """Whether a version can be run: one that has hung twice is not waited for again, alone or in a pair."""
        return self.runs and all(len(self._hung.get(each, ())) < 2 for each in (name, *name.split("+")))

    def _run(self, definitions: Mapping[str, str], case: int) -> dict[str, Outcome]:
        """Let several definitions run together; where one of them ends the child, the others once more.

        Where it is not certain which one did, each by itself.
        """
        asked, whole = list(definitions.values()), self._original.startswith("class ")
        if whole:
            asked = [source_code.replace(self._solution, self.check.exercise.target, text) for text in asked]
        within = (self._solution, self.lesson.file_name)
        seen = self._runner.many(self.check, self.cases[case], asked, self._limit_s, whole=whole, within=within)
        found = {name: seen[at] for at, name in enumerate(definitions) if at in seen}
        left = {name: text for name, text in definitions.items() if name not in found}
        for others in [left] if found else [{name: text} for name, text in left.items()]:
            found |= self._run(others, case) if others else {}
        return found

    @functools.cached_property
    def _solution(self) -> str:
        """The solution without what is not run."""
        return source_code.bare(self.lesson.solution_source())

    @functools.cached_property
    def _original(self) -> str:
        return source_code.fitted(source_code.text_of(self._solution, self.check.exercise.target), "")

    def _definition(self, name: str) -> str | None:
        """The text that stands for a version in the solution."""
        if name == RIGHT:
            return self._original
        first, _, second = name.partition("+")
        one = self._by_id[first]
        definition = mistakes.both(one, self._by_id[second]) if second else one.source
        return None if definition is None else source_code.fitted(definition, "")

    @functools.cached_property
    def _by_id(self) -> dict[str, WrongVersion]:
        return {one.id: one for one in self._versions}

    def _version(self) -> str:
        solution = hashlib.sha256(self.lesson.solution.read_bytes()).hexdigest()[:16]
        python = f"{sys.version_info[0]}.{sys.version_info[1]}"
        here = f"python {python} numpy {np.__version__} depth {Platform.here().deepest}"
        return f"{self.check.version} solution {solution} {here}"


def batches(versions: Iterable[T]) -> Iterator[list[T]]:
    """Yield the versions in lists that are looked at together."""
    left = iter(versions)
    while batch := list(itertools.islice(left, TOGETHER)):
        yield batch


def shipped(lesson: Lesson, checks: dict[str, Check]) -> bytes:
    """Let every known-wrong version of a lesson run on every case; return the table that a wheel carries."""
    seen: dict[str, dict[str, dict[int, Facts]]] = {}
    for name, check in checks.items():
        with Behaviours.opened(lesson, check) as behaviours:
            for versions in batches([RIGHT, *behaviours.names()]):
                for case in range(check.exercise.checks):
                    behaviours.look(versions, case)
            seen[name] = {version: found for version, found in behaviours._seen.items() if found}
    return known_mistakes.table_of(lesson, seen)


def _read(path: Path, version: str) -> dict[str, dict[int, Facts]]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return known_mistakes.unpacked(data["seen"]) if data["version"] == version else {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}  # not there, or not readable: it is made again


def _write(path: Path, version: str, seen: dict[str, dict[int, Facts]]) -> None:
    data: dict[str, Any] = {"version": version, "seen": known_mistakes.packed(seen)}
    try:
        write_atomically(path, json.dumps(data, separators=(",", ":")).encode())
    except OSError:
        return  # a folder that cannot be written to: the next process works it out again
