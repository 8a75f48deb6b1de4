"""A learner's folder: laid out once, kept up to date, never overwritten."""

import json
import os
from pathlib import Path

import pytest

from minitorch.course import manifest
from minitorch.course.course_error import CourseError
from minitorch.course.files.stubs import stub_source
from minitorch.course.setup import workspace as folder_module
from minitorch.course.setup.workspace import (
    WorkspaceError,
    init_course,
    refresh_notebooks,
    require_apart,
    working_copy,
)


def write_notebook(path: Path, source: str) -> None:
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": source, "execution_count": 1}
    cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "seen\n"}]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))


@pytest.fixture
def shipped(tmp_path):
    write_notebook(tmp_path / "shipped" / "00_start.ipynb", "1")
    write_notebook(tmp_path / "shipped" / "01_next.ipynb", "2")
    return tmp_path / "shipped"


@pytest.fixture
def course(tmp_path):
    return tmp_path / "course"


def test_every_notebook_gets_a_working_copy(course, shipped):
    assert refresh_notebooks(course, shipped).added == ("00_start.ipynb", "01_next.ipynb")
    assert sorted(path.name for path in (course / "work").iterdir()) == ["00_start.ipynb", "01_next.ipynb"]


def test_a_working_copy_has_no_outputs_and_the_same_source(course, shipped):
    refresh_notebooks(course, shipped)
    [cell] = json.loads((course / "work" / "00_start.ipynb").read_text())["cells"]
    assert (cell["source"], cell["outputs"], cell["execution_count"]) == ("1", [], None)


def test_a_working_copy_names_the_language_as_its_kernel_does(course, shipped):
    """Else JupyterLab writes it in when the kernel answers, and shows a notebook that nobody touched as unsaved."""
    kernel = pytest.importorskip("ipykernel.ipkernel").IPythonKernel
    refresh_notebooks(course, shipped)
    notebook = json.loads((course / "work" / "00_start.ipynb").read_text())
    assert notebook["metadata"]["language_info"] == kernel.language_info


def test_the_second_run_does_nothing(course, shipped):
    refresh_notebooks(course, shipped)
    before = {path: path.stat().st_mtime_ns for path in (course / "work").iterdir()}
    done = refresh_notebooks(course, shipped)
    assert (done.added, done.updated, done.kept) == ((), (), ())
    assert {path: path.stat().st_mtime_ns for path in (course / "work").iterdir()} == before


def test_a_changed_copy_is_never_overwritten(course, shipped):
    refresh_notebooks(course, shipped)
    mine = course / "work" / "00_start.ipynb"
    mine.write_text("my own words")
    assert refresh_notebooks(course, shipped).kept == ()
    write_notebook(shipped / "00_start.ipynb", "a newer version")
    assert refresh_notebooks(course, shipped).kept == ("00_start.ipynb",)
    assert refresh_notebooks(course, shipped).updated == ()
    assert mine.read_text() == "my own words"


def test_a_copy_that_nobody_changed_follows_the_shipped_one(course, shipped):
    refresh_notebooks(course, shipped)
    write_notebook(shipped / "00_start.ipynb", "a newer version")
    assert refresh_notebooks(course, shipped).updated == ("00_start.ipynb",)
    assert (course / "work" / "00_start.ipynb").read_bytes() == working_copy(shipped / "00_start.ipynb")


def test_a_copy_that_is_saved_while_the_new_one_is_written_stays(course, shipped, monkeypatch):
    refresh_notebooks(course, shipped)
    write_notebook(shipped / "00_start.ipynb", "a newer version")
    mine = course / "work" / "00_start.ipynb"
    monkeypatch.setattr(os, "fsync", lambda _: mine.write_text("my own words"))
    with pytest.raises(CourseError, match="is being written to right now"):
        refresh_notebooks(course, shipped)
    assert mine.read_text() == "my own words"


def test_a_new_lesson_is_added_beside_changed_ones(course, shipped):
    refresh_notebooks(course, shipped)
    (course / "work" / "00_start.ipynb").write_text("mine")
    write_notebook(shipped / "02_third.ipynb", "3")
    assert refresh_notebooks(course, shipped).added == ("02_third.ipynb",)
    assert (course / "work" / "00_start.ipynb").read_text() == "mine"


def test_a_deleted_copy_comes_back_fresh(course, shipped):
    refresh_notebooks(course, shipped)
    (course / "work" / "01_next.ipynb").unlink()
    assert refresh_notebooks(course, shipped).added == ("01_next.ipynb",)


@pytest.mark.parametrize("record", ["", "{", "[]", '"text"'])
def test_a_lost_record_overwrites_nothing(course, shipped, record):
    refresh_notebooks(course, shipped)
    mine = course / "work" / "00_start.ipynb"
    mine.write_text("mine")
    (course / ".minitorch" / "notebooks.json").write_text(record)
    done = refresh_notebooks(course, shipped)
    assert (done.kept, mine.read_text()) == (("00_start.ipynb",), "mine")
    write_notebook(shipped / "01_next.ipynb", "newer")
    assert refresh_notebooks(course, shipped).updated == ("01_next.ipynb",)


def test_a_write_that_fails_leaves_the_old_copy_and_no_litter(course, shipped, monkeypatch):
    refresh_notebooks(course, shipped)
    before = (course / "work" / "00_start.ipynb").read_bytes()
    write_notebook(shipped / "00_start.ipynb", "newer")

    def full_disk(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        refresh_notebooks(course, shipped)
    assert (course / "work" / "00_start.ipynb").read_bytes() == before
    assert sorted(path.name for path in (course / "work").iterdir()) == ["00_start.ipynb", "01_next.ipynb"]


# ----------------------------------------------------------------------------------------- two languages


@pytest.fixture
def bilingual(shipped):
    """The first notebook is there in Spanish, too."""
    write_notebook(shipped / "es" / "00_start.ipynb", "1  # uno")
    return shipped


def source_of(course: Path, name: str) -> str:
    return "".join(json.loads((course / "work" / name).read_text())["cells"][0]["source"])


def test_who_chose_spanish_gets_the_spanish_notebook_under_the_same_name(course, bilingual):
    assert refresh_notebooks(course, bilingual, lang="es").added == ("00_start.ipynb", "01_next.ipynb")
    assert sorted(path.name for path in (course / "work").rglob("*")) == ["00_start.ipynb", "01_next.ipynb"]
    assert (source_of(course, "00_start.ipynb"), source_of(course, "01_next.ipynb")) == ("1  # uno", "2")


def test_who_did_not_gets_no_spanish_one(course, bilingual):
    assert refresh_notebooks(course, bilingual).added == ("00_start.ipynb", "01_next.ipynb")
    assert sorted(path.name for path in (course / "work").rglob("*")) == ["00_start.ipynb", "01_next.ipynb"]
    assert source_of(course, "00_start.ipynb") == "1"


def test_another_language_changes_the_copies_that_nobody_changed(course, bilingual):
    refresh_notebooks(course, bilingual)
    done = refresh_notebooks(course, bilingual, lang="es")
    assert (done.updated, done.kept, done.other) == (("00_start.ipynb",), (), ())
    assert source_of(course, "00_start.ipynb") == "1  # uno"
    assert refresh_notebooks(course, bilingual, lang="en").updated == ("00_start.ipynb",)


def test_a_changed_copy_stays_in_its_language_and_that_is_said(course, bilingual):
    refresh_notebooks(course, bilingual)
    mine = course / "work" / "00_start.ipynb"
    mine.write_text("my own words")
    done = refresh_notebooks(course, bilingual, lang="es")
    assert (done.updated, done.kept, done.other) == ((), (), ("00_start.ipynb",))
    assert mine.read_text() == "my own words"
    assert refresh_notebooks(course, bilingual).other == ()
    write_notebook(bilingual / "00_start.ipynb", "a newer version")
    assert refresh_notebooks(course, bilingual, lang="es").kept == ("00_start.ipynb",)


def test_a_working_copy_says_its_language_and_its_links_fit_its_place(course, shipped):
    texts = {"00_start": "[en español](es/00_start.ipynb). [terms](glossary.md)", "es/00_start": "[g](../glossary.md)"}
    for name, text in texts.items():
        cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": text}
        path = shipped / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    refresh_notebooks(course, shipped)
    assert source_of(course, "00_start.ipynb") == "en español, `minitorch --lang es lab`. [terms](glossary.md)"
    assert folder_module.language_of(json.loads((course / "work" / "00_start.ipynb").read_text())) == "en"
    refresh_notebooks(course, shipped, lang="es")
    assert source_of(course, "00_start.ipynb") == "[g](glossary.md)"
    assert folder_module.language_of(json.loads((course / "work" / "00_start.ipynb").read_text())) == "es"


# ---------------------------------------------------------------------------------------------- init


def test_init_lays_out_stubs_notebooks_and_a_pointer(course):
    init_course(course)
    for lesson in manifest.load().lessons:
        assert (course / "exercises" / lesson.file_name).read_text() == stub_source(lesson)
    assert (course / "work" / "00_start_here.ipynb").is_file()
    assert "minitorch lab" in (course / "README.md").read_text()
    assert ".minitorch/" in (course / ".gitignore").read_text().split()
    assert not list(course.parent.glob(".course.*"))


def test_init_fills_an_empty_folder_that_is_there(course):
    course.mkdir()
    same = course.stat().st_ino
    init_course(course)
    assert (course / "exercises").is_dir()
    assert course.stat().st_ino == same


def test_init_never_lays_over_a_course(course):
    init_course(course)
    answer = next((course / "exercises").glob("lesson_01*.py"))
    answer.write_text("mine")
    with pytest.raises(WorkspaceError, match="already holds a course"):
        init_course(course)
    assert answer.read_text() == "mine"


def test_init_never_fills_a_folder_in_use(course):
    course.mkdir()
    (course / "thesis.txt").write_text("mine")
    with pytest.raises(WorkspaceError, match="is not empty"):
        init_course(course)
    assert [path.name for path in course.iterdir()] == ["thesis.txt"]


def test_init_that_fails_half_way_leaves_nothing(course, monkeypatch):
    def broken(_course, _shipped, **_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folder_module, "refresh_notebooks", broken)
    with pytest.raises(WorkspaceError, match="course cannot be written: No space left on device"):
        init_course(course)
    assert list(course.parent.iterdir()) == []


def test_init_says_where_it_cannot_write(tmp_path):
    (tmp_path / "a file").write_text("")
    with pytest.raises(WorkspaceError, match=r"a file is a file, so no course can lie in it"):
        init_course(tmp_path / "a file" / "course")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("file", "file is a file, so no course can lie in it. Name a folder."),
        ("file/below/it", "file is a file, so no course can lie in it. Name a folder."),
        ("linked file", "linked file is a file, so no course can lie in it. Name a folder."),
        ("lost", "lost is a link to nowhere, and it leads nowhere. Name another folder."),
        ("course", "course already holds a course. Nothing was changed."),
        ("full", "full is not empty. Nothing was changed."),
        ("a" * 300, "cannot be written: File name too long."),
    ],
)
def test_a_place_that_is_no_place_for_a_course_is_told_in_one_sentence(tmp_path, name, said, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "en")
    (tmp_path / "file").touch()
    (tmp_path / "linked file").symlink_to(tmp_path / "file")
    (tmp_path / "lost").symlink_to("nowhere")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").touch()
    init_course(tmp_path / "course")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(WorkspaceError) as error:
        init_course(tmp_path / name)
    assert said in str(error.value)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["new", "exercises/new/er", "../course/new"])
def test_a_folder_inside_a_course_is_no_place_that_somebody_means(tmp_path, monkeypatch, name):
    init_course(tmp_path / "course")
    monkeypatch.chdir(tmp_path / "course")
    with pytest.raises(WorkspaceError, match="would lie inside the course in "):
        require_apart(Path(name))


def test_a_folder_beside_the_course_is_named_from_within_it(tmp_path, monkeypatch):
    init_course(tmp_path / "course")
    monkeypatch.chdir(tmp_path / "course")
    require_apart(Path("../mine"))
    init_course(Path("../mine"))
    assert (tmp_path / "mine" / "exercises").is_dir()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions hold")
def test_a_folder_that_may_not_be_read_or_written_is_told_in_one_sentence(tmp_path):
    (tmp_path / "locked").mkdir(mode=0o300)
    (tmp_path / "fixed").mkdir(mode=0o500)
    for name in ("locked", "fixed/new"):
        with pytest.raises(WorkspaceError, match="cannot be written: Permission denied"):
            init_course(tmp_path / name)


def test_the_home_folder_is_meant_where_a_shell_does_not_know_its_sign(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    init_course(Path("~/course"))
    assert (tmp_path / "course" / "exercises").is_dir()
