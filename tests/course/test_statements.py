"""Stubs in Spanish: a learner's statements are translated, and only what nobody has touched follows the language."""

from __future__ import annotations

import ast
import os
import types
from typing import Any

import pytest
from click.testing import CliRunner

from minitorch.course import check, manifest
from minitorch.course.cli import cli
from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.files.chosen import chosen_language, keep_language
from minitorch.course.files.statements import said, said_otherwise, statements
from minitorch.course.files.stubs import stub_source, write_stubs
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.verdict import Kind
from minitorch.course.mine.merging import merge
from minitorch.course.setup import upgrade
from minitorch.course.setup.upgrade import Fate, plan, read_shipped, shipped_text

COURSE = manifest.load()
TRANSLATED = [lesson for lesson in COURSE.lessons if statements(lesson, "es")]
STATEMENTS = """
[es]
"" = "Una lección diminuta."
double = "Devuelve el doble de x."
"Box.total" = '''
Devuelve la suma.

    Box([1.0]).total() es 1.0
'''
"""
SOURCE = '''"""Doc."""

# ------------------------------ given: the rules
# of two lines
Any = int  # any number


def f(x):
    """Twice."""
    # what follows is not easy
    return 2 * x  # noqa: E1
'''


@pytest.fixture
def bilingual(tiny):
    """The tiny course, its stub translated but for two docstrings."""
    (tiny.lessons[0].folder / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    return tiny


def docstrings(source: str) -> dict[str, str | None]:
    return {
        getattr(node, "name", ""): ast.get_docstring(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))
    }


# ------------------------------------------------------------------------------------------- the text


def test_docstrings_are_in_spanish_where_somebody_has_translated_them_and_the_code_is_the_same(bilingual):
    lesson = bilingual.lessons[0]
    english, spanish = stub_source(lesson), stub_source(lesson, "es")
    found = docstrings(spanish)
    assert found[""] == "Una lección diminuta."
    assert found["double"] == "Devuelve el doble de x."
    assert '"""Devuelve la suma.\n\n            Box([1.0]).total() es 1.0\n        """\n' in spanish
    assert found["grid"] == "Return n rows of two ones."
    assert ast.unparse(_bare(english)) == ast.unparse(_bare(spanish))


def _bare(source: str) -> ast.AST:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            node.exc.args = []
    return tree


def test_a_lesson_that_nobody_has_translated_has_its_english_stub(tiny):
    assert stub_source(tiny.lessons[0], "es") == stub_source(tiny.lessons[0])


def test_comments_are_named_by_their_first_line_and_a_rule_is_drawn_anew():
    assert [each.key for each in said(SOURCE)] == [
        *("f", ""),
        *("# given: the rules", "# any number", "# what follows is not easy"),
    ]
    texts = {"# given: the rules": "# dado: las reglas\n# de tres\n# líneas", "# any number": "# un número"}
    lines = said_otherwise(SOURCE, texts).splitlines()
    assert lines[2:6] == [
        "# ------------------------------ dado: las reglas",
        "# de tres",
        "# líneas",
        "Any = int  # un número",
    ]
    assert len(lines[2]) == len(SOURCE.splitlines()[2])


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"g": "Nada."}, "no docstring, comment or error called 'g'"),
        ({"f": 'Con """ dentro.'}, "the stub is no Python|cannot stand in a docstring"),
        ({"f": 'Termina en "'}, "the stub is no Python|cannot stand in a docstring"),
    ],
)
def test_a_text_that_does_not_fit_is_refused(texts, said):
    with pytest.raises(CourseError, match=said):
        said_otherwise(SOURCE, texts)


def test_a_backslash_is_kept_as_it_is():
    assert docstrings(said_otherwise(SOURCE, {"f": r"Una \\ barra \n."}))["f"] == r"Una \\ barra \n."


RAISES = """def f(x, y):
    if x.n:
        raise ValueError(f"{x.n!r} of {y:.2f}: " f"no {x.n}")
    raise TypeError("not one")
"""


def test_what_is_raised_is_said_too_its_fields_in_any_order():
    assert [each.key for each in said(RAISES)] == ["! not one", "! {0} of {1}: no {2}"]
    texts = {"! {0} of {1}: no {2}": 'con {1} y "{2}", {0}', "! not one": "ninguno"}
    changed = said_otherwise(RAISES, texts)
    assert 'raise ValueError(f"con {y:.2f} y \\"{x.n}\\", {x.n!r}")\n' in changed
    assert 'raise TypeError("ninguno")\n' in changed
    long = said_otherwise(RAISES, {"! {0} of {1}: no {2}": "a b c " * 40 + "{0} {1} {2}"})
    assert max(map(len, long.splitlines())) <= 120
    with pytest.raises(ValueError, match=r"^(a b c ){40}'n' 2\.00 n$"):
        defined(long)["f"](types.SimpleNamespace(n="n"), 2.0)


def defined(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(source, names)
    return names


def test_an_error_with_other_fields_is_refused():
    with pytest.raises(CourseError, match="has other fields"):
        said_otherwise(RAISES, {"! {0} of {1}: no {2}": "solo {0}"})


def test_a_function_is_given_in_either_language():
    given = {"f": "Devuelve x (dada).", "g": "Returns x (given).", "h": "Una función dada a los números."}
    source = "\n\n".join(f'def {name}(x):\n    """{text}"""\n' for name, text in given.items())
    assert source_code.given_functions(source) == {"f", "g"}
    source = 'class Value:\n    def __init__(self):\n        """A node (given)."""\n\n\ndef __init__():\n    pass\n'
    assert source_code.given_functions(source) == {"Value.__init__"}


# -------------------------------------------------------------------------------- the shipped lessons


@pytest.mark.parametrize("lesson", TRANSLATED, ids=lambda lesson: lesson.number)
def test_a_translated_stub_is_a_stub(lesson):
    spanish = stub_source(lesson, "es")
    assert max(map(len, spanish.splitlines())) <= 120
    assert source_code.given_functions(spanish) == source_code.given_functions(stub_source(lesson))
    assert {each.kind for each in judge_source(lesson, spanish).values()} == {Kind.NOT_STARTED}


def left_in_english(lesson: manifest.Lesson) -> list[str]:
    """Name the docstrings, comments and errors of a stub that nobody has translated."""
    return [each.key for each in said(stub_source(lesson)) if each.key not in statements(lesson, "es")]


@pytest.mark.parametrize(
    "lesson", [lesson for lesson in COURSE.lessons if lesson.edition == 2], ids=lambda lesson: lesson.number
)
def test_from_the_second_edition_on_nothing_in_a_stub_is_left_in_english(lesson):
    assert left_in_english(lesson) == []


@pytest.mark.parametrize("lesson", TRANSLATED, ids=lambda lesson: lesson.number)
def test_nobody_who_reads_another_language_has_changed_a_given_function(lesson):
    targets = [exercise.target for exercise in lesson.exercises]
    merged = merge(stub_source(lesson, "es"), lesson.solution_source(), targets=targets, keep=())
    assert merged.changed == ()


def test_what_is_left_in_english_is_named(bilingual):
    assert left_in_english(bilingual.lessons[0]) == ["grid", "Box"]


# ------------------------------------------------------------------------------- another language later


def test_an_untouched_stub_follows_the_language_and_an_answer_stays(bilingual, tmp_path):
    lesson, exercises = bilingual.lessons[0], tmp_path / "exercises"
    path = exercises / lesson.file_name
    assert write_stubs(exercises, bilingual, "es") == [path]
    assert path.read_text(encoding="utf-8") == stub_source(lesson, "es")
    assert write_stubs(exercises, bilingual, "es") == []
    assert write_stubs(exercises, bilingual, "en") == [path]
    assert path.read_text(encoding="utf-8") == stub_source(lesson)
    mine = stub_source(lesson).replace("raise NotImplementedError", "return 2 * x", 1)
    path.write_text(mine, encoding="utf-8")
    assert write_stubs(exercises, bilingual, "es") == []
    assert path.read_text(encoding="utf-8") == mine


def test_upgrade_knows_the_stubs_of_both_languages(bilingual, tmp_path):
    lesson = bilingual.lessons[0]
    path = tmp_path / "shipped.json"
    path.write_text(shipped_text({}, bilingual), encoding="utf-8")
    known = read_shipped(path)[lesson.file_name]
    assert {stub.lang for stub in known} == {"en", "es"}
    for made, wanted in (("en", "es"), ("es", "en")):
        write_stubs(tmp_path / "exercises", bilingual, made)
        assert plan(tmp_path, lesson, known, made).fate is Fate.SAME
        done = plan(tmp_path, lesson, known, wanted)
        assert (done.fate, done.after) == (Fate.REPLACED, stub_source(lesson, wanted).encode())


def test_upgrade_leaves_a_file_with_answers_in_its_language(bilingual, tmp_path):
    lesson = bilingual.lessons[0]
    known = list(upgrade.todays(lesson))
    answered = stub_source(lesson, "es").replace("raise NotImplementedError", "return 2 * x", 1)
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / lesson.file_name).write_text(answered, encoding="utf-8")
    assert plan(tmp_path, lesson, known, "en").fate is Fate.SAME
    old_texts = STATEMENTS.replace("Devuelve la suma.", "Suma.")
    (lesson.folder / "statements.toml").write_text(old_texts, encoding="utf-8")
    done = plan(tmp_path, lesson, known, "en")
    assert (done.fate, done.names) == (Fate.MERGED, ("double",))
    assert done.after.decode() == answered.replace("Devuelve la suma.", "Suma.")


# --------------------------------------------------------------------------------- the choice is kept


@pytest.fixture
def here(bilingual, tmp_path, monkeypatch):
    """A course folder made in Spanish; nothing in the surroundings says a language."""
    folder = tmp_path / "mine"
    write_stubs(folder / "exercises", bilingual, "es")
    keep_language(folder, "es")
    monkeypatch.setattr(manifest, "load", lambda *_: bilingual)
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "")
    monkeypatch.chdir(folder)
    return folder


def run(*words: str) -> str:
    return CliRunner().invoke(cli, words).output


def test_a_folder_made_in_spanish_is_answered_in_spanish_unless_something_else_is_said(here, monkeypatch):
    assert "sin empezar" in run("status", "01")
    assert "not started" in run("--lang", "en", "status", "01")
    monkeypatch.setenv("MINITORCH_LANG", "en")
    assert "not started" in run("status", "01")


def test_a_kernel_that_nobody_told_a_language_speaks_the_folders_own(here, monkeypatch):
    assert "sin empezar" in check("double").text
    assert os.environ["MINITORCH_LANG"] == "es"  # the pictures read it there
    assert "not started" in check("double", lang="en").text
    monkeypatch.setenv("MINITORCH_LANG", "en")
    assert "not started" in check("double").text


def test_reset_gives_the_stub_in_the_language_of_the_folder(here, bilingual):
    lesson = bilingual.lessons[0]
    path = here / "exercises" / lesson.file_name
    path.write_text(path.read_text(encoding="utf-8").replace("raise NotImplementedError", "return 2 * x", 1))
    run("reset", "double")
    assert path.read_text(encoding="utf-8") == stub_source(lesson, "es")
    path.unlink()
    run("reset", "01")
    assert path.read_text(encoding="utf-8") == stub_source(lesson, "es")


def test_upgrade_in_another_language_keeps_the_choice(here, bilingual, tmp_path, monkeypatch):
    monkeypatch.setattr(upgrade, "SHIPPED", tmp_path / "shipped.json")
    upgrade.SHIPPED.write_text(shipped_text({}, bilingual), encoding="utf-8")
    run("upgrade", "--lang", "en")
    assert chosen_language(here) == "en"
    assert (here / "exercises" / "lesson_01_tiny.py").read_text(encoding="utf-8") == stub_source(bilingual.lessons[0])
    assert "not started" in run("status", "01")


def test_a_choice_that_cannot_be_read_is_none(tmp_path):
    assert chosen_language(tmp_path) is None
    (tmp_path / ".minitorch" / "language").mkdir(parents=True)
    assert chosen_language(tmp_path) is None
    other = tmp_path / "other"
    (other / ".minitorch").mkdir(parents=True)
    (other / ".minitorch" / "language").write_bytes(b"\xff\xfeklingon")
    assert chosen_language(other) is None
