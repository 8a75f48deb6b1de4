"""SGD, stochastic gradient descent, with momentum where it is wanted."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.optim.optimizer import Group, Optimizer, Parameters, descent, ignored


class SGD(Optimizer):
    """Steps against the gradient, with momentum if wanted.

    g = ∇L(θ) + weight_decay · θ      (-∇L with maximize)
    b = momentum · b + (1 - dampening) · g      (b = g in the first step)
    θ = θ - lr · b      (g without momentum; g + momentum · b with nesterov)

    Raises ValueError for a negative lr, momentum or weight_decay, and for nesterov without momentum or with dampening.
    Source: Robbins and Monro, 1951; momentum: Polyak, 1964; nesterov: Sutskever et al., 2013.

    >>> w = Tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = SGD([w], lr=0.25)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.5000, 1.0000], requires_grad=True)
    """

    elementwise = True

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        **of_pytorch: Any,
    ) -> None:
        ignored("SGD", of_pytorch)
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "dampening": dampening,
                "weight_decay": weight_decay,
                "nesterov": nesterov,
                "maximize": maximize,
            },
        )

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr", "momentum", "weight_decay")
        if options["nesterov"] and (options["momentum"] == 0 or options["dampening"] != 0):
            raise ValueError(
                f"{self._name}: nesterov needs momentum above 0 and dampening 0, not momentum={options['momentum']} "
                f"and dampening={options['dampening']}"
            )

    def _update(self, group: Group) -> None:
        """Against the gradient, or against the running sum that momentum makes of it."""
        momentum, dampening, nesterov = group["momentum"], group["dampening"], group["nesterov"]
        is_plain = not group["weight_decay"] and not group["maximize"]
        rate, kind = float(group["lr"]), None
        for param, grad, state, (first, second) in self._moving(group):
            if kind != (param.dtype, type(param)):
                kind, (lr,) = (param.dtype, type(param)), self._scratch.numbers(param, rate)
            direction = grad if is_plain else descent(param, grad, group, first)
            if momentum:
                average = state.get("momentum_buffer")
                if average is None:
                    average = state["momentum_buffer"] = direction.copy()
                else:
                    average *= momentum
                    average += np.multiply(direction, 1 - dampening, out=second) if dampening else direction
                if nesterov:
                    np.multiply(average, momentum, out=second)
                    direction = np.add(second, direction, out=second)
                else:
                    direction = average
            param -= np.multiply(direction, lr, second)
