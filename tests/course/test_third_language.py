"""A third language is a `.po` file: in a language that a test makes up, nothing is cut and no English is left.

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
from collections.abc import Iterator
from pathlib import Path

import click
import messages
import pytest
from click.testing import CliRunner, Result
from pseudo_language import NAME, english_in, is_whole, lay_out, pseudo, sentences

import minitorch as mt
from minitorch import viz
from minitorch.course import check, hint, manifest, quiz, status
from minitorch.course.cards.questions import load_questions
from minitorch.course.cards.report import card
from minitorch.course.cli import cli
from minitorch.course.files.statements import english
from minitorch.course.files.stubs import stub_source, write_stubs
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.mistakes import full_source, of_exercise
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.setup.workspace import language_of, refresh_notebooks
from minitorch.course.watching.screen import draw, plain
from minitorch.course.watching.state import Checked, Key, begin, step
from minitorch.language import ngettext
from minitorch.translations import translations

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


def test_the_file_has_every_sentence_and_is_read_whole(home, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(home))
    known = translations(NAME)
    said = [each for each in sentences() if isinstance(each, str)]
    assert len(said) == len(set(said)) > 5000
    assert [each for each in said if known.gettext(each) != pseudo(each)] == []


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
    assert verdict.reason.to(NAME) == pseudo(known.text.to("en"))
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
        same = [
            each.to("en")
            for option in question.options
            for each in (option.text, option.reason)
            if each.to("en") == each.to("es")
        ]
        code = question.figure.to("en") if question.figure.to("en") == question.figure.to("es") else ""
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
    docstrings = english(stub_source(COURSE.lesson("02")))
    assert pseudo(docstrings["toposort"]).splitlines()[0] in stub
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


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_word_that_goes_with_a_number(learner, count):
    said = pseudo("1 node") if count == 1 else pseudo("{count} nodes").format(count=count)
    assert ngettext("1 node", "{count} nodes", count) == said


def test_the_example_of_the_page_is_of_messages_that_the_code_has():
    entries = re.findall(r'^msgid "(.*)"$', PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(entries) > 1
    assert set(entries) <= {key if isinstance(key, str) else key[0] for key in messages.messages()}


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
