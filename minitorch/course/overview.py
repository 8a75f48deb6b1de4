"""The map of the course with what is done on it: for the terminal and for a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence

from minitorch.course.manifest import Course, Lesson
from minitorch.course.messages import say
from minitorch.course.report import COLOURS, Card, bar_html, frame_html, notes_html, summary
from minitorch.course.text import Text
from minitorch.course.verdict import SIGNS, Kind, Verdict


def status_lines(course: Course, verdicts: Sequence[Verdict], lang: str) -> list[str]:
    """Return one line per lesson, and what comes next."""
    width = max((len(lesson.title.to(lang)) for lesson in course.lessons), default=0)
    lines = [say("status_title").to(lang)]
    for lesson in course.lessons:
        own = _of(lesson, verdicts)
        marks = "  ".join(f"{SIGNS[verdict.kind]} {verdict.exercise}" for verdict in own)
        lines.append(f"  {lesson.number}  {lesson.title.to(lang):<{width}}  {_count(own)}  {marks}")
    return [*lines, _next(verdicts, lang)]


def status_card(course: Course, verdicts: Sequence[Verdict], lang: str, notes: Sequence[str] = ()) -> Card:
    """Return the map as a card."""
    lines = status_lines(course, verdicts, lang)
    rows = []
    for lesson in course.lessons:
        own = _of(lesson, verdicts)
        marks = " &nbsp; ".join(
            f'<span style="color:{COLOURS[verdict.kind]}" title="{html.escape(verdict.kind.to(lang))}">'
            f"{SIGNS[verdict.kind]} <code>{html.escape(verdict.exercise)}</code></span>"
            for verdict in own
        )
        cell = '<td style="text-align:left;vertical-align:top;padding:2px 12px 2px 0">'
        name = f"{lesson.number} {lesson.title.to(lang)}"
        rows.append(
            f'<tr style="background:none">{cell}{html.escape(name)}</td>{cell}{_count(own)}</td>{cell}{marks}</td></tr>'
        )
    table = f'<table style="border-spacing:0;margin:4px 0;font-size:14px;color:inherit">{"".join(rows)}</table>'
    done = Kind.PASSED if all(verdict.passed for verdict in verdicts) else Kind.NOT_STARTED
    head, tail = html.escape(lines[0]), html.escape(lines[-1])
    body = bar_html(COLOURS[done], f"<strong>{head}</strong>{table}<div>{tail}</div>")
    return Card(frame_html(body + notes_html(notes)), "\n".join([*lines, *notes]))


def _of(lesson: Lesson, verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.lesson == lesson.number]


def _count(verdicts: Sequence[Verdict]) -> str:
    return f"{sum(verdict.passed for verdict in verdicts)}/{len(verdicts)}"


def _next(verdicts: Sequence[Verdict], lang: str) -> str:
    first = next((verdict for verdict in verdicts if not verdict.passed), None)
    what: Text = say("next", name=first.exercise) if first else say("all_done")
    return f"{summary(verdicts, lang)} · {what.to(lang)}"
