"""`minitorch check --notebooks`: a learner's notebook is run on the learner's engine, and what differs is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from minitorch.course import manifest
from minitorch.course.activities import notebooks
from minitorch.course.activities.notebooks import check_notebook
from minitorch.course.cli import cli
from minitorch.course.course_error import CourseError
from minitorch.course.setup.workspace import init_course, refresh_notebooks

COURSE = manifest.load()
LESSON = COURSE.lesson("02")
NAME = LESSON.notebook_name


def cell(id: str, source: str, *outputs: dict, tags: tuple[str, ...] = ()) -> dict:
    return {
        "cell_type": "code",
        "id": id,
        "source": source,
        "metadata": {"tags": list(tags)},
        "outputs": list(outputs),
        "execution_count": 1,
    }


def printed(text: str) -> dict:
    return {"output_type": "stream", "name": "stdout", "text": text}


def result(text: str, **others: str) -> dict:
    return {"output_type": "execute_result", "data": {"text/plain": text, **others}, "metadata": {}}


def raised(name: str, text: str) -> dict:
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": []}


def sentences(shipped: list[dict], own: list[dict], lang: str = "en") -> list[str]:
    return notebooks._compared("02.ipynb", shipped, own, None).lines(lang)


# ------------------------------------------------------------------------------------------- comparing


def test_the_same_outputs_are_the_same_however_they_were_sent():
    shipped = [cell("a", "print(1)\nprint(2)", printed("1\n2\n")), cell("b", "x", result("x", **{"text/html": "<b>"}))]
    own = [cell("a", "print(1)\nprint(2)", printed("1\n"), printed("2\n")), cell("b", "x", result("x"))]
    assert sentences(shipped, own) == [
        "✓ 02.ipynb: all 2 cells as in the lesson, on your engine; 0 of your own were run"
    ]


def test_the_first_line_that_differs_is_told():
    shipped = [cell("a", "\nf(3)", printed("one\ntwo\n"))]
    assert sentences(shipped, [cell("a", "\nf(3)", printed("one\n2\n"))]) == [
        "✗ 02.ipynb: 1 of 1 cells differ from the lesson; 0 of your own were run",
        "    cell 1, `f(3)`, shows “2” where the lesson shows “two”",
    ]
    assert "ends before the line “two”" in sentences(shipped, [cell("a", "\nf(3)", printed("one\n"))])[1]
    assert (
        "shows a line more than the lesson: “three”"
        in (sentences(shipped, [cell("a", "\nf(3)", printed("one\ntwo\nthree\n"))])[1])
    )
    assert "muestra «2» donde la lección" in sentences(shipped, [cell("a", "\nf(3)", printed("one\n2\n"))], "es")[1]


def test_an_exception_is_told_with_its_text():
    assert (
        "raised NameError: name 'x' is not defined"
        in (
            sentences([cell("a", "x", result("1"))], [cell("a", "x", raised("NameError", "name 'x' is not defined"))])[
                1
            ]
        )
    )


def test_a_verdict_must_say_that_all_is_passed_and_ones_own():
    shipped = [cell("a", 'check("add")', result("○ add: not started"), tags=("verdict",))]
    assert sentences(shipped, [cell("a", 'check("add")', result("✓ add: passed"))])[0].startswith("✓")
    badge = "yours 6 · reference 1\n    01  ✗ wrong  mul"
    assert sentences(shipped, [cell("a", 'check("add")', result(badge))])[1] == (
        '    cell 1, `check("add")`, says that something is not passed, or not yours: 01 ✗ wrong mul'
    )


def test_what_is_dealt_to_each_learner_is_not_compared_but_must_not_raise():
    shipped = [cell("a", 'review("08")', result("these four"), tags=("dealt",))]
    assert sentences(shipped, [cell("a", 'review("08")', result("those four"))])[0].startswith(
        "✓ 02.ipynb: all 0 cells"
    )
    assert "raised" in sentences(shipped, [cell("a", 'review("08")', raised("KeyError", "x"))])[1]


def test_cells_of_ones_own_are_fine_and_what_they_change_is_laid_to_them():
    shipped = [cell("a", "lr = 1", printed("1")), cell("b", "train()", printed("0.5"))]
    own = [cell("new", "1 / 0", raised("ZeroDivisionError", "x")), *shipped]
    assert sentences(shipped, own) == [
        "✓ 02.ipynb: all 2 cells as in the lesson, on your engine; 1 of your own were run"
    ]
    changed = [cell("a", "lr = 9", printed("9")), cell("b", "train()", printed("nan"))]
    assert sentences(shipped, changed)[1].endswith(
        "shows “nan” where the lesson shows “0.5” (you changed or added cell 1 before it)"
    )


def test_what_follows_from_an_earlier_difference_says_so():
    shipped = [cell("a", "a", printed("1")), cell("b", "b", printed("2"))]
    told = sentences(shipped, [cell("a", "a", raised("ValueError", "x")), cell("b", "b", printed("3"))])
    assert told[2].endswith("(cell 1 before it differs, too)")


def test_a_cell_that_is_gone_is_told():
    assert sentences([cell("a", "f(3)", printed("1"))], [])[1] == "    the lesson's cell `f(3)` is not in your notebook"


def numbered(*names: str) -> list[dict]:
    """Three cells under these names: the first two show 1 and 2, the third shows nothing."""
    return [
        cell(names[0], "print(1)", printed("1")),
        cell(names[1], "print(2)", printed("2")),
        cell(names[2], "x = 3"),
    ]


@pytest.mark.parametrize("names", [("p", "q", "r"), ("b", "c", "a"), ("a", "b", "own"), ("c", "b", "a")])
def test_a_cell_is_known_by_what_stands_in_it_where_its_name_is_another(names):
    assert sentences(numbered("a", "b", "c"), numbered(*names)) == [
        "✓ 02.ipynb: all 3 cells as in the lesson, on your engine; 0 of your own were run"
    ]


def test_a_cell_that_was_changed_is_known_by_its_name_and_is_not_missing():
    own = numbered("a", "b", "c")
    own[2] = cell("c", "x = 4")
    assert sentences(numbered("a", "b", "c"), own)[0].startswith("✓ 02.ipynb: all 2 cells as in the lesson, on")


def test_of_two_cells_alike_each_is_one_of_the_lessons():
    twice = [cell("a", "print(1)", printed("1")), cell("b", "print(1)", printed("1"))]
    own = [
        cell("x", "print(1)", printed("1")),
        cell("y", "print(1)", printed("7")),
        cell("z", "print(1)", printed("1")),
    ]
    assert sentences(twice, own) == [
        "✗ 02.ipynb: 1 of 2 cells differ from the lesson; 1 of your own were run",
        "    cell 2, `print(1)`, shows “7” where the lesson shows “1”",
    ]


def test_text_of_the_learners_cannot_move_the_cursor():
    shipped, own = [cell("a", "a", printed("1"))], [cell("a", "a", printed("\x1b[2J"))]
    assert "\x1b" not in "\n".join(sentences(shipped, own))


# --------------------------------------------------------------------------------------------- running


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A learner's folder in which lessons 01 and 02 are solved."""
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    init_course(tmp_path / "course")
    for number in ("01", "02"):
        lesson = COURSE.lesson(number)
        shutil.copy(lesson.solution, tmp_path / "course" / "exercises" / lesson.file_name)
    monkeypatch.chdir(tmp_path / "course")
    return tmp_path / "course"


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, words)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def put(folder: Path, source: str) -> None:
    """Put a cell at the top of the learner's notebook."""
    path = folder / "work" / NAME
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"].insert(0, cell("own", source) | {"metadata": {}, "execution_count": None})
    path.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.mark.gate
def test_a_solved_notebook_passes_and_is_left_as_it_was(folder):
    put(folder, "print('mine')")
    before = (folder / "work" / NAME).read_bytes()
    code, told = run("check", "--notebooks", "02")
    assert (code, "✓" in told, "1 of your own were run" in told) == (0, True, True), told
    assert (folder / "work" / NAME).read_bytes() == before


@pytest.mark.gate
@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_copy_is_run_in_its_language_and_compared_with_the_notebook_in_it(lang, tmp_path, monkeypatch):
    for place, said in (("notebooks", "en"), ("notebooks/es", "es")):
        spoken = cell("a", "from minitorch.language import language\n\nprint(language())", printed(f"{said}\n"))
        path = tmp_path / place / NAME
        path.parent.mkdir()
        path.write_text(json.dumps({"cells": [spoken], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    monkeypatch.setattr(notebooks, "material", lambda: tmp_path)
    monkeypatch.setenv("MINITORCH_LANG", "es" if lang == "en" else "en")  # the language of the answer is another matter
    refresh_notebooks(tmp_path / "course", tmp_path / "notebooks", lang=lang)
    outcome = check_notebook(tmp_path / "course", LESSON)
    assert outcome.passed, outcome.lines("en")
    assert (outcome.compared, outcome.own) == (1, 0)


def renamed(notebook: dict) -> None:
    for number, each in enumerate(notebook["cells"]):
        each["id"] = f"other-{number}"


def doubled(notebook: dict) -> None:
    for each in notebook["cells"]:
        each["id"] = "the-same"


def nameless(notebook: dict) -> None:
    for each in notebook["cells"]:
        each.pop("id", None)


@pytest.mark.gate
@pytest.mark.parametrize("change", [renamed, doubled, nameless])
@pytest.mark.parametrize("minor", [2, 4, 5])
@pytest.mark.filterwarnings("error")
def test_a_notebook_whose_cells_have_lost_their_names_is_compared_all_the_same(tmp_path, monkeypatch, change, minor):
    cells = [cell("a", "x = 1\nprint(x)", printed("1\n")), cell("b", "x + 1", result("2"))]
    made = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    for path in (tmp_path / "notebooks" / NAME, tmp_path / "course" / "work" / NAME):
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(made))
        change(made)
        made["nbformat_minor"] = minor
    monkeypatch.setattr(notebooks, "material", lambda: tmp_path)
    outcome = check_notebook(tmp_path / "course", LESSON)
    assert outcome.passed, outcome.lines("en")
    assert (outcome.compared, outcome.own) == (2, 0)


@pytest.mark.gate
def test_a_notebook_on_an_engine_that_is_not_all_ones_own_differs(folder):
    lesson = COURSE.lesson("02")
    path = folder / "exercises" / lesson.file_name
    path.write_text(lesson.solution_source().replace("root.grad = 1.0", "root.grad = 2.0"), encoding="utf-8")
    code, told = run("check", "--notebooks", "backward")
    assert code == 1
    assert "cell" in told
    assert 'check("backward")' in told
    said = json.loads(run("check", "--notebooks", "02", "--json")[1])
    assert said[0]["passed"] is False


@pytest.mark.gate
@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "while True: pass",
            "cell 1, `while True: pass`, was still running after 3 s; the cells below it were not run",
        ),
        ("import os; os._exit(1)", "cell 1, `import os; os._exit(1)`, ended the Python process"),
    ],
)
def test_a_cell_that_never_ends_or_ends_the_process_is_told(folder, monkeypatch, source, said):
    monkeypatch.setattr(notebooks, "CELL_SECONDS", 3)
    put(folder, source)
    assert said in "\n".join(check_notebook(folder, LESSON).lines("en"))


@pytest.mark.gate
def test_a_notebook_that_takes_too_long_as_a_whole_is_told(folder, monkeypatch):
    monkeypatch.setattr(notebooks, "NOTEBOOK_SECONDS", 0)
    told = "\n".join(check_notebook(folder, LESSON).lines("en"))
    assert "was not reached: the notebook was still running after 0 s" in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "work/02_backward.ipynb is missing; `minitorch lab` brings it back"),
        ("{", "was cut off"),
        ("[]", "holds no cells"),
    ],
)
def test_a_file_that_is_no_notebook_is_told_in_one_sentence(folder, text, said):
    path = folder / "work" / NAME
    path.unlink() if text is None else path.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=said):
        check_notebook(folder, LESSON)


def test_without_what_runs_notebooks_it_says_what_to_install(folder, monkeypatch):
    monkeypatch.setattr(notebooks.importlib.util, "find_spec", lambda _: None)
    code, told = run("check", "--notebooks", "02")
    assert code == 2
    assert 'pip install "minitorch-course[lab]"' in told


def test_it_does_not_go_with_the_debugger(folder):
    assert "leave --in-process and --pdb out" in run("check", "--notebooks", "--pdb", "02")[1]
