"""Messages: translated when they are shown, stored as English and fields; the `.po` files they are read from."""

from __future__ import annotations

import json
import threading

import pytest

from minitorch.course.judging.compare import RESULT, same_number
from minitorch.course.judging.reasons import meaning
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.language import (
    Message,
    either,
    gettext,
    language,
    languages,
    listed,
    ngettext,
    remarked,
    speaking,
)
from minitorch.translations import FILE
from minitorch.viz.facts.counting import counted

CZECH = r"""
# What stands before the first entry is its head.
msgid ""
msgstr ""
"Language: cs\n"
"Plural-Forms: nplurals=3; plural=(n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2);\n"
"Content-Type: text/plain; charset=utf-8\n"

#: minitorch/course/judging/compare.py
#, python-brace-format
msgid "{what} is wrong"
msgstr "{what} nesouhlasí"

msgid "the result"
msgstr ""
"výsled"
"ek"

msgid "error"
msgstr "chyba"

msgid "{one} or {other}"
msgstr "{one} nebo {other}"

msgid "1 visit"
msgid_plural "{count} visits"
msgstr[0] "{count} návštěva"
msgstr[1] "{count} návštěvy"
msgstr[2] "{count} návštěv"

msgid "the module {0} has no `{1}`: is it called otherwise?"
msgstr "modul {0} nemá `{1}`"

msgid "a pair {parent: number}"
msgstr "dvojice {parent: number}\n\t\"tady\" \\"

#, fuzzy
msgid "the loss"
msgstr "ztratit"

msgid "the mask"
msgstr ""

#~ msgid "gone"
#~ msgstr "pryč"
"""


@pytest.fixture
def czech(tmp_path, monkeypatch):
    """The folder of a language `cs`, with a few messages."""
    folder = tmp_path / "languages" / "cs"
    (folder / FILE).parent.mkdir(parents=True)
    (folder / FILE).write_text(CZECH, encoding="utf-8")
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(folder.parent))
    return folder


def test_a_file_makes_a_language(czech, monkeypatch):
    assert languages() == ("en", "cs", "es")
    assert language("cs") == language("cs_CZ.UTF-8") == "cs"
    monkeypatch.delenv("MINITORCH_LANGUAGES")
    assert language("cs") == "en"


@pytest.mark.parametrize("name", ["d", "deu", "DE", "__", "fr"])
def test_a_folder_of_another_name_or_without_a_file_makes_none(czech, name):
    if name != "fr":
        (czech.parent / name / FILE).parent.mkdir(parents=True)
        (czech.parent / name / FILE).write_text(CZECH, encoding="utf-8")
    assert name not in languages()


def test_a_message_is_translated_with_its_fields(czech):
    said = Message("{what} is wrong", what=RESULT)
    assert [said.to(lang) for lang in ("en", "es", "cs")] == [
        "the result is wrong",
        "el resultado no coincide con lo esperado",
        "výsledek nesouhlasí",
    ]
    assert same_number(2.0, 3.0, "out").reason.to("cs") == "out nesouhlasí"


@pytest.mark.parametrize("id", ["no such message", "the loss", "the mask", "gone"])
def test_what_is_not_translated_or_marked_fuzzy_is_said_in_english(czech, id):
    assert Message(id).to("cs") == id


def test_a_word_of_code_is_the_same_everywhere(czech):
    assert Message.of("error").to("cs") == "error"
    assert Message("{what} is wrong", what="the result").to("cs") == "the result nesouhlasí"
    assert [Kind.ERROR.to(lang) for lang in ("en", "es", "cs")] == ["error", "error", "chyba"]


def test_the_data_of_a_lesson_bring_their_translations(czech):
    said = Message.of({"en": "error", "es": "fallo"})
    assert [said.to(lang) for lang in ("en", "es", "cs")] == ["error", "fallo", "chyba"]
    assert Message.of({"en": "error", "es": "fallo", "cs": "vada"}).to("cs") == "vada"


def test_messages_put_together(czech):
    assert remarked(RESULT, listed([RESULT, Message("error")])).to("cs") == "výsledek (výsledek, chyba)"
    assert [either(["a", "b", "c"]).to(lang) for lang in ("en", "es", "cs")] == [
        "a or b or c",
        "a o b o c",
        "a nebo b nebo c",
    ]


def test_what_an_exception_means(czech):
    said = meaning("AttributeError", "module 'numpy' has no attribute 'foo'")
    assert said.to("cs") == "modul numpy nemá `foo`"


def test_signs_behind_a_backslash_and_braces_that_are_no_field(czech):
    assert Message("a pair {parent: number}").to("cs") == 'dvojice {parent: number}\n\t"tady" \\'
    assert Message("{what} is wrong", what="f({x}) {what}").to("cs") == "f({x}) {what} nesouhlasí"


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0 návštěv"), (1, "1 návštěva"), (2, "2 návštěvy"), (5, "5 návštěv"), (1200, "1\u202f200 návštěv")],
)
def test_a_word_has_the_form_that_its_number_asks_for(czech, monkeypatch, count, said):
    monkeypatch.setenv("MINITORCH_LANG", "cs")
    assert counted("1 visit", "{count} visits", count) == said
    assert Message.counted("1 visit", "{count} visits", count).to("en") == (
        "1 visit" if count == 1 else f"{count} visits"
    )
    assert ngettext("1 visit", "{count} visits", 2) == gettext("{a}", a="2 návštěvy")


@pytest.mark.parametrize(
    ("id", "axes", "said"),
    [
        ("a lo largo de {axes}", "el eje 0", "a lo largo del eje 0"),
        ("a lo largo de {axes}", "los ejes 0 y 1", "a lo largo de los ejes 0 y 1"),
        ("respecto a {axes}", "el eje 1", "respecto al eje 1"),
        ("De {axes}", "el eje 1", "Del eje 1"),
        ("De {axes}", "él", "De él"),
        ("en {axes} el padre", "a * a", "en a * a el padre"),
        ("de {axes} y {other}", "el {axes}", "del {axes} y {other}"),
    ],
)
def test_in_spanish_a_field_contracts_with_the_preposition_in_front_of_it(id, axes, said):
    assert Message(id, axes=axes).to("es") == said
    assert Message(id, axes=Message.of({"en": "axis", "es": axes})).to("es") == said
    assert Message(id, axes=axes).to("en") == id.replace("{axes}", axes)


# ------------------------------------------------------------------------------------------------------------- stored


def test_a_stored_verdict_is_read_in_a_language_that_came_later(czech):
    both = remarked(Message("{what} is wrong", what=RESULT), Message("line {line} of {file}", line=3, file="a.py"))
    asks = Message.of({"en": "Asked.", "es": "Pedido."})
    visits = Message.counted("1 visit", "{count} visits", 3)
    verdict = Verdict("f", "01", Kind.WRONG, both, asks, expected=RESULT, finding=visits)
    read = Verdict.from_dict(json.loads(json.dumps(verdict.as_dict())))
    assert read == verdict
    assert hash(read.reason) == hash(verdict.reason)
    assert read.reason.to("cs") == "výsledek nesouhlasí (line 3 of a.py)"
    assert read.finding.to("cs") == "3 návštěvy"
    assert read.asks.to("es") == "Pedido."
    assert "nesouhlas" not in json.dumps(verdict.as_dict())
    assert "resultado" not in json.dumps(verdict.as_dict()["reason"])


def test_what_the_second_edition_stored_is_said_as_it_was():
    old = {"en": "x is wrong", "es": "x no es correcto", "source": "{what} is wrong", "fields": {"what": "x"}}
    assert [Message.from_dict(old).to(lang) for lang in ("en", "es")] == ["x is wrong", "x no es correcto"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"en": "a"},
        {"en": "a", "es": 3},
        {"id": 3},
        {"id": "a", "more": "c"},
        {"id": "a", "several": None},
        {"id": "a", "several": "b", "count": "3"},
        {"id": "a", "fields": ["c"]},
        {"id": "a", "fields": {"c": 3}},
        {"id": "a", "own": {"es": 3}},
        {"id": "a", "own": 3},
    ],
)
def test_a_stored_message_that_is_none_is_refused(data):
    with pytest.raises((KeyError, TypeError, AttributeError, ValueError)):
        Message.from_dict(data)


# ----------------------------------------------------------------------------------------------- files and languages


@pytest.mark.parametrize("damage", ["msgid", '"Plural-Forms: nplurals=2; plural=import os;\\n"', "\x00", '"loose"'])
def test_a_damaged_file_costs_no_sentence_that_is_whole(czech, damage):
    path = czech / FILE
    path.write_text(CZECH.replace('msgid "the result"', f'{damage}\n\nmsgid "the result"'), encoding="utf-8")
    assert Message("error").to("cs") == "chyba"
    assert RESULT.to("cs") == "výsledek"


def test_a_file_that_is_no_text_leaves_english_and_a_warning(czech):
    (czech / FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.warns(UserWarning, match=r"minitorch\.po cannot be read .* stay in English"):
        assert RESULT.to("cs") == "the result"


def test_a_plural_rule_that_is_none_leaves_english_and_a_warning(czech):
    (czech / FILE).write_text(CZECH.replace("n == 1 ? 0", "__import__ ? 0"), encoding="utf-8")
    with pytest.warns(UserWarning, match="cannot be read"):
        assert RESULT.to("cs") == "the result"


def test_a_folder_of_ones_own_counts_more_than_what_is_shipped(tmp_path, monkeypatch):
    (tmp_path / "es" / FILE).parent.mkdir(parents=True)
    (tmp_path / "es" / FILE).write_text('msgid "the result"\nmsgstr "lo que sale"\n', encoding="utf-8")
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(tmp_path))
    assert RESULT.to("es") == "lo que sale"
    assert Message("{what} is wrong", what=RESULT).to("es") == "lo que sale no coincide con lo esperado"


def test_speaking_is_a_thread_s_own_and_counts_more_than_the_environment(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "en")
    elsewhere = []
    with speaking("es"):
        assert (gettext("the result"), language("en")) == ("el resultado", "en")
        thread = threading.Thread(target=lambda: elsewhere.append(gettext("the result")))
        thread.start()
        thread.join()
    assert (gettext("the result"), elsewhere) == ("the result", ["the result"])
