"""First values of weights that few programs ask for: identities; Kaiming's, orthogonal, truncated and sparse ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.errors import ShapeError
from minitorch.nn.init import _calculate_fan_in_and_fan_out, _filled, _tensor, _xavier_std, normal_, uniform_

__all__ = ["calculate_gain", "constant_", "dirac_", "eye_", "kaiming_normal_", "kaiming_uniform_", "orthogonal_"]
__all__ += ["sparse_", "trunc_normal_", "xavier_normal_"]

LINEAR = ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid")


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which weights before this activation are larger, so that signals keep their size.

    linear, conv…, sigmoid: 1; tanh: 5/3; relu: √2; leaky_relu: √(2 / (1 + param²)), param 0.01 by default; selu: 3/4.
    Raises ValueError for another name and for a param that is no number.

    >>> calculate_gain("leaky_relu", 1.0)
    1.0
    """
    if nonlinearity in LINEAR:
        return 1.0
    if nonlinearity == "leaky_relu":
        if isinstance(param, bool) or not isinstance(param, (int, float, type(None))):
            raise ValueError(f"calculate_gain: the slope of leaky_relu is a number, not {param!r}")
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    gains = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 0.75}
    if nonlinearity not in gains:
        known = ", ".join(sorted([*gains, "leaky_relu", *LINEAR]))
        raise ValueError(f"calculate_gain: no gain is known for {nonlinearity!r}; known are {known}")
    return gains[nonlinearity]


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Every number becomes `val`.

    >>> constant_(Tensor([1.0, 2.0]), 0.5)
    tensor([0.5000, 0.5000])
    """
    return _filled(tensor, "constant_", val)


def eye_(tensor: Tensor) -> Tensor:
    """The identity, of a Linear too: as many inputs as there is room for pass unchanged.

    Raises ValueError unless the Tensor is a matrix.

    >>> eye_(Tensor([[0.0, 0.0], [0.0, 0.0]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    _require(tensor, "eye_", (2,), "a matrix")
    rows, columns = tensor.shape
    return _filled(tensor, "eye_", np.eye(rows, columns))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """The identity of a convolution: 1 in the middle of the kernel from channel i to channel i, in each group, else 0.

    Raises ValueError unless the Tensor has shape (out, in, *kernel) with 1 to 3 sizes of a kernel, and `groups`
    divides out.

    >>> dirac_(Tensor(np.zeros((1, 1, 3)))).tolist()
    [[[0.0, 1.0, 0.0]]]
    """
    _require(tensor, "dirac_", (3, 4, 5), "the weight of a convolution, (out, in, *kernel)")
    if groups < 1 or tensor.shape[0] % groups:
        raise ValueError(f"dirac_: {groups} groups do not divide the {tensor.shape[0]} output channels")
    values = np.zeros(tensor.shape)
    per_group = tensor.shape[0] // groups
    middle = tuple(size // 2 for size in tensor.shape[2:])
    for group in range(groups):
        for channel in range(min(per_group, tensor.shape[1])):
            values[(group * per_group + channel, channel, *middle)] = 1.0
    return _filled(tensor, "dirac_", values)


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Numbers from the normal distribution, drawn again until they lie between a and b.

    a and b are numbers themselves, not multiples of std. Raises ValueError if a is above b and for a std that is not
    positive. Source: Robert, Simulation of truncated normal variables, 1995.

    >>> bool((trunc_normal_(Tensor(np.zeros(100)), std=5.0).abs() <= 2).all())
    True
    """
    if not a <= b or not std > 0:
        raise ValueError(f"trunc_normal_: bounds {a} and {b} and std {std}: a is not above b, and std is positive")
    low, high = (a - mean) / std, (b - mean) / std
    drawn = mean + std * _truncated(_source(generator), _tensor(tensor, "trunc_normal_").numel(), low, high)
    kind = tensor.dtype if tensor.dtype.kind == "f" else np.dtype(np.float64)
    return _filled(tensor, "trunc_normal_", drawn.astype(kind).reshape(tensor.shape).clip(a, b))


def _truncated(source: np.random.Generator, count: int, low: float, high: float) -> np.ndarray:
    """`count` standard normal numbers between low and high, by rejection from whichever proposal is kept more often."""
    nearest = min(max(0.0, low), high)  # to the peak
    reach = min(9.0, 40.0 / max(abs(nearest), 1e-9))  # the density has fallen by e⁻⁴⁰ there
    first, last = max(low, nearest - reach), min(high, nearest + reach)
    by_normal = (last - first) * math.exp(-(nearest**2) / 2) > math.sqrt(2 * math.pi)
    accepted = np.empty(0)
    while accepted.size < count:
        wanted = count - accepted.size + 16
        if by_normal:
            drawn = source.standard_normal(wanted)
            chosen = (drawn >= low) & (drawn <= high)
        else:
            drawn = source.uniform(first, last, wanted)
            chosen = source.random(wanted) <= np.exp((nearest**2 - drawn**2) / 2)
        accepted = np.concatenate((accepted, drawn[chosen]))
    return accepted[:count]


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Normal with mean 0 and std gain · √(2 / (fan_in + fan_out)): signals and gradients keep their variance.

    Raises ValueError for fewer than 2 axes. Source: Glorot and Bengio, 2010.

    >>> xavier_normal_(Tensor(np.zeros((3, 3)))).shape
    (3, 3)
    """
    return normal_(tensor, 0.0, _xavier_std(tensor, gain), generator)


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Uniform between ±gain · √(3 / fan): rectifiers halve a signal, and the gain makes up for it.

    a: the negative slope of leaky_relu. mode: "fan_in" keeps the variance of signals, "fan_out" that of gradients.
    nonlinearity: what `calculate_gain` knows. Raises ValueError for fewer than 2 axes, an unknown mode or
    nonlinearity. Source: He et al., 2015.

    >>> kaiming_uniform_(Tensor(np.zeros((3, 6)))).abs().max().item() <= 1.0
    True
    """
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Normal with mean 0 and std gain / √fan. Arguments, errors and source are those of `kaiming_uniform_`.

    >>> kaiming_normal_(Tensor(np.zeros((3, 6))), nonlinearity="relu").shape
    (3, 6)
    """
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    fans = dict(zip(("fan_in", "fan_out"), _calculate_fan_in_and_fan_out(tensor), strict=True))
    if mode not in fans:
        raise ValueError(f"kaiming: mode is 'fan_in' or 'fan_out', not {mode!r}")
    return calculate_gain(nonlinearity, a) / math.sqrt(max(fans[mode], 1))


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """gain times a matrix with orthonormal rows or columns, whichever are fewer; axes after the first count as one.

    It is the Q of a QR decomposition of normal numbers, with the signs that make every such matrix equally likely.
    Raises ValueError for fewer than 2 axes. Source: Saxe et al., 2013.

    >>> q = orthogonal_(Tensor(np.zeros((2, 2))))
    >>> (q @ q.T).allclose(Tensor(np.eye(2)))
    True
    """
    if _tensor(tensor, "orthogonal_").ndim < 2:
        raise ShapeError(f"orthogonal_: needs 2 axes or more, not shape {tensor.shape}")
    if tensor.numel() == 0:
        return tensor
    rows, columns = tensor.shape[0], tensor.numel() // tensor.shape[0]
    q, r = np.linalg.qr(_source(generator).standard_normal((max(rows, columns), min(rows, columns))))
    q = q * np.sign(np.diagonal(r))
    return _filled(tensor, "orthogonal_", gain * (q.T if rows < columns else q).reshape(tensor.shape))


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Normal numbers, of which a share of `sparsity` is 0 in every column. Raises ValueError unless it is a matrix.

    Source: Martens, 2010.

    >>> int(sparse_(Tensor(np.zeros((4, 3))), sparsity=0.5).eq(0).sum())
    6
    """
    _require(tensor, "sparse_", (2,), "a matrix")
    rows, columns = tensor.shape
    source = _source(generator)
    values = std * source.standard_normal((rows, columns))
    zeros = math.ceil(sparsity * rows)
    for column in range(columns):
        values[source.permutation(rows)[:zeros], column] = 0.0
    return _filled(tensor, "sparse_", values)


def _source(generator: Any) -> np.random.Generator:
    source: np.random.Generator = current_scope().random.generator if generator is None else generator
    return source


def _require(tensor: Tensor, name: str, ndims: tuple[int, ...], what: str) -> None:
    if _tensor(tensor, name).ndim not in ndims:
        raise ShapeError(f"{name}: fills {what}, not a Tensor of shape {tensor.shape}")
