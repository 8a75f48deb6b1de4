"""A verdict reads the same in the terminal, as text and as a card, and nothing a learner writes can break out of it."""

from __future__ import annotations

import dataclasses
import re

import pytest

from minitorch.course.cards.report import blocks, card, clean, headline, one_line
from minitorch.course.judging.verdict import NAMES, SIGNS, Kind, Place, Verdict
from minitorch.language import Message

ASKS = Message.of({"en": "Return twice x.", "es": "Devuelve el doble de x."})
WRONG = Verdict(
    "double",
    "01",
    Kind.WRONG,
    Message.of({"en": "You squared x", "es": "Elevaste x al cuadrado"}),
    ASKS,
    input="x = 3.0",
    expected="6.0",
    got="9.0",
    finding=Message.of({"en": "the result is wrong", "es": "el resultado no es correcto"}),
    diagnosis="square",
    hint=Message.of({"en": "What is x + x?", "es": "¿Cuánto es x + x?"}),
    checks_run=3,
    checks=3,
)
HOSTILE = "\x1b[31m\u202epassed\u2066<script>alert(1)</script>&\r\x00\u2028"


def test_the_six_lines_of_a_wrong_answer():
    assert blocks([WRONG], "en")[0].text_lines() == [
        "✗ double: wrong. You squared x.",
        "    asked     Return twice x.",
        "    input     x = 3.0",
        "    expected  6.0",
        "    got       9.0  (the result is wrong)",
        "    hint      What is x + x?",
    ]
    assert blocks([WRONG], "es")[0].text_lines()[0] == "✗ double: mal. Elevaste x al cuadrado."


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_a_sign_a_colour_and_two_names(kind):
    verdict = dataclasses.replace(WRONG, kind=kind)
    assert headline(verdict, "en").startswith(f"{SIGNS[kind]} double: {kind.value}")
    assert headline(verdict, "es").startswith(f"{SIGNS[kind]} double: {NAMES[kind].to('es')}")
    assert kind.value in card([verdict], "en").html


@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_label_stays_on_its_line_however_long_the_texts_beside_it_are(lang):
    heads = re.findall(r'<th scope="row" style="([^"]*)">', card([WRONG], lang).html)
    assert len(heads) == 5
    assert all("white-space:nowrap" in style for style in heads)


def test_a_sentence_of_a_mistake_stands_as_it_was_written_and_one_of_the_judge_gets_a_capital():
    named = dataclasses.replace(
        WRONG, reason=Message.of({"en": "grad is None", "es": "grad es None"}), diagnosis="none"
    )
    assert headline(named, "en") == "✗ double: wrong. grad is None."
    seen = dataclasses.replace(WRONG, reason=Message.of({"en": "all is None", "es": "todo es None"}), diagnosis=None)
    assert headline(seen, "en") == "✗ double: wrong. All is None."


def test_passed_but_reads_as_one_sentence():
    verdict = dataclasses.replace(
        WRONG, kind=Kind.PASSED_BUT, reason=Message.of({"en": "it is slow", "es": "es lento"})
    )
    assert card([verdict], "en").text == "✓ double: passed, but it is slow."
    assert card([verdict], "es").text == "✓ double: superado, pero es lento."


def test_words_in_what_was_expected_speak_the_learners_language_also_when_read_again():
    wrong = dataclasses.replace(
        WRONG,
        expected=Message.of({"en": "6.0 or 7.0", "es": "6.0 o 7.0"}),
        got=Message.of({"en": "nine", "es": "nueve"}),
    )
    for each in (wrong, Verdict.from_dict(wrong.as_dict())):
        assert ("6.0 o 7.0" in card([each], lang="es").text, "nueve" in card([each], lang="es").text) == (True, True)
        assert ("6.0 or 7.0" in card([each], lang="en").text, "nine" in card([each], lang="en").text) == (True, True)


def test_what_the_learner_printed_stands_under_the_verdict_and_is_cut():
    verdict = dataclasses.replace(WRONG, printed="".join(f"line {number}\n" for number in range(9)))
    lines = blocks([verdict], "en")[0].text_lines()
    assert lines[6:] == ["    your code printed:", *(f"    │ line {n}" for n in range(4)), "    │ … 5 more lines"]
    passed = dataclasses.replace(verdict, kind=Kind.PASSED, reason=Message(""))
    assert blocks([passed], "en")[0].text_lines()[:3] == ["✓ double: passed", "    your code printed:", "    │ line 0"]


def test_learners_text_is_cleaned_and_escaped_everywhere():
    verdict = dataclasses.replace(
        WRONG,
        reason=Message.of(HOSTILE),
        input=HOSTILE,
        expected=HOSTILE,
        got=HOSTILE,
        printed=HOSTILE,
        place=None,
    )
    placed = dataclasses.replace(verdict, place=Place("f.py", 3, "f", HOSTILE, 4))
    shown = card([verdict, placed], "en")
    for text in (shown.text, shown.html):
        assert not any(character in text for character in "\x1b\u202e\u2066\x00\u2028\r")
    assert "<script" not in shown.html
    assert "&lt;script&gt;" in shown.html


def test_cleaning_keeps_letters_of_every_language():
    assert clean("∂L/∂x ñ 日本 é 🎉") == "∂L/∂x ñ 日本 é 🎉"
    assert clean("a\u200bb\u0007") == "a\\u200bb\\x07"
    assert one_line("a\n  b\tc") == "a b c"
    assert len(one_line("x" * 9999)) == 220


def test_a_card_says_the_same_every_time():
    first, second = card([WRONG], "en"), card([WRONG], "en")
    assert first._repr_mimebundle_() == second._repr_mimebundle_()
    assert set(first._repr_mimebundle_()) == {"text/html", "text/plain"}
    assert repr(first) == first.text == "\n".join(blocks([WRONG], "en")[0].text_lines())
    words = re.sub(r"<[^>]*>", " ", first.html.replace("</strong>", "")).split()
    assert sorted(words) == sorted(first.text.split())


def test_several_verdicts_end_with_a_count():
    assert card([WRONG, WRONG], "en").text.endswith("0 of 2 passed")
