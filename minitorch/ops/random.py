"""Random numbers. They are drawn on the CPU, from one seeded generator, and then moved: the same on every device.

`generator=` takes a NumPy Generator instead of the common one. Results are constants, whatever the parameters were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.in_place import require_changeable, write
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.backend import as_result, device_of, is_array, moved, to_host
from minitorch.errors import DtypeError, OperandError, ShapeError
from minitorch.moved import moved_names
from minitorch.ops._dims import as_axes, size_from
from minitorch.ops.creation import dtype_or, made
from minitorch.types import Sizes, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "manual_seed",
    "rand",
    "randn",
    "randint",
    "normal",
    "multinomial",
]


def manual_seed(seed: int) -> None:
    """Starts the common generator again: the same seed, the same numbers. PyTorch's are others.

    Any integer will do; the 64 lowest bits count. Unlike PyTorch's, it returns nothing.

    >>> manual_seed(1)
    >>> first = rand(3)
    >>> manual_seed(1)
    >>> first.equal(rand(3))
    True
    """
    current_scope().random.seed(int(seed) % 2**64)


def _source(generator: Any) -> Any:
    return current_scope().random.generator if generator is None else generator


def _uniform(shape: Sizes, dtype: np.dtype[Any], generator: Any) -> np.ndarray:
    return _floats("rand", _source(generator).random, shape, dtype)


def _gaussian(shape: Sizes, dtype: np.dtype[Any], generator: Any) -> np.ndarray:
    return _floats("randn", _source(generator).standard_normal, shape, dtype)


def _floats(op: str, draw: Any, shape: Sizes, dtype: np.dtype[Any]) -> np.ndarray:
    if dtype.kind != "f":
        raise DtypeError(f"{op}: only floats are drawn, not {dtype}: use randint")
    drawn = dtype if dtype.itemsize in (4, 8) else np.dtype(np.float64)  # those that NumPy's generator draws
    numbers: np.ndarray = as_result(draw(shape, dtype=drawn)).astype(dtype, copy=False)
    return numbers


# -- by size -----------------------------------------------------------------------------------------------------------


def rand(
    *sizes: Any,
    size: Sizes | None = None,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Numbers between 0 (included) and 1 (excluded), all equally likely.

    >>> rand(2, 3).shape
    (2, 3)
    """
    kind = dtype_or(dtype, current_scope().default_dtype)
    return made(_uniform(size_from("rand", sizes, size), kind, generator), device, requires_grad)


def randn(
    *sizes: Any,
    size: Sizes | None = None,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Numbers from the normal distribution with mean 0 and standard deviation 1.

    >>> randn(2, 3).shape
    (2, 3)
    """
    kind = dtype_or(dtype, current_scope().default_dtype)
    return made(_gaussian(size_from("randn", sizes, size), kind, generator), device, requires_grad)


def randint(
    low: Any = 0,
    high: Any = None,
    size: Any = None,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Integers from `low` (included) to `high` (excluded): `randint(low, high, size)` or `randint(high, size)`.

    Raises ValueError when there is none between them.

    >>> randint(3, 4, (2,))
    tensor([3, 3])
    """
    if size is None:
        low, high, size = 0, low, high
    elif high is None:
        low, high = 0, low
    if size is None:
        raise TypeError("randint: needs low, high and size: write randint(high, size) or randint(low, high, size)")
    if high <= low:
        raise OperandError(f"randint: there is no integer from {low} to below {high}")
    drawn = _source(generator).integers(int(low), int(high), as_axes(size))
    return made(as_result(drawn).astype(dtype_or(dtype, np.int64), copy=False), device, requires_grad)


# -- by parameters -----------------------------------------------------------------------------------------------------


def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """mean + std · (a number from the standard normal distribution), for every element of mean and std.

    mean, std: Tensors that broadcast, or numbers; two numbers need `size`. Raises ValueError for a negative std.

    >>> normal(Tensor([1.0, 2.0]), 0.0)
    tensor([1., 2.])
    """
    given = [as_array(each) for each in (mean, std) if isinstance(each, TensorBase) or is_array(each)]
    mean, std = [each._data if isinstance(each, TensorBase) else each for each in (mean, std)]
    if bool((std < 0).any() if is_array(std) else std < 0):
        raise OperandError("normal: std must not be negative")
    if not given and size is None:
        raise TypeError("normal: two numbers need a size: write normal(mean, std, size)")
    shape = np.broadcast_shapes(*[each.shape for each in given]) if size is None else as_axes(size)
    default = np.result_type(*[each.dtype for each in given]) if given else current_scope().default_dtype
    drawn = _gaussian(shape, dtype_or(dtype, default), generator)
    values = as_result(moved(drawn, device_of(given[0])) * std + mean) if given else as_result(drawn * std + mean)
    return made(values, device, requires_grad)


def multinomial(input: TensorLike, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Tensor:
    """Places drawn in proportion to the weights that stand there: (n,) → (k,), (rows, n) → (rows, k).

    k is `num_samples`. Without `replacement` no place is drawn twice. With it, a number between 0 and the total is
    looked up in the running sum; without, every place draws an exponential time, at a rate of its weight, and the
    first k win. Raises ValueError for negative or infinite weights and when too few places
    have any weight. Source: Efraimidis and Spirakis, 2006.

    >>> multinomial(Tensor([0.0, 3.0, 0.0]), 2, replacement=True)
    tensor([1, 1])
    """
    array = as_array(input)
    weights = to_host(array).astype(np.float64)
    if weights.ndim not in (1, 2) or num_samples < 1:
        raise ShapeError(
            f"multinomial: {num_samples} samples of shape {weights.shape}: a vector or rows, and one sample"
        )
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise OperandError("multinomial: weights must be finite and not negative")
    enough = 1 if replacement else num_samples
    if (np.count_nonzero(weights, axis=-1) < enough).any():
        raise OperandError(
            f"multinomial: {enough} places with a weight are needed in every row of shape {weights.shape}"
        )
    rows = np.atleast_2d(weights)
    if replacement:
        sums = np.cumsum(rows, axis=-1)
        wanted = _source(generator).random((len(rows), num_samples))
        drawn = [np.searchsorted(each / each[-1], u, side="right") for each, u in zip(sums, wanted, strict=True)]
        places = np.reshape(drawn, (len(rows), num_samples))
    else:
        with np.errstate(divide="ignore"):  # no weight: never
            times = _source(generator).standard_exponential(rows.shape) / rows
        places = np.argsort(times, axis=-1)[:, :num_samples]
    places = places.astype(np.int64, copy=False).reshape((*weights.shape[:-1], num_samples))
    return constant(moved(places, device_of(array)))


# -- in place ----------------------------------------------------------------------------------------------------------


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with numbers between a and b, all equally likely, and returns it. PyTorch: `from`, `to`.

    >>> uniform_(Tensor([1.0, 2.0]), 3, 3)
    tensor([3., 3.])
    """
    if a > b:
        raise OperandError(f"uniform_: the lower bound {a} is above the upper bound {b}")
    drawn = _uniform(tensor.shape, tensor.dtype, generator)
    return _filled(tensor, "uniform_", a + float(b - a) * drawn)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with numbers from the normal distribution and returns it.

    >>> normal_(Tensor([1.0, 2.0]), mean=3, std=0)
    tensor([3., 3.])
    """
    if std < 0:
        raise OperandError(f"normal_: std {std} must not be negative")
    drawn = _gaussian(tensor.shape, tensor.dtype, generator)
    return _filled(tensor, "normal_", mean + std * drawn)


def _filled(tensor: Tensor, name: str, drawn: np.ndarray) -> Tensor:
    if tensor.requires_grad and current_scope().grad_enabled:
        require_changeable(tensor, name)
        return tensor.copy_(moved(drawn, tensor.device))  # recorded: what the numbers were made from counts no more

    def fill(memory: Any) -> None:
        memory[...] = moved(drawn, tensor.device)

    write(tensor, name, fill)
    return tensor


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.ops.random import *
else:
    __getattr__, __dir__ = moved_names(__name__)
