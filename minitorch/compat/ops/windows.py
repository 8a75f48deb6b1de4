"""Windows of signal processing, by which a piece of a signal is faded in and out: `minitorch.signal.windows`.

Each is M numbers, constants, the same from both ends; with sym=False M of M + 1, for periodic use. Sources: Harris,
1978 (On the use of windows); Nuttall, 1981.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.ops.creation import dtype_or, made

__all__: list[str] = []


def _window(shape: Callable[..., Any]) -> Callable[..., Tensor]:
    """Make a function of (M, *, …, sym, dtype, layout, device, requires_grad) of shape(n, span, …).

    n: the positions 0 … M - 1. span: M - 1, or M of a periodic window. layout is PyTorch's, and changes nothing.
    """
    name = shape.__name__

    def window(
        M: int,
        *,
        sym: bool = True,
        dtype: Any = None,
        layout: Any = None,  # noqa: ARG001 (PyTorch's name)
        device: Any = None,
        requires_grad: bool = False,
        **own: Any,
    ) -> Tensor:
        if M < 0:
            raise ValueError(f"{name}: M is how many numbers the window has, so it cannot be {M}")
        kind = dtype_or(dtype, current_scope().default_dtype)
        if kind not in (np.float32, np.float64):
            raise TypeError(f"{name}: a window holds float32 or float64, not {kind}")
        with np.errstate(all="ignore"):  # of a window of one number, whose span is 0
            values = shape(np.arange(M, dtype=np.float64), M - 1 if sym else M, **own)
        return made((values if M > 1 else np.ones(M)).astype(kind), device, requires_grad)

    first, *common, _ = inspect.signature(window).parameters.values()
    own = [each for each in inspect.signature(shape).parameters.values() if each.kind is each.KEYWORD_ONLY]
    named = functools.wraps(shape)(window)
    named.__signature__ = inspect.Signature([first, *own, *common], return_annotation="Tensor")  # type: ignore[attr-defined]
    return named


@_window
def general_cosine(n: Any, span: int, *, a: Iterable[float]) -> Any:
    """Σ (-1)ᵏ aₖ cos(2πk n / (M - 1)). Raises TypeError unless a is a list, ValueError for an empty one.

    >>> general_cosine(3, a=[0.5, 0.5])
    tensor([0., 1., 0.])
    """
    if not isinstance(a, Iterable):
        raise TypeError("general_cosine: a is a list of coefficients")
    given = list(a)
    if not given:
        raise ValueError("general_cosine: a must hold a coefficient at least")
    return sum((-1) ** k * each * np.cos(2 * math.pi * k * n / span) for k, each in enumerate(given))


def general_hamming(M: int, *, alpha: float = 0.54, sym: bool = True, **options: Any) -> Tensor:
    """alpha - (1 - alpha) cos(2π n / (M - 1)).

    >>> general_hamming(3, alpha=0.5)
    tensor([0., 1., 0.])
    """
    return general_cosine(M, a=[alpha, 1 - alpha], sym=sym, **options)


def hamming(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """0.54 - 0.46 cos(2π n / (M - 1)).

    >>> hamming(3)
    tensor([0.0800, 1.0000, 0.0800])
    """
    return general_hamming(M, sym=sym, **options)


def hann(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """½ - ½ cos(2π n / (M - 1)) = sin²(π n / (M - 1)).

    >>> hann(3)
    tensor([0., 1., 0.])
    """
    return general_hamming(M, alpha=0.5, sym=sym, **options)


def blackman(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """0.42 - 0.5 cos(2π n / (M - 1)) + 0.08 cos(4π n / (M - 1)).

    >>> blackman(3).round(decimals=2).abs()
    tensor([0., 1., 0.])
    """
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, **options)


def nuttall(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """Four terms of a cosine sum, chosen for the lowest side lobes.

    >>> nuttall(3)
    tensor([3.6280e-04, 1.0000e+00, 3.6280e-04])
    """
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, **options)


@_window
def bartlett(n: Any, span: int) -> Any:
    """1 - |2n / (M - 1) - 1|, a triangle.

    >>> bartlett(3)
    tensor([0., 1., 0.])
    """
    return 1 - np.abs(2 * n / span - 1)


@_window
def cosine(n: Any, span: int) -> Any:
    """sin(π (n + ½) / M), half a wave.

    >>> cosine(3)
    tensor([0.5000, 1.0000, 0.5000])
    """
    return np.sin(math.pi * (n + 0.5) / (span + 1))


@_window
def exponential(n: Any, span: int, *, center: float | None = None, tau: float = 1.0) -> Any:
    """e**(-|n - center| / tau), the centre being the middle. Raises ValueError for tau ≤ 0, and for a centre if sym.

    >>> exponential(3)
    tensor([0.3679, 1.0000, 0.3679])
    """
    if tau <= 0:
        raise ValueError(f"exponential: tau {tau} must be positive")
    if span < len(n) and center is not None:
        raise ValueError("exponential: a symmetric window has its centre in the middle: leave center out")
    return np.exp(-np.abs(n - (span / 2 if center is None else center)) / tau)


@_window
def gaussian(n: Any, span: int, *, std: float = 1.0) -> Any:
    """e**(-(n - middle)² / (2 std²)). Raises ValueError for std ≤ 0.

    >>> gaussian(3)
    tensor([0.6065, 1.0000, 0.6065])
    """
    if std <= 0:
        raise ValueError(f"gaussian: std {std} must be positive")
    return np.exp(-(((n - span / 2) / std) ** 2) / 2)


@_window
def kaiser(n: Any, span: int, *, beta: float = 12.0) -> Any:
    """I₀(beta √(1 - (2n / (M - 1) - 1)²)) / I₀(beta). Raises ValueError for beta < 0.

    >>> kaiser(3, beta=2.0)
    tensor([0.4387, 1.0000, 0.4387])
    """
    if beta < 0:
        raise ValueError(f"kaiser: beta {beta} must not be negative")
    inside = np.maximum(1 - (2 * n / span - 1) ** 2, 0)
    return np.i0(beta * np.sqrt(inside)) / np.i0(float(beta))
