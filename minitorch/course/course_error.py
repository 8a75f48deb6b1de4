"""The error that speaks the learner's language."""

from __future__ import annotations

from pathlib import Path

from minitorch.language import Message, language


class CourseError(Exception):
    """Something about the course's files or the request is wrong; the message says what, in one sentence.

    The sentence is a Message, or its English and its fields. In a notebook it is shown without a traceback.
    """

    def __init__(self, words: Message | str, /, **fields: object) -> None:
        message = Message(words, **fields) if isinstance(words, str) else words
        super().__init__(message.to(language()))

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


def busy(path: Path) -> CourseError:
    """The error about a file that was changed while it was read."""
    return CourseError(
        "{file} is being written to right now, so it stays as it is; run the command again in a moment", file=path.name
    )
