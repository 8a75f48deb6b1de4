"""Checking the learner's files on disk: what `check`, `minitorch check` and `pytest exercises/` all go through."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from minitorch.course.course_error import CourseError
from minitorch.course.files.course_folder import first_time, private_folder, read_exercises, sweep
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.source_code import is_written
from minitorch.course.judging.checks import load_checks
from minitorch.course.judging.judge import FileJudge, Runs
from minitorch.course.judging.met import Met
from minitorch.course.judging.progress import Progress, Record
from minitorch.course.judging.verdict import Verdict
from minitorch.course.manifest import Course, Exercise, Lesson
from minitorch.course.sandbox.platforms import Platform
from minitorch.language import Message

MakeRuns = Callable[[Lesson, LearnerFile], Runs]


@dataclass
class Session:
    """One look at a course folder."""

    course: Course
    folder: Path
    runs: MakeRuns | None = None  # another way to run the learner's code than a child
    progress: Progress = field(init=False)

    def __post_init__(self) -> None:
        sweep(self.folder)
        self.progress = Progress(private_folder(self.folder) / "progress")

    def check(self, exercises: Iterable[Exercise]) -> Iterator[Verdict]:
        """Judge exercises as the files are now, one child per file, and save each verdict.

        Raises CourseError when no exercise is asked for: nothing checked is nothing passed.
        """
        asked = list(exercises)
        if not asked:
            raise CourseError("there is no exercise to check")
        if self.runs is None and not Platform.here().processes and first_time(self.folder, "browser"):
            self.progress.notes.append(
                Message(
                    "in the browser your code runs beside the course: an endless loop is stopped and its "
                    "line named, but a hang inside one call of NumPy, memory and isolation are not "
                    "covered; should the kernel stop answering, restart it"
                )
            )
        for number, group in itertools.groupby(asked, key=lambda exercise: exercise.lesson):
            lesson = self.course.lesson(number)
            file = read_exercises(self.folder, lesson)
            with FileJudge(lesson, file, runs=self.runs(lesson, file) if self.runs else None) as judge:
                for exercise in group:
                    yield self.judge_and_save(judge, exercise)

    def judge_and_save(self, judge: FileJudge, exercise: Exercise) -> Verdict:
        """Judge one exercise of an open file and save the verdict."""
        verdict = judge.verdict(exercise.name)
        self.progress.write(verdict, judge.file.sha256, judge.checks[exercise.name].version)
        Met(self.folder).note(verdict)
        return verdict

    def status(self, lessons: Iterable[Lesson] | None = None) -> list[Verdict]:
        """The verdicts on some lessons, or on the whole course.

        Saved ones where nothing has changed since, new ones elsewhere.
        """
        verdicts = []
        for lesson in self.course.lessons if lessons is None else lessons:
            file = read_exercises(self.folder, lesson)
            checks = load_checks(lesson)
            stale = []
            for exercise in lesson.exercises:
                record = self.progress.read(exercise.name)
                if record is None or not _holds(record, file, checks[exercise.name].version):
                    stale.append(exercise)
                else:
                    verdicts.append(record.verdict)
            if stale:
                verdicts += self.check(stale)
        order = {exercise.name: index for index, exercise in enumerate(self.course.exercises)}
        return sorted(verdicts, key=lambda verdict: order[verdict.exercise])

    def known(self) -> dict[str, Record]:
        """The records that still hold, by exercise name; nothing is judged."""
        return {name: each for lesson in self.course.lessons for name, each in self.records(lesson).items()}

    def records(self, lesson: Lesson) -> dict[str, Record]:
        """The records of one lesson that still hold, by exercise name; nothing is judged."""
        file, checks = read_exercises(self.folder, lesson), load_checks(lesson)
        found = {exercise.name: self.progress.read(exercise.name) for exercise in lesson.exercises}
        return {name: each for name, each in found.items() if each and _holds(each, file, checks[name].version)}

    def passed_before(self, lesson: Lesson) -> set[str]:
        """The exercises that passed when they were last judged, however their file has changed since.

        Those whose definition says by now that it is not written are left out; nothing is judged.
        """
        source = read_exercises(self.folder, lesson).source
        last = {each: self.progress.read(each.name) for each in lesson.exercises}
        return {
            each.name
            for each, record in last.items()
            if record is not None and record.verdict.passed and is_written(source, each.target)
        }

    def current_lesson(self) -> Lesson:
        """The first lesson in which something required is open; the last one when nothing is."""
        more = self.course.more_names
        open_lessons = {each.lesson for each in self.status() if not each.passed and each.exercise not in more}
        for lesson in self.course.lessons:
            if lesson.number in open_lessons:
                return lesson
        if not self.course.lessons:
            raise CourseError("the course holds no lesson")
        return self.course.lessons[-1]

    def notes(self, lang: str) -> list[str]:
        """What went wrong on the side, in words."""
        return [note.to(lang) for note in self.progress.notes]


def _holds(record: Record, file: LearnerFile, version: str) -> bool:
    return file.problem is None and record.file_sha256 == file.sha256 and record.check_version == version
