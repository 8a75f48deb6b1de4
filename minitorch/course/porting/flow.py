"""What each expression of a program may hold: its statements gone through in order, a few times over.

A name holds what was last put into it; after an `if` or a loop, what either way put there. What a function is called
with is what its parameters hold, what its `return` says is what its calls give, and what any method puts into
`self.name` is what that name holds in every other. A program that is read so is never run.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable

from minitorch.course.porting import results
from minitorch.course.porting.aliases import Aliases
from minitorch.course.porting.calls import Calls
from minitorch.course.porting.kinds import (
    ARRAY,
    LIKELY,
    MODULE,
    NOTHING,
    NUMBER,
    NUMPY,
    OTHER,
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
from minitorch.course.porting.program import Function, Program

ROUNDS = 4
Env = dict[str, Kind]
MODULE_WORDS = ("module", "recurrent")


class Flow(Calls):
    """The kinds of a program's expressions, by node."""

    def __init__(self, program: Program, aliases: Aliases) -> None:
        """Read the program."""
        self.program = program
        self.aliases = aliases
        self.kinds: dict[ast.AST, Kind] = {}
        self.given: dict[tuple[ast.AST, str], Kind] = defaultdict(lambda: UNKNOWN)
        self.returned: dict[ast.AST, Kind] = defaultdict(lambda: UNKNOWN)
        self.owned: dict[tuple[str, str], Kind] = defaultdict(lambda: UNKNOWN)
        self.ends: dict[ast.AST, Env] = {}
        self.env: Env = {}
        self.scope: ast.AST = program.tree
        for _ in range(ROUNDS):
            self._go_through(program.tree, program.tree.body, {})
            for function in program.functions:
                self._go_through(function.node, function.body, self._parameters(function))

    def __getitem__(self, node: ast.AST) -> Kind:
        return self.kinds.get(node, UNKNOWN)

    def _go_through(self, scope: ast.AST, body: list[ast.stmt], env: Env) -> None:
        self.scope, self.env = scope, env
        self.block(body)
        self.ends[scope] = self.env

    def _parameters(self, function: Function) -> Env:
        """What a function's parameters hold: what is written beside them, what they are given, how they are used."""
        env: Env = {}
        for place, (name, annotation, default) in enumerate(function.parameters):
            kind = self._annotated(annotation)
            if function.owner and place == 0 and not function.static:
                kind = instance(function.owner)
            if kind == UNKNOWN:
                kind = self.given[function.node, name]
                if default is not None:
                    kind = either(kind, self.kind(default))
            if kind == UNKNOWN and name in self.program.used_as_tensor(function.node):
                kind = TENSOR
            if function.takes_tensors and kind == UNKNOWN and place > 0:
                kind = LIKELY
            env[name] = kind
        return env

    # -- statements --------------------------------------------------------------------------------------------------

    def block(self, body: Iterable[ast.stmt]) -> None:
        """Go through statements in their order."""
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Go through one statement."""
        match node:
            case ast.Assign():
                kind = self.kind(node.value)
                for target in node.targets:
                    self.bind(target, kind)
            case ast.AnnAssign():
                said = self._annotated(node.annotation)
                kind = self.kind(node.value) if node.value else UNKNOWN
                self.bind(node.target, said if said != UNKNOWN else kind)
            case ast.AugAssign():
                self.bind(node.target, self.operated(self.kind(node.target), self.kind(node.value)))
            case ast.Return():
                if node.value is not None:
                    self.returned[self.scope] = either(self.returned[self.scope], self.kind(node.value))
            case ast.If():
                self.kind(node.test)
                self.branches(node.body, node.orelse)
            case ast.For() | ast.AsyncFor():
                kind = self.kind(node.iter)
                for _ in range(2):
                    before = dict(self.env)
                    self.bind(node.target, inside(kind))
                    self.block(node.body)
                    self.join(before)
                self.block(node.orelse)
            case ast.While():
                for _ in range(2):
                    self.kind(node.test)
                    before = dict(self.env)
                    self.block(node.body)
                    self.join(before)
                self.block(node.orelse)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    kind = self.kind(item.context_expr)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, kind)
                self.block(node.body)
            case ast.Try() | ast.TryStar():
                self.block(node.body)
                for handler in node.handlers:
                    self.branches(handler.body, [])
                self.block([*node.orelse, *node.finalbody])
            case ast.Match():
                self.kind(node.subject)
                for case in node.cases:
                    self.branches(case.body, [])
            case ast.ClassDef():
                self._class_body(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for decorator in node.decorator_list:
                    self.kind(decorator)
                self.env[node.name] = Kind("function", name=node.name)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.kind(child)

    def branches(self, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        """Two ways, of which one is gone."""
        before = dict(self.env)
        self.block(body)
        after, self.env = self.env, before
        self.block(orelse)
        self.join(after)

    def join(self, other: Env) -> None:
        """Hold what either way put into a name."""
        for name, kind in other.items():
            self.env[name] = either(self.env.get(name, UNKNOWN), kind)

    def _class_body(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                kind = self._annotated(statement.annotation)
                if statement.value is not None:
                    kind = either(kind, self.kind(statement.value))
                self.own(node.name, statement.target.id, kind)
            elif isinstance(statement, ast.Assign):
                kind = self.kind(statement.value)
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        self.own(node.name, target.id, kind)

    def bind(self, target: ast.expr, kind: Kind) -> None:
        """Put something into a name, an attribute of self, a tuple of both."""
        match target:
            case ast.Name():
                self.env[target.id] = kind
            case ast.Attribute():
                owner = self.kind(target.value)
                if owner.word == "instance":
                    self.own(owner.name, target.attr, kind)
            case ast.Tuple() | ast.List():
                after = 0
                for place, each in enumerate(target.elts):
                    if isinstance(each, ast.Starred):
                        self.bind(each.value, row(inside(kind)))
                        after = place + 1 - len(target.elts)
                    else:
                        self.bind(each, at(kind, place if not after else place - len(target.elts)))
            case ast.Subscript():
                self.kind(target.value)
                self.kind(target.slice)
                if isinstance(target.value, ast.Name) and self.env.get(target.value.id, UNKNOWN).word == "dict":
                    held = self.env[target.value.id]
                    self.env[target.value.id] = Kind("dict", (either(held.of[0], kind),))
        self.kinds[target] = kind

    def own(self, owner: str, name: str, kind: Kind) -> None:
        """Remember what an object of a class holds."""
        self.owned[owner, name] = either(self.owned[owner, name], kind)

    # -- expressions -------------------------------------------------------------------------------------------------

    def kind(self, node: ast.expr) -> Kind:
        """What an expression may hold; remembered."""
        found = self._kind(node)
        self.kinds[node] = found
        return found

    def _kind(self, node: ast.expr) -> Kind:
        match node:
            case ast.Constant(value=None):
                return NOTHING
            case ast.Constant(value=str() | bytes()) | ast.JoinedStr():
                for child in ast.walk(node):
                    if isinstance(child, ast.FormattedValue):
                        self.kind(child.value)
                return TEXT
            case ast.Constant():
                return NUMBER
            case ast.Name():
                return self.looked_up(node.id)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Call():
                return self.call(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.BinOp():
                return self.operated(self.kind(node.left), self.kind(node.right))
            case ast.UnaryOp():
                kind = self.kind(node.operand)
                return NUMBER if isinstance(node.op, ast.Not) else kind
            case ast.BoolOp():
                return any_of([self.kind(value) for value in node.values])
            case ast.Compare():
                kinds = [self.kind(each) for each in (node.left, *node.comparators)]
                if any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
                    return NUMBER
                return next((kind for kind in (TENSOR, LIKELY, ARRAY, NUMPY) if kind in kinds), NUMBER)
            case ast.IfExp():
                self.kind(node.test)
                return either(self.kind(node.body), self.kind(node.orelse))
            case ast.Tuple():
                if any(isinstance(each, ast.Starred) for each in node.elts):
                    return row(any_of([inside(self.kind(each.value)) if isinstance(each, ast.Starred)
                                       else self.kind(each) for each in node.elts]))  # fmt: skip
                return several([self.kind(each) for each in node.elts])
            case ast.List() | ast.Set():
                return row(any_of([self.kind(each) for each in node.elts]))
            case ast.Dict():
                for key in node.keys:
                    if key is not None:
                        self.kind(key)
                return Kind("dict", (any_of([self.kind(value) for value in node.values]),))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return self._comprehension(node.generators, [node.elt])
            case ast.DictComp():
                return Kind("dict", self._comprehension(node.generators, [node.value, node.key]).of)
            case ast.Starred():
                return inside(self.kind(node.value))
            case ast.NamedExpr():
                kind = self.kind(node.value)
                self.bind(node.target, kind)
                return kind
            case ast.Lambda():
                return self.function_of(node, UNKNOWN)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.kind(child)
        return UNKNOWN

    def function_of(self, node: ast.Lambda, given: Kind) -> Kind:
        """A lambda whose parameters are all given the same."""
        before = dict(self.env)
        used = self.program.used_as_tensor(node)
        for arg in node.args.args:
            self.env[arg.arg] = given if given != UNKNOWN else TENSOR if arg.arg in used else UNKNOWN
        answer = self.kind(node.body)
        self.env = before
        return Kind("lambda", (answer,))

    def _comprehension(self, generators: list[ast.comprehension], parts: list[ast.expr]) -> Kind:
        before = dict(self.env)
        for each in generators:
            self.bind(each.target, inside(self.kind(each.iter)))
            for test in each.ifs:
                self.kind(test)
        found = [self.kind(part) for part in parts]
        self.env = before
        return row(found[0])

    def _subscript(self, node: ast.Subscript) -> Kind:
        kind = self.kind(node.value)
        self.kind(node.slice)
        if isinstance(node.slice, ast.Slice):
            return row(inside(kind)) if kind.word == "tuple" else kind
        try:
            place = ast.literal_eval(node.slice)
        except ValueError:
            place = None
        return at(kind, place if isinstance(place, int) else None)

    def looked_up(self, name: str) -> Kind:
        """What a name holds, here or around."""
        scope: ast.AST | None = self.scope
        kind = self.env.get(name, UNKNOWN)
        while kind == UNKNOWN and scope is not None:
            if scope is not self.scope:
                kind = self.ends.get(scope, {}).get(name, UNKNOWN)
            if kind == UNKNOWN and name in self.program.used_as_tensor(scope) and name not in self.aliases.imported:
                return LIKELY
            scope = self.program.around.get(scope)
        return kind

    def attribute(self, node: ast.Attribute) -> Kind:
        """What `a.b` holds."""
        if path := self.aliases.path(node):
            return NUMBER if path in ("pi", "inf", "nan", "e") else UNKNOWN if path[:1].islower() else OTHER
        if self.aliases.dotted(node).startswith("numpy."):
            return NUMBER if node.attr in ("pi", "inf", "nan", "e") else NUMPY
        owner, name = self.kind(node.value), node.attr
        if name == "data" and (owner in TENSOR_LIKE or owner == ARRAY):
            return TENSOR if owner == ARRAY or self.program.wants_tensor(node) else ARRAY
        if name == "grad" and owner.word in ("tensor", "likely", "unknown"):
            return ARRAY
        if owner in TENSOR_LIKE or owner == ARRAY:
            return results.ATTRIBUTES.get(name, owner)
        if owner.word == "tuple" and name in ("values", "indices"):
            return TENSOR
        if owner.word == "instance":
            found = self.owned_by(owner.name, name)
            if found != UNKNOWN:
                return found
        if owner.word in MODULE_WORDS:
            return TENSOR if name.startswith(("weight", "bias", "running_")) else MODULE
        if owner == NUMPY:
            return NUMPY
        if name in ("weight", "bias") and owner == UNKNOWN:
            return TENSOR
        if name == "saved_tensors":
            return row(TENSOR)
        return row(NUMBER) if name == "shape" else UNKNOWN

    def owned_by(self, owner: str, name: str) -> Kind:
        """What an object of a class of the program, or of one that it is derived from, holds."""
        for each in self.program.line_of(owner):
            if self.owned[each, name] != UNKNOWN:
                return self.owned[each, name]
        return UNKNOWN

    @staticmethod
    def operated(one: Kind, other: Kind) -> Kind:
        """What an operator gives."""
        both = {one, other}
        for kind in (TENSOR, ARRAY, LIKELY, NUMPY):
            if kind in both:
                return kind
        if one.word == "row" or one.word == "tuple":
            return one if other == NUMBER else row(either(inside(one), inside(other)))
        if TEXT in both:
            return TEXT
        return NUMBER if both == {NUMBER} else UNKNOWN

    def _annotated(self, node: ast.expr | None) -> Kind:
        match node:
            case ast.Constant(value=str() as text):
                try:
                    return self._annotated(ast.parse(text, mode="eval").body)
                except SyntaxError:
                    return UNKNOWN
            case ast.BinOp():
                return either(self._annotated(node.left), self._annotated(node.right))
            case ast.Subscript():
                parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                kinds = [self._annotated(part) for part in parts]
                name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
                if name in ("Optional", "Union"):
                    return any_of(kinds)
                if name.lower() == "tuple" and not isinstance(parts[-1], ast.Constant):
                    return several(kinds)
                return Kind("dict", (kinds[-1],)) if name.lower() == "dict" else row(kinds[0])
            case ast.Name(id="int" | "float" | "bool"):
                return NUMBER
            case ast.Name(id="str"):
                return TEXT
            case ast.Name() if node.id in self.program.classes:
                return instance(node.id)
            case ast.Name() | ast.Attribute():
                path = self.aliases.path(node)
                if path in ("Tensor", "nn.Parameter", "LongTensor", "FloatTensor", "BoolTensor"):
                    return TENSOR
                if self.aliases.dotted(node).startswith("numpy."):
                    return NUMPY
                return MODULE if path == "nn.Module" else OTHER if path else UNKNOWN
        return UNKNOWN
