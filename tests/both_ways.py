"""A file's exercises, observed both ways: by a driver in the learner's process, and by a remote one.

    python tests/both_ways.py 05 multiply                 # the solution and every known-wrong version of an exercise
    python tests/both_ways.py 05 multiply my_answer.py    # a file of your own

Each difference is printed; with `MINITORCH_PATIENCE=5` a busy machine makes none.
"""

from __future__ import annotations

import argparse
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from minitorch.course import manifest
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.checks import Check, Wrong, load_checks
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.mistakes import full_source, of_exercise
from minitorch.course.manifest import Exercise, Lesson
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.sandbox.remote.runner import RemoteRunner
from minitorch.course.sandbox.runner import Runner

FILE = "lesson_01_tiny.py"


def check(body: str, limit_s: float = 5.0, name: str = "same") -> Any:
    """A check whose driver has this body, for tests that judge nothing."""
    text = "def observe(learner, x):\n" + textwrap.indent(body, "    ")
    shipped = {"observe": text, "observe_name": "observe", "given": "", "given_name": ""}
    return SimpleNamespace(exercise=SimpleNamespace(name=name, target="same"), limit_s=limit_s, **shipped)


def outcomes(runner: Runner, check: Check) -> list[Outcome]:
    """What the check's cases come to, up to one that ends the child."""
    found = []
    for x in check.cases():
        found.append(runner.call(check, x))
        if found[-1].ended_the_child or found[-1].loading:
            break
    return found


def seen(outcome: Outcome) -> tuple[object, ...]:
    """What a verdict can depend on. Where a recursion that is too deep was cut off depends on what lies below it."""
    deep = outcome.error == "RecursionError" or outcome.kind == "timeout"
    places = () if deep else tuple((frame.line, frame.function) for frame in outcome.frames)
    text = "" if deep else outcome.text
    what = (outcome.mark(), outcome.kind, outcome.error, text, places)
    return (*what, outcome.patched, outcome.loading, outcome.printed, outcome.code)


def is_right(check: Check, x: Any, outcome: Outcome) -> bool:
    """Whether the judge finds nothing wrong: right values may differ, as an order that hangs on addresses does."""
    if outcome.kind != "value" or outcome.patched:
        return False
    try:
        return not isinstance(check.judge(x, outcome.value, outcome.printed), Wrong)
    except Exception:  # noqa: BLE001 - a value so odd that the judge stumbles over it is not a right one
        return False


def differences(lesson: Lesson, exercise: Exercise, source: str) -> list[str]:
    """In what the two ways differ, case by case.

    Where an answer that hangs on chance does not do the same twice, its two verdicts are compared.
    """
    check = load_checks(lesson)[exercise.name]
    with Runner(source, lesson.file_name) as here, RemoteRunner(source, lesson.file_name) as afar:
        rows = zip(check.cases(), outcomes(here, check), outcomes(afar, check), strict=False)
        found = []
        for number, (x, *pair) in enumerate(rows):
            if not all(is_right(check, x, outcome) for outcome in pair):
                one, other = (seen(check.compared(x, outcome)) for outcome in pair)
                found += [f"case {number}: {a!r} here, {b!r} afar" for a, b in zip(one, other, strict=True) if a != b]
        if found and verdict(lesson, exercise, source, here) == verdict(lesson, exercise, source, afar):
            return []
        return found


def verdict(lesson: Lesson, exercise: Exercise, source: str, runner: Runner) -> tuple[object, ...]:
    """What a learner is told."""
    with FileJudge(lesson, LearnerFile.of(source, lesson.file_name), runs=runner) as judge:
        told = judge.verdict(exercise.name)
    return (told.kind, told.diagnosis)


def sources(lesson: Lesson, exercise: Exercise) -> Iterator[tuple[str, str]]:
    """The solution and every known-wrong version of an exercise: name and text."""
    yield "the solution", lesson.solution_source()
    for one in of_exercise(lesson, exercise):
        yield one.id, full_source(lesson, one)


def main() -> None:
    """Print the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lesson")
    parser.add_argument("exercise", nargs="?")
    parser.add_argument("file", nargs="?", type=Path)
    asked = parser.parse_args()
    lesson = next(each for each in manifest.load().lessons if each.number == asked.lesson)
    for exercise in lesson.exercises:
        if asked.exercise in (None, exercise.name):
            own = [(str(asked.file), asked.file.read_text(encoding="utf-8"))] if asked.file else None
            for name, source in own or sources(lesson, exercise):
                start = time.perf_counter()
                found = differences(lesson, exercise, source)
                took = time.perf_counter() - start
                print(f"{exercise.name}: {name}: {'the same' if not found else 'DIFFERS'}, both in {took:.2f} s")
                for each in found:
                    print(f"    {each[:400]}")


if __name__ == "__main__":
    main()
