"""`minitorch grade`: the commands for whoever teaches a class."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from minitorch.course.cards.report import clean
from minitorch.course.manifest import Exercise
from minitorch.course.spoken import Group, friendly, lang_option
from minitorch.course.texts.error import CourseError
from minitorch.course.texts.messages import say
from minitorch.language import Text, language
from minitorch.serialization.atomic import write_atomically

if TYPE_CHECKING:
    from minitorch.course.grading.crew import Crew
    from minitorch.course.grading.run import Plan, Step
    from minitorch.course.grading.settings import Settings
    from minitorch.course.grading.store import Store
    from minitorch.course.grading.submissions import HandIn, Note

F = TypeVar("F", bound=Callable[..., None])
STORE = "grades.sqlite"
KEY = "key"
CACHE = "cache"
COURSE = Path("course.toml")
NOTES_SHOWN = 20
MOST_WORKERS = 512
STOPPED = 130  # the exit status of what Ctrl-C ended
PATH = click.Path(path_type=Path)

grades_option = click.option(
    "--grades", type=PATH, default=Path("grades"), metavar="PATH", help="Folder of the results; grades if not named."
)
course_option = click.option(
    "--course", type=PATH, metavar="PATH", help="What counts and how much; course.toml if there is one."
)
lessons_option = click.option(
    "--lessons", multiple=True, metavar="LESSON", help="Lessons to grade, such as 01-04,08; may be repeated."
)


def running_options(command: F) -> F:
    """Add what every command that runs submissions has."""
    for option in (
        click.option("--allow-root", is_flag=True, help="Run submissions even as root."),
        click.option("--require-sandbox", is_flag=True, help="Run nothing where no sandbox holds."),
        click.option(
            "--tier",
            type=click.Choice(("fork", "landlock", "bwrap", "none")),
            help="Sandbox to use; the best one that holds here if not named.",
        ),
        click.option("--insecure", is_flag=True, help="Talk to a scheduler over an open network all the same."),
        click.option(
            "--scheduler", metavar="ADDRESS", help="Let the workers of a Dask cluster judge: its scheduler's address."
        ),
        click.option(
            "--workers",
            type=int,
            help="How many processes judge; as many as there are processors if not named.",
        ),
    ):
        command = option(command)
    return command


@click.group(cls=Group)
@lang_option
def grade() -> None:
    """Grade a class: from a folder of submissions to results that stay.

    What was handed in runs apart, in the best sandbox that holds on this machine. What you decide about the course
    (lessons, points, due dates) stands in course.toml, if there is one.
    """


@grade.command()
@click.argument("submissions", type=PATH)
@lessons_option
@grades_option
@course_option
@click.option("--again", is_flag=True, help="Judge again what has a result already.")
@running_options
@lang_option
@friendly
def run(
    submissions: Path,
    lessons: tuple[str, ...],
    grades: Path,
    course: Path | None,
    again: bool,
    workers: int | None,
    scheduler: str | None,
    insecure: bool,
    tier: str | None,
    require_sandbox: bool,
    allow_root: bool,
) -> None:
    """Judge what a class handed in.

    SUBMISSIONS is a folder, or a zip or tar: with a folder or a zip for each student, or with files as Moodle and
    Canvas export them. What has a result is not judged again: after a break the same command goes on from there.
    The exit status is 0 only if everything could be judged.

    \b
        minitorch grade run submissions/
        minitorch grade run submissions.zip --lessons 01-04 --workers 4
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading import run as running
    from minitorch.course.grading.keys import read_or_make
    from minitorch.course.grading.submissions import read_class

    settings = settings_of(course)
    chosen = settings.graded_lessons(lessons)
    _must_not_be_root(allow_root)
    intake = read_class(submissions, chosen)
    _show_notes(intake.notes)
    if not intake.students:
        raise CourseError(say("grade_nobody_there", path=submissions))
    plan = running.Plan(
        chosen,
        read_or_make(made(grades) / KEY),
        tier_of(tier, require_sandbox),
        own=settings.own,
        cache=None if scheduler else grades.absolute() / CACHE,
        again=again,
    )
    with _store(grades) as store:
        store.take(intake)
        work = running.to_do(plan, store, intake.hand_ins)
        _say(
            "grade_found",
            students=len(intake.students),
            files=len(intake.hand_ins),
            lessons=len(chosen),
            left=len(work),
        )
        with closing(crew_of(workers, scheduler, insecure)) as crew:
            steps = judged(plan, store, crew, work)
        results = [
            each for graded in store.graded({lesson.number for lesson in chosen}) for each in graded.results.values()
        ]
    passed = sum(each.verdict.passed for each in results)
    _say("grade_done", file=grades / STORE, passed=passed, all=len(results))
    sys.exit(1 if any(step.failure for step in steps) else 0)


@grade.command()
@click.argument("folder", type=PATH, default=Path("report"))
@lessons_option
@grades_option
@course_option
@lang_option
@friendly
def report(folder: Path, lessons: tuple[str, ...], grades: Path, course: Path | None) -> None:
    """Write pages on the class: which ideas it misses, who needs help, and a page for each student.

    They go into FOLDER, class.html and students/, in the language of course.toml. They are plain HTML without scripts
    and can be printed, or handed back as they are.

    \b
        minitorch grade report
        minitorch grade report week-3 --lessons 05-07
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading.report import write_pages

    settings = settings_of(course)
    with _store(grades, writes=False) as store:
        pages = write_pages(store, settings, settings.graded_lessons(lessons), folder, _language_of(settings, course))
    _say("report_pages", file=pages.file, students=pages.students, folder=pages.file.parent / "students")


@grade.command()
@click.option(
    "--tier", type=click.Choice(("fork", "landlock", "bwrap", "none")), help="Put the corpus through this one."
)
@click.option("--quick", is_flag=True, help="Try the tiers alone, without the corpus.")
@lang_option
@friendly
def doctor(tier: str | None, quick: bool) -> None:
    """Try what the sandboxes of this machine stop.

    Each tier is tried act by act. Then hundreds of files that mean harm or are broken go through the best tier that
    holds, or the one that is named: none may be paid, none may hang, none may leave anything behind. The exit status
    is 0 only if all of it holds.

    \b
        minitorch grade doctor --quick
        minitorch grade doctor --tier landlock
    """  # noqa: D301 - click reads \b as a character
    from rich.console import Console

    from minitorch.course.grading.doctor import examine

    sys.exit(0 if examine(Console(), language(), tier, whole=not quick) else 1)


@grade.command()
@click.option("--exercise", "name", required=True, metavar="NAME", help="The exercise whose check was mended.")
@grades_option
@course_option
@click.option("--again", is_flag=True, help="Judge again what has a result already.")
@running_options
@lang_option
@friendly
def regrade(
    name: str,
    grades: Path,
    course: Path | None,
    again: bool,
    workers: int | None,
    scheduler: str | None,
    insecure: bool,
    tier: str | None,
    require_sandbox: bool,
    allow_root: bool,
) -> None:
    """Judge one exercise of a class anew, after its check was mended.

    What was handed in is read from the results. A result of the check as it is now stays; --again judges that, too.

    \b
        minitorch grade regrade --exercise mul
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading import run as running
    from minitorch.course.grading.keys import read

    settings = settings_of(course)
    exercise = settings.course.exercise(name)
    _must_not_be_root(allow_root)
    with _store(grades) as store:
        before = _passed(store, exercise)
        plan = running.Plan(
            (settings.course.lesson_of(exercise),),
            read(grades / KEY),
            tier_of(tier, require_sandbox),
            own=settings.own,
            cache=None if scheduler else grades.absolute() / CACHE,
            only=frozenset({exercise.name}),
            again=again,
        )
        work = running.to_do(plan, store, store.hand_ins())
        with closing(crew_of(workers, scheduler, insecure)) as crew:
            steps = judged(plan, store, crew, work)
        now = _passed(store, exercise)
    _say("grade_regraded", name=name, count=len(work))
    for key, names in (("grade_pass_now", now - before), ("grade_pass_no_more", before - now)):
        if names:
            _say(key, count=len(names), names=", ".join(sorted(names)))
    sys.exit(1 if any(step.failure for step in steps) else 0)


@grade.command()
@click.argument("form", metavar="FORM", type=click.Choice(("csv", "json", "junit", "gradescope")))
@click.argument("file", type=PATH, required=False, metavar="[FILE]")
@lessons_option
@grades_option
@course_option
@lang_option
@friendly
def export(form: str, file: Path | None, lessons: tuple[str, ...], grades: Path, course: Path | None) -> None:
    """Write points and verdicts for another program: csv, json, junit or gradescope.

    Without FILE they are printed. Of gradescope FILE is a folder, gradescope if not named: a results.json a student.

    \b
        minitorch grade export csv grades.csv
        minitorch grade export gradescope
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading import exports
    from minitorch.course.grading.points import book

    settings = settings_of(course)
    lang = _language_of(settings, course)
    with _store(grades, writes=False) as store:
        made_of = book(settings, settings.graded_lessons(lessons), store)
    if form == "gradescope":
        folder = made(file or Path(form))
        for student in made_of.students:
            data = json.dumps(exports.as_gradescope(student, lang), indent=1)
            _write(folder / f"{exports.file_name(student.student)}.json", data)
        _say("grade_exported", file=folder, count=len(made_of.students))
        return
    forms = {
        "csv": exports.as_csv(made_of),
        "json": exports.as_json(made_of, lang),
        "junit": exports.as_junit(made_of, lang),
    }
    if file is None:
        click.echo(forms[form], nl=False)
    else:
        _write(file, forms[form])
        _say("grade_exported", file=file, count=len(made_of.students))


@grade.command()
@click.argument("file", type=PATH, metavar="FILE")
@lessons_option
@course_option
@lang_option
@friendly
def handout(file: Path, lessons: tuple[str, ...], course: Path | None) -> None:
    """Make the folder that students begin with: stubs and notebooks, no solutions. FILE is a zip.

    \b
        minitorch grade handout spring.zip --lessons 00-08
        minitorch --lang es grade handout primavera.zip
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading import handout as handing

    settings = settings_of(course)
    chosen = settings.graded_lessons(lessons)
    handing.write_zip(file, handing.handout(chosen, _language_of(settings, course), settings.own), file.stem)
    _say("grade_handed", file=file, lessons=len(chosen))


@grade.command()
@click.argument("file", type=PATH, metavar="FILE")
@lessons_option
@grades_option
@course_option
@lang_option
@friendly
def autograder(file: Path, lessons: tuple[str, ...], grades: Path, course: Path | None) -> None:
    """Make the zip that Gradescope judges with.

    It holds the solutions and the key: show it to no student.

    Points and weights are those of course.toml; due dates and late days are Gradescope's own.

    \b
        minitorch grade autograder lesson_03.zip --lessons 03
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading import handout as handing
    from minitorch.course.grading.keys import read_or_make

    settings = settings_of(course)
    path = course or COURSE
    text = path.read_bytes() if path.is_file() else None
    key = read_or_make(made(grades) / KEY)
    handing.write_zip(file, handing.autograder(settings.graded_lessons(lessons), text, key, settings.own))
    _say("grade_autograder", file=file)


def settings_of(course: Path | None) -> Settings:
    """What the course's file says; what is usual where there is none."""
    from minitorch.course.grading.settings import Settings, read

    return read(course or COURSE) if course or COURSE.is_file() else Settings()


def tier_of(asked: str | None, required: bool) -> str:
    """The sandbox to use; it is said which. Raises CourseError where it, or any that is required, does not hold."""
    from minitorch.course.sandbox import tiers

    if asked is not None and (fault := tiers.faults([asked])[asked]) is not None:
        raise CourseError(say("grade_tier_fault", tier=asked, why=fault))
    tier = asked or tiers.best()
    if tier == "none" and required:
        raise CourseError(say("grade_required"))
    _say("grade_tier_none" if tier == "none" else "grade_tier", err=True, tier=tier)
    return tier


def crew_of(workers: int | None, scheduler: str | None, insecure: bool) -> Crew:
    """Those who judge."""
    from minitorch.course.grading.crew import Cluster, Processes

    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise CourseError(say("grade_workers", most=MOST_WORKERS))
    return Cluster(scheduler, insecure=insecure) if scheduler else Processes(workers or os.cpu_count() or 1)


def judged(plan: Plan, store: Store, crew: Crew, work: Sequence[tuple[HandIn, tuple[str, ...]]]) -> list[Step]:
    """Judge it, with a bar that grows. Ctrl-C ends it and says how to go on."""
    from minitorch.course.grading.run import grade as grading

    steps: list[Step] = []
    try:
        for step in _with_bar(grading(plan, store, crew, work), len(work)):
            steps.append(step)
            if step.failure:
                who = {"student": step.hand_in.student, "lesson": step.hand_in.lesson}
                _say("grade_failed", err=True, why=step.failure, **who)
    except KeyboardInterrupt:
        crew.close()
        _say("grade_stopped", err=True, done=len(steps), all=len(work))
        sys.exit(STOPPED)
    return steps


def made(folder: Path) -> Path:
    """The folder, made where there is none; nobody else looks into it. Raises CourseError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CourseError(say("grade_unwritten", file=folder, why=error.strerror)) from None
    return folder


def _store(grades: Path, *, writes: bool = True) -> Store:
    from minitorch.course.grading.store import Store

    return Store(grades / STORE, writes=writes)


def _passed(store: Store, exercise: Exercise) -> set[str]:
    """Who passes an exercise."""
    found = {each.student: each.results.get(exercise.name) for each in store.graded({exercise.lesson})}
    return {student for student, result in found.items() if result and result.verdict.passed}


def _language_of(settings: Settings, course: Path | None) -> str:
    return settings.language if course or COURSE.is_file() else language()


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise CourseError(say("grade_unwritten", file=path, why=error.strerror)) from None


def _with_bar(steps: Iterator[Step], count: int) -> Iterator[Step]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=count)
        for step in steps:
            told = say("grade_step", student=step.hand_in.student, lesson=step.hand_in.lesson).to(language())
            bar.update(task, advance=1, description=escape(clean(told)))
            yield step


def _show_notes(notes: Sequence[Note]) -> None:
    for note in notes[:NOTES_SHOWN]:
        told = [each for each in (note.student, note.place) if each]
        click.echo(clean(": ".join([*told, note.reason.to(language())])), err=True)
    if len(notes) > NOTES_SHOWN:
        _say("grade_more_notes", err=True, count=len(notes) - NOTES_SHOWN)


def _must_not_be_root(allowed: bool) -> None:
    if not allowed and hasattr(os, "geteuid") and os.geteuid() == 0:
        raise CourseError(say("grade_root"))


def _say(key: str, *, err: bool = False, **fields: object) -> None:
    told: Text = say(key, **fields)
    click.echo(clean(told.to(language())), err=err)
