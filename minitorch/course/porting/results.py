"""What PyTorch's functions, methods and layers give: a Tensor, unless they are named here.

These are facts of PyTorch's interface, and none about what is here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from minitorch.course.porting.kinds import (
    ARRAY,
    LOADER,
    MODULE,
    NUMBER,
    NUMPY,
    OTHER,
    PAIR,
    RECURRENT,
    TENSOR,
    TENSORS,
    TEXT,
    UNKNOWN,
    Kind,
    row,
    several,
    words,
)

NUMBERS = words("""
    item numel nelement dim ndimension element_size stride get_device data_ptr storage_offset allclose equal
    is_tensor is_floating_point is_complex is_contiguous is_grad_enabled is_available device_count is_same_size
    initial_seed get_num_threads is_pinned
""")
OTHERS = words("""
    manual_seed set_default_dtype set_num_threads no_grad enable_grad inference_mode set_grad_enabled device
    get_default_dtype finfo iinfo Size Generator save backward register_hook retain_grad set_printoptions
    compile get_rng_state autocast result_type
""")
WITH_DIM = frozenset(["max", "min", "median", "nanmedian", "mode", "kthvalue", "cummax", "cummin"])
PAIRS = frozenset(["topk", "sort", "std_mean", "var_mean", "aminmax", "slogdet", "qr", "eigh", "eig", "frexp", "lstsq"])
ROWS = frozenset(
    [
        "split",
        "split_with_sizes",
        "chunk",
        "unbind",
        "meshgrid",
        "broadcast_tensors",
        "tensor_split",
        "hsplit",
        "vsplit",
        "dsplit",
    ]
)
RECURRENT_LAYERS = frozenset(["RNN", "LSTM", "GRU", "MultiheadAttention"])
FINE_ON_ARRAYS = words("""
    shape ndim T item tolist ravel sum mean max min all any prod nbytes itemsize squeeze dtype argmax argmin
""")
TENSOR_ONLY = words("""
    view unsqueeze dim size detach backward grad masked_fill masked_fill_ permute expand contiguous softmax
    log_softmax long numel new_zeros new_ones gather scatter_ scatter_add_ topk unbind chunk sigmoid tanh exp
    log sqrt pow relu clone mul add sub div matmul bmm norm logsumexp zero_ add_ sub_ mul_ div_ copy_ fill_
    clamp clamp_ index_select is_leaf grad_fn float double int bool eq ne ge gt le lt unflatten
    repeat_interleave abs masked_select clamp_min clamp_max expand_as view_as
""")
ATTRIBUTES = {
    "shape": row(NUMBER),
    "dtype": OTHER,
    "device": OTHER,
    "grad": ARRAY,
    "requires_grad": NUMBER,
    "is_leaf": NUMBER,
    "is_cuda": NUMBER,
    "ndim": NUMBER,
    "grad_fn": OTHER,
}
OF_MODULES: dict[str, Kind] = {
    "parameters": TENSORS,
    "buffers": TENSORS,
    "named_parameters": row(several((TEXT, TENSOR))),
    "named_buffers": row(several((TEXT, TENSOR))),
    "named_modules": row(several((TEXT, MODULE))),
    "named_children": row(several((TEXT, MODULE))),
    "state_dict": Kind("dict", (TENSOR,)),
    "modules": row(MODULE),
    "children": row(MODULE),
    # of a distribution
    "sample": TENSOR,
    "rsample": TENSOR,
    "log_prob": TENSOR,
    "entropy": TENSOR,
}


def of_function(path: str, call: ast.Call, kind_of: Callable[[ast.expr], Kind]) -> Kind:
    """What `torch.<path>(…)` gives."""
    module, _, name = path.rpartition(".")
    if module == "nn" or module.startswith("nn.modules") or name in ("Parameter", "Buffer"):
        return _layer(name, call, kind_of)
    if name == "DataLoader":
        return LOADER
    if name == "TensorDataset":
        return row(TENSORS)
    if path in ("autograd.grad", "grad"):
        return TENSORS
    if name in ("checkpoint", "checkpoint_sequential", "functional_call"):
        return TENSOR
    if module.startswith("nn.utils") and name not in ("clip_grad_norm_", "parameters_to_vector", "get_total_norm"):
        if module == "nn.utils.rnn":
            return PAIR if name == "pad_packed_sequence" else TENSOR if name == "pad_sequence" else OTHER
        return kind_of(call.args[0]) if call.args else OTHER  # a module, changed
    if name == "load":
        return Kind("dict", (UNKNOWN,))
    if module.startswith(("optim", "utils", "distributed", "cuda", "backends", "distributions", "jit", "amp")):
        return NUMBER if name in NUMBERS else OTHER
    if name.endswith(("_like", "Tensor")) or not name[:1].isupper():
        return _of_name(name, call, 1)
    return OTHER


def of_method(name: str, call: ast.Call) -> Kind:
    """What a Tensor's method gives."""
    if name == "size":
        return NUMBER if call.args or call.keywords else row(NUMBER)
    if name == "numpy":
        return NUMPY
    if name == "tolist":
        return row(UNKNOWN)
    if name == "nonzero":
        return TENSORS if call.keywords else TENSOR
    return _of_name(name, call, 0)


def _of_name(name: str, call: ast.Call, first: int) -> Kind:
    """`first`: the place of the dimension, after the Tensor of a function."""
    if name in NUMBERS:
        return NUMBER
    if name in OTHERS:
        return OTHER
    if name in WITH_DIM and (any(each.arg in ("dim", "axis") for each in call.keywords) or _is_dim(call.args[first:])):
        return PAIR
    if name in PAIRS:
        return PAIR
    if name == "svd":
        return several((TENSOR, TENSOR, TENSOR))
    if name in ROWS:
        return TENSORS
    if name == "unique" and any(each.arg and each.arg.startswith("return_") for each in call.keywords):
        return TENSORS
    return TENSOR


def _is_dim(places: list[ast.expr]) -> bool:
    if not places:
        return False
    node = places[0].operand if isinstance(places[0], ast.UnaryOp) else places[0]
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _layer(name: str, call: ast.Call, kind_of: Callable[[ast.expr], Kind]) -> Kind:
    if name in ("Parameter", "Buffer"):
        return TENSOR
    if name in RECURRENT_LAYERS or name == "LSTMCell":
        return RECURRENT
    if name in ("ModuleList", "ParameterList"):
        given = kind_of(call.args[0]) if call.args else UNKNOWN
        return given if given.word == "row" else row(TENSOR if name == "ParameterList" else UNKNOWN)
    return OTHER if name == "Module" else MODULE
