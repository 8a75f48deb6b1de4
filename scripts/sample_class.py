"""A class to try grading with: `python scripts/sample_class.py FOLDER`, 40 students who hand in lessons 01 to 04.

Each answer is the solution's or, the more often the weaker a student is, a known mistake of the exercise or the empty
stub. Some hand nothing in, one a file that is cut off, one a file that never ends. The same command makes the same
class. `--students 1000 --lessons all` makes another one.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.files.stubs import stub_source
from minitorch.course.judging.mistakes import WrongVersion, of_exercise
from minitorch.course.manifest import Lesson

FIRST = [
    *("Ana", "Ben", "Chloé", "Dimitri", "Elif", "Femi", "Greta", "Hugo", "Inés", "João"),
    *("Kaya", "Luis", "Mei", "Nour", "Olga", "Priya", "Quim", "Rosa", "Sven", "Tomás"),
]
LAST = ["Abad", "Brandt", "Costa", "Diallo", "Eriksen", "Fuentes", "García", "Horváth"]
ABSENT, EMPTY = 0.06, 0.1  # how often a lesson is not handed in; how often an exercise is left as it is
CUT_OFF, ENDLESS = 7, 19  # the students with a file that is broken


def students(count: int) -> list[str]:
    """So many names, no two alike."""
    names = [f"{first} {last}" for last in LAST for first in FIRST]
    return [names[at % len(names)] + (f" {at // len(names) + 1}" if at >= len(names) else "") for at in range(count)]


def answers(lesson: Lesson, skill: float, chance: random.Random, known: dict[str, list[WrongVersion]]) -> str:
    """A file of somebody who knows so much of it, from 0 to 1."""
    source, stub = lesson.solution_source(), stub_source(lesson)
    for exercise in lesson.exercises:
        if chance.random() < skill:
            continue
        if chance.random() < EMPTY or not known[exercise.name]:
            text = source_code.text_of(stub, exercise.target)
        else:
            text = chance.choice(known[exercise.name]).source
        source = source_code.replace(source, exercise.target, text)
    return source


def hand_ins(names: list[str], lessons: tuple[Lesson, ...], seed: int) -> Iterator[tuple[str, str, str]]:
    """Yield who hands in what: the student, the file's name, its text."""
    chance = random.Random(seed)
    known = {each.name: list(of_exercise(lesson, each)) for lesson in lessons for each in lesson.exercises}
    for number, name in enumerate(names):
        skill = chance.betavariate(4, 1.5)
        for lesson in lessons:
            if chance.random() < ABSENT:
                continue
            text = answers(lesson, skill, chance, known)
            if number == CUT_OFF:
                text = text[: len(text) // 2]
            if number == ENDLESS:
                text += "\n\nwhile True:\n    pass\n"
            yield name, lesson.file_name, text


def main() -> None:
    """Write the class."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--lessons", default="01,02,03,04", help="numbers with commas between, or all")
    parser.add_argument("--each", action="store_true", help="of all these lessons each student hands in one, in turn")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    course = manifest.load()
    lessons = course.lessons if asked.lessons == "all" else course.named_lessons(asked.lessons.split(","))
    if asked.folder.exists() and any(asked.folder.iterdir()):
        parser.error(f"{asked.folder} holds something already: name a new folder")
    turn = {name: lessons[at % len(lessons)].file_name for at, name in enumerate(students(asked.students))}
    count = 0
    for name, file, text in hand_ins([*turn], lessons, asked.seed):
        if asked.each and turn[name] != file:
            continue
        path = asked.folder / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        count += 1
    print(f"{asked.folder}: {count} files of {len(turn)} students")


if __name__ == "__main__":
    main()
