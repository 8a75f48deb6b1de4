"""Imports of a program: the names that it gives PyTorch's parts, and the imports of this package in their place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from minitorch.compat.porting import names
from minitorch.compat.porting.names import OURS, PYTORCH
from minitorch.compat.porting.rewriting import Edit, Finding, span_of
from minitorch.compat.porting.sentences import say
from minitorch.compat.porting.table import NAMES, missing

BESIDE = ("torchvision", "torchaudio", "torchtext")
ROOTS = (PYTORCH, OURS, "numpy", *BESIDE)
WRITERS = ("utils.tensorboard", "utils.tensorboard.writer")  # tensorboardX has the same class without PyTorch


def imported_names(tree: ast.Module) -> dict[str, str]:
    """Map the program's names to dotted names of PyTorch or NumPy; imports of minitorch count as PyTorch's."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                head = alias.name.split(".")[0]
                if head in ROOTS:
                    found[alias.asname or head] = _as_pytorch(alias.name if alias.asname else head)
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] in ROOTS:
            for alias in node.names:
                found[alias.asname or alias.name] = _as_pytorch(f"{node.module}.{alias.name}")
    return found


def _as_pytorch(name: str) -> str:
    head, dot, rest = name.partition(".")
    return f"{PYTORCH}{dot}{rest}" if head == OURS else name


def import_findings(tree: ast.Module) -> Iterator[Finding]:
    """Rewrite each import of PyTorch, as far as its names are here."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import) and (not isinstance(node, ast.ImportFrom) or node.level):
            continue
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        heads = {each.split(".")[0] for each in modules}
        for head in sorted(heads.intersection(BESIDE)):
            yield Finding(span_of(node), say("port_beside", name=head))
        if PYTORCH in heads:
            yield from _plain(node) if isinstance(node, ast.Import) else _from(node)


def _plain(node: ast.Import) -> Iterator[Finding]:
    kept = []
    for alias in node.names:
        head, _, path = alias.name.partition(".")
        place = names.place(path if alias.asname else "")  # `import torch.nn` gives the program the name `torch`
        if head != PYTORCH:
            one = f"{alias.name} as {alias.asname}" if alias.asname else alias.name
        elif place.found:
            one = f"{OURS}.{place.path} as {alias.asname}" if place.path else f"{OURS} as {alias.asname or PYTORCH}"
        else:
            yield Finding(span_of(node), missing(path))
            return
        kept += [one] if one not in kept else []
    yield _replaced(node, f"import {', '.join(kept)}")


def _from(node: ast.ImportFrom) -> Iterator[Finding]:
    module = (node.module or "").partition(".")[2]
    if module in WRITERS:
        text = ast.unparse(ast.ImportFrom("tensorboardX", node.names, 0))
        yield Finding(span_of(node), say("port_board"), Edit(span_of(node), text))
        return
    homes: dict[str, list[str]] = {}
    absent = False
    for alias in node.names:
        path = f"{module}.{alias.name}" if module else alias.name
        place = names.place(path)
        home, _, name = (path if alias.name == "*" else place.path).rpartition(".")
        if place.found or alias.name == "*":
            said = name if name == (alias.asname or alias.name) else f"{name} as {alias.asname or alias.name}"
            homes.setdefault(f"{OURS}.{home}" if home else OURS, []).append(said)
        elif not (path in NAMES and NAMES[path].certain):
            absent = True
            yield Finding(span_of(alias), missing(path))
    if homes or not absent:
        yield _replaced(
            node, "; ".join(f"from {home} import {', '.join(each)}" for home, each in homes.items()) or "pass"
        )


def _replaced(node: ast.stmt, text: str) -> Finding:
    return Finding(span_of(node), say("port_import"), Edit(span_of(node), text))
