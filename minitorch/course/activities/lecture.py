"""`minitorch lecture 06`: a lesson as a lecture: its pictures with a sentence each, its questions, its predictions.

The sentences are those of the notebook: the last one before a picture stands above it, and what the notebook says
around it are the notes. Where it asks to predict, the question comes alone, and what is seen with the next key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from minitorch import viz
from minitorch.course.activities.rerun import Seen, rerun
from minitorch.course.cards.code_words import code_plain
from minitorch.course.cards.questions import Question, load_questions
from minitorch.course.manifest import Lesson, material
from minitorch.course.texts.error import CourseError
from minitorch.course.texts.messages import say
from minitorch.viz.views.lecture import Lecture, Slide, slide

LONGEST = 130  # letters of a sentence on a slide
MOST = 6  # points of a recap
NOTES = 900  # letters
FORMS = (".html", ".pdf")

_QUIZ = re.compile(r"""^\s*quiz\(\s*["'](?P<id>[\w-]+)["']\s*\)\s*$""", re.MULTILINE)
_SPANISH = "> **En español.**"
_SENTENCE = re.compile(r"(?<=[.?!:])\s+(?=[A-Z¿¡`*])")


@dataclass
class _Text:
    """What the notebook said since the last slide. asked: what is to be predicted, "" for nothing."""

    before: list[str] = field(default_factory=list)
    asked: str = ""


def write_lecture(lesson: Lesson, path: Path | None, lang: str) -> tuple[Path, Lecture, list[str]]:
    """Make the lecture and write it: a page of HTML, a PDF, or a folder of SVG files where `path` has no ending.

    Returns where it is, the lecture, and what went wrong in cells that raised. Raises CourseError where something of
    that name is there already: a lecture may have been changed by hand.
    """
    path = path or Path(f"lecture_{lesson.number}_{lesson.slug}.html")
    if path.suffix and path.suffix not in FORMS:
        raise CourseError(say("lecture_form", form=path.suffix))
    if path.exists():
        raise CourseError(say("lecture_there", file=path))
    made, failed = lecture_of(lesson, lang)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        made.save(path)
    except OSError as error:
        raise CourseError(say("lecture_unwritten", file=path, why=error.strerror)) from error
    return path, made, failed


def lecture_of(lesson: Lesson, lang: str) -> tuple[Lecture, list[str]]:
    """The lecture of a lesson, and what went wrong in cells that raised."""
    cells = _cells(lesson)
    runs = iter(rerun([source for kind, source in cells if kind == "code"]))
    seen = [next(runs) if kind == "code" else Seen() for kind, _ in cells]
    asked = {question.id: question for question in load_questions(lesson)}
    title = lesson.title.to(lang)
    first = slide(
        f"{title}\n{code_plain(lesson.summary.to(lang))}", notes=say("lecture_minutes", n=lesson.minutes).to(lang)
    )
    slides = [first, *_slides(cells, seen, asked, lang)]
    failed = [each.failed for each in seen if each.failed]
    return viz.lecture(*slides, title=title), failed


def _cells(lesson: Lesson) -> list[tuple[str, str]]:
    path = material() / "notebooks" / lesson.notebook_name
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    except FileNotFoundError:
        raise CourseError(say("notebook_missing", file=f"notebooks/{lesson.notebook_name}")) from None
    except (KeyError, ValueError) as error:
        raise CourseError(say("notebook_broken", file=f"notebooks/{lesson.notebook_name}")) from error


def _slides(cells: list[tuple[str, str]], seen: list[Seen], asked: dict[str, Question], lang: str) -> Iterator[Slide]:
    said, heading = _Text(), ""
    for number, ((kind, source), shown) in enumerate(zip(cells, seen, strict=True)):
        if kind == "markdown":
            heading = _heading(source) or heading
            if heading.lower().startswith("recap"):
                yield from _recap(source, heading)
                heading = ""
            for block in _blocks(source):
                sentences = _SENTENCE.split(block)
                asks = next((at for at, each in enumerate(sentences) if _asks(each)), len(sentences))
                said.before += sentences[:asks]
                said.asked = " ".join(sentences[asks:]) or said.asked
            continue
        quiz = _QUIZ.search(source)
        if quiz and quiz["id"] in asked:
            yield _question(asked[quiz["id"]], lang)
        notes = _notes(said.before, cells, number)
        prediction = _plain(said.asked) if lang == "en" else say("lecture_predict_first").to(lang) if said.asked else ""
        if shown.pictures:
            sentence = _spanish(cells, number) if lang == "es" else _sentence(said.before)
            for place, picture in enumerate(shown.pictures):
                yield slide(picture, sentence or _plain(heading), notes=notes, question="" if place else prediction)
        elif prediction and shown.printed:
            yield slide(question=prediction, answer=_first_lines(shown.printed), notes=notes)
        if shown.pictures or shown.printed or quiz:
            said = _Text()


def _question(question: Question, lang: str) -> Slide:
    options = [code_plain(option.text.to(lang)) for option in question.options]
    right = next(option for option in question.options if option.correct)
    return slide(
        question=code_plain(question.prompt.to(lang)),
        code=question.figure,
        choices=options,
        right=code_plain(right.text.to(lang)),
        answer=code_plain(right.reason.to(lang)),
        notes="\n".join(
            f"✗ {code_plain(option.text.to(lang))}: {code_plain(option.reason.to(lang))}"
            for option in question.options
            if not option.correct
        ),
    )


# ------------------------------------------------------------------------------------- what a notebook says


def _heading(source: str) -> str:
    found = re.findall(r"^#{2,3} (.+)$", source, re.MULTILINE)
    return re.sub(r"^\d+\. ", "", found[-1]) if found else ""


def _blocks(source: str) -> list[str]:
    """The paragraphs of a cell: no headings, tables, formulas, lists, code or folded answers."""
    source = re.sub(r"```.*?```|<details>.*?</details>|\$\$.*?\$\$", "", source, flags=re.DOTALL)
    blocks = [" ".join(block.split()) for block in source.split("\n\n")]
    return [block for block in blocks if block and not re.match(r"[#|\-*>] ?(?!\*)|\*[^*]|\d+\. ", block)]


def _asks(sentence: str) -> bool:
    return "predict" in sentence.lower() and "**" in sentence


def _sentence(said: list[str]) -> str:
    """The last sentence that says something and asks nothing; a long one is left to the notes."""
    told = [_plain(each) for each in said if "\\" not in each]
    return next((each.rstrip(":") for each in reversed(told) if 12 < len(each) <= LONGEST and each[-1] in ".:"), "")


def _spanish(cells: list[tuple[str, str]], number: int) -> str:
    """The first sentence of what the section says in Spanish."""
    for kind, source in cells[number + 1 :]:
        if kind != "markdown":
            continue
        if _SPANISH in source:
            block = source.partition(_SPANISH)[2].split("\n\n")[0]
            return _SENTENCE.split(_plain(" ".join(block.replace("\n>", " ").split())))[0]
        if _heading(source):
            break
    return ""


def _notes(said: list[str], cells: list[tuple[str, str]], number: int) -> str:
    """What stands before the picture, and the first of what comes after it."""
    after = next((source for kind, source in cells[number + 1 : number + 2] if kind == "markdown"), "")
    paragraphs = [" ".join(map(_plain, said)), *map(_plain, _blocks(after))]
    found = "\n\n".join(filter(None, paragraphs))
    return found if len(found) <= NOTES else f"{found[:NOTES].rpartition(' ')[0]} …"


def _recap(source: str, heading: str) -> Iterator[Slide]:
    points = re.findall(r"^- (.+(?:\n  .+)*)", source, re.MULTILINE)
    if points:
        yield slide("\n".join([_plain(heading), *(f"· {_plain(' '.join(each.split()))}" for each in points[:MOST])]))


def _plain(said: str) -> str:
    """A sentence without the marks of Markdown."""
    said = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", said)
    said = re.sub(r"\$([^$]*)\$", r"\1", said)
    return re.sub(r"\*\*|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", said).strip()


def _first_lines(printed: str) -> str:
    lines = printed.splitlines()
    return "\n".join(lines[:8])
