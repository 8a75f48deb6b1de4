"""The facts that the inference collects: what each scope's names, each class's attributes and each function hold."""

from __future__ import annotations

import ast
from typing import Any

from minitorch.compat.porting.aliases import Aliases
from minitorch.compat.porting.kinds import (
    ARRAY,
    MAYBE_DATA,
    MAYBE_GRAD,
    MODULE,
    NEVER,
    NOTHING,
    NUMBER,
    NUMPY,
    TENSOR,
    TENSOR_LIKE,
    TEXT,
    UNKNOWN,
    Kind,
    any_of,
    at,
    either,
    inside,
    instance,
    row,
    several,
)
from minitorch.compat.porting.program import Program

ANNOTATED = {"Tensor": TENSOR, "nn.Parameter": TENSOR, "LongTensor": TENSOR, "FloatTensor": TENSOR, "nn.Module": MODULE}
TYPES = {"int": NUMBER, "float": NUMBER, "bool": NUMBER, "str": TEXT}
Env = dict[str, Kind]


class Facts(ast.NodeVisitor):
    """The state of the inference; its subclasses walk expressions and statements."""

    def __init__(self, program: Program, aliases: Aliases) -> None:
        """Begin with no facts."""
        self.program = program
        self.aliases = aliases
        self.kinds: dict[ast.AST, Kind] = {}
        self.facts: dict[tuple[Any, ...], Kind] = {}  # what holds in the whole program; a fact only ever grows
        self.default = NEVER  # of what no fact is known
        self.scope: ast.AST = program.tree
        self.env: Env = {}
        self.narrowed = False  # within a branch, which a path may pass by

    def __getitem__(self, node: ast.AST) -> Kind:
        return self.kinds.get(node, UNKNOWN)

    def visit(self, node: ast.AST) -> Kind:
        """Walk a node; the kind of an expression is remembered."""
        found: Kind | None = super().visit(node)
        kind = UNKNOWN if found is None else found
        if isinstance(node, ast.expr):
            self.kinds[node] = kind
        return kind

    def learn(self, *fact: Any, kind: Kind) -> None:
        """Join a kind into a fact."""
        self.facts[fact] = either(self.facts.get(fact, NEVER), kind)

    def known(self, *fact: Any) -> Kind:
        """Look a fact up."""
        found = self.facts.get(fact, NEVER)
        return self.default if found == NEVER else found

    def used(self, scope: ast.AST, name: str, kind: Kind) -> Kind:
        """A name that is bound once is a Tensor from there on, if a line uses it as nothing but a Tensor can be."""
        return TENSOR if kind in (UNKNOWN, NEVER) and ("used", scope, name) in self.facts else kind

    def prove(self, node: ast.AST) -> None:
        """Hold from here on that a name is a Tensor: the line before would have failed otherwise."""
        if isinstance(node, ast.Name) and self.env.get(node.id) in (UNKNOWN, NEVER):
            self.env[node.id] = TENSOR
            if self.program.bindings[self.scope][node.id] == 1 and not self.narrowed:
                self.learn("used", self.scope, node.id, kind=TENSOR)

    def bind(self, target: ast.expr, kind: Kind) -> None:
        """Assign a kind to a name, an attribute, an element, or each of several."""
        match target:
            case ast.Name(name):
                kind = self.used(self.scope, name, kind) if self.program.bindings[self.scope][name] == 1 else kind
                self.env[name] = kind
                self.learn("held", self.scope, name, kind=kind)
                if name in self.program.shared:
                    self.learn("shared", name, kind=kind)
            case ast.Attribute():
                owner = self.visit(target.value)
                if owner.word == "instance":
                    self.learn("owned", owner.name, target.attr, kind=kind)
            case ast.Tuple() | ast.List():
                starred = any(isinstance(each, ast.Starred) for each in target.elts)
                for place, each in enumerate(target.elts):
                    if isinstance(each, ast.Starred):
                        self.bind(each.value, row(inside(kind)))
                    else:
                        self.bind(each, inside(kind) if starred else at(kind, place))
            case ast.Subscript():
                self.visit(target.slice)
                held = self.visit(target.value)
                if held.word == "dict":
                    self.bind(target.value, either(held, Kind("dict", (kind,))))
        self.kinds[target] = kind

    @staticmethod
    def operated(one: Kind, other: Kind) -> Kind:
        """The kind of an operator's result."""
        both = {one, other}
        found = next((kind for kind in (TEXT, TENSOR, ARRAY, MAYBE_GRAD, NEVER, UNKNOWN, MAYBE_DATA, NUMPY)
                      if kind in both), None)  # fmt: skip
        if found is not None:
            return UNKNOWN if found == MAYBE_DATA else found
        if "row" in (one.word, other.word) or "tuple" in (one.word, other.word):
            return one if other == NUMBER else row(either(inside(one), inside(other)))
        return either(one, other) if both <= {NUMBER, *TENSOR_LIKE} else UNKNOWN

    def annotated(self, node: ast.expr | None) -> Kind:
        """The kind that an annotation names."""
        match node:
            case ast.Constant(value=None):
                return NOTHING
            case ast.Constant(value=str() as text):
                try:
                    return self.annotated(ast.parse(text, mode="eval").body)
                except SyntaxError:
                    return UNKNOWN
            case ast.BinOp():
                return either(self.annotated(node.left), self.annotated(node.right))
            case ast.Subscript():
                parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                kinds = [self.annotated(part) for part in parts]
                match (
                    node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
                ).lower():
                    case "optional" | "union":
                        return any_of(kinds)
                    case "tuple" if not isinstance(parts[-1], ast.Constant):
                        return several(kinds)
                    case "dict" | "mapping":
                        return Kind("dict", (kinds[-1],))
                    case "list" | "sequence" | "iterable" | "iterator" | "tuple":
                        return row(kinds[0])
            case ast.Name(id) if id in TYPES:
                return TYPES[id]
            case ast.Name(id) if id in self.program.classes:
                return instance(id)
            case ast.Name() | ast.Attribute() if dotted := self.aliases.dotted(node):
                return NUMPY if dotted == "numpy.ndarray" else ANNOTATED.get(self.aliases.path(node), UNKNOWN)
        return UNKNOWN
