"""`python -m minitorch.course.grading.autograder /autograder`: what judges a submission on Gradescope.

It reads `submission/`, and what `minitorch grade autograder` laid into `source/`; it writes `results/results.json`,
whatever happens. What it prints is for the instructor.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from minitorch.course.grading import exports, keys, run, settings
from minitorch.course.grading.crew import Processes
from minitorch.course.grading.points import book
from minitorch.course.grading.store import Store
from minitorch.course.grading.submissions import read_student
from minitorch.course.sandbox import tiers
from minitorch.language import Message
from minitorch.serialization.atomic import write_atomically

MOST_METADATA = 1 << 20


def results(home: Path) -> dict[str, Any]:
    """Judge what is in `submission/`. Raises whatever stands in the way."""
    source = home / "source"
    file = source / "course.toml"
    own = source / "own" if (source / "own").is_dir() else None
    course = settings.without_times(settings.read(file, own)) if file.is_file() else settings.Settings()
    lessons = course.graded_lessons((source / "lessons").read_text(encoding="utf-8").strip().split(","))
    intake = read_student(home / "submission", student(home), lessons)
    tier = tiers.best()
    sys.stdout.write(f"sandbox: {tier}\n")
    plan = run.Plan(lessons, keys.parsed((source / "key").read_text(encoding="ascii")), tier, own=course.own)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "grades.sqlite") as store:
        store.take(intake)
        crew = Processes(1)
        try:
            for step in run.grade(plan, store, crew, run.to_do(plan, store, intake.hand_ins)):
                if step.failure:
                    sys.stdout.write(f"{step.hand_in.lesson}: {step.failure}\n")
        finally:
            crew.close()
        made = book(course, lessons, store)
    found = exports.as_gradescope(made.students[0], course.language)
    notes = [f"{note.place}: {note.reason.to(course.language)}".removeprefix(": ") for note in made.notes]
    found["output"] = "\n".join([found["output"], *map(exports.plain, notes)])
    return found


def student(home: Path) -> str:
    """Whose submission it is, by Gradescope's number; the same for everybody where it does not say."""
    try:
        with (home / "submission_metadata.json").open("rb") as file:
            users = json.loads(file.read(MOST_METADATA))["users"]
        return "-".join(sorted(str(int(user["id"])) for user in users)) or "student"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "student"


def main(home: Path) -> None:
    """Judge, and write the results."""
    try:
        found = results(home)
    except Exception as error:  # noqa: BLE001 - without results Gradescope shows nothing at all
        sys.stdout.write(f"{type(error).__name__}: {error}\n")
        found = {
            "score": 0,
            "output": Message(
                "The submission could not be judged. Your instructor sees why; hand it in again later."
            ).to("en"),
            "stdout_visibility": "hidden",
            "tests": [],
        }
    folder = home / "results"
    folder.mkdir(exist_ok=True)
    write_atomically(folder / "results.json", json.dumps(found, indent=1).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
