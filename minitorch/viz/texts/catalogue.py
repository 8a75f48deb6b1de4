"""What pictures say, in the reader's language: the sentences of all the subjects of this room as one table."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import MappingProxyType

from minitorch.language import language, spoken

# The other files of this room, by name: each has EN and ES, with the same keys; no key is in two of them.
SUBJECTS = tuple(
    import_module(f"minitorch.viz.texts.{file.name}")
    for file in sorted(iter_modules([str(Path(__file__).parent)]), key=lambda each: each.name)
    if file.name != "catalogue"
)
_TABLES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {key: sentence for subject in SUBJECTS for key, sentence in subject.EN.items()},
        "es": {key: sentence for subject in SUBJECTS for key, sentence in subject.ES.items()},
    }
)


def say(key: str, **fields: object) -> str:
    """The sentence `key` in the reader's language, with its fields filled in.

    >>> say("pass_before", total=5)
    'Step 0 of 5. Before the backward pass: no gradient yet anywhere.'
    """
    return spoken(_TABLES["en"][key], _TABLES["es"][key], language(), fields)


def counted(one: str, many: str, count: int, said: str = "") -> str:
    """The sentence for one of a kind or for many of them, which is given `count`, as `said` if that is not "".

    >>> counted("visits_one", "visits", 1), counted("visits_one", "visits", 1200)
    ('1 visit', '1,200 visits')
    """
    return say(one) if count == 1 else say(many, count=said or grouped(count))


def grouped(count: int) -> str:
    """A whole number with its thousands apart, as the reader's language does it.

    >>> grouped(60000)
    '60,000'
    """
    return f"{count:,}".replace(",", "," if language() == "en" else "\N{NARROW NO-BREAK SPACE}")
