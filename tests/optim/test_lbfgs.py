"""LBFGS goes where PyTorch's goes: on problems that do not magnify a rounding, and where losses are equal.

A last digit of a scalar product, which libraries add up in orders of their own, grows by a factor of a million in a
narrow valley, so there the two frameworks, and two builds of PyTorch, agree in fewer digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch

SETTINGS: list[dict[str, Any]] = [
    {},
    {"max_iter": 4, "history_size": 3},
    {"max_iter": 50, "tolerance_change": 1e-14, "tolerance_grad": 1e-14},
]


def number(m: Any, values: Any, requires_grad: bool = False) -> Any:
    return m.tensor(np.asarray(values).tolist(), dtype=m.float64, requires_grad=requires_grad)


def classifier(m: Any, draw: np.random.Generator) -> tuple[list[Any], Callable[[], Any]]:
    rows = draw.standard_normal((50, 5))
    labels = (rows @ draw.standard_normal(5) + draw.standard_normal(50) > 0) * 1.0
    x, y = number(m, rows), number(m, labels)
    w, b = number(m, np.zeros(5), True), number(m, 0.0, True)
    loss = m.nn.functional.binary_cross_entropy_with_logits
    return [w, b], lambda: loss(x @ w + b, y) + 0.01 * (w * w).sum()


def bowl(m: Any, draw: np.random.Generator) -> tuple[list[Any], Callable[[], Any]]:
    square = draw.standard_normal((6, 6))
    a, b = number(m, square @ square.T + np.eye(6)), number(m, draw.standard_normal(6))
    x = number(m, draw.standard_normal(6), True)
    return [x], lambda: 0.5 * (x @ (a @ x)) - b @ x


def saddle(m: Any, draw: np.random.Generator) -> tuple[list[Any], Callable[[], Any]]:
    x = number(m, draw.standard_normal(4), True)
    return [x], lambda: (x**4).sum() + x.prod()


def walked(m: Any, problem: Callable[..., Any], seed: int, options: dict[str, Any]) -> np.ndarray:
    params, loss_of = problem(m, np.random.default_rng(seed))
    optimizer = m.optim.LBFGS(params, line_search_fn="strong_wolfe", **options)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        return loss

    rows = []
    for _ in range(6):
        loss = optimizer.step(closure)
        rows.append([loss.item(), *(each for param in params for each in param.detach().reshape(-1).tolist())])
    return np.array(rows)


@pytest.mark.parametrize("problem", [classifier, bowl, saddle])
@pytest.mark.parametrize("options", SETTINGS, ids=["", "short", "long"])
def test_every_step_is_pytorchs(problem: Callable[..., Any], options: dict[str, Any], torch: Any) -> None:
    for seed in range(2):
        ours, theirs = (walked(m, problem, seed, options) for m in (minitorch, torch))
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


def on_stairs(m: Any, a: float, b: float, c: float, lr: float) -> float:
    """Where one step ends on a loss in steps of 1/16, so that many points share one."""
    x = number(m, 0.0, True)
    optimizer = m.optim.LBFGS([x], lr=lr, max_iter=1, max_eval=25, line_search_fn="strong_wolfe")

    def closure() -> Any:
        at = x.item()
        slope = 2 * a * (at - 1) - b * c * np.sin(c * at)
        x.grad = number(m, slope) if m is not minitorch else np.array(slope)
        return number(m, np.floor(16 * (a * (at - 1) ** 2 + b * np.cos(c * at))) / 16)

    optimizer.step(closure)
    return float(x.item())


# a, b, c, lr, and where PyTorch 2.13 ends
STAIRS = [
    (0.125, 1.75, 2.3125, 2.0, 1.3591374158989264),
    (0.875, 1.5, 9.125, 2.0, 1.0270698220971122),
    (0.625, 1.4375, 11.4375, 2.0, 1.351962592456305),
    (0.25, 1.9375, 7.6875, 1.0, 0.41601846619914257),
]


@pytest.mark.parametrize(("a", "b", "c", "lr", "end"), STAIRS)
def test_of_two_ends_with_one_loss_the_first_is_the_lower(a: float, b: float, c: float, lr: float, end: float) -> None:
    assert on_stairs(minitorch, a, b, c, lr) == pytest.approx(end, rel=1e-12, abs=0)


def test_steps_on_stairs_are_pytorchs(torch: Any) -> None:
    draw = np.random.default_rng(0)
    for _ in range(100):
        a, b, c = np.round(draw.uniform([0.1, 0.1, 2], [2, 2, 12]) * 16) / 16
        lr = float(draw.choice([0.25, 0.5, 1, 2]))
        assert on_stairs(minitorch, a, b, c, lr) == pytest.approx(on_stairs(torch, a, b, c, lr), rel=1e-12, abs=0)
