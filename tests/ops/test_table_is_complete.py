"""No operation is exported, no rule declared, and no fused twin named without a case that tries it."""

import importlib
import inspect
import pkgutil
from types import ModuleType

import numpy as np
import pytest
from op_table import CASES, TWICE

import minitorch
import minitorch.nn.functional
import minitorch.ops
from minitorch import Tensor, grad
from minitorch.autograd.operation import Declaration

COVERED = {case.op for case in CASES}

# Every public name that the engine promises; PyTorch's, but for `linalg.` and `nn.functional.` in front.
PROMISED = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "erf",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "frac",
    "log",
    "log10",
    "log1p",
    "log2",
    "neg",
    "positive",
    "reciprocal",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
    "isfinite",
    "isinf",
    "isnan",
    "nan_to_num",
    "clamp",
    "clamp_min",
    "clamp_max",
    "add",
    "sub",
    "mul",
    "div",
    "true_divide",
    "floor_divide",
    "remainder",
    "fmod",
    "pow",
    "float_power",
    "maximum",
    "minimum",
    "max",
    "min",
    "atan2",
    "lerp",
    "logaddexp",
    "hypot",
    "xlogy",
    "addcmul",
    "addcdiv",
    "rsub",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "isclose",
    "allclose",
    "equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "where",
    "masked_fill",
    "sum",
    "mean",
    "prod",
    "amax",
    "amin",
    "aminmax",
    "argmax",
    "argmin",
    "all",
    "any",
    "std",
    "var",
    "std_mean",
    "var_mean",
    "logsumexp",
    "norm",
    "linalg.norm",
    "linalg.vector_norm",
    "count_nonzero",
    "cumsum",
    "cumprod",
    "median",
    "nansum",
    "nanmean",
    "trace",
    "matmul",
    "mm",
    "bmm",
    "mv",
    "dot",
    "inner",
    "outer",
    "addmm",
    "einsum",
    "tensordot",
    "baddbmm",
    "reshape",
    "Tensor.view",
    "Tensor.reshape_as",
    "Tensor.view_as",
    "flatten",
    "unflatten",
    "ravel",
    "squeeze",
    "unsqueeze",
    "transpose",
    "permute",
    "movedim",
    "t",
    "Tensor.T",
    "Tensor.mT",
    "Tensor.expand",
    "Tensor.expand_as",
    "broadcast_to",
    "broadcast_tensors",
    "Tensor.repeat",
    "repeat_interleave",
    "tile",
    "flip",
    "fliplr",
    "flipud",
    "roll",
    "cat",
    "stack",
    "hstack",
    "vstack",
    "split",
    "split_with_sizes",
    "chunk",
    "tensor_split",
    "unbind",
    "narrow",
    "select",
    "diagonal",
    "diag",
    "tril",
    "triu",
    "meshgrid",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "Tensor.contiguous",
    "clone",
    "Tensor.item",
    "gather",
    "scatter",
    "scatter_add",
    "index_select",
    "index_add",
    "index_fill",
    "index_copy",
    "index_put",
    "masked_select",
    "take",
    "take_along_dim",
    "nonzero",
    "argwhere",
    "topk",
    "sort",
    "argsort",
    "arange",
    "linspace",
    "eye",
    "zeros",
    "ones",
    "full",
    "zeros_like",
    "ones_like",
    "full_like",
    "rand_like",
    "randn_like",
    "randn",
    "randint",
    "Tensor.new_zeros",
    "Tensor.new_ones",
    "Tensor.new_full",
    "Tensor.to",
    "Tensor.float",
    "Tensor.double",
    "Tensor.long",
    "Tensor.int",
    "Tensor.bool",
    "softmax",
    "log_softmax",
    "Tensor.__radd__",
    "Tensor.__rmul__",
    "Tensor.__rsub__",
    "Tensor.__rtruediv__",
    "Tensor.__rpow__",
    "Tensor.__rmod__",
    "Tensor.__rmatmul__",
    "Tensor.__getitem__",
    "Tensor.__setitem__",
    "Tensor.add_",
    "Tensor.mul_",
    "Tensor.zero_",
    "Tensor.fill_",
    "Tensor.copy_",
    "Tensor.clamp_",
    "linalg.inv",
    "linalg.det",
    "linalg.slogdet",
    "linalg.solve",
    "linalg.cholesky",
    "diff",
    "kron",
    "bincount",
    "unique",
    "searchsorted",
    "multinomial",
    "bernoulli",
    "normal",
    "Tensor.uniform_",
    "manual_seed",
    "tensor",
    "as_tensor",
    "from_numpy",
    "nn.functional.relu",
    "nn.functional.relu6",
    "nn.functional.leaky_relu",
    "nn.functional.elu",
    "nn.functional.celu",
    "nn.functional.selu",
    "nn.functional.gelu",
    "nn.functional.silu",
    "nn.functional.mish",
    "nn.functional.softplus",
    "nn.functional.softsign",
    "nn.functional.hardtanh",
    "nn.functional.hardswish",
    "nn.functional.hardsigmoid",
    "nn.functional.logsigmoid",
    "nn.functional.prelu",
    "nn.functional.glu",
    "nn.functional.softmin",
    "nn.functional.linear",
    "nn.functional.conv1d",
    "nn.functional.conv2d",
    "nn.functional.conv_transpose2d",
    "nn.functional.max_pool1d",
    "nn.functional.max_pool2d",
    "nn.functional.avg_pool1d",
    "nn.functional.avg_pool2d",
    "nn.functional.adaptive_avg_pool1d",
    "nn.functional.adaptive_avg_pool2d",
    "nn.functional.adaptive_max_pool2d",
    "nn.functional.layer_norm",
    "nn.functional.rms_norm",
    "nn.functional.group_norm",
    "nn.functional.batch_norm",
    "nn.functional.instance_norm",
    "nn.functional.normalize",
    "nn.functional.cosine_similarity",
    "nn.functional.pad",
    "nn.functional.unfold",
    "nn.functional.interpolate",
    "nn.functional.embedding",
    "nn.functional.one_hot",
    "nn.functional.dropout",
    "nn.functional.dropout2d",
    "nn.functional.cross_entropy",
    "nn.functional.nll_loss",
    "nn.functional.mse_loss",
    "nn.functional.l1_loss",
    "nn.functional.smooth_l1_loss",
    "nn.functional.huber_loss",
    "nn.functional.binary_cross_entropy",
    "nn.functional.binary_cross_entropy_with_logits",
    "nn.functional.kl_div",
    "nn.functional.scaled_dot_product_attention",
]

NOT_OPERATIONS = {
    *("Tensor", "GradcheckError", "linalg", *minitorch.dtypes.__all__),
    *("enable_grad", "inference_mode", "is_grad_enabled", "no_grad", "set_grad_enabled", "detect_anomaly"),
    *("get_default_dtype", "set_default_dtype", "grad", "gradcheck", "gradgradcheck", "primitive"),
}
# Random numbers and uninitialised memory differ from PyTorch's: tests/ops/test_random.py and test_creation.py try them.
RANDOM = {"manual_seed", "rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "empty"}
RANDOM |= {"normal", "bernoulli", "multinomial", "empty_like"}
NOT_OPERATIONS_OF_TENSOR = {
    *("data", "grad", "grad_fn", "requires_grad", "is_leaf", "shape", "ndim", "dtype", "device", "numel", "dim"),
    *("size", "is_cuda", "is_floating_point", "backward", "detach", "requires_grad_", "retain_grad", "register_hook"),
    *("tensor_type", "numpy", "item", "tolist", "cpu", "cuda", "uniform_", "normal_"),
}
SPELLED_ON_TENSOR = {"T": "transpose", "mT": "transpose", "astype": "to"}
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
    modules = [*modules_of(minitorch.ops), *modules_of(minitorch.nn.functional)]
    found = [value for module in modules for value in vars(module).values()]
    return {each.declaration for each in found if hasattr(each, "declaration")}


@pytest.mark.parametrize("name", PROMISED)
def test_every_promised_operation_exists(name: str) -> None:
    found: object = minitorch
    for part in name.split("."):
        found = getattr(found, part)
    assert callable(found) or isinstance(found, property)


@pytest.mark.parametrize("name", sorted(set(minitorch.__all__) - NOT_OPERATIONS - RANDOM))
def test_every_exported_operation_has_a_row(name: str) -> None:
    assert name in COVERED


@pytest.mark.parametrize("name", sorted(minitorch.nn.functional.__all__))
def test_every_function_of_nn_has_a_row(name: str) -> None:
    assert name in COVERED


@pytest.mark.parametrize("name", sorted(minitorch.linalg.__all__))
def test_every_function_of_linalg_has_a_row(name: str) -> None:
    assert f"linalg.{name}" in COVERED or inspect.isclass(getattr(minitorch.linalg, name))


@pytest.mark.parametrize(
    "name",
    sorted(name for name in dir(Tensor) if not name.startswith("_") and name not in NOT_OPERATIONS_OF_TENSOR | RANDOM),
)
def test_every_method_that_is_an_operation_has_a_row(name: str) -> None:
    assert SPELLED_ON_TENSOR.get(name, name) in COVERED


@pytest.mark.parametrize("dunder", sorted(DUNDERS))
def test_every_operator_is_the_operation_of_its_name(dunder: str) -> None:
    assert DUNDERS[dunder] in COVERED
    x = Tensor(np.full((2, 2), 2.0), requires_grad=True)
    operands = {"__neg__": (), "__pos__": (), "__abs__": (), "__getitem__": (0,)}.get(dunder, (np.full((2, 2), 3.0),))
    assert getattr(x, dunder)(*operands)._op == DUNDERS[dunder]


def test_every_operation_with_a_row_is_reachable() -> None:
    """A row's name is the public one: of minitorch, of linalg, of nn.functional or of Tensor."""
    reachable = {*minitorch.__all__, *minitorch.nn.functional.__all__, *dir(Tensor), "getitem", "setitem"}
    reachable |= {f"linalg.{name}" for name in minitorch.linalg.__all__}
    assert reachable >= COVERED


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
    assert declared - tried == {("bincount", 0)}  # PyTorch's has none; tests/ops/test_reduce_errors.py checks ours
