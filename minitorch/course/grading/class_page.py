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
from minitorch.course.texts.messages import counted, say
from minitorch.language import Text

MOST_IDEAS = 20
MOST_NAMED = 3  # students with the same code, or files that were not read
LONGEST_NAME = 60
LEGEND = ("passed", "wrong", "stopped", "empty")
PARTS = {  # of the page: where a link leads, and its heading
    "ideas": "class_ideas",
    "exercises": "class_exercises",
    "points": "class_points",
    "help": "class_help",
    "everyone": "class_everyone",
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
    title = say("class_title", name=name) if name else say("class_unnamed")
    return page(title.to(lang), lang, _body(insight, about, lang))


def _body(insight: Insight, about: ClassPage, lang: str) -> Iterator[str]:
    numbers = {"student": len(insight.standings), "hand_in": about.hand_ins, "lesson": len(about.lessons)}
    counts = {f"{noun}s": counted(noun, number) for noun, number in numbers.items()}
    yield f"<p>{said('class_counts', lang, **counts, date=about.date)}"
    yield f" {said('class_tier', lang, tiers=', '.join(about.tiers))}</p>" if about.tiers else "</p>"
    if about.waiting:
        yield f"<p><strong>{said('class_waiting', lang, count=about.waiting)}</strong></p>"
    if "none" in about.tiers:
        yield f"<p><strong>{said('class_none', lang)}</strong></p>"
    links = (f'<a href="#{part}">{said(key, lang)}</a>' for part, key in PARTS.items())
    yield f"<nav>{' · '.join(links)}</nav>"
    yield _heading("ideas", lang)
    yield from _ideas(insight.missed, lang)
    yield _heading("exercises", lang)
    yield from _exercises(insight, lang)
    yield _heading("points", lang)
    yield f"<p>{said('class_points_told', lang)}</p>"
    words = say("class_points_words", counts=", ".join(map(str, insight.distribution))).to(lang)
    yield charts.distribution(insight.distribution, words)
    yield _heading("help", lang)
    yield from _students(insight.helped, about, lang, "class_help_told", "class_no_help")
    yield _heading("everyone", lang)
    yield from _students(insight.standings, about, lang, "", "")
    if about.notes:
        yield f"<h2>{said('class_notes', lang)}</h2>"
        heads = (said("class_student", lang), "", "")
        yield table(heads, ([_name(note.student), _name(note.place), told(note.reason, lang)] for note in about.notes))


def _heading(part: str, lang: str) -> str:
    return f'<h2 id="{part}">{said(PARTS[part], lang)}</h2>'


def _ideas(missed: Sequence[Missed], lang: str) -> Iterator[str]:
    if not missed:
        yield f"<p>{said('class_no_ideas', lang)}</p>"
        return
    yield f"<p>{said('class_ideas_told', lang)}</p><ol>"
    for each in missed[:MOST_IDEAS]:
        lesson = each.exercise.lesson
        count = said("class_idea_count", lang, count=len(each.students), of=each.of, lesson=lesson)
        examples = "".join(map(code, each.examples))
        yield f"<li><strong>{told(each.text, lang)}</strong><br><code>{escape(each.exercise.name)}</code> · "
        yield f'<span class="soft">{count}</span><div class="pair">{examples}</div></li>'
    yield "</ol>"


def _exercises(insight: Insight, lang: str) -> Iterator[str]:
    hardest, slowest = insight.hardest, insight.slowest
    if hardest is not None:
        begun = hardest.count - hardest.not_started
        yield f"<p>{said('class_hardest', lang, exercise=hardest.exercise.name, passed=hardest.passed, begun=begun)}"
    if hardest is not None and slowest is not None:
        fields = {"median": f"{slowest.median_s:.1f}", "longest": f"{slowest.longest_s:.1f}"}
        yield f" {said('class_slowest', lang, exercise=slowest.exercise.name, **fields)}</p>"
    legend = "".join(f'<span class="{kind}"></span>{said(f"class_legend_{kind}", lang)}' for kind in LEGEND)
    yield f'<p class="legend">{legend}</p>'
    heads = (said("class_exercise", lang), said("class_answers", lang))
    yield table(
        heads, ([f"{each.exercise.lesson} {escape(each.exercise.name)}", _bar(each, lang)] for each in insight.answers)
    )


def _bar(each: Answers, lang: str) -> str:
    counts = {"passed": each.passed, "wrong": each.wrong, "stopped": each.stopped, "empty": each.not_started}
    words = say("class_bar", exercise=each.exercise.name, **counts).to(lang)
    return charts.stacked([*counts.items()], words)


def _students(standings: Sequence[Standing], about: ClassPage, lang: str, above: str, where_none: str) -> Iterator[str]:
    if not standings:
        yield f"<p>{said(where_none, lang)}</p>" if where_none else ""
        return
    flagged = any(each.flags or each.alike for each in standings)
    if above:
        yield f"<p>{said(above, lang)}</p>"
    heads = ["class_student", "class_passed", "class_share", "class_missing", *(["class_flags"] if flagged else [])]
    yield table((said(head, lang) for head in heads), (_row(each, about, lang, flagged) for each in standings))
    if flagged:
        yield f'<p class="soft">{said("class_flags_told", lang)}</p>'


def _row(each: Standing, about: ClassPage, lang: str, flagged: bool) -> Iterator[str]:
    link = (about.links or {}).get(each.student)
    yield f'<a href="{escape(link)}">{_name(each.student)}</a>' if link else _name(each.student)
    yield f"{each.passed} / {each.of}"
    yield f"{percent(each.share)} %"
    missing = [escape(", ".join(each.missing)), *_lying(each, about, lang)] if each.missing else []
    yield "<br>".join([*missing, *_stopped(each, lang)])
    if flagged:
        yield "; ".join([*(said(f"class_flag_{flag}", lang) for flag in each.flags), *_alike(each, lang)])


def _lying(each: Standing, about: ClassPage, lang: str) -> Iterator[str]:
    """The first files of a student that were not read, where a lesson is missing: it may be one of them."""
    places = [note.place for note in about.notes if note.student == each.student and note.place and note.unread]
    if places:
        names = ", ".join(one_line(place, LONGEST_NAME) for place in places[:MOST_NAMED])
        more = " …" if len(places) > MOST_NAMED else ""
        yield said("class_lies_there", lang, names=names + more)


def _stopped(each: Standing, lang: str) -> Iterator[str]:
    """What stopped the answers, with the lessons of which this is true."""
    lessons: dict[Text, list[str]] = {}
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
            "class_flag_same" if more <= 0 else "class_flag_same_more", lang, names=names, more=counted("other", more)
        )


def _name(name: str) -> str:
    return escape(one_line(name, LONGEST_NAME))
