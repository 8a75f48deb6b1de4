"""`minitorch lecture 08`: a lesson as a lecture: its pictures with a sentence each, its questions, its predictions.

The sentences are those of the notebook: the last one before a picture stands above it, and what the notebook says
around it are the notes. Where it asks to predict, the question comes alone, and what is seen with the next key.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from minitorch import viz
from minitorch.course.activities.rerun import Seen, rerun
from minitorch.course.cards.code_words import code_plain
from minitorch.course.cards.questions import Question, load_questions
from minitorch.course.course_error import CourseError
from minitorch.course.files.stubs import FIRST_LANGUAGE
from minitorch.course.manifest import Lesson, material
from minitorch.course.setup.workspace import in_language
from minitorch.language import Message
from minitorch.viz.views.lecture import Lecture, Slide, slide

LONGEST = 130  # letters of a sentence on a slide
MOST = 6  # points of a recap
NOTES = 900  # letters
FORMS = (".html", ".pdf")
CELLS_IMPORT = ("IPython", "ipywidgets")
BARE = 30  # letters: a prediction of fewer does not say of what, "Predict, then run."; the code of its cell does

_QUIZ = re.compile(r"""^\s*quiz\(\s*["'](?P<id>[\w-]+)["']\s*\)\s*$""", re.MULTILINE)
_SIGNS = {
    r"\cdot": "·",
    r"\times": "×",
    r"\partial": "∂",
    r"\sum": "Σ",
    r"\sqrt": "√",
    r"\pm": "±",
    r"\le": "≤",
    r"\ge": "≥",
    r"\infty": "∞",
    r"\dots": "…",
    r"\,": " ",
}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SPANISH = "> **En español.**"
_SENTENCE = re.compile(r"(?<=[.?!:])\s+(?=[A-Z¿¡`*])")


@dataclass
class _Text:
    """What the notebook said since the last slide. asked: what its section wants predicted, "" for nothing."""

    before: list[str] = field(default_factory=list)
    asked: str = ""

    def hear(self, block: str) -> None:
        """A paragraph. From the sentence on that asks, it is what is asked; a sentence that leads to code is not."""
        sentences = _SENTENCE.split(block)
        asks = next((at for at, each in enumerate(sentences) if _asks(each)), len(sentences))
        self.before += sentences[:asks]
        asked = sentences[asks:]
        while len(asked) > 1 and asked[-1].endswith(":"):
            asked.pop()
        self.asked = " ".join(asked) or self.asked


def write_lecture(lesson: Lesson, path: Path | None, lang: str, whole: bool) -> tuple[Path, Lecture, list[str]]:
    """Make the lecture and write it: a page of HTML, a PDF, or a folder of SVG files where `path` has no ending.

    whole: with all steps of each picture. Returns where it is, the lecture, and what went wrong in cells that raised.
    Raises CourseError where something of that name is there already, for a lecture may have been changed by hand,
    where nothing can be written, and where what the notebook's cells import is not installed; all before it is run.
    """
    if missing := next((name for name in CELLS_IMPORT if importlib.util.find_spec(name) is None), ""):
        raise CourseError('to run notebooks {name} is needed: pip install "minitorch-course[lab]"', name=missing)
    path = path or Path(f"lecture_{lesson.number}_{lesson.slug}.html")
    if path.suffix and path.suffix not in FORMS:
        raise CourseError(
            "a lecture is written as .html or .pdf, or into a folder as SVG files, not as {form}", form=path.suffix
        )
    if path.exists() and (path.suffix or not path.is_dir() or any(path.iterdir())):
        raise CourseError(
            "{file} is there already and is left as it is: name another file, or remove that one first", file=path
        )
    above = next(each for each in path.absolute().parents if each.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise CourseError(
            "{file} cannot be written: {folder} is no folder that you may write into", file=path, folder=above
        )
    made, failed = lecture_of(lesson, lang, whole)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        made.save(path)
    except OSError as error:
        raise CourseError("{file} cannot be written: {why}", file=path, why=error.strerror) from error
    return path, made, failed


def lecture_of(lesson: Lesson, lang: str, whole: bool = False) -> tuple[Lecture, list[str]]:
    """The lecture of a lesson, and what went wrong in cells that raised. whole: with all steps of each picture."""
    path = in_language(material() / "notebooks" / lesson.notebook_name, lang)
    cells = _cells(path)
    translated = lang == FIRST_LANGUAGE or path.parent.name == lang
    runs = iter(rerun([source for kind, source in cells if kind == "code"]))
    seen = [next(runs) if kind == "code" else Seen() for kind, _ in cells]
    asked = {question.id: question for question in load_questions(lesson)}
    title = lesson.title.to(lang)
    first = slide(
        f"{title}\n{code_plain(lesson.summary.to(lang))}",
        notes=Message("The lesson takes about {n} minutes by oneself; choose from its slides.", n=lesson.minutes).to(
            lang
        ),
    )
    slides = [first, *_slides(cells, seen, asked, lang, translated)]
    if whole:
        slides = [replace(each, whole=True) for each in slides]
    failed = [each.failed for each in seen if each.failed]
    return viz.lecture(*slides, title=title), failed


def _cells(path: Path) -> list[tuple[str, str]]:
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    except FileNotFoundError:
        raise CourseError(
            "{file} is missing from this installation: install minitorch-course again", file=path
        ) from None
    except (KeyError, ValueError) as error:
        raise CourseError("{file} is no notebook: its cells cannot be read", file=f"notebooks/{path.name}") from error


def _slides(
    cells: list[tuple[str, str]], seen: list[Seen], asked: dict[str, Question], lang: str, translated: bool
) -> Iterator[Slide]:
    """translated: the notebook is in that language; else its summaries are all that it says in it."""
    said, heading = _Text(), ""
    for number, ((kind, source), shown) in enumerate(zip(cells, seen, strict=True)):
        if kind == "markdown":
            if _heading(source):
                heading, said.asked = _heading(source), ""
            if heading.lower().startswith(("recap", "repaso", "resumen")):
                yield from _recap(source, heading) if translated else ()
                heading = ""
            for block in _blocks(source):
                said.hear(block)
            continue
        quiz = _QUIZ.search(source)
        if quiz and quiz["id"] in asked:
            yield _question(asked[quiz["id"]], lang)
        if translated:
            notes, sentence = _notes(said.before, cells, number), _sentence(said.before)
            prediction = _plain(said.asked)
            code = _first_lines(source) if 0 < len(prediction) < BARE else ""
        else:  # what a notebook in another language asks is shown as what it asks about: the code of the cell
            notes = _summary(cells, number)
            sentence = _SENTENCE.split(notes)[0]
            sentence = sentence if len(sentence) <= LONGEST else sentence.partition(":")[0]
            prediction = Message("Predict what will be seen before it is shown.").to(lang) if said.asked else ""
            code = _first_lines(source) if prediction and not source.strip().isidentifier() else ""
        if shown.pictures:
            for place, picture in enumerate(shown.pictures):
                title = sentence or (_plain(heading) if translated else picture.title)
                if place:
                    yield slide(picture, title, notes=notes)
                else:
                    yield slide(picture, title, notes=notes, question=prediction, code=code)
        elif prediction and shown.printed:
            yield slide(question=prediction, code=code, answer=_first_lines(shown.printed), notes=notes)
        if shown.pictures or shown.printed or quiz:
            said = _Text()


def _question(question: Question, lang: str) -> Slide:
    options = [code_plain(option.text.to(lang)) for option in question.options]
    right = next(option for option in question.options if option.correct)
    return slide(
        question=code_plain(question.prompt.to(lang)),
        code=question.figure.to(lang),
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
    return any(word in sentence.lower() for word in ("predict", "predice")) and "**" in sentence


def _sentence(said: list[str]) -> str:
    """The last sentence that says something and asks nothing; a long one is left to the notes."""
    told = [_plain(each) for each in said if "\\" not in each]
    return next((each.rstrip(":") for each in reversed(told) if 12 < len(each) <= LONGEST and each[-1] in ".:"), "")


def _summary(cells: list[tuple[str, str]], number: int) -> str:
    """What the section says in Spanish."""
    for kind, source in cells[number + 1 :]:
        if kind != "markdown":
            continue
        if _SPANISH in source:
            block = source.partition(_SPANISH)[2].split("\n\n")[0]
            return _plain(" ".join(block.replace("\n>", " ").split()))
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
    """A sentence without the marks of Markdown; code is left as it is."""
    said = re.sub(r"(`[^`\n]+`)|\[((?:`[^`\n]+`|[^\]`])+)\]\([^)]*\)", lambda found: found[1] or found[2], said)
    pieces = re.split(r"`([^`\n]+)`|\$([^$\n]+)\$", said)  # words, code, formula; and again
    words = [re.sub(r"\*\*|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", each) for each in pieces[::3]]
    inner = [code or _formula(tex or "") for code, tex in zip(pieces[1::3], pieces[2::3], strict=True)]
    return "".join(each for pair in zip(words, [*inner, ""], strict=True) for each in pair).strip()


def _formula(tex: str) -> str:
    """A formula as one line of text."""
    for written, meant in _SIGNS.items():
        tex = re.sub(rf"{re.escape(written)}(?![a-zA-Z])", meant, tex)
    tex = re.sub(r"\^\{?(-?\d+)\}?", lambda power: power[1].translate(_RAISED), tex)
    tex = re.sub(r"\^\{([^}]*)\}", r"^(\1)", tex)
    return " ".join(re.sub(r"[{}\\]", "", tex).split())


def _first_lines(printed: str) -> str:
    lines = printed.splitlines()
    return "\n".join(lines[:8])
