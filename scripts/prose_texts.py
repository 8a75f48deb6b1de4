"""Read the prose of the repository: Markdown of notebooks and pages, lessons, docstrings, comments, messages, formulas.

Each text keeps the lines of its file: what is not prose is blank. The stubs in `exercises/` are not read, for they are
made from the solutions.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

KINDS = frozenset({"notebook", "page", "lesson", "docstring", "opening", "comment", "message", "formula"})
FILES = (
    *("*.md", "docs/*.md", "notebooks/*.md", "notebooks/es/*.md", "site/en/**/*.md", "site/es/**/*.md"),
    *("notebooks/*.ipynb", "notebooks/es/*.ipynb", "minitorch/**/*.toml", "minitorch/**/*.po", "site/**/*.po"),
    *("minitorch/**/*.py", "solutions/*.py", "examples/**/*.py", "scripts/*.py", "benchmarks/**/*.py"),
)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)
# Not prose: blocks and words of code, formulas, the targets of links, HTML tags, addresses, lines of a Python session.
CODE = re.compile(
    r"```.*?```|``.+?``|`[^`\n]+`|\$\$.*?\$\$|\$[^$\n]+\$|(?<=\])\([^)\s]*\)|</?\w[^>\n]*>|https?://\S+"
    r"|^ *(?:>>>|\.\.\.) [^\n]*",
    re.DOTALL | re.MULTILINE,
)
# Not a variable in a formula: words that stand upright, environments, commands.
UPRIGHT = re.compile(r"\\(?:text|mathrm|operatorname\*?|begin|end)\{[^}]*\}|\\[a-zA-Z]+")
COMMENT = re.compile(r"(?:^|\s)#:? (.*)")

Part = tuple[str, str, int, str]  # kind, language, line of the file from 0, text


class Text(NamedTuple):
    """Prose of one kind and language, with the lines of its file."""

    kind: str
    language: str
    prose: str


def files(root: Path) -> list[Path]:
    """Return the files of a repository that have prose, sorted."""
    return sorted({path for pattern in FILES for path in root.glob(pattern)})


def texts(path: Path, root: Path) -> Iterator[Text]:
    """Yield the prose of a file by kind and language."""
    source = path.read_text(encoding="utf-8")
    language = "es" if "es" in path.relative_to(root).parts else "en"
    lines = source.count("\n") + 1
    if path.suffix == ".py":
        parts = _of_python(source)
    elif path.suffix == ".toml":
        parts = _of_toml(source)
    elif path.suffix == ".ipynb":
        parts = (each for line, cell in markdown(source) for each in _of_page("notebook", language, line, cell))
    elif path.suffix == ".po":
        parts = _of_catalogue(source)
    else:
        parts = _of_page("page", language, 0, source)
    pages: dict[tuple[str, str], list[str]] = {}
    for kind, lang, first, part in parts:
        page = pages.setdefault((kind, lang), [""] * lines)
        for offset, line in enumerate(plain(kind, part).split("\n")):
            row = min(first + offset, lines - 1)
            page[row] = f"{page[row]} ¦ {line}" if page[row] else line
    yield from (Text(kind, lang, "\n".join(page)) for (kind, lang), page in pages.items())


def plain(kind: str, part: str) -> str:
    """Return a text with what is not prose, in a formula what is not a variable, blank."""
    return (UPRIGHT if kind == "formula" else CODE).sub(_blank, part)


def _blank(code: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "`", code[0])


def _of_page(kind: str, language: str, line: int, page: str) -> Iterator[Part]:
    yield kind, language, line, page
    for formula in FORMULA.finditer(page):
        yield "formula", language, line + page.count("\n", 0, formula.start()), formula[0]


def markdown(source: str) -> Iterator[tuple[int, str]]:
    """Yield the Markdown cells of a notebook, each with the line of the file, from 0, that it begins at."""
    lines = [line.strip().rstrip(",") for line in source.split("\n")]
    at = 0
    for cell in json.loads(source)["cells"]:
        if cell["cell_type"] == "markdown" and cell["source"]:
            first = json.dumps(cell["source"][0], ensure_ascii=False)
            at = lines.index(first, at) if first in lines[at:] else at
            yield at, "".join(cell["source"])


def _of_python(source: str) -> Iterator[Part]:
    tree = ast.parse(source)
    opened: set[int] = set()  # the nodes of docstrings
    inside: set[int] = set()  # the lines of strings that go over several
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                opened.add(id(first.value))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            line, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
            if last > line:
                inside.update(range(line, last + 1))
            if id(node) in opened:
                yield "opening", "en", line, node.value.partition("\n")[0]
                yield "docstring", "en", line, node.value
            elif " " in node.value:
                yield "message", "en", line, node.value
    for line, code in enumerate(source.split("\n")):
        if line not in inside and (comment := COMMENT.search(code)):
            yield "comment", "en", line, comment[1]


def _of_toml(source: str) -> Iterator[Part]:
    at = 0
    for language, value in _sentences(tomllib.loads(source), ""):
        first = value.split("\n", 1)[0]
        escaped = first.replace("\\", "\\\\").replace('"', '\\"')
        at = max(source.find(first, at), source.find(escaped, at), at)
        yield "lesson", language, source.count("\n", 0, at), value


def _sentences(value: Any, language: str) -> Iterator[tuple[str, str]]:
    """Yield the strings below a key `en` or `es`, with that language."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _sentences(each, key if key in {"en", "es"} else language)
    elif isinstance(value, list):
        for each in value:
            yield from _sentences(each, language)
    elif isinstance(value, str) and language:
        yield language, value


def _of_catalogue(source: str) -> Iterator[Part]:
    translated = False
    for line, entry in enumerate(source.split("\n")):
        translated = entry.startswith("msgstr") or (translated and entry.startswith('"'))
        if translated:
            yield "message", "es", line, entry.partition('"')[2].rstrip('"').replace('\\"', '"')
