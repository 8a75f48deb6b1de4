"""Activations, derived from e**x, ln, tanh, erf and choices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from op_table.case import exactly, signed, spread

import minitorch
from minitorch import Tensor
from minitorch.nn import functional
from twin_table.row import Row


def sigmoid(x: Tensor) -> Tensor:
    return 1.0 / (1.0 + (-x).exp())


def ln_sigmoid(x: Tensor) -> Tensor:
    """-ln(1 + e**-x), written so that no power overflows."""
    return x.clamp_max(0.0) - (1.0 + (-x.abs()).exp()).log()


def softplus(x: Tensor, beta: float = 1.0) -> Tensor:
    return (1.0 + (x * beta).exp()).log() / beta


def tanh_gelu(x: Tensor) -> Tensor:
    return 0.5 * x * (1.0 + (math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)).tanh())


def between(x: Tensor, low: float, high: float) -> Tensor:
    return minitorch.where(x <= low, Tensor(np.float64(low)), minitorch.where(x >= high, Tensor(np.float64(high)), x))


def bent(above: Callable[[Tensor], Tensor], below: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """One function for x > 0, another one for the rest."""
    return lambda x: minitorch.where(x > 0, above(x), below(x))


def prelu(x: Tensor, weight: Tensor) -> Tensor:
    slopes = weight.reshape(-1, *[1] * (x.ndim - 2))
    return minitorch.where(x > 0, x, slopes * x)


def glu(x: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return x[..., :half] * sigmoid(x[..., half:])


SELU = 1.0507009873554805, 1.6732632423543772
SMOOTH: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "sigmoid": (minitorch.sigmoid, sigmoid),
    "gelu": (functional.gelu, lambda x: x * (0.5 * (1.0 + (x * math.sqrt(0.5)).erf()))),
    "gelu by tanh": (lambda x: functional.gelu(x, approximate="tanh"), tanh_gelu),
    "silu": (functional.silu, lambda x: x * sigmoid(x)),
    "mish": (functional.mish, lambda x: x * softplus(x).tanh()),
    "softplus": (functional.softplus, softplus),
    "softplus, beta 2": (lambda x: functional.softplus(x, beta=2.0), lambda x: softplus(x, 2.0)),
    "logsigmoid": (functional.logsigmoid, lambda x: -(1.0 + (-x).exp()).log()),
}
BENT: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "relu": (minitorch.relu, bent(lambda x: x, lambda x: x * 0.0)),
    "softsign": (functional.softsign, lambda x: x / (1.0 + x.abs())),
    "relu6": (functional.relu6, lambda x: between(x, 0.0, 6.0)),
    "hardtanh": (lambda x: functional.hardtanh(x, -0.5, 1.5), lambda x: between(x, -0.5, 1.5)),
    "hardsigmoid": (functional.hardsigmoid, lambda x: between(x / 6.0 + 0.5, 0.0, 1.0)),
    "hardswish": (functional.hardswish, lambda x: x * between(x / 6.0 + 0.5, 0.0, 1.0)),
    "leaky_relu": (lambda x: functional.leaky_relu(x, 0.1), bent(lambda x: x, lambda x: 0.1 * x)),
    "elu": (lambda x: functional.elu(x, 0.7), bent(lambda x: x, lambda x: 0.7 * (x.exp() - 1.0))),
    "celu": (lambda x: functional.celu(x, 0.7), bent(lambda x: x, lambda x: 0.7 * ((x / 0.7).exp() - 1.0))),
    "selu": (functional.selu, bent(lambda x: SELU[0] * x, lambda x: SELU[0] * SELU[1] * (x.exp() - 1.0))),
}

ROWS = [
    *[Row(f"{name}: matrix", *both, [signed(3, 5)]) for name, both in SMOOTH.items()],
    *[Row(f"{name}: number", *both, [signed()]) for name, both in SMOOTH.items()],
    *[Row(f"{name}: size 0", *both, [signed(0, 3)]) for name, both in SMOOTH.items()],
    # Where the plain formula still keeps all digits: below, 1 + e**x loses those of e**x.
    *[Row(f"{name}: far out", *both, [exactly([-6.0, 12.0])], 1e-10) for name, both in SMOOTH.items()],
    Row("gelu: very far out", *SMOOTH["gelu"], [exactly([-800.0, 800.0])]),
    Row("gelu by tanh: very far out", *SMOOTH["gelu by tanh"], [exactly([-800.0, 800.0])]),
    Row("logsigmoid: very far out", functional.logsigmoid, ln_sigmoid, [exactly([-800.0, -40.0, 40.0, 800.0])]),
    *[Row(f"{name}: matrix", *both, [spread(3, 7)]) for name, both in BENT.items()],
    *[Row(f"{name}: number", *both, [spread()]) for name, both in BENT.items()],
    *[Row(f"{name}: size 0", *both, [spread(2, 0)]) for name, both in BENT.items()],
    Row("prelu: one slope", functional.prelu, prelu, [spread(3, 4), signed(1)]),
    Row("prelu: a slope for each channel", functional.prelu, prelu, [spread(2, 3, 5), signed(3)]),
    Row("prelu: batch 1", functional.prelu, prelu, [spread(1, 3), signed(3)]),
    Row("glu: matrix", functional.glu, glu, [signed(3, 4)]),
    Row("glu: batch 1", functional.glu, glu, [signed(1, 1, 6)]),
]
