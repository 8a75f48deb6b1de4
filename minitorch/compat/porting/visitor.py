"""Visitor of a program's statements: assignments, branches and loops, which say what the kinds of names are."""

# ruff: noqa: N802, N815 - ast.NodeVisitor calls its methods by the names of the nodes
from __future__ import annotations

import ast

from minitorch.compat.porting.expression_visitor import ExpressionVisitor
from minitorch.compat.porting.kinds import Env, any_of, inside, joined
from minitorch.compat.porting.program_scopes import Function, last_name
from minitorch.compat.porting.tensor_results import operated


class Visitor(ExpressionVisitor):
    """Visitor of a whole program: its `kinds` are the kinds of the expressions, by node."""

    def visit_Assign(self, node: ast.Assign) -> None:
        """Bind each target. `torch = None` after a failed import binds no name."""
        kind = self.visit(node.value)
        for target in node.targets:
            if not (isinstance(node.value, ast.Constant) and last_name(target) in self.names):
                self._bind(target, kind)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Bind to the annotated kind, or else to the value's."""
        kind = self.visit(node.value) if node.value else "unknown"
        said = self._annotated(node.annotation)
        self._bind(node.target, kind if said == "unknown" else said)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Bind `a += b` as `a + b`."""
        read = ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else node.target
        self._bind(node.target, operated(self.visit(read), self.visit(node.value)))

    def visit_Return(self, node: ast.Return) -> None:
        """Add to the result of the function's calls."""
        if node.value is not None:
            self._learn("returned", self.scope, kind=self.visit(node.value))

    def visit_If(self, node: ast.If) -> None:
        """Join both branches, each with what the test tells of a name's type."""
        self.visit(node.test)
        negated = isinstance(node.test, ast.UnaryOp)
        asked = self._asked(node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test)
        self._branches([(node.body, {} if negated else asked), (node.orelse, asked if negated else {})])

    def _asked(self, test: ast.expr) -> Env:
        """Return the kind of x after `isinstance(x, torch.Tensor)`, `torch.is_tensor(x)`, `type(x) == nn.Linear`."""
        match test:
            case ast.Call(function, [ast.Name(name)]) if self.path(function) == "is_tensor":
                return {name: "tensor"}
            case ast.Call(ast.Name("isinstance"), [ast.Name(name), of]):
                pass
            case ast.Compare(ast.Call(ast.Name("type"), [ast.Name(name)]), [ast.Eq() | ast.Is()], [of]):
                pass
            case _:
                return {}
        types = of.elts if isinstance(of, ast.Tuple) else [of]
        given = [self._annotated(each) for each in types]
        layers = all(self.path(each).startswith("nn.") for each in types) and given != ["tensor"]
        return {name: "module" if layers else any_of(given)}

    def visit_For(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        """Visit the body twice: at its beginning stand also the names that it binds."""
        for _ in range(2):
            kind = self.visit(node.test if isinstance(node, ast.While) else node.iter)
            before = dict(self.env)
            if not isinstance(node, ast.While):
                self._bind(node.target, inside(kind))
            self._block(node.body)
            self.env = joined(before, self.env)
        self._block(node.orelse)

    visit_AsyncFor = visit_While = visit_For

    def visit_Try(self, node: ast.Try | ast.TryStar) -> None:
        """Join the handlers, each of which may follow the body."""
        self._block(node.body)
        self._branches([([], {}), *((handler.body, {}) for handler in node.handlers)])
        self._block([*node.orelse, *node.finalbody])

    visit_TryStar = visit_Try

    def visit_ClassDef(self, node: ast.ClassDef | Function) -> None:
        """Leave out a class and a function: methods and functions are scopes of their own."""

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef
