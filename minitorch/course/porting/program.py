"""A program's syntax tree, with what is asked of it again and again: its functions, its classes, what stands around."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from minitorch.course.porting.aliases import Aliases
from minitorch.course.porting.kinds import words
from minitorch.course.porting.results import TENSOR_ONLY

Parameter = tuple[str, ast.expr | None, ast.expr | None]
CREATORS = words("""
    tensor as_tensor from_numpy zeros ones full randn rand arange linspace eye empty randint
""")


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program, and the class that it is a method of."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    owner: str
    takes_tensors: bool  # forward of a module, forward and backward of a Function
    static: bool
    yields: bool

    @property
    def body(self) -> list[ast.stmt]:
        """Its statements."""
        return self.node.body

    @property
    def parameters(self) -> list[Parameter]:
        """Name, annotation and default of each parameter; those with a star hold rows and are left out."""
        args = self.node.args
        places = [*args.posonlyargs, *args.args]
        defaults: list[ast.expr | None] = [None] * (len(places) - len(args.defaults))
        found = [(arg.arg, arg.annotation, each) for arg, each in zip(places, [*defaults, *args.defaults], strict=True)]
        return found + [
            (arg.arg, arg.annotation, each) for arg, each in zip(args.kwonlyargs, args.kw_defaults, strict=True)
        ]


class Program:
    """What is known of a program before anything is known of its values."""

    def __init__(self, tree: ast.Module, aliases: Aliases) -> None:
        """Go through the tree once."""
        self.tree = tree
        self.aliases = aliases
        self.parents: dict[ast.AST, ast.AST] = {
            child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)
        }
        self.classes = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        self.around: dict[ast.AST, ast.AST] = {}
        self.functions = [self._function(node) for node in ast.walk(tree)
                          if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]  # fmt: skip
        self._used: dict[ast.AST, frozenset[str]] = {}

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
        parent = self.parents[node]
        owner = parent.name if isinstance(parent, ast.ClassDef) else ""
        outer = parent
        while not isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            outer = self.parents[outer]
        self.around[node] = outer
        base = self.base_of(owner) if owner else ""
        takes = (node.name == "forward" and base in ("nn.Module", "autograd.Function")) or (
            node.name == "backward" and base == "autograd.Function"
        )
        decorators = {getattr(each, "id", "") for each in node.decorator_list}
        yields = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))
        return Function(node, owner, takes, "staticmethod" in decorators, yields)

    def named(self, name: str) -> list[Function]:
        """The program's functions of a name that are no methods."""
        return [function for function in self.functions if function.node.name == name and not function.owner]

    def methods(self, owner: str, name: str) -> list[Function]:
        """A class's method, or the one that it has from a class it is derived from."""
        for each in self.line_of(owner):
            found = [function for function in self.functions if function.owner == each and function.node.name == name]
            if found:
                return found
        return []

    def line_of(self, name: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
        """A class of the program and those of the program that it is derived from."""
        if name not in self.classes or name in seen:
            return
        yield name
        for base in self.classes[name].bases:
            if isinstance(base, ast.Name):
                yield from self.line_of(base.id, seen | {name})

    def base_of(self, name: str) -> str:
        """The first of PyTorch's classes that a class is derived from; "" if none."""
        for each in self.line_of(name):
            for base in self.classes[each].bases:
                if path := self.aliases.path(base):
                    return path.replace("nn.modules.module.", "nn.").replace("autograd.function.", "autograd.")
        return ""

    def is_module(self, name: str) -> bool:
        """Whether a class of the program is a module."""
        return self.base_of(name).startswith("nn.")

    def used_as_tensor(self, scope: ast.AST) -> frozenset[str]:
        """Names that a function uses as nothing but a Tensor can be used."""
        if scope not in self._used:
            self._used[scope] = frozenset(self._uses(scope))
        return self._used[scope]

    def _uses(self, scope: ast.AST) -> Iterator[str]:
        for node in _of_scope(scope):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in TENSOR_ONLY:
                yield node.value.id
            elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name):
                path = self.aliases.path(node.func)
                home, _, name = path.rpartition(".")
                if path and home in ("", "nn.functional", "linalg") and name[:1].islower() and name not in CREATORS:
                    yield node.args[0].id

    def wants_tensor(self, node: ast.Attribute) -> bool:
        """Whether `.data` is read from, compared or kept, as a Tensor is; not assigned to or computed with."""
        parent = self.parents[node]
        if isinstance(node.ctx, ast.Store) or isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.AugAssign, ast.keyword)):
            return False
        if isinstance(parent, ast.Call):
            return False
        if isinstance(parent, ast.Attribute):
            return parent.attr not in ("shape", "ndim", "dtype", "item", "tolist")
        if isinstance(parent, ast.Subscript):
            return isinstance(parent.ctx, ast.Load) and parent.value is node
        return True


def _of_scope(scope: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a function or of the program's top, without those of functions inside."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))
