"""Hand-ins under other names: each is judged or named, on the screen, on the class page and on the student's own."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from click.testing import CliRunner
from grading_class import NAME, SOLUTION, Here, pretend, write_own

from minitorch.course import manifest
from minitorch.course.cli import cli
from minitorch.course.grading import commands, misnamed
from minitorch.course.grading.submissions import read_class

STEM = NAME.removesuffix(".py")


def notebook(*cells: str) -> bytes:
    code = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def zipped(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return data.getvalue()


ODD = {  # a file's name, and what lies under it
    "solution.rar": b"Rar!\x1a\x07",
    "work.7z": b"7z\xbc\xaf\x27\x1c",
    "work.tar.xz": b"\xfd7zXZ",
    "all.gz": b"\x1f\x8b",
    f"{NAME}.txt": SOLUTION.encode(),
    f"{STEM}.py.py": SOLUTION.encode(),
    f"{STEM}": SOLUTION.encode(),
    "homework.ipynb": notebook(SOLUTION),
    "Mei-lessonT1-final.ipynb": notebook("%matplotlib inline", SOLUTION),
    "T1_twice-checkpoint.ipynb": notebook(SOLUTION),
    "lessonT1.py": SOLUTION.encode(),
    "T1_twice.py": SOLUTION.encode(),
    "main.py": b"print('hello')",
    "answers.docx": b"PK\x03\x04",
    "answers.pdf": b"%PDF-1.7",
    "photo.png": b"\x89PNG",
    "answers.odt": b"PK",
    "nested.zip": zipped(inner__zip=zipped(twice__py=SOLUTION.encode())),
    "notes.md": b"# what I did",
    "empty.txt": b"",
    ".hidden.py": SOLUTION.encode(),
    "solución final (última).py": SOLUTION.encode(),
    "no ending": b"\0\1",
}
BY_PRODUCTS = (
    *(".DS_Store", "Thumbs.db", "desktop.ini", f"._{NAME}", "README.md", ".gitignore", "timestamp.txt"),
    *("__pycache__/x.pyc", ".git/config", "__MACOSX/._x.py", ".ipynb_checkpoints/T1-checkpoint.ipynb"),
    *("work/glossary.md", ".minitorch/backups/x.py", ".venv/lib/x.py"),
)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A class's folder; nothing is run for real."""
    own = write_own(tmp_path / "mine")
    (tmp_path / "course.toml").write_text('own_lessons = "mine"\nlessons = ["T1"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "crew_of", lambda *_: Here(lambda job: pretend(job, own)))
    return tmp_path


def lay(folder, name: str, content: bytes) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def grade(*words: str, lang="en"):
    return CliRunner().invoke(cli, ["grade", *words], env={"MINITORCH_LANG": lang, "COLUMNS": "200"})


RUN = ("run", "class", "--tier", "none", "--allow-root")


def pages(desk) -> tuple[str, dict[str, str]]:
    assert grade("report").exit_code == 0
    report = desk / "report"
    return (
        (report / "class.html").read_text("utf-8"),
        {path.stem[4:]: path.read_text("utf-8") for path in (report / "students").iterdir()},
    )


def shown_of(student: str, name: str) -> str:
    return f"{student}/nested/inner.zip" if name == "nested.zip" else f"{student}/{name}"


def test_each_of_twenty_odd_names_is_named_everywhere(desk):
    """A student for each of them: so each is all that somebody handed in."""
    lay(desk / "class" / "ana", NAME, SOLUTION.encode())
    names = {f"s{number:02}": name for number, name in enumerate(ODD)}
    assert len(names) >= 20
    for student, name in names.items():
        lay(desk / "class" / student, name, ODD[name])
    done = grade(*RUN)
    assert done.exit_code == 1, done.output
    of_class, of_students = pages(desk)
    for student, name in names.items():
        shown = shown_of(student, name)
        assert f"{student}: {shown}: " in done.stderr
        assert f"T1<br>lies there, not read: {shown}" in of_class
        assert shown in of_students[student]
        assert of_students[student].count("No file of lesson T1 was found: it is handed in as") == 2
        assert "Return twice x." not in of_students[student]
    assert "not read" not in of_students["ana"]


def test_twenty_odd_names_of_one_student_are_each_named(desk):
    for name in ODD:
        lay(desk / "class" / "mei", name, ODD[name])
    said = grade(*RUN).stderr
    of_class, of_students = pages(desk)
    for shown in (shown_of("mei", name) for name in ODD):
        assert shown in said
        assert shown in of_class
        assert shown in of_students["mei"]


def test_a_file_beside_the_students_folders_is_somebodys(desk):
    names = ("uma.rar", "vic.7z", "wes.tar.xz", "Xi_4711_assignsubmission_file_work.docx")
    for name in names:
        lay(desk / "class", name, b"?")
    done = grade(*RUN)
    assert done.exit_code == 1
    assert "4 students" in done.output
    page = pages(desk)[0]
    for name in names:
        assert name in done.stderr
        assert name in page


def test_an_empty_folder_is_told_and_is_no_success(desk):
    lay(desk / "class" / "ana", NAME, SOLUTION.encode())
    (desk / "class" / "eva").mkdir()
    done = grade(*RUN)
    assert (done.exit_code, "eva: nothing to grade was found" in done.stderr) == (1, True)


def test_by_products_are_left_without_a_word(desk):
    for name in (NAME, *BY_PRODUCTS):
        lay(desk / "class" / "ana", name, SOLUTION.encode())
    lay(desk / "class", "Thumbs.db", b"?")
    done = grade(*RUN)
    assert (done.exit_code, "ana:" in done.stderr) == (0, False), done.output


def test_a_hidden_folder_that_no_program_makes_is_named(desk):
    lay(desk / "class" / "ana" / ".mine", NAME, SOLUTION.encode())
    assert "ana: ana/.mine: a hidden folder is not looked into" in grade(*RUN).stderr


def test_what_looks_like_a_lesson_is_proposed_and_not_taken(desk):
    lay(desk / "class" / "mei", "homework.ipynb", ODD["homework.ipynb"])
    lay(desk / "class" / "mei", "main.py", ODD["main.py"])
    said = grade(*RUN).stderr
    assert f"mei: mei/homework.ipynb: it looks like lesson T1, but it is not named {NAME} or T1_twice.ipynb" in said
    assert "looks like" not in said.partition("mei/main.py")[2].partition("\n")[0]
    assert "0 files to judge" in grade(*RUN).output


def test_each_lesson_is_recognised_by_its_own_exercises():
    lessons = manifest.load().lessons
    for lesson in lessons:
        for name, data in (
            ("x.py", lesson.solution_source().encode()),
            ("x.ipynb", notebook(lesson.solution_source())),
        ):
            assert misnamed.looks_like(name, data, lessons) is lesson


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{", b"def broken(:", b"(" * 100_000, b"[1, 2]"])
def test_what_is_no_code_looks_like_nothing(data):
    for name in ("x.py", "x.ipynb", "x.txt"):
        assert misnamed.looks_like(name, data, manifest.load().lessons) is None


def test_what_lies_beside_a_folder_around_the_class_is_not_lost(tmp_path, lessons):
    """The folder that all students lie in is taken away; what lies elsewhere in the archive keeps its place."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in (f"term/ana/{NAME}", f"term/ben/work/{NAME}", "term/ana/plan.docx", "term/rubric.pdf", "zoe.rar"):
            archive.writestr(name, SOLUTION)
    (tmp_path / "class.zip").write_bytes(data.getvalue())
    intake = read_class(tmp_path / "class.zip", lessons)
    assert {each.student for each in intake.hand_ins} == {"ana", "ben"}
    assert {note.place for note in intake.notes} >= {"ana/plan.docx", "rubric.pdf", "zoe.rar"}


def test_blackboards_names_are_one_students_and_its_receipts_are_no_answers(tmp_path, lessons):
    for name in (
        f"Homework 1_jdoe_attempt_2026-10-01-12-00-00_{NAME}",
        f"Homework 1_jdoe_attempt_2026-10-02-12-00-00_{NAME}",
        "Homework 1_jdoe_attempt_2026-10-02-12-00-00.txt",
        "Homework 1_rroe_attempt_2026-10-02-12-00-00.txt",
    ):
        (tmp_path / name).write_text(SOLUTION)
    intake = read_class(tmp_path, lessons)
    assert intake.students == ("Homework 1_jdoe", "Homework 1_rroe")
    assert len(intake.hand_ins) == 1
    assert not [note for note in intake.notes if note.place.endswith("00.txt")]


def test_the_courses_own_answers_in_a_clone_that_is_handed_in_do_not_count(desk):
    """The student's file counts, however new the reference beside it is."""
    lay(desk / "class" / "ana" / "minitorch" / "solutions", NAME, SOLUTION.encode())
    assert "0 files to judge" in grade(*RUN).output
    lay(desk / "class" / "ana" / "minitorch" / "exercises", NAME, b"def twice(x):\n    return 3 * x\n")
    done = grade(*RUN)
    assert "1 file to judge" in done.output
    assert f"ana: ana/minitorch/solutions/{NAME}: it lies in a folder called solutions" in done.stderr
    assert "newer" not in done.stderr
