"""Edits of a program's text: a place in it, what to write there, and the text with all edits made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from minitorch.compat.porting.names import OURS
from minitorch.language import Text

Span = tuple[int, int, int, int]  # first line, byte in it, last line, byte in it, as a syntax tree counts
Argument = ast.expr | ast.keyword
CLOSED = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Dict, ast.Tuple)  # need no parentheses


@dataclass(frozen=True, slots=True)
class Sub:
    """A part of the program that stays; `atom`: parentheses are added where the text that follows would split it."""

    node: ast.expr
    atom: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement: the text at `span` becomes `parts`, text and parts of the program in turn."""

    span: Span
    parts: tuple[str | Sub, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that must change. Without an `edit` it is left to a person."""

    span: Span
    why: Text
    edit: Edit | None = None

    @property
    def line(self) -> int:
        """The first line of its place."""
        return self.span[0]


def span_of(node: ast.stmt | ast.expr | ast.keyword | ast.alias) -> Span:
    """Return the place of a node."""
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0


def filled(template: str, given: Mapping[str, str | ast.expr | Sequence[Argument]]) -> tuple[str | Sub, ...] | None:
    """Fill `{x}.eq({y})` in with text, expressions or arguments; None where a field has no value."""
    pieces = re.split(r"\{(\w+)\}", template)
    parts: list[str | Sub] = [pieces[0]]
    for name, after in zip(pieces[1::2], pieces[2::2], strict=True):
        value = given.get(name)
        if value is None:
            return None
        if isinstance(value, str):
            parts.append(value)
        elif isinstance(value, ast.expr):
            parts.append(Sub(value, atom=after.startswith((".", "[", "(", " "))))
        elif value:
            parts += _arguments(value)
        else:  # a comma before no argument
            parts[-1] = str(parts[-1]).removesuffix(", ")
        parts.append(after)
    return tuple(parts)


def _arguments(given: Sequence[Argument]) -> Iterator[str | Sub]:
    for place, each in enumerate(given):
        comma = ", " if place else ""
        if isinstance(each, ast.keyword):
            yield comma + (f"{each.arg}=" if each.arg else "**")
            yield Sub(each.value)
        else:
            yield comma + "*" * isinstance(each, ast.Starred)
            yield Sub(each.value if isinstance(each, ast.Starred) else each)


class Draft:
    """A program's text with edits; an edit inside a part that another edit keeps is made as well."""

    def __init__(self, source: str, edits: list[Edit]) -> None:
        """Take the text that was parsed, and its edits."""
        lines = [line.encode() for line in source.splitlines(keepends=True)]
        self.starts = [0, *accumulate(map(len, lines))]
        self.bytes = b"".join(lines)
        self.edits = sorted(edits, key=lambda edit: (self._range(edit.span)[0], -self._range(edit.span)[1]))

    def _range(self, span: Span) -> tuple[int, int]:
        first, byte, last, end = span
        return self.starts[first - 1] + byte, self.starts[last - 1] + end

    def before(self, span: Span) -> str:
        """Return the program's text at a place."""
        start, end = self._range(span)
        return self.bytes[start:end].decode()

    def after(self, span: Span) -> str:
        """Return the edited text at a place."""
        return self._between(*self._range(span), self.edits)

    def whole(self) -> str:
        """Return the whole edited text."""
        return self._between(0, len(self.bytes), self.edits)

    def _between(self, start: int, end: int, edits: list[Edit]) -> str:
        written, here = [], start
        for number, edit in enumerate(edits):
            first, last = self._range(edit.span)
            if here <= first and last <= end:
                written += [self.bytes[here:first].decode(), self._written(edit, edits[number + 1 :])]
                here = last
        return "".join([*written, self.bytes[here:end].decode()])

    def _written(self, edit: Edit, inside: list[Edit]) -> str:
        """Write an edit; those sorted behind it may lie inside its parts, those before it lie around it."""
        written = []
        for part in edit.parts:
            if isinstance(part, str):
                written.append(part)
                continue
            text = self._between(*self._range(span_of(part.node)), inside)
            quoted = isinstance(part.node, ast.Constant) and isinstance(part.node.value, str)
            written.append(text if not part.atom or quoted or isinstance(part.node, CLOSED) else f"({text})")
        return "".join(written)


def rewritten(source: str, findings: Sequence[Finding]) -> str:
    """Return the program with all certain edits made."""
    edits = [finding.edit for finding in findings if finding.edit]
    text = Draft(source, edits).whole()
    # Where the program has no name for PyTorch as a whole, the edits say `minitorch.…`.
    if any(OURS in edit.parts for edit in edits):
        text = _with_import(text)
    ast.parse(text)
    return text


def _with_import(text: str) -> str:
    """Add `import minitorch` after the docstring and the imports from __future__."""
    after = 0
    for place, node in enumerate(ast.parse(text).body):
        is_doc = place == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_doc and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        after = node.end_lineno or node.lineno
    parts = text.splitlines(keepends=True)
    return "".join([*parts[:after], f"import {OURS}\n", *parts[after:]])
