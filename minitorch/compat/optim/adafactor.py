"""Adafactor: Adam's denominator from one number for each row and each column of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.optim.optimizer import Group, Optimizer, Parameters
from minitorch.types import Shape


class Adafactor(Optimizer):
    """Steps of about lr of the parameters' own size, with a memory of n + m numbers for an n × m matrix.

    r, c: averages of g² over the columns and over the rows, in which the step t counts t**beta2_decay
    v = r cᵀ / mean r      (of a vector v is the average of g² itself)
    u = g / √max(v, eps[0]²)
    θ = θ - lr · weight_decay · θ - min(lr, 1/√t) · max(eps[1], rms θ) / max(1, rms(u) / d) · u

    eps[0] is the dtype's step above 1 if it is None. Of more than two axes the last two are the matrix.
    Raises ValueError for options that are negative, for a positive beta2_decay and for d below 1.
    Source: Shazeer and Stern, 2018, Adafactor: Adaptive Learning Rates with Sublinear Memory Cost.

    >>> w = Tensor([3.0, -4.0], requires_grad=True)
    >>> optimizer = Adafactor([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()  # a tenth of √((3² + 4²) / 2)
    >>> w
    tensor([ 2.6464, -3.6464], requires_grad=True)
    """

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,  # noqa: ARG002 (PyTorch's choice of kernels)
        maximize: bool = False,
    ) -> None:
        options = {"lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay}
        super().__init__(params, {**options, "maximize": maximize})

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr", "weight_decay")
        if not options["beta2_decay"] <= 0:
            raise ValueError(f"Adafactor: beta2_decay must be 0 or less, not {options['beta2_decay']}")
        if not options["d"] >= 1:
            raise ValueError(f"Adafactor: d must be 1 or more, not {options['d']}")
        if not all(each is None or each >= 0 for each in options["eps"]):
            raise ValueError(f"Adafactor: eps must be two numbers of 0 or more, not {options['eps']}")

    def _shape_of(self, param: Any, key: str) -> Shape:
        shape: list[int] = list(param.shape)
        if key in ("row_var", "col_var"):
            shape[-1 if key == "row_var" else -2] = 1
        return tuple(shape)

    def _update(self, group: Group) -> None:
        lr, (least, smallest) = float(group["lr"]), group["eps"]
        for param, grad, state, (first, scratch) in self._moving(group):
            if not state:
                parts: dict[str, Any] = {"variance": param}
                if param.ndim > 1:
                    parts = {"row_var": param[..., :1], "col_var": param[..., :1, :]}
                state.update(step=0, **{key: np.zeros_like(part) for key, part in parts.items()})
            state["step"] = step = state["step"] + 1
            floor = float(np.finfo(param.dtype).eps) if least is None else least
            newest, size = step ** group["beta2_decay"], np.maximum(_rms(param), smallest) * min(lr, step**-0.5)
            if group["weight_decay"]:
                param *= 1 - lr * group["weight_decay"]
            squares = np.multiply(grad, grad, out=scratch)
            if param.ndim > 1:
                rows, columns = state["row_var"], state["col_var"]
                rows += (squares.mean(axis=-1, keepdims=True) - rows) * newest
                columns += (squares.mean(axis=-2, keepdims=True) - columns) * newest
                known = np.multiply(rows, columns, out=scratch)
                known /= np.maximum(rows.mean(axis=-2, keepdims=True), floor)
            else:
                state["variance"] += (squares - state["variance"]) * newest
                known = scratch
                known[...] = state["variance"]
            np.sqrt(np.maximum(known, floor * floor, out=known), out=known)
            update = np.divide(grad, known, out=first)
            update *= size / np.maximum(_rms(update) / group["d"], 1.0)
            (np.add if group["maximize"] else np.subtract)(param, update, out=param)


def _rms(array: Any) -> Any:
    """The root of the mean of the squares."""
    return np.sqrt((array * array).mean())
