"""The part of scripts/mutants.py that makes mutants: which there are, their text, and where they differ."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

# Operators whose mutants nearly all end in a TypeError at once, and would only raise the figures: bits for numbers, `|`
# of types, an order of what is compared by identity, identity of what is compared by value.
NO_PLAUSIBLE_FAULT = re.compile(r"Operator_BitOr_|_(BitOr|BitAnd|BitXor|LShift|RShift|Is|IsNot|Invert)$|_(Is|IsNot)_")
STILL_PLAUSIBLE = {"ReplaceComparisonOperator_Is_IsNot", "ReplaceComparisonOperator_IsNot_Is"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One place where one operator of Cosmic Ray applies. `occurrence` counts the places in the file."""

    path: str
    sha: str
    operator: str
    occurrence: int

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What a line of the results is found by."""
        return self.path, self.sha, self.operator, self.occurrence


@cache
def operators() -> dict[str, Any]:
    """Return Cosmic Ray's operators that need no arguments, and the removal of a statement, by name."""
    from cosmic_ray import plugins

    found = {}
    for full_name in sorted(plugins.operator_names()):
        name, kind = full_name.partition("/")[2], plugins.get_operator(full_name)
        if not (
            kind.arguments() or name == "NoOp" or (NO_PLAUSIBLE_FAULT.search(name) and name not in STILL_PLAUSIBLE)
        ):
            found[name] = kind()
    return {**found, "RemoveStatement": remove_statement()}


def remove_statement() -> Any:
    """Return an operator that writes `pass` where a statement stands. Docstrings and bare declarations stay."""
    import parso
    from cosmic_ray.operators.operator import Operator

    class RemoveStatement(Operator):
        def mutation_positions(self, node: Any) -> Iterator[Any]:
            if node.type == "simple_stmt" and _does_something(node.children[0]):
                yield node.start_pos, node.end_pos

        def mutate(self, node: Any, _index: int) -> Any:
            prefix = node.get_first_leaf().prefix
            node.children[0] = parso.parse("pass").children[0]
            node.children[0].prefix = prefix
            return node

        @classmethod
        def examples(cls) -> tuple[Any, ...]:
            return ()

    return RemoveStatement()


def _does_something(statement: Any) -> bool:
    if statement.type == "expr_stmt":
        second = statement.children[1]
        return not (second.type == "annassign" and len(second.children) == 2)
    return statement.type in {"return_stmt", "raise_stmt", "del_stmt", "atom_expr", "yield_expr"}


def mutants_of(path: str, root: Path) -> list[Mutant]:
    """Return every mutant of a file, in the order of the operators' names."""
    from cosmic_ray.ast import ast_nodes, get_ast

    source = (root / path).read_text(encoding="utf-8")
    sha = hashlib.sha256(source.encode()).hexdigest()[:12]
    nodes = list(ast_nodes(get_ast(source)))
    found = []
    for name, operator in operators().items():
        count = sum(len(list(operator.mutation_positions(node))) for node in nodes)
        found += [Mutant(path, sha, name, occurrence) for occurrence in range(count)]
    return found


def mutated(source: str, mutant: Mutant) -> str:
    """Return the source with the fault in it."""
    from cosmic_ray.mutating import mutate_code

    text: str = mutate_code(source, operators()[mutant.operator], mutant.occurrence)
    return text


def compiles(source: str) -> bool:
    """Say whether it is a program at all: `f(a, *, b)` becomes `f(a, +, b)`, too."""
    try:
        compile(source, "mutant", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def same_program(one: str, other: str) -> bool:
    """Say whether nothing that runs differs: annotations, overloads, what only type checkers import."""
    return _running(one) == _running(other)


@lru_cache(maxsize=16)
def _running(source: str) -> str:
    return ast.dump(_Running().visit(ast.parse(source)))


class _Running(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        if any(isinstance(each, ast.Name) and each.id == "overload" for each in node.decorator_list):
            return None
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> Any:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> Any:
        if any(isinstance(each, ast.Name) and each.id == "TYPE_CHECKING" for each in ast.walk(node.test)):
            return None
        return self.generic_visit(node)


def change(source: str, text: str) -> dict[str, Any]:
    """Return where two sources differ: the first line's number, and the lines before and after."""
    old, new = source.splitlines(), text.splitlines()
    first = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    before, after = (" ".join(map(str.strip, lines[first : len(lines) - last])) for lines in (old, new))
    return {"line": first + 1, "before": before, "after": after}
