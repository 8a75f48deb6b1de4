"""Words in two languages, and the choice between them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

LANGUAGES = ("en", "es")
CONTRACTED = re.compile(r"\b([Dd]e|[Aa]) el\b")  # "de el eje" is "del eje", "a el eje" is "al eje"


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


def filled(sentence: str, lang: str, fields: Mapping[str, object]) -> str:
    """A sentence of a catalogue with its fields filled in; a Text among them speaks `lang`.

    In Spanish a field that begins with an article contracts with the preposition in front of it.
    """
    if "{" not in sentence:
        return sentence
    said = sentence.format_map(
        {name: each.to(lang) if isinstance(each, Text) else each for name, each in fields.items()}
    )
    return CONTRACTED.sub(r"\1l", said) if lang == "es" else said
