"""Muon: steps for matrices, all of whose directions are about equally long."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch.optim.optimizer import Group, Optimizer, Parameters


class Muon(Optimizer):
    """Momentum that is made nearly orthogonal before the step: U Vᵀ in the place of U diag(s) Vᵀ.

    b = momentum · b + (1 - momentum) · ∇L(θ)
    o = orthogonal((1 - momentum) · ∇L(θ) + momentum · b)    (of b without nesterov)
    θ = θ - lr · weight_decay · θ - lr · scale · o

    orthogonal: `ns_steps` steps of Newton and Schulz, x = a x + (b + c x xᵀ) x xᵀ x with (a, b, c) = ns_coefficients,
    which bring the singular values to between about 0.5 and 1.5. scale: √max(1, rows / columns), "original", or
    0.2 · √max(rows, columns), "match_rms_adamw". For the matrices inside of a network alone: biases, embeddings and
    the last layer go to AdamW. PyTorch orthogonalises in bfloat16, this in the parameter's own dtype: the steps agree
    to about two digits.

    Raises ValueError for a parameter that is no matrix, negative options and another adjust_lr_fn.
    Source: Jordan et al., 2024, Muon: An optimizer for hidden layers in neural networks.

    >>> w = Tensor([[1.0, 0.0], [0.0, 1.0]], requires_grad=True)
    >>> optimizer = Muon([w], lr=0.1, weight_decay=0.0)
    >>> (w * Tensor([[2.0, 0.0], [0.0, 2.0]])).sum().backward()
    >>> optimizer.step()
    >>> w[0, 0] < 0.95, w[0, 1]
    (tensor(True), tensor(0., op=getitem))
    """

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        options: dict[str, Any] = {"lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov}
        options |= {"ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps, "adjust_lr_fn": adjust_lr_fn}
        super().__init__(params, options)

    def add_param_group(self, param_group: Group) -> None:
        """One more group, of matrices. Raises ValueError for a parameter that is none."""
        super().add_param_group(param_group)
        for each in self.param_groups[-1]["params"]:
            if each.ndim != 2:
                raise ValueError(f"Muon: every parameter must be a matrix, not of shape {each.shape}: give it to AdamW")

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr", "weight_decay", "momentum")
        if options["adjust_lr_fn"] not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Muon: adjust_lr_fn is 'original' or 'match_rms_adamw', not {options['adjust_lr_fn']!r}")

    def _update(self, group: Group) -> None:
        momentum, lr = group["momentum"], float(group["lr"])
        for param, grad, state, (first, scratch) in self._moving(group):
            if not state:
                state.update(momentum_buffer=np.zeros_like(param))
            average = state["momentum_buffer"]
            average *= momentum
            average += np.multiply(grad, 1 - momentum, out=scratch)
            along = average
            if group["nesterov"]:
                along = np.multiply(average, momentum, out=first)
                along += scratch
            rows, columns = param.shape
            scale = math.sqrt(max(1, rows / columns))
            if group["adjust_lr_fn"] == "match_rms_adamw":
                scale = 0.2 * math.sqrt(max(rows, columns))
            step = orthogonal(along, group["ns_coefficients"], group["ns_steps"], group["eps"])
            param *= 1 - lr * group["weight_decay"]
            param -= step * (lr * scale)


def orthogonal(matrix: Any, coefficients: tuple[float, float, float], steps: int, eps: float) -> Any:
    """U s Vᵀ of the matrix U diag(…) Vᵀ with all s near 1."""
    a, b, c = coefficients
    x = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    x = x / np.maximum(np.sqrt((x * x).sum()), eps)
    for _ in range(steps):
        gram = x @ x.T
        x = a * x + (b * gram + c * (gram @ gram)) @ x
    return x.T if matrix.shape[0] > matrix.shape[1] else x
