"""`make`: what it says when it cannot work, what it installs and when, and what it never touches."""

import importlib.util
import itertools
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(shutil.which("make") is None or os.name != "posix", reason="needs make")

# Stands for Python: it makes "environments" whose programs write down what they were asked for.
FAKE_PYTHON = """#!/bin/sh
case "$1 $2" in
    "-c "*) exit {too_old} ;;
    "--version "*) echo "Python 3.9.2" ;;
    "-m venv")
        echo venv >> log
        [ {has_venv} = 1 ] || exit 1
        rm -rf .venv && mkdir -p .venv/bin
        for program in python minitorch; do
            printf '#!/bin/sh\\necho "%s $*" >> log\\n' "$program" > .venv/bin/$program
            chmod +x .venv/bin/$program
        done ;;
esac
"""


@pytest.fixture
def clone(tmp_path):
    """Return a folder with the Makefile and what it depends on, and a stand-in for Python."""
    clone = tmp_path / "a clone"
    clone.mkdir()
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, clone)
    install_python(clone)
    return clone


def install_python(clone: Path, *, too_old: int = 0, has_venv: int = 1) -> None:
    fake = clone / "python-stand-in"
    fake.write_text(FAKE_PYTHON.format(too_old=too_old, has_venv=has_venv))
    fake.chmod(0o755)


def make(clone: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # A test run under `make test` must not hand its own flags to the make it tests.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", *words], cwd=clone, env=environment, capture_output=True, text=True, check=False, timeout=600
    )


def log(clone: Path) -> list[str]:
    path = clone / "log"
    return path.read_text().splitlines() if path.exists() else []


def test_make_alone_lists_the_commands(clone):
    said = make(clone).stdout
    for command in ("lab", "quick", "test", "gates", "site", "lite", "bench", "lint", "format", "clean"):
        assert f"make {command} " in said
    assert log(clone) == []


def test_every_kind_of_test_is_run_by_make_test_by_make_gates_or_where_pytorch_is():
    chosen = marks(make(ROOT, "--dry-run", "test", "gates").stdout)
    assert len(chosen) == 2
    chosen += marks((ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    for gate, live in itertools.product((False, True), repeat=2):
        assert any(eval(each, {"gate": gate, "live": live, "exhaustive": False}) for each in chosen), (gate, live)
    assert not any(eval(each, {"gate": True, "live": False, "exhaustive": True}) for each in chosen)


def marks(text: str) -> list[str]:
    """Return the expressions of marks that pytest is given."""
    return re.findall(r"pytest .*-m '?([a-z ]+)'?$", text, re.MULTILINE)


def test_every_mode_of_notebooks_is_run_by_make_test_or_by_make_gates():
    spec = importlib.util.spec_from_file_location("notebooks_script", ROOT / "scripts" / "notebooks.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    said = make(ROOT, "--dry-run", "test", "gates").stdout
    modes = " ".join(re.findall(r"notebooks\.py test (.*)", said)).split()
    assert ["stubs", *modes] == list(script.RUNS)
    assert re.search(r"pytest .*--nbval notebooks --ignore=notebooks/es$", said, re.MULTILINE)  # what "stubs" is


@pytest.mark.parametrize("command", ["quick", "test", "gates"])
def test_each_sets_up_what_it_needs(clone, command):
    make(clone, command, "PYTHON=./python-stand-in")
    assert [line.split()[0] for line in log(clone)[:2]] == ["venv", "python"]
    assert "--constraint constraints.txt --editable .[lab,test,dev]" in log(clone)[1]


def test_every_file_of_make_quick_exists():
    named = re.findall(r"tests/\S+\.py", make(ROOT, "--dry-run", "quick").stdout)
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_lab_installs_once_and_then_only_opens(clone):
    first = make(clone, "lab", "PYTHON=./python-stand-in")
    assert first.returncode == 0, first.stderr
    assert [line.split()[0] for line in log(clone)] == ["venv", "python", "minitorch"]
    assert "--constraint constraints.txt --editable .[lab]" in log(clone)[1]
    make(clone, "lab", "PYTHON=./python-stand-in")
    assert log(clone)[3:] == ["minitorch lab"]


def test_new_requirements_are_installed(clone):
    make(clone, "lab", "PYTHON=./python-stand-in")
    os.utime(clone / "constraints.txt", (2**31, 2**31))
    make(clone, "lab", "PYTHON=./python-stand-in")
    assert [line.split()[0] for line in log(clone)[3:]] == ["python", "minitorch"]


def test_a_moved_clone_makes_its_environment_anew(clone):
    make(clone, "lab", "PYTHON=./python-stand-in")
    moved = clone.rename(clone.with_name("moved"))
    make(moved, "lab", "PYTHON=./python-stand-in")
    assert [line.split()[0] for line in log(moved)[3:]] == ["venv", "python", "minitorch"]


def test_an_environment_that_was_there_is_used_not_wiped(clone):
    make(clone, "lab", "PYTHON=./python-stand-in")
    (clone / ".venv" / "made-in").unlink()
    (clone / ".venv" / ".lab").unlink()
    (clone / ".venv" / "mine").touch()
    make(clone, "lab", "PYTHON=./python-stand-in")
    assert [line.split()[0] for line in log(clone)[3:]] == ["python", "minitorch"]
    assert (clone / ".venv" / "mine").exists()


def test_a_python_that_is_too_old_is_named(clone):
    install_python(clone, too_old=1)
    said = make(clone, "lab", "PYTHON=./python-stand-in")
    assert said.returncode != 0
    assert "minitorch needs Python 3.11 or newer; ./python-stand-in is Python 3.9.2." in said.stdout
    assert not (clone / ".venv").exists()


def test_no_python_at_all_is_named(clone):
    said = make(clone, "lab", "PYTHON=no-such-python")
    assert said.returncode != 0
    assert "there is no no-such-python here" in said.stdout


def test_a_python_without_venv_is_named(clone):
    install_python(clone, has_venv=0)
    said = make(clone, "lab", "PYTHON=./python-stand-in")
    assert said.returncode != 0
    assert "apt install python3-venv" in said.stdout
    assert not (clone / ".venv").exists()


def test_clean_never_touches_what_a_learner_made(clone):
    mine = [
        clone / "work" / "00_start_here.ipynb",
        clone / "work" / "__pycache__" / "x.pyc",
        clone / "exercises" / "lesson_01_scalar_nodes.py",
        clone / ".minitorch" / "progress.json",
    ]
    made = [clone / ".venv" / "x", clone / "dist" / "x", clone / "minitorch" / "__pycache__" / "x.pyc"]
    for path in mine + made:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    assert make(clone, "clean").returncode == 0
    assert all(path.exists() for path in mine)
    assert not any(path.exists() for path in made)
