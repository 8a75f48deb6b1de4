"""`.grad`, `.data` and a hook's gradient, which are NumPy arrays here."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

import numpy as np

from minitorch.course.porting.calls import is_fine
from minitorch.course.porting.findings import Edit, Finding, Sub, span_of
from minitorch.course.porting.flow import Flow
from minitorch.course.porting.kinds import ARRAY, TENSOR_LIKE, UNKNOWN
from minitorch.course.porting.names import OURS
from minitorch.course.porting.results import TENSOR_ONLY
from minitorch.course.texts.messages import say

BEHIND_DATA = TENSOR_ONLY | {"cpu", "cuda", "numpy", "to"}  # a module has the last, but no .data before them


def array_findings(flow: Flow) -> Iterator[Finding]:
    """Go through everything that stands behind a dot."""
    for node in ast.walk(flow.program.tree):
        if not isinstance(node, ast.Attribute):
            continue
        if node.attr == "data" and isinstance(node.ctx, ast.Load):
            yield from _data(flow, node)
        elif flow[node.value] == ARRAY and isinstance(node.ctx, ast.Load) and not _fine(flow, node):
            yield _as_tensor(flow, node.value, node.value)


def _data(flow: Flow, node: ast.Attribute) -> Iterator[Finding]:
    owner = node.value
    parent = flow.program.parents[node]
    if flow[owner] == ARRAY:  # .grad.data
        yield _as_tensor(flow, node, owner)
    elif isinstance(parent, ast.Call) and flow.aliases.path(parent.func).startswith("nn.init."):
        if not init_takes_arrays():
            yield Finding(span_of(node), say("port_data"), Edit(span_of(node), (Sub(owner, atom=True),)))
    elif flow[owner] in TENSOR_LIKE:
        if flow.program.wants_tensor(node):
            yield _detached(node)
    elif flow[owner] == UNKNOWN and isinstance(parent, ast.Attribute) and parent.attr in BEHIND_DATA:
        yield _detached(node)


def _detached(node: ast.Attribute) -> Finding:
    return Finding(span_of(node), say("port_data"), Edit(span_of(node), (Sub(node.value, atom=True), ".detach()")))


def _as_tensor(flow: Flow, node: ast.expr, array: ast.expr) -> Finding:
    root = flow.aliases.root or OURS
    return Finding(span_of(node), say("port_grad"), Edit(span_of(node), (f"{root}.as_tensor(", Sub(array), ")")))


def _fine(flow: Flow, node: ast.Attribute) -> bool:
    parent = flow.program.parents[node]
    return is_fine(node, parent if isinstance(parent, ast.Call) and parent.func is node else None)


@functools.cache
def init_takes_arrays() -> bool:
    """Whether `nn.init` fills what `.data` gives: asked of the package."""
    from minitorch.nn import init

    try:
        init.zeros_(np.ones(1, np.float32))  # type: ignore[arg-type]
    except TypeError:
        return False
    return True
