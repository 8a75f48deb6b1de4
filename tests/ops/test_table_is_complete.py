"""No operation is exported, no rule declared, and no fused twin named without a case that tries it."""

import importlib
import inspect
import pkgutil
from types import ModuleType

import numpy as np
import pytest
from op_table import CASES

import minitorch
import minitorch.nn.functional
import minitorch.ops
from minitorch import Tensor
from minitorch.autograd.declaration import Declaration

COVERED = {case.op for case in CASES}
NOT_OPERATIONS = {
    "GradcheckError",
    "Tensor",
    "enable_grad",
    "get_default_dtype",
    "gradcheck",
    "is_grad_enabled",
    "no_grad",
    "primitive",
    "set_default_dtype",
}
NOT_OPERATIONS_OF_TENSOR = {
    *("data", "grad", "requires_grad", "is_leaf", "shape", "ndim", "dtype", "device", "numel", "dim"),
    *("backward", "detach", "requires_grad_", "retain_grad", "tensor_type"),
    *("equal", "allclose", "numpy", "item", "tolist"),
}
SPELLED_ON_TENSOR = {"T": "transpose", "mT": "transpose"}
DUNDERS = {
    "__add__": "add",
    "__radd__": "add",
    "__sub__": "sub",
    "__rsub__": "sub",
    "__mul__": "mul",
    "__rmul__": "mul",
    "__truediv__": "div",
    "__rtruediv__": "div",
    "__pow__": "pow",
    "__rpow__": "pow",
    "__matmul__": "matmul",
    "__rmatmul__": "matmul",
    "__neg__": "neg",
    "__abs__": "abs",
    "__getitem__": "getitem",
}


def op_modules() -> list[ModuleType]:
    names = [each.name for each in pkgutil.iter_modules(minitorch.ops.__path__)]
    return [importlib.import_module(f"minitorch.ops.{name}") for name in names]


def declarations() -> set[Declaration]:
    """Of every primitive that an ops module defines, private ones too."""
    modules = [*op_modules(), importlib.import_module("minitorch.tensor")]
    found = [value for module in modules for value in vars(module).values()]
    return {each.declaration for each in found if hasattr(each, "declaration")}


@pytest.mark.parametrize("name", sorted(set(minitorch.__all__) - NOT_OPERATIONS))
def test_every_exported_operation_has_a_row(name: str) -> None:
    assert name in COVERED


@pytest.mark.parametrize("name", sorted(minitorch.nn.functional.__all__))
def test_every_function_of_nn_has_a_row(name: str) -> None:
    assert name in COVERED


@pytest.mark.parametrize(
    "name", sorted(name for name in dir(Tensor) if not name.startswith("_") and name not in NOT_OPERATIONS_OF_TENSOR)
)
def test_every_method_that_is_an_operation_has_a_row(name: str) -> None:
    assert SPELLED_ON_TENSOR.get(name, name) in COVERED


@pytest.mark.parametrize("dunder", sorted(DUNDERS))
def test_every_operator_is_the_operation_of_its_name(dunder: str) -> None:
    assert DUNDERS[dunder] in COVERED
    x = Tensor(np.full((2, 2), 2.0), requires_grad=True)
    operands = {"__neg__": (), "__abs__": (), "__getitem__": (0,)}.get(dunder, (np.full((2, 2), 3.0),))
    assert getattr(x, dunder)(*operands)._op == DUNDERS[dunder]


def test_no_public_function_of_the_ops_modules_is_kept_back() -> None:
    helpers = {"accepts_numpy_names", "mT", "as_axis", "as_float", "count", "kept", "reduced_dims", "stretched"}
    public = {
        name
        for module in op_modules()
        for name, value in vars(module).items()
        if callable(value) and not name.startswith("_") and not inspect.isclass(value)
        if getattr(value, "__module__", "") == module.__name__
    }
    reachable = {
        *minitorch.__all__,
        *minitorch.nn.functional.__all__,
        *dir(Tensor),
        *DUNDERS.values(),
        "cross_entropy_rows",
    }
    assert public - helpers - {"cross_entropy_rows"} <= reachable  # which cross_entropy is made of


def test_every_rule_of_every_declaration_is_tried_by_some_case() -> None:
    tried: set[tuple[str, int]] = set()
    for case in CASES:
        with np.errstate(all="ignore"):
            out = case.call(minitorch, *case.tensors(Tensor))
        nodes = [] if out._node is None else [out._node]
        while nodes:
            node = nodes.pop()
            tried |= {(node.op, slot) for slot, parent in enumerate(node.parents) if parent is not None}
            nodes += [parent for parent in node.parents if parent is not None]
    declared = {(each.name, slot) for each in declarations() for slot in range(len(each.slots))}
    assert declared - tried == set()
