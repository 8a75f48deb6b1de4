"""PyTorch's database of operators: which of its entries are here, and its own samples run on both.

`torch.testing._internal` is PyTorch's, for its own tests; it needs the package expecttest beside it.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.testing._internal.common_methods_invocations import op_db

import minitorch
import minitorch.nn.functional
from minitorch import Tensor

ENTRIES = {f"{each.name}{each.variant_test_name and f' {each.variant_test_name}'}": each for each in op_db}
DTYPES = {
    getattr(torch, name): np.dtype(name)
    for name in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool")
}


def found(name: str) -> Any:
    """What stands here under PyTorch's name: a function, or an attribute of Tensor; None if nothing does."""
    space: Any = minitorch
    for part in name.split("."):
        space = getattr(space, part, None)
    return space if callable(space) else inspect.getattr_static(Tensor, name, None) and _on_tensor(name)


def _on_tensor(name: str) -> Callable[..., Any]:
    def call(first: Any, *args: Any, **options: Any) -> Any:
        value = getattr(first, name)
        return value(*args, **options) if callable(value) and not isinstance(value, Tensor) else value

    return call


class Unlike(Exception):
    """A sample that has no counterpart here: complex numbers, a layout, a device."""


def ours(value: Any, requires_grad: bool | None = None) -> Any:
    """PyTorch's arguments as they are written here."""
    if isinstance(value, torch.Tensor):
        if value.is_complex() or value.layout is not torch.strided or value.dtype not in DTYPES:
            raise Unlike(str(value.dtype))
        wanted = value.requires_grad if requires_grad is None else requires_grad
        return Tensor(value.detach().numpy().copy(), requires_grad=wanted)
    if isinstance(value, torch.dtype):
        if value not in DTYPES:
            raise Unlike(str(value))
        return DTYPES[value]
    if isinstance(value, complex):
        raise Unlike("complex")
    if isinstance(value, torch.Size):
        return tuple(value)
    if isinstance(value, (list, tuple)):
        return type(value)(ours(each, requires_grad) for each in value)
    if isinstance(value, dict):
        return {key: ours(each, requires_grad) for key, each in value.items()}
    return str(value) if isinstance(value, torch.device) else value


def tensors(value: Any, kind: type) -> Iterator[Any]:
    """All Tensors in an answer, in order."""
    if isinstance(value, kind):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from tensors(each, kind)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors(each, kind)


@dataclass(frozen=True)
class Answer:
    """The values of one call, its gradients, and the gradients of these."""

    values: list[Any]
    first: list[Any]
    second: list[Any]


def answer(call: Callable[..., Any], given: tuple[Any, ...], options: Any, kind: type, grad: Any, twice: bool) -> Answer:
    """Runs it: Σ out · weights is differentiated, then Σ gradient · weights, with weights that both sides share."""
    leaves = [each for each in tensors((given, options), kind) if each.requires_grad]
    out = call(*given, **options)
    results = list(tensors(out, kind)) or [out]
    values = [np.asarray(each.detach() if isinstance(each, kind) else each) for each in results]
    floats = [each for each in results if isinstance(each, kind) and each.requires_grad]
    if not floats or not leaves:
        return Answer(values, [], [])
    first = grad(_weighed(floats, kind), leaves, create_graph=twice, allow_unused=True)
    again = [each for each in first if each is not None and each.requires_grad] if twice else []
    second = grad(_weighed(again, kind), leaves, allow_unused=True) if again else []
    return Answer(values, *[[None if each is None else np.asarray(each.detach()) for each in some] for some in (first, second)])


def _weighed(results: list[Any], kind: type) -> Any:
    rng = np.random.default_rng(7)
    make = torch.tensor if kind is torch.Tensor else Tensor
    return functools.reduce(
        lambda a, b: a + b, [(each * make(rng.uniform(0.5, 1.5, tuple(each.shape)))).sum() for each in results]
    )


def samples(entry: Any, most: int) -> list[Any]:
    """PyTorch's samples in float64, or in the first of the kinds that it has; the first ones, and no two alike."""
    dtype = torch.float64 if torch.float64 in entry.dtypes else torch.int64 if torch.int64 in entry.dtypes else None
    if dtype is None:
        return []
    torch.manual_seed(0)
    wanted = entry.supports_autograd and dtype is torch.float64
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [each for _, each in zip(range(most), entry.sample_inputs("cpu", dtype, requires_grad=wanted))]


def near(mine: Any, theirs: Any, rtol: float, atol: float) -> str:
    """What is different, or nothing."""
    if theirs is None or mine is None:
        other = mine if theirs is None else theirs
        return "" if other is None or not np.any(other) else "a gradient is missing" if mine is None else "a gradient too many"
    if mine.shape != theirs.shape:
        return f"shape {mine.shape} instead of {theirs.shape}"
    if not np.allclose(mine.astype(float), theirs.astype(float), rtol, atol, equal_nan=True):
        with np.errstate(all="ignore"):
            return f"off by {np.nanmax(np.abs(mine.astype(float) - theirs.astype(float))):.3g}"
    return ""


def compared(entry: Any, sample: Any, rtol: float = 1e-9, atol: float = 1e-11) -> str:
    """What differs between both on one sample: the values, the gradients, those of second order; or nothing."""
    function = found(entry.name)
    given, options = ours((sample.input, *sample.args)), ours(sample.kwargs)
    twice = entry.supports_gradgrad
    try:
        theirs = answer(entry.op, (sample.input, *sample.args), sample.kwargs, torch.Tensor, torch.autograd.grad, twice)
    except Exception as error:  # noqa: BLE001
        raise Unlike(f"PyTorch itself: {error}") from None
    with np.errstate(all="ignore"):
        mine = answer(function, given, options, Tensor, minitorch.grad, twice)
    for what in ("values", "first", "second"):
        left, right = getattr(mine, what), getattr(theirs, what)
        if len(left) != len(right) and (any(each is not None and each.any() for each in [*left, *right])):
            return f"{what}: {len(left)} instead of {len(right)}"
        for one, other in zip(left, right):
            if difference := near(one, other, rtol, atol):
                return f"{what}: {difference}"
    return ""
