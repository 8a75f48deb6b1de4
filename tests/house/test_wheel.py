"""The wheel: it builds, holds what the course needs, and works in an empty environment without the checkout."""

import json
import os
import shutil
import signal
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import colab
import pytest

import minitorch
from minitorch.course import manifest
from minitorch.course.judging.behaviour import RIGHT
from minitorch.course.judging.mistakes import of_exercise, wrong_source

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.gate, pytest.mark.index, pytest.mark.timeout(1800)]  # building runs every known-wrong version


def run(*words: object, cwd: Path, expect: int | None = 0) -> str:
    """Run a program as somebody would who never saw the checkout; return what it said."""
    hidden = ("PYTHON", "MINITORCH", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert expect is None or done.returncode == expect, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy of what would be committed."""
    place = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    # Whether the index answers is asked first, so that no fault of ours can look like a missing network.
    answer = subprocess.run(
        [
            *pip,
            "download",
            "--quiet",
            "--retries=0",
            "--timeout=20",
            "--no-deps",
            "--dest",
            place / "probe",
            "hatchling",
        ],
        capture_output=True,
        check=False,
    )
    if answer.returncode:
        pytest.skip("the package index cannot be reached")
    ignored = shutil.ignore_patterns(".git", ".venv", "work", ".*_cache", "__pycache__", ".minitorch", "dist")
    shutil.copytree(ROOT, place / "source", ignore=ignored)
    run(*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", place, place / "source", cwd=place)
    [wheel] = place.glob("minitorch_course-*.whl")
    return wheel


@pytest.fixture(scope="module")
def programs(wheel, tmp_path_factory):
    """Install the wheel and the course's own packages into an empty environment; return its programs' folder."""
    return installed(f"{wheel}[course]", tmp_path_factory.mktemp("empty"))


@pytest.fixture(scope="module")
def bare(wheel, tmp_path_factory):
    """Install the wheel without any extra, as `pipx run minitorch-course` does; return its programs' folder."""
    return installed(wheel, tmp_path_factory.mktemp("bare"))


def installed(what: object, place: Path) -> Path:
    home = place / "env"
    venv.create(home, with_pip=True, symlinks=os.name != "nt")
    folder = home / ("Scripts" if os.name == "nt" else "bin")
    pip = [folder / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run(*pip, "--constraint", ROOT / "constraints.txt", what, cwd=place)
    return folder


def test_the_wheel_holds_the_course(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"minitorch/viz/drawing/static/{name}.js" for name in ("film", "graph", "theme")} <= names
    assert {"minitorch/py.typed", "minitorch/course/setup/jupyter/labconfig/page_config.json"} <= names
    for lesson in sorted((ROOT / "minitorch" / "course" / "lessons").glob("lesson_*")):
        files = [path.name for path in lesson.iterdir() if path.suffix in {".py", ".toml"}]
        assert {"lesson.toml", "quiz.toml"} < set(files)
        assert any(name.startswith("checks") for name in files)
        assert {f"minitorch/course/lessons/{lesson.name}/{file}" for file in files} <= names
        assert {
            f"minitorch/course/lessons/{lesson.name}/mistakes/{path.name}" for path in lesson.glob("mistakes/*")
        } <= names
        assert f"minitorch/course/lessons/{lesson.name}/known_mistakes.json" in names
        assert f"minitorch/course/material/solutions/{lesson.name}.py" in names
        notebook = lesson.name.removeprefix("lesson_")
        assert f"minitorch/course/material/notebooks/{notebook}.ipynb" in names


def test_its_notebooks_are_those_of_the_checkout(wheel):
    """With their outputs: a learner's notebooks are compared with them."""
    folder = ROOT / "notebooks"
    with zipfile.ZipFile(wheel) as packed:
        for source in [*folder.rglob("*.ipynb"), *folder.rglob("*.md"), folder / "conftest.py"]:
            made = packed.read(f"minitorch/course/material/notebooks/{source.relative_to(folder).as_posix()}")
            assert made == source.read_bytes()
    assert wheel.stat().st_size < 6 << 20


def test_the_wheel_holds_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"minitorch", names[-1].split("/")[0]}
    assert not [name for name in names if "__pycache__" in name or "/tests/" in name or name.startswith("exercises")]


def test_it_imports_and_differentiates_in_an_empty_environment(programs, tmp_path):
    program = (
        "import minitorch; x = minitorch.Tensor([3.0], requires_grad=True); (x * x).sum().backward(); print(x.grad)"
    )
    assert run(programs / "python", "-c", program, cwd=tmp_path).strip() == "[6.]"
    where = run(programs / "python", "-c", "import minitorch; print(minitorch.__file__)", cwd=tmp_path)
    assert str(programs.parent) in where


def test_init_lays_out_a_course_that_says_not_started(programs, tmp_path):
    run(programs / "minitorch", "init", "course", cwd=tmp_path)
    course = tmp_path / "course"
    assert len(list((course / "exercises").glob("lesson_*.py"))) == len(list((ROOT / "solutions").glob("lesson_*.py")))
    assert (course / "work" / "00_start_here.ipynb").is_file()
    said = run(programs / "minitorch", "check", "--all", cwd=course, expect=None)
    exercises = manifest.load().exercises
    assert said.count("not started") == len(exercises)
    assert f"0 of {sum(exercise.required for exercise in exercises)} passed" in said


def test_it_speaks_spanish_where_only_the_po_file_lies(wheel, programs, tmp_path):
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if "/locale/" in name] == ["minitorch/locale/es/LC_MESSAGES/minitorch.po"]
    run(programs / "minitorch", "--lang", "es", "init", "curso", cwd=tmp_path)
    assert "sin empezar" in run(programs / "minitorch", "check", "00", cwd=tmp_path / "curso", expect=1)


def test_a_solution_laid_into_it_passes(programs, tmp_path):
    run(programs / "minitorch", "init", "course", cwd=tmp_path)
    course = tmp_path / "course"
    for solution in (ROOT / "solutions").glob("lesson_01*.py"):
        shutil.copy(solution, course / "exercises")
    run(programs / "minitorch", "check", "01", cwd=course, expect=0)


def test_every_known_wrong_version_is_in_the_table_of_its_lesson(wheel):
    with zipfile.ZipFile(wheel) as packed:
        for lesson in manifest.load().lessons:
            table = json.loads(packed.read(f"minitorch/course/lessons/{lesson.stem}/known_mistakes.json"))["exercises"]
            for exercise in lesson.exercises:
                known = {one.id for one in of_exercise(lesson, exercise)}
                assert set(table[exercise.name]["mistakes"]) == known
                seen = table[exercise.name]["seen"]
                assert set(seen) == {RIGHT, *known}
                assert len(seen[RIGHT]) == exercise.checks


def test_a_mistake_is_named_where_neither_solutions_nor_known_wrong_versions_are_installed(programs, tmp_path):
    run(programs / "minitorch", "init", "course", cwd=tmp_path)
    where = run(programs / "python", "-c", "import minitorch; print(minitorch.__file__)", cwd=tmp_path).strip()
    bare = tmp_path / "bare" / "minitorch"
    shutil.copytree(Path(where).parent, bare, ignore=shutil.ignore_patterns("__pycache__", "solutions", "mistakes"))
    wrong = tmp_path / "course" / "exercises" / "lesson_01_scalar_nodes.py"
    wrong.write_text(wrong_source("mul", "mul-own-operand"), encoding="utf-8")
    program = (
        f"import sys; sys.path.insert(0, {str(bare.parent)!r})\n"
        "from minitorch.course.cli import main\n"
        "sys.argv = ['minitorch', 'check', 'mul']; main()"
    )
    said = run(programs / "python", "-c", program, cwd=tmp_path / "course", expect=1)
    assert "You used each operand's own number as its local gradient." in " ".join(said.split())
    assert not list((tmp_path / "course" / ".minitorch").glob("diagnosis/*"))


def test_a_bare_install_has_both_commands_and_lays_out_a_course_in_which_nothing_is_in_the_way(bare, tmp_path):
    said = [run(bare / name, "--version", cwd=tmp_path) for name in ("minitorch", "minitorch-course")]
    assert said == [f"minitorch {minitorch.__version__}\n"] * 2
    said = run(bare / "minitorch-course", "init", "mycourse", cwd=tmp_path)
    assert said.endswith("'minitorch lab' needs it: pip install \"minitorch-course[lab]\"\n")
    course = tmp_path / "mycourse"
    assert "nothing is in the way" in run(bare / "minitorch", "doctor", cwd=course)
    shutil.copy(ROOT / "solutions" / "lesson_01_scalar_nodes.py", course / "exercises")
    run(bare / "minitorch", "check", "01", cwd=course)


@pytest.mark.parametrize(("command", "extra"), [("lab", "lab"), ("watch", "course"), ("lecture 01", "lab")])
def test_what_a_bare_install_cannot_do_is_said_in_one_sentence_with_the_extra(bare, tmp_path, command, extra):
    run(bare / "minitorch", "init", "mycourse", cwd=tmp_path)
    said = run(bare / "minitorch", *command.split(), cwd=tmp_path / "mycourse", expect=2)
    assert said.splitlines()[-1].startswith("Error: ")
    assert said.endswith(f': pip install "minitorch-course[{extra}]"\n')
    assert "Traceback" not in said


def test_a_copy_for_colab_installs_itself_where_only_jupyter_is_and_its_check_answers(wheel, tmp_path):
    home = tmp_path / "env"
    venv.create(home, with_pip=True, symlinks=os.name != "nt")
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--constraint"]
    run(*pip, ROOT / "constraints.txt", "nbclient", "ipykernel", cwd=tmp_path)
    content = tmp_path / "content"
    content.mkdir()
    notebook = colab.copy(ROOT / "notebooks" / "00_start_here.ipynb")
    cell = {"cell_type": "code", "id": "asked", "metadata": {}, "execution_count": None, "outputs": []}
    cell["source"] = "from minitorch.course import check\nprint(check('hello_gradient'))"
    notebook["cells"] = [*notebook["cells"][:2], cell]
    (content / "copy.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    program = (
        "import os, nbclient, nbformat\n"
        f"os.environ['PIP_FIND_LINKS'] = {str(wheel.parent)!r}\n"
        "book = nbformat.read('copy.ipynb', 4)\n"
        "nbclient.NotebookClient(book, timeout=1200, kernel_name='python3').execute()\n"
        "print(book.cells[-1].outputs)"
    )
    assert "hello_gradient: not started" in run(python, "-c", program, cwd=content)
    assert (content / "exercises" / "lesson_00_start_here.py").is_file()


@pytest.mark.timeout(1800)  # all of JupyterLab is installed
@pytest.mark.skipif(os.name != "posix", reason="ends it with a POSIX signal")
def test_a_clone_opens_the_course_without_make_on_a_python_that_has_nothing(tmp_path):
    """As `python -m minitorch lab`, with what is installed here hidden (-S). An index has to be there."""
    clone = tmp_path / "a clone"
    ignored = shutil.ignore_patterns(".git", ".venv", "work", ".*_cache", "__pycache__", ".minitorch", "dist", "build")
    shutil.copytree(ROOT, clone, ignore=ignored)
    hidden = ("PYTHON", "MINITORCH", "VIRTUAL_ENV", "JUPYTER")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    words = [sys.executable, "-S", "-m", "minitorch", "lab", "--no-browser"]
    with subprocess.Popen(words, cwd=clone, env=environment, stdout=subprocess.PIPE, text=True) as process:
        said = []
        for line in process.stdout:
            said.append(line.strip())
            if said[-1].startswith("http"):
                process.send_signal(signal.SIGTERM)  # to the command itself: it has taken this process's place
    assert said[0] == "Making an environment in .venv"
    assert any("/lab/workspaces/lesson-00?token=" in line for line in said), said
    assert (clone / ".venv" / ".lab").exists()
    assert (clone / "work" / "00_start_here.ipynb").exists()


def test_init_refuses_a_folder_in_use_in_one_sentence(programs, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("")
    said = run(programs / "minitorch", "init", "mine", cwd=tmp_path, expect=None)
    assert "is not empty. Nothing was changed." in " ".join(said.split())
    assert "Traceback" not in said


def test_lab_without_jupyterlab_says_what_to_install(programs, tmp_path):
    run(programs / "minitorch", "init", "course", cwd=tmp_path)
    said = run(programs / "minitorch", "lab", cwd=tmp_path / "course", expect=None)
    assert "JupyterLab is not installed here" in " ".join(said.split())
    assert "Traceback" not in said
