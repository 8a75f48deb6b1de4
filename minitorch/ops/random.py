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
    "randperm",
    "rand_like",
    "randn_like",
    "randint_like",
    "normal",
    "bernoulli",
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


def randperm(
    n: int, *, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """The integers from 0 to n - 1 in random order.

    >>> sorted(randperm(3).tolist())
    [0, 1, 2]
    """
    order = _source(generator).permutation(n)
    return made(order.astype(dtype_or(dtype, np.int64), copy=False), device, requires_grad)


# -- like another Tensor -----------------------------------------------------------------------------------------------


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


def bernoulli(input: TensorLike, p: float | None = None, *, generator: Any = None) -> Tensor:
    """1 with the probability that stands in input's place (or with `p` everywhere), else 0; in input's dtype.

    Raises ValueError for what is not between 0 and 1.

    >>> bernoulli(Tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    array = as_array(input)
    chance = array if p is None else p
    if not (np.all(chance >= 0) and np.all(chance <= 1)):
        raise OperandError("bernoulli: every probability must be between 0 and 1")
    drawn = moved(_uniform(array.shape, np.dtype(np.float64), generator), device_of(array))
    return constant(as_result(drawn < chance).astype(array.dtype))


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


def bernoulli_(tensor: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with ones and zeros, 1 with probability `p`, a number or a Tensor of them, and returns it.

    >>> bernoulli_(Tensor([3.0, 2.0]), 1.0)
    tensor([1., 1.])
    """
    chance = p._data if isinstance(p, TensorBase) else p
    if not (np.all(chance >= 0) and np.all(chance <= 1)):
        raise OperandError("bernoulli_: every probability must be between 0 and 1")
    drawn = moved(_uniform(tensor.shape, np.dtype(np.float64), generator), device_of(tensor._data))
    return _filled(tensor, "bernoulli_", as_result(drawn < chance).astype(tensor.dtype))


def exponential_(tensor: Tensor, lambd: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with waiting times, whose density is lambd · exp(-lambd · x), and returns it.

    >>> bool((exponential_(Tensor([0.0, 0.0])) > 0).all())
    True
    """
    if lambd <= 0:
        raise OperandError(f"exponential_: lambd {lambd} must be above 0")
    drawn = as_result(_source(generator).standard_exponential(tensor.shape)) / lambd
    return _filled(tensor, "exponential_", drawn.astype(tensor.dtype))


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
    drawn = as_result(_source(generator).integers(low, high, tensor.shape)).astype(tensor.dtype)
    return _filled(tensor, "random_", drawn)


def log_normal_(tensor: Tensor, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with e to the power of normal numbers of that mean and deviation, and returns it.

    >>> log_normal_(Tensor([1.0, 2.0]), mean=0, std=1e-9)
    tensor([1., 1.])
    """
    if std <= 0:
        raise ValueError(f"log_normal_: std {std} must be above 0")
    drawn = as_result(_source(generator).standard_normal(tensor.shape))
    return _filled(tensor, "log_normal_", np.exp(mean + std * drawn).astype(tensor.dtype))


def cauchy_(tensor: Tensor, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with numbers of density σ / (π (σ² + (x - median)²)), and returns it.

    >>> cauchy_(Tensor([1.0, 2.0]), median=3, sigma=1e-30)
    tensor([3., 3.])
    """
    if sigma <= 0:
        raise ValueError(f"cauchy_: sigma {sigma} must be above 0")
    drawn = as_result(_source(generator).standard_cauchy(tensor.shape))
    return _filled(tensor, "cauchy_", (median + sigma * drawn).astype(tensor.dtype))


def geometric_(tensor: Tensor, p: float, *, generator: Any = None) -> Tensor:
    """Fills the Tensor with how many trials the first success takes, each a success with probability p; returns it.

    >>> geometric_(Tensor([1.0, 2.0]), 0.999999999)
    tensor([1., 1.])
    """
    if not 0 < p < 1:
        raise ValueError(f"geometric_: p {p} must be between 0 and 1, neither included")
    drawn = as_result(_source(generator).geometric(p, tensor.shape))
    return _filled(tensor, "geometric_", drawn.astype(tensor.dtype))


def _filled(tensor: Tensor, name: str, drawn: np.ndarray) -> Tensor:
    if tensor.requires_grad and current_scope().grad_enabled:
        require_changeable(tensor, name)
        return tensor.copy_(moved(drawn, tensor.device))  # recorded: what the numbers were made from counts no more

    def fill(memory: Any) -> None:
        memory[...] = moved(drawn, tensor.device)

    write(tensor, name, fill)
    return tensor
