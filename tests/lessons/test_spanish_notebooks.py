"""What holds for every lesson's notebook in Spanish: up to date, run in Spanish, with a table of Spanish messages.

From the second edition on every lesson has one. scripts/translations.py says what is compared with the English one.
"""

import re
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
import translations
from stuck_tables import catalogue, is_said, rows_of

import notebooks as script
from minitorch.course import manifest
from minitorch.course.manifest import Course, Lesson
from minitorch.course.setup.workspace import refresh_notebooks
from minitorch.language import languages

NOTEBOOKS = manifest.material() / "notebooks"
COURSE = manifest.load()
THERE = [lesson for lesson in COURSE.lessons if (NOTEBOOKS / "es" / lesson.notebook_name).is_file()]
every_spanish_one = pytest.mark.parametrize("lesson", THERE, ids=lambda lesson: lesson.number)


def path_of(lesson: Lesson) -> Path:
    return NOTEBOOKS / "es" / lesson.notebook_name


def texts(path: Path) -> list[str]:
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]


def without_spanish(course: Course, folder: Path) -> list[str]:
    """Name the lessons of the second edition that have no Spanish notebook in `folder`."""
    second = [lesson for lesson in course.lessons if lesson.edition == 2]
    return [
        f"lesson {lesson.number} (edition 2) has no notebooks/es/{lesson.notebook_name}"
        for lesson in second
        if not (folder / "es" / lesson.notebook_name).is_file()
    ]


def test_every_lesson_of_the_second_edition_has_one():
    assert without_spanish(COURSE, NOTEBOOKS) == []


def test_every_page_beside_the_notebooks_has_a_spanish_one():
    here, there = ({path.name for path in folder.glob("*.md")} for folder in (NOTEBOOKS, NOTEBOOKS / "es"))
    assert here == there


def test_every_spanish_notebook_is_of_a_lesson():
    assert {path.name for path in (NOTEBOOKS / "es").glob("*.ipynb")} <= {
        lesson.notebook_name for lesson in COURSE.lessons
    }


def spanish_in_english(cells: list[str], lesson: Lesson) -> str:
    """Say what is wrong with the Spanish in an English notebook: one line below the minutes, no note elsewhere."""
    line = f"> **En español:** [cuaderno en español](es/{lesson.notebook_name}). "
    if cells[1].count(f"\n{line}") != 1:
        return f"the second cell has no line that begins: {line}"
    return "a section has a note in Spanish" if "\n\n".join(cells).count("En español") != 1 else ""


@pytest.mark.parametrize(
    "lesson",
    [lesson for lesson in COURSE.lessons if lesson.edition == 2],
    ids=lambda lesson: lesson.number,
)
def test_the_english_notebook_of_the_second_edition_has_one_line_in_spanish(lesson):
    assert spanish_in_english(texts(NOTEBOOKS / lesson.notebook_name), lesson) == ""


def test_a_missing_line_and_a_note_in_the_margin_are_seen():
    lesson = COURSE.lessons[0]
    line = f"> **En español:** [cuaderno en español](es/{lesson.notebook_name}). Mides una pendiente."
    assert spanish_in_english(["# 00 · Start here", f"It takes long.\n\n{line}", "## 1. One"], lesson) == ""
    assert "no line" in spanish_in_english([f"# 00 · Start here\n\n{line}", "It takes long."], lesson)
    note = "## 1. One\n\n> **En español.** Una."
    assert "a note" in spanish_in_english(["# 00", f"It takes long.\n\n{line}", note], lesson)


@every_spanish_one
def test_it_was_run_in_spanish_and_is_up_to_date(lesson):
    assert script.faults(path_of(lesson)) == []


@every_spanish_one
def test_it_is_no_larger_than_300_kb(lesson):
    assert path_of(lesson).stat().st_size <= 300_000


@every_spanish_one
def test_it_names_the_lesson_as_the_manifest_does(lesson):
    top = "\n\n".join(texts(path_of(lesson))).partition("\n## ")[0]
    assert top.startswith(f"# {lesson.number} · {lesson.title.to('es')}\n")
    assert f"unos {lesson.minutes} minutos" in " ".join(top.split())
    assert f"exercises/{lesson.file_name}" in "\n".join(texts(path_of(lesson)))


@every_spanish_one
def test_its_sections_are_called_as_in_every_lesson(lesson):
    """Other parts of the course look for some of them by name."""
    words = {
        "Recap": "Resumen",
        "When you are stuck": "Cuando te atasques",
        "More": "Más",
        "In PyTorch": "En PyTorch",
        "In the machine": "En la máquina",
        "Who found it": "Quién lo encontró",
        "Read next": "Para seguir leyendo",
    }
    english, spanish = (texts(path) for path in (NOTEBOOKS / lesson.notebook_name, path_of(lesson)))
    for old, new in zip(map(headings, english), map(headings, spanish), strict=True):
        assert [level for level, _ in old] == [level for level, _ in new]
        for (_, word), (_, own) in zip(old, new, strict=True):
            for name, wanted in words.items():
                if word.split(":")[0] == name:
                    assert own.split(":")[0] == wanted
            if "planted bug" in word:
                assert "error plantado" in own
            number = re.match(r"\d+\. ", word)
            assert number is None or own.startswith(number[0])


def headings(text: str) -> list[tuple[str, str]]:
    """Return the headings of a cell: how many signs each has, and its words."""
    return re.findall(r"^(#{1,3}) (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)


@every_spanish_one
def test_formulas_and_code_blocks_are_those_of_the_english_one(lesson):
    english, spanish = (texts(path) for path in (NOTEBOOKS / lesson.notebook_name, path_of(lesson)))
    for old, new in zip(english, spanish, strict=True):
        assert len(re.findall(r"\$\$", old)) == len(re.findall(r"\$\$", new)), new
        assert re.findall(r"^```(\w*)$", old, re.MULTILINE) == re.findall(r"^```(\w*)$", new, re.MULTILINE), new
        assert old.count("<details>") == new.count("<details>"), new


@every_spanish_one
def test_the_stuck_table_shows_the_messages_in_spanish(lesson):
    """Somebody who is stuck looks for the message that stands there, and it stands there in Spanish."""
    english, spanish = (rows_of(texts(path)[-1]) for path in (NOTEBOOKS / lesson.notebook_name, path_of(lesson)))
    known = catalogue(lesson, "es")
    assert len(spanish) == len(english) >= 8
    assert [message for message in spanish if not is_said(message, known)] == []


def test_a_message_in_english_is_seen():
    known = catalogue(COURSE.lessons[0], "es")
    assert is_said("la pendiente es None; ¿falta un return?", known)
    assert not is_said("The slope is None; is a return missing?", known)


# --------------------------------------------------------------------------------------------------- links

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s#]+)(?:#[^)]*)?\)")


def dead_links(path: Path) -> list[str]:
    """Return the links in a notebook's texts that lead to no file."""
    prose = re.sub(r"```.*?```|`[^`]*`|\$[^$]*\$", "", "\n".join(texts(path)), flags=re.DOTALL)
    local = [link for link in LINK.findall(prose) if "://" not in link and not link.startswith("mailto:")]
    return [link for link in local if not (path.parent / link).exists()]


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.rglob("*.ipynb")), ids=translations.shown_name)
def test_every_link_in_a_notebook_leads_somewhere(path):
    assert dead_links(path) == []


@pytest.mark.parametrize("lang", languages())
def test_every_link_in_a_working_copy_leads_somewhere(lang, tmp_path):
    refresh_notebooks(tmp_path, NOTEBOOKS, lang=lang)
    copies = sorted((tmp_path / "work").glob("*.ipynb"))
    assert len(copies) == len(COURSE.lessons)
    assert {path.name: dead for path in copies if (dead := dead_links(path))} == {}


def test_a_dead_link_is_seen(tmp_path):
    cells = [nbformat.v4.new_markdown_cell("[one](two.md), [a page](mailto:somebody), `[x](y)`")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "x.ipynb")
    assert dead_links(tmp_path / "x.ipynb") == ["two.md"]


def test_a_lesson_of_the_second_edition_without_one_is_named(tmp_path):
    first, *rest = COURSE.lessons
    course = Course((replace(first, edition=2), *(replace(each, edition=1) for each in rest)))
    assert without_spanish(course, tmp_path) == [f"lesson 00 (edition 2) has no notebooks/es/{first.notebook_name}"]
    (tmp_path / "es").mkdir()
    (tmp_path / "es" / first.notebook_name).touch()
    assert without_spanish(course, tmp_path) == []
