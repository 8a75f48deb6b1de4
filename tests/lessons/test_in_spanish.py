"""Every text that a learner may read exists in Spanish. `scripts/prose.py` says which Spanish forms are not used."""

from __future__ import annotations

from collections import Counter

import pytest
from spanish_texts import Pair, everything, words

FEW = 3  # so many words may be the same in both languages: names, and what is code without quotes
KINDS = {
    "prose",
    "stubs",
    "comments of stubs",
    "errors of stubs",
    "solutions",
    "exports",
    "site",
    "lesson",
    "quiz",
    "mistakes",
    "planted",
    "code",
    "glossary",
}


@pytest.fixture(scope="module")
def texts() -> list[Pair]:
    return list(everything())


def without_spanish(pairs: list[Pair]) -> list[str]:
    """Name the texts that are empty in Spanish, or word for word as in English."""
    return [
        f"{kind}, {where}: {english[:60]!r}"
        for kind, where, english, spanish in pairs
        if len(words(english)) >= FEW and (not words(spanish) or spanish == english)
    ]


def share(pairs: list[Pair], kind: str) -> float:
    """How many of the English words of a kind belong to a text that exists in Spanish."""
    there = Counter()
    for each in pairs:
        if each[0] == kind:
            there[not without_spanish([each])] += len(words(each[2]))
    return there[True] / there.total()


def test_every_kind_of_text_is_counted(texts):
    assert {kind for kind, *_ in texts} == KINDS


def test_every_text_exists_in_spanish(texts):
    assert without_spanish(texts) == []
    assert {kind: share(texts, kind) for kind in KINDS} == dict.fromkeys(KINDS, 1.0)


def test_a_text_without_spanish_is_named_and_counts():
    told = ("quiz", "a.toml", "What does it give?", "¿Qué da?")
    same = ("quiz", "a.toml", "What is the slope?", "What is the slope?")
    none = ("quiz", "b.toml", "What does one say?", "")
    assert without_spanish([told, same, none]) == [
        "quiz, a.toml: 'What is the slope?'",
        "quiz, b.toml: 'What does one say?'",
    ]
    assert share([told, same, told, none], "quiz") == 0.5


def test_code_may_be_the_same_in_both_languages():
    assert without_spanish([("quiz", "a.toml", "`for x in a: y`", "`for x in a: y`")]) == []


def indented(text: str) -> int:
    """How many lines of a docstring stand further in: its examples and tables."""
    return sum(line.startswith("    ") for line in text.splitlines())


def test_an_example_of_a_stub_keeps_its_lines(texts):
    found = {
        where: spanish for kind, where, english, spanish in texts if kind == "stubs" and lines_lost(english, spanish)
    }
    assert found == {}


def lines_lost(english: str, spanish: str) -> bool:
    """Whether lines that stand one below the other in English have run together, or were broken."""
    return indented(english) != indented(spanish)


def test_an_example_whose_lines_ran_together_is_seen():
    assert lines_lost("One.\n\n    f(0) is 1\n    f(1) is 2", "Uno.\n\n    f(0) es 1 f(1) es\n    2\n    más")
    assert not lines_lost("One.\n\n    f(0) is 1", "Uno.\nY más.\n\n    f(0) es 1")
