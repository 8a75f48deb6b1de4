"""The command line as a learner types it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import minitorch
from minitorch.course import manifest
from minitorch.course.cli import cli
from minitorch.course.files.stubs import stub_source, write_stubs


@pytest.fixture
def here(tiny, course_folder, monkeypatch):
    """Stand in the tiny course's folder."""
    monkeypatch.setattr(manifest, "load", lambda *_: tiny)
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    monkeypatch.chdir(course_folder)
    return course_folder


def run(*words: str, code: int, **more: object):
    result = CliRunner().invoke(cli, words, **more)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def write(folder: Path, source: str) -> Path:
    path = folder / "exercises" / "lesson_01_tiny.py"
    path.write_text(source, encoding="utf-8")
    return path


def test_untouched_stubs_take_one_line_each(here):
    assert run("check", code=1).splitlines() == [
        "○ double: not started",
        "○ grid: not started",
        "○ total: not started",
        "0 of 3 passed",
    ]


def test_status_0_only_if_all_that_was_asked_for_passed(here, solution):
    write(here, solution.replace("return 2 * x", "return x * x"))
    output = run("check", "double", code=1)
    assert output.startswith("✗ double: wrong. You squared x.\n")
    assert len(output.splitlines()) == 6
    assert run("check", "grid", "total", code=0).splitlines()[-2:] == [
        "2 of 2 passed",
        "next: mend double in exercises/lesson_01_tiny.py:6, then minitorch check double",
    ]
    run("check", "01", code=1)
    run("check", "--all", code=1)
    write(here, solution)
    run("check", "--all", code=0)
    assert run("check", code=0).splitlines()[-2:] == ["3 of 3 passed", "all done"]


def test_json_is_what_the_verdict_says(here):
    (verdict,) = json.loads(run("check", "double", "--json", code=1))
    assert (verdict["exercise"], verdict["kind"]) == ("double", "not started")


def test_spanish(here):
    assert run("--lang", "es", "check", "double", code=1) == "○ double: sin empezar\n"
    assert "Diminuta" in run("--lang", "es", "status", code=0)
    assert run("check", "double", "--lang", "es", code=1) == "○ double: sin empezar\n"
    assert "No such option" not in run("hint", "double", "--lang", "es", code=0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "duble"], "there is no exercise or lesson 'duble'; did you mean double?"),
        (["chekc"], "did you mean check?"),
        (["hint", "gird"], "there is no exercise 'gird'; did you mean grid?"),
        (["hint", "double", "--step", "9"], "double has hints 1 to 4; 9 is none of them"),
        (["check", "09"], "there is no exercise or lesson '09'; the lessons are: 01"),
        (["check", "nonsense"], "no exercise or lesson 'nonsense'; 'minitorch status' lists the lessons, and"),
        (["hint", "unit"], "there is no exercise 'unit'; 'minitorch status' lists the lessons, and"),
        (["reset"], "name an exercise or a lesson to reset, or say --all"),
        (["reset", "toal"], "did you mean total"),
    ],
)
def test_a_slip_gets_one_friendly_line(here, words, said):
    assert said in run(*words, code=2)


def test_outside_a_course_folder_it_says_how_to_make_one(here, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (["check"], ["status"], ["hint", "double"], ["reset", "double"], ["lab"]):
        assert "or make one with 'minitorch init DIR'" in run(*words, code=2)


def test_status_shows_the_map_and_what_comes_next(here, solution):
    write(here, solution.replace("return 2 * x", "return x * x"))
    run("hint", "double", code=0)
    lines = run("status", code=0).splitlines()
    assert lines[:4] == [
        "01 Tiny: 2 of 3 passed · 2 of 3 points · about 5 min left",
        "  ✗ wrong   double  1 point · hints used: 1 question",
        "  ✓ passed  grid    1 point",
        "  ✓ passed  total   1 point",
    ]
    assert lines[4].startswith("next: mend double in exercises/lesson_01_tiny.py:")


def test_each_call_of_hint_gives_the_next_one(here):
    shown = [run("hint", "double", code=0).splitlines() for _ in range(5)]
    assert shown[0] == ["double: hint 1 of 4", "    What is x + x?", "more: minitorch hint double"]
    assert shown[1] == ["double: hint 2 of 4", "    Multiply by 2.", "more: minitorch hint double"]
    assert shown[2] == ["double: hint 3 of 4", "    return x times 2", "more: minitorch hint double"]
    assert shown[3] == shown[4]
    assert shown[4] == [
        "double: the solution",
        (
            "    double has 3 hints and no more; its solution is shown once it has passed, or with "
            "minitorch hint double --solution"
        ),
    ]
    assert run("hint", "double", "1", code=0).splitlines() == shown[0]
    assert run("hint", "double", code=0).splitlines() == shown[1]  # it goes on from the one that was named


def test_hints_go_on_after_the_one_that_a_verdict_shows(here, solution):
    write(here, solution.replace("return 2 * x", "return x * x"))
    assert "hint      Multiply by 2." in run("check", "double", code=1)  # the second hint
    assert "double: hint 3 of 4" in run("hint", "double", code=0)
    run("hint", "double", "1", code=0)
    run("check", "double", code=1)  # the same verdict again: nothing new to begin at
    assert "double: hint 2 of 4" in run("hint", "double", code=0)


def test_a_verdict_that_nobody_has_seen_yet_gives_its_own_hint_first(here, solution):
    run("hint", "double", code=0)
    write(here, solution.replace("return 2 * x", "return x * x"))
    run("status", code=0)  # it judges, and shows no hint
    assert "double: hint 2 of 4" in run("hint", "double", code=0)


def test_status_of_one_lesson(here):
    whole = run("status", code=0)
    for word in ("01", "1", "lesson_01", "lesson_01_tiny.py", "01_tiny.ipynb", "tiny"):
        assert run("status", word, code=0) == whole
    assert "there is no lesson '09'; the lessons are: 01" in run("status", "09", code=2)


def test_check_takes_a_lesson_by_any_of_its_names(here):
    by_number = run("check", "01", code=1)
    for word in ("1", "lesson_01", "lesson_1", "LESSON_01", "lesson_01_tiny", "exercises/lesson_01_tiny.py", "tiny"):
        assert run("check", word, code=1) == by_number


def test_the_solution_is_shown_after_passing_or_on_request(here, solution):
    assert "2 * x" not in run("hint", "double", "--step", "3", code=0)
    assert "return 2 * x" in run("hint", "double", "--solution", code=0)
    write(here, solution)
    run("check", "total", code=0)
    assert "def total(self):" in run("hint", "total", "--step", "2", code=0)
    assert run("hint", "total", "2", code=0) == run("hint", "total", "--step", "2", code=0)


def test_reset_restores_one_exercise_and_keeps_a_dated_backup(here, solution):
    mine = solution.replace("return 2 * x", "return x * x").replace("import numpy as np", "import numpy as np  # mine")
    path = write(here, mine)
    output = run("reset", "double", code=0)
    assert path.read_text(encoding="utf-8") == mine.replace("return x * x", "raise NotImplementedError")
    (backup,) = (here / ".minitorch" / "backups").iterdir()
    assert backup.read_text(encoding="utf-8") == mine
    assert backup.name in output
    assert "is untouched: nothing to reset" in run("reset", "double", code=0)
    run("reset", "--all", code=0)
    assert path.read_text(encoding="utf-8") == stub_source(manifest.load().lessons[0])
    assert len(list((here / ".minitorch" / "backups").iterdir())) == 2


def test_reset_works_in_a_file_with_a_syntax_error_in_that_exercise(here, solution):
    path = write(here, solution.replace("return 2 * x", "return 2 * * x"))
    run("reset", "double", code=0)
    assert path.read_text(encoding="utf-8") == solution.replace("return 2 * x", "raise NotImplementedError")
    write(here, solution.replace("return 2 * x", "return (((").replace("sum(self", "sum((self"))
    assert "'minitorch reset 01' resets the whole file" in run("reset", "double", code=2)
    write(here, solution.replace("def double", "def duble"))
    assert "does not define double any more" in run("reset", "double", code=2)
    path.unlink()
    assert "was missing and is written anew" in run("reset", "double", code=0)
    assert path.exists()


def test_in_process_says_that_nothing_protects(here, solution):
    write(here, solution)
    output = run("check", "--all", "--in-process", code=0)
    assert "no time limit and no protection holds" in output
    assert output.endswith("3 of 3 passed\nall done\n")
    write(here, solution.replace("return 2 * x", "return x * x"))
    assert "You squared x" in run("check", "double", "--in-process", code=1)
    write(here, "def double(x)\n")
    assert "Python cannot read the file" in run("check", "double", "--in-process", code=1)


def test_pdb_opens_where_the_exception_was_raised(here, solution):
    write(here, solution.replace("return 2 * x", "y = x\n    return y.nothing"))
    output = run("check", "double", "--pdb", code=1, input="p y\nc\n" * 3)
    assert "3.0" in output
    assert "AttributeError" in output


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")
def test_a_read_only_course_folder_warns_and_judges(here, solution):
    write(here, solution)
    if os.geteuid() == 0:
        (here / ".minitorch").write_text("in the way", encoding="utf-8")  # root may write anywhere
    else:
        here.chmod(0o555)
    try:
        output = run("check", "--all", code=0)
    finally:
        here.chmod(0o755)
    assert "3 of 3 passed" in output
    assert output.count("progress could not be saved") == 1


def test_doctor_runs_a_child_and_counts_faults(here, monkeypatch):
    from minitorch.course.setup import doctor
    from minitorch.course.setup.doctor import Finding

    monkeypatch.setattr(doctor, "diagnose", lambda _: [Finding("ok", "fine"), Finding("note", "so")])
    output = run("doctor", code=0)
    assert "✓ a check runs in a process of its own" in output
    monkeypatch.setattr(doctor, "diagnose", lambda _: [Finding("fault", "broken")])
    output = run("doctor", code=1)
    assert "✗ broken" in output
    assert "faults to mend: 1" in output


def test_the_installed_command_runs_from_below_the_course_folder(tmp_path):
    """A process of its own, the shipped course, from the folder of the notebooks."""
    write_stubs(tmp_path / "exercises")
    (tmp_path / "work").mkdir()
    first = manifest.load().exercises[0].name
    words = [sys.executable, "-c", "from minitorch.course.cli import main; main()", "check", first]
    env = {**os.environ, "PYTHONPATH": str(Path.cwd()), "PYTHONIOENCODING": "utf-8", "MINITORCH_LANG": "en"}
    env.pop("MINITORCH_COURSE", None)
    done = subprocess.run(
        words, cwd=tmp_path / "work", env=env, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == (f"○ {first}: not started\n", "", 1)


def test_help_names_every_command():
    output = run("--help", code=0)
    for command in ("check", "status", "hint", "reset", "doctor", "lab", "init"):
        assert f"  {command} " in output
        assert "Usage:" in run(command, "--help", code=0)


def test_a_process_without_room_for_its_threads_is_ended_and_told_in_one_line(here, solution, monkeypatch):
    """What a small address space does to a check (`ulimit -v 180000`)."""
    write(here, solution)
    started, real = [], subprocess.Popen

    def remembered(*words, **options):
        started.append(real(*words, **options))
        return started[-1]

    def no_room(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("minitorch.course.sandbox.child.subprocess.Popen", remembered)
    monkeypatch.setattr("minitorch.course.sandbox.child.threading.Thread.start", no_room)
    assert "a check cannot run in a process of its own: can't start new thread" in run("check", "double", code=2)
    assert [process.returncode for process in started] == [-signal.SIGKILL]


def test_a_process_that_cannot_be_started_is_told_in_one_line(here, monkeypatch):
    def full(*_, **__):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("minitorch.course.sandbox.child.subprocess.Popen", full)
    assert "a check cannot run in a process of its own" in run("check", "double", code=2)


@pytest.mark.parametrize("module", ["minitorch", "minitorch.course.cli"])
def test_python_dash_m_is_the_command(module, tmp_path):
    """For those whose PATH has no `minitorch`; outside a course folder, so that the answer is a short one."""

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        program = [sys.executable, "-m", module, *words]
        return subprocess.run(program, capture_output=True, text=True, check=False, cwd=tmp_path)

    assert call("--version").stdout == f"minitorch {minitorch.__version__}\n"
    asked = call("check", "no such exercise", "--lang", "en")
    assert asked.returncode == 2
    assert "no such exercise" in asked.stderr or "course folder" in asked.stderr


@pytest.mark.skipif(os.name != "posix", reason="opens a pseudo-terminal")
def test_in_a_terminal_a_files_name_can_be_clicked(tmp_path):
    """As OSC 8 has it: the name stands between an escape with the file's address and one without."""
    write_stubs(tmp_path / "exercises")
    lesson = manifest.load().lessons[1]
    path = tmp_path / "exercises" / lesson.file_name
    path.write_bytes(lesson.solution.read_bytes().replace(b"return", b"return None and", 1))
    environment = {**os.environ, "TERM": "xterm-256color", "MINITORCH_LANG": "en", "MINITORCH_COURSE": str(tmp_path)}
    environment.pop("NO_COLOR", None)
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "minitorch", "check", *(each.name for each in lesson.exercises)]
    subprocess.run(command, cwd=tmp_path, stdout=theirs, env=environment, check=False)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    before, _, after = shown.partition(f";{path.as_uri()}\x1b\\")
    assert "\x1b]8;" in before
    assert after.startswith(f"exercises/{lesson.file_name}:")
    assert "\x1b]8;;\x1b\\" in after


@pytest.mark.parametrize("words", [["status"], ["check", "double"], ["hint", "double"]])
def test_a_narrow_terminal_gets_lines_broken_between_words(here, solution, monkeypatch, words):
    width = 30
    write(here, solution.replace("return 2 * x", "return x * x"))
    whole = run(*words, code=1 if words[0] == "check" else 0)
    if words[0] == "hint":
        whole = run(*words, "1", code=0)
        words = [*words, "1"]
    assert max(map(len, whole.splitlines())) > width or words[0] == "hint"
    for name, value in {"TTY_COMPATIBLE": "1", "NO_COLOR": "1", "COLUMNS": str(width)}.items():
        monkeypatch.setenv(name, value)
    shown = re.sub(r"\x1b\][^\x1b]*\x1b\\|\x1b\[[\d;]*m", "", run(*words, code=1 if words[0] == "check" else 0))
    assert shown.split() == whole.split()  # no word is broken, and none is lost
    long = max(map(len, whole.split()))
    assert all(len(line) <= max(width, width // 2 + long) for line in shown.splitlines())
