"""The command line in Spanish: every word of the help pages, and what is said of a slip."""

from __future__ import annotations

import inspect

import pytest
from click.testing import CliRunner

from minitorch.course.cli import cli

GRADE = cli.commands["grade"]
PAGES = [(), *((name,) for name in sorted(cli.commands)), *(("grade", name) for name in sorted(GRADE.commands))]


def run(*words: str, lang: str = "es"):
    return CliRunner().invoke(cli, words, env={"MINITORCH_LANG": lang})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: " ".join(page) or "minitorch")
def test_a_help_page_is_in_spanish_from_top_to_bottom(page):
    shown = run(*page, "--help").output
    assert shown.startswith("Uso: ")
    for english in ("Usage", "Options", "Commands", "Show this message", "Language of", "COMMAND", "[OPTIONS]"):
        assert english not in shown
    command = cli
    for name in page:
        command = command.commands[name]
    for paragraph in inspect.cleandoc(command.help).split("\n\n"):
        assert " ".join(paragraph.split()) not in " ".join(shown.split())


def test_in_english_nothing_is_changed():
    shown = run("check", "--help", lang="en").output
    assert shown.startswith("Usage: ")
    assert "Judge what you wrote." in shown


def test_the_word_on_the_command_line_counts_for_the_help_too():
    assert run("--lang", "es", "--help", lang="en").output.startswith("Uso: ")


def test_in_a_spanish_folder_the_first_page_and_a_slip_are_in_spanish_too(tmp_path, monkeypatch):
    monkeypatch.delenv("MINITORCH_LANG", raising=False)
    said = {"MINITORCH_LANG": None}
    course = tmp_path / "curso"
    assert CliRunner().invoke(cli, ["--lang", "es", "init", str(course)], env=said).exit_code == 0
    monkeypatch.chdir(course)
    assert CliRunner().invoke(cli, ["--help"], env=said).output.startswith("Uso: ")
    assert "No existe la orden" in CliRunner().invoke(cli, ["xyz"], env=said).output
    assert CliRunner().invoke(cli, ["--lang", "en", "--help"], env=said).output.startswith("Usage: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("chekc", "No existe la orden 'chekc'; ¿querías decir check?"),
        ("xyz", "No existe la orden 'xyz'."),
        ("status --foo", "No existe la opción --foo."),
        ("check --lnag", "No existe la opción --lnag. ¿Querías decir"),
        ("hint", "Falta el argumento NOMBRE."),
        ("hint add --step", "La opción --step necesita un valor."),
        ("check --all=3", "La opción --all no lleva valor."),
        ("doctor more", "Sobra: more"),
        ("--lang fr check", "'fr' no vale para --lang: solo 'en', 'es'."),
        ("hint add --step x", "'x' no vale para --step: hace falta un número entero."),
    ],
)
def test_a_slip_is_told_in_spanish(words, said):
    done = run(*words.split())
    assert done.exit_code == 2
    assert f"Error: {said}" in done.output
    assert "Usage" not in done.output
    assert "for help" not in done.output


def test_what_the_course_says_of_a_slip_is_kept(tmp_path, monkeypatch):
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.chdir(tmp_path)
    done = run("check")
    assert (done.exit_code, "aquí no hay carpeta del curso" in done.output) == (2, True)
