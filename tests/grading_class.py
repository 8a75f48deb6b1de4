"""A lesson of an instructor's own, with two exercises, and a class that hands it in."""

from __future__ import annotations

import textwrap
from concurrent.futures import Future
from pathlib import Path

from minitorch.course.grading.courses import course_with, versions
from minitorch.course.grading.judged import Job
from minitorch.course.grading.store import Result
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.language import Message

LESSON = """
number = "T1"
order = 900
slug = "twice"
minutes = 5
prerequisites = ["02"]
title = { en = "Twice", es = "Doble" }
summary = { en = "Two functions.", es = "Dos funciones." }

[[exercise]]
name = "twice_of"
target = "twice_of"
checks = 3
points = 2
asks = { en = "Return twice x.", es = "Devuelve el doble de x." }
hint = [{ en = "What is x + x?", es = "¿Cuánto es x + x?" }, { en = "Multiply by 2.", es = "Multiplica por 2." }]

[[exercise]]
name = "half_of"
target = "half_of"
checks = 2
required = false
asks = { en = "Return half of x.", es = "Devuelve la mitad de x." }
hint = [{ en = "What is x / 2?", es = "¿Cuánto es x / 2?" }]
"""
CHECKS = """
from minitorch.course.judging.checks import exercise, same_number


@exercise("twice_of", limit_s=2)
class Twice:
    def inputs(self, rng):
        return [{"x": 3.0}, {"x": round(float(rng.uniform(1, 9)), 3)}, {"x": -20.0}]

    def observe(learner, x):
        return learner.twice_of(x["x"])

    def judge(self, x, got):
        return same_number(got, 2 * x["x"])


@exercise("half_of", limit_s=2)
class Half:
    def inputs(self, rng):
        return [{"x": 3.0}, {"x": round(float(rng.uniform(1, 9)), 3)}]

    def observe(learner, x):
        return learner.half_of(x["x"])

    def judge(self, x, got):
        return same_number(got, x["x"] / 2)
"""
MISTAKES = """
[[mistake]]
id = "square"
hint = 2
en = "You squared x."
es = "Elevaste x al cuadrado."
change = [["2 * x", "x * x"]]
"""
SOLUTION = '''"""A tiny lesson."""


def twice_of(x):
    """Return twice x."""
    return 2 * x


def half_of(x):
    """Return half of x."""
    return x / 2
'''
# Written from the page "Autograder Specifications" of Gradescope's documentation: the keys there are, and their types.
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
GRADESCOPE = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "integer", "minimum": 0},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "name_format": FORMAT,
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": FORMAT,
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "visibility": VISIBILITY,
                    "extra_data": {"type": "object"},
                },
            },
        },
        "leaderboard": {"type": "array"},
    },
    "anyOf": [
        {"required": ["score"]},
        {"required": ["tests"], "properties": {"tests": {"items": {"required": ["score"]}}}},
    ],
}
NAME = "lesson_T1_twice.py"
SQUARED = SOLUTION.replace("2 * x", "x * x")


def write_own(root: Path) -> Path:
    """Write the lesson below `root`."""
    folder = root / "lessons" / "lesson_T1_twice"
    files = {
        folder / "lesson.toml": LESSON,
        folder / "checks.py": CHECKS,
        folder / "mistakes" / "twice_of.toml": MISTAKES,
        root / "solutions" / NAME: SOLUTION,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def hand_in(folder: Path, **sources: str) -> Path:
    """A folder for each student, with the lesson as they wrote it."""
    for student, source in sources.items():
        (folder / student).mkdir(parents=True, exist_ok=True)
        (folder / student / NAME).write_text(textwrap.dedent(source), encoding="utf-8")
    return folder


def pretend(job: Job, own: Path) -> list[Result]:
    """Verdicts without running anything: an answer that holds its line passes."""
    known = versions(course_with(own).lesson(job.lesson))
    lines = {"twice_of": "2 * x", "half_of": "x / 2"}
    return [pretended(name, known[name], lines[name] in job.source) for name in job.exercises]


def pretended(name: str, version: str, passed: bool) -> Result:
    kind, asks = Kind.PASSED if passed else Kind.WRONG, Message.of({"en": "Return it.", "es": "Devuélvelo."})
    reason = Message("") if passed else Message.of({"en": "You squared x.", "es": "Elevaste x al cuadrado."})
    diagnosis = None if passed else "square"
    return Result(name, version, Verdict(name, "T1", kind, reason, asks, diagnosis=diagnosis), 0.5, (), "none")


class Here:
    """A crew of nobody: whoever submits a job judges it."""

    width = 2

    def __init__(self, judge) -> None:
        self.judge = judge
        self.jobs: list[Job] = []
        self.renewed = 0

    def submit(self, job):
        self.jobs.append(job)
        future: Future = Future()
        try:
            future.set_result(self.judge(job))
        except BaseException as error:  # noqa: BLE001
            future.set_exception(error)
        return future

    def check(self):
        pass

    def renew(self):
        self.renewed += 1

    def close(self):
        pass
