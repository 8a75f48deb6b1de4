"""Scopes of a program: the nodes and bindings of each, the decorators and parameters of a function."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


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
    imported = [node.asname or node.name.split(".")[0] for node in nodes if isinstance(node, ast.alias)]
    return Counter([*stored, *imported, *(node.arg for node in nodes if isinstance(node, ast.arg))])


def decorators(function: Function) -> set[str]:
    """Return the last names of a function's decorators."""
    return {last_name(each.func if isinstance(each, ast.Call) else each) for each in function.decorator_list}


def arguments(function: Function) -> list[tuple[ast.arg, ast.expr | None]]:
    """Return each parameter and its default, but `*args` and `**kwargs`."""
    args = function.args
    places = [*args.posonlyargs, *args.args]
    defaults = [*[None] * (len(places) - len(args.defaults)), *args.defaults, *args.kw_defaults]
    return list(zip([*places, *args.kwonlyargs], defaults, strict=True))
