"""`review("08")` at the top of a lesson: four questions from before it, two of them about what this learner met.

A question belongs to a mistake that was met when one of its wrong answers is the idea behind that mistake. Where a
learner has met none, all four are of earlier lessons; these depend on the lesson alone, so that a notebook as it is
shipped shows the same to everybody.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from minitorch.course.activities.planted import COLOUR, told
from minitorch.course.cards.questions import Question, Quiz, load_questions
from minitorch.course.cards.report import Card
from minitorch.course.judging.met import Met, Pair
from minitorch.course.manifest import Course, Lesson
from minitorch.course.session import Session
from minitorch.language import N_, Message

QUESTIONS, OWN = 4, 2


class Review:
    """Some questions, shown one below the other; each is answered as it is wherever it stands."""

    def __init__(self, questions: Sequence[Question], own: int, lang: str, met: Met) -> None:
        self.quizzes = tuple(Quiz(question, lang, met) for question in questions)
        self._own = own
        self._lang = lang

    def _head(self) -> Card:
        count, older = len(self.quizzes), len(self.quizzes) - self._own
        if not count:
            key = N_("nothing to look back at yet: this is where the course begins")
        else:
            key = (
                N_("{count} questions before you begin: {own} about what you met in your checks, {older} from before")
                if self._own
                else N_("{count} questions before you begin, from the lessons before this one")
            )
        return told(Message(key, count=count, own=self._own, older=older).to(self._lang), [], COLOUR)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(self._head(), *self.quizzes)  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return "\n".join([self._head().text, *map(repr, self.quizzes)])


def review(session: Session, word: str | None, lang: str) -> Review:
    """The questions for a lesson; without one, for the lesson that the learner is at. Raises CourseError."""
    lesson = session.course.lesson(word) if word is not None else session.current_lesson()
    met = Met(session.folder)
    own = about_what_was_met(session.course, lesson, met.pairs())[:OWN]
    older = [each for each in of_earlier_lessons(session.course, lesson) if each not in own]
    return Review([*own, *older[: QUESTIONS - len(own)]], len(own), lang, met)


def about_what_was_met(course: Course, lesson: Lesson, met: Sequence[Pair]) -> list[Question]:
    """Questions from before a lesson whose wrong answers are ideas that were met, the last ones first; each once."""
    questions = [each for before in _before(course, lesson) for each in load_questions(before)]
    place = {each.number: each.order for each in course.lessons}
    home = {each.name: place[each.lesson] for each in course.exercises}
    home |= {question.id: place[question.lesson] for question in questions}
    found: list[Question] = []
    for where, mistake in met:
        for question in questions:
            speaks_of_it = any(option.mistake == mistake for option in question.options)
            if speaks_of_it and home.get(where, lesson.order) <= place[question.lesson] and question not in found:
                found.append(question)
                break
    return found


def of_earlier_lessons(course: Course, lesson: Lesson) -> list[Question]:
    """Questions from before a lesson, of another lesson each while there are any; the last lesson's comes first."""
    rounds = itertools.zip_longest(
        *(_turned(load_questions(each), lesson) for each in _spread(_before(course, lesson)))
    )
    return [question for each in rounds for question in each if question is not None]


def _before(course: Course, lesson: Lesson) -> list[Lesson]:
    return [each for each in course.lessons if each.order < lesson.order]


def _spread(lessons: Sequence[Lesson]) -> Iterator[Lesson]:
    """Yield the last lesson, one from the middle, the one before the last, one from before the middle, and so on."""
    half = len(lessons) // 2
    late, early = list(lessons[half:])[::-1], list(lessons[:half])[::-1]
    for index in range(len(late)):
        yield late[index]
        if index < len(early):
            yield early[index]


def _turned(questions: Sequence[Question], lesson: Lesson) -> list[Question]:
    """A lesson's questions, begun at another one for each lesson that asks back."""
    start = lesson.order % len(questions) if questions else 0
    return [*questions[start:], *questions[:start]]
