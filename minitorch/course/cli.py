"""The command `minitorch`; `minitorch grade` is in `grading/commands.py`, `minitorch port` in `porting/command.py`."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from minitorch.course.setup import memory

if (_bound := memory.address_space()) is not None and _bound < memory.LEAST:
    from minitorch.language import gettext

    sys.exit(
        gettext(
            "minitorch needs {least} MB of memory; a program may use only {have} MB here (`ulimit -v`)",
            have=_bound >> 20,
            least=memory.LEAST >> 20,
        )
    )

import click
from rich.text import Text as RichText

import minitorch
from minitorch import starting
from minitorch.course import manifest
from minitorch.course.cards import hints
from minitorch.course.cards.code_words import code_plain
from minitorch.course.cards.following import after
from minitorch.course.cards.hint_log import HintLog, ask
from minitorch.course.cards.overview import status_lines
from minitorch.course.cards.report import clean
from minitorch.course.cards.stand_ins import use_stand_ins
from minitorch.course.cards.standing import standing
from minitorch.course.cards.terminal import linked, print_line, show, terminal
from minitorch.course.command_line import Group, echo, friendly, lang_option, say
from minitorch.course.course_error import CourseError
from minitorch.course.files.course_folder import find_course_folder
from minitorch.course.grading.commands import grade
from minitorch.course.porting.command import port
from minitorch.course.session import MakeRuns, Session
from minitorch.language import Message, gettext, language

if TYPE_CHECKING:
    from minitorch.course.files.reset import Reset

SIGN = {"ok": "✓", "note": "·", "fault": "✗"}


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@lang_option
@click.version_option(minitorch.__version__, prog_name="minitorch", message="%(prog)s %(version)s")
def cli() -> None:
    """Learn backpropagation by writing it: have exercises checked, get hints, see how far you are.

    Works from anywhere below your course folder. A first round:

    \b
        minitorch lab              open the notebooks
        minitorch check            check the lesson that you are at
        minitorch hint add         get a hint on one exercise
    """  # noqa: D301 - click reads \b as a character
    os.environ["MINITORCH_LANG"] = language()


@cli.command()
@click.argument("names", nargs=-1, metavar="[NAME|LESSON]...")
@click.option("--all", "everything", is_flag=True, help="Check the whole course.")
@click.option("--notebooks", is_flag=True, help="Run your notebooks on your engine, and compare what they show.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
@click.option("--in-process", is_flag=True, help="Run your code in this process: no time limit, no protection.")
@click.option("--pdb", "debug", is_flag=True, help="As --in-process; open the debugger where an exception is raised.")
@lang_option
@friendly
def check(
    names: tuple[str, ...], everything: bool, notebooks: bool, as_json: bool, in_process: bool, debug: bool
) -> None:
    """Judge what you wrote.

    Name exercises, or lessons by number; without a name it is the first lesson that is not finished.
    The exit status is 0 only if all that was asked for passed.

    \b
        minitorch check add mul
        minitorch check 01
        minitorch check --all
        minitorch check --notebooks 01
    """  # noqa: D301 - click reads \b as a character
    session, lang, console = _session(_runs(in_process, debug)), language(), terminal()
    if notebooks and (in_process or debug):
        raise CourseError("--notebooks runs notebooks in a kernel of their own; leave --in-process and --pdb out")
    if in_process or debug:
        console.print(
            Message("running in this process: no time limit and no protection holds").to(lang), style="yellow"
        )
    if everything:
        exercises = session.course.exercises
    else:
        exercises = session.course.select(names) if names else session.current_lesson().exercises
    if notebooks:
        sys.exit(_check_notebooks(session, {exercise.lesson: None for exercise in exercises}, as_json))
    verdicts = list(session.check(exercises))
    if as_json:
        echo(json.dumps([verdict.as_dict() for verdict in verdicts], indent=1, ensure_ascii=True))
    else:
        show(console, verdicts, lang, session)
        coming = after(session, verdicts)
        if coming is not None:
            print_line(console, linked(coming.text(lang, terminal=True), session.folder))
        HintLog(session.folder).saw(session.course, verdicts)
    for note in session.notes(lang):
        echo(code_plain(note), err=True)
    sys.exit(0 if verdicts and all(verdict.passed for verdict in verdicts) else 1)


@cli.command()
@click.argument("lessons", nargs=-1, metavar="[LESSON]...")
@lang_option
@friendly
def status(lessons: tuple[str, ...]) -> None:
    """Show the map of the course with what has passed so far, or the lessons that you name.

    \b
        minitorch status
        minitorch status 08
    """  # noqa: D301 - click reads \b as a character
    session, lang, console = _session(), language(), terminal()
    found = standing(session, session.course.named_lessons(lessons))
    for line in status_lines(found, lang, terminal=True):
        print_line(console, linked(line, session.folder))
    for note in session.notes(lang):
        echo(code_plain(note), err=True)


@cli.command()
@click.argument("name")
@click.argument("number", type=int, required=False, metavar="[STEP]")
@click.option("--step", type=int, help="Which step; without it, the next one.")
@click.option("--solution", is_flag=True, help="Show the solution even though the exercise has not passed.")
@lang_option
@friendly
def hint(name: str, number: int | None, step: int | None, solution: bool) -> None:
    """Show the next step of an exercise's hints, or the one that you name by its number.

    They begin with a question, then a pointer, then pseudo-code; the last step is the solution. They go on where the
    last verdict points.
    """
    session, lang, console = _session(), language(), terminal()
    exercise = session.course.exercise(name)
    step = hints.steps(exercise) if solution else number if step is None else step
    more, last = f"minitorch hint {name}", f"minitorch hint {name} --solution"
    for line in ask(session, exercise, step, lang, more=more, confirm=last, confirmed=solution).plain().splitlines():
        print_line(console, RichText(line))


@cli.command()
@click.argument("names", nargs=-1, metavar="[NAME|LESSON]...")
@click.option("--all", "everything", is_flag=True, help="Reset every file of the course.")
@lang_option
@friendly
def reset(names: tuple[str, ...], everything: bool) -> None:
    """Take exercises or whole lessons back to their stubs.

    Resetting an exercise changes that one definition and nothing else in the file. What was there is kept in a dated
    backup below .minitorch/backups first.
    """
    from minitorch.course.files.reset import reset_exercise, reset_lesson

    course, folder = manifest.load(), find_course_folder()
    if not names and not everything:
        raise CourseError("name an exercise or a lesson to reset, or say --all")
    for word in [lesson.number for lesson in course.lessons] if everything else names:
        course.select([word])
        if word in {exercise.name for exercise in course.exercises}:
            exercise = course.exercise(word)
            _tell_reset(reset_exercise(folder, course.lesson_of(exercise), exercise, language()), folder)
        else:
            _tell_reset(reset_lesson(folder, course.lesson(word), language()), folder)


@cli.command()
@click.argument("name", required=False, metavar="[NAME|LESSON]")
@click.option("--poll", is_flag=True, help="Look at the files twice a second; for a disk that tells of no changes.")
@lang_option
@friendly
def watch(name: str | None, poll: bool) -> None:
    """Check what you write whenever you save it.

    One screen shows what your code printed, the verdict, hints when you ask for them, and what comes next. It begins
    with the first exercise that does not pass, or with the one that you name. Nothing moves on until you say so.

    \b
        h hint        l list of exercises     a check all
        n next        p previous              r reset
        ? help        q quit
    """  # noqa: D301 - click reads \b as a character
    for package in ("prompt_toolkit", "watchfiles"):
        if importlib.util.find_spec(package) is None:
            raise CourseError(
                'watch needs {name}, which is missing; install it with: pip install "minitorch-course[course]"',
                name=package,
            )
    from minitorch.course.watching.app import watch as run_watch

    session = _session()
    run_watch(session, language(), session.course.select([name])[0].name if name else None, poll=poll)


@cli.command()
@click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
@lang_option
@friendly
def upgrade(dry_run: bool) -> None:
    """Bring a course folder made with an older version up to this one.

    What you wrote stays as it is. Stubs and notebooks that you never touched are replaced by this version's, new ones
    are added, and every file of exercises that changes is kept in a dated backup below .minitorch/backups first.
    """
    from minitorch.course.setup import upgrade as upgrading

    folder = find_course_folder()
    done = upgrading.upgrade(folder, manifest.load(), lang=language(), dry_run=dry_run)
    for line in upgrading.lines(done, folder, language(), dry_run=dry_run):
        echo(code_plain(clean(line)))


@cli.command()
@lang_option
@friendly
def doctor() -> None:
    """Look for what could be in the way.

    Python, the packages, the course folder, the notebooks' kernel, the process that checks run in.

    The exit status is 0 only if there is no fault.
    """
    from minitorch.course.setup.doctor import diagnose
    from minitorch.course.setup.self_check import child_finding

    lang = language()
    try:
        folder = find_course_folder()
    except CourseError:
        folder = None
    findings = [*diagnose(folder), child_finding(lang)]
    for finding in findings:
        echo(f"{SIGN[finding.level]} {code_plain(clean(finding.text))}")
    faults = sum(finding.level == "fault" for finding in findings)
    echo(
        Message("faults to mend: {count}", count=faults).to(lang)
        if faults
        else Message("nothing is in the way").to(lang)
    )
    sys.exit(1 if faults else 0)


@cli.command()
@click.argument("lesson", required=False, metavar="[LESSON]")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@lang_option
@friendly
def lab(lesson: str | None, no_browser: bool) -> None:
    """Open JupyterLab on a lesson, or where you left off.

    The notebook is on the left; beside it your file of exercises, at the first function that is open, and below that a
    terminal in which `minitorch watch` runs. Notebooks that you have changed are never overwritten.

    \b
        minitorch lab
        minitorch lab 08
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.setup.lab import lab as run_lab

    sys.exit(run_lab(find_course_folder(), lesson, browser=not no_browser))


@cli.command()
@click.argument("lesson", metavar="LESSON")
@click.argument("file", type=click.Path(path_type=Path), required=False, metavar="[FILE]")
@click.option("--all", "whole", is_flag=True, help="All steps, also of long passes.")
@lang_option
@friendly
def lecture(lesson: str, file: Path | None, whole: bool) -> None:
    """Make a lecture of a lesson: its pictures, a sentence each, its questions with their answers.

    FILE is one page of HTML that needs no network, lecture_02_backward.html if not named; with .pdf a page for each
    step, without an ending a folder of SVG files. What is there already is left as it is. Of a long backward pass the
    steps along a chain are left out, of several walks all but one show their end; --all shows everything.

    \b
        minitorch lecture 02
        minitorch lecture 02 chain_rule.pdf
        minitorch lecture 04 --all
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.activities.lecture import write_lecture

    lang = language()
    path, made, failed = write_lecture(manifest.load().lesson(lesson), file, lang, whole)
    slides = len(made.slides)
    if path.suffix == ".html":
        steps = sum(len(each.shown.stops) for each in made.slides)
        done = Message(
            "{file}: {slides} slides, {steps} steps. Open it in a browser: f is full screen, ? shows the keys",
            file=path,
            slides=slides,
            steps=steps,
        )
    else:
        done = Message("{file}: {slides} slides on {pages} pages", file=path, slides=slides, pages=len(made.pages()))
    echo(code_plain(done.to(lang)))
    for error in failed:
        say("a cell of the notebook raised {error}: what it draws is not in the lecture", err=True, error=clean(error))


@cli.command()
@click.argument("file", type=click.Path(path_type=Path), required=False, metavar="[FILE]")
@lang_option
@friendly
def report(file: Path | None) -> None:
    """Make a page of HTML of what you have made: your engine at work, how far you are, your code.

    It trains your engine, which takes some seconds. FILE is my_engine.html if not named; a report that is there
    already is written anew.

    \b
        minitorch report
        minitorch report ana.html
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.mine.page import write_report

    session, lang = _session(), language()
    echo(Message("training on your engine …").to(lang), err=True)
    made = write_report(session, file or Path("my_engine.html"), lang)
    say(
        "{file}: {own} of {all} pieces are yours. Open it in a browser; it needs no network",
        file=made.file,
        own=made.own,
        all=made.all,
    )
    for note in session.notes(lang):
        echo(code_plain(note), err=True)


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--name", default="my_engine", help="What the package is imported as; my_engine if not named.")
@lang_option
@friendly
def export(folder: Path, name: str) -> None:
    """Write your engine into DIR, as a package of its own.

    It installs, trains lesson 04's moons and has its tests. Each piece of yours that passes is in it as you wrote it,
    comments and all; where one is missing, the reference's stands in its place, and a comment says so.

    \b
        minitorch export ../my_engine
        minitorch export ../tinygrad_of_ana --name anagrad
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.mine.export import export as write_package

    session, lang, console = _session(), language(), terminal()
    made = write_package(session.course, session, folder, name, lang)
    own = len(made.pieces) - len(made.borrowed)
    pieces = {"own": own, "all": len(made.pieces)}
    told = [
        Message("{folder}: the package {name}, {own} of {all} pieces are yours", folder=folder, name=name, **pieces)
    ]
    if made.borrowed:
        told.append(Message("the reference's, each marked in a comment: {names}", names=", ".join(made.borrowed)))
    for text in (*told, Message("try it: cd {folder}, then python -m {name}, and pytest", folder=folder, name=name)):
        print_line(console, RichText(text.to(lang)))
    for note in session.notes(lang):
        echo(code_plain(note), err=True)


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--from", "brought", type=click.Path(path_type=Path), help="The zip file that take_home() made.")
@click.option("--outputs", is_flag=True, help="Keep the outputs of the notebooks: `pytest --nbval work/` compares.")
@lang_option
@friendly
def init(folder: Path, brought: Path | None, outputs: bool) -> None:
    """Lay a course folder out in DIR."""
    from minitorch.course.setup.carried import init_from
    from minitorch.course.setup.workspace import init_course, require_apart

    require_apart(folder)
    if brought is not None:
        files = init_from(folder, brought, language(), outputs=outputs)
        say(
            "{folder}: a course with {files} files of yours. To begin: cd {folder}, then minitorch lab",
            folder=folder,
            files=files,
        )
        return
    init_course(folder, outputs=outputs)
    say("course folder laid out in {folder}; next: cd {folder} and `minitorch lab`", folder=folder)
    if importlib.util.find_spec("jupyterlab") is None:
        say('JupyterLab is not here yet; `minitorch lab` needs it: pip install "minitorch-course[lab]"')


@cli.command()
@lang_option
@friendly
def test() -> None:
    """Test minitorch itself, in a checkout: style, types, the notebooks, every unit test.

    This is what `make test` does. `python -m minitorch test` installs first what it needs, as make would. Your answers
    are not looked at: `minitorch check --all` does that.
    """
    if not starting.is_checkout():
        raise CourseError(starting.sentence("no tests"))
    sys.exit(starting.run_tests())


cli.add_command(grade)
cli.add_command(port)


def main() -> None:
    """Run the command line."""
    use_stand_ins(sys.stdout, sys.stderr)
    cli(prog_name="minitorch")


def _session(runs: MakeRuns | None = None) -> Session:
    return Session(manifest.load(), find_course_folder(), runs)


def _runs(in_process: bool, debug: bool) -> MakeRuns | None:
    if not in_process and not debug:
        return None
    from minitorch.course.sandbox.in_process import InProcess

    return functools.partial(InProcess, debug=debug)


def _check_notebooks(session: Session, numbers: Iterable[str], as_json: bool) -> int:
    """Run the notebooks of some lessons and tell what came of each as soon as it is known; 1 if one differs."""
    from minitorch.course.activities.notebooks import check_notebook

    found, unread = [], []
    for number in numbers:
        try:
            found.append(outcome := check_notebook(session.folder, session.course.lesson(number)))
            if not as_json:
                echo("\n".join(map(clean, outcome.lines(language()))))
        except CourseError as error:  # said at the end: the notebooks behind it are run all the same
            unread.append(str(error))
    if as_json:
        echo(json.dumps([outcome.as_dict() for outcome in found], indent=1, ensure_ascii=True))
    if unread:
        raise CourseError("\n".join(unread))
    return int(not all(outcome.passed for outcome in found))


def _tell_reset(done: Reset, folder: Path) -> None:
    echo(done.told(folder).to(language()))
    if done.written is not None:
        echo(
            Message(
                "{file} is a link, so this was written to {written}",
                file=f"exercises/{done.file}",
                written=done.written,
            ).to(language())
        )


if __name__ == "__main__":
    main()
