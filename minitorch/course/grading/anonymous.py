r"""Code that may be shown to a class: nobody's comments, texts or names are in it, and it does the same.

>>> print(without_names("def f(anas_list):  # mine!\n    return [ana for ana in anas_list]", "f"))
def f(a):
    return [b for b in a]
"""

from __future__ import annotations

import ast
import builtins
import io
import itertools
import keyword
import string
import textwrap
import tokenize
from collections.abc import Iterator

LONGEST = 30  # lines that are shown
DEEPEST = 60  # levels of a tree: what is written by hand has a few
ELLIPSIS = "…"
NAMED = frozenset(  # what Python's and NumPy's functions take by name
    (
        "axis",
        "keepdims",
        "dtype",
        "shape",
        "out",
        "where",
        "initial",
        "key",
        "reverse",
        "start",
        "stop",
        "end",
        "strict",
    )
)
KNOWN = frozenset(dir(builtins)) | {"np", "numpy", "math", "self", "cls"} | NAMED


def without_names(code: str, target: str, known: str = "") -> str | None:
    """The definition `target` without comments and docstrings, its texts as "…", its names as a, b, c.

    Names of Python, of NumPy and of a text of ours, `known`, stay, for without them nothing could be read: the lesson's
    solution has those that everybody uses. None where the code cannot be read.
    """
    try:
        tree = ast.parse(textwrap.dedent(code))
        if _depth(tree) > DEEPEST:
            return None
        kept = KNOWN | _names_in(known) | {*target.split(".")}
        shown = ast.unparse(ast.fix_missing_locations(_Renamer(kept).visit(tree)))
    except (SyntaxError, ValueError, RecursionError, MemoryError, AttributeError):
        return None
    lines = shown.splitlines()
    return "\n".join([*lines[:LONGEST], ELLIPSIS] if len(lines) > LONGEST else lines)


class _Renamer(ast.NodeTransformer):
    """Gives every name that is not known the next short one, the same one each time."""

    def __init__(self, known: frozenset[str]) -> None:
        self.known = known
        self.given: dict[str, str] = {}
        self.free = (name for name in _short_names() if name not in known)

    def named(self, name: str) -> str:
        """What stands for a name."""
        if name in self.known or (name.startswith("__") and name.endswith("__")):
            return name
        if name not in self.given:
            self.given[name] = next(self.free)
        return self.given[name]

    def visit(self, node: ast.AST) -> ast.AST:
        """Rename what a node holds, and go on in it."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            node.body = _without_docstring(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            return ast.Constant(ELLIPSIS)
        if isinstance(node, ast.JoinedStr):
            return ast.Constant(ELLIPSIS)
        for field in ("id", "name", "arg", "attr", "rest"):
            value = getattr(node, field, None)
            if isinstance(value, str) and not isinstance(node, ast.alias):
                setattr(node, field, self.named(value))
        if isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [self.named(name) for name in node.names]
        if isinstance(node, ast.alias):
            node.asname = self.named(node.asname) if node.asname else None
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        return self.generic_visit(node)


def _without_docstring(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module,
) -> list[ast.stmt]:
    first = node.body[0] if node.body else None
    has_one = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return (node.body[1:] if has_one else node.body) or ([] if isinstance(node, ast.Module) else [ast.Pass()])


def _depth(tree: ast.AST) -> int:
    """How many levels a tree has, counted without calls."""
    level, depth = [tree], 0
    while level and depth <= DEEPEST:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1
    return depth


def _names_in(source: str) -> frozenset[str]:
    """Every name of a text of ours, and of NumPy."""
    import numpy as np

    words = [
        token.string for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type == tokenize.NAME
    ]
    return frozenset(words) | {
        *dir(np),
        *dir(np.ndarray),
        *dir(np.linalg),
        *dir(float),
        *dir(list),
        *dir(dict),
        *dir(set),
    }


def _short_names() -> Iterator[str]:
    for length in itertools.count(1):
        for letters in itertools.product(string.ascii_lowercase, repeat=length):
            if not keyword.iskeyword(name := "".join(letters)):
                yield name
