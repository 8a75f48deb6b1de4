"""A terminal that has no ✓: each sign has a stand-in of its own there, in every command's output and in pytest's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minitorch.course import manifest
from minitorch.course.cards.stand_ins import plain
from minitorch.course.files.source_code import replace
from minitorch.course.judging.verdict import SIGNS
from minitorch.course.mine.badge import BORROWED
from minitorch.course.setup.workspace import init_course

LESSON = manifest.load().lesson("00")


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A folder in which one exercise of lesson 00 passes, one is wrong, and all others are not started."""
    folder = tmp_path_factory.mktemp("plain") / "course"
    init_course(folder, "en")
    wrong = replace(LESSON.solution_source(), "flat_place", "def flat_place(a, b):\n    print('→ ñ')\n    return b\n")
    (folder / "exercises" / LESSON.file_name).write_text(wrong, encoding="utf-8")
    return folder


def said(course: Path, encoding: str, *words: str, lang: str = "en", program: str = "minitorch") -> str:
    """What a command writes, in this encoding and nothing else; both streams are one, as in a terminal."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "MINITORCH_LANG": lang, "COLUMNS": "100"}
    command = [sys.executable, "-m", program, *words]
    done = subprocess.run(
        command, cwd=course, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    text = done.stdout.decode(encoding)
    assert "Traceback" not in text
    assert "\\u" not in text
    return text


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_verdicts_can_be_told_apart(course, encoding, lang):
    text = said(course, encoding, "check", "00", "add", lang=lang)
    passed, wrong, open_ = {"en": ("passed", "wrong", "not started"), "es": ("superado", "mal", "sin empezar")}[lang]
    assert f"+ hello_gradient: {passed}" in text
    assert f"x flat_place: {wrong}" in text
    assert f"o add: {open_}" in text
    assert ("| -> ñ" if encoding == "cp1252" else "| -> n") in text


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_the_status_and_the_doctor_too(course, encoding):
    status = said(course, encoding, "status")
    assert "x wrong" in status or "x flat_place" in status
    assert "o not started" in status
    assert "?" not in status.replace("Is it right?", "")
    doctor = said(course, encoding, "doctor", lang="es")
    assert "+ Python" in doctor
    assert ("órdenes" in doctor or "comprobación" in doctor) is (encoding == "cp1252")
    assert "?" not in doctor


@pytest.mark.parametrize("words", [("--help",), ("check", "--help"), ("check", "nada"), ("nada",), ("reset",)])
def test_help_and_slips_too(course, words):
    assert "?" not in said(course, "ascii", *words, lang="es")


@pytest.mark.gate
def test_tables_too(course):
    table = said(course, "ascii", "grade", "doctor", "--quick", lang="es")
    assert "?" not in table
    assert "+ " in table


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_pytest_too(course, encoding):
    text = said(course, encoding, f"exercises/{LESSON.file_name}", program="pytest")
    assert "x flat_place: wrong" in text
    shutil.rmtree(course / ".pytest_cache", ignore_errors=True)


def test_an_encoding_that_has_the_signs_keeps_them(course):
    assert "✗ flat_place: wrong" in said(course, "utf-8", "check", "flat_place")


def test_every_sign_has_a_stand_in_of_its_own_that_takes_as_much_room():
    signs = {*SIGNS.values(), BORROWED}
    stand_ins = [plain(sign, "ascii") for sign in signs]
    assert len(set(stand_ins)) == len(signs)
    assert {len(each) for each in stand_ins} == {1}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("¿falta un `return`?", "falta un `return`?"),
        ("x² + 10⁻⁶, xᵀ", "x^2 + 10^-6, x^T"),
        ("a → b ← c … “d” ‘e’ «f» – — − │ × ÷", 'a -> b <- c ... "d" \'e\' "f" - - - | x /'),
        ("γ, β, √2, ≤ 3, Ñandú, █░", "gamma, beta, sqrt2, <= 3, Nandu, #."),
        ("日本", "??"),
    ],
)
def test_what_a_terminal_lacks_is_written_with_what_it_has(text, shown):
    assert plain(text, "ascii") == shown
    assert plain(text, "utf-8") == text
