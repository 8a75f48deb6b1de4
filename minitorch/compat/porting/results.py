"""Kinds of results: of PyTorch's functions, classes and Tensor methods, by the package's own annotations."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import numpy as np

import minitorch
from minitorch import nn
from minitorch.compat.porting import names
from minitorch.compat.porting.kinds import (
    DISTRIBUTION,
    LOADER,
    MODULE,
    NEVER,
    NOTHING,
    NUMBER,
    NUMPY,
    OTHER,
    TENSOR,
    TENSORS,
    TEXT,
    UNKNOWN,
    Kind,
    row,
    several,
    words,
)

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
DIMENSION = frozenset(["dim", "keepdim"])  # keywords: arrays say axis and keepdims
# An array has these in the same sense, as long as no argument is given.
SAME_ON_ARRAYS = words("""
    shape ndim T item tolist ravel sum mean max min all any prod nbytes itemsize squeeze dtype argmax argmin
""")
# Methods of a module, and what they give.
OF_MODULES: dict[str, Kind] = {
    "parameters": TENSORS,
    "named_parameters": row(several((TEXT, TENSOR))),
    "buffers": TENSORS,
    "named_buffers": row(several((TEXT, TENSOR))),
    "modules": row(MODULE),
    "named_modules": row(several((TEXT, MODULE))),
    "children": row(MODULE),
    "named_children": row(several((TEXT, MODULE))),
    "state_dict": Kind("dict", (TENSOR,)),
}
OF_DISTRIBUTIONS = words("sample rsample log_prob entropy cdf icdf mean mode variance stddev probs logits loc scale")
# Layers whose result is a tuple.
STATEFUL: dict[str, Kind] = {
    "LSTM": several((TENSOR, several((TENSOR, TENSOR)))),
    "LSTMCell": several((TENSOR, TENSOR)),
    "RNN": several((TENSOR, TENSOR)),
    "GRU": several((TENSOR, TENSOR)),
    "MultiheadAttention": several((TENSOR, TENSOR)),
}
MANY = frozenset(["return_indices", "return_inverse", "return_counts", "as_tuple", "return_distance"])
EXTREMES = frozenset(["max", "min", "median", "nanmedian", "mode", "kthvalue", "cummax", "cummin"])


def is_tensor_only(node: ast.Attribute, call: ast.AST | None, owned: set[str]) -> bool:
    """Tell an attribute that proves its owner a Tensor; `owned`: the methods that the program's classes define."""
    if node.attr in owned:
        return False
    if not isinstance(call, ast.Call) or call.func is not node:
        return node.attr in ("is_leaf", "grad_fn")
    if node.attr in TENSOR_ONLY or (
        DIMENSION & {each.arg for each in call.keywords} and hasattr(np.ndarray, node.attr)
    ):
        return True
    sizes = [each.operand if isinstance(each, ast.UnaryOp) else each for each in call.args]
    whole = [isinstance(each, ast.Constant) and isinstance(each.value, int) for each in sizes]
    return (node.attr == "size" and whole == [True]) or (node.attr == "view" and any(whole))


def is_same_on_arrays(node: ast.Attribute, call: ast.Call | None) -> bool:
    """Tell an attribute that an array has in the same sense."""
    bare = call is None or not (call.args or call.keywords)
    return node.attr in ("reshape", "item", "tolist") or (node.attr in SAME_ON_ARRAYS and bare)


def of_function(path: str, call: ast.Call, kinds: list[Kind]) -> Kind:
    """The result of `torch.<path>(…)`."""
    if path in ("autograd.Variable", "nn.Parameter", "nn.Buffer"):
        return TENSOR
    thing = names.place(path).thing
    first = kinds[0] if kinds else UNKNOWN
    name = path.rpartition(".")[2]
    if name == "DataLoader" and any(each.arg == "collate_fn" for each in call.keywords):
        return row(UNKNOWN)
    if inspect.isclass(thing):
        return _made(thing, name, kinds)
    if name in ("DataParallel", "DistributedDataParallel", "compile", "script", "weight_norm", "spectral_norm"):
        return first
    if name == "load":
        return UNKNOWN
    return _annotated(thing, name, call, kinds[1:]) if callable(thing) else UNKNOWN


def of_method(name: str, call: ast.Call, kinds: list[Kind]) -> Kind:
    """The result of a Tensor's method."""
    if name in ("size", "stride"):
        return NUMBER if call.args or call.keywords else row(NUMBER)
    if name == "item":
        return NUMBER
    return _annotated(getattr(minitorch.Tensor, name, None), name, call, kinds)


def of_attribute(name: str) -> Kind:
    """An attribute of a Tensor."""
    found = inspect.getattr_static(minitorch.Tensor, name, None)
    if name == "shape":
        return row(NUMBER)
    return _kind_of(names.gives(found.fget)) if isinstance(found, property) else UNKNOWN


def _annotated(thing: Any, name: str, call: ast.Call, others: list[Kind]) -> Kind:
    """A result by its annotation; `others`: the kinds of the arguments after the Tensor."""
    said = names.gives(thing)
    if said.startswith("Tensor |"):
        given = {each.arg for each in call.keywords}
        if given & MANY or (name == "where" and not others) or (name in EXTREMES and given & (DIMENSION | {"axis"})):
            return TENSORS
        if name in EXTREMES and others and others[0] != TENSOR:
            return TENSORS if others[0] == NUMBER else UNKNOWN
    return _kind_of(said)


def _kind_of(annotation: str) -> Kind:
    said = annotation.removeprefix("builtins.")
    if said.startswith("Tensor") or said in ("Self", "H"):
        return TENSOR
    if "Tensor" in said or said.endswith(("Result", "Extremes", "ValuesAndIndices")):
        return TENSORS  # a named tuple, too: each field is a Tensor
    if said.startswith("np.ndarray"):
        return NUMPY
    return {"int": NUMBER, "bool": NUMBER, "float": NUMBER, "None": NOTHING, "str": TEXT, "Any": UNKNOWN}.get(
        said, OTHER
    )


def _made(thing: type, name: str, kinds: list[Kind]) -> Kind:
    """An object of one of the package's classes."""
    if issubclass(thing, minitorch.Tensor):
        return TENSOR
    if name in ("ModuleList", "ParameterList"):
        return kinds[0] if kinds and kinds[0].word == "row" else row(NEVER)
    if name == "Sequential":
        return Kind("module", kinds[-1].of) if kinds and kinds[-1].word == "module" else MODULE
    if issubclass(thing, nn.Module):
        return Kind("module", (STATEFUL[name],)) if name in STATEFUL else MODULE if thing is not nn.Module else OTHER
    if issubclass(thing, minitorch.data.DataLoader):
        return LOADER
    if issubclass(thing, minitorch.data.TensorDataset):
        return row(TENSORS)
    return DISTRIBUTION if issubclass(thing, minitorch.distributions.Distribution) else OTHER
