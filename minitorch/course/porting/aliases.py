"""What a program calls PyTorch and its parts: `import torch.nn.functional as F`, `from torch import nn`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from minitorch.course.porting.names import OURS, PYTORCH

ROOTS = (PYTORCH, OURS, "numpy", "torchvision", "torchaudio", "torchtext")


@dataclass
class Aliases:
    """Name in the program → dotted name in PyTorch (or NumPy), and what the program calls PyTorch itself."""

    names: dict[str, str] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)  # names that stand for something of another file

    @classmethod
    def of(cls, tree: ast.AST) -> Aliases:
        """Read all imports, wherever they stand; what a program has from here already counts as PyTorch's."""
        found = cls()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    head = alias.name.split(".")[0]
                    found.imported.add(alias.asname or head)
                    if head in ROOTS:
                        found.names[alias.asname or head] = _as_pytorch(alias.name if alias.asname else head)
            elif isinstance(node, ast.ImportFrom):
                found.imported |= {alias.asname or alias.name for alias in node.names}
                if not node.level and (node.module or "").split(".")[0] in ROOTS:
                    for alias in node.names:
                        found.names[alias.asname or alias.name] = _as_pytorch(f"{node.module}.{alias.name}")
        return found

    @property
    def root(self) -> str:
        """What the program calls `torch`; "" if it never imports it as a whole."""
        return next((name for name, whole in self.names.items() if whole == PYTORCH), "")

    def dotted(self, node: ast.AST) -> str:
        """The dotted name of `F.relu`, `torch.nn.functional.relu`; "" for anything else."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, "")
        if isinstance(node, ast.Attribute):
            before = self.dotted(node.value)
            return f"{before}.{node.attr}" if before else ""
        return ""

    def path(self, node: ast.AST) -> str:
        """The same behind `torch.`; "" where it is none of PyTorch's."""
        dotted = self.dotted(node)
        return dotted[len(PYTORCH) + 1 :] if dotted.startswith(f"{PYTORCH}.") else ""


def _as_pytorch(name: str) -> str:
    head, dot, rest = name.partition(".")
    return f"{PYTORCH}{dot}{rest}" if head == OURS else name
