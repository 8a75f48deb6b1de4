"""What pictures say, in the reader's language: the sentences of all the subjects of this room as one table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from minitorch.language import filled, language
from minitorch.viz.texts import folding, passing

SUBJECTS = (passing, folding)  # each has EN and ES, with the same keys; no key is in two of them
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
    lang = language()
    return filled(_TABLES[lang][key], lang, fields)
