"""Messages: English sentences with named fields, which gettext translates when they are shown.

`Message("{what} is wrong", what=label)` is kept, stored and sent as its English and its fields, and says itself in any
language; `gettext` and `ngettext` say a sentence at once, in the reader's. The English is what `make translations`
finds in the code; `minitorch/locale/` has the other languages.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

from minitorch.translations import languages, translations

__all__ = [
    "FIELD",
    "Message",
    "N_",
    "both",
    "either",
    "filled",
    "gettext",
    "language",
    "languages",
    "listed",
    "ngettext",
    "remarked",
    "speaking",
]

FIELD = re.compile(r"\{(\w+)\}")
# In Spanish "de el eje" is "del eje", and "a el eje" is "al eje": where a preposition meets the article of a field.
_SPANISH_FIELD = re.compile(r"(?:\b([Dd]e|[Aa]) )?\{(\w+)\}")
_KEPT = "language"  # where a Scope keeps the one that `speaking` has chosen
_VERBATIM = "{words}"  # a field and nothing else: code, or a name, the same in every language


class Message:
    """A sentence in English with its fields apart, translated by `to`.

    id: the English, with each field in braces. fields: what stands in them; a Message among them is translated, too.
    several, count: the English for a number other than one, and the number. own: translations that the message brings
    along, by language, as the data of lessons have them.

    >>> Message("{what} is wrong", what=Message("the result")).to("es")
    'el resultado no es correcto'
    """

    __slots__ = ("count", "fields", "id", "own", "several")

    def __init__(self, id: str, /, **fields: object) -> None:
        self.id = id
        self.fields = {name: each if isinstance(each, Message) else str(each) for name, each in fields.items()}
        self.several = ""
        self.count = 1
        self.own: Mapping[str, str] = {}

    @classmethod
    def counted(cls, one: str, several: str, count: int, /, **fields: object) -> Self:
        """A message that goes with a number, which is its field `count`.

        >>> Message.counted("1 student", "{count} students", 3).to("es")
        '3 estudiantes'
        """
        made = cls(one, **{"count": count, **fields})
        made.several, made.count = several, count
        return made

    @classmethod
    def of(cls, words: Message | str | Mapping[str, str]) -> Message:
        """Make a Message of one, of a word that is the same in every language, or of `{"en": ..., "es": ...}`."""
        if isinstance(words, Message):
            return words
        if isinstance(words, str):
            return cls(_VERBATIM, words=words) if words else cls("")
        made = cls(words["en"])
        made.own = {lang: said for lang, said in words.items() if lang != "en"}
        return made

    def to(self, lang: str) -> str:
        """Return the sentence in a language; in English where nobody has translated it."""
        said = self.own.get(lang) or self._translated(lang)
        if not self.fields:
            return said
        fields = {name: each.to(lang) if isinstance(each, Message) else each for name, each in self.fields.items()}
        if lang == "es":
            return _SPANISH_FIELD.sub(lambda found: _contracted(found, fields), said)
        return filled(said, fields)

    def _translated(self, lang: str) -> str:
        if lang == "en" or not self.id:
            return self.several if self.several and self.count != 1 else self.id
        if self.several:
            return translations(lang).ngettext(self.id, self.several, self.count)
        return translations(lang).gettext(self.id)

    def as_dict(self) -> dict[str, Any]:
        """Return `{"id": ...}` and what else there is to it, ready for JSON."""
        said: dict[str, Any] = {"id": self.id}
        if self.fields:
            said["fields"] = {
                name: each.as_dict() if isinstance(each, Message) else each for name, each in self.fields.items()
            }
        if self.several:
            said |= {"several": self.several, "count": self.count}
        return said | {"own": dict(self.own)} if self.own else said

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Message:
        """Read what `as_dict` made, also that of the second edition: `{"en": ..., "es": ...}`.

        Raises KeyError, TypeError or AttributeError when it is something else.
        """
        if "en" in data and all(isinstance(data[lang], str) for lang in ("en", "es")):
            return cls.of({"en": data["en"], "es": data["es"]})
        fields = {name: cls._field(each) for name, each in data.get("fields", {}).items()}
        made = cls(data["id"], **fields)
        made.several, made.count, made.own = data.get("several", ""), data.get("count", 1), dict(data.get("own", {}))
        texts = (made.id, made.several, *made.own, *made.own.values())
        if set(data) - {"id", "fields", "several", "count", "own"} or not all(isinstance(each, str) for each in texts):
            raise TypeError(f"no Message: {sorted(data)}")
        if type(made.count) is not int:
            raise TypeError(f"no count: {made.count!r}")
        return made

    @classmethod
    def _field(cls, data: object) -> Message | str:
        if isinstance(data, str):
            return data
        if isinstance(data, Mapping):
            return cls.from_dict(data)
        raise TypeError(f"no field of a Message: {data!r}")

    def __repr__(self) -> str:
        return f"Message({self.to('en')!r})"

    def __bool__(self) -> bool:
        return bool(self.id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.id, self.several, self.count, tuple(self.fields.items()), tuple(self.own.items())


def _contracted(found: re.Match[str], fields: Mapping[str, str]) -> str:
    """Return a Spanish field, filled in, with the preposition in front of it."""
    preposition, name = found.groups()
    words = fields.get(name, f"{{{name}}}")
    if preposition is None:
        return words
    return f"{preposition}l {words[3:]}" if words.startswith("el ") else f"{preposition} {words}"


def filled(sentence: str, fields: Mapping[str, str]) -> str:
    """Return a sentence with its fields filled in; braces around anything else stay."""
    return FIELD.sub(lambda found: fields.get(found[1], found[0]), sentence)


def gettext(id: str, /, **fields: object) -> str:
    """Say a sentence in the reader's language, its fields filled in.

    >>> gettext("{what} is wrong", what="the row")
    'the row is wrong'
    """
    return Message(id, **fields).to(language())


def ngettext(one: str, several: str, count: int, /, **fields: object) -> str:
    """Say a sentence that goes with a number, which is its field `count`, in the reader's language."""
    return Message.counted(one, several, count, **fields).to(language())


def N_(id: str) -> str:  # noqa: N802 (as gettext's manual has it)
    """Return a message as it is: it is translated where it is shown, and `make translations` finds it here."""
    return id


# ------------------------------------------------------------------------------------------------ the language spoken


def language(asked: str | None = None) -> str:
    """Return the language to speak: the one asked for, else that of `speaking`, `MINITORCH_LANG`, or English."""
    lang = (asked or _chosen() or os.environ.get("MINITORCH_LANG", "")).lower()[:2]
    return lang if lang in languages() else "en"


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Speak a language in this thread or task, whatever the process speaks."""
    from minitorch.autograd.scope import change, current_scope, keep

    before = current_scope().kept
    keep(_KEPT, lang)
    try:
        yield
    finally:
        change(kept=before)


def _chosen() -> str:
    """Return what `speaking` has chosen. Without NumPy, which the Scope needs, nobody has."""
    scope = sys.modules.get("minitorch.autograd.scope")
    return scope.current_scope().kept.get(_KEPT, "") if scope else ""


# --------------------------------------------------------------------------------------------- messages put together


def either(words: Sequence[str]) -> Message:
    """Words of which one is meant.

    >>> either(["add", "sub", "mul"]).to("es")
    'add o sub o mul'
    """
    return _joined(words, N_("{one} or {other}"))


def both(words: Sequence[str]) -> Message:
    """Words of which all are meant.

    >>> both(["+", "@"]).to("es")
    '+ y @'
    """
    return _joined(words, N_("{one} and {other}"))


def _joined(words: Sequence[str], pattern: str) -> Message:
    first, *more = (Message.of(word) for word in words)
    return functools.reduce(lambda one, other: Message(pattern, one=one, other=other), more, first)


def listed(words: Sequence[Message]) -> Message:
    """Words behind one another, with commas."""
    first, *more = words
    return functools.reduce(lambda one, other: Message("{one}, {other}", one=one, other=other), more, first)


def remarked(words: Message, remark: Message) -> Message:
    """Words, and a remark in brackets behind them."""
    return Message("{words} ({remark})", words=words, remark=remark)
