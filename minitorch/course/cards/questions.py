"""The predict-then-look questions of the lessons: `quiz("id")` asks, `quiz("id").answer("b")` says why or why not."""

from __future__ import annotations

import difflib
import functools
import html
import string
import tomllib
from dataclasses import dataclass
from typing import Any

from minitorch.course.cards.report import COLOURS, Card, bar_html, frame_html
from minitorch.course.judging.verdict import Kind
from minitorch.course.manifest import Course, Lesson
from minitorch.course.texts.messages import say
from minitorch.course.texts.text import CourseError, Text, language

NEUTRAL = "var(--jp-info-color1,#3b6ea5)"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to choose from; a wrong one is tied to the mistake that leads to it."""

    text: Text
    correct: bool
    reason: Text
    mistake: str | None


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its options, lettered in order."""

    id: str
    lesson: str
    prompt: Text
    figure: str
    options: tuple[Option, ...]

    def lettered(self) -> list[tuple[str, Option]]:
        """The options with their letters: a, b, c, ..."""
        return list(zip(string.ascii_lowercase, self.options, strict=False))


class Quiz:
    """A question in a notebook: shown as a card; `answer` gives the reason for a choice."""

    def __init__(self, question: Question, lang: str) -> None:
        self._question = question
        self._lang = lang

    def answer(self, letter: str) -> Card:
        """A card that says whether the option `letter` is right, and why. Raises CourseError for no option."""
        options = dict(self._question.lettered())
        chosen = options.get(str(letter).strip().lower())
        if chosen is None:
            raise CourseError(say("no_option", id=self._question.id, options=", ".join(options), letter=repr(letter)))
        verdict = say("quiz_right" if chosen.correct else "quiz_wrong").to(self._lang)
        sign = "✓" if chosen.correct else "✗"
        head = f"{sign} {str(letter).strip().lower()}) {verdict}"
        reason = chosen.reason.to(self._lang)
        body = f"<strong>{html.escape(head)}</strong><div>{html.escape(reason)}</div>"
        return Card(
            frame_html(bar_html(COLOURS[Kind.PASSED if chosen.correct else Kind.WRONG], body)), f"{head}\n    {reason}"
        )

    def card(self) -> Card:
        """The question as a card."""
        question, lang = self._question, self._lang
        how = say("quiz_how", command=f'quiz("{question.id}").answer("?")').to(lang)
        code = 'style="font-family:var(--jp-code-font-family,monospace);margin:4px 0"'
        figure = f"<pre {code}>{html.escape(question.figure)}</pre>" if question.figure else ""
        # Lettered in the text: notebooks' style sheets number every list with figures.
        rows = "".join(
            f"<div>{letter}) {html.escape(option.text.to(lang))}</div>" for letter, option in question.lettered()
        )
        body = (
            f"<strong>{html.escape(question.prompt.to(lang))}</strong>{figure}"
            f'<div style="margin:4px 0 4px 1em">{rows}</div><div style="opacity:.75">{html.escape(how)}</div>'
        )
        lines = [f"? {question.prompt.to(lang)}"]
        lines += question.figure.splitlines()
        lines += [f"    {letter}) {option.text.to(lang)}" for letter, option in question.lettered()]
        return Card(frame_html(bar_html(NEUTRAL, body)), "\n".join([*lines, f"    {how}"]))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return self.card()._repr_mimebundle_()

    def __repr__(self) -> str:
        return self.card().text


def find_quiz(course: Course, id: str, lang: str | None = None) -> Quiz:
    """The question `id` of any lesson. Raises CourseError with the nearest ids when there is none."""
    questions = {question.id: question for lesson in course.lessons for question in load_questions(lesson)}
    if id not in questions:
        near = difflib.get_close_matches(id, questions, n=3, cutoff=0.5) or sorted(questions)
        raise CourseError(say("no_question", id=repr(id), near=", ".join(near) or "-"))
    return Quiz(questions[id], language(lang))


@functools.lru_cache(maxsize=64)
def load_questions(lesson: Lesson) -> tuple[Question, ...]:
    """Read a lesson's `quiz.toml`; none there is none asked.

    Raises CourseError when a question lacks something or has not exactly one right option.
    """
    path = lesson.folder / "quiz.toml"
    if not path.is_file():
        return ()
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["question"]
        questions = tuple(_question(row, lesson) for row in rows)
    except (KeyError, TypeError, ValueError) as error:
        raise CourseError(f"{lesson.stem}/quiz.toml: {type(error).__name__}: {error}") from error
    for question in questions:
        if sum(option.correct for option in question.options) != 1:
            raise CourseError(f"{lesson.stem}/quiz.toml: {question.id} must have exactly one right option")
    return questions


def _question(row: dict[str, Any], lesson: Lesson) -> Question:
    options = tuple(
        Option(Text.of(option["text"]), option["correct"], Text.of(option["reason"]), option.get("mistake"))
        for option in row["option"]
    )
    return Question(row["id"], lesson.number, Text.of(row["prompt"]), row.get("figure", "").strip("\n"), options)
