"""What is found in a program: a line, what to write instead, and why; and the text with all of it done."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from minitorch.language import Text

Span = tuple[int, int, int, int]  # first line, byte in it, last line, byte in it, as a syntax tree counts


@dataclass(frozen=True, slots=True)
class Sub:
    """A part of the program that stays; `atom`: something follows that must not take it apart."""

    node: ast.expr
    atom: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement: what stands at `span` becomes `parts`, text and parts of the program in turn."""

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
        """Where it is."""
        return self.span[0]


def span_of(node: ast.stmt | ast.expr | ast.keyword) -> Span:
    """Where a node stands."""
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0


class Draft:
    """A program's text with edits; one inside another is done as well."""

    def __init__(self, source: str, edits: list[Edit]) -> None:
        """Take the text that was parsed, and what changes in it."""
        self.lines = [line.encode() for line in source.splitlines(keepends=True)]
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        self.starts = starts
        self.bytes = b"".join(self.lines)
        self.edits = sorted(edits, key=lambda edit: (self._range(edit.span)[0], -self._range(edit.span)[1]))

    def _range(self, span: Span) -> tuple[int, int]:
        first, byte, last, end = span
        return self.starts[first - 1] + byte, self.starts[last - 1] + end

    def before(self, span: Span) -> str:
        """What stands there now."""
        start, end = self._range(span)
        return self.bytes[start:end].decode()

    def after(self, span: Span) -> str:
        """What stands there once all is done."""
        return self._between(*self._range(span), outer=None)

    def whole(self) -> str:
        """All of the program once all is done."""
        return self._between(0, len(self.bytes), outer=None)

    def _between(self, start: int, end: int, outer: Edit | None) -> str:
        written, here = [], start
        for edit in self._outermost(start, end, outer):
            first, last = self._range(edit.span)
            written += [self.bytes[here:first].decode(), self._written(edit)]
            here = last
        return "".join([*written, self.bytes[here:end].decode()])

    def _outermost(self, start: int, end: int, outer: Edit | None) -> Iterator[Edit]:
        here = start
        inside = outer is None
        for edit in self.edits:
            if edit is outer:
                inside = True  # what is sorted before it lies around it
                continue
            first, last = self._range(edit.span)
            if inside and here <= first and last <= end:
                yield edit
                here = last

    def _written(self, edit: Edit) -> str:
        written = []
        for part in edit.parts:
            if isinstance(part, str):
                written.append(part)
                continue
            text = self._between(*self._range(span_of(part.node)), outer=edit)
            bare = isinstance(part.node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Dict))
            whole = bare or not part.atom or (isinstance(part.node, ast.Constant) and isinstance(part.node.value, str))
            written.append(text if whole or isinstance(part.node, ast.Tuple) else f"({text})")
        return "".join(written)
