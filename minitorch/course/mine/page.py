"""`minitorch report`: one page of HTML on what a learner has made. It needs no network, and nothing else beside it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from minitorch.course.cards.report import clean, one_line
from minitorch.course.cards.standing import LessonStanding, Standing, passed, standing
from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.files.course_folder import read_exercises
from minitorch.course.mine.assembled import Engine, Part, parts_of
from minitorch.course.mine.exhibits import Exhibit, exhibits
from minitorch.course.session import Session
from minitorch.language import N_, Message
from minitorch.serialization.atomic import write_atomically
from minitorch.viz.drawing.palette import DARK, LIGHT

MADE_BY = '<meta name="generator" content="minitorch report">'  # what says that a page may be written over
LONGEST = 200  # letters of an error
COLUMNS = (N_("lesson"), N_("required"), N_("more"))
STYLE = f"""
body {{ margin: 0 auto; max-width: 960px; padding: 24px; font: 16px/1.5 system-ui, sans-serif;
  background: {LIGHT["paper"]}; color: {LIGHT["ink"]}; }}
img {{ display: block; max-width: 100%; height: auto; margin: 12px 0; }}
table {{ border-collapse: collapse; }} th, td {{ text-align: left; padding: 4px 18px 4px 0; }}
td {{ font-variant-numeric: tabular-nums; }}
pre {{ overflow-x: auto; padding: 12px; border-left: 4px solid currentcolor; font-size: 14px; }}
pre.written {{ white-space: pre-wrap; }}
summary {{ cursor: pointer; }}
@media (prefers-color-scheme: dark) {{ body {{ background: {DARK["paper"]}; color: {DARK["ink"]}; }} }}
@media print {{ body {{ max-width: none; }} }}
"""


@dataclass(frozen=True)
class Reported:
    """A report: where it is, and how many pieces of the engine are the learner's."""

    file: Path
    own: int
    all: int


def write_report(session: Session, file: Path, lang: str) -> Reported:
    """Train the learner's engine, and write down what came of it, with the pieces that have passed.

    Raises CourseError where something that is no report stands in the file's place, and where it cannot be written.
    """
    if file.suffix != ".html":
        raise CourseError("a report is written as .html, not as {form}", form=file.suffix or repr(file.name))
    if file.exists() and not _is_report(file):
        raise CourseError("{file} is there already and no report, so it is left as it is: name another file", file=file)
    parts = parts_of([lesson for lesson in session.course.lessons if lesson.engine], session, lang)
    found = standing(session, session.course.lessons)
    page = "\n".join([*_page(session, parts, found, lang), ""])
    try:
        write_atomically(file, page.encode())
    except OSError as error:
        raise CourseError("{file} cannot be written: {why}", file=file, why=error.strerror or error) from error
    return Reported(file, *_counts(parts))


def _is_report(file: Path) -> bool:
    return file.is_file() and MADE_BY.encode() in file.read_bytes()


def _counts(parts: Sequence[Part]) -> tuple[int, int]:
    pieces = [piece for part in parts for piece in part.pieces]
    return sum(piece.owner == "yours" for piece in pieces), len(pieces)


def _page(session: Session, parts: Sequence[Part], found: Standing, lang: str) -> Iterator[str]:
    def said(key: str, **fields: object) -> str:
        return escape(Message(key, **fields).to(lang))

    own, all_pieces = _counts(parts)
    today = dt.datetime.now(tz=dt.UTC).astimezone().date().isoformat()
    title, made = (
        said(N_("My engine")),
        said(N_("Written in the course minitorch. This page was made on {date}; it needs no network."), date=today),
    )
    counted = said(
        N_("{own} of {all} pieces of the engine are mine; {passed} of {required} required exercises passed."),
        own=own,
        all=all_pieces,
        passed=found.passed,
        required=len(found.required),
    )
    does, course, code = said(N_("What it does")), said(N_("Lesson by lesson")), said(N_("What I wrote"))
    nothing = said(N_("No piece has passed yet."))
    yield f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">{MADE_BY}'
    yield '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
    yield f"<title>{title}</title><style>{STYLE}</style></head><body><main>"
    yield f"<h1>{title}</h1><p>{made}</p><p><strong>{counted}</strong></p><h2>{does}</h2>"
    yield from _exhibits(Engine(parts, lang), lang)
    yield f"<h2>{course}</h2>{_map(found, lang)}<h2>{code}</h2>"
    yield from list(_code(session, found, lang)) or [f"<p>{nothing}</p>"]
    yield "</main></body></html>"


def _exhibits(engine: Engine, lang: str) -> Iterator[str]:
    """What the engine does. Whatever its code raises ends this section with a sentence, and the page goes on."""
    try:
        for each in exhibits(engine):
            yield _exhibit(each, lang)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the learner's code raises
        what = one_line(f"{type(error).__name__}: {error}", LONGEST)
        told = Message("could not be shown: the engine raised {error}", error=what)
        yield f"<p>{escape(told.to(lang))}</p>"


def _exhibit(each: Exhibit, lang: str) -> str:
    pictures = "".join(picture._repr_mimebundle_()["text/html"] for picture in each.pictures)
    written = f'<pre class="written">{escape(each.written)}</pre>' if each.written else ""
    told = f"<h3>{escape(each.heading.to(lang))}</h3><p>{escape(each.told.to(lang))}</p>"
    return f"<section>{told}{written}{pictures}</section>"


def _map(found: Standing, lang: str) -> str:
    heads = "".join(f'<th scope="col">{escape(Message(each).to(lang))}</th>' for each in COLUMNS)
    rows = "".join(f"<tr>{_row(each, lang)}</tr>" for each in found.lessons)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _row(each: LessonStanding, lang: str) -> str:
    more = f"{passed(each.more)} / {len(each.more)}" if each.more else ""
    return (
        f'<th scope="row">{escape(_named(each, lang))}</th><td>{each.passed} / {len(each.required)}</td><td>{more}</td>'
    )


def _code(session: Session, found: Standing, lang: str) -> Iterator[str]:
    """The text of each piece that has passed, as it stands in the learner's file."""
    for each in found.lessons:
        done = [row.exercise for row in each.rows if row.verdict.passed]
        file = read_exercises(session.folder, each.lesson)
        if not done or not source_code.parses(file.source):
            continue
        yield f"<h3>{escape(_named(each, lang))}</h3>"
        for exercise in done:
            span = source_code.find(file.source, exercise.target)
            if span is not None:
                text = _shown(source_code.text_of(file.source, exercise.target))
                name = f"<summary><code>{escape(exercise.name)}</code></summary>"
                yield f"<details>{name}<pre>{escape(text)}</pre></details>"


def _named(each: LessonStanding, lang: str) -> str:
    return f"{each.lesson.number} {each.lesson.title.to(lang)}"


def _shown(text: str) -> str:
    """The text with what cannot be seen written out, line by line, without common indentation."""
    return "\n".join(map(clean, source_code.fitted(text, "").splitlines()))
