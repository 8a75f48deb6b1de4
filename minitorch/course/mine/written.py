"""A lesson's merged code as text again: the learner's lines as they stand, comments and all, the reference's marked.

A merged tree knows of each statement which of the two files it is from, and where it stands there. So the text is put
together from the lines of both; where that does not come to the same code, it is written anew from the tree.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from minitorch.course.files import source_code
from minitorch.course.files.source_code import Definition
from minitorch.course.mine.merging import SHIFT

Place = tuple[int, int]  # line and column at which a statement begins


def written(tree: ast.Module, own: str, solution: str, marked: Mapping[str, str]) -> str:
    """The text of a lesson's code.

    tree: what `merging.merge` made, statements taken out or not. own, solution: the two files that it was made of.
    marked: the qualified name of each piece of the reference's -> the comment that stands above it.
    """
    text = _Writer(_File(own), _File(solution), marked).module(tree)
    if _same(text, tree):
        return text
    notes = [f"{name}: {comment}" for name, comment in marked.items()]
    return "\n".join([*(f"# {note}" for note in notes), ast.unparse(tree), ""])


def with_imports(text: str, lines: Collection[str]) -> str:
    """The text with lines of imports below its docstring and its `__future__` lines."""
    if not lines:
        return text
    body = ast.parse(text).body
    place = 0
    for at, statement in enumerate(body):
        is_docstring = at == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not (is_docstring or is_future):
            break
        place = statement.end_lineno or 0
    head, rest = source_code.lines_of(text)[:place], source_code.lines_of(text)[place:]
    space = ["\n"] if head else []
    return "".join([*head, *space, *(f"{line}\n" for line in lines), *rest])


class _File:
    """A file's lines, and for each statement the first of those that belong to it: comments above it do."""

    def __init__(self, source: str) -> None:
        self.lines = [line.rstrip("\r\n") for line in source_code.lines_of(source)]
        self.nodes: dict[Place, ast.stmt] = {}
        self.begins: dict[Place, int] = {}
        self.ends = self._look_at(ast.parse(source).body, 1)

    def _look_at(self, body: Sequence[ast.stmt], begin: int) -> int:
        """Returns the line after the last statement."""
        for statement in body:
            place = statement.lineno, statement.col_offset
            self.nodes[place], self.begins[place] = statement, begin
            if isinstance(statement, ast.ClassDef):
                self._look_at(statement.body, first_line(statement.body[0]))
            begin = (statement.end_lineno or statement.lineno) + 1
        return begin

    def between(self, first: int, last: int) -> list[str]:
        """The lines from `first` to `last`, both counted from 1 and included."""
        return self.lines[first - 1 : last]


def first_line(statement: ast.stmt) -> int:
    """Where a statement begins, decorators included."""
    decorators = statement.decorator_list if isinstance(statement, Definition) else []
    return min([statement.lineno, *(each.lineno for each in decorators)])


@dataclass
class _Writer:
    own: _File
    solution: _File
    marked: Mapping[str, str]

    def module(self, tree: ast.Module) -> str:
        lines = [*self._body(tree.body, "", ""), *self.own.lines[self.own.ends - 1 :]]
        return "\n".join(_without_ends(lines)) + "\n"

    def _body(self, body: Sequence[ast.stmt], prefix: str, indent: str) -> Iterator[str]:
        for statement in body:
            if isinstance(statement, ast.Pass) and self._stands_for_nothing(statement):
                yield f"{indent}pass"
            elif statement.lineno > SHIFT:
                yield from self._borrowed(statement, prefix, indent)
            else:
                yield from self._kept(statement, prefix)

    def _stands_for_nothing(self, statement: ast.Pass) -> bool:
        """Whether it is in neither file: it came in when all that a class defines was taken out."""
        file, shift = (self.solution, SHIFT) if statement.lineno > SHIFT else (self.own, 0)
        return not isinstance(file.nodes.get((statement.lineno - shift, statement.col_offset)), ast.Pass)

    def _kept(self, statement: ast.stmt, prefix: str) -> Iterator[str]:
        """A statement of the learner's, from the end of the one before it."""
        place = statement.lineno, statement.col_offset
        if not isinstance(statement, ast.ClassDef):
            yield from self.own.between(self.own.begins[place], statement.end_lineno or statement.lineno)
            return
        yield from self.own.between(self.own.begins[place], first_line(statement) - 1)
        yield from self._class(statement, 0, self.own, prefix)

    def _borrowed(self, statement: ast.stmt, prefix: str, indent: str) -> Iterator[str]:
        """A statement of the reference's, with the comments above it and as much space."""
        first = first_line(statement) - SHIFT
        begin = self.solution.begins[statement.lineno - SHIFT, statement.col_offset]
        yield from _fitted(self.solution.between(begin, first - 1), indent)
        name = prefix + statement.name if isinstance(statement, Definition) else ""
        if name in self.marked:
            yield f"{indent}# {self.marked[name]}"
        if isinstance(statement, ast.ClassDef):
            yield from _fitted(list(self._class(statement, SHIFT, self.solution, prefix)), indent)
        else:
            last = (statement.end_lineno or statement.lineno) - SHIFT
            yield from _fitted(self.solution.between(first, last), indent)

    def _class(self, made: ast.ClassDef, shift: int, file: _File, prefix: str) -> Iterator[str]:
        """A class whose head or methods may be others than they are in its file."""
        before = file.nodes[made.lineno - shift, made.col_offset]
        assert isinstance(before, ast.ClassDef)
        indent = " " * before.body[0].col_offset
        if [ast.dump(base) for base in made.bases] == [ast.dump(base) for base in before.bases]:
            yield from file.between(first_line(before), first_line(before.body[0]) - 1)
        else:
            head = copy.copy(before)
            head.bases, head.body = made.bases, []
            yield from ast.unparse(head).splitlines()
        yield from self._body(made.body, f"{prefix}{made.name}.", indent)


def _fitted(lines: Sequence[str], indent: str) -> list[str]:
    """The lines with another indentation, empty ones before them as they are."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    if not filled:
        return list(lines)
    text = source_code.fitted("\n".join(lines), indent).splitlines()
    return [*[""] * filled[0], *text, *[""] * (len(lines) - 1 - filled[-1])]


def _without_ends(lines: Sequence[str]) -> list[str]:
    """The lines without empty ones at the beginning and at the end, and never more than two between."""
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and any(each.strip() for each in kept[-2:])):
            kept.append(line)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _same(text: str, tree: ast.Module) -> bool:
    try:
        return ast.dump(ast.parse(text)) == ast.dump(tree)
    except (SyntaxError, ValueError):
        return False
