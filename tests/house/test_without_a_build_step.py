"""Spanish where only the `.po` file lies: in a clone, an editable installation and Binder.

The wheel is tested in test_wheel.py, Pyodide in test_pyodide.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from minitorch.translations import FILE, LOCALE

ROOT = Path(__file__).resolve().parents[2]


def said(*words: str, cwd: Path, **own: str) -> str:
    environment = {name: each for name, each in os.environ.items() if not name.startswith(("PYTHON", "MINITORCH"))}
    done = subprocess.run(
        [sys.executable, *words], cwd=cwd, env=environment | own, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_only_the_po_file_lies_there():
    assert [path.relative_to(LOCALE) for path in LOCALE.rglob("*") if path.is_file()] == [Path("es", FILE)]


def test_a_clone(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in ("minitorch", "solutions"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    assert "Aprende retropropagación" in said("-m", "minitorch", "--lang", "es", "--help", cwd=tmp_path)


def test_an_editable_installation(tmp_path):
    said("-m", "minitorch", "--lang", "es", "init", "curso", cwd=tmp_path)
    shown = said("-m", "minitorch", "status", cwd=tmp_path / "curso")
    assert "tu progreso" in shown


def test_binder(tmp_path):
    program = (ROOT / ".binder" / "postBuild").read_text(encoding="utf-8").split("python -c '")[1].split("'")[0]
    assert "Tu carpeta del curso" in said("-c", program, cwd=tmp_path, MINITORCH_LANG="es")
