"""A third language: found in its folder, spoken where its catalogue has the sentence, English where it has not."""

from __future__ import annotations

import json

import pytest

from minitorch.course.judging.compare import RESULT, Wrong, same_number
from minitorch.course.judging.reasons import meaning
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.texts.messages import say
from minitorch.course.texts.setup import tell
from minitorch.language import LANGUAGES, Text, either, language, languages, listed, remarked, sentence
from minitorch.viz.texts import catalogue as pictures

GERMAN = """
"{what} is wrong" = "{what} stimmt nicht"
"the result" = "das Ergebnis"
"error" = "Fehler"
"{one} or {other}" = "{one} oder {other}"
"{0} is 3 in {1}" = "in {1} ist {0} drei"
"1 visit" = "1 Besuch"
"Python {version}" = "das Python {version}"
"the module {0} has no `{1}`: is it called otherwise?" = "das Modul {0} hat kein `{1}`: heißt es anders?"
"a pair {parent: number}" = "ein Paar {parent: number}"
"out" = "AUS"
"""


@pytest.fixture
def german(tmp_path, monkeypatch):
    """The folder of a language `de`, with a few sentences."""
    folder = tmp_path / "languages" / "de"
    folder.mkdir(parents=True)
    (folder / "words.toml").write_text(GERMAN, encoding="utf-8")
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(folder.parent))
    return folder


def test_a_folder_makes_a_language(german, monkeypatch):
    assert set(languages()) >= {*LANGUAGES, "de"}
    assert language("de") == language("de_AT.UTF-8") == "de"
    monkeypatch.delenv("MINITORCH_LANGUAGES")
    assert language("de") == "en"


@pytest.mark.parametrize("name", ["d", "deu", "DE", "en", "es", "__"])
def test_another_folder_makes_none(german, name):
    (german.parent / name).mkdir(exist_ok=True)
    assert languages().count(name) == (name in LANGUAGES)


def test_a_sentence_is_looked_up_before_its_fields_are_filled_in(german):
    said = say("wrong_number", what=RESULT)
    assert (said.to("en"), said.to("es")) == ("the result is wrong", "el resultado no coincide con lo esperado")
    assert said.to("de") == "das Ergebnis stimmt nicht"


def test_what_the_catalogue_has_not_is_said_in_english(german):
    assert say("is_none", what=RESULT).to("de") == "the result is None; is a `return` missing?"
    assert Text("no such sentence", "no hay tal frase").to("de") == "no such sentence"


def test_a_word_of_code_is_the_same_everywhere(german):
    assert Text.of("out").to("de") == "out"
    assert same_number(2.0, 3.0, "out").reason.to("de") == "out stimmt nicht"


def test_a_sentence_may_be_spelt_alike_in_english_and_spanish(german):
    assert [Kind.ERROR.to(lang) for lang in ("en", "es", "de")] == ["error", "error", "Fehler"]
    assert Text.of({"en": "error", "es": "error"}).to("de") == "Fehler"


def test_a_sentence_that_code_has_filled_in_is_known_by_its_numbered_fields(german):
    name, where = "x.grad", "the result"
    wrong = Wrong(f"{name} is 3 in {where}", f"{name} es 3 en {where}")
    assert wrong.reason.to("de") == "in das Ergebnis ist x.grad drei"


def test_signs_alone_are_the_same_in_every_language(german):
    error = Text.of({"en": "error", "es": "error"})
    assert remarked(RESULT, listed([RESULT, error])).to("de") == "das Ergebnis (das Ergebnis, Fehler)"
    assert [either(["a", "b", "c"]).to(lang) for lang in ("en", "es", "de")] == [
        "a or b or c",
        "a o b o c",
        "a oder b oder c",
    ]


def test_what_an_exception_means(german):
    said = meaning("AttributeError", "module 'numpy' has no attribute 'foo'")
    assert said.to("de") == "das Modul numpy hat kein `foo`: heißt es anders?"


def test_braces_that_are_no_field_stay(german):
    assert Text("a pair {parent: number}", "un par {parent: número}").to("de") == "ein Paar {parent: number}"
    assert sentence("{what} is wrong", "", what="f({x})").to("de") == "f({x}) stimmt nicht"


def test_pictures_and_the_doctor_look_up_too(german, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "de")
    assert pictures.counted("visits_one", "visits", 1) == "1 Besuch"
    assert tell("python", version="3.11") == "das Python 3.11"
    assert tell("dot", path="/bin/dot").startswith("dot, optional")


def test_a_stored_verdict_is_read_in_a_language_that_came_later(german):
    both = remarked(say("wrong_number", what=RESULT), say("line_of", line=3, file="a.py"))
    verdict = Verdict("f", "01", Kind.WRONG, both, Text("Asked.", "Pedido."), expected=RESULT)
    read = Verdict.from_dict(json.loads(json.dumps(verdict.as_dict())))
    assert read == verdict
    assert read.reason.to("de") == "das Ergebnis stimmt nicht (line 3 of a.py)"
    assert read.expected.to("de") == "das Ergebnis"


@pytest.mark.parametrize(
    "data",
    [
        {"en": "a"},
        {"en": "a", "es": 3},
        {"en": "a", "es": "b", "more": "c"},
        {"en": "a", "es": "b", "source": None},
        {"en": "a", "es": "b", "fields": ["c"]},
        {"en": "a", "es": "b", "fields": {"c": 3}},
    ],
)
def test_a_stored_text_that_is_none_is_refused(data):
    with pytest.raises((KeyError, TypeError, AttributeError)):
        Text.from_dict(data)


def test_a_table_that_cannot_be_read_leaves_the_others_and_english(german):
    (german / "broken.toml").write_text('"the result" = ', encoding="utf-8")
    with pytest.warns(UserWarning, match=r"broken\.toml cannot be read .* said in English"):
        assert Text("the row", "la fila").to("de") == "the row"
    assert RESULT.to("de") == "das Ergebnis"
