"""Words in two languages, and the choice between them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

LANGUAGES = ("en", "es")


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in English and in Spanish."""

    en: str
    es: str

    def to(self, lang: str) -> str:
        """The sentence in `lang` ("en" or "es")."""
        return self.es if lang == "es" else self.en

    def as_dict(self) -> dict[str, str]:
        """`{"en": ..., "es": ...}`, ready for JSON."""
        return {"en": self.en, "es": self.es}

    @classmethod
    def of(cls, words: Text | str | Mapping[str, str]) -> Text:
        """Make a Text of a Text, of a word that is the same in both languages, or of `{"en": ..., "es": ...}`."""
        if isinstance(words, Text):
            return words
        if isinstance(words, str):
            return cls(words, words)
        return cls(words["en"], words["es"])


def language(asked: str | None = None) -> str:
    """The language to speak: the one asked for, else `MINITORCH_LANG`, else English."""
    lang = (asked or os.environ.get("MINITORCH_LANG", "")).lower()[:2]
    return lang if lang in LANGUAGES else "en"


class CourseError(Exception):
    """Something about the course's files or the request is wrong; the message says what, in one sentence.

    A Text speaks the learner's language. In a notebook the sentence is shown without a traceback.
    """

    def __init__(self, words: Text | str) -> None:
        super().__init__(Text.of(words).to(language()))

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]
