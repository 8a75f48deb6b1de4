"""Random programs that write in place: their gradients are right, or an error says why there is none."""

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_place_programs import Statement, directions, inputs, loss_of, program, truth

from minitorch import Tensor, no_grad

REFUSED = re.compile("changed in place since|cannot be changed in place|is out of date|would not see a recorded change")
EXACT = {"rtol": 1e-9, "atol": 1e-9}


def found_by(
    make: Callable[..., Any], no_gradients: Callable[[], Any], statements: list[Statement], chosen: list[int]
) -> tuple[float, float]:
    """The loss and its slope along the directions, by the gradients of minitorch or PyTorch."""
    arrays = inputs()
    leaves = [make(array, requires_grad=True) for array in arrays[:2]]
    loss = loss_of([*leaves, *map(make, arrays[2:])], statements, chosen, no_gradients)
    if loss is None:
        return 0.0, 0.0
    value = loss.item()
    if loss.requires_grad:
        loss.backward()
    return value, along([leaf.grad for leaf in leaves])


def ours(statements: list[Statement], chosen: list[int]) -> tuple[float, float] | None:
    """What minitorch finds; None if it refused the program."""
    try:
        return found_by(Tensor, no_grad, statements, chosen)
    except RuntimeError as error:
        return refused(error)


def refused(error: RuntimeError) -> None:
    """Another error than those of the guard goes on."""
    if not REFUSED.search(str(error)):
        raise error


def along(gradients: list[Any]) -> float:
    pairs = zip(gradients, directions(), strict=True)
    return sum(float((np.asarray(g) * way).sum()) for g, way in pairs if g is not None)


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_gradient_is_right_or_refused(source: random.Random) -> None:
    written = program(source)
    found = ours(*written)
    if found is not None:
        np.testing.assert_allclose(found, truth(*written), **EXACT)


def test_most_programs_are_not_refused() -> None:
    programs = [program(random.Random(seed)) for seed in range(300)]
    found = [ours(*each) for each in programs]
    for each, what in zip(programs, found, strict=True):
        if what is not None:
            np.testing.assert_allclose(what, truth(*each), **EXACT)
    assert sum(what is not None and what[1] != 0.0 for what in found) > 100
    assert any(what is None for what in found)


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 10))
def test_so_is_that_of_a_second_pass_with_a_write_between(source: random.Random, place: int) -> None:
    statements, chosen = program(source)
    arrays = inputs()
    leaves = [Tensor(array, requires_grad=True) for array in arrays[:2]]
    pool = [*leaves, *map(Tensor, arrays[2:])]
    try:
        loss = loss_of(pool, statements, chosen, no_grad)
        if loss is None or not loss.requires_grad:
            return
        loss.backward(retain_graph=True)
        with no_grad():
            target = pool[place % len(pool)]
            if target is not None:
                target *= 1.5
        loss.backward()
    except RuntimeError as error:
        refused(error)
        return
    np.testing.assert_allclose(along([leaf.grad for leaf in leaves]), 2 * truth(statements, chosen)[1], **EXACT)


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False))
def test_where_pytorch_gives_a_gradient_it_is_the_same(source: random.Random) -> None:
    torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed: Dual alone judges the programs")
    written = program(source)
    try:
        theirs = found_by(torch.tensor, torch.no_grad, *written)
    except RuntimeError:
        return
    if not np.isclose(truth(*written)[0], theirs[0]):  # of two views that overlap, PyTorch reads what it just wrote
        return
    np.testing.assert_allclose(truth(*written), theirs, **EXACT)
    found = ours(*written)
    if found is not None:
        np.testing.assert_allclose(found, theirs, **EXACT)
