"""A course folder as one zip file: all that a learner made arrives, and nothing else does."""

from __future__ import annotations

import base64
import io
import re
import zipfile

import pytest
from bare_python import said_by
from click.testing import CliRunner

from minitorch.course import manifest
from minitorch.course.cli import cli
from minitorch.course.course_error import CourseError
from minitorch.course.files.chosen import chosen_language
from minitorch.course.files.stubs import stub_source
from minitorch.course.judging.met import Met
from minitorch.course.session import Session
from minitorch.course.setup import carried
from minitorch.course.setup.workspace import WorkspaceError, init_course, refresh_notebooks

COURSE = manifest.load()
FIRST = COURSE.lesson("01")


@pytest.fixture
def old(tmp_path):
    """A course folder with an answer, a changed notebook, a verdict and a backup in it."""
    folder = tmp_path / "old"
    init_course(folder, "es")
    (folder / "exercises" / FIRST.file_name).write_text(FIRST.solution_source(), encoding="utf-8")
    (folder / "work" / FIRST.notebook_name).write_text('{"mine": "ñ"}', encoding="utf-8")
    (folder / ".minitorch" / "backups").mkdir()
    (folder / ".minitorch" / "backups" / "2026-01-01 lesson_01.py").write_text("once = 1\n")
    (folder / ".minitorch" / "diagnosis").mkdir()
    (folder / ".minitorch" / "diagnosis" / "add.json").write_text("{}")
    (folder / "thesis.docx").write_text("not ours")
    assert [verdict.passed for verdict in Session(COURSE, folder).check(FIRST.exercises[:1])] == [True]
    return folder


def made(**files):
    """A zip file with these members, in memory."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def test_an_answer_that_lies_elsewhere_and_is_linked_is_brought_along(old, tmp_path):
    answer = old / "exercises" / FIRST.file_name
    answer.rename(tmp_path / "answers.py")
    answer.symlink_to(tmp_path / "answers.py")
    (old / "work" / "secret.md").symlink_to(old / "thesis.docx")
    with zipfile.ZipFile(io.BytesIO(carried.packed(old))) as archive:
        assert archive.read(f"exercises/{FIRST.file_name}").decode() == FIRST.solution_source()
        assert "work/secret.md" not in archive.namelist()


def test_what_a_learner_made_arrives_byte_for_byte(old, tmp_path):
    (tmp_path / "home.zip").write_bytes(carried.packed(old))
    new = tmp_path / "new"
    assert carried.init_from(new, tmp_path / "home.zip", "en") == len(COURSE.lessons) + len(
        list((old / "work").iterdir())
    )
    for place in ("exercises", "work"):
        assert {path.name for path in (new / place).iterdir()} == {path.name for path in (old / place).iterdir()}
        assert [
            path.name for path in (new / place).iterdir() if path.read_bytes() != (old / place / path.name).read_bytes()
        ] == []
    assert (new / ".minitorch" / "backups" / "2026-01-01 lesson_01.py").read_text() == "once = 1\n"
    assert chosen_language(new) == "es"
    assert FIRST.exercises[0].name in Session(COURSE, new).known()
    assert not (new / ".minitorch" / "diagnosis").exists()
    assert not (new / "thesis.docx").exists()


def test_a_notebook_that_was_changed_counts_as_the_learners_there_too(old, tmp_path):
    (tmp_path / "home.zip").write_bytes(carried.packed(old))
    carried.init_from(tmp_path / "new", tmp_path / "home.zip", "en")
    refreshed = refresh_notebooks(tmp_path / "new", manifest.material() / "notebooks", lang="es")
    assert (refreshed.added, refreshed.updated) == ((), ())
    assert (tmp_path / "new" / "work" / FIRST.notebook_name).read_text(encoding="utf-8") == '{"mine": "ñ"}'


def test_the_same_folder_makes_the_same_bytes(old):
    assert carried.packed(old) == carried.packed(old)


def test_a_lesson_that_the_zip_lacks_has_its_stubs(tmp_path):
    (tmp_path / "home.zip").write_bytes(made(**{f"exercises/{FIRST.file_name}": "x = 1\n"}))
    assert carried.init_from(tmp_path / "new", tmp_path / "home.zip", "en") == 1
    second = COURSE.lesson("02")
    assert (tmp_path / "new" / "exercises" / second.file_name).read_text(encoding="utf-8") == stub_source(second)
    assert (tmp_path / "new" / "exercises" / FIRST.file_name).read_text(encoding="utf-8") == "x = 1\n"


OUTSIDE = [
    "../out.py",
    "/out.py",
    "exercises/../../out.py",
    "exercises/..\\out.py",
    "exercises/c:out.py",
    "out.py",
    "exercises/run.sh",
    "exercises/.hidden.py",
    "work/" + "a/" * 9 + "b.md",
    ".minitorch/notebooks.json",
    "work",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_that_no_course_folder_has_is_left_out(name, tmp_path):
    (tmp_path / "home.zip").write_bytes(made(**{"exercises/lesson_01_x.py": "x = 1\n", name: "evil"}))
    assert carried.unpacked(tmp_path / "home.zip") == {"exercises/lesson_01_x.py": b"x = 1\n"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "cannot be read"),
        (b"PK\x03\x04 no zip", "cannot be read"),
        (made(**{"notes.txt": "x"}), "holds no answers"),
        (made(**{"exercises/lesson_01_x.py": "x" * 100})[:60], "cannot be read"),
        (made(**{f"exercises/lesson_01_{at}.py": "" for at in range(2001)}), "more than 2000 files"),
    ],
    ids=["missing", "garbage", "another", "cut", "many"],
)
def test_what_is_no_course_makes_nothing_and_says_so(data, said, tmp_path):
    if data is not None:
        (tmp_path / "home.zip").write_bytes(data)
    with pytest.raises(CourseError, match=said):
        carried.init_from(tmp_path / "new", tmp_path / "home.zip", "en")
    assert not (tmp_path / "new").exists()


def test_it_is_never_laid_over_a_course(old, tmp_path):
    (tmp_path / "home.zip").write_bytes(carried.packed(old))
    with pytest.raises(WorkspaceError, match="already holds a course"):
        carried.init_from(old, tmp_path / "home.zip", "en")


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "a course with 1 files of yours"), ("es", "un curso con 1 archivos")]
)
def test_the_command(lang, said, tmp_path):
    (tmp_path / "home.zip").write_bytes(made(**{f"exercises/{FIRST.file_name}": "x = 1\n"}))
    words = ["--lang", lang, "init", str(tmp_path / "new"), "--from", str(tmp_path / "home.zip")]
    done = CliRunner().invoke(cli, words, env={"MINITORCH_LANG": None})
    assert (done.exit_code, said in done.output) == (0, True), done.output
    assert (tmp_path / "new" / "exercises" / FIRST.file_name).is_file()


def test_from_a_browser_to_a_computer(tmp_path):
    """A folder as the browser edition has it, without what is hidden; a notebook's own words; the card's link."""
    folder = tmp_path / "curso"
    init_course(folder, "es")
    for each in sorted((folder / ".minitorch").rglob("*"), reverse=True):
        each.unlink()
    (folder / ".minitorch").rmdir()
    (folder / "language").write_text("es\n")
    (folder / "exercises" / FIRST.file_name).write_text(FIRST.solution_source(), encoding="utf-8")
    program = (
        "import json\nfrom minitorch.course import check, take_home\n"
        f"card = check({FIRST.exercises[0].name!r})\nhome = take_home()\n"
        "print(json.dumps([card.text, home.html, home.text]))"
    )
    ((checked, html, text),) = said_by(program, MINITORCH_COURSE=str(folder), MINITORCH_LANG="")
    assert "superado" in checked
    assert "en el navegador" in checked
    assert text.startswith("minitorch-course.zip guarda tus respuestas")
    data = base64.b64decode(re.search(r'href="data:application/zip;base64,([^"]+)"', html)[1])
    assert (folder / carried.NAME).read_bytes() == data
    carried.init_from(tmp_path / "new", folder / carried.NAME, "en")
    assert chosen_language(tmp_path / "new") == "es"
    assert [verdict.passed for verdict in Session(COURSE, tmp_path / "new").check(FIRST.exercises)] == [True] * len(
        FIRST.exercises
    )
    assert Met(tmp_path / "new")
