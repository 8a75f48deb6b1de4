"""`python -m minitorch lab` and `test` without make: what is set up, where a command goes on, and what cannot be done.

Here the environment is a folder in which nothing is installed, and programs that are called are written down.
`test_wheel.py` has a clone that sets itself up, with a network.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minitorch import starting

ROOT = Path(__file__).resolve().parents[2]
PYTHON = "Scripts/python.exe" if os.name == "nt" else "bin/python"


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A clone, for which this Python has nothing, and the programs that are called."""
    place = tmp_path / "a clone"
    for name in ("tests", "exercises"):
        (place / name).mkdir(parents=True)
    for name in ("pyproject.toml", "constraints.txt"):
        (place / name).touch()
    monkeypatch.setattr(starting, "ROOT", place)
    monkeypatch.setattr(starting, "_has", lambda what: False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    return place


@pytest.fixture
def called(clone, monkeypatch):
    """What is called; making an environment leaves a program where its Python would be."""
    log = []

    def call(words, **_):
        log.append([word.replace(str(clone), "CLONE") for word in words])
        if "venv" in words:
            shutil.rmtree(clone / ".venv", ignore_errors=True)
            (clone / ".venv" / PYTHON).parent.mkdir(parents=True)
            (clone / ".venv" / PYTHON).touch()
        return 0

    def go_on(words):
        call(words)
        raise SystemExit(7)

    monkeypatch.setattr(starting.subprocess, "call", call)
    monkeypatch.setattr(starting, "_go_on", go_on)
    return log


def typed(*words):
    """Set out; return what the command ended with, None where it goes on in this Python."""
    try:
        starting.set_out(list(words))
    except SystemExit as end:
        return end.code
    return None


OWN = f"CLONE/.venv/{PYTHON}"


@pytest.mark.parametrize(("what", "extras"), [("lab", ".[lab]"), ("test", ".[lab,test,dev]")])
def test_a_fresh_clone_makes_its_environment_installs_and_goes_on_there(clone, called, capfd, what, extras):
    assert typed("--lang", "en", what) == 7
    venv, install, command = called
    assert venv == [sys.executable, "-m", "venv", "--clear", "CLONE/.venv"]
    assert install[:4] == [OWN, "-m", "pip", "--disable-pip-version-check"]
    assert install[-4:] == ["--constraint", "constraints.txt", "--editable", extras]
    assert command == [OWN, "-m", "minitorch", "--lang", "en", what]
    said = capfd.readouterr().out
    assert said.splitlines()[0] == "Making an environment in .venv"
    assert f"Installing what `{what}` needs" in said


def test_what_is_installed_is_what_make_installs():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for what, extras in starting.EXTRAS.items():
        rule = makefile[makefile.index(f"$(VENV)/.{what}: ") :].partition("\n\n")[0]
        assert f"--editable '{extras}'" in rule


def test_the_second_time_nothing_is_installed(clone, called):
    typed("lab")
    del called[:]
    assert typed("lab", "08") == 7
    assert called == [[OWN, "-m", "minitorch", "lab", "08"]]


def test_testing_installs_more_and_opening_the_course_then_needs_nothing(clone, called):
    typed("lab")
    typed("test")
    assert [words[-1] for words in called] == ["CLONE/.venv", ".[lab]", "lab", ".[lab,test,dev]", "test"]
    del called[:]
    typed("lab")
    assert [words[-1] for words in called] == ["lab"]


def test_new_requirements_are_installed(clone, called):
    typed("lab")
    os.utime(clone / "constraints.txt", (2**31, 2**31))
    del called[:]
    typed("lab")
    assert [words[-1] for words in called] == [".[lab]", "lab"]


def test_a_moved_clone_makes_its_environment_anew(clone, called):
    typed("lab")
    (clone / ".venv" / "made-in").write_text("elsewhere")
    del called[:]
    typed("lab")
    assert [words[-1] for words in called] == ["CLONE/.venv", ".[lab]", "lab"]


def test_make_and_this_see_the_same_marks(clone, called):
    """What `make lab` leaves: the folder's name in made-in, and .lab."""
    (clone / ".venv" / PYTHON).parent.mkdir(parents=True)
    (clone / ".venv" / PYTHON).touch()
    (clone / ".venv" / "made-in").write_text(str(clone))
    (clone / ".venv" / ".lab").touch()
    typed("lab")
    assert [words[-1] for words in called] == ["lab"]
    typed("test")
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "printf '%s' '$(CURDIR)' > $(VENV)/made-in" in made
    assert (clone / ".venv" / "made-in").read_text() == str(clone)
    assert (clone / ".venv" / ".test").exists()


@pytest.mark.parametrize("words", [[], ["check", "01"], ["check", "lab"], ["lab", "--help"], ["--version"]])
def test_what_needs_no_more_than_is_here_sets_nothing_up(clone, called, words):
    assert typed(*words) is None
    assert called == []


def test_a_python_that_has_everything_is_used(clone, called, monkeypatch):
    monkeypatch.setattr(starting, "_has", lambda what: True)
    assert typed("lab") is None
    assert called == []


def test_an_installed_package_is_no_checkout(clone, called):
    (clone / "constraints.txt").unlink()
    assert typed("lab") is None
    assert called == []


def test_in_the_clones_own_environment_it_goes_on_and_only_installs_what_is_new(clone, called, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(clone / ".venv"))
    (clone / ".venv").mkdir()
    assert typed("lab") is None
    assert [words[-1] for words in called] == [".[lab]"]
    assert typed("lab") is None
    assert len(called) == 1


@pytest.mark.parametrize(("fails", "says"), [("venv", "apt install python3-venv"), ("pip", "needs a network")])
def test_what_fails_says_what_to_do_and_leaves_no_mark(clone, monkeypatch, fails, says):
    monkeypatch.setattr(starting.subprocess, "call", lambda words, **_: int(fails in words))
    assert says in typed("lab")
    assert not (clone / ".venv" / ".lab").exists()


def test_the_steps_of_a_test_are_those_of_make():
    names = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    said = subprocess.run(
        ["make", "--dry-run", "test"], cwd=ROOT, env=names, capture_output=True, text=True, check=True
    )
    lines = [line for line in said.stdout.splitlines() if line.startswith(".venv/bin/") and " pip " not in line]
    ours = [f"{step} '{starting.UNIT}'" if step.endswith(" -m") else step for step in starting.STEPS]
    assert [re.sub(r"^\.venv/bin/(python )?", "", line).removeprefix("-m ") for line in lines] == [
        step.removeprefix("-m ") for step in ours
    ]


@pytest.mark.parametrize("failing", [0, 1, 4])
def test_a_step_that_fails_ends_the_test_with_its_status(clone, monkeypatch, failing):
    called = []
    monkeypatch.setattr(
        starting.subprocess, "call", lambda words, **_: called.append(words) or (len(called) > failing) * 3
    )
    assert starting.run_tests() == 3
    assert len(called) == failing + 1
    assert all(words[0] == sys.executable for words in called)


def test_the_tests_run_with_one_array_thread_and_their_marks_are_one_word(clone, monkeypatch):
    called = []
    monkeypatch.setattr(starting.subprocess, "call", lambda words, env, **_: called.append((words, env)) or 0)
    assert starting.run_tests() == 0
    assert called[-1][0][-2:] == ["-m", "not gate and not live"]
    assert {env["OPENBLAS_NUM_THREADS"] for _, env in called} == {"1"}


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_than_on_linux_it_says_what_to_expect(clone, monkeypatch, capsys, platform):
    monkeypatch.setattr(starting.subprocess, "call", lambda words, **_: 0)
    monkeypatch.setattr(sys, "platform", platform)
    starting.run_tests()
    assert "One that needs Linux may fail here" in capsys.readouterr().out


def test_on_windows_programs_lie_elsewhere_and_ctrl_c_is_left_to_the_command(clone, monkeypatch):
    monkeypatch.setattr(starting.os, "name", "nt")
    assert starting._python().parts[-2:] == ("Scripts", "python.exe")

    class Running:
        asked = 0

        def __init__(self, words):
            assert words == ["python", "-m", "minitorch", "lab"]

        def wait(self):
            Running.asked += 1
            if Running.asked < 3:
                raise KeyboardInterrupt
            return 5

    monkeypatch.setattr(starting.subprocess, "Popen", Running)
    with pytest.raises(SystemExit) as end:
        starting._go_on(["python", "-m", "minitorch", "lab"])
    assert (end.value.code, Running.asked) == (5, 3)


# ------------------------------------------------------------------------------------- a Python without NumPy


def without_site(tmp_path, *words):
    """Call this Python with the package and nothing else that is installed."""
    (tmp_path / "minitorch").symlink_to(ROOT / "minitorch", target_is_directory=True)
    return subprocess.run(
        [sys.executable, "-S", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "MINITORCH_LANG": "en"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_numpy_an_import_says_what_to_install(tmp_path):
    done = without_site(tmp_path, "-c", "import minitorch")
    assert done.stderr.splitlines()[-1] == (
        "ImportError: minitorch needs NumPy, which is missing: pip install minitorch-course"
    )


def test_without_numpy_the_command_says_so_in_one_sentence(tmp_path):
    done = without_site(tmp_path, "-m", "minitorch", "check")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "minitorch needs NumPy, which is missing: pip install minitorch-course\n"


def test_an_installed_package_has_no_tests_to_run(tmp_path, monkeypatch):
    from click.testing import CliRunner

    from minitorch.course.cli import cli

    monkeypatch.setattr(starting, "ROOT", tmp_path)
    said = CliRunner().invoke(cli, ["test", "--lang", "en"])
    assert said.exit_code == 2
    assert "The tests are in the repository, and this is an installed package." in said.output
