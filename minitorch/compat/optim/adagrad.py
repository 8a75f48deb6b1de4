"""Adagrad: a step size for each number, from the sum of all its squared gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.optim.optimizer import Group, Optimizer, Parameters, descent, ignored


class Adagrad(Optimizer):
    """Divides each number's step by the root of the sum of all its squared gradients: what moved much moves less.

    g = ∇L(θ) + weight_decay · θ      (-∇L with maximize)
    s = s + g²      (s begins at initial_accumulator_value)
    θ = θ - lr / (1 + (t - 1) · lr_decay) · g / (√s + eps)  in step t

    Raises ValueError for a negative lr, lr_decay, weight_decay, initial_accumulator_value or eps.
    Source: Duchi, Hazan and Singer, 2011.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = Adagrad([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.5000, -1.5000], requires_grad=True)
    """

    elementwise = True

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
        **of_pytorch: Any,
    ) -> None:
        ignored("Adagrad", of_pytorch)
        super().__init__(
            params,
            {
                "lr": lr,
                "lr_decay": lr_decay,
                "eps": eps,
                "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value,
                "maximize": maximize,
            },
        )

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps")

    def _update(self, group: Group) -> None:
        """Each number's step is divided by the root of the sum of all its squared gradients."""
        lr, lr_decay, eps = float(group["lr"]), group["lr_decay"], group["eps"]
        for param, grad, state, (first, scratch) in self._moving(group):
            if not state:
                state.update(step=0, sum=np.full_like(param, group["initial_accumulator_value"]))
            state["step"] = step = state["step"] + 1
            total = state["sum"]
            grad = descent(param, grad, group, first)

            total += np.multiply(grad, grad, out=scratch)
            np.sqrt(total, out=scratch)
            scratch += eps
            np.divide(grad, scratch, out=scratch)
            scratch *= lr / (1 + (step - 1) * lr_decay)
            param -= scratch
