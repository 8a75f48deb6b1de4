"""A third language is a folder and a catalogue: in a language that a test makes up, nothing is cut and no English left.

What is not covered is listed in docs/adding-a-language.md, and the notebooks' prose is one of them: a test here shows
only that a folder of translated notebooks is taken up.
"""

from __future__ import annotations

import dataclasses
import html
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import languages
import pytest
from click.testing import CliRunner, Result
from pseudo_language import NAME, english_in, is_whole, lay_out, pseudo

import minitorch as mt
from minitorch import viz
from minitorch.catalogue import PLURALS, catalogue
from minitorch.course import check, hint, manifest, quiz, status
from minitorch.course.cards.questions import load_questions
from minitorch.course.cards.report import card
from minitorch.course.cli import cli
from minitorch.course.files.stubs import stub_source, write_stubs
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.mistakes import full_source, of_exercise
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.setup.workspace import language_of, refresh_notebooks
from minitorch.course.texts.messages import say
from minitorch.course.watching.screen import draw, plain
from minitorch.course.watching.state import Checked, Key, begin, step
from minitorch.language import Text
from minitorch.viz.texts.catalogue import counted

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding-a-language.md"
COURSE = manifest.load()
NAMES = {word for exercise in COURSE.exercises for word in exercise.name.split("_")}


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """The folder of languages with the one that a test made up, all of it translated."""
    return lay_out(tmp_path_factory.mktemp("languages"))


@pytest.fixture
def learner(home, tmp_path, monkeypatch) -> Path:
    """A learner's folder in that language."""
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(home))
    monkeypatch.setenv("MINITORCH_LANG", NAME)
    write_stubs(tmp_path / "exercises", lang=NAME)
    monkeypatch.setenv("MINITORCH_COURSE", str(tmp_path))
    return tmp_path


def assert_spoken(shown: str, *code: str) -> None:
    """Hold that a text is whole and that its words are in the language, except for names of code."""
    assert is_whole(shown), shown
    assert english_in(shown) - {word for each in code for word in re.findall(r"[^\W\d_]+", each)} == set(), shown


def written(learner: Path, number: str, source: str) -> None:
    lesson = COURSE.lesson(number)
    (learner / "exercises" / lesson.file_name).write_text(source, encoding="utf-8")


def test_the_language_is_as_different_from_english_as_one_can_be():
    said = "Return {what}: `a.grad` of the node.\n# and a line"
    assert pseudo(said).startswith("⟦Rétúrñ {what}: `a.grad` óf thé ñódé. ñáñdú")
    assert len(pseudo("x" * 100)) >= 130
    assert english_in(pseudo(said.replace("`a.grad`", "").replace("{what}", ""))) == set()
    assert english_in("ñódé from páth") == {"from"}
    assert not is_whole("⟦ñódé")
    assert is_whole("⟦ñódé ⟦ñ⟧⟧")


def test_the_catalogue_has_every_sentence_and_no_fault(home):
    catalogue = languages.read(home / NAME)
    said = [each for table in languages.sentences().values() for each in table]
    assert len(said) == len(set(said)) > 5000
    assert all(catalogue[each] for each in said)
    assert list(languages.faults(catalogue, [*said])) == []


def test_cards_of_what_is_not_started(learner):
    assert_spoken(check("02").text, *NAMES)
    assert_spoken(html.unescape(re.sub(r"<[^>]*>", " ", check("02").html)), *NAMES)


MISTAKES = [("02", "toposort"), ("08", "unbroadcast")]


@pytest.mark.parametrize(("number", "name"), MISTAKES)
def test_a_verdict_names_the_mistake(learner, number, name):
    lesson, exercise = COURSE.lesson(number), COURSE.exercise(name)
    known = of_exercise(lesson, exercise)[0]
    verdict = judge_source(lesson, full_source(lesson, known))[name]
    assert (verdict.passed, verdict.diagnosis) == (False, known.id)
    assert verdict.reason.to(NAME) == pseudo(known.text.en)
    bare = dataclasses.replace(verdict, line=None, input=None, place=None)  # without the learner's own code
    assert_spoken(card([bare], NAME).text, name, str(bare.got), str(bare.expected), *NUMPY)


NUMPY = ("float", "shape")  # how an array is shown


@pytest.mark.parametrize(
    ("number", "name", "body", "code"),
    [
        ("02", "toposort", "return None", "return list reverse"),
        ("02", "toposort", "return missing", "toposort NameError name missing is not defined"),
        ("02", "toposort", "while True: pass", "lesson_02_backward.py toposort"),
    ],
)
def test_what_is_wrong_without_a_known_mistake(learner, number, name, body, code):
    lesson = COURSE.lesson(number)
    source = stub_source(lesson, NAME).replace("raise NotImplementedError", body, 1)
    verdict = judge_source(lesson, source)[name]
    bare = dataclasses.replace(verdict, line=None, input=None, place=None)
    assert_spoken(card([bare], NAME).text, name, code, str(bare.got), str(bare.expected))


def test_every_step_of_a_hint(learner):
    for number in (1, 2, 3, 4):
        assert_spoken(hint("toposort", number).text, "hint", "toposort")


def test_every_quiz_of_a_lesson(learner):
    for question in load_questions(COURSE.lesson("08")):
        asked = quiz(question.id)
        same = [each.en for option in question.options for each in (option.text, option.reason) if each.en == each.es]
        code = question.figure.en if question.figure.en == question.figure.es else ""
        assert_spoken(repr(asked), question.id, "quiz answer a b c d e", code, *same)
        for letter in "abc"[: len(question.options)]:
            assert_spoken(repr(asked.answer(letter)), question.id, "quiz answer a b c d e", code, *same)


def test_the_table_of_the_status(learner):
    assert_spoken(status().text, "exercises lesson py start here check", *NAMES)
    assert_spoken(status("02").text, "exercises lesson backward py check", *NAMES)


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def names_of(command: click.Command) -> Iterator[str]:
    """What is typed: the names of a command, of those below it, and of their options."""
    yield command.name or ""
    for param in command.params:
        yield from param.opts
        yield from getattr(param.type, "choices", ())
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        yield from names_of(below)


@pytest.mark.parametrize("page", [(), ("check",), ("grade",), ("grade", "run")], ids=" ".join)
def test_help(learner, page):
    done = run(*page, "--help")
    assert done.exit_code == 0, done.output
    assert_spoken(done.output, "minitorch help version", *names_of(cli))


@pytest.mark.parametrize("slip", ["chekc", "check --lnag", "hint", "--lang fr check", "hint add --step x"])
def test_a_slip(learner, slip):
    done = run(*slip.split())
    assert done.exit_code == 2
    assert_spoken(done.output, f"{slip} cli help lang en es check status")


def test_the_language_is_offered_and_asked_for(learner, monkeypatch):
    monkeypatch.delenv("MINITORCH_LANG")

    def said(*words: str) -> str:
        done = subprocess.run([sys.executable, "-m", "minitorch", *words], capture_output=True, text=True, check=False)
        return done.stdout

    assert "[en|es|qx]" in said("--help")
    assert_spoken(said("--lang", NAME, "check", "02"), *NAMES)


def test_a_picture_and_its_words(learner):
    x = mt.tensor([1.0, 2.0], requires_grad=True)
    out = (x * x).sum()
    out.backward()
    bundle = viz.graph(out)._repr_mimebundle_()
    (alt,) = re.findall(r'<img alt="([^"]*)"', bundle["text/html"])
    assert_spoken(html.unescape(alt), "mul sum grad")
    assert_spoken(bundle["text/plain"], "mul sum grad")


def test_a_stub_and_its_docstrings(learner):
    stub = (learner / "exercises" / COURSE.lesson("02").file_name).read_text(encoding="utf-8")
    english = languages.english(stub_source(COURSE.lesson("02")))
    assert pseudo(english["toposort"]).splitlines()[0] in stub
    assert compile(stub, "stub", "exec")
    assert check("02").text.count("○") == 4


def test_notebooks_lie_in_a_folder_of_the_language_s_name(learner, tmp_path):
    shipped = tmp_path / "shipped"
    (shipped / NAME).mkdir(parents=True)
    for folder, words in ((shipped, "Read me"), (shipped / NAME, "Réád mé")):
        cell = {"cell_type": "markdown", "metadata": {}, "source": [words], "id": "a"}
        book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        (folder / "01_x.ipynb").write_text(json.dumps(book), encoding="utf-8")
    refresh_notebooks(tmp_path / "course", shipped, lang=NAME)
    copy = json.loads((tmp_path / "course" / "work" / "01_x.ipynb").read_text(encoding="utf-8"))
    assert copy["cells"][0]["source"] == ["Réád mé"]
    assert language_of(copy) == NAME


def test_half_a_catalogue_speaks_english_for_the_rest(learner, home, tmp_path, monkeypatch):
    half = tmp_path / "half" / NAME
    half.mkdir(parents=True)
    (half / "course.toml").write_text(languages.table_of({"wrong": "fálš", "asked": ""}), encoding="utf-8")
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(half.parent))
    assert say("asked").to(NAME) == "asked"
    assert say("all_done").to(NAME) == "all done"
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(home))
    assert say("asked").to(NAME) == pseudo("asked")


def test_writing_again_keeps_what_is_translated_and_names_what_nobody_says(tmp_path):
    (tmp_path / "old.toml").write_text(
        languages.table_of({"the result": "das Ergebnis", "gone": "weg"}), encoding="utf-8"
    )
    assert languages.write(tmp_path) == ["gone"]
    assert languages.read(tmp_path)["the result"] == "das Ergebnis"


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ({"{what} is wrong": "stimmt nicht"}, 'other fields than in "{what} is wrong"'),
        ({"gone": "weg"}, 'the course does not say "gone"'),
        ({"{what} is wrong": ""}, None),
    ],
)
def test_faults_of_a_catalogue(table, fault):
    assert list(languages.faults(table, ["{what} is wrong"])) == ([fault] if fault else [])


CZECH = "{count} {count|návštěva|návštěvy|návštěv}"


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0 návštěv"), (2, "2 návštěvy"), (4, "4 návštěvy"), (5, "5 návštěv"), (1200, "1\u202f200 návštěv")],
)
def test_a_word_has_the_form_that_its_number_asks_for(tmp_path, monkeypatch, count, said):
    lay_out_plurals(tmp_path / NAME, {"{count} visits": CZECH})
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(tmp_path))
    monkeypatch.setenv("MINITORCH_LANG", NAME)
    assert counted("visits_one", "visits", count) == said


def lay_out_plurals(folder: Path, table: dict[str, str]) -> Path:
    """Write a language with the rule of the page and one table; return its folder."""
    folder.mkdir()
    (folder / "pictures.toml").write_text(languages.table_of(table), encoding="utf-8")
    (folder / PLURALS).write_text(examples_of_the_page()[1], encoding="utf-8")
    return folder


def test_a_sentence_that_code_has_filled_in_has_its_forms_too(tmp_path, monkeypatch):
    table = {"{0} nodes in {1}": "v {1}: {0|uzel|uzly|uzlů}, {0}"}
    lay_out_plurals(tmp_path / NAME, table)
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(tmp_path))
    said = [Text(f"{n} nodes in f", "").to(NAME) for n in ("1", "3", "12", "2.5")]
    assert said == ["v f: uzel, 1", "v f: uzly, 3", "v f: uzlů, 12", "v f: uzlů, 2.5"]


def test_without_a_rule_there_are_one_and_many(tmp_path, monkeypatch):
    folder = lay_out_plurals(tmp_path / NAME, {"{count} visits": "{count} {count|a|b}"})
    (folder / PLURALS).unlink()
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(tmp_path))
    assert [catalogue(NAME).filled("{n} {n|a|b}", {"n": n}) for n in ("1", "0", "21")] == ["1 a", "0 b", "21 b"]


def test_the_rule_is_kept_when_the_tables_are_written_again_and_counts_in_a_check(tmp_path):
    folder = lay_out_plurals(tmp_path / NAME, {"{count} visits": CZECH})
    languages.write(folder)
    assert languages.read(folder)["{count} visits"] == CZECH
    forms = languages.plurals(folder).forms
    assert list(languages.faults({"{count} visits": CZECH}, ["{count} visits"], forms)) == []
    for wrong in ("{count} {count|a|b}", "{count} {other|a|b|c}"):
        (fault,) = languages.faults({"{count} visits": wrong}, ["{count} visits"], forms)
        assert fault.startswith("a word that goes with a number has 3 forms")


@pytest.mark.parametrize("rule", ["forms = 2", 'forms = 2\nrule = "n > 1 ? 2 : 0"', 'forms = 2\nrule = "import os"'])
def test_a_rule_that_is_none_is_refused_and_the_sentences_stay(tmp_path, monkeypatch, rule):
    folder = lay_out_plurals(tmp_path / NAME, {"asked": "úkol"})
    (folder / PLURALS).write_text(rule, encoding="utf-8")
    with pytest.raises(ValueError, match=r"plurals\.toml"):
        languages.plurals(folder)
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(tmp_path))
    with pytest.warns(UserWarning, match="plurals"):
        assert say("asked").to(NAME) == "úkol"


def examples_of_the_page() -> list[str]:
    return re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_example_of_the_page_is_one():
    example = examples_of_the_page()[0]
    said = [each for table in languages.sentences().values() for each in table]
    assert list(languages.faults(tomllib.loads(example), said)) == []


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.number)
def test_every_sentence_of_a_judge_can_be_read_off_its_code(lesson):
    sources = [path.read_text(encoding="utf-8") for path in lesson.folder.glob("checks*.py")]
    assert [call for source in sources for call in languages.unreadable(source)] == []


def test_a_sentence_that_cannot_be_read_is_named():
    assert languages.unreadable('Wrong(words(), words()); Wrong("a b", "c d"); Wrong(told)') == [
        "Wrong(words(), words())"
    ]


def test_what_is_read_off_code():
    source = """
Wrong("one", "uno")
Wrong(f"{a.b} and {a.b} of {c!r}", f"{a.b} y {a.b} de {c!r}", got="x y")
Wrong("no" + (": end" if a else ""), "no" + (": fin" if a else ""))
what = ("the row", "la fila")
other("a b", "a b")
"""
    assert [*languages.in_code(source, everywhere=True)] == ["one", "{0} and {0} of {1}", "no: end", "no", "the row"]
    assert "the row" not in languages.in_code(source)


def test_the_screen_of_watch(learner):
    lesson, exercise = COURSE.lesson("02"), COURSE.exercise("toposort")
    known = of_exercise(lesson, exercise)[0]
    verdict = Verdict(
        exercise.name, "02", Kind.WRONG, known.text, exercise.asks, expected="4", got="5", hint=exercise.hints[0]
    )
    state, _ = begin(COURSE, {}, exercise.name)
    state, _ = step(state, Checked(1, verdict, 6, "10:00:00"))
    for keys in ("", "h", "l", "?"):
        after = state
        for key in keys:
            after, _ = step(after, Key(key))
        assert_spoken(plain(draw(after, 120, 70, NAME).rows), "exercises lesson backward py s h l a r n p q", *NAMES)


def test_the_doctor(learner):
    done = run("doctor")
    said = [line for line in done.output.splitlines() if "⟦" in line]
    assert len(said) >= 10
    assert is_whole("\n".join(said))
