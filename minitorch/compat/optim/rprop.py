"""Rprop: steps that heed the gradient's sign alone, longer while it stays, shorter when it turns."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.optim.optimizer import Group, Optimizer, Parameters, ignored


class Rprop(Optimizer):
    """A step size for each number, which grows while the gradient keeps its sign: for whole data sets, not for batches.

    s = clamp(s · etas[1]) where g · (g before) > 0,  clamp(s · etas[0]) and g = 0 where it is < 0    (s begins as lr)
    θ = θ - s · sign(g)

    step_sizes: between which two s stays. Raises ValueError for a negative lr and unless 0 < etas[0] < 1 < etas[1].
    Source: Riedmiller and Braun, 1993, A direct adaptive method for faster backpropagation learning.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = Rprop([w], lr=0.5)
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
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        maximize: bool = False,
        **of_pytorch: Any,
    ) -> None:
        ignored("Rprop", of_pytorch)
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize})

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr")
        shorter, longer = options["etas"]
        if not 0 < shorter < 1 < longer:
            raise ValueError(f"Rprop: etas must be one number below 1 and one above it, not {options['etas']}")

    def _update(self, group: Group) -> None:
        (shorter, longer), (least, most) = group["etas"], group["step_sizes"]
        for param, grad, state, (first, scratch) in self._moving(group):
            if not state:
                state.update(step=0, prev=np.zeros_like(param), step_size=np.full_like(param, float(group["lr"])))
            state["step"] += 1
            before, size = state["prev"], state["step_size"]
            grad = np.negative(grad, out=first) if group["maximize"] else grad
            turned = np.sign(np.multiply(grad, before, out=scratch), out=scratch)
            size *= np.where(turned > 0, longer, np.where(turned < 0, shorter, 1.0)).astype(param.dtype, copy=False)
            np.clip(size, least, most, out=size)
            np.multiply(grad, turned >= 0, out=before)
            np.sign(before, out=scratch)
            scratch *= size
            param -= scratch
