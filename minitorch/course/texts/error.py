"""The error that speaks the learner's language."""

from __future__ import annotations

from minitorch.language import Text, language


class CourseError(Exception):
    """Something about the course's files or the request is wrong; the message says what, in one sentence.

    A Text speaks the learner's language. In a notebook the sentence is shown without a traceback.
    """

    def __init__(self, words: Text | str) -> None:
        super().__init__(Text.of(words).to(language()))

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]
