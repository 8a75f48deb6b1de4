"""`pytest exercises/` in a process of its own, on the shipped course: the verdicts of `minitorch check`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from minitorch.course import manifest
from minitorch.course.cards.following import line_in
from minitorch.course.files.chosen import keep_language
from minitorch.course.files.stubs import write_stubs
from minitorch.course.judging.mistakes import load_mistakes, of_exercise, wrong_source


@pytest.fixture
def folder(tmp_path):
    """A learner's folder with the shipped course's untouched stubs."""
    write_stubs(tmp_path / "exercises")
    return tmp_path


ALONE = ("-p", "no:cacheprovider", "-p", "minitorch.course.pytest_plugin")


# lines that untouched stubs may take: pytest's and ours for each lesson, and what stands at both ends
AT_MOST = 2 * len(manifest.load().lessons) + 10


def run_pytest(folder: Path, *words: str, installed: bool = False, lang: str = "en") -> tuple[int, list[str]]:
    """Run pytest in `folder`; with no other plugins, or, when `installed`, as the installation has it."""
    alone = ("-p", "no:cacheprovider") if installed else ALONE
    said = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "" if installed else "1", "MINITORCH_LANG": lang}
    return run_python(folder, "-m", "pytest", *words, *alone, **said)


def run_python(folder: Path, *words: str, **environment: str) -> tuple[int, list[str]]:
    said = {"PYTHONPATH": str(Path.cwd()), "PYTHONIOENCODING": "utf-8", "MINITORCH_LANG": "en", "COLUMNS": "100"}
    env = {**os.environ, **said, **environment}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_the_installation_registers_the_plugin(folder):
    if not any(point.value == "minitorch.course.pytest_plugin" for point in entry_points(group="pytest11")):
        pytest.skip("minitorch is not installed here")
    code, lines = run_pytest(folder, "exercises/", installed=True)
    assert code == 1
    assert len(lines) <= AT_MOST


def lay_solutions(folder: Path) -> None:
    for lesson in manifest.load().lessons:
        shutil.copy(lesson.solution, folder / "exercises" / lesson.file_name)


def test_untouched_stubs_are_not_started_in_two_lines_a_lesson_and_in_a_report(folder):
    code, lines = run_pytest(folder, "exercises/", "--junitxml=report.xml")
    course = manifest.load()
    assert code == 1
    assert len(lines) <= AT_MOST
    for lesson in course.lessons:
        names = ", ".join(exercise.name for exercise in lesson.exercises)
        assert f"○ {lesson.file_name}: {names}: not started" in lines
    assert f"{len(course.exercises)} not started" in lines[-1]
    for name, (case, properties) in reported(folder).items():
        assert case.find("failure").get("message") == f"○ {name}: not started"
        assert properties["minitorch verdict"] == ["not started"]
        assert properties["minitorch points earned"] == ["0"]


def test_it_speaks_the_language_of_the_folder_unless_it_is_told_another(folder):
    keep_language(folder, "es")
    named = "exercises/lesson_00_start_here.py"
    assert "sin empezar" in run_pytest(folder, named, lang="")[1][-2]
    assert "not started" in run_pytest(folder, named, lang="en")[1][-2]


def test_with_the_solutions_laid_in_all_pass(folder):
    lay_solutions(folder)
    code, lines = run_pytest(folder, "exercises/")
    assert code == 0
    assert f"{len(manifest.load().exercises)} passed" in lines[-1]
    assert (folder / ".minitorch" / "progress").is_dir()


def test_after_a_pass_a_line_says_what_comes_next_and_where(folder):
    lesson, later = manifest.load().lessons[1:3]
    path = folder / "exercises" / lesson.file_name
    shutil.copy(lesson.solution, path)
    following = lesson.exercises[1]
    line = line_in(path.read_text(encoding="utf-8"), following.target)
    _, lines = run_pytest(folder, f"exercises/{lesson.file_name}::{lesson.exercises[0].name}")
    asked = f"{following.target} in exercises/{lesson.file_name}:{line}, then minitorch check {following.name}"
    assert f"next: {asked}" in lines
    _, lines = run_pytest(folder, f"exercises/{lesson.file_name}")
    afterwards = f"lesson {later.number} {later.title.to('en')}, {later.notebook_name}"
    assert f"all that is required here has passed · after this notebook: {afterwards}" in lines
    _, lines = run_pytest(folder, f"exercises/{later.file_name}")
    assert not any("next: " in each for each in lines)


def test_a_wrong_answer_takes_six_lines_and_the_others_are_judged(folder):
    lay_solutions(folder)
    lesson = manifest.load().lesson("02")
    one = of_exercise(lesson, lesson.exercises[-1])[0]
    path = folder / "exercises" / lesson.file_name
    path.write_text(wrong_source(one.exercise, one.id), encoding="utf-8")
    code, lines = run_pytest(folder, "exercises/")
    assert code == 1
    start = next(index for index, line in enumerate(lines) if line.startswith(f"✗ {one.exercise}: wrong. "))
    assert one.text.to("en").split(".")[0] in lines[start]
    body = [line for line in lines[start + 1 : start + 8] if line.startswith("    ")]
    assert len(body) <= 5
    assert not any("Traceback" in line or "pytest_plugin" in line for line in lines)


def test_a_learners_file_is_never_imported_by_pytest(folder):
    mark = folder / "imported"
    for path in (folder / "exercises").glob("*.py"):
        path.write_text(f"import os\nopen({str(mark)!r} + str(os.getppid()), 'w')\n", encoding="utf-8")
    code, lines = run_pytest(folder, "exercises/", "--doctest-modules", "-o", "python_files=*.py")
    assert code == 1
    assert "error" not in lines[-1]
    assert len({path.name for path in folder.glob("imported*")}) == 1  # children of the one pytest, never pytest itself


def test_one_file_one_exercise_one_lesson(folder):
    lay_solutions(folder)
    lesson = manifest.load().lessons[-1]
    name = lesson.exercises[0].name
    file = f"exercises/{lesson.file_name}"
    assert run_pytest(folder, f"{file}::{name}")[0] == 0
    code, lines = run_pytest(folder, file, "--collect-only", "-q")
    assert [line for line in lines if "::" in line] == [f"{file}::{exercise.name}" for exercise in lesson.exercises]
    code, lines = run_pytest(folder, "exercises", "-m", f"lesson_{lesson.number}", "--strict-markers")
    assert code == 0
    assert f"{len(lesson.exercises)} passed" in lines[-1]


def test_other_files_are_left_alone(tmp_path):
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "test_mine.py").write_text("def test_one():\n    assert True\n", encoding="utf-8")
    (tmp_path / "exercises" / "lesson_99_other.py").write_text("raise SystemExit", encoding="utf-8")
    (tmp_path / "lesson_00_start_here.py").write_text("raise SystemExit", encoding="utf-8")
    code, lines = run_pytest(tmp_path)
    assert code == 0
    assert "1 passed" in lines[-1]
    assert not any("exercises =" in line for line in lines)


def test_the_plugin_imports_nothing_of_the_course_by_itself():
    code = (
        "import sys, minitorch.course.pytest_plugin\n"
        "print(sorted(name for name in sys.modules if name.startswith('minitorch.course.')), 'rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout.strip() == "['minitorch.course.pytest_guard', 'minitorch.course.pytest_plugin'] False"


def cases(folder: Path) -> dict[str, tuple[ET.Element, dict[str, list[str]]]]:
    """Run pytest with a JUnit report; return what is in it."""
    run_pytest(folder, "exercises/", "--junitxml=report.xml")
    return reported(folder)


def reported(folder: Path) -> dict[str, tuple[ET.Element, dict[str, list[str]]]]:
    """Return each test case of a JUnit report, and its properties, by the exercise's name."""
    found = {}
    for case in ET.parse(folder / "report.xml").iter("testcase"):
        properties: dict[str, list[str]] = {}
        for each in case.iter("property"):
            properties.setdefault(each.get("name"), []).append(each.get("value"))
        assert case.get("name") not in found
        found[case.get("name")] = case, properties
    return found


def test_junit_has_one_case_for_each_exercise_under_its_lesson_whatever_the_folder_holds(folder):
    course = manifest.load()
    missing, broken, piped, foldered = (folder / "exercises" / lesson.file_name for lesson in course.lessons[:4])
    for path in (missing, piped, foldered):
        path.unlink()
    broken.write_text("def broken(:\n", encoding="utf-8")
    foldered.mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(piped)
    found = cases(folder)
    assert list(found) == [exercise.name for exercise in course.exercises]
    for exercise in course.exercises:
        case, properties = found[exercise.name]
        assert case.get("classname") == f"exercises.{course.lesson_of(exercise).stem}"
        assert case.find("failure") is not None
        assert properties["minitorch lesson"] == [exercise.lesson]
        assert properties["minitorch required"] == ["yes" if exercise.required else "no"]
        assert properties["minitorch points"] == [str(exercise.points)]
        assert properties["minitorch points earned"] == ["0"]


def test_junit_names_the_mistake(folder):
    lay_solutions(folder)
    lesson = manifest.load().lesson("01")
    one = next(one for one in load_mistakes(lesson) if one.exercise == "mul")
    (folder / "exercises" / lesson.file_name).write_text(wrong_source("mul", one.id), encoding="utf-8")
    found = cases(folder)
    case, properties = found["mul"]
    failure = case.find("failure")
    assert failure.get("message").startswith("✗ mul: wrong. ")
    assert "\n" not in failure.get("message")
    assert failure.text.splitlines()[0] == failure.get("message")
    assert "    expected  " in failure.text
    assert properties["minitorch verdict"] == ["wrong"]
    assert properties["minitorch misconception"] == [one.id]
    case, properties = found["add"]
    assert case.find("failure") is None
    assert properties["minitorch verdict"] == ["passed"]
    assert properties["minitorch points earned"] == properties["minitorch points"] != ["0"]
    assert "minitorch misconception" not in properties


EACH_MARKER = """
import sys, pytest
for marker in sys.argv[1].split():
    print("marker", marker)
    words = ("-m", marker, "--strict-markers", "--strict-config", *sys.argv[2:])
    assert pytest.main(["exercises/", "--collect-only", "-q", *words]) == 0
"""


def test_every_lesson_has_a_marker_that_selects_its_exercises(folder):
    markers = {f"lesson_{lesson.number}": lesson for lesson in manifest.load().lessons}
    code, lines = run_python(folder, "-c", EACH_MARKER, " ".join(markers), *ALONE, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert code == 0
    selected: dict[str, set[str]] = {}
    for line in lines:
        if line.startswith("marker "):
            selected[line.removeprefix("marker ")] = names = set()
        elif "::" in line:
            names.add(line.partition("::")[2])
    assert selected == {marker: {each.name for each in lesson.exercises} for marker, lesson in markers.items()}
    code, lines = run_pytest(folder, "--markers")
    assert all(f"@pytest.mark.lesson_{each.number}: " in "\n".join(lines) for each in manifest.load().lessons)


def test_the_short_summary_says_what_is_wrong_in_one_line(folder):
    lay_solutions(folder)
    lesson = manifest.load().lesson("02")
    one = of_exercise(lesson, lesson.exercises[-1])[0]
    path = folder / "exercises" / lesson.file_name
    path.write_text(wrong_source(one.exercise, one.id), encoding="utf-8")
    _, lines = run_pytest(folder, "exercises/", "--tb=no")
    (line,) = [line for line in lines if line.startswith("FAILED")]
    assert f"::{one.exercise} - ✗ {one.exercise}: wrong" in line
