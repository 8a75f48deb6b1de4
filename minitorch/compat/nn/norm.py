"""Normalisations by the root mean square, of groups of channels, and by neighbouring channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, InitVar
from typing import Any

from minitorch._tensor import Tensor
from minitorch.compat.nn.function_layer import FunctionLayer, layer
from minitorch.nn import Module, functional
from minitorch.nn.norm import affine_parameter, as_shape, reset_affine
from minitorch.types import TensorLike

__all__ = ["GroupNorm", "LocalResponseNorm", "RMSNorm"]


@layer
class RMSNorm(FunctionLayer):
    """x̂ · weight with x̂ = x / √(mean x² + eps), over the last axes: (…, *normalized_shape) → the same.

    eps: None for the smallest step of the dtype above 1. weight starts as ones.
    Raises ValueError when the input does not end with these axes.
    Source: Zhang and Sennrich, 2019, Root Mean Square Layer Normalization.

    >>> from minitorch import Tensor
    >>> RMSNorm(2)(Tensor([1.0, 7.0])).detach()
    tensor([0.2000, 1.4000])
    """

    normalized_shape: int | Sequence[int]
    eps: float | None = None
    elementwise_affine: bool = True
    device: InitVar[Any] = None
    dtype: InitVar[Any] = None

    def __post_init__(self, device: Any, dtype: Any) -> None:
        self.normalized_shape = shape = as_shape(self.normalized_shape)
        self.weight = affine_parameter(self.elementwise_affine, shape, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the weight to 1."""
        reset_affine(self.weight, None)

    def forward(self, input: TensorLike) -> Tensor:
        """Return the input, scaled."""
        return functional.rms_norm(input, as_shape(self.normalized_shape), self.weight, self.eps)

    def extra_repr(self) -> str:
        """Return the arguments."""
        return super().extra_repr().removeprefix("normalized_shape=")


@layer
class GroupNorm(Module):
    """x̂ · weight + bias, where each sample's channels are normalised in `num_groups` groups: (N, C, …) → (N, C, …).

    weight and bias, one number for each of `num_channels`, start as ones and zeros; affine=False leaves them out.
    Raises ValueError when the groups do not divide the channels, or the input has another number of them.
    Source: Wu and He, 2018, Group Normalization.

    >>> from minitorch import Tensor
    >>> GroupNorm(2, 4)(Tensor([[1.0, 3.0, 0.0, 8.0]])).detach()
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """

    num_groups: int
    num_channels: int
    eps: float = 1e-5
    affine: bool = True
    device: InitVar[Any] = None
    dtype: InitVar[Any] = None
    _: KW_ONLY
    bias: InitVar[bool] = True

    def __post_init__(self, device: Any, dtype: Any, bias: bool) -> None:
        groups, channels = self.num_groups, self.num_channels
        if groups < 1 or channels % groups:
            raise ValueError(f"GroupNorm: num_channels={channels} do not fall into num_groups={groups} equal groups")
        self.weight = affine_parameter(self.affine, (channels,), device, dtype)
        self.bias = affine_parameter(self.affine and bias, (channels,), device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set weight and bias to 1 and 0."""
        reset_affine(self.weight, self.bias)

    def forward(self, input: TensorLike) -> Tensor:
        """Return the input, normalised."""
        return functional.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Return the arguments."""
        affine = f"affine={self.affine}, bias={self.bias is not None}"
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, {affine}"


@layer
class LocalResponseNorm(FunctionLayer, function="local_response_norm"):
    """x / (k + alpha · mean of x² over `size` neighbouring channels)^beta: (N, C, …) → (N, C, …).

    Raises ValueError for fewer than three axes. Source: Krizhevsky, Sutskever and Hinton, 2012.

    >>> from minitorch import Tensor
    >>> LocalResponseNorm(2, alpha=2.0, beta=1.0)(Tensor([[[1.0], [2.0]]]))
    tensor([[[0.5000],
             [0.3333]]])
    """

    size: int
    alpha: float = 1e-4
    beta: float = 0.75
    k: float = 1.0

    def extra_repr(self) -> str:
        """Return the arguments."""
        return super().extra_repr().removeprefix("size=")
