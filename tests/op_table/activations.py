"""Cases of activations."""

from __future__ import annotations

from typing import Any

import numpy as np

from op_table.case import Case, Draw, Stream, case, exactly, positive, signed
from op_table.case import spread as spread_from_zero

INF = float("inf")


def spread(*shape: int) -> Draw:
    """Away from 0, and from the bounds of all of these functions: odd multiples of 0.15."""

    def draw(stream: Stream) -> np.ndarray:
        return spread_from_zero(*shape)(stream) + 0.05

    return draw


def activation(op: str, title: str, *draws: Draw, smooth: bool = True, **options: Any) -> Case:
    return case(op, title, lambda m, *t: getattr(m.nn.functional, op)(*t, **options), *draws, smooth=smooth)


def everywhere(op: str, *, kinks: tuple[float, ...] = (), **options: Any) -> list[Case]:
    """Shapes, far values, and exactly at the kinks."""
    return [
        activation(op, "matrix", spread(3, 4), **options),
        activation(op, "three axes", spread(2, 3, 2), **options),
        activation(op, "number", spread(), **options),
        activation(op, "size 0", spread(0, 3), **options),
        activation(op, "far out", exactly([-800.0, -30.5, 30.5, 800.0]), **options),
        activation(op, "at the kinks", exactly([0.0, *kinks]), smooth=False, **options),
    ]


def edges(op: str, *values: float, **options: Any) -> Case:
    return activation(op, "at infinity and nan", exactly(values), smooth=False, **options)


def parametrised(op: str, *draws: Draw, **options: Any) -> Case:
    named = ", ".join(f"{name} {value}" for name, value in options.items())
    return activation(op, named, *(draws or (spread(3, 4),)), **options)


CASES = [
    *everywhere("relu6", kinks=(6.0, -1.0)),
    *everywhere("hardtanh", kinks=(-1.0, 1.0)),
    *everywhere("hardsigmoid", kinks=(-3.0, 3.0)),
    *everywhere("hardswish", kinks=(-3.0, 3.0)),
    *everywhere("leaky_relu"),
    *everywhere("elu"),
    *everywhere("celu"),
    *everywhere("selu"),
    *everywhere("softplus"),
    *everywhere("logsigmoid"),
    *everywhere("softsign"),
    *everywhere("gelu"),
    *everywhere("silu"),
    *everywhere("mish"),
    *[
        edges(op, -INF, INF, float("nan"))
        for op in ("relu6", "hardtanh", "hardsigmoid", "hardswish", "leaky_relu", "elu", "celu", "selu", "softplus")
    ],
    edges("logsigmoid", -INF, INF, float("nan")),
    edges("gelu", float("nan")),
    edges("silu", float("nan")),
    edges("mish", float("nan")),
    edges("softsign", float("nan")),
    parametrised("hardtanh", min_val=-0.5, max_val=2.05),
    parametrised("hardtanh", min_val=0.25, max_val=0.25),
    parametrised("leaky_relu", negative_slope=0.2),
    parametrised("leaky_relu", negative_slope=-1.5),
    parametrised("leaky_relu", negative_slope=0.0),
    parametrised("elu", alpha=2.5),
    parametrised("elu", alpha=-0.5),
    parametrised("celu", alpha=2.5),
    parametrised("celu", alpha=-0.5),
    parametrised("softplus", beta=2.0),
    parametrised("softplus", beta=0.5, threshold=0.3),
    parametrised("softplus", beta=-1.0),
    activation("softplus", "at the threshold", exactly([20.0, 20.5]), smooth=False),
    parametrised("gelu", approximate="tanh"),
    activation("gelu", "approximate tanh, number", spread(), approximate="tanh"),
    activation("gelu", "approximate tanh, far out", exactly([-800.0, -30.5, 30.5, 800.0]), approximate="tanh"),
    activation("prelu", "one weight", spread(2, 3), positive(1)),
    activation("prelu", "one weight, number", spread(), positive(1)),
    activation("prelu", "one weight, vector", spread(4), positive(1)),
    activation("prelu", "a single number as the weight", spread(2, 3), positive()),
    activation("prelu", "a weight for each channel", spread(2, 3), signed(3)),
    activation("prelu", "a weight for each channel of images", spread(2, 3, 2, 2), signed(3)),
    activation("prelu", "size 0", spread(0, 3), signed(3)),
    activation("prelu", "at the kink", exactly([[0.0, -1.0]]), exactly([0.5, 2.0]), smooth=False),
    activation("glu", "vector", signed(4)),
    activation("glu", "matrix", signed(2, 4)),
    activation("glu", "dim 0", signed(2, 3), dim=0),
    activation("glu", "dim -2", signed(2, 4, 3), dim=-2),
    activation("glu", "size 0", signed(0, 2)),
    activation("softmin", "dim 0", signed(3, 2), dim=0),
    activation("softmin", "dim -1", signed(2, 3), dim=-1),
    activation("softmin", "large", exactly([1000.0, 999.0, -1000.0]), dim=0),
]
