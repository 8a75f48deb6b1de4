"""ASGD: gradient descent that also keeps the average of all its parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.scope import get_default_dtype
from minitorch.optim.optimizer import Group, Optimizer, Parameters, descent, ignored


class ASGD(Optimizer):
    """Gradient descent with steps that shrink, beside the average of the parameters from step t0 on: state["ax"].

    θ = (1 - lambd · η) · θ - η · g,  g = ∇L(θ) + weight_decay · θ      (-∇L with maximize)
    ax = ax + μ · (θ - ax)
    η = lr / (1 + lambd · lr · t)**alpha,  μ = 1 / max(1, t - t0)      for the next step, after step t

    Raises ValueError for a negative lr or weight_decay.
    Source: Polyak and Juditsky, 1992, Acceleration of stochastic approximation by averaging.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = ASGD([w], lr=0.25, lambd=0.0)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.5000, -1.0000], requires_grad=True)
    """

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        *,
        maximize: bool = False,
        **of_pytorch: Any,
    ) -> None:
        ignored("ASGD", of_pytorch)
        options = {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay}
        super().__init__(params, {**options, "maximize": maximize})

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr", "weight_decay")

    def _fitting(self, param: Any, number: Any, key: str, value: Any) -> Any:
        return float(value) if key in ("eta", "mu") else super()._fitting(param, number, key, value)

    def _update(self, group: Group) -> None:
        lr, lambd = float(group["lr"]), group["lambd"]
        number = get_default_dtype().type  # PyTorch keeps η and μ in the default dtype: digit for digit
        for param, grad, state, (first, scratch) in self._moving(group):
            if not state:
                state.update(step=0, eta=float(number(lr)), mu=1.0, ax=np.zeros_like(param))
            state["step"] = step = state["step"] + 1
            grad = descent(param, grad, group, first)
            param *= 1 - lambd * state["eta"]
            param -= np.multiply(grad, state["eta"], out=scratch)
            average = state["ax"]
            np.subtract(param, average, out=scratch)
            scratch *= state["mu"]
            average += scratch
            if state["mu"] == 1:
                average[...] = param
            state["eta"] = float(number(lr / (1 + lambd * lr * step) ** group["alpha"]))
            state["mu"] = float(number(1 / max(1, step - group["t0"])))
