"""Errors for a name that does not exist: the nearest name, or the reason why there is none and what to use."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from numbers import Integral
from typing import Any

__all__ = ["not_data", "not_found"]

_GRAPHS = "operations run at once, and minitorch.graph shows what they recorded"
_ONE_PROCESS = "training runs in one process"
_REAL = "a Tensor holds real numbers"

WHY = {
    "jit": f"{_GRAPHS}; minitorch.capture replays a training step quicker",
    "FractionalMaxPool2d": "its windows are drawn by chance: use MaxPool2d or AdaptiveMaxPool2d",
    "FractionalMaxPool3d": "its windows are drawn by chance: use MaxPool3d or AdaptiveMaxPool3d",
    "LinearCrossEntropyLoss": "write a Linear and a CrossEntropyLoss",
    "NLLLoss2d": "it is NLLLoss, which takes images too",
    "RNNBase": "its parts are RNN, LSTM and GRU: derive from one of them, or from Module",
    "SparseAdam": "gradients are dense: use Adam",
    "fx": _GRAPHS,
    "onnx": "save the weights as safetensors, which PyTorch reads, and export there",
    "distributed": _ONE_PROCESS,
    "multiprocessing": f"{_ONE_PROCESS}; DataLoader(prefetch=2) makes batches ahead of time",
    "DataParallel": _ONE_PROCESS,
    "SyncBatchNorm": f"{_ONE_PROCESS}: use BatchNorm2d",
    "CrossMapLRN2d": "it is what LuaTorch had: use LocalResponseNorm",
    "sparse": "arrays are dense: index_add and embedding do what sparse gradients are for",
    "sparse_coo_tensor": "arrays are dense: write zeros(size).index_put(tuple(indices), values, accumulate=True)",
    "quantization": "float16, float32 and float64 are what is computed with",
    "hub": "nothing is ever downloaded: load weights from a file with minitorch.load",
    "complex": f"{_REAL}: keep real and imaginary parts in two of them",
    "complex64": _REAL,
    "complex128": _REAL,
    "fft": f"{_REAL}: compute np.fft on x.numpy() where no gradient is needed",
    "stft": f"{_REAL}: compute np.fft on x.numpy() where no gradient is needed",
    "eig": "eigenvalues of a general matrix may be complex: use linalg.eigh for a symmetric one",
    "eigvals": "eigenvalues of a general matrix may be complex: use linalg.eigvalsh for a symmetric one",
    "tensorboard": "minitorch.viz draws curves, and minitorch.train keeps them",
    "channels_last": "arrays lie in their own order: leave memory_format out",
    "contiguous_format": "arrays lie in their own order: leave memory_format out",
    "preserve_format": "arrays lie in their own order: leave memory_format out",
    "data_ptr": "memory may move: compare x.data of two Tensors with np.shares_memory",
    "storage": "memory belongs to NumPy: x.data is the array",
    "share_memory_": _ONE_PROCESS,
    "pin_memory": "memory of the host is moved to a GPU as it is",
}


def not_found(where: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for `name`, which `where` does not have, with the nearest of the names that it has.

    >>> print(not_found("module 'minitorch'", "sofmax", ["softmax", "sigmoid"]))
    module 'minitorch' has no attribute 'sofmax': did you mean 'softmax'?
    """
    said = f"{where} has no attribute {name!r}"
    if name in WHY:
        return AttributeError(f"{said}, on purpose: {WHY[name]}")
    plain: dict[str, str] = {}
    for each in sorted(known):
        if not each.startswith("_"):
            plain.setdefault(each.lower().replace("_", ""), each)
    near = difflib.get_close_matches(name.lower().replace("_", ""), plain, 1, 0.75)
    return AttributeError(f"{said}: did you mean {plain[near[0]]!r}?" if near else said)


def not_data(*given: Any) -> TypeError:
    """The error for Tensor(3, 4), whose sizes are no data, and for a second argument that is no requires_grad.

    >>> print(not_data(3, 4))
    Tensor(3, 4): for a Tensor of these numbers write Tensor([3, 4]), of this shape zeros(3, 4)
    """
    if all(isinstance(each, Integral) for each in given):
        row = ", ".join(str(each) for each in given)
        return TypeError(
            f"Tensor({row}): for a Tensor of these numbers write Tensor([{row}]), of this shape zeros({row})"
        )
    return TypeError(
        f"Tensor(data, {type(given[1]).__name__} …): requires_grad, the second argument, is True or False; "
        f"dtype and device are given by name"
    )
