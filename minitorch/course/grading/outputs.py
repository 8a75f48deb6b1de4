"""`minitorch grade report`, `export`, `handout`, `autograder`: what is written for students, and for other programs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from minitorch.course.command_line import Command, friendly, lang_option
from minitorch.course.course_error import CourseError
from minitorch.course.grading.options import (
    COURSE,
    KEY,
    PATH,
    course_option,
    grades_option,
    language_of,
    lessons_in,
    lessons_option,
    made,
    settings_of,
    store_in,
    tell,
    tell_strangers,
)
from minitorch.language import Message
from minitorch.serialization.atomic import write_atomically


@click.command(cls=Command)
@click.argument("folder", type=PATH, default=Path("report"))
@lessons_option
@grades_option
@course_option
@lang_option
@friendly
def report(folder: Path, lessons: tuple[str, ...], grades: Path, course: Path | None) -> None:
    """Write pages on a class and its students.

    They say which ideas the class misses and who needs help, and there is a page for each student. They go into
    FOLDER, class.html and students/, in the language of course.toml, or in that of --lang. They are plain HTML
    without scripts and can be printed, or handed back as they are.

    \b
        minitorch grade report
        minitorch grade report week-3 --lessons 05-07
        minitorch --lang es grade report spanish
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading.report import write_pages

    settings = settings_of(course)
    with store_in(grades, writes=False) as store:
        tell_strangers(settings, course, store.students())
        pages = write_pages(
            store, settings, lessons_in(store, settings, lessons), folder, language_of(settings, course)
        )
    tell(
        "{file}: the class; {pages} for students in {folder}",
        file=pages.file,
        pages=Message.counted("1 page", "{count} pages", pages.students),
        folder=pages.file.parent / "students",
    )


@click.command(cls=Command)
@click.argument("form", metavar="FORM", type=click.Choice(("csv", "json", "junit", "gradescope", "nbgrader", "moodle")))
@click.argument("file", type=PATH, required=False, metavar="[FILE]")
@lessons_option
@grades_option
@course_option
@lang_option
@friendly
def export(form: str, file: Path | None, lessons: tuple[str, ...], grades: Path, course: Path | None) -> None:
    """Write points for another program.

    FORM is csv, json, junit, gradescope, nbgrader or moodle. Without --lessons, and without lessons in
    course.toml, these are the lessons of which something was handed in. Without FILE they are printed. Of
    gradescope FILE is a folder, gradescope if not named: a results.json a student, its score of 100.

    \b
        minitorch grade export csv grades.csv
        minitorch grade export gradescope
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading import exports
    from minitorch.course.grading.points import book

    settings = settings_of(course)
    lang = language_of(settings, course)
    with store_in(grades, writes=False) as store:
        tell_strangers(settings, course, store.students())
        made_of = book(settings, lessons_in(store, settings, lessons), store)
    if form == "gradescope":
        folder = made(file or Path(form))
        for student in made_of.students:
            data = json.dumps(exports.as_gradescope(student, lang), indent=1)
            _write(folder / f"{exports.file_name(student.student)}.json", data)
        tell(
            "{file}: {students}",
            file=folder,
            students=Message.counted("1 student", "{count} students", len(made_of.students)),
        )
        return
    forms = {
        "csv": exports.as_csv(made_of),
        "json": exports.as_json(made_of, lang),
        "junit": exports.as_junit(made_of, lang),
        "nbgrader": exports.as_nbgrader(made_of, settings),
        "moodle": exports.as_moodle(made_of, lang),
    }
    if file is None:
        click.echo(forms[form], nl=False)
    else:
        _write(file, forms[form])
        tell(
            "{file}: {students}",
            file=file,
            students=Message.counted("1 student", "{count} students", len(made_of.students)),
        )


@click.command(cls=Command)
@click.argument("file", type=PATH, metavar="FILE")
@lessons_option
@course_option
@lang_option
@friendly
def handout(file: Path, lessons: tuple[str, ...], course: Path | None) -> None:
    """Make the folder that students begin with.

    It holds stubs and notebooks and no solutions. FILE is a zip.

    \b
        minitorch grade handout spring.zip --lessons 00-08
        minitorch --lang es grade handout primavera.zip
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.grading import handout as handing

    settings = settings_of(course)
    chosen = settings.graded_lessons(lessons)
    handing.write_zip(file, handing.handout(chosen, language_of(settings, course), settings.own), file.stem)
    tell(
        "{file}: stubs and notebooks of {lessons}, no solutions",
        file=file,
        lessons=Message.counted("1 lesson", "{count} lessons", len(chosen)),
    )


@click.command(cls=Command)
@click.argument("file", type=PATH, metavar="FILE")
@lessons_option
@grades_option
@course_option
@lang_option
@friendly
def autograder(file: Path, lessons: tuple[str, ...], grades: Path, course: Path | None) -> None:
    """Make the zip that Gradescope judges with.

    It holds the solutions and the key: show it to no student.

    Points and weights are those of course.toml, and the score is of 100; due dates and late days are Gradescope's own.

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
    tell(
        "{file}: upload it as Gradescope's autograder, for an assignment of 100 points. It "
        "holds the solutions and the key: show it to no student",
        file=file,
    )


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise CourseError("{file} cannot be written: {why}", file=path, why=error.strerror) from None
