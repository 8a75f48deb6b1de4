"""Imports: each becomes one of this package under the same name, as far as what it names is here."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from minitorch.compat.porting import names
from minitorch.compat.porting.findings import Edit, Finding, Span, span_of
from minitorch.compat.porting.instead import NAMES
from minitorch.compat.porting.names import OURS, PYTORCH
from minitorch.compat.porting.sentences import missing
from minitorch.course.texts.messages import say

WRITERS = ("utils.tensorboard", "utils.tensorboard.writer")  # tensorboardX has the same class without PyTorch
BESIDE = ("torchvision", "torchaudio", "torchtext")


def import_findings(tree: ast.Module) -> Iterator[Finding]:
    """Go through all imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from _plain(node)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from _from(node)


def _plain(node: ast.Import) -> Iterator[Finding]:
    kept, changed = [], False
    for alias in node.names:
        head, _, path = alias.name.partition(".")
        if head in BESIDE:
            yield Finding(span_of(node), say("port_beside", name=head))
        if head != PYTORCH:
            kept.append(f"{alias.name} as {alias.asname}" if alias.asname else alias.name)
            continue
        changed = True
        if not alias.asname or not path:  # `import torch.nn` gives the program the name `torch`
            one = f"{OURS} as {alias.asname or PYTORCH}"
            kept += [one] if one not in kept else []
            continue
        place = names.place(path)
        if place.found:
            kept.append(f"{OURS}.{place.path} as {alias.asname}" if place.path else f"{OURS} as {alias.asname}")
        else:
            yield Finding(span_of(node), missing(path))
            changed = False
            return
    if changed:
        yield _replaced(node, f"import {', '.join(kept)}")


def _from(node: ast.ImportFrom) -> Iterator[Finding]:
    head, _, module = (node.module or "").partition(".")
    if head in BESIDE:
        yield Finding(span_of(node), say("port_beside", name=head))
    if head != PYTORCH:
        return
    if module in WRITERS:
        text = ast.unparse(ast.ImportFrom("tensorboardX", node.names, 0))
        yield Finding(span_of(node), say("port_board"), Edit(span_of(node), (text,)))
        return
    homes: dict[str, list[str]] = {}
    absent = []
    for alias in node.names:
        path = f"{module}.{alias.name}" if module else alias.name
        if alias.name == "*":
            homes.setdefault(f"{OURS}.{module}" if module else OURS, []).append("*")
            continue
        place = names.place(path)
        if not place.found:
            if not (path in NAMES and NAMES[path].certain):
                absent.append((alias, path))
            continue
        home, _, name = place.path.rpartition(".")
        called = alias.asname or alias.name
        homes.setdefault(f"{OURS}.{home}" if home else OURS, []).append(
            name if called == name else f"{name} as {called}"
        )
    for alias, path in absent:
        yield Finding(_span_of(alias), missing(path))
    if absent and not homes:
        return
    lines = [f"from {home} import {', '.join(each)}" for home, each in homes.items()]
    yield _replaced(node, "; ".join(lines) or "pass")


def _span_of(alias: ast.alias) -> Span:
    return alias.lineno, alias.col_offset, alias.end_lineno or alias.lineno, alias.end_col_offset or 0


def _replaced(node: ast.stmt, text: str) -> Finding:
    return Finding(span_of(node), say("port_import"), Edit(span_of(node), (text,)))
