"""Words in English and in Spanish, in any language that has a catalogue, and the choice between them."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from minitorch.catalogue import catalogue, has_words, languages_beyond

LANGUAGES = ("en", "es")  # those that stand in the code side by side; any other has a catalogue
CONTRACTED = re.compile(r"\b([Dd]e|[Aa]) el\b")  # "de el eje" is "del eje", "a el eje" is "al eje"


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in English and in Spanish, and what it takes to find it in a third language's catalogue.

    A word with the same letters in both is code, the same everywhere, unless `source` says that it is a sentence.
    """

    en: str
    es: str
    source: str = field(default="", compare=False)  # the English sentence before its fields were filled in
    fields: tuple[tuple[str, Text | str], ...] = field(default=(), compare=False)

    def to(self, lang: str) -> str:
        """The sentence in `lang`; in English where its catalogue has none."""
        if lang in LANGUAGES:
            return self.es if lang == "es" else self.en
        if not self.source:
            return self.en if self.en == self.es else catalogue(lang).said(self.en) or self.en
        return _looked_up(self.source, lang, dict(self.fields)) or self.en

    def as_dict(self) -> dict[str, Any]:
        """`{"en": ..., "es": ...}`, ready for JSON; a sentence with fields has them, and itself without them, too."""
        said: dict[str, Any] = {"en": self.en, "es": self.es}
        if self.source:
            said["source"] = self.source
        if self.fields:
            said["fields"] = {name: each.as_dict() if isinstance(each, Text) else each for name, each in self.fields}
        return said

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Text:
        """Read what `as_dict` made. Raises KeyError, TypeError or AttributeError when it is something else."""
        if set(data) - {"en", "es", "source", "fields"}:
            raise TypeError(f"no Text: {sorted(data)}")
        fields = tuple((name, cls._field(each)) for name, each in data.get("fields", {}).items())
        words = (data["en"], data["es"], data.get("source", ""))
        if not all(isinstance(each, str) for each in words):
            raise TypeError(f"no Text: {words}")
        return cls(*words, fields)

    @classmethod
    def _field(cls, data: object) -> Text | str:
        if isinstance(data, str):
            return data
        if isinstance(data, Mapping):
            return cls.from_dict(data)
        raise TypeError(f"no field of a Text: {data!r}")

    @classmethod
    def of(cls, words: Text | str | Mapping[str, str]) -> Text:
        """Make a Text of a Text, of a word that is the same in every language, or of `{"en": ..., "es": ...}`."""
        if isinstance(words, Text):
            return words
        if isinstance(words, str):
            return cls(words, words)
        return cls(words["en"], words["es"], words["en"] if words["en"] == words["es"] else "")


OR = Text("{one} or {other}", "{one} o {other}")


def languages() -> tuple[str, ...]:
    """Every language that can be spoken."""
    return (*LANGUAGES, *languages_beyond())


def language(asked: str | None = None) -> str:
    """The language to speak: the one asked for, else `MINITORCH_LANG`, else English."""
    lang = (asked or os.environ.get("MINITORCH_LANG", "")).lower()[:2]
    return lang if lang in languages() else "en"


def sentence(en: str, es: str, **fields: object) -> Text:
    """A sentence with its fields filled in; a Text among them speaks each language.

    >>> sentence("{what} is wrong", "{what} no es correcto", what=Text("the row", "la fila")).to("es")
    'la fila no es correcto'
    """
    kept = tuple((name, each if isinstance(each, Text) else str(each)) for name, each in fields.items())
    source = en if kept or en == es else ""
    return Text(filled(en, "en", fields), filled(es, "es", fields), source, kept)


def either(words: Sequence[str]) -> Text:
    """Words of which one is meant.

    >>> either(["add", "sub", "mul"]).to("es")
    'add o sub o mul'
    """
    first, *more = (Text.of(word) for word in words)
    return functools.reduce(lambda one, other: sentence(OR.en, OR.es, one=one, other=other), more, first)


def listed(words: Sequence[Text]) -> Text:
    """Words behind one another, with commas."""
    first, *more = words
    return functools.reduce(lambda one, other: _signs("{one}, {other}", one=one, other=other), more, first)


def remarked(words: Text, remark: Text) -> Text:
    """Words, and a remark in brackets behind them."""
    return _signs("{words} ({remark})", words=words, remark=remark)


def _signs(pattern: str, **texts: Text) -> Text:
    return sentence(pattern, pattern, **texts)


def filled(sentence: str, lang: str, fields: Mapping[str, object]) -> str:
    """A sentence of ours with its fields filled in, in English or Spanish; a Text among them speaks `lang`.

    In Spanish a field that begins with an article contracts with the preposition in front of it.
    """
    if "{" not in sentence:
        return sentence
    said = sentence.format_map(
        {name: each.to(lang) if isinstance(each, Text) else each for name, each in fields.items()}
    )
    return CONTRACTED.sub(r"\1l", said) if lang == "es" else said


def spoken(en: str, es: str, lang: str, fields: Mapping[str, object]) -> str:
    """The same in any language: of English and Spanish, the one of the two that is spoken, or what its catalogue has.

    >>> spoken("{count} nodes", "{count} nodos", "es", {"count": 3})
    '3 nodos'
    """
    if lang in LANGUAGES:
        return filled(es if lang == "es" else en, lang, fields)
    return _looked_up(en, lang, fields) or filled(en, "en", fields)


def _looked_up(source: str, lang: str, fields: Mapping[str, object]) -> str | None:
    known = catalogue(lang).sentences.get(source, None if has_words(source) else source)
    said = {name: each.to(lang) if isinstance(each, Text) else str(each) for name, each in fields.items()}
    return catalogue(lang).filled(known, said) if known else None
