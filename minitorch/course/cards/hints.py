"""Hints in steps: a question, a pointer, pseudo-code, and in the end the solution."""

from __future__ import annotations

import html
import textwrap
from dataclasses import dataclass

from minitorch.course.cards.code_words import code_html, code_plain
from minitorch.course.cards.report import Card, bar_html, frame_html
from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.files.statements import in_language
from minitorch.course.judging.verdict import Verdict
from minitorch.course.manifest import Course, Exercise
from minitorch.language import Message

COLOUR = "var(--jp-info-color1,#3b6ea5)"


@dataclass(frozen=True, slots=True)
class Hint:
    """One step of an exercise's hints; the last step is the solution."""

    title: str
    text: str
    is_code: bool
    more: str

    def card(self) -> Card:
        """The hint as a card."""
        body = (
            f"<pre><code>{html.escape(self.text)}</code></pre>"
            if self.is_code
            else f"<div>{code_html(self.text)}</div>"
        )
        more = f'<div style="opacity:.75">{html.escape(self.more)}</div>' if self.more else ""
        return Card(
            frame_html(bar_html(COLOUR, f"<strong>{html.escape(self.title)}</strong>{body}{more}")), self.plain()
        )

    def plain(self) -> str:
        """The hint as plain text."""
        text = self.text if self.is_code else code_plain(self.text)
        return "\n".join(filter(None, [self.title, textwrap.indent(text, "    "), self.more]))


def steps(exercise: Exercise) -> int:
    """How many steps there are, the solution included."""
    return len(exercise.hints) + 1


def pointed(exercise: Exercise, verdict: Verdict | None) -> int | None:
    """The step that a verdict's hint is; None where it has none, or one of its own."""
    if verdict is None or verdict.hint not in exercise.hints:
        return None
    return exercise.hints.index(verdict.hint) + 1


def give(course: Course, exercise: Exercise, step: int, lang: str, *, may_solve: bool, more: str, confirm: str) -> Hint:
    """One step, counted from 1. `more` is how to ask for the next one.

    The solution is given only when `may_solve`; otherwise the step says how to `confirm`. A checkpoint has no other.
    Raises CourseError for a step that does not exist.
    """
    if course.lesson_of(exercise).checkpoint and not may_solve:
        title = Message("{name}: no hints here", name=exercise.name).to(lang)
        return Hint(
            title,
            Message(
                "this is a checkpoint: you have met everything that it takes, and you may look it up. "
                "The solution is shown after {name} has passed, or with {command}",
                name=exercise.name,
                command=confirm,
            ).to(lang),
            is_code=False,
            more="",
        )
    count = steps(exercise)
    if not 1 <= step <= count:
        raise CourseError(
            "{name} has hints 1 to {count}; {step} is none of them", name=exercise.name, count=count, step=step
        )
    if step < count:
        title = Message("{name}: hint {step} of {steps}", name=exercise.name, step=step, steps=count).to(lang)
        return Hint(
            title,
            exercise.hints[step - 1].to(lang),
            is_code=False,
            more=Message("more: {command}", command=more).to(lang),
        )
    title = Message("{name}: the solution", name=exercise.name).to(lang)
    if not may_solve:
        sentence = Message(
            "{name} has {count} hints and no more; its solution is shown once it has passed, or with {command}",
            name=exercise.name,
            count=len(exercise.hints),
            command=confirm,
        )
        return Hint(title, sentence.to(lang), is_code=False, more="")
    lesson = course.lesson_of(exercise)
    source = in_language(lesson.solution_source(), lesson, lang)
    code = textwrap.dedent(source_code.text_of(source, exercise.target)).rstrip()
    return Hint(title, code, is_code=True, more="")
