"""A program's syntax tree with what is asked of it repeatedly: parents, functions, classes, numbers of bindings."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from minitorch.compat.porting.aliases import Aliases, nodes_of_scope

Parameter = tuple[str, ast.expr | None, ast.expr | None]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program, the class that it is a method of, and the scope around it."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    owner: str
    outer: ast.AST

    @property
    def decorators(self) -> set[str]:
        """The last words of its decorators' names."""
        bare = [each.func if isinstance(each, ast.Call) else each for each in self.node.decorator_list]
        return {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in bare}

    @property
    def parameters(self) -> list[Parameter]:
        """Name, annotation and default of each parameter but `*args` and `**kwargs`."""
        args = self.node.args
        places = [*args.posonlyargs, *args.args]
        defaults = [*[None] * (len(places) - len(args.defaults)), *args.defaults, *args.kw_defaults]
        return [(arg.arg, arg.annotation, default)
                for arg, default in zip([*places, *args.kwonlyargs], defaults, strict=True)]  # fmt: skip


class Program:
    """The facts about a program that need no inference."""

    def __init__(self, tree: ast.Module, aliases: Aliases) -> None:
        """Walk the tree once."""
        self.tree = tree
        self.aliases = aliases
        self.parents: dict[ast.AST, ast.AST] = {
            child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)
        }
        self.classes = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        self.functions = [self._function(node) for node in ast.walk(tree)
                          if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]  # fmt: skip
        self.outer: dict[ast.AST, ast.AST] = {function.node: function.outer for function in self.functions}
        self.method_names = {function.node.name for function in self.functions if function.owner}
        self.shared = {
            name for node in ast.walk(tree) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names
        }
        self.bindings: dict[ast.AST, Counter[str]] = {scope: _bindings(scope) for scope in (tree, *self.outer)}

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
        parent = self.parents[node]
        return Function(node, parent.name if isinstance(parent, ast.ClassDef) else "", self.scope_of(node))

    def scope_of(self, node: ast.AST) -> ast.AST:
        """The function around a node, or the program."""
        outer = self.parents[node]
        while not isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            outer = self.parents[outer]
        return outer

    def named(self, name: str) -> list[Function]:
        """The program's functions of a name that are no methods."""
        return [function for function in self.functions if function.node.name == name and not function.owner]

    def methods(self, owner: str, name: str) -> list[Function]:
        """A class's method, or the inherited one."""
        for each in self.mro(owner):
            found = [function for function in self.functions if function.owner == each and function.node.name == name]
            if found:
                return found
        return []

    def mro(self, name: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
        """A class of the program and its base classes within the program."""
        if name not in self.classes or name in seen:
            return
        yield name
        for base in self.classes[name].bases:
            if isinstance(base, ast.Name):
                yield from self.mro(base.id, seen | {name})

    def base_of(self, name: str) -> str:
        """The first of PyTorch's classes that a class inherits from; "" if none."""
        paths = [self.aliases.path(base) for each in self.mro(name) for base in self.classes[each].bases]
        found = next((path for path in paths if path), "")
        return found.replace("nn.modules.module.", "nn.").replace("autograd.function.", "autograd.")

    def is_module(self, name: str) -> bool:
        """Tell a module from the program's other classes."""
        return self.base_of(name).startswith("nn.")

    def wants_tensor(self, node: ast.Attribute) -> bool:
        """Tell a `.data` that is used as a Tensor from one that is assigned to or computed with, as an array can be."""
        parent = self.parents[node]
        if isinstance(parent, ast.Attribute):
            return parent.attr not in ("shape", "ndim", "dtype", "item", "tolist")
        if isinstance(parent, ast.Subscript):
            return isinstance(parent.ctx, ast.Load) and parent.value is node
        computed = (ast.BinOp, ast.UnaryOp, ast.AugAssign, ast.keyword, ast.Call)
        return isinstance(node.ctx, ast.Load) and not isinstance(parent, computed)


def _bindings(scope: ast.AST) -> Counter[str]:
    """Count how often each name is bound in a scope."""
    nodes = nodes_of_scope(scope)
    stored = [node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    return Counter([*stored, *(node.arg for node in nodes if isinstance(node, ast.arg))])
