"""Adamax, NAdam, RAdam and Adadelta: relatives of Adam, each with another step size for each number."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.scope import get_default_dtype
from minitorch.optim.optimizer import Group, Optimizer, Parameters, descent, ignored


class _Averaging(Optimizer):
    """Base of Adamax, NAdam and RAdam: β₁ and β₂, weight decay in the gradient or beside it, and the average m."""

    elementwise = True

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr", "eps", "weight_decay")
        betas = options["betas"]
        if not isinstance(betas, (tuple, list)) or len(betas) != 2 or not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"{self._name}: betas must be two numbers from 0 to less than 1, not {betas}")

    def _averaged(self, group: Group, second: str) -> Any:
        """(parameter, gradient, state, step, two scratch arrays): m has moved, the average called `second` has not."""
        beta1 = group["betas"][0]
        shrink = 1 - float(group["lr"]) * group["weight_decay"] if group.get("decoupled_weight_decay") else 1.0
        group = {**group, "weight_decay": 0} if group.get("decoupled_weight_decay") else group
        for param, grad, state, (first, scratch) in self._moving(group):
            if not state:
                state.update({"step": 0, "exp_avg": np.zeros_like(param), second: np.zeros_like(param)})
            state["step"] += 1
            if shrink != 1:
                param *= shrink
            grad = descent(param, grad, group, first)
            mean = state["exp_avg"]
            mean *= beta1
            mean += np.multiply(grad, 1 - beta1, out=scratch)
            yield param, grad, state, state["step"], scratch


class Adamax(_Averaging):
    """Adam with the largest gradient so far in the place of the average of squares.

    m = β₁ · m + (1 - β₁) · g
    u = max(β₂ · u, |g| + eps)
    θ = θ - lr / (1 - β₁ᵗ) · m / u

    Raises ValueError as Adam does. Source: Kingma and Ba, 2015, section 7.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = Adamax([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.5000, -1.5000], requires_grad=True)
    """

    def __init__(
        self,
        params: Parameters,
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        *,
        maximize: bool = False,
        **of_pytorch: Any,
    ) -> None:
        ignored("Adamax", of_pytorch)
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, options)

    def _update(self, group: Group) -> None:
        (beta1, beta2), eps, lr = group["betas"], group["eps"], float(group["lr"])
        for param, grad, state, step, scratch in self._averaged(group, "exp_inf"):
            largest = state["exp_inf"]
            largest *= beta2
            np.absolute(grad, out=scratch)
            scratch += eps
            np.maximum(largest, scratch, out=largest)
            np.divide(state["exp_avg"], largest, out=scratch)
            scratch *= lr / (1 - beta1**step)
            param -= scratch


class NAdam(_Averaging):
    """Adam with Nesterov's momentum, whose share μ grows from β₁/2 towards β₁.

    μₜ = β₁ · (1 - 0.96**(t · momentum_decay) / 2),  Πₜ = μ₁ · … · μₜ
    θ = θ - lr · (μₜ₊₁ / (1 - Πₜ₊₁) · m + (1 - μₜ) / (1 - Πₜ) · g) / (√v̂ + eps)

    m, v̂ are those of Adam. decoupled_weight_decay: as AdamW. Raises ValueError as Adam does.
    Source: Dozat, 2016, Incorporating Nesterov Momentum into Adam.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = NAdam([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.4718, -1.4718], requires_grad=True)
    """

    def __init__(
        self,
        params: Parameters,
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        maximize: bool = False,
        **of_pytorch: Any,
    ) -> None:
        ignored("NAdam", of_pytorch)
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        options |= {"momentum_decay": momentum_decay, "decoupled_weight_decay": decoupled_weight_decay}
        super().__init__(params, options)

    def _require_options(self, options: dict[str, Any]) -> None:
        super()._require_options(options)
        self._require_at_least_zero(options, "momentum_decay")

    elementwise = False  # each parameter has a number of its own, mu_product

    def _fitting(self, param: Any, number: Any, key: str, value: Any) -> Any:
        return float(value) if key == "mu_product" else super()._fitting(param, number, key, value)

    def _update(self, group: Group) -> None:
        (beta1, beta2), eps, lr, decay = group["betas"], group["eps"], float(group["lr"]), group["momentum_decay"]
        for param, grad, state, step, scratch in self._averaged(group, "exp_avg_sq"):
            now, following = (beta1 * (1 - 0.5 * 0.96 ** (each * decay)) for each in (step, step + 1))
            number = get_default_dtype().type  # PyTorch's product has the default dtype: digit for digit
            product = float(number(state.get("mu_product", 1.0)) * number(now))
            state["mu_product"] = product
            square = state["exp_avg_sq"]
            square *= beta2
            np.multiply(grad, grad, out=scratch)
            scratch *= 1 - beta2
            square += scratch
            np.divide(square, 1 - beta2**step, out=scratch)
            np.sqrt(scratch, out=scratch)
            scratch += eps
            param -= grad * (lr * (1 - now) / (1 - product)) / scratch
            param -= state["exp_avg"] * (lr * following / (1 - product * following)) / scratch


class RAdam(_Averaging):
    """Adam that does not divide by √v̂ in the first steps, when the average of squares is of too few gradients.

    ρ∞ = 2 / (1 - β₂) - 1,  ρₜ = ρ∞ - 2t · β₂ᵗ / (1 - β₂ᵗ)
    θ = θ - lr · m̂                                 while ρₜ ≤ 5
    θ = θ - lr · m̂ · r · √(1 - β₂ᵗ) / (√v + eps)   from then on
    r² = (ρₜ - 4)(ρₜ - 2) ρ∞ / ((ρ∞ - 4)(ρ∞ - 2) ρₜ)

    decoupled_weight_decay: as AdamW. Raises ValueError as Adam does. Source: Liu et al., 2020.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = RAdam([w], lr=0.25)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.5000, -1.0000], requires_grad=True)
    """

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        maximize: bool = False,
        **of_pytorch: Any,
    ) -> None:
        ignored("RAdam", of_pytorch)
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, {**options, "decoupled_weight_decay": decoupled_weight_decay})

    def _update(self, group: Group) -> None:
        (beta1, beta2), eps, lr = group["betas"], group["eps"], float(group["lr"])
        longest = 2 / (1 - beta2) - 1
        for param, grad, state, step, scratch in self._averaged(group, "exp_avg_sq"):
            square, left = state["exp_avg_sq"], 1 - beta2**step
            square *= beta2
            np.multiply(grad, grad, out=scratch)
            scratch *= 1 - beta2
            square += scratch
            length = longest - 2 * step * beta2**step / left
            size = lr / (1 - beta1**step)
            if length <= 5:
                param -= np.multiply(state["exp_avg"], size, out=scratch)
                continue
            shrunk = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            np.sqrt(square, out=scratch)
            scratch += eps
            np.divide(state["exp_avg"], scratch, out=scratch)
            scratch *= size * (left * shrunk) ** 0.5
            param -= scratch


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
            square *= rho
            np.multiply(grad, grad, out=scratch)
            scratch *= 1 - rho
            square += scratch
            np.add(moved, eps, out=scratch)
            scratch /= square + eps
            np.sqrt(scratch, out=scratch)
            scratch *= grad
            moved *= rho
            moved += scratch * scratch * (1 - rho)
            scratch *= lr
            param -= scratch
