"""The rules: what of a program must change, and what to write instead."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from minitorch.compat.porting import names
from minitorch.compat.porting.aliases import Aliases
from minitorch.compat.porting.findings import Finding, Span, span_of
from minitorch.compat.porting.imports import import_findings
from minitorch.compat.porting.inference import Inference
from minitorch.compat.porting.program import Program
from minitorch.compat.porting.tensors import tensor_findings
from minitorch.compat.porting.uses import use_findings


def read(source: str) -> list[Finding]:
    """What must change in a program, in the order of its lines. Raises SyntaxError for what is no Python.

    >>> [finding] = read("from torch import nn")
    >>> finding.edit.parts
    ('from minitorch import nn',)
    """
    tree = ast.parse(source)
    aliases = Aliases.of(tree)
    if not aliases.names:
        return []
    program = Program(tree, aliases)
    flow = Inference(program, aliases)
    found = [
        *import_findings(tree),
        *use_findings(flow),
        *tensor_findings(flow),
    ]
    if sys.version_info < (3, 12):  # before, a syntax tree did not know where in an f-string something is
        inside = [span_of(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
        found = [replace(each, edit=None) if _within(each.span, inside) else each for each in found]
    return sorted(_each_once(found), key=lambda finding: (finding.span[:2], finding.edit is None))


def needs_import(findings: Sequence[Finding]) -> bool:
    """Whether what is written instead speaks of `minitorch` where the program has no name for PyTorch as a whole."""
    return any(
        isinstance(part, str) and f"{names.OURS}." in part and "import" not in part
        for finding in findings
        if finding.edit
        for part in finding.edit.parts
    )


def _within(span: Span, others: Sequence[Span]) -> bool:
    return any(other[:2] <= span[:2] and span[2:] <= other[2:] for other in others)


def _each_once(found: list[Finding]) -> Iterator[Finding]:
    """One finding for each place, the certain one where there are two."""
    best: dict[object, Finding] = {}
    for finding in found:
        if finding.span not in best or best[finding.span].edit is None:
            best[finding.span] = finding
    yield from best.values()
