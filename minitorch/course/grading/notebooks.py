"""A notebook that was handed in, as a lesson's file: the stub, with what the notebook's cells define in its place.

Nothing of it is run here. Taken are functions, classes, constants, and imports of the standard library and of NumPy;
all else in the cells (plots, trials, checks) is left. Of two definitions of a name the later one counts, as it does in
a notebook that is run from top to bottom.
"""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Iterator
from typing import Any

from minitorch.course.files.decoding import NotTextError
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.notebook_json import notebook_in
from minitorch.course.files.source_code import Definition, find, guess_span, lines_of, replace
from minitorch.course.files.stubs import stub_source
from minitorch.course.manifest import Lesson
from minitorch.language import Message, languages

MOST_BYTES = 16 << 20  # of a notebook, its outputs included
TYPED_TO_IPYTHON = re.compile(r"^\s*(?:[%!?]|\S+\?$)")
BROKEN = (SyntaxError, ValueError, RecursionError, MemoryError)


def file_of(data: bytes, lesson: Lesson, shown: str) -> LearnerFile | None:
    """The lesson's file that a notebook amounts to; None where it holds no exercise of the lesson.

    What is wrong with it is its `problem`, which calls it what `shown` says.
    """
    if len(data) > MOST_BYTES:
        return LearnerFile(
            lesson.file_name,
            "",
            "",
            Message("{file} is larger than 1 MiB: take out what is no code, such as data or outputs", file=shown),
        )
    try:
        cells = [*_code(notebook_in(data, shown))]
    except NotTextError as error:
        return LearnerFile(lesson.file_name, "", "", error.why)
    tops = {exercise.target.partition(".")[0] for exercise in lesson.exercises}
    definitions: dict[str, str] = {}
    more: dict[str, str] = {}
    for cell in cells:
        for name, text in _taken(cell, tops):
            (definitions if name else more)[name or text] = text
    if tops.isdisjoint(definitions):
        return None
    try:
        source = _put_together(stub_source(lesson), definitions, more)
    except BROKEN:
        source = "\n\n".join(definitions.values())
    return LearnerFile.of_bytes(source.encode("utf-8", "backslashreplace"), lesson.file_name, shown)


def code_of(data: bytes) -> str:
    """The code of a notebook's cells, those that are no Python left out; empty where it cannot be read."""
    try:
        cells = [*_code(notebook_in(data, ""))]
    except NotTextError:
        return ""
    return "\n".join(cell for cell in cells if _is_python(cell))


def _is_python(cell: str) -> bool:
    try:
        ast.parse(cell)
    except BROKEN:
        return False
    return True


@functools.cache
def stubs(lesson: Lesson) -> frozenset[str]:
    """The lesson's untouched stubs, in all languages."""
    return frozenset(stub_source(lesson, lang) for lang in languages())


def _code(notebook: dict[str, Any]) -> Iterator[str]:
    """The code of each cell, without what is typed to IPython alone."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(line for line in lines_of(f"{cell['source']}\n") if not TYPED_TO_IPYTHON.match(line))


def _taken(cell: str, tops: set[str]) -> Iterator[tuple[str, str]]:
    """What is taken of a cell: the name, empty for an import and a constant, and the text.

    A cell that is no Python is taken whole where an exercise begins in it: so it is told as what it is.
    """
    try:
        tree = ast.parse(cell)
    except BROKEN:
        yield from ((name, cell) for name in tops if guess_span(cell, name) is not None)
        return
    lines = lines_of(cell)
    for node in tree.body:
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        text = "".join(lines[first - 1 : node.end_lineno])
        if isinstance(node, Definition):
            yield node.name, text
        elif _is_import(node) or _is_constant(node):
            yield "", ast.unparse(node) + "\n"


def _is_import(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import):
        roots = [alias.name.partition(".")[0] for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        roots = [node.module.partition(".")[0]]
    else:
        return False
    return all(root == "numpy" or (root in sys.stdlib_module_names and root != "__future__") for root in roots)


def _is_constant(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    try:
        ast.literal_eval(node.value)
    except (*BROKEN, TypeError):
        return False
    return all(isinstance(target, ast.Name) for target in targets)


def _put_together(stub: str, definitions: dict[str, str], more: dict[str, str]) -> str:
    """The stub with these definitions in place of its own; what it does not have stands below its imports."""
    for name, text in definitions.items():
        if find(stub, name) is not None:
            stub = replace(stub, name, text)
        else:
            more[name] = f"\n\n{text}"
    if not more:
        return stub
    tree = ast.parse(stub)
    above = [node.end_lineno or 0 for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    docstring = tree.body[0].end_lineno if tree.body and ast.get_docstring(tree, clean=False) is not None else 0
    at = max([docstring or 0, *above])
    lines = lines_of(stub)
    return "".join([*lines[:at], "\n", *more.values(), *lines[at:]])
