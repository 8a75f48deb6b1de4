"""A dev container and Binder: their files say what is true of this repository, and what they run lays a course out."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from minitorch.course import manifest

ROOT = Path(__file__).resolve().parents[2]
CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
BINDER = yaml.safe_load((ROOT / ".binder" / "environment.yml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINNED = ["--constraint", "constraints.txt", "--editable", ".[lab]"]


def version(word: str) -> tuple[int, int]:
    major, minor = word.split(".")
    return int(major), int(minor)


def test_both_have_a_python_that_is_new_enough():
    oldest = version(PROJECT["requires-python"].removeprefix(">="))
    [python] = [each for each in BINDER["dependencies"] if each.startswith("python=")]
    assert version(python.removeprefix("python=")) >= oldest
    assert version(CONTAINER["image"].rpartition(":")[2]) >= oldest


def test_both_install_the_lab_as_it_was_tested():
    build = (ROOT / ".binder" / "postBuild").read_text(encoding="utf-8")
    for text in (CONTAINER["postCreateCommand"].partition(" && ")[0], build.splitlines()[3]):
        words = shlex.split(text)
        assert words[:4] == ["python", "-m", "pip", "install"]
        assert words[-4:] == PINNED


@pytest.mark.skipif(os.name != "posix", reason="both run on Linux")
@pytest.mark.parametrize("script", ["binder", "container"])
def test_what_they_run_lays_out_the_notebooks_and_changes_nothing_that_is_committed(script, tmp_path):
    """With `pip` left out: `python` is this one, and what it would install is installed."""
    clone = tmp_path / "clone"
    for part in ("exercises", ".binder"):
        shutil.copytree(ROOT / part, clone / part, ignore=shutil.ignore_patterns("__pycache__"))
    programs = tmp_path / "programs"
    programs.mkdir()
    fake = programs / "python"
    fake.write_text(f'#!/bin/sh\n[ "$2" = pip ] && exit 0\nexec "{sys.executable}" "$@"\n')
    fake.chmod(0o755)
    before = {path: path.read_bytes() for path in (clone / "exercises").iterdir()}
    command = CONTAINER["postCreateCommand"] if script == "container" else "exec .binder/postBuild"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MINITORCH")}
    environment["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(["sh", "-c", command], cwd=clone, env=environment, check=True, capture_output=True)
    assert {lesson.notebook_name for lesson in manifest.load().lessons} <= {
        path.name for path in (clone / "work").iterdir()
    }
    assert {path: path.read_bytes() for path in before} == before


def test_what_a_code_space_opens_first_is_there():
    opened = CONTAINER["customizations"]["codespaces"]["openFiles"]
    first = manifest.load().lessons[0]
    assert opened == [f"work/{first.notebook_name}", f"exercises/{first.file_name}"]
