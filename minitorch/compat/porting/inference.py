"""Forward type inference: the kind of each expression of a program, which is read and never run.

A name has the kind that was last assigned to it; after a branch or a loop, the join of all paths. A function's
parameters have the join of its calls' arguments, its calls the join of its returns, `self.name` the join of all
assignments in the class. The program is walked until nothing new is learnt: first optimistically, so that a list that
is still empty or a function that is not called yet adds nothing; then with all of these unknown.
"""

# ruff: noqa: N802, N815 - ast.NodeVisitor calls its methods by the names of the nodes
from __future__ import annotations

import ast
from collections.abc import Iterable

from minitorch.compat.porting.aliases import Aliases
from minitorch.compat.porting.expressions import Expressions
from minitorch.compat.porting.facts import Env
from minitorch.compat.porting.kinds import (
    MODULE,
    NEVER,
    TENSOR,
    UNKNOWN,
    Kind,
    any_of,
    either,
    inside,
    row,
)
from minitorch.compat.porting.program import Function, Program

WALKS = 8  # at most, of either phase


class Inference(Expressions):
    """The kinds of a program's expressions, by node."""

    def __init__(self, program: Program, aliases: Aliases) -> None:
        """Walk the program until nothing new is learnt."""
        super().__init__(program, aliases)
        for self.default in (NEVER, UNKNOWN):
            for _ in range(WALKS):
                before = dict(self.facts)
                self._walk(program.tree, program.tree.body, {})
                for function in program.functions:
                    self._walk(function.node, function.node.body, self._parameters(function))
                if self.facts == before:
                    break

    def may_be_none(self, node: ast.expr) -> bool:
        """Tell a parameter whose default is None and of which nothing else is known."""
        scope = self.program.scope_of(node)
        defaults = {name: default for each in self.program.functions if each.node is scope
                    for name, _, default in each.parameters}  # fmt: skip
        default = defaults.get(node.id) if isinstance(node, ast.Name) else None
        return isinstance(default, ast.Constant) and default.value is None and self[node] != TENSOR

    def _walk(self, scope: ast.AST, body: list[ast.stmt], env: Env) -> None:
        self.scope, self.env = scope, env
        self._block(body)

    def _parameters(self, function: Function) -> Env:
        env = {}
        base = self.program.base_of(function.owner)
        for place, (name, annotation, default) in enumerate(function.parameters):
            kind = self.annotated(annotation)
            if place == 0 and function.owner and "staticmethod" not in function.decorators:
                kind = Kind("class" if "classmethod" in function.decorators else "instance", name=function.owner)
            elif base == "autograd.Function" and function.node.name == "backward" and place:
                kind = TENSOR
            elif kind == UNKNOWN:
                self.scope, self.env = function.outer, {}
                given = either(
                    self.facts.get(("given", function.node, name), NEVER), self.visit(default) if default else NEVER
                )
                kind = self.default if given == NEVER else given
            env[name] = self.used(function.node, name, kind)
        return env

    def _block(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self.visit(statement)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Bind each target."""
        kind = self.visit(node.value)
        for target in node.targets:
            self.bind(target, kind)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Bind to the annotated kind, or else to the value's."""
        said, kind = self.annotated(node.annotation), self.visit(node.value) if node.value else UNKNOWN
        self.bind(node.target, kind if said == UNKNOWN else said)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """`a += b` is bound as `a + b`."""
        self.bind(node.target, self.operated(self.visit(node.target), self.visit(node.value)))

    def visit_Return(self, node: ast.Return) -> None:
        """Add to what the function's calls give."""
        if node.value is not None:
            self.learn("returned", self.scope, kind=self.visit(node.value))

    def visit_Yield(self, node: ast.Yield) -> None:
        """A generator's calls give a row of what it yields."""
        if node.value is not None:
            self.learn("returned", self.scope, kind=row(self.visit(node.value)))

    def visit_If(self, node: ast.If) -> None:
        """Join both branches, each with what the test tells of a name's type."""
        self.visit(node.test)
        negated = isinstance(node.test, ast.UnaryOp)
        name, kind = self._asked(node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test)
        self._branches([(node.body, {} if negated or not name else {name: kind}),
                        (node.orelse, {name: kind} if negated and name else {})])  # fmt: skip

    def _asked(self, test: ast.expr) -> tuple[str, Kind]:
        """The name and the kind of `isinstance(x, torch.Tensor)`, `torch.is_tensor(x)`, `type(m) == nn.Linear`."""
        match test:
            case ast.Call(func=ast.Name("isinstance"), args=[ast.Name(name), of]):
                pass
            case ast.Compare(ast.Call(func=ast.Name("type"), args=[ast.Name(name)]), [ast.Eq() | ast.Is()], [of]):
                pass
            case ast.Call(args=[ast.Name(name)]) if self.aliases.path(test.func) == "is_tensor":
                return name, TENSOR
            case _:
                return "", UNKNOWN
        kinds = [self.annotated(each) for each in (of.elts if isinstance(of, ast.Tuple) else [of])]
        layers = [self.aliases.path(each)[:3] for each in (of.elts if isinstance(of, ast.Tuple) else [of])]
        return name, MODULE if set(layers) == {"nn."} and kinds != [TENSOR] else any_of(kinds)

    def _branches(self, branches: list[tuple[list[ast.stmt], Env]]) -> None:
        before, narrowed = dict(self.env), self.narrowed
        after: Env = {}
        for body, asked in branches:
            self.env = {**before, **asked}
            self.narrowed = True
            self._block(body)
            if not body or not isinstance(body[-1], (ast.Return, ast.Raise)):
                after = _joined(after, self.env)
        self.env, self.narrowed = after or before, narrowed

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        """Walk the body twice: what it binds is there at its beginning."""
        kind = self.visit(node.iter)
        for _ in range(2):
            before = dict(self.env)
            self.bind(node.target, inside(kind))
            self._block(node.body)
            self.env = _joined(before, self.env)
        self._block(node.orelse)

    visit_AsyncFor = visit_For

    def visit_While(self, node: ast.While) -> None:
        """Walk the body twice."""
        for _ in range(2):
            self.visit(node.test)
            before = dict(self.env)
            self._block(node.body)
            self.env = _joined(before, self.env)
        self._block(node.orelse)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        """Bind what the contexts give, of which nothing is known."""
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, UNKNOWN)
        self._block(node.body)

    visit_AsyncWith = visit_With

    def visit_Try(self, node: ast.Try | ast.TryStar) -> None:
        """Each handler may follow what stands before."""
        self._block(node.body)
        self._branches([([], {}), *((handler.body, {}) for handler in node.handlers)])
        self._block([*node.orelse, *node.finalbody])

    visit_TryStar = visit_Try

    def visit_Match(self, node: ast.Match) -> None:
        """Each case is a branch."""
        self.visit(node.subject)
        self._branches([([], {}), *((case.body, {}) for case in node.cases)])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """What a class's body assigns, its objects have."""
        for statement in node.body:
            if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                self.visit(statement)
                for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                    if isinstance(target, ast.Name):
                        self.learn("owned", node.name, target.id, kind=self.env.pop(target.id, UNKNOWN))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Only decorators: the body is walked by itself."""
        for decorator in node.decorator_list:
            self.visit(decorator)

    visit_AsyncFunctionDef = visit_FunctionDef


def _joined(one: Env, other: Env) -> Env:
    return {name: either(one.get(name, NEVER), other.get(name, NEVER)) for name in {**one, **other}}
