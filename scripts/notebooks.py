"""Run, normalise and test the notebooks that are committed.

    python scripts/notebooks.py run [NAME ...]   execute against untouched stubs, normalise, write
    python scripts/notebooks.py check            every cell was run, and normalising would change nothing
    python scripts/notebooks.py test             check, then compare every output with a fresh run (strict nbval)

A course folder is laid out for each run, so a learner's own half-solved exercises change nothing here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from minitorch.viz.publish import as_text, normalise

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
CELL_SECONDS = 120


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


@contextmanager
def untouched_course() -> Iterator[None]:
    """Let the notebooks' kernels see a fresh course folder, in English, with one array thread."""
    from minitorch.course.folder import init_course

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
