"""Scopes of a program: the nodes and bindings of each, the decorators and parameters of a function."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from minitorch.compat.porting.kinds import TENSOR_LIKE, Kind, either, inside, word

DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Env = dict[str, Kind]


def last_name(node: ast.AST) -> str:
    """Return `c` for `a.b.c` and for `c`."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def nodes_of(scope: ast.AST) -> Iterator[ast.AST]:
    """Iterate over the nodes of a function or of the program, without those inside its functions."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, (*DEFS, ast.Lambda)):
            yield from nodes_of(node)


def bindings(scope: ast.AST) -> Counter[str]:
    """Count the bindings of each name in a scope."""
    nodes = list(nodes_of(scope))
    stored = [node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    return Counter([*stored, *(node.arg for node in nodes if isinstance(node, ast.arg))])


def decorators(function: Function) -> set[str]:
    """Return the last names of a function's decorators."""
    return {last_name(each.func if isinstance(each, ast.Call) else each) for each in function.decorator_list}


def arguments(function: Function) -> list[tuple[ast.arg, ast.expr | None]]:
    """Return each parameter and its default, but `*args` and `**kwargs`."""
    args = function.args
    places = [*args.posonlyargs, *args.args]
    defaults = [*[None] * (len(places) - len(args.defaults)), *args.defaults, *args.kw_defaults]
    return list(zip([*places, *args.kwonlyargs], defaults, strict=True))


def joined(one: Env, other: Env) -> Env:
    """Return the kinds of names after a branch: the join of those on both paths."""
    return {name: either(one.get(name, "never"), other.get(name, "never")) for name in one | other}


def operated(one: Kind, other: Kind) -> Kind:
    """Return the kind of an operator's result."""
    found: Sequence[Kind] = ("text", "tensor", "array", "grad?", "never", "unknown", "data?", "numpy")
    for kind in found:
        if kind in (one, other):
            return "unknown" if kind == "data?" else kind
    if {word(one), word(other)} & {"row", "tuple"}:
        return one if other == "number" else ("row", either(inside(one), inside(other)))
    return either(one, other) if {one, other} <= {"number", *TENSOR_LIKE} else "unknown"
