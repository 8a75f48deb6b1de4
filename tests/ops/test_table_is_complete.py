"""No operation is exported, no rule declared, and no fused twin named without a case that tries it."""

import importlib
import inspect
import pkgutil
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from op_table import CASES, TWICE, sums_for_scipy

import minitorch
import minitorch.compat.nn.functional
import minitorch.compat.ops
import minitorch.nn.functional
import minitorch.ops
from minitorch import Tensor, grad
from minitorch.autograd.operation import Declaration
from minitorch.lazy_imports import HOMES, MODULES

COVERED = {case.op for case in CASES}

# Every public name that the engine promises; PyTorch's, but for `linalg.` and `nn.functional.` in front.
PROMISED = Path(__file__).with_name("promised.txt").read_text(encoding="utf-8").split()

NOT_OPERATIONS = {
    *("Tensor", "GradcheckError", "linalg", *minitorch.dtypes.__all__),
    *("enable_grad", "inference_mode", "is_grad_enabled", "no_grad", "set_grad_enabled", "detect_anomaly"),
    *("get_default_dtype", "set_default_dtype", "grad", "gradcheck", "gradgradcheck", "primitive"),
}
# Random numbers and uninitialised memory differ from PyTorch's: tests/ops/test_random.py and test_creation.py try them.
RANDOM = {"manual_seed", "rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "empty"}
RANDOM |= {"normal", "bernoulli", "multinomial", "empty_like", "log_normal_", "cauchy_", "geometric_"}
NOT_OPERATIONS_OF_TENSOR = {
    *("data", "grad", "grad_fn", "requires_grad", "is_leaf", "shape", "ndim", "dtype", "device", "numel", "dim"),
    *(
        "size",
        "is_cuda",
        "is_floating_point",
        "backward",
        "detach",
        "detach_",
        "requires_grad_",
        "retain_grad",
        "register_hook",
    ),
    "register_post_accumulate_grad_hook",
    *("tensor_type", "numpy", "item", "tolist", "cpu", "cuda", "uniform_", "normal_"),
    *("is_cpu", "nelement", "ndimension", "itemsize", "nbytes", "element_size", "stride", "is_contiguous"),
    "get_device",
}
SPELLED_ON_TENSOR = {"T": "transpose", "mT": "transpose", "astype": "to", "bfloat16": "float"}
SPELLED_ON_TENSOR |= {"new_empty": "new_zeros"}
DUNDERS = {
    "__add__": "add",
    "__radd__": "add",
    "__sub__": "sub",
    "__rsub__": "sub",
    "__mul__": "mul",
    "__rmul__": "mul",
    "__truediv__": "div",
    "__rtruediv__": "div",
    "__floordiv__": "floor_divide",
    "__rfloordiv__": "floor_divide",
    "__mod__": "remainder",
    "__rmod__": "remainder",
    "__pow__": "pow",
    "__rpow__": "pow",
    "__matmul__": "matmul",
    "__rmatmul__": "matmul",
    "__neg__": "neg",
    "__pos__": "positive",
    "__abs__": "abs",
    "__getitem__": "getitem",
}


def modules_of(package: ModuleType) -> list[ModuleType]:
    return [
        importlib.import_module(f"{package.__name__}.{each.name}") for each in pkgutil.iter_modules(package.__path__)
    ]


def declarations() -> set[Declaration]:
    """Of every primitive that a module of operations defines, private ones too."""
    packages = (minitorch.ops, minitorch.nn.functional, minitorch.compat.ops, minitorch.compat.nn.functional)
    modules = [module for package in packages for module in modules_of(package)]
    found = [value for module in modules for value in vars(module).values()]
    return {each.declaration for each in found if hasattr(each, "declaration")}


def exists(name: str) -> bool:
    found: object = minitorch
    for part in name.split("."):
        found = getattr(found, part, None)
    return callable(found) or isinstance(found, property)


def test_every_promised_operation_exists() -> None:
    assert len(PROMISED) > 280
    assert [name for name in PROMISED if not exists(name)] == []


def test_every_exported_operation_has_a_row() -> None:
    assert {*minitorch.__all__, *HOMES} - NOT_OPERATIONS - RANDOM - COVERED == set()


def test_every_special_function_has_a_row() -> None:
    assert {f"special.{name}" for name in minitorch.special.__all__} - COVERED == set()


@pytest.mark.parametrize("family", MODULES)
def test_what_is_imported_late_is_what_its_file_offers(family: str) -> None:
    offered = set(importlib.import_module(f"minitorch.compat.ops.{family}").__all__)
    names = set(MODULES[family].split())
    assert names <= offered
    assert offered - names <= {*minitorch.linalg.__all__, *minitorch.special.__all__}


def test_every_function_of_nn_has_a_row() -> None:
    assert set(minitorch.nn.functional.__all__) - COVERED == set()


def test_every_function_of_linalg_has_a_row() -> None:
    functions = [name for name in minitorch.linalg.__all__ if not inspect.isclass(getattr(minitorch.linalg, name))]
    assert {f"linalg.{name}" for name in functions} - COVERED == set()


def test_every_method_that_is_an_operation_has_a_row() -> None:
    methods = {name for name in dir(Tensor) if not name.startswith("_")} - NOT_OPERATIONS_OF_TENSOR - RANDOM
    assert {SPELLED_ON_TENSOR.get(name, name) for name in methods} - COVERED == set()


@pytest.mark.parametrize("dunder", sorted(DUNDERS))
def test_every_operator_is_the_operation_of_its_name(dunder: str) -> None:
    assert DUNDERS[dunder] in COVERED
    x = Tensor(np.full((2, 2), 2.0), requires_grad=True)
    operands = {"__neg__": (), "__pos__": (), "__abs__": (), "__getitem__": (0,)}.get(dunder, (np.full((2, 2), 3.0),))
    assert getattr(x, dunder)(*operands)._op == DUNDERS[dunder]


def test_every_operation_with_a_row_is_reachable() -> None:
    """A row's name is the public one: of minitorch, of linalg, of nn.functional or of Tensor."""
    reachable = {*minitorch.__all__, *minitorch.nn.functional.__all__, *dir(Tensor), "getitem", "setitem"}
    reachable |= {f"linalg.{name}" for name in minitorch.linalg.__all__} | set(HOMES)
    reachable |= {f"special.{name}" for name in minitorch.special.__all__}
    assert reachable >= COVERED


@sums_for_scipy()
def test_every_rule_of_every_declaration_is_tried_by_some_case() -> None:
    tried: set[tuple[str, int]] = set()

    def walk(*ends: Tensor) -> None:
        nodes = [end._node for end in ends if end is not None and end._node is not None]
        seen = set(nodes)
        while nodes:
            node = nodes.pop()
            tried.update((node.op, slot) for slot, parent in enumerate(node.parents) if parent is not None)
            nodes += [parent for parent in node.parents if parent is not None and parent not in seen]
            seen.update(nodes)

    for case in CASES:
        tensors = case.tensors(Tensor)
        with np.errstate(all="ignore"):
            out = case.call(minitorch, *tensors)
            walk(out)
            if case not in TWICE or not out.requires_grad:
                continue
            seed = Tensor(np.ones(out.shape), requires_grad=True)
            variables = [seed, *[tensor for tensor in tensors if tensor.requires_grad]]
            for _ in range(2):  # some operations appear in gradients only, or in gradients of gradients
                slopes = grad(out, variables, seed, create_graph=True, allow_unused=True)
                walk(*slopes)
                recorded = [slope for slope in slopes if slope is not None and slope.requires_grad]
                if not recorded:
                    break
                out = minitorch.cat([slope.reshape(-1) for slope in recorded])
                seed = Tensor(np.ones(out.shape), requires_grad=True)
    declared = {(each.name, slot) for each in declarations() for slot in range(len(each.slots))}
    declared -= {(op, slot) for op, slot in declared if op in ("lstm", "gru")}  # test_fused_twins.py tries them
    # PyTorch's have none; tests/ops/test_reduce_errors.py and test_special_functions.py check ours
    assert declared - tried == {("bincount", 0), ("zeta", 0)}
