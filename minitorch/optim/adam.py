"""Adam and AdamW: a step size for each number, from running averages of its gradient and of the square of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.optim.optimizer import Group, Optimizer, Parameters, descent, ignored


class Adam(Optimizer):
    """Adaptive moments.

    g = ∇L(θ) + weight_decay · θ      (-∇L with maximize)
    m = β₁ · m + (1 - β₁) · g
    v = β₂ · v + (1 - β₂) · g²
    θ = θ - lr · m̂ / (√v̂ + eps)  with  m̂ = m / (1 - β₁ᵗ), v̂ = v / (1 - β₂ᵗ)  in step t

    m and v begin at 0, and the division by 1 - βᵗ makes up for that. amsgrad: the largest v so far takes v's place.
    decoupled_weight_decay: as AdamW.

    Raises ValueError for a negative lr, eps or weight_decay, and for betas outside of 0 ≤ β < 1
    or of two kinds.
    Source: Kingma and Ba, 2015; amsgrad: Reddi et al., 2018.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = Adam([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()  # the first step is lr long, whatever the gradient
    >>> w
    tensor([ 0.5000, -1.5000], requires_grad=True)
    """

    elementwise = True

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        decoupled_weight_decay: bool = False,
        **of_pytorch: Any,
    ) -> None:
        ignored("Adam", of_pytorch)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "amsgrad": amsgrad,
                "maximize": maximize,
                "decoupled_weight_decay": decoupled_weight_decay,
            },
        )

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr", "eps", "weight_decay")
        betas = options["betas"]
        if not isinstance(betas, (tuple, list)) or len(betas) != 2 or not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"{self._name}: betas must be two numbers from 0 to less than 1, not {betas}")
        if isinstance(betas[0], float) != isinstance(betas[1], float):
            raise ValueError(f"{self._name}: betas must be two floats or two Tensors, not {betas}: write 0.0 for 0")

    def _update(self, group: Group) -> None:
        """Both running averages move, in place; the step is one divided by the root of the other."""
        amsgrad, weight_decay = group["amsgrad"], group["weight_decay"]
        shrink = 1.0
        if group["decoupled_weight_decay"]:
            shrink -= float(group["lr"]) * weight_decay
            group = {**group, "weight_decay": 0}  # which is not in the gradient then
        is_plain = not group["weight_decay"] and not group["maximize"]
        known = None  # what the numbers are for; a parameter that had no gradient for a while is some steps behind
        for param, grad, state, (first, scratch) in self._moving(group):
            if not state:
                state.update(step=0, exp_avg=np.zeros_like(param), exp_avg_sq=np.zeros_like(param))
                if amsgrad:
                    state["max_exp_avg_sq"] = np.zeros_like(param)
            state["step"] = step = state["step"] + 1
            if known != (step, param.dtype, type(param)):
                known = step, param.dtype, type(param)
                beta1, new1, beta2, new2, eps, lr = self._scratch.numbers(param, *_numbers(group, step))
            mean, square = state["exp_avg"], state["exp_avg_sq"]
            if shrink != 1:
                param *= shrink
            if not is_plain:
                grad = descent(param, grad, group, first)

            # Plainly mean = β₁ · mean + (1 - β₁) · grad, square = β₂ · square + (1 - β₂) · grad² and
            # param = param - lr · mean / (√square + eps), in place so that a step allocates no array.
            mean *= beta1
            mean += np.multiply(grad, new1, scratch)

            np.multiply(grad, grad, scratch)
            scratch *= new2
            square *= beta2
            square += scratch
            if amsgrad:
                largest = state["max_exp_avg_sq"]
                square = np.maximum(largest, square, out=largest)

            np.sqrt(square, scratch)
            scratch += eps
            np.divide(mean, scratch, scratch)
            scratch *= lr
            param -= scratch


def _numbers(group: Group, step: int) -> tuple[float, ...]:
    """β₁, 1 - β₁, β₂, 1 - β₂, eps and lr, the last two so changed that the arrays m and v need no correction."""
    beta1, beta2 = group["betas"]
    correction = math.sqrt(1 - beta2**step)
    lr = float(group["lr"]) * correction / (1 - beta1**step)
    return beta1, 1 - beta1, beta2, 1 - beta2, group["eps"] * correction, lr


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameter itself, and is no part of the gradient.

    θ = θ - lr · weight_decay · θ, and then Adam's step with g = ∇L(θ).

    Raises ValueError as Adam does. Source: Loshchilov and Hutter, 2019.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = AdamW([w], lr=0.5, weight_decay=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.4500, -1.4000], requires_grad=True)
    """

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        **of_pytorch: Any,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            maximize=maximize,
            decoupled_weight_decay=True,
            **of_pytorch,
        )
