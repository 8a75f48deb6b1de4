"""What a notebook uses: `check`, `hint`, `quiz` and `status`. Each returns a card that says the same every time.

    >>> from minitorch.course import check
    >>> check("add")
    ○ add: not started

It is the file on disk that is judged, in a fresh process; what the kernel has defined plays no part.
"""

from __future__ import annotations

from minitorch.course import hints, manifest
from minitorch.course.coursefolder import find_course_folder
from minitorch.course.overview import status_card
from minitorch.course.questions import Quiz, find_quiz
from minitorch.course.report import Card, card
from minitorch.course.session import Session
from minitorch.course.text import language


def check(*names: str, lang: str | None = None) -> Card:
    """Judge exercises by name, or whole lessons by number ("01"); without a name, the lesson that you are at.

    Raises CourseError when there is no such exercise, or no course folder here.
    """
    session, lang = _session(), language(lang)
    exercises = session.course.select(names) if names else session.current_lesson().exercises
    return card(list(session.check(exercises)), lang, session.notes(lang))


def hint(name: str, step: int | None = None, *, confirm: bool = False, lang: str | None = None) -> Card:
    """Show one step of an exercise's hints; without a step, the one that the last verdict points at.

    The last step is the solution: it is shown once the exercise has passed, or with `confirm=True`.
    Raises CourseError when there is no such exercise or step.
    """
    session, lang = _session(), language(lang)
    exercise = session.course.exercise(name)
    record = session.progress.read(name)
    given = hints.give(
        session.course,
        exercise,
        hints.first_step(session.course, exercise, record) if step is None else step,
        lang,
        may_solve=confirm or (record is not None and record.passed_first is not None),
        command=f'hint("{name}", {{step}})',
        confirm=f'hint("{name}", {hints.steps(exercise)}, confirm=True)',
    )
    return given.card()


def quiz(id: str, *, lang: str | None = None) -> Quiz:
    """Ask a question of the course; answer it with `quiz("...").answer("b")`. Raises CourseError for an unknown id."""
    return find_quiz(manifest.load(), id, lang)


def status(*, lang: str | None = None) -> Card:
    """Show the map of the course with what has passed so far. Raises CourseError when no course folder is here."""
    session, lang = _session(), language(lang)
    return status_card(session.course, session.status(), lang, session.notes(lang))


def _session() -> Session:
    return Session(manifest.load(), find_course_folder())
