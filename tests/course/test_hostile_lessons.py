"""Hostile files through `minitorch check`, in a process of its own: none is paid, none hangs, none ends the judge.

What a learner's own machine does pay is listed as well, and held: it is the reason why a class is judged elsewhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hostile_answers import HARM, PAID_AT_HOME

from minitorch.course import manifest
from minitorch.course.files.stubs import stub_source

pytestmark = [pytest.mark.gate, pytest.mark.skipif(sys.platform != "linux", reason="harm as Linux knows it")]
AGAINST_THE_WHOLE_FILE = (  # harm that is done while the file is loaded is laid to the file
    *("ends: exit code", "file: hangs", "file: replaces", "frames: a value sent while", "frames: copied"),
    "python: builtins are replaced for good",
)
CHECK = """
import os, sys
from pathlib import Path
path = Path(sys.argv[2])
path.write_text(path.read_text(encoding="utf-8").replace("{judge}", str(os.getpid())), encoding="utf-8")
from minitorch.course.cli import main
sys.argv = ["minitorch", "check", sys.argv[1], "--json"]
main()
"""


def check(folder: Path, lesson: str, text: str) -> dict[str, dict]:
    """Check a lesson whose stub a text is added to; return the verdicts as JSON has them."""
    found = manifest.load().lesson(lesson)
    path = folder / "exercises" / found.file_name
    path.parent.mkdir()
    path.write_text(f"{stub_source(found)}\n\n{text}", encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(Path.cwd()), "MINITORCH_LANG": "en"}
    command = [sys.executable, "-c", CHECK, lesson, str(path)]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode in (0, 1), done.stderr
    return {verdict["exercise"]: verdict for verdict in json.loads(done.stdout)}


@pytest.mark.parametrize("name", HARM)
def test_nothing_is_paid_nothing_hangs_and_the_judge_lives_on(tmp_path, name):
    verdicts = check(tmp_path, "08", HARM[name])
    assert list(verdicts) == [exercise.name for exercise in manifest.load().lesson("08").exercises]
    assert not [verdict for verdict in verdicts.values() if verdict["kind"].startswith("passed")]
    assert not any("worker.py" in verdict["printed"] for verdict in verdicts.values())
    if not name.startswith(AGAINST_THE_WHOLE_FILE):
        rest = [verdict["kind"] for verdict in verdicts.values() if verdict["exercise"] != "unbroadcast"]
        assert set(rest) == {"not started"}


@pytest.mark.parametrize(("lesson", "exercise"), PAID_AT_HOME)
def test_what_is_paid_at_home_is_known(tmp_path, lesson, exercise):
    assert check(tmp_path, lesson, PAID_AT_HOME[lesson, exercise])[exercise]["kind"].startswith("passed")
