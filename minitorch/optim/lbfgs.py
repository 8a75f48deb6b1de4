"""LBFGS: Newton's direction, from what the last gradients tell of the curvature; for problems without noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.scope import enable_grad
from minitorch.autograd.tensor_base import TensorBase
from minitorch.autograd.version import stamp
from minitorch.backend import device_of, is_array, moved, xp
from minitorch.optim._line_search import strong_wolfe
from minitorch.optim.optimizer import Group, Optimizer, Parameters


class LBFGS(Optimizer):
    """Quasi-Newton steps: up to `max_iter` in one call of `step(closure)`, which computes the loss anew each time.

    d = -H g, where H is built from the last `history_size` pairs s = Δθ, y = Δg by the two-loop recursion,
    starting from (s·y / y·y) I; the first step goes down the gradient, at most lr long in the sum of |g|.
    θ = θ + t · d with t = lr, or the t of a line search with line_search_fn="strong_wolfe".

    closure: zeroes the gradients, computes the loss, calls backward and returns the loss. A call ends when the largest
    |g| is at most tolerance_grad, the step or the change of the loss is at most tolerance_change, or after max_eval
    evaluations (max_iter · 5 / 4 unless given). All parameters are in one group.

    Raises ValueError for several groups, a negative lr and another line search, TypeError for a step without closure.
    Source: Liu and Nocedal, 1989; Nocedal and Wright, 2006, algorithms 7.4 and 3.5.

    >>> w = Tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = LBFGS([w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = ((w - Tensor([3.0, 4.0])) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> optimizer.step(closure)
    tensor(40., op=sum)
    >>> w
    tensor([3., 4.], requires_grad=True)
    """

    def __init__(
        self,
        params: Parameters,
        lr: float = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        options = {"lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval}
        options |= {"tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change}
        super().__init__(params, {**options, "history_size": history_size, "line_search_fn": line_search_fn})

    def add_param_group(self, param_group: Group) -> None:
        """The one group. Raises ValueError for a second one."""
        if self.param_groups:
            raise ValueError("LBFGS: all parameters are in one group: give one list of Tensors")
        super().add_param_group(param_group)

    def _require_options(self, options: dict[str, Any]) -> None:
        self._require_at_least_zero(options, "lr", "tolerance_grad", "tolerance_change")
        if options["line_search_fn"] not in (None, "strong_wolfe"):
            raise ValueError(f"LBFGS: line_search_fn is None or 'strong_wolfe', not {options['line_search_fn']!r}")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Several steps; returns what the closure gave before the first. Raises TypeError without a closure."""
        if closure is None:
            raise TypeError("LBFGS: step needs a closure, which computes the loss anew: write optimizer.step(closure)")
        group, params = self.param_groups[0], self.param_groups[0]["params"]
        state = self.state[params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)

        def evaluate() -> tuple[Any, float, Any]:
            with enable_grad():
                result = closure()
            state["func_evals"] += 1
            return result, float(result), self._gradient(params)

        first, loss, grad = evaluate()
        if largest(grad) <= group["tolerance_grad"]:
            return first
        evaluations = 1
        for number in range(group["max_iter"]):
            before = loss
            self._turn(state, grad, group)
            d, slope = state["d"], float(grad @ state["d"])
            if slope > -group["tolerance_change"]:
                break
            if group["line_search_fn"] is not None:
                start = [param._data.copy() for param in params]

                def along(t: float, d: Any = d, start: Any = start) -> tuple[float, Any]:
                    self._go(params, t, d)
                    found = evaluate()
                    self._put(params, start)
                    return found[1], found[2]

                most = group["max_eval"] - evaluations
                loss, grad, state["t"], spent = strong_wolfe(along, state["t"], d, loss, grad, slope, most)
                evaluations += spent
                self._go(params, state["t"], d)
            else:
                self._go(params, state["t"], d)
                if number + 1 < group["max_iter"]:  # nobody would use what the last one tells
                    _, loss, grad = evaluate()
                    evaluations += 1
            if evaluations >= group["max_eval"] or largest(grad) <= group["tolerance_grad"]:
                break
            if largest(d) * abs(state["t"]) <= group["tolerance_change"]:
                break
            if abs(loss - before) < group["tolerance_change"]:
                break
        return first

    def _fitting(self, param: Tensor, number: Any, key: str, value: Any) -> Any:
        """Directions are as long as all parameters together; the rest are numbers."""
        if isinstance(value, list):
            return [self._fitting(param, number, key, each) for each in value]
        array = value._data if isinstance(value, TensorBase) else value
        if not hasattr(array, "__array__"):
            return value
        if not is_array(array):
            array = np.asarray(array)
        return float(array) if array.ndim == 0 else xp(param).array(moved(array, device_of(param._data)), param.dtype)

    def _turn(self, state: dict[str, Any], grad: Any, group: Group) -> None:
        """Sets the direction d and the length t of the next step, and remembers the gradient."""
        state["n_iter"] += 1
        if state["n_iter"] == 1:
            state.update(d=-grad, old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
            state["t"] = min(1.0, 1.0 / float(np.absolute(grad).sum())) * float(group["lr"])
            state["prev_flat_grad"] = grad.copy()
            return
        y, s = grad - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = float(y @ s)
        if curvature > 1e-10:
            state["old_dirs"].append(y)
            state["old_stps"].append(s)
            state["ro"].append(1.0 / curvature)
            for name in ("old_dirs", "old_stps", "ro"):
                del state[name][: -group["history_size"]]
            state["H_diag"] = curvature / float(y @ y)
        pairs = list(zip(state["old_dirs"], state["old_stps"], state["ro"], strict=True))
        d, shares = -grad, []
        for y, s, ro in reversed(pairs):
            shares.append(float(s @ d) * ro)
            d -= shares[-1] * y
        d *= state["H_diag"]
        for (y, s, ro), share in zip(pairs, reversed(shares), strict=True):
            d += s * (share - float(y @ d) * ro)
        state.update(d=d, t=float(group["lr"]), prev_flat_grad=grad.copy())

    def _gradient(self, params: list[Tensor]) -> Any:
        """All gradients in a row; zeros for those that there are not."""
        rows = []
        for param in params:
            grad: Any = param.grad
            grad = grad._data if isinstance(grad, TensorBase) else grad
            rows.append(xp(param).zeros(param._data.size, param.dtype) if grad is None else grad.reshape(-1))
        return np.concatenate(rows)

    def _go(self, params: list[Tensor], t: float, d: Any) -> None:
        start = 0
        for param in params:
            part = d[start : start + param._data.size].reshape(param.shape)
            start += param._data.size
            self._write(param, param._data + t * part)

    def _put(self, params: list[Tensor], values: list[Any]) -> None:
        for param, value in zip(params, values, strict=True):
            self._write(param, value)

    def _write(self, param: Tensor, values: Any) -> None:
        param._data[...] = values
        stamp(param._data, "LBFGS.step")


def largest(array: Any) -> float:
    """The largest |number|."""
    return float(np.absolute(array).max())
