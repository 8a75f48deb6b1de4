"""Lesson 10: its product agrees with minitorch, and learners' answers are judged rightly."""

from __future__ import annotations

import numpy as np
import pytest
from written_answers import judged

import minitorch
from minitorch.course import manifest
from minitorch.course.mine.assembled import assemble

COURSE = manifest.load()


@pytest.fixture(scope="module")
def reference():
    def no_session():
        raise AssertionError("the reference needs no folder")

    return assemble("reference", "10", COURSE, no_session, "en")


@pytest.mark.parametrize(
    ("a_shape", "b_shape"),
    [((2, 3), (3, 4)), ((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)), ((1, 3, 4), (5, 4, 2)), ((3, 1, 2, 4), (5, 4, 6))],
)
def test_matmul_has_the_gradients_that_minitorch_finds(reference, a_shape, b_shape):
    rng = np.random.default_rng(0)
    arrays = rng.normal(size=a_shape), rng.normal(size=b_shape)
    own, theirs = (
        [kind(array, requires_grad=True) for array in arrays] for kind in (reference.Tensor, minitorch.Tensor)
    )
    for a, b in (own, theirs):
        out = a @ b
        (out * out).sum().backward()
    for mine, its in zip(own, theirs, strict=True):
        np.testing.assert_allclose(mine.grad, its.grad, rtol=1e-12)


def test_a_layer_has_the_gradients_that_minitorch_finds_and_none_for_data(reference):
    rng = np.random.default_rng(0)
    x, W, b = rng.normal(size=(4, 3)), rng.normal(size=(3, 2)), rng.normal(size=2)
    asked = []
    rule = vars(reference.lesson("10"))["linear_vjp"]

    def noted(g, x, W, wanted):
        asked.append(wanted)
        return rule(g, x, W, wanted)

    vars(reference.lesson("10"))["linear_vjp"] = noted
    try:
        for data in (True, False):
            own = [reference.Tensor(x, requires_grad=not data), *(reference.Tensor(each, True) for each in (W, b))]
            their = [minitorch.Tensor(each, requires_grad=True) for each in (x, W, b)]
            for out in (reference.Linear(*own[1:])(own[0]), their[0] @ their[1] + their[2]):
                (out * out).sum().backward()
            assert (own[0].grad is None) is data
            for mine, its in zip(own[1 if data else 0 :], their[1 if data else 0 :], strict=True):
                np.testing.assert_allclose(mine.grad, its.grad, rtol=1e-12)
    finally:
        vars(reference.lesson("10"))["linear_vjp"] = rule
    assert asked == [(False, True, True), (True, True, True)]


def test_a_vector_is_refused_by_matmul(reference):
    with pytest.raises(ValueError, match="two axes or more"):
        reference.matmul(reference.Tensor([1.0, 2.0]), np.ones((2, 2)))
    with pytest.raises(TypeError, match="one of the operands must be a Tensor, not list and int"):
        reference.matmul([1.0], 2)


def test_the_place_is_the_learners_line_not_one_of_a_given_function():
    verdict = judged(
        "batched",
        """
        def batched_vjp(g, a, b):
            return unbroadcast(g, a), unbroadcast(g, b)
        """,
    )
    assert verdict.place.source.strip() == "return unbroadcast(g, a), unbroadcast(g, b)"
