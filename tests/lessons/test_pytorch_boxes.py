"""What the boxes "In PyTorch" say is what PyTorch prints. Where it is missing, the boxes are read and not run.

That a box has its fence and its output, and that the fence parses, test_second_edition.py sees without PyTorch.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from second_edition import IN_PYTORCH, Notebook

from minitorch.course import manifest

ROOT = Path(__file__).resolve().parents[2]
SECOND = [each for each in manifest.load().lessons if each.edition == 2 and not each.checkpoint]


def boxes() -> list:
    """Return every box, in English and in Spanish, as (code, output)."""
    found = []
    for lesson in SECOND:
        for folder in ("notebooks", "notebooks/es"):
            path = ROOT / folder / lesson.notebook_name
            if path.exists():
                cells = nbformat.read(path, as_version=4).cells
                prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
                name = f"{lesson.number}-{path.parent.name}"
                found += [pytest.param(box["code"], box["output"], id=name) for box in IN_PYTORCH.finditer(prose)]
    return found


def difference(code: str, output: str) -> str:
    """Run a fence in a process of its own; say what it prints, where that is not its output."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        return f"it fails: {done.stderr.strip().splitlines()[-1]}"
    return "" if done.stdout == output else f"it prints:\n{done.stdout}"


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize(("code", "output"), boxes())
def test_a_box_prints_what_it_says(code, output):
    assert difference(code, output) == ""


def test_every_lesson_of_the_second_edition_has_a_box():
    assert len(boxes()) >= len(SECOND)


@pytest.mark.parametrize(
    ("code", "output", "said"),
    [
        ("print([2.0, 4.0])\n", "[2.0, 4.0]\n", ""),
        ("print([2.0, 4.0])\n", "[2., 4.]\n", "it prints:\n[2.0, 4.0]\n"),
        ("print(1 / 0)\n", "1\n", "it fails: ZeroDivisionError: division by zero"),
    ],
)
def test_a_box_that_prints_something_else_is_seen(code, output, said):
    assert difference(code, output) == said


def test_a_box_is_found_in_a_notebook():
    text = "### In PyTorch\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\nMore words."
    assert [(box["code"], box["output"]) for box in IN_PYTORCH.finditer(text)] == [("print(1)\n", "1\n")]
    notebook = Notebook(
        manifest.load().lesson("08"), [{"cell_type": "markdown", "source": f"## More: three boxes\n{text}"}]
    )
    assert IN_PYTORCH.search(notebook.box("In PyTorch"))
