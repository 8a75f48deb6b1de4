"""PyTorch's database of operators: which of its entries are here, and its own samples run on both.

`torch.testing._internal` is PyTorch's, for its own tests; it needs the package expecttest beside it.
"""

from __future__ import annotations

import functools
import itertools
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


# What PyTorch's database calls otherwise than its public interface does.
SPELLED = {"__rdiv__": "__rtruediv__", "max": "max", "cholesky": "cholesky"}
SPELLED |= {name: f"{name}_" for name in ("cauchy", "exponential", "geometric", "log_normal", "uniform")}

# Where the database hands the arguments over in another order, or takes a part of the answer.
ADAPTED: dict[str, Callable[..., Any]] = {
    "einsum": lambda operands, equation: minitorch.einsum(equation, *operands),
    "where": lambda x, condition, other: minitorch.where(condition, x, other),
    "polygamma": lambda x, n: minitorch.polygamma(n, x),
    "special.polygamma": lambda x, n: minitorch.special.polygamma(n, x),
    "nn.functional.embedding": lambda weight, index, **o: minitorch.nn.functional.embedding(index, weight, **o),
    "nn.functional.embedding_bag": lambda weight, index, **o: minitorch.nn.functional.embedding_bag(index, weight, **o),
    "linalg.pinv singular": lambda a, b: minitorch.linalg.pinv(a @ b.mT),
    "linalg.lstsq grad_oriented": lambda a, b, driver: minitorch.linalg.lstsq(a, b, driver=driver)[:2],
    "zero_": lambda x: x.clone().zero_(),
}


def found(name: str) -> Any:
    """What stands here under PyTorch's name: a function, or an attribute of Tensor; None if nothing does."""
    space: Any = minitorch
    name = SPELLED.get(name, name)
    for part in name.split("."):
        space = getattr(space, part, None)
    return space if callable(space) else _on_tensor(name) if hasattr(Tensor, name) else None


def _on_tensor(name: str) -> Callable[..., Any]:
    def call(first: Any, *args: Any, **options: Any) -> Any:
        value = getattr(first, name)
        return value(*args, **options) if callable(value) and not isinstance(value, Tensor) else value

    return call


class UnlikeError(Exception):
    """A sample that has no counterpart here: complex numbers, a layout, a device."""


def ours(value: Any, requires_grad: bool | None = None) -> Any:
    """PyTorch's arguments as they are written here."""
    if isinstance(value, torch.Tensor):
        if value.is_complex() or value.layout is not torch.strided or value.dtype not in DTYPES:
            raise UnlikeError(str(value.dtype))
        wanted = value.requires_grad if requires_grad is None else requires_grad
        return Tensor(value.detach().numpy().copy(), requires_grad=wanted)
    if isinstance(value, torch.dtype):
        if value not in DTYPES:
            raise UnlikeError(str(value))
        return DTYPES[value]
    if isinstance(value, (complex, torch.memory_format, torch.layout, torch.Generator, torch.nn.Module)):
        raise UnlikeError(type(value).__name__)
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


def answer(call: Callable[[], Any], given: Any, kind: type, grad: Any, twice: bool) -> Answer:
    """Runs it: Σ out · weights is differentiated, then Σ gradient · weights, with weights that both sides share."""
    leaves = [each for each in tensors(given, kind) if each.requires_grad]
    out = call()
    results = list(tensors(out, kind)) or [out]
    values = [np.asarray(each.detach() if isinstance(each, kind) else each) for each in results]
    total = _weighed(results, kind)
    if total is None or not leaves:
        return Answer(values, [], [])
    first = grad(total, leaves, create_graph=twice, allow_unused=True)
    again = _weighed(first, kind) if twice else None
    second = [] if again is None else grad(again, leaves, allow_unused=True)
    plain = [[None if each is None else np.asarray(each.detach()) for each in some] for some in (first, second)]
    return Answer(values, *plain)


def _weighed(results: Any, kind: type) -> Any:
    """Σ results · weights of those that take part in the graph; None if none does."""
    make = torch.tensor if kind is torch.Tensor else Tensor
    parts = []
    for place, each in enumerate(results):
        if isinstance(each, kind) and each.requires_grad:
            weights = np.random.default_rng(place).uniform(0.5, 1.5, tuple(each.shape))
            parts.append((each * make(weights)).sum())
    return functools.reduce(lambda a, b: a + b, parts) if parts else None


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


# Numbers that are drawn, and memory that nobody has filled: shapes are compared.
DRAWN = {
    "bernoulli",
    "cauchy",
    "empty",
    "empty_like",
    "exponential",
    "geometric",
    "log_normal",
    "multinomial",
    "new_empty",
}
DRAWN |= {"normal", "rand_like", "randint", "randint_like", "randn", "randn_like", "uniform"}
DRAWN |= {f"nn.functional.{name}" for name in ("dropout", "dropout2d", "dropout3d", "rrelu")}
DRAWN |= {f"nn.functional.{name}" for name in ("alpha_dropout", "feature_alpha_dropout")}


def refusals(key: str) -> list[tuple[str, Callable[[], Any]]]:
    """What PyTorch says of each wrong call that its database has, and the call here; of those that can be written."""
    entry, made = ENTRIES[key], []
    wrong = iter(entry.error_inputs("cpu") if entry.error_inputs_func else ())
    while True:
        try:
            each = next(wrong)
            sample = each.sample_input
            args, options = ours((sample.input, *sample.args), False), ours(sample.kwargs, False)
        except StopIteration:
            return made
        except (UnlikeError, ValueError, TypeError):  # more axes than NumPy has, another device
            continue
        if "out" not in options:
            made.append((each.error_regex, functools.partial(function_of(key), *args, **options)))


def near(mine: Any, theirs: Any, rtol: float, atol: float) -> str:
    """What is different, or nothing."""
    if theirs is None or mine is None:
        other = mine if theirs is None else theirs
        return (
            ""
            if other is None or not np.any(other)
            else "a gradient is missing"
            if mine is None
            else "a gradient too many"
        )
    if mine.shape != theirs.shape:
        return f"shape {mine.shape} instead of {theirs.shape}"
    if not np.allclose(mine.astype(float), theirs.astype(float), rtol, atol, equal_nan=True):
        with np.errstate(all="ignore"):
            return f"off by {np.nanmax(np.abs(mine.astype(float) - theirs.astype(float))):.3g}"
    return ""


def function_of(key: str) -> Any:
    """What runs an entry's samples here."""
    entry = ENTRIES[key]
    return ADAPTED.get(key) or ADAPTED.get(entry.name) or found(entry.name)


def _positive_triangle(op: Any, L: Any, *args: Any, **options: Any) -> Any:
    """What the database makes of a factor of Cholesky's, on both sides."""
    m = torch if isinstance(L, torch.Tensor) else minitorch
    upper = options.get("upper", False)
    half = L.triu(1) if upper else L.tril(-1)
    return op(half + m.diag_embed(L.diagonal(0, -2, -1).abs()), *args, **options)


WRAPPED = {"cholesky_inverse": _positive_triangle}


def keys_of(name: str) -> list[str]:
    """The entries of that name, one for each variant."""
    return [key for key, entry in ENTRIES.items() if entry.name == name]


def compared(key: str, sample: Any, rtol: float = 1e-9, atol: float = 1e-10) -> str:
    """What differs between both on one sample: the values, the gradients, those of second order; or nothing.

    The database says how a matrix is made symmetric or triangular first, and what of an answer is unique.
    """
    entry, function = ENTRIES[key], function_of(key)
    twice, made, shown = (
        entry.supports_gradgrad,
        WRAPPED.get(key, entry.gradcheck_wrapper),
        sample.output_process_fn_grad,
    )
    args, options = (sample.input, *sample.args), sample.kwargs
    given, chosen = ours(args), ours(options)
    if any(each.dtype == np.float32 for each in tensors((given, chosen), Tensor)):
        rtol, atol = 1e-4, 1e-4
    try:
        theirs = answer(
            lambda: shown(made(entry.op, *args, **options)), (args, options), torch.Tensor, torch.autograd.grad, twice
        )
    except Exception as error:  # noqa: BLE001 (whatever it was: there is nothing to compare with)
        raise UnlikeError(f"PyTorch itself: {error}") from None
    with np.errstate(all="ignore"):
        mine = answer(lambda: shown(made(function, *given, **chosen)), (given, chosen), Tensor, minitorch.grad, twice)
    if entry.name in DRAWN or sample.kwargs.get("dropout_p"):
        shapes = [[each.shape for each in some.values] for some in (mine, theirs)]
        return "" if shapes[0] == shapes[1] else f"shapes {shapes[0]} instead of {shapes[1]}"
    for what in ("values", "first", "second"):
        left, right = getattr(mine, what), getattr(theirs, what)
        for one, other in itertools.zip_longest(left, right):
            if difference := near(one, other, rtol, atol):
                return f"{what}: {difference}"
    return ""
