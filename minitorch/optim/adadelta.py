"""Adadelta: steps as long as the steps before, for as much gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.optim.optimizer import Group, Optimizer, Parameters, descent, ignored, move_square


class Adadelta(Optimizer):
    """Steps measured by the steps before: no learning rate is needed, and lr = 1 is the default.

    v = rho · v + (1 - rho) · g²
    Δ = √(u + eps) / √(v + eps) · g
    u = rho · u + (1 - rho) · Δ²
    θ = θ - lr · Δ

    Raises ValueError for a negative lr, eps or weight_decay, and for rho outside of 0 to 1. Source: Zeiler, 2012.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = Adadelta([w], rho=0.75, eps=1.0)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([-0.4142, -0.2111], requires_grad=True)
    """

    elementwise = True

    def __init__(
        self,
        params: Parameters,
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        *,
        maximize: bool = False,
        **of_pytorch: Any,
    ) -> None:
        ignored("Adadelta", of_pytorch)
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize})

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr", "eps", "weight_decay")
        if not 0 <= options["rho"] <= 1:
            raise ValueError(f"Adadelta: rho must be from 0 to 1, not {options['rho']}")

    def _update(self, group: Group) -> None:
        rho, eps, lr = group["rho"], group["eps"], float(group["lr"])
        for param, grad, state, (first, scratch) in self._moving(group):
            if not state:
                state.update(step=0, square_avg=np.zeros_like(param), acc_delta=np.zeros_like(param))
            state["step"] += 1
            square, moved = state["square_avg"], state["acc_delta"]
            grad = descent(param, grad, group, first)
            move_square(square, grad, rho, scratch)
            np.add(moved, eps, out=scratch)
            scratch /= square + eps
            np.sqrt(scratch, out=scratch)
            scratch *= grad
            moved *= rho
            moved += scratch * scratch * (1 - rho)
            scratch *= lr
            param -= scratch
