"""Copies of the notebooks for Colab, where nothing is installed and no file lies beside them: they are not committed.

    python scripts/colab.py [FOLDER]    write them, by default into build/colab

The first cell of a copy installs this version of minitorch and makes a course folder where the notebook is. What the
publisher's workflow lays on the branch that README's badge opens is such a folder.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import addresses

import minitorch
from minitorch.course.setup.workspace import language_of, working_copy

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
OUT = ROOT / "build" / "colab"
LINK = re.compile(r"(?<=\]\()(?P<name>\w+\.ipynb)(?=[)#])")
TEXTS = {
    "en": "**On Colab.** Run the next cell first: it installs minitorch and makes your course folder. Your "
    "answers go into `exercises/`: the folder on the left lists it, and a double click opens a file.",
    "es": "**En Colab.** Ejecuta primero la celda siguiente: instala minitorch y crea tu carpeta del curso. "
    "Tus respuestas van en `exercises/`: está en la carpeta de la izquierda, y un doble clic abre un archivo.",
}
START = """\
%pip install --quiet "minitorch-course[course,viz]=={version}"
from minitorch.course import here

here(lang="{lang}")"""


def copy(source: Path) -> dict[str, Any]:
    """Return a notebook as a learner gets it, with what it needs on Colab in front."""
    notebook: dict[str, Any] = json.loads(working_copy(source))
    lang = language_of(notebook)
    named = addresses.repository()
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown" and named:
            cell["source"] = [elsewhere(line, named, lang) for line in cell["source"]]
    start = START.format(version=minitorch.__version__, lang=lang)
    cells = [
        {"cell_type": "markdown", "id": "colab-words", "metadata": {}, "source": _lines(TEXTS[lang])},
        {"cell_type": "code", "id": "colab-start", "metadata": {}, "source": _lines(start)},
    ]
    cells[1] |= {"execution_count": None, "outputs": []}
    return {**notebook, "cells": cells + notebook["cells"]}


def elsewhere(line: str, named: str, lang: str) -> str:
    """Return a line whose links to other notebooks open their copies on Colab."""
    folder = "" if lang == "en" else f"{lang}/"
    return LINK.sub(lambda found: addresses.colab(named, f"{folder}{found['name']}"), line)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def write(folder: Path) -> list[Path]:
    """Write a copy of every notebook, the Spanish ones into `es`; return where they are."""
    written = []
    for source in sorted(NOTEBOOKS.rglob("*.ipynb")):
        path = folder / source.relative_to(NOTEBOOKS)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(copy(source), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if sys.argv[1:] else OUT
    print(f"{folder}: {len(write(folder))} notebooks for Colab")
