"""`==` and `!=` on Tensors, which ask here whether both are the same Tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from minitorch.course.porting.findings import Edit, Finding, Sub, span_of
from minitorch.course.porting.flow import Flow
from minitorch.course.porting.kinds import ARRAY, NOTHING, NUMBER, NUMPY, TENSOR, TENSOR_LIKE, TEXT, UNKNOWN
from minitorch.course.porting.names import OURS
from minitorch.course.porting.results import TENSOR_ONLY
from minitorch.course.texts.messages import say

METHOD = {ast.Eq: "eq", ast.NotEq: "ne"}
SIGN = {ast.Eq: "==", ast.NotEq: "!="}


def comparison_findings(flow: Flow) -> Iterator[Finding]:
    """Go through all comparisons."""
    for node in ast.walk(flow.program.tree):
        if not isinstance(node, ast.Compare):
            continue
        if len(node.ops) > 1:
            if any(isinstance(op, (ast.Eq, ast.NotEq)) for op in node.ops) and flow[node] == TENSOR:
                yield Finding(span_of(node), say("port_chain"))
            continue
        op = type(node.ops[0])
        if op in METHOD:
            yield from _equal(flow, node, METHOD[op], SIGN[op])
        elif op in (ast.In, ast.NotIn):
            yield from _within(flow, node, "in" if op is ast.In else "not in")


def _equal(flow: Flow, node: ast.Compare, method: str, sign: str) -> Iterator[Finding]:
    left, right = node.left, node.comparators[0]
    one, other = flow[left], flow[right]
    if {one, other} & {TEXT, NOTHING} or any(
        kind.word in ("row", "tuple", "dict", "instance") for kind in (one, other)
    ):
        return
    if one in (ARRAY, NUMPY):
        return  # an array's own == compares number by number, with a Tensor too
    why = say("port_identity", sign=sign)
    if one == TENSOR:
        yield _as_call(node, why, Sub(left, atom=True), f".{method}(", Sub(right), ")")
    elif other == TENSOR and one in (NUMBER, UNKNOWN):
        yield _as_call(node, why, Sub(right, atom=True), f".{method}(", Sub(left), ")")
    elif (
        {one, other} & TENSOR_LIKE
        or ({one, other} <= {UNKNOWN, NUMBER} and one != other and _as_mask(flow, node))
        or (one == other == UNKNOWN and _as_mask(flow, node))
    ):
        root = flow.aliases.root or OURS
        yield _as_call(node, why, f"{root}.{method}(", Sub(left), ", ", Sub(right), ")")


def _as_mask(flow: Flow, node: ast.Compare) -> bool:
    """Whether the answer is used as only a Tensor of bools can be."""
    parent = flow.program.parents[node]
    if isinstance(parent, ast.Attribute):
        return parent.attr in TENSOR_ONLY
    if isinstance(parent, ast.Call):
        path = flow.aliases.path(parent.func)
        if isinstance(parent.func, ast.Attribute) and flow[parent.func.value] == TENSOR:
            return True
        return bool(path) and node in parent.args and path.rpartition(".")[2][:1].islower()
    if isinstance(parent, ast.Subscript):
        return parent.slice is node and flow[parent.value] in TENSOR_LIKE
    if isinstance(parent, ast.BinOp):
        other = parent.right if parent.left is node else parent.left
        return flow[other] in TENSOR_LIKE
    return False


def _within(flow: Flow, node: ast.Compare, word: str) -> Iterator[Finding]:
    """A Tensor `in` a list of numbers: lists compare with ==."""
    left, right = node.left, node.comparators[0]
    if flow[left] == TENSOR and flow[right].word in ("row", "tuple") and set(flow[right].of) == {NUMBER}:
        yield _as_call(node, say("port_identity", sign=word), Sub(left, atom=True), f".item() {word} ", Sub(right))


def _as_call(node: ast.Compare, why: object, *parts: str | Sub) -> Finding:
    return Finding(span_of(node), why, Edit(span_of(node), parts))  # type: ignore[arg-type]
