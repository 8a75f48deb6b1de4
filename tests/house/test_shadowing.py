"""A file of the learner's that has a module's name: the doctor, a check of notebooks and an import name it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from minitorch.course import here, manifest
from minitorch.course.activities.notebooks import check_notebook
from minitorch.course.course_error import CourseError
from minitorch.course.setup import doctor, shadowing
from minitorch.course.setup.workspace import init_course

ROOT = Path(__file__).resolve().parents[2]
LESSON = manifest.load().lesson("00")


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "en")
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    init_course(tmp_path / "course")
    return tmp_path / "course"


def lay(course: Path, name: str) -> Path:
    """Write a file of notes, or a package of them where the name ends in a slash."""
    path = course / name
    path = path / "__init__.py" if name.endswith("/") else path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# my notes\n", encoding="utf-8")
    return path


def told(course: Path, level: str) -> list[str]:
    return [each.text for each in doctor._hiding(course) if each.level == level]


@pytest.mark.parametrize("name", ["numpy", "minitorch", "torch", "rich"])
@pytest.mark.parametrize("form", ["work/{}.py", "work/{}/", "work/mine/{}.py"])
def test_what_hides_a_package_from_notebooks_is_a_fault(course, name, form):
    lay(course, form.format(name))
    lay(course, "work/mine/own.ipynb")
    [fault] = told(course, "fault")
    assert fault.startswith(f"{form.format(name)} hides the package {name} from every notebook and program beside it: ")
    assert "rename it, and restart the kernels" in fault


def test_the_doctor_tells_it_among_all_else(course):
    lay(course, "work/numpy.py")
    assert [each.text for each in doctor.diagnose(course) if each.level == "fault"] == told(course, "fault") != []


@pytest.mark.parametrize("name", ["typing.py", "inspect.py", "random/", "numpy.py", "pytest.py"])
def test_what_hides_a_module_in_the_courses_root_is_a_fault_with_the_way_around(course, name):
    lay(course, name)
    [fault] = told(course, "fault")
    module = name.rstrip("/").removesuffix(".py")
    assert fault == (
        f"{name} hides the module {module} from `python -m minitorch` and `python -m pytest` in {course}: rename it; "
        "until then use the commands `minitorch` and `pytest`"
    )


@pytest.mark.parametrize("name", ["work/random.py", "exercises/typing.py", "exercises/numpy.py", "exercises/inspect/"])
def test_what_hides_a_module_from_programs_alone_is_a_note(course, name):
    lay(course, name)
    assert told(course, "fault") == []
    [note] = told(course, "note")
    assert note.startswith(f"{name} hides the module ")
    assert note.endswith(f"from programs that are started in {Path(name).parent}: rename it")


@pytest.mark.parametrize("name", ["work/helpers.py", "work/time.py", "work/my_numpy.py", "numpy.txt", "work/data.py"])
def test_what_hides_nothing_is_not_named(course, name):
    lay(course, name)
    (course / "work" / "torch").mkdir()  # a folder alone never comes before a package
    assert told(course, "fault") + told(course, "note") == []


def test_the_repository_itself_hides_nothing():
    assert told(ROOT, "fault") + told(ROOT, "note") == []


@pytest.mark.parametrize("name", ["work/numpy.py", "work/minitorch/"])
def test_a_check_of_notebooks_names_the_cause_and_not_what_follows_from_it(course, name):
    lay(course, name)
    with pytest.raises(CourseError, match=rf"^{name} hides the package .* rename it, and restart the kernels$"):
        check_notebook(course, LESSON)


def test_here_names_it(course, monkeypatch):
    lay(course, "work/numpy.py")
    monkeypatch.chdir(course / "work")
    assert "work/numpy.py hides the package numpy" in here().text
    assert "work/numpy.py oculta el paquete numpy" in here(lang="es").text


def imported(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MINITORCH_LANG": "en"}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["numpy.py", "numpy/"])
def test_an_import_of_minitorch_names_the_file_that_hides_numpy(tmp_path, name):
    """It is what the first cell of a notebook says."""
    file = lay(tmp_path, name)
    done = imported(tmp_path, "-c", "import numpy as np\nfrom minitorch import Tensor")
    assert done.stderr.splitlines()[-1] == f"ImportError: {file} hides NumPy: rename it, and start anew"
    done = imported(tmp_path, "-m", "minitorch", "status")
    assert done.stderr == f"{file} hides NumPy: rename it, and start anew\n"


def test_jupyterlab_starts_whatever_lies_in_the_courses_root(course):
    """The command that `minitorch lab` runs there; it is asked for its version alone."""
    from minitorch.course.setup import lab

    for name in ("typing.py", "inspect.py", "random.py", "numpy.py"):
        lay(course, name)
    words = lab._command(course, "/lab", None)
    done = imported(course, *words[1 : words.index("jupyterlab") + 1], "--version")
    assert done.returncode == 0, done.stderr


def test_every_package_that_the_course_imports_is_looked_for():
    found, own = set(), {path.stem for path in (ROOT / "minitorch").rglob("*.py")}
    for path in (ROOT / "minitorch").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module.partition(".")[0])
    assert found - sys.stdlib_module_names - own - shadowing.PACKAGES == set()
