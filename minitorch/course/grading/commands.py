"""`minitorch grade`: the commands for whoever teaches a class."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from minitorch.course.cards.report import clean
from minitorch.course.command_line import Group, echo, friendly, lang_option
from minitorch.course.course_error import CourseError
from minitorch.course.grading import outputs
from minitorch.course.grading.options import (
    KEY,
    PATH,
    STORE,
    course_option,
    grades_option,
    lessons_option,
    made,
    settings_of,
    store_in,
    tell,
    tell_strangers,
)
from minitorch.course.judging.verdict import Kind
from minitorch.course.manifest import Exercise
from minitorch.language import N_, Message, language

if TYPE_CHECKING:
    from minitorch.course.grading.crew import Crew
    from minitorch.course.grading.run import Plan, Step
    from minitorch.course.grading.store import Store
    from minitorch.course.grading.submissions import HandIn, Note

F = TypeVar("F", bound=Callable[..., None])
CACHE = "cache"
NOTES_SHOWN = 40
NAMES_SHOWN = 10
MOST_WORKERS = 512
STOPPED = 130  # the exit status of what Ctrl-C ended


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
    What was not read is named. The exit status is 0 only if everything could be judged.

    \b
        minitorch grade run submissions/
        minitorch grade run submissions.zip --lessons 01-04 --workers 4
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading import run as running
    from minitorch.course.grading.keys import read_or_make
    from minitorch.course.grading.submissions import Note, read_class

    settings = settings_of(course)
    chosen = settings.graded_lessons(lessons)
    _must_not_be_root(allow_root)
    intake = read_class(submissions, chosen, settings.course.lessons)
    notes = [Note(each.student, "", each.file.problem) for each in intake.hand_ins if each.file.problem]
    notes += intake.notes
    _show_notes(notes)
    if not intake.students:
        raise CourseError(
            "{path} holds no submissions: a folder or a zip for each student belongs there, with files such as {file}",
            path=submissions,
            file=chosen[0].file_name,
        )
    plan = running.Plan(
        chosen,
        read_or_make(made(grades) / KEY),
        tier_of(tier, require_sandbox),
        own=settings.own,
        cache=None if scheduler else grades.absolute() / CACHE,
        again=again,
    )
    with store_in(grades) as store:
        store.take(intake)
        tell_strangers(settings, course, store.students())
        work = running.to_do(plan, store, intake.hand_ins)
        tell(
            "{students}, {files} of {lessons}; {left} to judge",
            students=Message.counted("1 student", "{count} students", len(intake.students)),
            files=Message.counted("1 file", "{count} files", len(intake.hand_ins)),
            lessons=Message.counted("1 lesson", "{count} lessons", len(chosen)),
            left=Message.counted("1 file", "{count} files", len(work)),
        )
        with closing(crew_of(workers, scheduler, insecure)) as crew:
            steps = judged(plan, store, crew, work)
        results = [
            each for graded in store.graded({lesson.number for lesson in chosen}) for each in graded.results.values()
        ]
    passed = sum(each.verdict.passed for each in results)
    tell(
        "{file}: {passed} of {exercises} passed",
        file=grades / STORE,
        passed=passed,
        exercises=Message.counted("1 exercise", "{count} exercises", len(results)),
    )
    _tell_timeouts(steps)
    sys.exit(1 if any(step.failure for step in steps) or any(note.unread for note in notes) else 0)


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
    """Judge one exercise of a class anew.

    That is for an exercise whose check was mended.
    What was handed in is read from the results: a file that a student has changed since then is judged by
    `minitorch grade run`. A result of the check as it is now stays; --again judges that, too.

    \b
        minitorch grade regrade --exercise mul
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading import run as running
    from minitorch.course.grading.keys import read

    settings = settings_of(course)
    exercise = settings.course.exercise(name)
    _must_not_be_root(allow_root)
    with store_in(grades) as store:
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
    tell(
        "{name}: {count} judged anew"
        if work
        else "{name}: 0 judged anew: every result is of the check as it is now. Files that students have changed are "
        "read by `minitorch grade run`; --again judges anew all the same",
        name=name,
        count=len(work),
    )
    for key, names in (
        (N_("pass now ({count}): {names}"), now - before),
        (N_("pass no more ({count}): {names}"), before - now),
    ):
        if names:
            tell(key, count=len(names), names=", ".join(sorted(names)))
    sys.exit(1 if any(step.failure for step in steps) else 0)


for command in (outputs.report, outputs.export, outputs.handout, outputs.autograder):
    grade.add_command(command)


def tier_of(asked: str | None, required: bool) -> str:
    """The sandbox to use; it is said which. Raises CourseError where it, or any that is required, does not hold."""
    from minitorch.course.sandbox import tiers

    if asked is not None and (fault := tiers.faults([asked])[asked]) is not None:
        raise CourseError("the sandbox {tier} does not hold on this machine: {why}", tier=asked, why=fault)
    tier = asked or tiers.best()
    if tier == "none" and required:
        raise CourseError("no sandbox holds on this machine, and --require-sandbox was given; nothing was run")
    tell(
        "sandbox: none. Nothing keeps the submissions from the files and the network of this "
        "account; --require-sandbox refuses that"
        if tier == "none"
        else "sandbox: {tier}",
        err=True,
        tier=tier,
    )
    return tier


def crew_of(workers: int | None, scheduler: str | None, insecure: bool) -> Crew:
    """Those who judge."""
    from minitorch.course.grading.crew import Cluster, Processes

    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise CourseError("--workers must be a number from 1 to {most}", most=MOST_WORKERS)
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
                tell(
                    "{student}, lesson {lesson}: could not be judged ({why}); the next run tries again",
                    err=True,
                    why=step.failure,
                    **who,
                )
    except KeyboardInterrupt:
        crew.close()
        tell(
            "stopped after {done} of {files}; the same command goes on from there",
            err=True,
            done=len(steps),
            files=Message.counted("1 file", "{count} files", len(work)),
        )
        sys.exit(STOPPED)
    return steps


def _tell_timeouts(steps: Sequence[Step]) -> None:
    """Say what ran out of time: answers, which more of it may help, and files whose own lines do not end."""
    verdicts = [(step.hand_in, each.verdict) for step in steps for each in step.results]
    late = [(hand_in, verdict) for hand_in, verdict in verdicts if verdict.kind is Kind.TIMEOUT]
    endless = {hand_in.place for hand_in, verdict in late if verdict.input is None}
    slow: dict[str, list[str]] = {}
    for hand_in, verdict in late:
        if verdict.input is not None:
            slow.setdefault(hand_in.student, []).append(verdict.exercise)
    if slow:
        whose = _some([f"{student} ({', '.join(names)})" for student, names in sorted(slow.items())])
        tell(
            "{answers} ran out of time, in a second try too, alone and with more of it: {names}. If other work keeps "
            "this machine very busy, grade again later with --again, or with MINITORCH_PATIENCE=4 before it",
            answers=Message.counted("1 answer", "{count} answers", sum(map(len, slow.values()))),
            names=whose,
        )
    if endless:
        tell(
            "{files} did not come to an end before any function was called (most often a loop "
            "outside of every function, which more time does not help): {names}",
            files=Message.counted("1 file", "{count} files", len(endless)),
            names=_some(sorted(endless)),
        )


def _some(names: Sequence[str]) -> str:
    """The first of these names."""
    return ", ".join(names[:NAMES_SHOWN]) + (" …" if len(names) > NAMES_SHOWN else "")


def _passed(store: Store, exercise: Exercise) -> set[str]:
    """Who passes an exercise."""
    found = {each.student: each.results.get(exercise.name) for each in store.graded({exercise.lesson})}
    return {student for student, result in found.items() if result and result.verdict.passed}


def _with_bar(steps: Iterator[Step], count: int) -> Iterator[Step]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=count)
        for step in steps:
            told = Message("{student}, lesson {lesson}", student=step.hand_in.student, lesson=step.hand_in.lesson).to(
                language()
            )
            bar.update(task, advance=1, description=escape(clean(told)))
            yield step


def _show_notes(notes: Sequence[Note]) -> None:
    """Print what was not read, first, and what does not count; the class page has all of it."""
    for note in sorted(notes, key=lambda note: not note.unread)[:NOTES_SHOWN]:
        told = [each for each in (note.student, note.place) if each]
        echo(clean(": ".join([*told, note.reason.to(language())])), err=True)
    if len(notes) > NOTES_SHOWN:
        tell(
            "and {notes} more: the class page has them all (`minitorch grade report`)",
            err=True,
            notes=Message.counted("1 note", "{count} notes", len(notes) - NOTES_SHOWN),
        )


def _must_not_be_root(allowed: bool) -> None:
    if not allowed and hasattr(os, "geteuid") and os.geteuid() == 0:
        raise CourseError(
            "submissions would run as root: use another account, or add --allow-root where this "
            "machine holds nothing else"
        )
