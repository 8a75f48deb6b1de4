"""Layer normalisation: mean 0 and variance 1 along the last axes. batchnorm.py: of each channel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minitorch._tensor import Tensor
from minitorch.moved import moved_names
from minitorch.nn import functional, init
from minitorch.nn.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.ops.creation import empty
from minitorch.types import Shape, TensorLike

__all__ = ["LayerNorm"]


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
        self.normalized_shape = as_shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = affine_parameter(elementwise_affine, self.normalized_shape, device, dtype)
        self.bias = affine_parameter(elementwise_affine and bias, self.normalized_shape, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set weight and bias to 1 and 0."""
        reset_affine(self.weight, self.bias)

    def forward(self, input: TensorLike) -> Tensor:
        """Return the input, normalised."""
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Return the arguments."""
        affine = f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, {affine}"


def affine_parameter(wanted: bool, shape: Shape, device: Any, dtype: Any) -> Parameter | None:
    return Parameter(empty(shape, device=device, dtype=dtype)) if wanted else None


def as_shape(normalized_shape: int | Sequence[int]) -> Shape:
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


def reset_affine(weight: Parameter | None, bias: Parameter | None) -> None:
    """Set the weight and the bias of a normalisation to 1 and 0, which change nothing."""
    if weight is not None:
        init.ones_(weight)
    if bias is not None:
        init.zeros_(bias)


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.norm import *
else:
    __getattr__, __dir__ = moved_names(__name__)
