"""The names that a program gives PyTorch and its parts: `import torch.nn.functional as F`, `from torch import nn`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from minitorch.compat.porting.names import OURS, PYTORCH

ROOTS = (PYTORCH, OURS, "numpy", "torchvision", "torchaudio", "torchtext")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass
class Aliases:
    """Name in the program → dotted name in PyTorch (or NumPy), and the name of PyTorch itself."""

    names: dict[str, str] = field(default_factory=dict)
    root: str = ""  # the program's name of `torch`; "" if no line at the top imports it as a whole
    rebound: set[ast.AST] = field(default_factory=set)  # uses of a name after something else was assigned to it

    @classmethod
    def of(cls, tree: ast.Module) -> Aliases:
        """Read all imports, wherever they stand; imports of minitorch count as PyTorch's."""
        found = cls()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    head = alias.name.split(".")[0]
                    if head in ROOTS:
                        found.names[alias.asname or head] = _as_pytorch(alias.name if alias.asname else head)
            elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] in ROOTS:
                for alias in node.names:
                    found.names[alias.asname or alias.name] = _as_pytorch(f"{node.module}.{alias.name}")
        whole = [alias.asname or PYTORCH for node in nodes_of_scope(tree) if isinstance(node, ast.Import)
                 for alias in node.names if _as_pytorch(alias.name).split(".")[0] == PYTORCH
                 and (not alias.asname or _as_pytorch(alias.name) == PYTORCH)]  # fmt: skip
        found.root = next((name for name in whole if found.names.get(name) == PYTORCH), "")
        found._find_rebound(tree, {})
        return found

    def _find_rebound(self, scope: ast.AST, outer: dict[str, int]) -> None:
        """Walk a scope; `outer`: the name → the line after which it stands for something else."""
        nodes = list(nodes_of_scope(scope))
        bound = dict(outer)
        for node in nodes:
            if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Constant):
                for each in ast.walk(ast.Tuple(node.targets, ast.Store())):
                    if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id in self.names:
                        end = (node.end_lineno or 0) if isinstance(scope, ast.Module) else 0
                        bound[each.id] = min(end, bound.get(each.id, end))
            elif isinstance(node, ast.arg) and node.arg in self.names:
                bound[node.arg] = 0
        for node in nodes:
            if isinstance(node, ast.Name) and node.lineno > bound.get(node.id, node.lineno):
                self.rebound.add(node)
            elif isinstance(node, FUNCTIONS):
                self._find_rebound(node, bound)

    def dotted(self, node: ast.AST) -> str:
        """The dotted name of `F.relu`, `torch.nn.functional.relu`; "" for anything else."""
        if isinstance(node, ast.Name):
            return "" if node in self.rebound else self.names.get(node.id, "")
        if isinstance(node, ast.Attribute):
            before = self.dotted(node.value)
            return f"{before}.{node.attr}" if before else ""
        return ""

    def path(self, node: ast.AST) -> str:
        """The same after `torch.`; "" where it is not PyTorch's."""
        dotted = self.dotted(node)
        return dotted[len(PYTORCH) + 1 :] if dotted.startswith(f"{PYTORCH}.") else ""


def nodes_of_scope(scope: ast.AST) -> list[ast.AST]:
    """All nodes of a function or of the program's top level, without those inside the functions that it defines."""
    found, waiting = [], list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, FUNCTIONS):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def _as_pytorch(name: str) -> str:
    head, dot, rest = name.partition(".")
    return f"{PYTORCH}{dot}{rest}" if head == OURS else name
