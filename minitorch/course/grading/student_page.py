"""The page that a student gets back: what has passed, what is wrong with the rest, and the next step."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from minitorch.course.cards.report import one_line
from minitorch.course.grading.insight import Standing
from minitorch.course.grading.sheet import code, page, percent, said, table, told
from minitorch.course.grading.store import Graded
from minitorch.course.grading.submissions import Note
from minitorch.course.judging.verdict import SIGNS, Kind, Verdict
from minitorch.course.manifest import Course, Exercise, Lesson
from minitorch.language import N_, Message

LONGEST_NAME = 60


def student_page(
    standing: Standing,
    own: Mapping[str, Graded],
    course: Course,
    lessons: Sequence[str],
    lang: str,
    notes: Sequence[Note] = (),
) -> str:
    """The page as HTML. own: the student's hand-ins by lesson. notes: what of the student's files was not judged."""
    name = one_line(standing.student, LONGEST_NAME)
    title = Message("{name}: lessons {lessons}", name=name, lessons=", ".join(lessons)).to(lang)
    return page(title, lang, [*_body(standing, own, course, lessons, lang, notes), *_unread(notes, lang)])


def file_name(student: str, number: int) -> str:
    """A name for the page's file that every system takes, and no two students share.

    >>> file_name("Ana Núñez / 7", 3)
    '003-ana-nunez-7.html'
    """
    plain = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall(r"[a-z0-9]+", plain))[:LONGEST_NAME]
    return f"{number:03d}{'-' if words else ''}{words}.html"


def _body(
    standing: Standing,
    own: Mapping[str, Graded],
    course: Course,
    lessons: Sequence[str],
    lang: str,
    notes: Sequence[Note],
) -> Iterator[str]:
    counts = {"passed": standing.passed, "of": standing.of, "share": percent(standing.share)}
    yield f"<p>{said('Required exercises passed: {passed} of {of}. Points: {share} %.', lang, **counts)}</p>"
    step = _first_open(own, course, lessons)
    unread = any(note.unread for note in notes)
    if step is not None and unread and step.lesson not in own:
        told_next = _not_found(course.lesson(step.lesson), lang)
    else:
        told_next = _next(step, own, lang)
    yield f'<section class="next"><h2>{said("The next step", lang)}</h2>{told_next}</section>'
    for number in lessons:
        lesson = course.lesson(number)
        yield f"<h2>{escape(f'{number} {lesson.title.to(lang)}')}</h2>"
        graded = own.get(number)
        if graded is None:
            missing = f"<p>{said('Lesson {lesson} was not handed in.', lang, lesson=number)}</p>"
            yield _not_found(lesson, lang) if unread else missing
        elif graded.problem is not None:
            why = one_line(graded.problem.to(lang))
            unread_file = said("The file of lesson {lesson} could not be read: {why}.", lang, lesson=number, why=why)
            yield f"<p>{unread_file}</p>"
        elif graded.failure is not None and not graded.results:
            failed = said(
                "Lesson {lesson} could not be judged: {why}. This is not your fault: ask your teacher.",
                lang,
                lesson=number,
                why=one_line(graded.failure),
            )
            yield f"<p>{failed}</p>"
        elif not graded.results:
            yield f"<p>{said('Lesson {lesson} was handed in and has no result yet.', lang, lesson=number)}</p>"
        else:
            yield from _lesson(graded, lesson.exercises, step, lang)


def _not_found(lesson: Lesson, lang: str) -> str:
    missing = said(
        "No file of lesson {lesson} was found: it is handed in as `{file}` or `{notebook}`. Files of yours that were "
        "not "
        "read are listed below.",
        lang,
        lesson=lesson.number,
        file=lesson.file_name,
        notebook=lesson.notebook_name,
    )
    return f"<p>{missing}</p>"


def _unread(notes: Sequence[Note], lang: str) -> Iterator[str]:
    if notes:
        yield f'<h2 id="unread">{said("What was not read, or does not count", lang)}</h2>'
        names = (escape(one_line(note.place)) for note in notes)
        rows = [[name, told(note.reason, lang)] for name, note in zip(names, notes, strict=True)]
        yield table((said("file", lang), said("why", lang)), rows)


def _first_open(own: Mapping[str, Graded], course: Course, lessons: Sequence[str]) -> Exercise | None:
    """The first required exercise that has not passed."""
    for number in lessons:
        results = own[number].results if number in own else {}
        for exercise in course.lesson(number).required:
            if exercise.name not in results or not results[exercise.name].verdict.passed:
                return exercise
    return None


def _next(step: Exercise | None, own: Mapping[str, Graded], lang: str) -> str:
    """What the next step asks, what is wrong with it now, and a hint."""
    if step is None:
        return f"<p>{said('All required exercises have passed.', lang)}</p>"
    graded = own.get(step.lesson)
    result = graded.results.get(step.name) if graded else None
    asked = said(
        "Lesson {lesson}, `{exercise}`: {asks}", lang, lesson=step.lesson, exercise=step.name, asks=step.asks.to(lang)
    )
    return f"<p>{asked}</p>{_what_is_wrong(result.verdict, lang) if result else ''}"


def _lesson(graded: Graded, exercises: Sequence[Exercise], step: Exercise | None, lang: str) -> Iterator[str]:
    for exercise in exercises:
        result = graded.results.get(exercise.name)
        if result is None:
            continue
        verdict = result.verdict
        more = "" if exercise.required else f' <span class="soft">({said("not required", lang)})</span>'
        sign = f"{SIGNS[verdict.kind]} {escape(verdict.kind.to(lang))}"
        wrong = "" if exercise is step else _what_is_wrong(verdict, lang)  # that of the next step stands above
        yield f"<section><p><strong>{sign}</strong> <code>{escape(exercise.name)}</code>{more}</p>{wrong}</section>"


def _what_is_wrong(verdict: Verdict, lang: str) -> str:
    """The sentence, the smallest input that shows it, and a hint; nothing where there is nothing to say."""
    if verdict.kind in (Kind.PASSED, Kind.NOT_STARTED) or not verdict.reason:
        return ""
    parts = [f"<p>{told(verdict.reason, lang)}</p>"]
    if verdict.place is not None:
        parts.append(
            f'<p class="soft">{said("line {line}", lang, line=verdict.place.line)}</p>{code(verdict.place.source)}'
        )
    facts = ((N_("try this"), verdict.line), (N_("wanted"), verdict.expected), (N_("yours"), verdict.got))
    for head, value in facts:
        if value is not None:
            shown = value.to(lang) if isinstance(value, Message) else value
            parts.append(f'<p class="soft">{said(head, lang)}</p>{code(shown)}')
    if verdict.hint is not None:
        parts.append(f"<p><em>{said('a hint', lang)}:</em> {told(verdict.hint, lang)}</p>")
    return "".join(parts)
