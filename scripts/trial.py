"""Judge a set of answers that were written without a look at the checks, and print what each learner would read.

    python scripts/trial.py answers.toml [EXERCISE ...]

The file holds `[[answer]]` tables: `exercise`, `code` (the whole definition; `before`, if there is any, stands above
it) and `slips`, what the author did wrong in the author's words; a right answer has none. Each is laid into the
lesson's solution and judged in a child, as `minitorch check` would.
"""

from __future__ import annotations

import argparse
import collections
import time
import tomllib
from pathlib import Path

from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Verdict


def main() -> None:
    """Judge the answers of the files named on the command line."""
    parser = argparse.ArgumentParser(description="Judge answers written without a look at the checks.")
    parser.add_argument("file", type=Path, help="a TOML file with [[answer]] tables")
    parser.add_argument("exercise", nargs="*", help="judge the answers to these exercises only")
    parser.add_argument("--brief", action="store_true", help="print the first line of each verdict only")
    asked = parser.parse_args()
    counted: collections.Counter[str] = collections.Counter()
    times = []
    for number, answer in enumerate(tomllib.loads(asked.file.read_text(encoding="utf-8"))["answer"]):
        if asked.exercise and answer["exercise"] not in asked.exercise:
            continue
        start = time.perf_counter()
        verdict = judged(answer)
        times.append(time.perf_counter() - start)
        named = "named" if verdict.diagnosis else verdict.kind.value
        counted[f"{named}, {len(answer.get('slips', []))} slips"] += 1
        print(f"--- {number} {answer['exercise']} [{named}] {'; '.join(answer.get('slips', []))}")
        print_verdict(verdict, brief=asked.brief)
    for kind, count in sorted(counted.items()):
        print(f"{count:5} {kind}")
    if times:
        print(f"seconds: median {sorted(times)[len(times) // 2]:.2f}, longest {max(times):.2f}")


def judged(answer: dict[str, str]) -> Verdict:
    """The verdict on one answer, everything else in its file being right."""
    course = manifest.load()
    exercise = course.exercise(answer["exercise"])
    lesson = course.lesson_of(exercise)
    source = source_code.replace(lesson.solution_source(), exercise.target, answer["code"])
    if before := answer.get("before"):
        span = source_code.find(source, exercise.target.split(".")[0])
        assert span is not None
        lines = source_code.lines_of(source)
        source = "".join([*lines[: span.first - 1], before.strip("\n") + "\n\n\n", *lines[span.first - 1 :]])
    with FileJudge(lesson, LearnerFile.of(source, lesson.file_name)) as judge:
        return judge.verdict(exercise.name)


def print_verdict(verdict: Verdict, *, brief: bool) -> None:
    """What a learner reads."""
    print(f"    {verdict.kind.value} {verdict.diagnosis or ''} {verdict.also or ''}: {verdict.reason.to('en')}")
    if brief:
        return
    place = f"{verdict.place.line}: {verdict.place.source.strip()}" if verdict.place else None
    shown = {
        "input": verdict.line or verdict.input,
        "expected": verdict.expected,
        "got": verdict.got,
        "at": place,
        "finding": verdict.finding and verdict.finding.to("en"),
        "hint": verdict.hint and verdict.hint.to("en"),
    }
    for label, text in shown.items():
        if text:
            print(f"        {label}: {text}")


if __name__ == "__main__":
    main()
