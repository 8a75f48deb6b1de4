"""The page on a class: which ideas it misses, exercise by exercise, who needs help, how the points are spread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from minitorch.course.cards.code_words import code_html
from minitorch.course.cards.report import one_line
from minitorch.course.grading import charts
from minitorch.course.grading.insight import Answers, Insight, Missed, Standing
from minitorch.course.grading.sheet import code, page, percent, said, table, told
from minitorch.course.grading.submissions import Note
from minitorch.language import N_, Message

MOST_IDEAS = 20
MOST_NAMED = 3  # students with the same code, or files that were not read
LONGEST_NAME = 60
LEGEND = {
    "passed": N_("passed"),
    "wrong": N_("wrong"),
    "stopped": N_("stopped by an error or a limit"),
    "empty": N_("not started"),
}
FLAGS = {  # what may be wrong with a hand-in that no check can judge
    "hidden": N_("right on the published cases alone, wrong on the hidden ones"),
    "protocol": N_("said something to the judge that it was not asked"),
    "patched": N_("changed a module that does not belong to it"),
    "network": N_("imports what opens network connections"),
    "system": N_("imports what starts programs or reaches around Python"),
    "reference": N_("imports a part of minitorch that the lesson does not give"),
}
PARTS = {  # of the page: where a link leads, and its heading
    "ideas": N_("Ideas that the class misses"),
    "exercises": N_("Exercise by exercise"),
    "points": N_("Points"),
    "help": N_("Who needs help"),
    "everyone": N_("Everybody"),
}


@dataclass(frozen=True, slots=True)
class ClassPage:
    """What the page needs to know besides the insight."""

    name: str  # of the course; empty where it has none
    date: str
    lessons: tuple[str, ...]
    hand_ins: int
    tiers: tuple[str, ...]
    waiting: int = 0  # hand-ins without a result
    notes: Sequence[Note] = ()
    links: Mapping[str, str] | None = None  # each student's own page, beside this one


def class_page(insight: Insight, about: ClassPage, lang: str) -> str:
    """The page as HTML."""
    name = one_line(about.name, LONGEST_NAME)
    title = (
        Message("{name}: what the class has understood", name=name)
        if name
        else Message("What the class has understood")
    )
    return page(title.to(lang), lang, _body(insight, about, lang))


def _body(insight: Insight, about: ClassPage, lang: str) -> Iterator[str]:
    counts = {
        "students": Message.counted("1 student", "{count} students", len(insight.standings)),
        "hand_ins": Message.counted("1 hand-in", "{count} hand-ins", about.hand_ins),
        "lessons": Message.counted("1 lesson", "{count} lessons", len(about.lessons)),
    }
    yield f"<p>{said('{students}, {hand_ins} of {lessons}. Made on {date}.', lang, **counts, date=about.date)}"
    yield f" {said('Judged in: {tiers}.', lang, tiers=', '.join(about.tiers))}</p>" if about.tiers else "</p>"
    if about.waiting:
        waiting = said(
            "Hand-ins without a result yet: {count}. They count as nothing here; `minitorch grade run` goes on with "
            "them.",
            lang,
            count=about.waiting,
        )
        yield f"<p><strong>{waiting}</strong></p>"
    if "none" in about.tiers:
        unsafe = said(
            "Some of it was judged in the tier `none`, where a submission can read and write what the judge can: "
            "believe these results as far as you believe those who handed them in.",
            lang,
        )
        yield f"<p><strong>{unsafe}</strong></p>"
    links = (f'<a href="#{part}">{said(key, lang)}</a>' for part, key in PARTS.items())
    yield f"<nav>{' · '.join(links)}</nav>"
    yield _heading("ideas", lang)
    yield from _ideas(insight.missed, lang)
    yield _heading("exercises", lang)
    yield from _exercises(insight, lang)
    yield _heading("points", lang)
    yield f"<p>{said('How many students have how much of the points.', lang)}</p>"
    words = Message(
        "Students by their share of the points, in steps of 10 %, from 0: {counts}",
        counts=", ".join(map(str, insight.distribution)),
    ).to(lang)
    yield charts.distribution(insight.distribution, words)
    yield _heading("help", lang)
    yield from _students(
        insight.helped,
        about,
        lang,
        N_("Less than half of the points, those with the least first."),
        N_("Everybody has at least half of the points."),
    )
    yield _heading("everyone", lang)
    yield from _students(insight.standings, about, lang, "", "")
    if about.notes:
        yield f"<h2>{said('What was not read', lang)}</h2>"
        heads = (said("student", lang), "", "")
        yield table(heads, ([_name(note.student), _name(note.place), told(note.reason, lang)] for note in about.notes))


def _heading(part: str, lang: str) -> str:
    return f'<h2 id="{part}">{said(PARTS[part], lang)}</h2>'


def _ideas(missed: Sequence[Missed], lang: str) -> Iterator[str]:
    if not missed:
        yield f"<p>{said('No known mistake was recognised.', lang)}</p>"
        return
    recognised = said(
        "What the checks recognised, the most frequent first. The examples are answers of this class without comments, "
        "texts and names.",
        lang,
    )
    yield f"<p>{recognised}</p><ol>"
    for each in missed[:MOST_IDEAS]:
        lesson = each.exercise.lesson
        count = said(
            "{count} of {of} who handed in lesson {lesson}", lang, count=len(each.students), of=each.of, lesson=lesson
        )
        examples = "".join(map(code, each.examples))
        yield f"<li><strong>{told(each.text, lang)}</strong><br><code>{escape(each.exercise.name)}</code> · "
        yield f'<span class="soft">{count}</span><div class="pair">{examples}</div></li>'
    yield "</ol>"


def _exercises(insight: Insight, lang: str) -> Iterator[str]:
    hardest, slowest = insight.hardest, insight.slowest
    if hardest is not None:
        begun = hardest.count - hardest.not_started
        hard = said(
            "`{exercise}` is the hardest: passed by {passed} of the {begun} who began it.",
            lang,
            exercise=hardest.exercise.name,
            passed=hardest.passed,
            begun=begun,
        )
        yield f"<p>{hard}"
    if hardest is not None and slowest is not None:
        slow = said(
            "The answers to `{exercise}` take longest to be judged: {median} s, at most {longest} s.",
            lang,
            exercise=slowest.exercise.name,
            median=f"{slowest.median_s:.1f}",
            longest=f"{slowest.longest_s:.1f}",
        )
        yield f" {slow}</p>"
    legend = "".join(f'<span class="{kind}"></span>{said(told, lang)}' for kind, told in LEGEND.items())
    yield f'<p class="legend">{legend}</p>'
    heads = (said("exercise", lang), said("answers", lang))
    yield table(
        heads, ([f"{each.exercise.lesson} {escape(each.exercise.name)}", _bar(each, lang)] for each in insight.answers)
    )


def _bar(each: Answers, lang: str) -> str:
    counts = {"passed": each.passed, "wrong": each.wrong, "stopped": each.stopped, "empty": each.not_started}
    words = Message(
        "{exercise}: {passed} passed, {wrong} wrong, {stopped} stopped, {empty} not started",
        exercise=each.exercise.name,
        **counts,
    ).to(lang)
    return charts.stacked([*counts.items()], words)


def _students(standings: Sequence[Standing], about: ClassPage, lang: str, above: str, where_none: str) -> Iterator[str]:
    if not standings:
        yield f"<p>{said(where_none, lang)}</p>" if where_none else ""
        return
    flagged = any(each.flags or each.alike for each in standings)
    if above:
        yield f"<p>{said(above, lang)}</p>"
    heads = [
        N_("student"),
        N_("required, passed"),
        N_("points"),
        N_("not handed in, or what stopped it"),
        *([N_("for you to look at")] if flagged else []),
    ]
    yield table((said(head, lang) for head in heads), (_row(each, about, lang, flagged) for each in standings))
    if flagged:
        yield f'<p class="soft">{said("These are signs, no proofs, and cost nobody a point.", lang)}</p>'


def _row(each: Standing, about: ClassPage, lang: str, flagged: bool) -> Iterator[str]:
    link = (about.links or {}).get(each.student)
    yield f'<a href="{escape(link)}">{_name(each.student)}</a>' if link else _name(each.student)
    yield f"{each.passed} / {each.of}"
    yield f"{percent(each.share)} %"
    missing = [escape(", ".join(each.missing)), *_lying(each, about, lang)] if each.missing else []
    yield "<br>".join([*missing, *_stopped(each, lang)])
    if flagged:
        yield "; ".join([*(said(FLAGS[flag], lang) for flag in each.flags), *_alike(each, lang)])


def _lying(each: Standing, about: ClassPage, lang: str) -> Iterator[str]:
    """The first files of a student that were not read, where a lesson is missing: it may be one of them."""
    places = [note.place for note in about.notes if note.student == each.student and note.place and note.unread]
    if places:
        names = ", ".join(one_line(place, LONGEST_NAME) for place in places[:MOST_NAMED])
        more = " …" if len(places) > MOST_NAMED else ""
        yield said("lies there, not read: {names}", lang, names=names + more)


def _stopped(each: Standing, lang: str) -> Iterator[str]:
    """What stopped the answers, with the lessons of which this is true."""
    lessons: dict[Message, list[str]] = {}
    for lesson, why in each.stopped:
        lessons.setdefault(why, []).append(lesson)
    for why, numbers in lessons.items():
        yield f"{escape(', '.join(numbers))}: {code_html(one_line(why.to(lang)))}"


def _alike(each: Standing, lang: str) -> Iterator[str]:
    """With whom somebody shares code, a few of them by name."""
    names = ", ".join(one_line(name, LONGEST_NAME) for name in each.alike[:MOST_NAMED])
    more = len(each.alike) - MOST_NAMED
    if names:
        yield said(
            "the same code as {names}" if more <= 0 else "the same code as {names} and {more}",
            lang,
            names=names,
            more=Message.counted("1 other", "{count} others", more),
        )


def _name(name: str) -> str:
    return escape(one_line(name, LONGEST_NAME))
