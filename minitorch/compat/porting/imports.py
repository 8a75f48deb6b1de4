"""Imports of a program: the names that it gives PyTorch's parts, and the imports of this package in their place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from minitorch.compat.porting import names
from minitorch.compat.porting.names import OURS, PYTORCH
from minitorch.compat.porting.rewriting import Edit, Finding, span_of
from minitorch.compat.porting.table import NAMES, missing
from minitorch.language import N_, Message

COMPANIONS = ("torchvision", "torchaudio", "torchtext")
ROOTS = (PYTORCH, OURS, "numpy", *COMPANIONS)
TENSORBOARD = ("utils.tensorboard", "utils.tensorboard.writer")  # tensorboardX has the same class without PyTorch


def imported_names(tree: ast.Module) -> dict[str, str]:
    """Map the program's names to dotted names of PyTorch or NumPy; imports of minitorch count as PyTorch's."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not getattr(node, "level", False):
            home = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                name = alias.name if home or alias.asname else alias.name.split(".")[0]
                head, dot, path = (home + name).partition(".")
                if head in ROOTS:
                    found[alias.asname or name] = (PYTORCH if head == OURS else head) + dot + path
    return found


def import_findings(tree: ast.Module) -> Iterator[Finding]:
    """Rewrite each import of PyTorch, as far as its names are here."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Import, ast.ImportFrom)) or getattr(node, "level", False):
            continue
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        heads = {each.split(".")[0] for each in modules}
        for head in sorted(heads.intersection(COMPANIONS)):
            yield Finding(
                span_of(node),
                Message(
                    "{name} needs PyTorch: read the data with minitorch.data or NumPy, write the model in minitorch.nn",
                    name=head,
                ),
            )
        if PYTORCH in heads:
            yield from _plain(node) if isinstance(node, ast.Import) else _from(node)


def _plain(node: ast.Import) -> Iterator[Finding]:
    imported = []
    for alias in node.names:
        head, _, path = alias.name.partition(".")
        ours = names.resolve(path if alias.asname else "")  # `import torch.nn` gives the program the name `torch`
        name, as_name = alias.name, alias.asname
        if head == PYTORCH and not ours:
            yield Finding(span_of(node), missing(path))
            return
        if head == PYTORCH and ours:
            name, as_name = f"{OURS}.{ours.path}".rstrip("."), as_name or PYTORCH
        imported.append(f"{name} as {as_name}" if as_name else name)
    yield _replaced(node, f"import {', '.join(dict.fromkeys(imported))}")


def _from(node: ast.ImportFrom) -> Iterator[Finding]:
    module = (node.module or "").partition(".")[2]
    if module in TENSORBOARD:
        yield _replaced(
            node,
            ast.unparse(ast.ImportFrom("tensorboardX", node.names, 0)),
            N_("tensorboardX has the same SummaryWriter without PyTorch: pip install tensorboardX"),
        )
        return
    homes: dict[str, list[str]] = {}
    absent = False
    for alias in node.names:
        path = f"{module}.{alias.name}".lstrip(".")
        ours = names.resolve(path)
        if ours or alias.name == "*":
            home, _, name = (ours.path if ours else path).rpartition(".")
            said = name if name == (alias.asname or alias.name) else f"{name} as {alias.asname or alias.name}"
            homes.setdefault(f"{OURS}.{home}".rstrip("."), []).append(said)
        elif path not in NAMES:
            absent = True
            yield Finding(span_of(alias), missing(path))
    if homes or not absent:
        lines = [f"from {home} import {', '.join(each)}" for home, each in homes.items()]
        yield _replaced(node, "; ".join(lines) or "pass")


def _replaced(node: ast.stmt, text: str, why: str = N_("the import")) -> Finding:
    return Finding(span_of(node), Message(why), Edit(span_of(node), text))
