"""Bilinear, a product of two inputs, and Identity, which stands where a layer may be left out."""

from __future__ import annotations

from dataclasses import InitVar
from typing import Any

from minitorch import Tensor, empty
from minitorch.compat.nn.function_layer import layer
from minitorch.compat.nn.functional.linear import bilinear
from minitorch.nn import Module, Parameter
from minitorch.nn.linear import start_uniform
from minitorch.types import TensorLike

__all__ = ["Bilinear", "Identity"]


class Identity(Module):
    """out = input, (…) → (…): stands where a layer may be left out. Takes any arguments and forgets them.

    >>> from minitorch import Tensor
    >>> Identity(54, unused=True)(Tensor([1.0, 2.0]))
    tensor([1., 2.])
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002 (that is what it is for)
        super().__init__()

    def forward(self, input: Any) -> Any:
        """The input itself."""
        return input


@layer
class Bilinear(Module):
    """out[…, o] = Σᵢⱼ input1[…, i] · weight[o, i, j] · input2[…, j] + bias[o]: two inputs that scale each other.

    (…, in1_features), (…, in2_features) → (…, out_features).
    weight (out_features, in1_features, in2_features) and bias (out_features,) start uniform in ±1/√in1_features.
    Raises ValueError when the inputs' sizes do not fit.

    >>> from minitorch import Tensor
    >>> Bilinear(3, 4, 2)(Tensor(np.ones((5, 3), "f")), Tensor(np.ones((5, 4), "f"))).shape
    (5, 2)
    """

    in1_features: int
    in2_features: int
    out_features: int
    bias: InitVar[bool] = True
    device: InitVar[Any] = None
    dtype: InitVar[Any] = None

    def __post_init__(self, bias: bool, device: Any, dtype: Any) -> None:
        if self.in1_features < 1:
            raise ValueError(f"Bilinear: in1_features must be at least 1, not {self.in1_features}")
        made: dict[str, Any] = {"device": device, "dtype": dtype}
        self.weight = Parameter(empty(self.out_features, self.in1_features, self.in2_features, **made))
        self.bias = Parameter(empty(self.out_features, **made)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws weight and bias again."""
        start_uniform(self.in1_features, self.weight, self.bias)

    def forward(self, input1: TensorLike, input2: TensorLike) -> Tensor:
        """Every pair of the two inputs' numbers, weighted and summed."""
        return bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )
