"""Finding, emptying and replacing one definition in a file's text, by line ranges; the rest stays byte for byte."""

from __future__ import annotations

import ast
import functools
import io
import re
import textwrap
import tokenize
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from minitorch.course.course_error import CourseError

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
NOT_WRITTEN = "raise NotImplementedError"
BODIES = ("body", "handlers", "orelse", "finalbody", "cases")  # where a node has statements, and what holds some
GIVEN = re.compile(r"\((?:given|dad[oa]s?)\b")


@dataclass(frozen=True, slots=True)
class Span:
    """Lines `first` to `last` (counted from 1, both included) and the indentation they start with."""

    first: int
    last: int
    indent: str


def lines_of(source: str) -> list[str]:
    """The lines as Python counts them, with their ends; `str.splitlines` also splits at a form feed."""
    return list(io.StringIO(source, newline=""))


@functools.lru_cache(maxsize=4)
def tree_of(source: str) -> ast.Module:
    """The syntax tree of a text, which is looked at and not changed: what one file is asked comes many times.

    Raises SyntaxError and ValueError for what is no Python.
    """
    return ast.parse(source)


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement below a node, the outer ones first: expressions, most of a tree, hold none."""
    waiting = deque([tree])
    while waiting:
        node = waiting.popleft()
        for name in BODIES:
            inner = getattr(node, name, None)
            if isinstance(inner, list):  # a lambda's body is an expression
                waiting += inner
                yield from inner


def find(source: str, target: str) -> Span | None:
    """Where `target` ("function" or "Class.method") is defined, decorators included; None when it is not.

    Where a name is defined twice, the last one counts, as it does for Python. Raises SyntaxError for broken source.
    """
    node = _find_node(tree_of(source), target)
    return None if node is None else _span(node, lines_of(source))


def is_written(source: str, target: str) -> bool:
    """Whether the definition of `target` is there and does not say any more that it is not written."""
    try:
        span = find(source, target)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return span is not None and NOT_WRITTEN not in "".join(lines_of(source)[span.first - 1 : span.last])


def text_of(source: str, target: str) -> str:
    """The text of one definition, as it stands in the file. Raises CourseError when it is not there."""
    span = _find_or_raise(source, target)
    return "".join(lines_of(source)[span.first - 1 : span.last])


def replace(source: str, target: str, definition: str) -> str:
    """`source` with the definition of `target` replaced; `definition` is indented to fit.

    Raises CourseError when the source does not define `target`.
    """
    span = _find_or_raise(source, target)
    return replace_span(source, span, definition)


def replace_span(source: str, span: Span, definition: str) -> str:
    """`source` with the lines of `span` replaced by `definition`, indented to fit, its line ends the same."""
    lines = lines_of(source)
    text = fitted(definition, span.indent)
    if lines[span.first - 1].endswith("\r\n"):
        text = text.replace("\n", "\r\n")
    return "".join([*lines[: span.first - 1], text, *lines[span.last :]])


def fitted(definition: str, indent: str) -> str:
    """A definition on lines of its own, with this indentation."""
    return textwrap.indent(textwrap.dedent(definition).strip("\n") + "\n", indent)


def empty_targets(source: str, targets: Sequence[str]) -> str:
    """`source` with the body of every target replaced by `raise NotImplementedError`, docstrings kept.

    In a class given as target, every method is emptied. Raises CourseError when a target is not defined.
    """
    tree = tree_of(source)
    lines = lines_of(source)
    holes: dict[int, tuple[int, str]] = {}
    for target in targets:
        node = _find_node(tree, target)
        if node is None:
            raise CourseError(f"{target} is named in lesson.toml but not defined in the solution")
        for function in _functions(node):
            first, last, indent = _body_after_docstring(function, lines)
            holes[first] = (last, indent)
    for first in sorted(holes, reverse=True):
        last, indent = holes[first]
        lines[first - 1 : last] = [f"{indent}{NOT_WRITTEN}\n"]
    return "".join(lines)


def guess_span(source: str, target: str) -> Span | None:
    """Where `target` seems to be defined in a file that does not parse, going by indentation alone."""
    lines = lines_of(source)
    first, last, indent = 1, len(lines), ""
    for name in target.split("."):
        found = [
            number
            for number in range(first, last + 1)
            if lines[number - 1].lstrip().startswith((f"def {name}(", f"class {name}(", f"class {name}:"))
        ]
        if not found:
            return None
        first = found[-1]
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        last = _last_line_of_block(lines, first, len(indent), last)
    while first > 1 and lines[first - 2].startswith(f"{indent}@"):
        first -= 1
    return Span(first, last, indent)


def _last_line_of_block(lines: Sequence[str], first: int, indent: int, end: int) -> int:
    last = first
    for number in range(first + 1, end + 1):
        text = lines[number - 1]
        if not text.strip():
            continue
        if len(text) - len(text.lstrip()) <= indent and not text.lstrip().startswith(")"):
            break
        last = number
    return last


def bare(definition: str) -> str:
    """One definition's text without its docstrings, comments and common indentation.

    Raises SyntaxError when it is no Python.
    """
    text = textwrap.dedent(definition)
    lines = lines_of(text)
    dropped = {number for node in ast.walk(ast.parse(text)) for number in _docstring_lines(node)}
    for token in tokenize.generate_tokens(iter(lines).__next__):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            lines[line - 1] = lines[line - 1][:column].rstrip() + "\n"
            if lines[line - 1] == "\n":
                dropped.add(line)
    return "".join(text for number, text in enumerate(lines, start=1) if number not in dropped)


def _docstring_lines(node: ast.AST) -> range:
    if isinstance(node, Definition) and ast.get_docstring(node, clean=False) is not None and len(node.body) > 1:
        return range(node.body[0].lineno, node.body[1].lineno - _decorators(node.body[1]))
    return range(0)


def _decorators(node: ast.stmt) -> int:
    return len(node.decorator_list) if isinstance(node, Definition) else 0


def _find_or_raise(source: str, target: str) -> Span:
    span = find(source, target)
    if span is None:
        raise CourseError(f"{target} is not defined in this file")
    return span


def _find_node(tree: ast.Module, target: str) -> Definition | None:
    scope: ast.Module | Definition = tree
    for name in target.split("."):
        found = [node for node in scope.body if isinstance(node, Definition) and node.name == name]
        if not found:
            return None
        scope = found[-1]
    return scope if isinstance(scope, Definition) else None


def _span(node: Definition, lines: Sequence[str]) -> Span:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    text = lines[first - 1]
    return Span(first, node.end_lineno or node.lineno, text[: len(text) - len(text.lstrip())])


def _functions(node: Definition) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    if isinstance(node, ast.ClassDef):
        for member in node.body:
            if isinstance(member, Definition):
                yield from _functions(member)
    else:
        yield node


def _body_after_docstring(
    function: ast.FunctionDef | ast.AsyncFunctionDef, lines: Sequence[str]
) -> tuple[int, int, str]:
    """The first and last line of what a stub leaves out, and its indentation."""
    body = function.body
    documented = ast.get_docstring(function, clean=False) is not None
    if documented and len(body) == 1:
        raise CourseError(f"{function.name} has nothing to take out of its body")
    first = (body[0].end_lineno or body[0].lineno) + 1 if documented else body[0].lineno
    while not documented and lines[first - 2].lstrip().startswith("#"):
        first -= 1
    if first <= function.lineno:
        raise CourseError(f"the body of {function.name} must start on a line of its own")
    return first, function.end_lineno or function.lineno, " " * body[0].col_offset


def written_around(source: str, line: int) -> str | None:
    """What stands beside the `raise` at `line` in its function: "below" it, only "above" it, or None for nothing."""
    for function in _all_functions(source):
        if function.lineno < line <= (function.end_lineno or 0):
            body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
            below = [node for node in body if node.lineno > line]
            above = [node for node in body if node.lineno < line]
            return "below" if below else "above" if above else None
    return None


def thrown_comparison(source: str, target: str) -> int | None:
    """The line in `target` of a statement that only compares with ==; None where there is none, or no Python."""
    try:
        node = _find_node(tree_of(source), target)
    except (SyntaxError, ValueError):
        return None
    for each in statements(node) if node else ():
        comparison = each.value if isinstance(each, ast.Expr) else None
        if isinstance(comparison, ast.Compare) and all(isinstance(sign, ast.Eq) for sign in comparison.ops):
            return comparison.lineno
    return None


def given_functions(source: str) -> frozenset[str]:
    """The functions of a lesson's file that are no exercise: "(given" or "(dada" stands in their docstrings.

    A method is called with its class: Value.__init__.
    """
    try:
        classes = [node for node in statements(tree_of(source)) if isinstance(node, ast.ClassDef)]
    except (SyntaxError, ValueError):
        classes = []
    methods = {(each.name, each.lineno): f"{one.name}.{each.name}" for one in classes for each in _functions_in(one)}
    given = [node for node in _all_functions(source) if GIVEN.search(ast.get_docstring(node) or "")]
    return frozenset(methods.get((node.name, node.lineno), node.name) for node in given)


def _functions_in(node: ast.ClassDef) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [each for each in node.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _all_functions(source: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a file, the innermost first."""
    try:
        tree = tree_of(source)
    except (SyntaxError, ValueError):
        return []
    functions = [node for node in statements(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return sorted(functions, key=lambda node: -node.lineno)


def parses(source: str) -> bool:
    """Whether `source` is Python."""
    try:
        tree_of(source)
    except (SyntaxError, ValueError):
        return False
    return True
