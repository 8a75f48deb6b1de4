"""The predict-then-look questions of the lessons: `quiz("id")` asks, `quiz("id").answer("b")` says why or why not."""

from __future__ import annotations

import difflib
import functools
import html
import string
import tomllib
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from minitorch.course.cards.code_words import code_html, code_plain
from minitorch.course.cards.live import Live, Parts
from minitorch.course.cards.report import COLOURS, Card, bar_html, frame_html
from minitorch.course.course_error import CourseError
from minitorch.course.judging.met import Met
from minitorch.course.judging.verdict import Kind
from minitorch.course.manifest import Course, Lesson
from minitorch.language import N_, Message, language

NEUTRAL = "var(--jp-info-color1,#3b6ea5)"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to choose from; a wrong one is tied to the mistake that leads to it."""

    text: Message
    correct: bool
    reason: Message
    mistake: str | None


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its options, lettered in order."""

    id: str
    lesson: str
    prompt: Message
    figure: Message  # code, or what stands for it; its comments speak both languages
    options: tuple[Option, ...]

    def lettered(self) -> list[tuple[str, Option]]:
        """The options with their letters: a, b, c, ..."""
        return list(zip(string.ascii_lowercase, self.options, strict=False))


class Quiz:
    """A question in a notebook: its options are pressed, or `answer` takes the letter. The question stays in view.

    met: where the idea behind a wrong answer is kept, for a later review.
    """

    def __init__(self, question: Question, lang: str, met: Met | None = None) -> None:
        self._question, self._lang, self._met = question, lang, met
        self._view: Live | None = None

    def answer(self, letter: str) -> Card:
        """The question with the option `letter` marked, and why it is right or what leads to it.

        Raises CourseError for no option.
        """
        chosen = str(letter).strip().lower()
        options = [name for name, _ in self._question.lettered()]
        if chosen not in options:
            raise CourseError(
                "{id} has the options {options}; {letter} is none of them",
                id=self._question.id,
                options=", ".join(options),
                letter=repr(letter),
            )
        mistake = dict(self._question.lettered())[chosen].mistake
        if self._met is not None and mistake is not None:
            self._met.note_pair(self._question.id, mistake)
        return self.card(chosen)

    def card(self, chosen: str | None = None) -> Card:
        """The question as a card, with the option that was chosen and its reason."""
        body = self._asked_html() + self._options_html(chosen) + self._reply_html(chosen, N_("another try: {command}"))
        asked, figure = self._question.prompt.to(self._lang), self._question.figure.to(self._lang)
        lines = [f"? {code_plain(asked)}", *figure.splitlines()]
        for letter, option in self._question.lettered():
            mark = f"  {_sign(option)} " if letter == chosen else "    "
            lines.append(f"{mark}{letter}) {code_plain(option.text.to(self._lang))}")
        if chosen is None:
            how = Message("to answer, put your letter in: {command}", command=self._command).to(self._lang)
            body += f'<div style="opacity:.75">{html.escape(how)}</div>'
            lines.append(f"    {how}")
        else:
            option = dict(self._question.lettered())[chosen]
            lines += [f"{_sign(option)} {self._verdict(option)}", f"    {code_plain(option.reason.to(self._lang))}"]
            lines += [] if option.correct else [Message("another try: {command}", command=self._command).to(self._lang)]
        return Card(frame_html(bar_html(self._colour(chosen), body)), "\n".join(lines))

    def parts(self, chosen: str | None = None) -> Parts:
        """The pieces of the widget: the question, an option a button, and the reply below them."""
        title = html.escape(code_plain(self._question.prompt.to(self._lang)))
        buttons = ""
        for letter, option in self._question.lettered():
            sign, pressed = (f"{_sign(option)} ", "true") if letter == chosen else ("", "false")
            shown = f"{sign}{letter}) {code_html(option.text.to(self._lang))}"
            buttons += f'<button type="button" data-say="{letter}" aria-pressed="{pressed}">{shown}</button>'
        reply = (
            bar_html(
                self._colour(chosen),
                self._reply_html(chosen, N_("choose another answer: you may try as often as you like")),
            )
            if chosen
            else ""
        )
        return [
            ("question", frame_html(bar_html(NEUTRAL, self._asked_html()))),
            ("options", f'<div role="group" aria-label="{title}">{buttons}</div>'),
            ("said", frame_html(reply) if reply else ""),
        ]

    @property
    def _command(self) -> str:
        return f'quiz("{self._question.id}").answer("?")'

    def _verdict(self, option: Option) -> str:
        return Message("right" if option.correct else "not this one").to(self._lang)

    def _colour(self, chosen: str | None) -> str:
        if chosen is None:
            return NEUTRAL
        return COLOURS[Kind.PASSED if dict(self._question.lettered())[chosen].correct else Kind.WRONG]

    def _asked_html(self) -> str:
        code = 'style="font-family:var(--jp-code-font-family,monospace);margin:4px 0"'
        shown = self._question.figure.to(self._lang)
        figure = f"<pre {code}>{html.escape(shown)}</pre>" if shown else ""
        return f"<strong>{code_html(self._question.prompt.to(self._lang))}</strong>{figure}"

    def _options_html(self, chosen: str | None) -> str:
        # Lettered in the text: notebooks' style sheets number every list with figures.
        rows = "".join(
            f"<div>{_marked(option, f'{letter}) {code_html(option.text.to(self._lang))}', letter == chosen)}</div>"
            for letter, option in self._question.lettered()
        )
        return f'<div style="margin:4px 0 4px 1em">{rows}</div>'

    def _reply_html(self, chosen: str | None, again: str) -> str:
        """What is said to an answer: right or not, the reason, and that another try is welcome."""
        if chosen is None:
            return ""
        option = dict(self._question.lettered())[chosen]
        head = html.escape(f"{_sign(option)} {chosen}) {self._verdict(option)}")
        reply = f"<strong>{head}</strong><div>{code_html(option.reason.to(self._lang))}</div>"
        if option.correct:
            return reply
        return (
            f'{reply}<div style="opacity:.75">{html.escape(Message(again, command=self._command).to(self._lang))}</div>'
        )

    def _ipython_display_(self) -> None:
        if self._view is None:
            letters = [letter for letter, _ in self._question.lettered()]
            replies = {letter: self.parts(letter) for letter in letters}
            words = Message("run this cell to answer with a click").to(self._lang)
            try:
                self._view = Live(self.card(), self.parts(), self._heard, words=words, replies=replies)
            except ImportError:
                display: Any = import_module("IPython.display").display
                display(self.card())
                return
        self._view.show()

    def _heard(self, letter: str) -> None:
        """Keep the answer in the notebook as well; the widget has shown it already."""
        if self._view is not None:
            self._view.update(self.answer(letter))

    def __repr__(self) -> str:
        return self.card().text


def _sign(option: Option) -> str:
    return "✓" if option.correct else "✗"


def _marked(option: Option, shown: str, chosen: bool) -> str:
    return f"<strong>{_sign(option)} {shown}</strong>" if chosen else shown


def find_quiz(course: Course, id: str, lang: str | None = None, met: Met | None = None) -> Quiz:
    """The question `id` of any lesson. met: see `Quiz`. Raises CourseError with the nearest ids when there is none."""
    questions = {question.id: question for lesson in course.lessons for question in load_questions(lesson)}
    if id not in questions:
        near = difflib.get_close_matches(id, questions, n=3, cutoff=0.5) or sorted(questions)
        raise CourseError("there is no question {id}; there is {near}", id=repr(id), near=", ".join(near) or "-")
    return Quiz(questions[id], language(lang), met)


@functools.lru_cache(maxsize=64)
def load_questions(lesson: Lesson) -> tuple[Question, ...]:
    """Read a lesson's `quiz.toml`; none where none is asked.

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
        Option(Message.of(option["text"]), option["correct"], Message.of(option["reason"]), option.get("mistake"))
        for option in row["option"]
    )
    figure = row.get("figure", "")
    shown = (
        {lang: said.strip("\n") for lang, said in figure.items()} if isinstance(figure, dict) else figure.strip("\n")
    )
    return Question(row["id"], lesson.number, Message.of(row["prompt"]), Message.of(shown), options)
