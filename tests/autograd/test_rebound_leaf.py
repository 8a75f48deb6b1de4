"""`w = w - lr * w.grad` is told at the second step, once; programs that mean what they write are not told."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn, no_grad, optim


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values, np.float32), requires_grad=True)


def warned(program: Callable[[], Any]) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        program()
    return seen


# -- told --------------------------------------------------------------------------------------------------------------

UPDATES: dict[str, tuple[str, Callable[[Tensor], Tensor]]] = {
    "descent": ("sub", lambda w: w - 0.1 * w.grad),
    "ascent": ("add", lambda w: w + 0.1 * w.grad),
    "as a Tensor": ("sub", lambda w: w - Tensor(0.1 * w.grad)),
    "a method": ("sub", lambda w: w.sub(0.1 * w.grad)),
    "a bound": ("clamp", lambda w: w.clamp(-1.0, 1.0)),
    "a decay": ("mul", lambda w: w * 0.9),
}


@pytest.mark.parametrize("update", UPDATES)
def test_a_leaf_that_its_own_update_replaces_is_told_once_at_the_second_step(update: str) -> None:
    op, changed = UPDATES[update]
    told = []
    w = leaf(1.0, 2.0)
    for _ in range(2 if op in ("clamp", "mul") else 4):  # those two save what the third pass would need again
        told.append(warned((w * w).sum().backward))
        w = changed(w)
    assert [len(each) for each in told] == [0, 1, 0, 0][: len(told)]
    (warning,) = told[1]
    assert warning.category is UserWarning
    assert f"shape (2,) that no variable holds any more: the result of {op} " in str(warning.message)
    assert "with no_grad(): w -= lr * w.grad`, then clear it by `w.grad = None`" in str(warning.message)
    assert warning.filename == __file__


def test_the_remedy_that_is_named_is_not_told_and_keeps_the_leaf() -> None:
    w = leaf(1.0, 2.0)
    for _ in range(3):
        assert warned((w * w).sum().backward) == []
        with no_grad():
            w -= 0.1 * w.grad
        w.grad = None
    assert w.is_leaf
    np.testing.assert_allclose(w.data, [0.8**3, 2 * 0.8**3], rtol=1e-6)


def test_a_dict_of_parameters_is_told_once() -> None:
    params = {"w": leaf(1.0, 2.0), "b": leaf(0.0)}
    told = []
    for _ in range(3):
        told += warned(((params["w"] * 3 + params["b"]) ** 2).sum().backward)
        params = {name: each - 0.1 * each.grad for name, each in params.items()}
    assert len(told) == 1


# -- not told ----------------------------------------------------------------------------------------------------------


def a_carried_state(retain: bool) -> None:
    cell, h = nn.RNNCell(2, 3), minitorch.zeros(1, 3, requires_grad=True)
    for _ in range(3):
        new = cell(minitorch.ones(1, 2), h)
        new.sum().backward(retain_graph=retain)
        h = new if retain else new.detach().requires_grad_()


def a_leaky_state() -> None:
    w, h = leaf(0.5), leaf(0.0)
    for _ in range(3):
        h = h * 0.9 + w
        (h * h).sum().backward(retain_graph=True)


def a_sum_of_losses() -> None:
    w, total = leaf(1.0, 2.0), Tensor(0.0, requires_grad=True)
    for _ in range(3):
        total = total + (w * 2).sum()
        total.backward(retain_graph=True)


def inner_steps(create_graph: bool) -> None:
    meta = leaf(1.0, 2.0)
    for _ in range(2):
        fast = meta
        for _ in range(3):
            (g,) = minitorch.grad((fast * fast).sum(), fast, create_graph=create_graph)
            fast = fast - 0.1 * g
        (fast * fast).sum().backward()


def inner_steps_by_grad() -> None:
    meta = leaf(1.0, 2.0)
    for _ in range(2):
        fast = meta
        for _ in range(3):
            (fast * fast).sum().backward(create_graph=True)
            fast = fast - 0.1 * fast.grad
        (fast * fast).sum().backward()
        meta.grad = None


def a_start_that_is_a_result() -> None:
    w = Tensor(np.ones(3), requires_grad=True) - 0.5
    for _ in range(3):
        (w * w).sum().backward()
        with no_grad():
            w -= 0.1 * w.grad
        w.grad = None


def a_held_leaf() -> None:
    w = leaf(1.0, 2.0)
    for _ in range(3):
        y = w - 0.1
        y.retain_grad()
        (y * y).sum().backward()
        assert y.grad is not None


def a_fresh_leaf_each_step() -> None:
    w = leaf(1.0, 2.0)
    for _ in range(3):
        (w * w).sum().backward()
        w = (w - 0.1 * w.grad).detach().requires_grad_()


def a_generator_and_a_judge() -> None:
    g, d = nn.Linear(2, 2), nn.Linear(2, 1)
    steps = optim.SGD(g.parameters(), 0.1), optim.SGD(d.parameters(), 0.1)
    for _ in range(3):
        fake = g(minitorch.ones(1, 2))
        d(fake.detach()).sum().backward()
        steps[1].step()
        d(fake).sum().backward()
        steps[0].step()


def a_copied_learner() -> None:
    model = nn.Linear(2, 1)
    for _ in range(2):
        learner = copy.deepcopy(model)
        optimizer = optim.SGD(learner.parameters(), 0.1)
        for _ in range(2):
            learner(minitorch.ones(1, 2)).sum().backward()
            optimizer.step()


MEANT: dict[str, Callable[[], None]] = {
    "a state, detached": lambda: a_carried_state(retain=False),
    "a state, retained": lambda: a_carried_state(retain=True),
    "a leaky state": a_leaky_state,
    "a sum of losses": a_sum_of_losses,
    "MAML": lambda: inner_steps(create_graph=True),
    "first-order MAML": lambda: inner_steps(create_graph=False),
    "MAML by grad": inner_steps_by_grad,
    "a start that is a result": a_start_that_is_a_result,
    "a held leaf": a_held_leaf,
    "a fresh leaf each step": a_fresh_leaf_each_step,
    "a generator and a judge": a_generator_and_a_judge,
    "a copied learner": a_copied_learner,
}


@pytest.mark.parametrize("program", MEANT)
def test_who_means_it_is_not_told(program: str) -> None:
    assert warned(MEANT[program]) == []
