"""Kinds of results: of operators, and of PyTorch's functions, classes and methods by this package's own annotations."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import numpy as np

import minitorch
from minitorch import nn
from minitorch.compat.porting import names
from minitorch.compat.porting.kinds import TENSOR_LIKE, Kind, join
from minitorch.compat.porting.names import words

# Only a Tensor has these: no array, DataFrame, dict, set, logger or optimiser, nor, as relu, a module's layers.
TENSOR_ONLY = words("""
    unsqueeze unsqueeze_ squeeze_ view_as expand_as type_as masked_fill masked_fill_ masked_select permute contiguous
    new_zeros new_ones new_full new_tensor scatter scatter_ scatter_add
    scatter_add_ index_select index_add index_add_ zero_ fill_ add_ sub_ mul_ div_ pow_ copy_ clamp_ normal_ uniform_
    bernoulli_ addmm addcmul_ addcdiv_ lerp_ bmm logsumexp numel nelement unflatten repeat_interleave clamp_min
    clamp_max is_leaf grad_fn retain_grad detach detach_ long masked_scatter log1p expm1 rsqrt
""")
# NumPy's functions whose result is an array whatever they are given; np.exp of a Tensor is a Tensor.
ARRAY_MAKERS = words("""
    array asarray ascontiguousarray float32 float64 int64 int32 uint8 random linalg zeros ones full eye arange linspace
    stack concatenate vstack hstack load loadtxt genfromtxt
""")
# An array has these in the same sense, as long as no argument is given.
SAME_ON_ARRAYS = words("shape ndim T item tolist ravel sum mean max min all any prod squeeze dtype argmax argmin")
OF_MODULES: dict[str, Kind] = {
    **dict.fromkeys(("parameters", "buffers"), ("list", "tensor")),
    **dict.fromkeys(("modules", "children"), ("list", "module")),
    **dict.fromkeys(("named_parameters", "named_buffers"), ("list", ("tuple", "text", "tensor"))),
    **dict.fromkeys(("named_modules", "named_children"), ("list", ("tuple", "text", "module"))),
}
FIELDS = ("values", "indices")  # of the named tuple that x.max(1) returns
WRAPPERS = ("DataParallel", "DistributedDataParallel", "compile", "script", "weight_norm", "spectral_norm")
ANNOTATIONS: dict[str, Kind] = {"int": "number", "bool": "number", "float": "number", "str": "text", "None": "none"}
ANNOTATIONS |= {"Any": "unknown", "": "unknown", "np.ndarray": "numpy"}


def operator_kind(one: Kind, other: Kind) -> Kind:
    """Return the kind of an operator's result."""
    for kind in ("text", "tensor", "array", "grad?", "never", "unknown", "data?", "numpy"):
        if kind in (one, other):
            return "unknown" if kind == "data?" else kind
    return join(one, other) if {one, other} <= {"number", *TENSOR_LIKE} else "unknown"


def is_tensor_only(node: ast.Attribute, call: ast.AST | None, owned: set[str]) -> bool:
    """Tell an attribute that proves its owner a Tensor; `owned`: the methods that the program's classes define."""
    if node.attr in owned:
        return False
    if not isinstance(call, ast.Call) or call.func is not node:
        return node.attr in ("is_leaf", "grad_fn")
    named = {"dim", "keepdim"} & {each.arg for each in call.keywords}  # arrays say axis and keepdims
    sizes = [each.operand if isinstance(each, ast.UnaryOp) else each for each in call.args]
    whole = [isinstance(each, ast.Constant) and isinstance(each.value, int) for each in sizes]
    sized = whole == [True] if node.attr == "size" else node.attr == "view" and any(whole)
    return sized or node.attr in TENSOR_ONLY or bool(named and hasattr(np.ndarray, node.attr))


def is_same_on_arrays(node: ast.Attribute, call: ast.Call | None) -> bool:
    """Tell an attribute that an array has in the same sense."""
    bare = call is None or not (call.args or call.keywords)
    return node.attr in ("reshape", "item", "tolist") or (node.attr in SAME_ON_ARRAYS and bare)


def of_function(path: str, call: ast.Call, given: list[Kind]) -> Kind:
    """Return the kind of `torch.<path>(…)`."""
    ours, name = names.resolve(path), path.rpartition(".")[2]
    thing = ours.thing if ours else None
    if name == "load" or any(each.arg == "collate_fn" for each in call.keywords):
        return "unknown"
    if name in WRAPPERS:
        return given[0] if given else "unknown"
    if name == "Variable" or (inspect.isclass(thing) and issubclass(thing, minitorch.Tensor)):
        return "tensor"
    if not inspect.isclass(thing):
        return of_result(thing) if callable(thing) else "unknown"
    if issubclass(thing, nn.Module):
        return given[0] if name == "ModuleList" and given else "module"
    data = (minitorch.data.DataLoader, minitorch.data.TensorDataset)
    return ("list", ("list", "tensor")) if issubclass(thing, data) else "other"


def of_member(name: str) -> Kind:
    """Return the kind of a Tensor's attribute, or of its method's result."""
    found = inspect.getattr_static(minitorch.Tensor, name, None)
    return of_result(found.fget if isinstance(found, property) else getattr(minitorch.Tensor, name, None))


def of_result(thing: Any) -> Kind:
    """Return the kind of a function's result, by its annotation."""
    found = names.signature(thing)
    said = str(found.return_annotation).removeprefix("builtins.") if found is not None else ""
    if said.startswith("Tensor") or said in ("Self", "H"):
        return "tensor"
    if "Tensor" in said or said.endswith(("Result", "Extremes", "ValuesAndIndices")):
        return ("list", "tensor")  # a named tuple, too: each field is a Tensor
    return ANNOTATIONS.get(said, "other")
