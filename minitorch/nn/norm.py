"""Normalisations: zero mean and unit variance for each layer or group. Those for each channel are in batchnorm.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minitorch._tensor import Tensor
from minitorch.nn import functional, init
from minitorch.nn.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.ops.creation import empty
from minitorch.types import Shape, TensorLike

__all__ = ["GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm"]


class LayerNorm(Module):
    """x̂ · weight + bias with x̂ = (x - mean) / √(variance + eps), over the last axes: (…, *normalized_shape) → the same.

    weight starts as ones, bias as zeros, both of `normalized_shape`; elementwise_affine=False leaves them out. The
    variance is the biased one. Raises ValueError when the input does not end with these axes.
    Source: Ba, Kiros and Hinton, 2016, Layer Normalization.

    >>> from minitorch import Tensor
    >>> LayerNorm(2)
    LayerNorm((2,), eps=1e-05, elementwise_affine=True, bias=True)
    >>> LayerNorm(2)(Tensor([[1.0, 3.0], [0.0, 8.0]])).detach()
    tensor([[-1.0000,  1.0000],
            [-1.0000,  1.0000]])
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = _parameter(elementwise_affine, self.normalized_shape, device, dtype)
        self.bias = _parameter(elementwise_affine and bias, self.normalized_shape, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Ones and zeros again."""
        ones_and_zeros(self.weight, self.bias)

    def forward(self, input: TensorLike) -> Tensor:
        """The input, normalised."""
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The arguments."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(Module):
    """x̂ · weight with x̂ = x / √(mean x² + eps), over the last axes: (…, *normalized_shape) → the same.

    eps: None for the smallest step of the dtype above 1. weight starts as ones.
    Raises ValueError when the input does not end with these axes.
    Source: Zhang and Sennrich, 2019, Root Mean Square Layer Normalization.

    >>> from minitorch import Tensor
    >>> RMSNorm(2)(Tensor([1.0, 7.0])).detach()
    tensor([0.2000, 1.4000])
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = _parameter(elementwise_affine, self.normalized_shape, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Ones again."""
        ones_and_zeros(self.weight, None)

    def forward(self, input: TensorLike) -> Tensor:
        """The input, scaled."""
        return functional.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """The arguments."""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """x̂ · weight + bias, where each sample's channels are normalised in `num_groups` groups: (N, C, …) → (N, C, …).

    weight and bias, one number for each of `num_channels`, start as ones and zeros; affine=False leaves them out.
    Raises ValueError when the groups do not divide the channels, or the input has another number of them.
    Source: Wu and He, 2018, Group Normalization.

    >>> from minitorch import Tensor
    >>> GroupNorm(2, 4)(Tensor([[1.0, 3.0, 0.0, 8.0]])).detach()
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_groups < 1 or num_channels % num_groups:
            raise ValueError(
                f"GroupNorm: num_channels={num_channels} do not fall into num_groups={num_groups} equal groups"
            )
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self.weight = _parameter(affine, (num_channels,), device, dtype)
        self.bias = _parameter(affine and bias, (num_channels,), device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Ones and zeros again."""
        ones_and_zeros(self.weight, self.bias)

    def forward(self, input: TensorLike) -> Tensor:
        """The input, normalised."""
        return functional.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The arguments."""
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


def _parameter(wanted: bool, shape: Shape, device: Any, dtype: Any) -> Parameter | None:
    return Parameter(empty(shape, device=device, dtype=dtype)) if wanted else None


def _shape(normalized_shape: int | Sequence[int]) -> Shape:
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


def ones_and_zeros(weight: Parameter | None, bias: Parameter | None) -> None:
    """Set the weight and the bias of a normalisation to 1 and 0, which change nothing."""
    if weight is not None:
        init.ones_(weight)
    if bias is not None:
        init.zeros_(bias)


class LocalResponseNorm(Module):
    """x / (k + alpha · mean of x² over `size` neighbouring channels)^beta: (N, C, …) → (N, C, …).

    Raises ValueError for fewer than three axes. Source: Krizhevsky, Sutskever and Hinton, 2012.

    >>> from minitorch import Tensor
    >>> LocalResponseNorm(2, alpha=2.0, beta=1.0)(Tensor([[[1.0], [2.0]]]))
    tensor([[[0.5000],
             [0.3333]]])
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: TensorLike) -> Tensor:
        """The input, each number divided by what its neighbours say."""
        return functional.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """The arguments."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
