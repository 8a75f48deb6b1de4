"""The Spanish notebooks: each has the cells of the English one, in the same order, and says what it was made from.

A Markdown cell of `notebooks/es/NN_slug.ipynb` carries a stamp, `metadata.of`: the hash of the English cell that it was
translated from. Where the two no longer agree the translation has grown old. A code cell has the code of the English
one; comments and texts in quotes are its own.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from minitorch.course.judging.verdict import Kind

FOLDER = "es"
STAMP = "of"
WORDS_OF_A_SENTENCE = re.compile(r"\b[A-Za-z]{2,}(?: [A-Za-z]{2,}){3}\b")  # four words in a row
ENGLISH_DOCUMENT = re.compile(r"""\blang=(?:\\?"|'|&quot;)en\b""")


def is_spanish(path: Path) -> bool:
    """Say whether this is the notebook of a lesson in Spanish."""
    return path.parent.name == FOLDER


def english_of(path: Path) -> Path:
    """Return the English notebook that belongs to a Spanish one."""
    return path.parent.parent / path.name


def spanish_of(path: Path) -> Path:
    """Return the Spanish notebook that belongs to an English one; it need not be there."""
    return path.parent / FOLDER / path.name


def shown_name(path: Path) -> str:
    """Return a notebook's name as it is named in `notebooks/`."""
    return f"{FOLDER}/{path.name}" if is_spanish(path) else path.name


# --------------------------------------------------------------------------------------------------- stamps


def stamp_of(cell: dict[str, Any]) -> str:
    """Return the stamp of what is translated from this cell."""
    return hashlib.sha256("".join(cell["source"]).strip().encode()).hexdigest()[:16]


def renewed(english: dict[str, Any], spanish: dict[str, Any]) -> list[str]:
    """Stamp every Markdown cell of the Spanish notebook anew; return the names of those that change.

    Raises ValueError when the two do not have the same cells.
    """
    if fault := _other_cells(english, spanish):
        raise ValueError(fault)
    found = []
    for old, new in zip(english["cells"], spanish["cells"], strict=True):
        if new["cell_type"] == "markdown" and new["metadata"].get(STAMP) != stamp_of(old):
            new["metadata"][STAMP] = stamp_of(old)
            found.append(_name(new))
    return found


# --------------------------------------------------------------------------------------------------- faults


def faults(english: dict[str, Any], spanish: dict[str, Any]) -> Iterator[str]:
    """Say what is wrong with a Spanish notebook beside the English one."""
    if fault := _other_cells(english, spanish):
        yield fault
        return
    for number, (old, new) in enumerate(zip(english["cells"], spanish["cells"], strict=True), start=1):
        place = f"cell {number} ({_name(old)})"
        if new["cell_type"] == "markdown":
            stamp = new["metadata"].get(STAMP)
            if stamp is None:
                yield f"{place} has no stamp; once it is translated: python scripts/notebooks.py translated NN"
            elif stamp != stamp_of(old):
                yield f"{place} has grown old: the English one was changed after it was translated"
            continue
        if not same_code("".join(old["source"]), "".join(new["source"])):
            yield f"{place} has other code than the English one"
        if old["metadata"].get("tags") != new["metadata"].get("tags"):
            yield f"{place} has other tags than the English one"
        if fault := untranslated(old, new):
            yield f"{place} {fault}"


def _other_cells(english: dict[str, Any], spanish: dict[str, Any]) -> str:
    old, new = ([cell["cell_type"] for cell in each["cells"]] for each in (english, spanish))
    if old == new:
        return ""
    at = next((i for i, kinds in enumerate(zip(old, new)) if kinds[0] != kinds[1]), min(len(old), len(new)))
    return f"has {len(new)} cells, and the English one {len(old)}; from cell {at + 1} on they are not the same"


def _name(cell: dict[str, Any]) -> str:
    return str(cell.get("id", "unnamed"))


# ----------------------------------------------------------------------------------------------------- code

OF_THE_COURSE = {"check", "check_button", "engine", "found", "hint", "planted", "quiz", "review", "status", "yours"}


def same_code(english: str, spanish: str) -> bool:
    """Say whether two cells do the same, comments and texts in quotes set aside; names for the course do count."""
    if english == spanish:
        return True
    try:
        return _skeleton(english) == _skeleton(spanish)
    except SyntaxError:  # a command of IPython's
        return False


def _skeleton(source: str) -> str:
    return ast.dump(_Blank().visit(ast.parse(source)))


class _Blank(ast.NodeTransformer):
    """Takes the words out of a program. Of a text with fields, the fields stay, in any order."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave a call of the course as it is: its names are no words."""
        if isinstance(node.func, ast.Name) and node.func.id in OF_THE_COURSE:
            return node
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Empty a text."""
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Keep the fields, not what stands between them, nor how wide they are."""
        fields = [each for each in node.values if isinstance(each, ast.FormattedValue)]
        parts: list[ast.expr] = [
            ast.FormattedValue(self.visit(each.value), each.conversion, _precision(each.format_spec)) for each in fields
        ]
        return ast.JoinedStr(sorted(parts, key=ast.dump))


def _precision(spec: ast.expr | None) -> ast.expr | None:
    """Return what follows the width in a field's format; columns may be wider in another language."""
    if not (isinstance(spec, ast.JoinedStr) and all(isinstance(each, ast.Constant) for each in spec.values)):
        return spec
    text = "".join(str(each.value) for each in spec.values if isinstance(each, ast.Constant))
    kept = re.sub(r"^(?:.?[<>^])?\d*", "", text)
    return ast.JoinedStr([ast.Constant(kept)])


# -------------------------------------------------------------------------------------------------- outputs


def untranslated(english: dict[str, Any], spanish: dict[str, Any]) -> str:
    """Say what in the output of a Spanish cell is not in Spanish; or nothing."""
    if fault := verdict_untranslated(english, spanish):
        return fault
    for old, new in zip(_bundles(english), _bundles(spanish)):
        if any(ENGLISH_DOCUMENT.search("".join(each)) for each in new.values() if isinstance(each, (str, list))):
            return "shows a picture or a page in English"
        said = "".join(new.get("text/plain", ""))
        if said == "".join(old.get("text/plain", "")) and (same := WORDS_OF_A_SENTENCE.search(said)):
            return f"says the same as in English: {same[0]} …"
    return ""


def verdict_untranslated(english: dict[str, Any], spanish: dict[str, Any]) -> str:
    """Say whether a verdict is not in Spanish where the English cell shows one; nothing is solved."""
    english_word, word = (Kind.NOT_STARTED.to(language) for language in ("en", "es"))
    text = shown_text(spanish)
    is_in_spanish = (word in text) == (english_word in shown_text(english)) and english_word not in text
    return "" if is_in_spanish else f"shows no verdict in Spanish:\n{text}"


def shown_text(cell: dict[str, Any]) -> str:
    """Return what a cell shows, as plain text."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell["outputs"]]
    return "\n".join("".join(text) for text in texts)


def _bundles(cell: dict[str, Any]) -> list[dict[str, Any]]:
    return [output["data"] for output in cell["outputs"] if "data" in output]
