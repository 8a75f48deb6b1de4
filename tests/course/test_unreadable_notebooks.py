"""A notebook that cannot be read: one sentence says why, and what to do; cells without names are found all the same."""

from __future__ import annotations

import json

import nbformat
import pytest

from minitorch.course import manifest
from minitorch.course.activities import notebooks
from minitorch.course.course_error import CourseError
from minitorch.course.files.decoding import NotTextError
from minitorch.course.files.notebook_json import notebook_in
from minitorch.course.grading.notebooks import file_of
from minitorch.course.setup import doctor
from minitorch.course.setup.workspace import init_course

LESSON = manifest.load().lesson("01")
SHOWN = f"work/{LESSON.notebook_name}"


def text_of(*sources: str, minor: int = 5) -> str:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return json.dumps(nbformat.v4.new_notebook(cells=cells, nbformat_minor=minor), indent=1)


WHOLE = text_of("x = 1", "y = 2\nprint(y)")
OLD = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": [], "metadata": {}}]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_notebook_is_read_whatever_byte_order_mark_it_begins_with(encoding):
    cells = notebook_in(WHOLE.encode(encoding), SHOWN)["cells"]
    assert [cell["source"] for cell in cells] == ["x = 1", "y = 2\nprint(y)"]


WAY_OUT = "rename it, so that it stays yours; `minitorch upgrade` then brings the lesson's notebook"
UNREADABLE = {  # what lies in the file -> what is said of it
    "empty": (b"", "is empty (0 bytes)"),
    "blanks": (b"\n \n", "is empty"),
    "null bytes": (bytes(300), "holds nothing but null bytes"),
    "latin-1": (WHOLE.replace("x = 1", "ñ = 1").encode("latin-1"), "is not UTF-8 text"),
    "UTF-16 without a mark": (WHOLE.encode("utf-16-le"), "is UTF-16 text without a byte order mark"),
    "a conflict": (
        WHOLE.replace("x = 1", "x = 1\n<<<<<<< HEAD\n").replace("\\n<<<<<<< HEAD\\n", '"\n<<<<<<< HEAD\n').encode(),
        "is a mark of a merge conflict: git left both versions there",
    ),
    "cut off": (WHOLE[:-40].encode(), "was cut off: it ends in the middle"),
    "cut off in a text": (WHOLE[: WHOLE.index("print")].encode(), "was cut off: it ends in the middle"),
    "cut off behind a cell": (WHOLE[: WHOLE.index("}") + 1].encode(), "was cut off: it ends in the middle"),
    "no JSON": (WHOLE.replace('"cells": [', '"cells": ').encode(), "is not JSON from line"),
    "Python": (b"x = 1\n", "is not JSON from line 1"),
    "too deep": (b"[" * 100_000, "is not JSON"),
    "a list": (b"[1, 2]", "is JSON, but holds no cells of a notebook"),
    "no cells": (b'{"nbformat": 4}', "is JSON, but holds no cells of a notebook"),
    "odd cells": (b'{"cells": [{"cell_type": "code", "source": 3}]}', "is JSON, but holds no cells of a notebook"),
    "format 3": (json.dumps(OLD).encode(), "has the old notebook format 3: open it in JupyterLab and save it"),
    "a pointer": (b"version git-lfs/spec/v1\noid sha256:4d7a\n", "is a pointer of Git LFS"),
    "a web page": (b"<!DOCTYPE html>\n<html></html>\n", "is a web page"),
}


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "en")
    init_course(tmp_path / "course")
    return tmp_path / "course"


@pytest.mark.parametrize("kind", UNREADABLE)
def test_why_it_cannot_be_read_is_told_in_one_sentence_with_a_way_out(course, kind):
    data, said = UNREADABLE[kind]
    (course / SHOWN).write_bytes(data)
    with pytest.raises(CourseError) as error:
        notebooks.check_notebook(course, LESSON)
    assert SHOWN in str(error.value)
    assert said in str(error.value)
    assert str(error.value).endswith(
        "rename it, so that it stays yours; `minitorch upgrade` then brings the lesson's notebook"
    )
    assert (course / SHOWN).read_bytes() == data
    [told] = [each.text for each in doctor._course(course) if SHOWN in each.text]
    assert said in told


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_hand_in_is_told_of_in_the_same_words(kind):
    data, said = UNREADABLE[kind]
    problem = file_of(data, LESSON, f"ana/{LESSON.notebook_name}").problem
    assert problem.to("en").startswith(f"ana/{LESSON.notebook_name}")
    assert said in problem.to("en")
    assert problem.to("es") != problem.to("en")


def test_the_copy_that_jupyterlab_keeps_is_named(course):
    kept = course / "work" / ".ipynb_checkpoints" / f"{LESSON.notebook_name[:-6]}-checkpoint.ipynb"
    kept.parent.mkdir()
    (course / SHOWN).write_bytes(b"")
    kept.write_bytes(b"")
    with pytest.raises(CourseError, match="To start anew, rename it"):
        notebooks.check_notebook(course, LESSON)
    kept.write_text(WHOLE)
    with pytest.raises(CourseError, match=rf"copy work/\.ipynb_checkpoints/{kept.name} to {SHOWN}"):
        notebooks.check_notebook(course, LESSON)


def test_a_conflict_is_told_with_its_line():
    text = "{\n<<<<<<< HEAD\n}\n"
    with pytest.raises(NotTextError) as error:
        notebook_in(text.encode(), SHOWN)
    assert f"{SHOWN}, line 2, is a mark" in str(error.value)
    quoted = text_of("<<<<<<< HEAD\n=======\n>>>>>>> other")  # a cell that speaks of them is no conflict
    assert notebook_in(quoted.encode(), SHOWN)["cells"][0]["source"].startswith("<<<<<<<")
