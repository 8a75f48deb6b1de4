"""Lesson 07: what its solution finds, and what its text says of other checks."""

from types import ModuleType

import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.course import manifest

LESSON = manifest.load().lesson("07")


@pytest.fixture(scope="module")
def solution() -> ModuleType:
    module = ModuleType("lesson_07")
    exec(compile(LESSON.solution_source(), LESSON.file_name, "exec"), vars(module))
    return module


@pytest.mark.parametrize("operation", ["exp", "tanh", "sin"])
def test_gradcheck_agrees_with_minitorchs_own(solution, operation):
    x = np.array([[0.3, -1.2, 0.8], [1.1, -0.4, 0.6]])

    def op(array):
        return getattr(Tensor(array), operation)().data

    def rule(g, array):
        leaf = Tensor(array.copy(), requires_grad=True)
        getattr(leaf, operation)().backward(g)
        return leaf.grad

    assert solution.gradcheck(op, rule, x)
    assert minitorch.gradcheck(lambda tensor: getattr(tensor, operation)(), Tensor(x))
    assert not solution.gradcheck(op, lambda g, array: 1.001 * rule(g, array), x)


@pytest.mark.parametrize("cut", [np.abs, lambda g: np.maximum(g, 0.0), lambda g: np.minimum(g, 0.0)])
@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
def test_no_rule_hides_behind_the_sign_of_g(solution, cut, shape):
    x = np.full(shape, 0.7)
    assert solution.gradcheck(lambda x: 3 * x, lambda g, x: 3 * g, x)
    assert not solution.gradcheck(lambda x: 3 * x, lambda g, x: 3 * cut(g), x)


def test_j_times_g_is_found_out_where_j_is_not_symmetric(solution):
    table, x = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0.3, -0.8])
    assert solution.gradcheck(lambda x: table @ x, lambda g, x: g @ table, x)
    assert not solution.gradcheck(lambda x: table @ x, lambda g, x: table @ g, x)


def test_the_slopes_of_an_array_are_the_learners_own():
    from minitorch.course import engine

    reference = engine("reference", upto="07")
    assert reference.lesson("07").numeric_grad is reference.lesson("03").numeric_grad
