"""What a stub says, in another language: its docstrings and comments, from a lesson's `statements.toml`.

The file has a table for each language. A key is what a docstring belongs to ("Value.__add__", "" for the module), or a
comment as it stands in the solution ("# the switch"): the first line of several, all of which are replaced. A rule's
dashes are left out ("# given" for "# ----- given"), and drawn anew.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import textwrap
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from minitorch.course.files.source_code import lines_of
from minitorch.course.manifest import Lesson
from minitorch.course.texts.error import CourseError

FILE = "statements.toml"
RULE = re.compile(r"# -{3,} (?=\S)")
NO_WORDS = re.compile(r"#\W*(?:noqa\b.*|type: ignore\b.*)?$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A docstring or a comment: what it is called, and where it stands (lines counted from 1, both included)."""

    key: str
    first: int
    last: int
    column: int

    @property
    def is_comment(self) -> bool:
        """Whether it is a comment."""
        return self.key.startswith("#")


def statements(lesson: Lesson, lang: str) -> dict[str, str]:
    """A lesson's statements in a language; none where nobody has translated them. Raises CourseError."""
    path = lesson.folder / FILE
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")).get(lang, {})
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise CourseError(f"{lesson.folder.name}/{FILE}: {error}") from error
    if not all(isinstance(text, str) and text.strip() for text in table.values()):
        raise CourseError(f"{lesson.folder.name}/{FILE}: each statement is a text in quotes")
    return dict(table)


def said_otherwise(source: str, texts: Mapping[str, str]) -> str:
    """A stub's text with these statements in the place of its own; what is not among them stays.

    Raises CourseError when a key names nothing in the stub, or a text cannot be a docstring.
    """
    places = {each.key: each for each in said(source)}
    if unknown := sorted(set(texts) - set(places)):
        raise CourseError(f"{FILE}: there is no docstring and no comment called {unknown[0]!r}")
    lines = lines_of(source)
    for key, text in sorted(texts.items(), key=lambda item: -places[item[0]].first):
        place = places[key]
        before = lines[place.first - 1][: place.column]
        old = lines[place.first - 1][place.column :].rstrip()
        made = _comment(text, place.column, old) if place.is_comment else _docstring(text, before)
        lines[place.first - 1 : place.last] = [f"{before}{made}\n"]
    changed = "".join(lines)
    _must_say(changed, texts)
    return changed


def said(source: str) -> Iterator[Statement]:
    """Every docstring of a file, and every comment that has words."""
    yield from _docstrings(ast.parse(source), "")
    yield from (each for each in _comments(source) if not NO_WORDS.fullmatch(each.key))


def _comments(source: str) -> Iterator[Statement]:
    """The comments, those in lines of their own that follow one another as one."""
    block: Statement | None = None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        line, column = token.start
        stands_alone = not token.line[:column].strip()
        if block and stands_alone and (line, column) == (block.last + 1, block.column):
            block = Statement(block.key, block.first, line, column)
            continue
        if block:
            yield block
        block = Statement(RULE.sub("# ", token.string), line, line, column)
    if block:
        yield block


def _docstrings(node: ast.AST, name: str) -> Iterator[Statement]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _docstrings(child, f"{name}.{child.name}".lstrip("."))
    if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            yield Statement(name, first.lineno, first.end_lineno or first.lineno, first.col_offset)


def _docstring(text: str, indent: str) -> str:
    text = textwrap.dedent(text).strip()
    first, *more = text.split("\n")
    prefix = "r" if "\\" in text else ""
    body = textwrap.indent("\n".join(more), indent)
    return f'{prefix}"""{first}\n{body}\n{indent}"""' if more else f'{prefix}"""{first}"""'


def _comment(text: str, column: int, old: str) -> str:
    first, *more = text.strip().split("\n")
    if RULE.match(old):
        words = first.removeprefix("# ")
        first = f"# {'-' * (len(old) - len(words) - 3)} {words}"
    return f"\n{' ' * column}".join([first, *more])


def _must_say(source: str, texts: Mapping[str, str]) -> None:
    """Raise CourseError unless each docstring is what was wanted: quotes in it may have ended it too early."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise CourseError(f"{FILE}: with its texts the stub is no Python: {error}") from error
    docstrings = dict(_texts(tree, ""))
    for key, text in texts.items():
        if not key.startswith("#") and docstrings.get(key) != inspect.cleandoc(text):
            raise CourseError(f'{FILE}: the text of {key!r} cannot stand in a docstring; has it """ in it?')


def _texts(node: ast.AST, name: str) -> Iterator[tuple[str, str | None]]:
    if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield name, ast.get_docstring(node)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _texts(child, f"{name}.{child.name}".lstrip("."))
