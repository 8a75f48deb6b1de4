"""The wide ring, derived: what is rare is a line or two of what is not."""

from __future__ import annotations

import math

import numpy as np
from op_table.case import positive, signed, spread

import minitorch
from minitorch import Tensor, special
from twin_table.row import Row

TO = np.array([[0, 2, 0, 1], [1, 1, 2, 0]])


def normal(x: Tensor) -> Tensor:
    """How much of the normal curve lies below x."""
    return (1 + minitorch.erf(x * math.sqrt(0.5))) * 0.5


def until(a: Tensor, extreme: str) -> Tensor:
    """The extreme of each row as far as each place, taken from where it stands."""
    running = getattr(np, extreme).accumulate(a.data, axis=1)
    at = [
        [np.flatnonzero(row[: n + 1] == top[n])[-1] for n in range(len(row))]
        for row, top in zip(a.data, running, strict=True)
    ]
    return a[np.arange(len(at))[:, None], np.array(at)]


def met(a: Tensor, b: Tensor) -> list[list[Tensor]]:
    """The numbers that meet at each place of a row: its own, and those of b that TO sends there."""
    return [
        [a[row, place], *[b[row, n] for n in range(4) if TO[row, n] == place]] for row in range(2) for place in range(3)
    ]


def product(numbers: list[Tensor]) -> Tensor:
    out = numbers[0]
    for each in numbers[1:]:
        out = out * each
    return out


ROWS: tuple[Row, ...] = tuple(
    Row(title, fused, twin, draws, 1e-10)
    for title, (fused, twin, draws) in {
        "deg2rad": (minitorch.deg2rad, lambda x: x * (math.pi / 180), [signed(5)]),
        "rad2deg": (minitorch.rad2deg, lambda x: x * (180 / math.pi), [signed(5)]),
        "fmax": (minitorch.fmax, minitorch.maximum, [signed(2, 3), signed(3)]),
        "fmin": (minitorch.fmin, minitorch.minimum, [signed(2, 3), signed(3)]),
        "sinc": (minitorch.sinc, lambda x: (x * math.pi).sin() / (x * math.pi), [spread(5)]),
        "logit": (minitorch.logit, lambda x: (x / (1 - x)).log(), [lambda stream: stream.uniform(0.1, 0.9, (5,))]),
        "entr": (special.entr, lambda x: -x * x.log(), [positive(5)]),
        "xlog1py": (special.xlog1py, lambda x, y: x * (1 + y).log(), [signed(2, 3), positive(3)]),
        "erfc": (minitorch.erfc, lambda x: 1 - minitorch.erf(x), [signed(5)]),
        "erfcx": (special.erfcx, lambda x: (x * x).exp() * (1 - minitorch.erf(x)), [signed(5)]),
        "ndtr": (special.ndtr, normal, [signed(5)]),
        "log_ndtr": (special.log_ndtr, lambda x: normal(x).log(), [signed(5)]),
        "ndtri": (
            special.ndtri,
            lambda p: minitorch.erfinv(2 * p - 1) * math.sqrt(2),
            [lambda stream: stream.uniform(0.1, 0.9, (5,))],
        ),
        "i0e": (special.i0e, lambda x: (-x.abs()).exp() * minitorch.i0(x), [spread(5)]),
        "i1e": (special.i1e, lambda x: (-x.abs()).exp() * special.i1(x), [spread(5)]),
        "cummax": (lambda a: minitorch.cummax(a, 1).values, lambda a: until(a, "maximum"), [signed(3, 4)]),
        "cummin": (lambda a: minitorch.cummin(a, 1).values, lambda a: until(a, "minimum"), [signed(3, 4)]),
        "logcumsumexp": (
            lambda a: minitorch.logcumsumexp(a, 1),
            lambda a: (a.exp() @ np.triu(np.ones((4, 4)))).log(),
            [signed(3, 4)],
        ),
        "scatter_reduce of extremes": (
            lambda a, b: a.scatter_reduce(1, Tensor(TO), b, "amax"),
            lambda a, b: minitorch.stack([minitorch.stack(each).max() for each in met(a, b)]).reshape(2, 3),
            [signed(2, 3), signed(2, 4)],
        ),
        "scatter_reduce of products": (
            lambda a, b: a.scatter_reduce(1, Tensor(TO), b, "prod"),
            lambda a, b: minitorch.stack([product(each) for each in met(a, b)]).reshape(2, 3),
            [signed(2, 3), signed(2, 4)],
        ),
    }.items()
)
