"""RMSprop: a step size for each number, from the running average of its squared gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.optim.optimizer import Group, Optimizer, Parameters, descent, ignored, move_square


class RMSprop(Optimizer):
    """Divides each number's step by the root of the running mean of its squared gradients.

    g = ∇L(θ) + weight_decay · θ      (-∇L with maximize)
    v = alpha · v + (1 - alpha) · g²
    b = momentum · b + g / (√v + eps)
    θ = θ - lr · b

    centered: a running mean a of g is kept too, and v - a², the variance, takes v's place under the root.

    Raises ValueError for a negative lr, alpha, eps, weight_decay or momentum.
    Source: Tieleman and Hinton, 2012 (lecture 6.5 of their course); centered: Graves, 2013.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = RMSprop([w], lr=0.1, alpha=0.75)
    >>> (w * w).sum().backward()
    >>> optimizer.step()  # lr / √(1 - alpha)
    >>> w
    tensor([ 0.8000, -1.8000], requires_grad=True)
    """

    elementwise = True

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        *,
        maximize: bool = False,
        **of_pytorch: Any,
    ) -> None:
        ignored("RMSprop", of_pytorch)
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "alpha": alpha,
                "eps": eps,
                "centered": centered,
                "weight_decay": weight_decay,
                "maximize": maximize,
            },
        )

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr", "alpha", "eps", "weight_decay", "momentum")

    def _update(self, group: Group) -> None:
        """Each number's step is divided by the root of the running average of its squared gradients."""
        lr, alpha, eps = float(group["lr"]), group["alpha"], group["eps"]
        momentum, centered = group["momentum"], group["centered"]
        for param, grad, state, (first, scratch) in self._moving(group):
            if not state:
                state.update(step=0, square_avg=np.zeros_like(param))
                if momentum > 0:
                    state["momentum_buffer"] = np.zeros_like(param)
                if centered:
                    state["grad_avg"] = np.zeros_like(param)
            state["step"] += 1
            square = state["square_avg"]
            grad = descent(param, grad, group, first)

            move_square(square, grad, alpha, scratch)
            if centered:
                mean = state["grad_avg"]
                mean *= alpha
                mean += np.multiply(grad, 1 - alpha, out=scratch)
                np.multiply(mean, mean, out=scratch)
                square = np.subtract(square, scratch, out=scratch)

            np.sqrt(square, out=scratch)
            scratch += eps
            step = np.divide(grad, scratch, out=scratch)
            if momentum > 0:
                average = state["momentum_buffer"]
                average *= momentum
                average += step
                step = average
            param -= np.multiply(step, lr, out=scratch)
