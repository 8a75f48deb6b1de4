"""Hints in steps: a question, a pointer, pseudo-code, and in the end the solution."""

from __future__ import annotations

import html
import textwrap
from dataclasses import dataclass

from minitorch.course.cards.report import Card, bar_html, frame_html
from minitorch.course.files import source_code
from minitorch.course.judging import diagnosis
from minitorch.course.judging.progress import Record
from minitorch.course.manifest import Course, Exercise
from minitorch.course.texts.messages import say
from minitorch.course.texts.text import CourseError

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
            else f"<div>{html.escape(self.text)}</div>"
        )
        more = f'<div style="opacity:.75">{html.escape(self.more)}</div>' if self.more else ""
        return Card(
            frame_html(bar_html(COLOUR, f"<strong>{html.escape(self.title)}</strong>{body}{more}")), self.plain()
        )

    def plain(self) -> str:
        """The hint as plain text."""
        return "\n".join(filter(None, [self.title, textwrap.indent(self.text, "    "), self.more]))


def steps(exercise: Exercise) -> int:
    """How many steps there are, the solution included."""
    return len(exercise.hints) + 1


def first_step(course: Course, exercise: Exercise, record: Record | None) -> int:
    """The step to begin with: the one that the last diagnosis points at, or the first."""
    if record is not None and record.verdict.diagnosis is not None:
        known = diagnosis.mistakes_of(course.lesson_of(exercise), exercise).get(record.verdict.diagnosis)
        return known.hint if known else 1
    return 1


def give(
    course: Course, exercise: Exercise, step: int, lang: str, *, may_solve: bool, command: str, confirm: str
) -> Hint:
    """One step, counted from 1. `command` is how to ask for the next one, with `{step}` in it.

    The solution is given only when `may_solve`; otherwise the step says how to `confirm`. A checkpoint has no other.
    Raises CourseError for a step that does not exist.
    """
    if course.lesson_of(exercise).checkpoint and not may_solve:
        title = say("no_hints_title", name=exercise.name).to(lang)
        return Hint(title, say("no_hints", name=exercise.name, command=confirm).to(lang), is_code=False, more="")
    count = steps(exercise)
    if not 1 <= step <= count:
        raise CourseError(say("no_hint", name=exercise.name, count=count, step=step))
    if step < count:
        title = say("hint_title", name=exercise.name, step=step, steps=count).to(lang)
        more = say("hint_more", command=command.format(step=step + 1)).to(lang)
        return Hint(title, exercise.hints[step - 1].to(lang), is_code=False, more=more)
    title = say("hint_solution", name=exercise.name).to(lang)
    if not may_solve:
        return Hint(title, say("hint_confirm", name=exercise.name, command=confirm).to(lang), is_code=False, more="")
    source = course.lesson_of(exercise).solution_source()
    code = textwrap.dedent(source_code.text_of(source, exercise.target)).rstrip()
    return Hint(title, code, is_code=True, more="")
