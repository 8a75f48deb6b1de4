"""The map of the course with what is done on it: the same words in the terminal and on the progress card."""

from __future__ import annotations

import html
from collections.abc import Sequence
from itertools import groupby

from minitorch.course.cards.hint_log import step_name
from minitorch.course.cards.report import COLOURS, Card, bar_html, frame_html, notes_html, summary
from minitorch.course.cards.standing import LessonStanding, Row, Standing, about, passed
from minitorch.course.judging.verdict import SIGNS, Kind
from minitorch.language import N_, Message

HOURS_FROM = 180  # minutes
CELL = "text-align:left;vertical-align:top;padding:2px 14px 2px 0"


def status_lines(standing: Standing, lang: str, *, terminal: bool = False) -> list[str]:
    """The standing as text: one line a lesson, or one line an exercise when there is one lesson."""
    lines = [_head(standing, lang)]
    if len(standing.lessons) == 1:
        lines += _exercise_lines(standing.lessons[0], lang)
    else:
        width = max((len(each.lesson.title.to(lang)) for each in standing.lessons), default=0)
        left = max((len(_left(each, lang)) for each in standing.lessons), default=0)
        count = max((len(_count(each)) for each in standing.lessons), default=0)
        for each in standing.lessons:
            title = f"{each.lesson.number}  {each.lesson.title.to(lang):<{width}}"
            marks = " · ".join(f"{SIGNS[kind]} {kind.to(lang)}: {names}" for kind, names in _by_kind(each))
            lines.append(f"  {title}  {_count(each):<{count}}  {_left(each, lang):<{left}}  {marks}")
        hints = _hints_of_all(standing, lang)
        lines += [f"  {_used(lang)}: {hints}"] if hints else []
    return [*lines, standing.following.text(lang, terminal=terminal)]


def status_card(standing: Standing, lang: str, notes: Sequence[str] = ()) -> Card:
    """The standing as a card."""
    one = len(standing.lessons) == 1
    rows = _exercise_rows(standing.lessons[0], lang) if one else _lesson_rows(standing, lang)
    table = f'<table style="border-spacing:0;margin:4px 0;font-size:14px;color:inherit">{rows}</table>'
    hints = "" if one else _hints_of_all(standing, lang)
    used = f"<div>{html.escape(_used(lang))}: {html.escape(hints)}</div>" if hints else ""
    done = Kind.PASSED if standing.following.exercise is None else Kind.NOT_STARTED
    head, following = html.escape(_head(standing, lang)), standing.following.html(lang)
    body = f"<strong>{head}</strong>{_meter(standing)}{table}{used}{following}"
    text = "\n".join([*status_lines(standing, lang), *notes])
    return Card(frame_html(bar_html(COLOURS[done], body) + notes_html(notes)), text)


def _head(standing: Standing, lang: str) -> str:
    more = {row.exercise.name for row in standing.rows if not row.exercise.required}
    words = [summary((row.verdict for row in standing.rows), lang, more)]
    words.append(Message("{points} of {total} points", points=standing.points, total=standing.all_points).to(lang))
    times = _times(standing.minutes_left, standing.more_left, lang)
    words += [times] if times else []
    lessons = standing.lessons
    title = f"{lessons[0].lesson.number} {lessons[0].lesson.title.to(lang)}" if len(lessons) == 1 else ""
    title = title or Message("your progress").to(lang)
    return f"{title}: {' · '.join(words)}"


def _count(each: LessonStanding) -> str:
    """`3/4`, and what is not required apart: `3/4 + 0/1`."""
    more = f" + {passed(each.more)}/{len(each.more)}" if each.more else ""
    return f"{each.passed}/{len(each.required)}{more}"


def _left(each: LessonStanding, lang: str) -> str:
    if each.passed == len(each.required):
        more = _times(0, about(each.more_left), lang)
        return ", ".join([Message("done").to(lang), *([more] if more else [])])
    return _times(about(each.minutes_left), about(each.more_left), lang)


def _times(minutes: int, more: int, lang: str) -> str:
    """What is left, about, and what is left besides: `about 85 min left, 35 min more`; empty where nothing is."""
    words = [_time(N_("about {minutes} min left"), N_("about {hours} h left"), minutes, lang)] if minutes else []
    words += (
        [Message("{time} more", time=_time(N_("{minutes} min"), N_("{hours} h"), more, lang)).to(lang)] if more else []
    )
    return ", ".join(words)


def _time(in_minutes: str, in_hours: str, minutes: int, lang: str) -> str:
    """A time in minutes, or in whole hours where nobody counts minutes any more, said by one of two sentences."""
    if minutes < HOURS_FROM:
        return Message(in_minutes, minutes=minutes).to(lang)
    return Message(in_hours, hours=-(-minutes // 60)).to(lang)


def _by_kind(each: LessonStanding) -> list[tuple[Kind, str]]:
    """The exercises' names under their verdicts, passed ones first; in order within each."""
    order: list[Kind] = sorted(Kind, key=lambda kind: (not kind.passed, kind is Kind.NOT_STARTED))
    rows = sorted(each.rows, key=lambda row: order.index(row.verdict.kind))
    found = groupby(rows, key=lambda row: row.verdict.kind)
    return [(kind, ", ".join(row.exercise.name for row in group)) for kind, group in found]


def _hints(row: Row, lang: str) -> str:
    return ", ".join(step_name(row.exercise, step, lang) for step in row.hints)


def _hints_of_all(standing: Standing, lang: str) -> str:
    return "; ".join(f"{row.exercise.name} ({_hints(row, lang)})" for row in standing.rows if row.hints)


def _exercise_lines(each: LessonStanding, lang: str) -> list[str]:
    state = max((len(row.verdict.kind.to(lang)) for row in each.rows), default=0)
    name = max((len(row.exercise.name) for row in each.rows), default=0)
    return [
        f"  {SIGNS[row.verdict.kind]} {row.verdict.kind.to(lang):<{state}}  {row.exercise.name:<{name}}  "
        + " · ".join(_facts(row, lang))
        for row in each.rows
    ]


def _facts(row: Row, lang: str) -> list[str]:
    facts = [
        Message.counted("{points} point", "{points} points", row.exercise.points, points=row.exercise.points).to(lang)
    ]
    if not row.exercise.required:
        facts.append(Message("more").to(lang))
    if row.hints:
        facts.append(f"{_used(lang)}: {_hints(row, lang)}")
    return facts


def _used(lang: str) -> str:
    return Message("hints used").to(lang)


def _code(text: str) -> str:
    return f"<code>{html.escape(text)}</code>"


def _state(kind: Kind, lang: str) -> str:
    return f'<span style="color:{COLOURS[kind]};white-space:nowrap">{SIGNS[kind]} {html.escape(kind.to(lang))}</span>'


def _row(*cells: str, head: int = 0) -> str:
    """One row of a table; cell number `head` names it."""
    made = [
        f'<th scope="row" style="{CELL};font-weight:inherit">{cell}</th>'
        if number == head
        else f'<td style="{CELL}">{cell}</td>'
        for number, cell in enumerate(cells)
    ]
    return f'<tr style="background:none">{"".join(made)}</tr>'


def _lesson_rows(standing: Standing, lang: str) -> str:
    rows = []
    for each in standing.lessons:
        marks = "<br>".join(
            f"{_state(kind, lang)} {', '.join(_code(name) for name in names.split(', '))}"
            for kind, names in _by_kind(each)
        )
        title = html.escape(f"{each.lesson.number} {each.lesson.title.to(lang)}")
        left = f'<div style="white-space:nowrap">{html.escape(_left(each, lang))}</div>'
        rows.append(_row(title, _count(each), left, marks))
    return "".join(rows)


def _exercise_rows(each: LessonStanding, lang: str) -> str:
    return "".join(
        _row(
            _state(row.verdict.kind, lang),
            _code(row.exercise.name),
            html.escape(" · ".join(_facts(row, lang))),
            head=1,
        )
        for row in each.rows
    )


def _meter(standing: Standing) -> str:
    """A bar as long as what has passed. The words above say the same, so a screen reader skips it."""
    share = round(100 * standing.passed / max(1, len(standing.required)))
    track = "height:6px;max-width:24em;margin:4px 0;border-radius:3px;background:var(--jp-border-color2,#d0d0d0)"
    fill = f"height:6px;width:{share}%;border-radius:3px;background:{COLOURS[Kind.PASSED]}"
    return f'<div aria-hidden="true" style="{track}"><div style="{fill}"></div></div>'
