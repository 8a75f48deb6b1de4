"""`here()`: a course folder where a notebook is; running it again loses nothing."""

import subprocess
import sys
from types import ModuleType

import pytest

from minitorch.course import check, here, manifest
from minitorch.course.course_error import CourseError

STUB = "lesson_01_scalar_nodes.py"


@pytest.fixture(autouse=True)
def empty(tmp_path, monkeypatch):
    """A current folder in which somebody else's file lies, as Colab has one, and no course is known."""
    place = tmp_path / "content"
    (place / "sample_data").mkdir(parents=True)
    (place / "sample_data" / "README.md").write_text("not ours")
    monkeypatch.chdir(place)
    monkeypatch.setenv("MINITORCH_COURSE", "")
    monkeypatch.setenv("MINITORCH_LANG", "en")
    monkeypatch.delenv("BINDER_SERVICE_HOST", raising=False)
    return place


def files(place):
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}


def test_the_folder_is_made_where_the_notebook_is_and_a_check_finds_it(empty):
    said = here()
    assert repr(said) == (
        f"Your course folder is {empty}: your answers go into 'exercises/'. "
        "Running this again replaces nothing that you wrote."
    )
    lessons = manifest.load().lessons
    assert {path.name for path in (empty / "exercises").iterdir()} == {lesson.file_name for lesson in lessons}
    assert {lesson.notebook_name for lesson in lessons} <= {path.name for path in (empty / "work").iterdir()}
    assert repr(check("mul")) == "○ mul: not started"


def test_running_it_again_changes_no_byte_and_keeps_what_was_written(empty):
    here()
    (empty / "exercises" / STUB).write_bytes(manifest.load().lesson("01").solution.read_bytes())
    notebook = empty / "work" / "01_scalar_nodes.ipynb"
    notebook.write_text(notebook.read_text(encoding="utf-8").replace("minitorch", "mine"), encoding="utf-8")
    before = files(empty)
    here()
    assert files(empty) == before
    assert repr(check("mul")).startswith("✓ mul: passed")


def test_what_is_missing_is_written_anew(empty):
    here()
    before = files(empty)
    (empty / "exercises" / STUB).unlink()
    here()
    assert files(empty) == before


def test_below_a_course_folder_it_is_that_one(empty, monkeypatch):
    here()
    monkeypatch.chdir(empty / "work")
    assert f"Your course folder is {empty}:" in repr(here())
    assert not (empty / "work" / "exercises").exists()


def test_a_named_folder_is_the_one_that_checks_and_commands_use(empty, tmp_path):
    drive = tmp_path / "drive" / "MyDrive" / "mini torch"
    here(drive)
    assert (drive / "exercises" / STUB).is_file()
    assert not (empty / "exercises").exists()
    assert repr(check("mul")) == "○ mul: not started"
    said = subprocess.run(
        [sys.executable, "-m", "minitorch", "status", "01"], capture_output=True, text=True, check=False, cwd=empty
    )
    assert "0 of 4 passed" in said.stdout


def test_a_file_in_its_place_is_left_alone(empty):
    with pytest.raises(CourseError, match="is a file, so no course can lie in it"):
        here("sample_data/README.md")
    assert (empty / "sample_data" / "README.md").read_text() == "not ours"


def test_a_machine_that_is_lent_says_how_to_keep_what_is_written(monkeypatch):
    monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
    assert "mount your Drive" in repr(here())
    assert "monta tu Drive" in repr(here(lang="es"))
    assert "mount your Drive" not in repr(here("drive/MyDrive/minitorch"))
    monkeypatch.delitem(sys.modules, "google.colab")
    monkeypatch.setenv("BINDER_SERVICE_HOST", "somewhere")
    assert "Download 'exercises/'" in repr(here())


def test_it_speaks_spanish_and_lays_out_spanish_stubs(empty):
    assert repr(here(lang="es")).startswith(f"Tu carpeta del curso es {empty}:")
    assert (empty / ".minitorch" / "language").read_text() == "es\n"
