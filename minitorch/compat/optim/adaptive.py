"""Step sizes of each number's own: Adagrad, Adamax, NAdam, RAdam and Rprop; and ASGD, which keeps an average."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.scope import get_default_dtype
from minitorch.optim.adadelta import Adadelta  # noqa: F401 (it stood here)
from minitorch.optim.optimizer import Group, Optimizer, Parameters, descent, ignored, move_square


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
        options = {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, {**options, "initial_accumulator_value": initial_accumulator_value})

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


# -- relatives of Adam -------------------------------------------------------------------------------------------------


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
            move_square(square, grad, beta2, scratch)
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
            move_square(square, grad, beta2, scratch)
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


# -- by the gradient's sign alone, longer while it stays, shorter when it turns ----------------------------------------


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


# -- gradient descent that also keeps the average of all its parameters ------------------------------------------------


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
