"""Every sentence of a picture: in both languages, with the same fields, and said somewhere."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

import minitorch.viz
from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.drawing.predicting import HEADINGS
from minitorch.viz.texts.catalogue import SUBJECTS, say

ROOM = Path(minitorch.viz.__file__).parent
KEYS = [(subject, key) for subject in SUBJECTS for key in subject.EN]


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def test_no_key_stands_in_two_files():
    assert len({key for _, key in KEYS}) == len(KEYS)


def test_both_languages_have_the_same_keys():
    for subject in SUBJECTS:
        assert list(subject.EN) == list(subject.ES), subject.__name__


@pytest.mark.parametrize(("subject", "key"), KEYS, ids=[key for _, key in KEYS])
def test_both_languages_fill_in_the_same_fields(subject, key):
    assert fields(subject.EN[key]) == fields(subject.ES[key])


def test_every_sentence_is_said_by_some_picture():
    source = "".join(path.read_text(encoding="utf-8") for path in ROOM.rglob("*.py") if path.parent.name != "texts")
    stems = {"pass_set": "pass_{event.kind}", "pass_add": "pass_{event.kind}"}  # put together where they are said
    stems |= {f"why_{mistake}": "why_{mistake}" for mistake in HEADINGS}
    assert [key for _, key in KEYS if f'"{stems.get(key, key)}"' not in source.replace("'", '"')] == []


def test_a_picture_speaks_the_readers_language(monkeypatch):
    x = Value(3.0, label="x")
    stepper = viz.step(x * x)
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert say("no_gradient") == "aún sin gradiente"
    assert "aún sin gradiente" in stepper.text(0)
