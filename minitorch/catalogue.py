"""Catalogues: what is said in a language beyond English and Spanish, which stand side by side in the code.

A language is a folder of its name (two letters) in `minitorch/languages/`, or in the folder that `MINITORCH_LANGUAGES`
names. Every `.toml` file in it is a table: the English sentence with its fields not filled in, and the same in the
language. What is missing is said in English. docs/adding-a-language.md shows how one is made.

A word that goes with a number stands in all its forms, `{count|uzel|uzly|uzlů}`; `plurals.toml` says which is taken.
"""

from __future__ import annotations

import functools
import gettext
import os
import re
import tomllib
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SHIPPED = Path(__file__).with_name("languages")
FIELD = re.compile(r"\{(\w+)\}")
FORMS = re.compile(r"\{(\w+)\|([^{}]*)\}")  # a field, and the forms of a word that goes with its number
WHOLE = re.compile(r"\d+(?:[,\N{NARROW NO-BREAK SPACE}]\d{3})*")
PLURALS = "plurals.toml"  # in the folder of a language: how many forms, and which one n has, as gettext writes it
NUMBERED = re.compile(r"\{(\d+)\}")  # a field of a sentence that code has filled in before anybody could look it up


@dataclass(frozen=True, slots=True)
class Plurals:
    """The forms of a word that goes with a number: how many there are, and which one a whole number takes."""

    forms: int
    of: Callable[[int], int]

    @classmethod
    def read(cls, text: str) -> Plurals:
        """Read `plurals.toml`. Raises ValueError for one that says no rule."""
        table = tomllib.loads(text)
        forms, rule = table.get("forms"), table.get("rule")
        if not isinstance(forms, int) or not isinstance(rule, str):
            raise ValueError('it needs a number of forms and a rule, as in: forms = 2 and rule = "n != 1"')
        made: Callable[[int], int] = gettext.c2py(rule)
        if not set(map(made, range(200))) <= set(range(forms)):
            raise ValueError(f"its rule names more than {forms} forms")
        return cls(forms, made)

    def choose(self, number: str, forms: Sequence[str]) -> str:
        """The form that goes with a number as it is written; a number that is not whole takes the last one."""
        place = self.of(int(re.sub(r"\D", "", number))) if WHOLE.fullmatch(number) else len(forms) - 1
        return forms[min(place, len(forms) - 1)]


ONE_AND_MANY = Plurals(2, lambda n: int(n != 1))


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The sentences of one language, by the English ones; "" stands beside one that nobody has translated yet."""

    sentences: Mapping[str, str]
    patterns: tuple[tuple[re.Pattern[str], str], ...]  # sentences with numbered fields, the longest first
    plurals: Plurals

    @classmethod
    def of(cls, sentences: Mapping[str, str], plurals: Plurals = ONE_AND_MANY) -> Catalogue:
        """Make a catalogue of a table of sentences."""
        numbered = [english for english in sentences if NUMBERED.search(english)]
        numbered.sort(key=lambda english: len(FIELD.sub("", english)), reverse=True)
        return cls(sentences, tuple((_pattern(english), sentences[english]) for english in numbered), plurals)

    def said(self, english: str) -> str | None:
        """A sentence without fields, or one whose fields are filled in already; None where it is not known.

        What stands in the fields of such a sentence is looked up as well.
        """
        if english in self.sentences:
            return self.sentences[english] or None
        for pattern, sentence in self.patterns:
            if found := pattern.fullmatch(english):
                if not sentence:
                    return None
                fields = {name[1:]: self._part(part) for name, part in found.groupdict().items()}
                return self.filled(sentence, fields)
        return None

    def filled(self, sentence: str, fields: Mapping[str, str]) -> str:
        """A sentence of this language with its fields filled in, each word in the form that its number asks for."""
        chosen = FORMS.sub(
            lambda found: (
                self.plurals.choose(fields[found[1]], found[2].split("|")) if found[1] in fields else found[0]
            ),
            sentence,
        )
        return with_fields(chosen, fields)

    def _part(self, words: str) -> str:
        """Return the words of a field: a sentence may be known; a word of code is left alone."""
        return (self.said(words) if " " in words else None) or words


def has_words(sentence: str) -> bool:
    """Return whether words stand around a sentence's fields: without, it is the same in every language."""
    return any(letter.isalpha() for letter in FIELD.sub("", sentence))


def with_fields(sentence: str, fields: Mapping[str, str]) -> str:
    """A sentence with its fields filled in; braces around anything else stay."""
    return FIELD.sub(lambda found: fields.get(found[1], found[0]), sentence)


def languages_beyond() -> tuple[str, ...]:
    """The languages that have a catalogue."""
    return tuple(sorted(_folders(os.environ.get("MINITORCH_LANGUAGES", ""))))


def catalogue(lang: str) -> Catalogue:
    """A language's catalogue; an empty one where there is none."""
    return _read(_folders(os.environ.get("MINITORCH_LANGUAGES", "")).get(lang, ()))


@functools.cache
def _folders(further: str) -> dict[str, tuple[Path, ...]]:
    """The folders of each language: one of those that are shipped, and one elsewhere, which counts more."""
    found: dict[str, tuple[Path, ...]] = {}
    for home in [SHIPPED, *([Path(further)] if further else [])]:
        for folder in sorted(home.iterdir()) if home.is_dir() else ():
            if re.fullmatch(r"[a-z]{2}", folder.name) and folder.is_dir() and folder.name not in {"en", "es"}:
                found[folder.name] = (*found.get(folder.name, ()), folder)
    return found


@functools.cache
def _read(folders: tuple[Path, ...]) -> Catalogue:
    sentences: dict[str, str] = {}
    plurals = ONE_AND_MANY
    for file in (file for folder in folders for file in sorted(folder.glob("*.toml"))):
        try:
            text = file.read_text(encoding="utf-8")
            if file.name == PLURALS:
                plurals = Plurals.read(text)
                continue
            table = tomllib.loads(text)
        except (OSError, ValueError) as error:
            warnings.warn(f"{file} cannot be read ({error}): what it says is said in English", stacklevel=2)
            continue
        sentences |= {english: said for english, said in table.items() if isinstance(said, str)}
    return Catalogue.of(sentences, plurals)


def _pattern(english: str) -> re.Pattern[str]:
    """Return the pattern of a sentence with its numbered fields filled in; a field that comes twice is filled alike."""
    parts, seen = [], set()
    for index, part in enumerate(NUMBERED.split(english)):
        if index % 2 == 0:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(f"(?P=_{part})")
        else:
            seen.add(part)
            parts.append(f"(?P<_{part}>.+?)")
    return re.compile("".join(parts), re.DOTALL)
