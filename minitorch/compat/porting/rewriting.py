"""Edits of a program's text: the span, what to write there, and the text with all edits made."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from minitorch.compat.porting.names import OURS
from minitorch.language import Message

Span = tuple[int, int, int, int]  # first line, byte in it, last line, byte in it, as a syntax tree counts
Part = ast.expr | ast.keyword
FIELD = re.compile(r"\{(\w+)\}")
CLOSED = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Dict, ast.Tuple)  # need no parentheses


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement: the text at `span` becomes `template`, with text or parts of the program in its `{fields}`."""

    span: Span
    template: str
    given: Mapping[str, str | Part | list[Part]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """A part of a program that must change. Without an `edit` it is left to a person."""

    span: Span
    why: Message
    edit: Edit | None = None


def span_of(node: ast.stmt | Part | ast.alias) -> Span:
    """Return the span of a node."""
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0


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
        return self._between(*self._range(span), [])

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
        written, *pieces = FIELD.split(edit.template)
        for name, after in zip(pieces[::2], pieces[1::2], strict=True):
            value = edit.given[name]
            if not isinstance(value, str):
                parts = value if isinstance(value, list) else [value]
                text = ", ".join(self._between(*self._range(span_of(part)), inside) for part in parts)
                # `a + b` before a dot, a bracket or another operator would be split.
                split = isinstance(value, ast.expr) and not isinstance(value, CLOSED)
                value = f"({text})" if split and after.startswith((".", "[", "(", " ")) else text
            written += value + after
        return written


def rewritten(source: str, findings: Sequence[Finding]) -> str:
    """Return the program with all certain edits made."""
    edits = [finding.edit for finding in findings if finding.edit]
    text = Draft(source, edits).whole()
    tree = ast.parse(text)
    # Where the program has no name for PyTorch as a whole, the edits say `minitorch.…`: its import is added after the
    # docstring and the imports from __future__.
    if any(edit.given.get("t") == OURS and "{t}" in edit.template for edit in edits):
        first: list[ast.stmt] = [
            node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        ]
        first += tree.body[:1] if ast.get_docstring(tree) is not None else []
        after = max([node.end_lineno or 0 for node in first], default=0)
        lines = text.splitlines(keepends=True)
        text = "".join([*lines[:after], f"import {OURS}\n", *lines[after:]])
    return text
