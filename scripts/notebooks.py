"""Run, normalise and test the notebooks that are committed.

    python scripts/notebooks.py run [NAME ...]   execute against untouched stubs, normalise, write
    python scripts/notebooks.py check            every cell was run, and normalising would change nothing
    python scripts/notebooks.py test             check, then compare every output with a fresh run (strict nbval)

A course folder is laid out for each run, so a learner's own half-solved exercises change nothing here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
CELL_SECONDS = 120


def normalise(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook with everything taken out that differs between two runs of the same cells."""
    notebook = nbformat.from_dict(notebook)
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count, names = 0, _cell_names(notebook)
    for cell in notebook.cells:
        cell.id = next(names)
        cell.metadata = nbformat.from_dict({key: cell.metadata[key] for key in ("tags",) if key in cell.metadata})
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            cell.outputs = _normal_outputs(cell.outputs, count)
    return notebook


def _cell_names(notebook: NotebookNode) -> Iterator[str]:
    """Name each cell after the heading it stands under, numbered."""
    heading, number = "top", 0
    for cell in notebook.cells:
        title = re.match(r"#+ +(.+)", cell.source) if cell.cell_type == "markdown" else None
        if title:
            heading, number = re.sub(r"[^a-z0-9]+", "-", title[1].lower()).strip("-")[:48] or "section", 0
        number += 1
        yield f"{heading}-{number}"


def _normal_outputs(outputs: list[NotebookNode], count: int) -> list[NotebookNode]:
    """Join what one stream wrote in pieces, number the results, drop the live half of a widget."""
    normal: list[NotebookNode] = []
    for output in outputs:
        if output.output_type == "stream" and normal and normal[-1].get("name") == output.name:
            normal[-1].text += output.text
            continue
        if output.output_type in {"execute_result", "display_data"}:
            output.data.pop(WIDGET_VIEW, None)
            output.metadata = nbformat.from_dict({})
        if output.output_type == "execute_result":
            output.execution_count = count
        normal.append(output)
    return normal


def faults(path: Path) -> list[str]:
    """Say what is wrong with a committed notebook, as sentences; nothing when it is in order."""
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    found = []
    for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), start=1):
        if cell.execution_count is None:
            found.append(f"{path.name}: code cell {number} was never run")
        if any(output.get("name") == "stderr" for output in cell.outputs):
            found.append(f"{path.name}: code cell {number} wrote to stderr")
    if not found and as_text(normalise(notebook)) != text:
        found.append(f"{path.name}: not normalised; run: python scripts/notebooks.py run {path.name}")
    return found


def as_text(notebook: NotebookNode) -> str:
    """Return the file's text, as it is committed."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=4) + "\n"


@contextmanager
def untouched_course() -> Iterator[None]:
    """Let the notebooks' kernels see a fresh course folder, in English, with one array thread."""
    from minitorch.course.workspace import init_course

    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder) / "course"
        init_course(course)
        os.environ |= {"MINITORCH_COURSE": str(course), "MINITORCH_LANG": "en", "OPENBLAS_NUM_THREADS": "1"}
        yield


def run(paths: list[Path]) -> int:
    """Execute the notebooks and write them back, normalised."""
    with untouched_course():
        for path in paths:
            notebook = nbformat.read(path, as_version=4)
            place = {"metadata": {"path": str(path.parent)}}
            NotebookClient(notebook, timeout=CELL_SECONDS, kernel_name="python3", resources=place).execute()
            path.write_text(as_text(normalise(notebook)), encoding="utf-8")
            print(f"{path.name}: written")
    return 0


def check(paths: list[Path]) -> int:
    """Print what is wrong with the committed notebooks; 1 when anything is."""
    found = [fault for path in paths for fault in faults(path)]
    print(*found, sep="\n", end="\n" if found else "")
    if not paths:
        print(f"there is no notebook in {NOTEBOOKS.name}/")
    return int(bool(found) or not paths)


def test(paths: list[Path]) -> int:
    """Check, then run every notebook and compare every output strictly."""
    status = check(paths)
    command = [sys.executable, "-m", "pytest", "-q", "--nbval", "--nbval-current-env", *map(str, paths)]
    with untouched_course():
        return subprocess.run(command, cwd=ROOT, check=False).returncode or status


def main(words: list[str]) -> int:
    """Read the command line."""
    commands = {"run": run, "check": check, "test": test}
    if not words or words[0] not in commands:
        print(__doc__)
        return 2
    shipped = sorted(NOTEBOOKS.glob("*.ipynb"))
    chosen = [path for path in shipped if not words[1:] or path.name in words[1:] or path.stem in words[1:]]
    return commands[words[0]](chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
