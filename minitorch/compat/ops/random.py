"""Further random numbers: like another Tensor, in random order, and written into a Tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import as_result, device_of, moved
from minitorch.errors import OperandError
from minitorch.ops.creation import dtype_or, made
from minitorch.ops.random import _filled, _gaussian, _source, _uniform, randint
from minitorch.types import TensorLike

__all__ = ["randperm", "rand_like", "randn_like", "randint_like", "bernoulli"]


def randperm(
    n: int, *, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """The integers from 0 to n - 1 in random order.

    >>> sorted(randperm(3).tolist())
    [0, 1, 2]
    """
    order = _source(generator).permutation(n)
    return made(order.astype(dtype_or(dtype, np.int64), copy=False), device, requires_grad)


def rand_like(
    input: TensorLike, *, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """`rand` in input's shape, dtype and device.

    >>> rand_like(Tensor([1.0, 2.0])).shape
    (2,)
    """
    array = as_array(input)
    drawn = _uniform(array.shape, dtype_or(dtype, array.dtype), generator)
    return made(drawn, device or device_of(array), requires_grad)


def randn_like(
    input: TensorLike, *, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """`randn` in input's shape, dtype and device.

    >>> randn_like(Tensor([1.0, 2.0])).shape
    (2,)
    """
    array = as_array(input)
    drawn = _gaussian(array.shape, dtype_or(dtype, array.dtype), generator)
    return made(drawn, device or device_of(array), requires_grad)


def randint_like(
    input: TensorLike,
    low: Any = 0,
    high: Any = None,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`randint` in input's shape, dtype and device: `randint_like(input, low, high)` or `randint_like(input, high)`.

    >>> randint_like(Tensor([1.0, 2.0]), 3, 4)
    tensor([3., 3.])
    """
    array = as_array(input)
    kind, place = dtype_or(dtype, array.dtype), device or device_of(array)
    return randint(low, high, array.shape, generator=generator, dtype=kind, device=place, requires_grad=requires_grad)


def bernoulli(input: TensorLike, p: float | None = None, *, generator: Any = None) -> Tensor:
    """1 with the probability that stands in input's place (or with `p` everywhere), else 0; in input's dtype.

    Raises ValueError for what is not between 0 and 1.

    >>> bernoulli(Tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    array = as_array(input)
    return constant(_tossed("bernoulli", array, array if p is None else p, generator))


def bernoulli_(tensor: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with ones and zeros, 1 with probability `p`, a number or a Tensor of them, and returns it.

    >>> bernoulli_(Tensor([3.0, 2.0]), 1.0)
    tensor([1., 1.])
    """
    chance = p._data if isinstance(p, TensorBase) else p
    return _filled(tensor, "bernoulli_", _tossed("bernoulli_", tensor._data, chance, generator))


def _tossed(name: str, array: Any, chance: Any, generator: Any) -> Any:
    """Ones and zeros of array's shape, dtype and device: 1 with the probability `chance`."""
    if not (np.all(chance >= 0) and np.all(chance <= 1)):
        raise OperandError(f"{name}: every probability must be between 0 and 1")
    drawn = moved(_uniform(array.shape, np.dtype(np.float64), generator), device_of(array))
    return as_result(drawn < chance).astype(array.dtype)


def _fill(tensor: Tensor, name: str, drawn: Any) -> Tensor:
    return _filled(tensor, name, as_result(drawn).astype(tensor.dtype))


def exponential_(tensor: Tensor, lambd: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with waiting times, whose density is lambd · exp(-lambd · x), and returns it.

    >>> bool((exponential_(Tensor([0.0, 0.0])) > 0).all())
    True
    """
    if lambd <= 0:
        raise OperandError(f"exponential_: lambd {lambd} must be above 0")
    return _fill(tensor, "exponential_", _source(generator).standard_exponential(tensor.shape) / lambd)


def random_(tensor: Tensor, low: int = 0, high: int | None = None, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with integers from `low` to below `high`, and returns it; `random_(high)` starts at 0.

    Without either, up to the largest that its dtype holds exactly (2**24 in float32). PyTorch: `from`, `to`.

    >>> random_(Tensor([9, 9]), 3, 4)
    tensor([3, 3])
    """
    if high is None:
        digits = {2: 11, 4: 24, 8: 53}[tensor.dtype.itemsize] if tensor.dtype.kind == "f" else None
        most = 2**digits + 1 if digits else 2 if tensor.dtype.kind == "b" else int(np.iinfo(tensor.dtype).max)
        low, high = 0, low or most
    if high <= low:
        raise OperandError(f"random_: there is no integer from {low} to below {high}")
    return _fill(tensor, "random_", _source(generator).integers(low, high, tensor.shape))


def log_normal_(tensor: Tensor, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with e to the power of normal numbers of that mean and deviation, and returns it.

    >>> log_normal_(Tensor([1.0, 2.0]), mean=0, std=1e-9)
    tensor([1., 1.])
    """
    if std <= 0:
        raise ValueError(f"log_normal_: std {std} must be above 0")
    return _fill(tensor, "log_normal_", np.exp(mean + std * _source(generator).standard_normal(tensor.shape)))


def cauchy_(tensor: Tensor, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with numbers of density σ / (π (σ² + (x - median)²)), and returns it.

    >>> cauchy_(Tensor([1.0, 2.0]), median=3, sigma=1e-30)
    tensor([3., 3.])
    """
    if sigma <= 0:
        raise ValueError(f"cauchy_: sigma {sigma} must be above 0")
    return _fill(tensor, "cauchy_", median + sigma * _source(generator).standard_cauchy(tensor.shape))


def geometric_(tensor: Tensor, p: float, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with how many trials the first success takes, each a success with probability p; returns it.

    >>> geometric_(Tensor([1.0, 2.0]), 0.999999999)
    tensor([1., 1.])
    """
    if not 0 < p < 1:
        raise ValueError(f"geometric_: p {p} must be between 0 and 1, neither included")
    return _fill(tensor, "geometric_", _source(generator).geometric(p, tensor.shape))
