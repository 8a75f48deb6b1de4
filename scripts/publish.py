"""Notebooks as they are committed: the same bytes whoever ran them, and readable where no widget lives.

A widget's view without its kernel shows an error, even beside a card; so the view goes and the card stays.
"""

from __future__ import annotations

import copy
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KEPT_CELL_METADATA = ("of", "slideshow", "tags")  # of: what a cell was translated from, see translations.py
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
LONGEST_ID = 48  # letters; the format allows 64, and a number follows


def normalise(notebook: dict[str, Any]) -> dict[str, Any]:
    """A copy of a notebook without what differs between two runs of the same cells.

    Widget views go where a picture or a text stands beside them, the widgets' state with them. Cells are named after
    the heading they stand under; those that were run are numbered from 1; metadata that no reader sees goes. Doing it
    twice changes nothing.

    Raises ValueError when it is no notebook of format 4.
    """
    if notebook.get("nbformat") != 4 or not isinstance(notebook.get("cells"), list):
        raise ValueError("this is no notebook of format 4")
    clean = copy.deepcopy(notebook)
    clean["nbformat_minor"] = 5
    count = 0
    for cell, name in zip(clean["cells"], _names(clean["cells"]), strict=True):
        cell["id"] = name
        cell["source"] = _lines(cell.get("source", ""))
        cell["metadata"] = {key: cell["metadata"][key] for key in KEPT_CELL_METADATA if key in cell.get("metadata", {})}
        if cell["cell_type"] == "code":
            count += cell.get("execution_count") is not None
            cell["execution_count"] = None if cell.get("execution_count") is None else count
            cell["outputs"] = [_output(each, cell["execution_count"]) for each in _joined(cell.get("outputs", []))]
    state = clean.get("metadata", {}).get("widgets")
    clean["metadata"] = copy.deepcopy(NOTEBOOK_METADATA)
    if state and any(WIDGET_VIEW in data for data in _bundles(clean)):
        clean["metadata"]["widgets"] = state
    return clean


def as_text(notebook: dict[str, Any]) -> str:
    """The file's text, laid out as Jupyter itself does."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _names(cells: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A slug for each cell: its heading and a number, each name once."""
    heading = "top"
    used: Counter[str] = Counter()
    for cell in cells:
        text = "".join(cell.get("source", ""))
        title = re.match(r"#+ +(.+)", text) if cell["cell_type"] == "markdown" else None
        if title:
            ascii_only = unicodedata.normalize("NFKD", title[1]).encode("ascii", "ignore").decode()
            heading = re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")[:LONGEST_ID] or "section"
        used[heading] += 1
        yield f"{heading}-{used[heading]}"


def _joined(outputs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The outputs, with what one stream wrote in pieces put together: where it breaks is chance."""
    found: list[dict[str, Any]] = []
    for output in outputs:
        before = found[-1] if found else {}
        if output["output_type"] == "stream" and before.get("name") == output["name"]:
            before["text"] = "".join([*before["text"], *output["text"]])
        else:
            found.append(output)
    return found


def _output(output: dict[str, Any], count: int | None) -> dict[str, Any]:
    if output["output_type"] == "stream":
        output["text"] = _lines(output["text"])
    if output["output_type"] in ("display_data", "execute_result"):
        output["metadata"] = {}
        data = output["data"]
        if len(data) > 1:
            data.pop(WIDGET_VIEW, None)
        for kind, content in data.items():
            if kind.startswith("text/") or kind in ("image/svg+xml", "application/javascript"):
                data[kind] = _lines(content)
    if output["output_type"] == "execute_result":
        output["execution_count"] = count
    return output


def _bundles(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            yield output.get("data", {})


def _lines(text: str | list[str]) -> list[str]:
    """A text as the format stores it: a list of lines that keep their ends."""
    return "".join(text).splitlines(keepends=True)
