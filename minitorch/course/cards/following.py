"""What comes next: the exercise to write or to mend, the next lesson, or nothing more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from minitorch.course.cards.code_words import code_html
from minitorch.course.cards.links import Links
from minitorch.course.cards.report import Card, card
from minitorch.course.files import source_code
from minitorch.course.files.course_folder import read_exercises
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.manifest import Exercise, Lesson
from minitorch.course.session import Session
from minitorch.language import N_, Message


@dataclass(frozen=True, slots=True)
class Following:
    """One line on what comes next. Where there is neither an exercise nor a lesson, all is done."""

    links: Links
    exercise: Exercise | None = None
    verdict: Verdict | None = None  # the last one on it, if there is one
    file: str = ""  # as it is named from the course folder: "exercises/lesson_01_scalar_nodes.py"
    line: int | None = None  # where the definition begins; None where the file does not tell
    lesson: Lesson | None = None  # the one to go to, when this one is done

    def text(self, lang: str, *, terminal: bool = False) -> str:
        """The line as plain text: the file's name and the line in it with a colon between, as editors read them."""
        return self._said(lang, self._place, terminal=terminal).replace("`", "")

    def html(self, lang: str) -> str:
        """The line as HTML, the place in it a link."""
        place = "\0"  # stands for the link while the sentence is made
        linked = self.links.html(f"<code>{self._place}</code>", self._target, self.line)
        return f'<div class="minitorch-next">{code_html(self._said(lang, place)).replace(place, linked)}</div>'

    @property
    def _key(self) -> str:
        if self.verdict is None:
            return N_("next: `{target}` in {place}, then `{ask}`")
        return (
            N_("next: write `{target}` in {place}, then `{ask}`")
            if self.verdict.kind is Kind.NOT_STARTED
            else N_("next: mend `{target}` in {place}, then `{ask}`")
        )

    @property
    def _place(self) -> str:
        if self.lesson is not None:
            return self.lesson.notebook_name
        return f"{self.file}:{self.line}" if self.line else self.file

    @property
    def _target(self) -> str:
        return f"work/{self.lesson.notebook_name}" if self.lesson is not None else self.file

    def _said(self, lang: str, place: str, *, terminal: bool = False) -> str:
        if self.exercise is not None:
            name = self.exercise.name
            ask = f"minitorch check {name}" if terminal else f'check("{name}")'
            return Message(self._key, target=self.exercise.target, place=place, ask=ask).to(lang)
        if self.lesson is not None:
            title = f"{self.lesson.number} {self.lesson.title.to(lang)}"
            return Message(
                "all that is required here has passed · after this notebook: lesson {title}, {place}",
                title=title,
                place=place,
            ).to(lang)
        return Message("all done").to(lang)


def to_write(folder: Path, lesson: Lesson, verdict: Verdict | None, exercise: Exercise) -> Following:
    """An exercise to write or to mend, with the place of its definition."""
    line = line_in(read_exercises(folder, lesson).source, exercise.target)
    return Following(Links(folder), exercise, verdict, f"exercises/{lesson.file_name}", line)


def after(session: Session, verdicts: Sequence[Verdict]) -> Following | None:
    """What comes after these verdicts; None while none of them has passed. Nothing is judged for it.

    The rest of the last one's lesson comes first, then the first later lesson that is not known to be done, then an
    earlier one. A lesson is done without the exercises that are not required: one of these is named where nothing else
    is left. What passed when it was last judged is not asked for again because its file has changed since: only where
    all else is done is it named, for nobody knows whether it passes still.
    """
    passed = [verdict for verdict in verdicts if verdict.passed]
    if not passed:
        return None
    course, said = session.course, {verdict.exercise: verdict for verdict in verdicts}
    here = course.lesson(passed[-1].lesson)
    at = [exercise.name for exercise in here.exercises].index(passed[-1].exercise)
    beside: Following | None = None
    in_doubt: Following | None = None
    others = sorted((each for each in course.lessons if each != here), key=lambda each: each.order < here.order)
    for lesson in (here, *others):
        known = {name: record.verdict for name, record in session.records(lesson).items()} | said
        not_passed = [each for each in lesson.exercises if not (each.name in known and known[each.name].passed)]
        before = session.passed_before(lesson) - known.keys() if not_passed else set()
        never_passed = [each for each in not_passed if each.name not in before]
        open_ones = [each for each in never_passed if each.required]
        if not open_ones:
            if never_passed and beside is None:
                beside = to_write(session.folder, lesson, known.get(never_passed[0].name), never_passed[0])
            elif not_passed and in_doubt is None:
                in_doubt = to_write(session.folder, lesson, None, not_passed[0])
            continue
        if lesson is not here:
            return Following(Links(session.folder), lesson=lesson)
        later = [each for each in open_ones if lesson.exercises.index(each) > at]
        exercise = (later or open_ones)[0]
        return to_write(session.folder, lesson, known.get(exercise.name), exercise)
    return beside or in_doubt or Following(Links(session.folder))


def verdict_card(session: Session, verdicts: Sequence[Verdict], lang: str) -> Card:
    """The verdicts as a card in a notebook: places are links, and what comes next stands below."""
    coming = after(session, verdicts)
    following = Card(coming.html(lang), coming.text(lang)) if coming else None
    more = session.course.more_names
    return card(verdicts, lang, session.notes(lang), Links(session.folder), following, more)


def line_in(source: str, target: str) -> int | None:
    """Where a definition begins, as far as the text tells."""
    try:
        span = source_code.find(source, target)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        span = source_code.guess_span(source, target)
    return None if span is None else span.first
