"""Lesson 09: its planted bug, its solution against central differences, and its operations inside a graph."""

import contextlib
import io
from pathlib import Path
from types import ModuleType

import nbformat
import numpy as np
import pytest

from minitorch.course import engine, manifest
from minitorch.course.activities.planted import load_deal

ROOT = Path(__file__).resolve().parents[2]
LESSON = manifest.load().lesson("09")
REFERENCE = engine("reference", upto="09")


def random(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def measured(op, g, x, eps=1e-6):
    """Return the gradient of sum(g * op(x)) by central differences."""
    gradient = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[place] = eps
        gradient[place] = np.sum(g * (op(x + step) - op(x - step))) / (2 * eps)
    return gradient


AXES = [0, 1, -1, (0, 2), (-1, 0), (2, 0), None]
PERMUTATIONS = [None, (0, 1, 2), (1, 2, 0), (2, 0, 1), (-1, 0, 1), (0, -1, 1)]
PICKS = [1, slice(None, None, -2), np.array([1, 0, 1, -1]), np.s_[:, np.array([2, 2, 0])], np.s_[..., 1], None]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", ["sum", "mean", "max"])
def test_a_reduction_has_the_gradient_that_is_measured(name, axis, keepdims):
    x = random(0, 2, 3, 4)
    g = random(1, *getattr(x, name)(axis=axis, keepdims=keepdims).shape)
    claimed = getattr(REFERENCE, f"{name}_vjp")(g, x, axis, keepdims)
    want = measured(lambda x: getattr(x, name)(axis=axis, keepdims=keepdims), g, x)
    np.testing.assert_allclose(claimed, want, atol=1e-8)


@pytest.mark.parametrize("axes", PERMUTATIONS, ids=str)
def test_transpose_has_the_gradient_that_is_measured(axes):
    x = random(0, 2, 3, 4)
    g = random(1, *x.transpose(axes).shape)
    want = measured(lambda x: x.transpose(axes), g, x)
    np.testing.assert_allclose(REFERENCE.transpose_vjp(g, x, axes), want, atol=1e-8)


@pytest.mark.parametrize("index", PICKS, ids=str)
def test_getitem_has_the_gradient_that_is_measured(index):
    x = random(0, 2, 3, 4)
    g = random(1, *x[index].shape)
    np.testing.assert_allclose(REFERENCE.getitem_vjp(g, x, index), measured(lambda x: x[index], g, x), atol=1e-8)


def test_a_tie_shares_what_arrives_and_nothing_is_made_or_lost():
    gradient = REFERENCE.max_vjp(np.array(12.0), np.array([6.0, 6.0, 1.0, 6.0]), None, False)
    np.testing.assert_array_equal(gradient, [4.0, 4.0, 0.0, 4.0])


def test_a_graph_of_all_six_operations_has_the_gradient_that_is_measured():
    rows, numbers, weights = np.array([1, 4, 1, 0]), random(3, 5, 3), random(4, 3, 2)

    def program(table, total):
        pairs = table[rows].reshape((2, 2, 3))
        return total((pairs.max(axis=1).transpose((1, 0)) * weights).mean(axis=1))

    table = REFERENCE.Tensor(numbers, requires_grad=True)
    program(table, REFERENCE.sum).backward()
    want = measured(lambda x: np.array(program(x, np.sum)), 1.0, numbers)
    np.testing.assert_allclose(table.grad, want, atol=1e-8)


CALLS = {
    "sum": [(), (1,), ((0, 2), True)],
    "mean": [(), (1,), ((0, 2), True)],
    "max": [(), (1,), ((0, 2), True)],
    "reshape": [((6, 4),), (24,)],
    "transpose": [(), ((1, 2, 0),)],
}


@pytest.mark.parametrize(("name", "words"), [(name, words) for name, each in CALLS.items() for words in each], ids=str)
def test_an_operation_is_called_as_numpys_method_is(name, words):
    x = random(0, 2, 3, 4)
    leaf = REFERENCE.Tensor(x, requires_grad=True)
    out = getattr(REFERENCE, name)(leaf, *words)
    method = {"reshape": x.reshape, "transpose": x.transpose}.get(name)
    named = dict(zip(("axis", "keepdims"), words, strict=False))
    np.testing.assert_array_equal(out.data, method(*words) if method else getattr(x, name)(**named))
    assert (out._op, out._prev) == (name, (leaf,))


def test_getitem_is_numpys_own():
    leaf = REFERENCE.Tensor(random(0, 2, 3), requires_grad=True)
    out = REFERENCE.getitem(leaf, np.s_[:, np.array([2, 2])])
    np.testing.assert_array_equal(out.data, leaf.data[:, [2, 2]])
    assert (out._op, out._prev) == ("getitem", (leaf,))


def test_a_constant_gets_no_gradient_and_remembers_no_parents():
    out = REFERENCE.sum(REFERENCE.Tensor([1.0, 2.0]))
    assert (out.requires_grad, out._prev, out._backward) == (False, (), None)


@pytest.mark.parametrize("name", ["sum", "max"])
def test_the_operations_say_so_when_pythons_own_were_meant(name):
    with pytest.raises(TypeError, match=f"{name} is the operation for Tensors here"):
        getattr(REFERENCE, name)([1.0, 2.0])


WORDS = {
    "sum": [0, 1, -1, (0, 1)],
    "mean": [0, 1, -1, (0, 1)],
    "max": [0, 1, -1, (0, 1)],
    "reshape": [(3, 8), (4, 3, 2)],
    "transpose": [(1, 2, 0), (0, 2, 1)],
    "getitem": [np.array([1, 0, 1]), 1, np.s_[:, 1:]],
}


@pytest.mark.parametrize("bug", load_deal(manifest.load(), LESSON).bugs, ids=lambda bug: bug.exercise.name)
def test_each_bug_that_is_dealt_hides_in_the_first_tests_and_shows_in_no_other_rule(bug):
    notebook = nbformat.read(ROOT / "notebooks" / LESSON.notebook_name, as_version=4)
    (source,) = [cell.source for cell in notebook.cells if cell.cell_type == "code" and "PAIRS = " in cell.source]
    dealt = ModuleType("dealt")
    exec(compile(bug.source(), "dealt", "exec"), vars(dealt))
    names = {"np": np, "gradcheck": REFERENCE.gradcheck, "rules": dealt}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(source, "planted", "exec"), names)
    assert "False" not in printed.getvalue()
    wrong = {name for name, each in WORDS.items() for word in each if not names["agrees"](name, (2, 3, 4), word)}
    assert wrong == {bug.exercise.name.removesuffix("_vjp")}
