"""Rules for values that are otherwise here: `==` of Tensors asks for identity; `.grad` and `.data` are arrays."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

import minitorch
from minitorch.compat.porting.findings import Edit, Finding, Sub, span_of
from minitorch.compat.porting.inference import Inference
from minitorch.compat.porting.instead import METHODS as INSTEAD
from minitorch.compat.porting.kinds import (
    ARRAY,
    LIKELY,
    MAYBE_DATA,
    MAYBE_GRAD,
    NOT_KNOWN,
    NOTHING,
    NUMBER,
    NUMPY,
    TENSOR,
    TENSOR_LIKE,
    TEXT,
    Kind,
)
from minitorch.compat.porting.names import OURS
from minitorch.compat.porting.results import is_same_on_arrays, is_tensor_only
from minitorch.course.texts.messages import say
from minitorch.language import Text

METHODS = {ast.Eq: ("eq", "=="), ast.NotEq: ("ne", "!=")}
CREATORS = ("tensor", "as_tensor", "from_numpy", "is_tensor", "equal", "allclose")  # take what is no Tensor
SHARED = ("max", "min", "median", "sum", "mean", "std", "var", "view", "sort", "argsort", "repeat", "split", "to")


def tensor_findings(flow: Inference) -> Iterator[Finding]:
    """Walk all comparisons and attributes."""
    for node in ast.walk(flow.program.tree):
        if isinstance(node, ast.Compare):
            yield from _comparison(flow, node)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield from _attribute(flow, node)


def _comparison(flow: Inference, node: ast.Compare) -> Iterator[Finding]:
    op, left, right = type(node.ops[0]), node.left, node.comparators[0]
    one, other = flow[left], flow[right]
    if len(node.ops) > 1:
        if any(type(each) in METHODS for each in node.ops) and flow[node] == TENSOR:
            yield Finding(span_of(node), say("port_chain"))
    elif op in METHODS:
        yield from _equal(flow, node, *METHODS[op])
    elif op in (ast.In, ast.NotIn) and one == TENSOR and other.word in ("row", "tuple") and set(other.of) == {NUMBER}:
        sign = "in" if op is ast.In else "not in"
        yield _edited(node, say("port_identity", sign=sign), Sub(left, atom=True), f".item() {sign} ", Sub(right))


def _equal(flow: Inference, node: ast.Compare, method: str, sign: str) -> Iterator[Finding]:
    left, right = node.left, node.comparators[0]
    one, other = flow[left], flow[right]
    if one in (ARRAY, NUMPY) or {one, other} & {TEXT, NOTHING} or not {one.word, other.word}.isdisjoint(
        ("row", "tuple", "dict", "instance", "module", "class", "function")
    ):  # fmt: skip
        return  # an array's own == compares number by number, with a Tensor too
    why = say("port_identity", sign=sign)
    root = flow.aliases.root or OURS
    if one == TENSOR and flow.may_be_none(right):
        asked = f"({ast.unparse(right)} is {'not None and' if method == 'eq' else 'None or'} "
        yield _edited(node, why, asked, Sub(left, atom=True), f".{method}(", Sub(right), "))")
    elif one == TENSOR:
        yield _edited(node, why, Sub(left, atom=True), f".{method}(", Sub(right), ")")
    elif other == TENSOR and one != LIKELY:
        yield _edited(node, why, Sub(right, atom=True), f".{method}(", Sub(left), ")")
    elif {one, other} & TENSOR_LIKE or (other != NUMPY and _is_tensor(flow, node)):
        yield _edited(node, why, f"{root}.{method}(", Sub(left), ", ", Sub(right), ")")
    elif {one, other} & NOT_KNOWN and other != NUMPY and _may_be_mask(flow, node):
        name = ast.unparse(left if one in NOT_KNOWN else right)
        yield Finding(span_of(node), say("port_perhaps_identity", sign=sign, name=name, root=root, method=method))


def _is_tensor(flow: Inference, node: ast.expr) -> bool:
    """Tell from its use that a result can only be a Tensor, or that a Tensor does as well as what it is."""
    parent = flow.program.parents[node]
    call = flow.program.parents[parent] if isinstance(parent, ast.keyword) else parent
    if isinstance(call, ast.Call):
        path = flow.aliases.path(call.func)
        name = path.rpartition(".")[2]
        method = isinstance(call.func, ast.Attribute) and (
            flow[call.func.value] == TENSOR or is_tensor_only(call.func, call, flow.program.method_names)
        )
        return method or flow[call.func].word == "module" or (name[:1].islower() and name not in CREATORS)
    match parent:
        case ast.Attribute():
            return _is_of_tensors(parent.attr, MAYBE_GRAD)
        case ast.Subscript():
            return flow[parent.value] in TENSOR_LIKE if parent.slice is node else _is_tensor(flow, parent)
        case ast.BinOp():
            return flow[parent.left if parent.right is node else parent.right] == TENSOR or _is_tensor(flow, parent)
        case ast.UnaryOp():
            return _is_tensor(flow, parent)
        case ast.Assign(targets=[ast.Name()]):
            return flow[parent.targets[0]] == TENSOR
    return False


def _may_be_mask(flow: Inference, node: ast.Compare) -> bool:
    """Tell a result that is used as a Tensor or an array is, not as a bool."""
    parent = flow.program.parents[node]
    if isinstance(parent, ast.Subscript):
        return parent.slice is node and flow[parent.value] != NUMPY and flow[parent.value].word != "row"
    return isinstance(parent, ast.Attribute) and hasattr(minitorch.Tensor, parent.attr)


def _attribute(flow: Inference, node: ast.Attribute) -> Iterator[Finding]:
    parent, owner = flow.program.parents[node], node.value
    call = parent if isinstance(parent, ast.Call) and parent.func is node else None
    kind, root = flow[owner], flow.aliases.root or OURS
    if node.attr == "data" and kind in (ARRAY, MAYBE_GRAD):  # .grad.data
        yield _edited(node, say("port_grad"), f"{root}.as_tensor(", Sub(owner), ")")
    elif node.attr == "data" and isinstance(parent, ast.Call) and flow.aliases.path(parent.func).startswith("nn.init."):
        if kind in TENSOR_LIKE:
            yield _edited(node, say("port_data"), Sub(owner, atom=True))
        elif flow[node] == MAYBE_DATA:
            yield _edited(node, say("port_data"), f"{root}.as_tensor(", Sub(node), ")")
    elif node.attr == "data" and kind in TENSOR_LIKE:
        if flow.program.wants_tensor(node):
            yield _edited(node, say("port_data"), Sub(owner, atom=True), ".detach()")
    elif node.attr in INSTEAD:
        return  # another rule replaces the whole
    elif kind == ARRAY and not is_same_on_arrays(node, call):
        yield _edited(owner, say("port_grad"), f"{root}.as_tensor(", Sub(owner), ")")
    elif kind in (MAYBE_GRAD, MAYBE_DATA) and (is_tensor_only(node, call, set()) or _is_of_tensors(node.attr, kind)):
        yield _edited(owner, _why(owner), f"{root}.as_tensor(", Sub(owner), ")")  # as_tensor of a Tensor is that Tensor
    elif kind in (MAYBE_GRAD, MAYBE_DATA) and call is not None and call.args and node.attr in SHARED:
        name = ast.unparse(owner)
        yield Finding(span_of(node), say("port_perhaps_array", name=name, root=root, method=node.attr))


def _is_of_tensors(name: str, kind: Kind) -> bool:
    """Tell a name that a Tensor has and an array has not; behind `.data` there may be more than these two."""
    return (hasattr(minitorch.Tensor, name) and not hasattr(np.ndarray, name)
            and (kind == MAYBE_GRAD or name in ("cpu", "cuda", "numpy", "clone", "norm")))  # fmt: skip


def _why(owner: ast.expr) -> Text:
    return say("port_data" if isinstance(owner, ast.Attribute) and owner.attr == "data" else "port_grad")


def _edited(node: ast.expr, why: Text, *parts: str | Sub) -> Finding:
    return Finding(span_of(node), why, Edit(span_of(node), parts))
