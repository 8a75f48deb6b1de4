"""Copies of the notebooks for Colab: the first cell makes them run where nothing is installed, the rest is as it was.

`test_wheel.py` runs one where nothing but Jupyter is installed.
"""

import json
import os
import re
import subprocess
import sys

import addresses
import colab
import nbformat
import pytest
import yaml

import minitorch
from minitorch.course.setup.workspace import working_copy

SOURCES = sorted(colab.NOTEBOOKS.rglob("*.ipynb"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.relative_to(colab.NOTEBOOKS).as_posix())
def test_a_copy_is_the_working_copy_behind_two_cells(source):
    made = colab.copy(source)
    nbformat.validate(made)
    words, start, *rest = made["cells"]
    assert rest == json.loads(working_copy(source))["cells"]
    assert (words["cell_type"], start["cell_type"]) == ("markdown", "code")
    assert start["source"][0] == f'%pip install --quiet "minitorch-course[course,viz]=={minitorch.__version__}"\n'


@pytest.mark.parametrize(("folder", "said"), [("", "Your course folder is"), ("es/", "Tu carpeta del curso es")])
def test_what_the_first_cell_runs_makes_a_course_folder_in_the_notebooks_language(tmp_path, folder, said):
    source = colab.NOTEBOOKS / folder / "00_start_here.ipynb"
    cell = "".join(colab.copy(source)["cells"][1]["source"])
    program = cell.partition("\n")[2].replace("here(", "print(here(") + ")"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MINITORCH")}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(said)
    assert (tmp_path / "exercises" / "lesson_00_start_here.py").is_file()


def test_all_are_written_and_each_language_has_its_folder(tmp_path):
    written = colab.write(tmp_path)
    assert [path.relative_to(tmp_path) for path in written] == [path.relative_to(colab.NOTEBOOKS) for path in SOURCES]
    assert len(written) == len(list((tmp_path / "es").iterdir())) * 2


def test_links_to_other_notebooks_open_their_copies_once_there_is_a_place_for_them():
    line = "See [lesson 02](02_backward.ipynb) and [below](#there) and [a file](../docs/x.md)."
    there = addresses.colab("ana/mini", "es/02_backward.ipynb")
    assert colab.elsewhere(line, "ana/mini", "es") == line.replace("02_backward.ipynb", there)


def test_the_workflow_lays_them_where_the_badge_looks():
    workflow = yaml.safe_load((colab.ROOT / ".github" / "workflows" / "colab.yml").read_text(encoding="utf-8"))
    [job] = workflow["jobs"].values()
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert "python scripts/colab.py build/colab" in commands
    assert re.search(rf"--initial-branch={addresses.COLAB_BRANCH}$", commands[-1], re.MULTILINE)
    assert commands[-1].rstrip().endswith(f" {addresses.COLAB_BRANCH}")
