"""`pytest exercises/`: one item per exercise, the same verdict as `minitorch check`, and no learner's code in pytest.

Files called `lesson_NN_slug.py` (a checkpoint's: `lesson_C1_slug.py`) in a folder called `exercises` are collected
without being imported. For all other files the plugin does nothing, and it imports the rest of the course only when it
meets such a file.

    pytest exercises/                          every exercise
    pytest exercises/ -m lesson_03             one lesson; the markers are registered, so --strict-markers is content
    pytest exercises/ -m "lesson_03 or lesson_04"
    pytest exercises/ --junitxml=report.xml    a report for a teacher, or for what collects marks

The report holds one test case for each exercise of every lesson, whatever the folder holds. The
name is the exercise's. The classname ends in the lesson's file, `exercises.lesson_02_backward`; folders before it tell
learners apart. The message is the verdict in one line; the text of the failure is all of it. The properties:

    minitorch lesson           "03"
    minitorch verdict          "passed", "passed, but", "not started", "wrong", "error", "timeout", "out of memory"
    minitorch required         "yes", or "no" for an exercise beyond the lesson's core
    minitorch points           what the exercise counts
    minitorch points earned    the same when it has passed, 0 otherwise
    minitorch misconception    the id of the mistake, where it has a name
    minitorch remark           what "passed, but" is followed by
    minitorch note             what went wrong on the side, such as progress that could not be saved

The report tells a teacher what was reached at home. It vouches for no mark: here a file that imports the course's own
engine passes some exercises, and one that runs the solution passes all. `minitorch grade run` is what marks a class.

JUnit knows no fourth result besides passed, failed and skipped. An exercise that is not started counts as failed there,
as it does for pytest's exit code; its verdict, and its message without a diagnosis, tell it from a wrong answer.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from minitorch.course import pytest_guard

if TYPE_CHECKING:
    from minitorch.course.judging.judge import FileJudge
    from minitorch.course.judging.verdict import Verdict
    from minitorch.course.manifest import Exercise, Lesson
    from minitorch.course.session import Session

KIND, REMARK, NOTE = "minitorch verdict", "minitorch remark", "minitorch note"  # properties of a report
LESSON, MISCONCEPTION = "minitorch lesson", "minitorch misconception"
REQUIRED, POINTS, EARNED = "minitorch required", "minitorch points", "minitorch points earned"
JUDGED: pytest.StashKey[list[tuple[Session, Verdict]]] = pytest.StashKey()
NOT_STARTED = "not started"
LISTED = 12  # so many exercises that are not started get a line each; more of them share one per lesson


def pytest_configure(config: pytest.Config) -> None:
    """Register one marker per lesson, `lesson_01`, from the folders' names alone."""
    lessons = Path(__file__).with_name("lessons")
    for folder in sorted(lessons.glob("lesson_*")):
        number = folder.name.split("_")[1]
        config.addinivalue_line("markers", f"lesson_{number}: the exercises of lesson {number}")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Stop before pytest runs a learner's `conftest.py` or goes by settings of theirs."""
    here = early_config.invocation_params.dir
    named = early_config.known_args_namespace.file_or_dir or early_config.getini("testpaths") or ["."]
    for course in pytest_guard.courses((here / name.partition("::")[0]).resolve() for name in named):
        pytest_guard.stop_at_settings(course, early_config.inipath)


@pytest.hookimpl(tryfirst=True)
def pytest_make_collect_report(collector: pytest.Collector) -> None:
    """Stop before pytest runs the `conftest.py` of a folder that it goes into."""
    if isinstance(collector, pytest.Directory):
        for folder in (collector.path, collector.path / "exercises"):
            if pytest_guard.is_exercises(folder):
                pytest_guard.stop_at_conftest(collector.path)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Stop before anything is judged in a process that has run a learner's code."""
    if any(isinstance(item, ExerciseItem) for item in items):
        from minitorch.course.cards.stand_ins import use_stand_ins

        use_stand_ins(sys.__stdout__)  # where pytest writes: sys.stdout may be what it captures
    for course in dict.fromkeys(item.path.parent.parent for item in items if isinstance(item, ExerciseItem)):
        pytest_guard.stop_at_settings(course, config.inipath)
        pytest_guard.stop_at_code(course.resolve())


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a folder of exercises, and never import the `__init__.py` of a course folder."""
    if pytest_guard.is_exercises(path) and not _only_others_are_asked_for(path, parent.config):
        return ExercisesFolder.from_parent(parent, path=path)
    return pytest.Dir.from_parent(parent, path=path) if pytest_guard.is_exercises(path / "exercises") else None


def _only_others_are_asked_for(exercises: Path, config: pytest.Config) -> bool:
    """Whether the command line names files beside the lessons and nothing else of this folder."""
    here = config.invocation_params.dir
    named = [Path(here, name.partition("::")[0]).resolve() for name in config.args]
    beside = [each for each in named if each.parent == exercises and not pytest_guard.LESSON_FILE.fullmatch(each.name)]
    return bool(beside) and not any(each not in beside and _reaches(each, exercises) for each in named)


def _reaches(path: Path, folder: Path) -> bool:
    return path == folder or path in folder.parents or folder in path.parents


class ExercisesFolder(pytest.Directory):
    """A learner's folder of exercises: the lessons of the course, whether their files are there or not."""

    def collect(self) -> Iterator[LessonFile]:
        """Yield every lesson of the manifest; other files are not run beside the judge."""
        from minitorch.course import manifest

        for lesson in manifest.load().lessons:
            path = self.path / lesson.file_name
            if self.session.isinitpath(path) or not self.ihook.pytest_ignore_collect(
                collection_path=path, config=self.config
            ):
                yield LessonFile.from_parent(self, path=path, lesson=lesson)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Take the exercises' files out of the hands of everyone who would import them."""
    found = yield
    if file_path.parent.name != "exercises" or not pytest_guard.LESSON_FILE.fullmatch(file_path.name):
        return found
    lesson = _lesson(file_path)
    if lesson is None:
        return found
    return [LessonFile.from_parent(parent, path=file_path, lesson=lesson)]


def _lesson(path: Path) -> Lesson | None:
    from minitorch.course import manifest

    return next((lesson for lesson in manifest.load().lessons if lesson.file_name == path.name), None)


class LessonFile(pytest.File):
    """One file of the learner's; its exercises share one child process."""

    def __init__(self, *, lesson: Lesson, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.lesson = lesson
        self._judge: FileJudge | None = None
        self._session: Session | None = None

    def collect(self) -> Iterator[ExerciseItem]:
        """Yield one item per exercise of the manifest, whatever the file defines."""
        from minitorch.course.files.chosen import speak_as_chosen

        speak_as_chosen(self.path.parent.parent)
        for exercise in self.lesson.exercises:
            yield ExerciseItem.from_parent(self, name=exercise.name, exercise=exercise)

    def verdict(self, exercise: Exercise) -> tuple[Verdict, list[str]]:
        """Judge one exercise; return the verdict and what went wrong on the side."""
        from minitorch.course import manifest
        from minitorch.course.cards.hint_log import HintLog
        from minitorch.course.files.course_folder import read_exercises
        from minitorch.course.judging.judge import FileJudge
        from minitorch.course.session import Session
        from minitorch.language import language

        if self._judge is None or self._session is None:
            folder = self.path.parent.parent
            self._session = Session(manifest.load(), folder)
            self._judge = FileJudge(self.lesson, read_exercises(folder, self.lesson))
        verdict = self._session.judge_and_save(self._judge, exercise)
        HintLog(self._session.folder).saw(self._session.course, [verdict])
        self.config.stash.setdefault(JUDGED, []).append((self._session, verdict))
        return verdict, self._session.notes(language())

    def teardown(self) -> None:
        """End the child."""
        if self._judge is not None:
            self._judge.close()
            self._judge = None


class ExerciseItem(pytest.Item):
    """One exercise."""

    def __init__(self, *, exercise: Exercise, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.exercise = exercise
        self.add_marker(f"lesson_{exercise.lesson}")

    def runtest(self) -> None:
        """Judge the exercise; anything but a pass fails the item."""
        from minitorch.course.cards.report import headline
        from minitorch.language import language

        assert isinstance(self.parent, LessonFile)
        verdict, notes = self.parent.verdict(self.exercise)
        earned = self.exercise.points if verdict.passed else 0
        self.user_properties += [(LESSON, verdict.lesson), (KIND, verdict.kind.value)]
        self.user_properties.append((REQUIRED, "yes" if self.exercise.required else "no"))
        self.user_properties += [(POINTS, self.exercise.points), (EARNED, earned)]
        if verdict.diagnosis is not None:
            self.user_properties.append((MISCONCEPTION, verdict.diagnosis))
        self.user_properties += [(NOTE, note) for note in notes]
        if not verdict.passed:
            raise NotPassed(verdict)
        if verdict.reason:
            self.user_properties.append((REMARK, headline(verdict, language())))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the verdict in place of a traceback."""
        if isinstance(excinfo.value, NotPassed):
            return Shown(str(excinfo.value), Headline(excinfo.value.headline))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Name the exercise in headings."""
        return self.path, None, self.exercise.name


class NotPassed(Exception):  # noqa: N818 - a verdict, not an error
    """An exercise has not passed; its text is the verdict."""

    def __init__(self, verdict: Verdict) -> None:
        from minitorch.course.cards.report import blocks, headline
        from minitorch.language import language

        super().__init__("\n".join(blocks([verdict], language())[0].text_lines()))
        self.headline = headline(verdict, language())


@dataclass(frozen=True)
class Headline:
    """The verdict in one line: pytest's short summary and the message in a JUnit report."""

    message: str

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Shown:
    """A verdict with the attributes that pytest asks what is shown of a failure for."""

    text: str
    reprcrash: Headline

    def __str__(self) -> str:
        return self.text

    def toterminal(self, tw: Any) -> None:
        """Write the verdict, as it is."""
        for line in self.text.splitlines():
            tw.line(line)


def pytest_report_teststatus(report: pytest.CollectReport | pytest.TestReport) -> tuple[str, str, str] | None:
    """Give exercises that are not started a letter of their own, and no room among the failures."""
    if report.when == "call" and _property(report, KIND) == [NOT_STARTED]:
        return NOT_STARTED, "n", NOT_STARTED.upper()
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell one line per exercise that is not started, and what else there is to say about the exercises."""
    reports = terminalreporter.stats.get(NOT_STARTED, [])
    remarks = [remark for report in terminalreporter.stats.get("passed", []) for remark in _property(report, REMARK)]
    every = [report for listed in terminalreporter.stats.values() for report in listed]
    notes = sorted({note for report in every for note in _property(report, NOTE)})
    lines = [*_not_started(reports), *remarks, *notes, *_following(terminalreporter.config.stash.get(JUDGED, []))]
    if lines:
        terminalreporter.write_sep("=", "exercises")
        for line in lines:
            terminalreporter.write_line(line)


def _not_started(reports: Sequence[pytest.TestReport]) -> list[str]:
    from minitorch.course.judging.verdict import SIGNS, Kind
    from minitorch.language import language

    kind = Kind.NOT_STARTED
    names: dict[str, list[str]] = {}
    for report in reports:
        file, _, name = report.nodeid.partition("::")
        names.setdefault(Path(file).name, []).append(name)
    if len(reports) > LISTED:
        listed = [f"{file}: {', '.join(each)}" for file, each in names.items()]
    else:
        listed = [name for each in names.values() for name in each]
    return [f"{SIGNS[kind]} {what}: {kind.to(language())}" for what in listed]


def _following(judged: list[tuple[Session, Verdict]]) -> list[str]:
    """What comes next, where all that was judged belongs to one folder and something of it has passed."""
    from minitorch.course.cards.following import after
    from minitorch.language import language

    if len({session.folder for session, _ in judged}) != 1:
        return []
    coming = after(judged[-1][0], [verdict for _, verdict in judged])
    return [coming.text(language(), terminal=True)] if coming else []


def _property(report: object, name: str) -> list[str]:
    return [value for key, value in getattr(report, "user_properties", []) if key == name]
