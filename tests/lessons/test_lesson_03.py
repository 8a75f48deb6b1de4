"""Lesson 03: its planted engines, what its text claims, and answers that learners plausibly write."""

import contextlib
import io
import re
import textwrap
from pathlib import Path
from types import ModuleType

import nbformat
import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.scalar import Value

COURSE = manifest.load()
LESSON = COURSE.lesson("03")
CELLS = nbformat.read(Path(__file__).resolve().parents[2] / "notebooks" / LESSON.notebook_name, as_version=4).cells


@pytest.fixture(scope="module")
def solution() -> ModuleType:
    module = ModuleType("lesson_03")
    exec(compile(LESSON.solution_source(), LESSON.file_name, "exec"), vars(module))
    return module


@pytest.fixture(scope="module")
def planted() -> dict:
    """The engines of the notebook by letter."""
    names: dict = {"Value": Value, "np": np}
    (source,) = [cell.source for cell in CELLS if "class Planted" in cell.source]
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, "cell", "exec"), names)
    return names["engines"]


# ------------------------------------------------------------------------------------------ the planted bugs


def test_find_bug_finds_in_each_engine_what_the_notebook_says(planted, solution):
    text = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")
    told = dict(re.findall(r'^\| ([A-E]) \| "(\w+)" \|', text, re.MULTILINE))
    assert {letter: solution.find_bug(engine) for letter, engine in planted.items()} == told
    assert sorted(told.values()) == ["backward", "exp", "mul", "neg", "pow"]


def test_minitorchs_own_value_has_no_bug(solution):
    assert solution.find_bug(Value) is None


def test_every_planted_engine_computes_the_right_numbers(planted, solution):
    for engine in planted.values():
        for program in solution.PROGRAMS.values():
            ours, theirs = (program(make(1.3), make(-0.7)).data for make in (engine, Value))
            assert ours == theirs


# ------------------------------------------------------------------------------------------- what is claimed


def test_the_best_step_is_near_the_third_root_of_the_rounding(solution):
    errors = {
        power: abs(solution.numeric_grad(lambda x: x * x * x, np.array(1.5), 10.0**-power) - 6.75)
        for power in range(1, 13)
    }
    assert min(errors, key=errors.get) in (5, 6)
    assert errors[1] == pytest.approx(1e-2, rel=1e-6)
    assert errors[3] == pytest.approx(1e-6, rel=1e-3)
    assert errors[12] > 1e-5


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


def test_pytorch_decides_as_the_notebook_says(torch):
    import inspect

    defaults = {
        name: parameter.default for name, parameter in inspect.signature(torch.autograd.gradcheck).parameters.items()
    }
    assert (defaults["eps"], defaults["atol"], defaults["rtol"]) == (1e-6, 1e-5, 1e-3)
    assert (defaults["raise_exception"], defaults["fast_mode"]) == (True, False)
    zero = torch.tensor([0.0, 2.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(torch.abs, zero)
    assert not torch.autograd.gradcheck(torch.relu, zero, raise_exception=False)


# -------------------------------------------------------------------------------------- learners' own answers

NUMERIC_GRAD = """
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(up) - f(down)) / (2 * eps)
    return gradient
"""
BASIS = """
def numeric_grad(f, x, eps=1e-6):
    x = np.asarray(x, dtype=np.float64)
    basis = np.eye(x.size).reshape((x.size,) + x.shape)
    return np.array([(f(x + eps * e) - f(x - eps * e)) / (2 * eps) for e in basis], dtype=float).reshape(x.shape)
"""
STACKED = """
def relative_error(a, b, floor=1e-3):
    return np.abs(b - a) / np.stack([np.abs(a), np.abs(b), np.full(a.shape, floor)]).max(axis=0)
"""
AT_KINK = """
def at_kink(f, x, eps=1e-6):
    kink = np.zeros(x.shape, dtype=bool)
    for index in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[index] = eps
        right = (f(x + step) - f(x)) / eps
        left = (f(x) - f(x - step)) / eps
        kink[index] = not abs(right - left) <= 0.01 * max(abs(right), abs(left), 1.0)
    return kink
"""
GRADCHECK = """
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(7).uniform(-2.0, -0.5, y.shape)
    f = lambda x: float((g * op(x)).sum())
    claimed = np.asarray(rule(g, x))
    if at_kink(f, x, eps).any():
        raise ValueError("choose another point")
    if claimed.shape != x.shape:
        return False
    return np.max(relative_error(claimed, numeric_grad(f, x, eps))) <= tolerance
"""
FIND_BUG = """
def find_bug(engine):
    for name, program in PROGRAMS.items():
        for numbers in np.random.default_rng(1).uniform(-2, 2, (5, 2)).tolist():
            leaves = [engine(number) for number in numbers]
            program(*leaves).backward()
            claimed = [leaf.grad or 0.0 for leaf in leaves]
            measured = numeric_grad(lambda x: program(*map(engine, x.tolist())).data, np.array(numbers))
            if not np.allclose(claimed, measured, atol=1e-5):
                return name
    return None
"""


def judged(exercise: str, answer: str) -> Verdict:
    source = source_code.replace(LESSON.solution_source(), exercise, textwrap.dedent(answer).strip() + "\n")
    with FileJudge(LESSON, LearnerFile.of(source, LESSON.file_name)) as judge:
        return judge.verdict(exercise)


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("numeric_grad", NUMERIC_GRAD),
        ("numeric_grad", NUMERIC_GRAD.replace("(2 * eps)", "(up[index] - down[index])")),
        ("numeric_grad", BASIS),
        ("relative_error", STACKED),
        ("at_kink", AT_KINK),
        ("gradcheck", GRADCHECK),
        ("find_bug", FIND_BUG),
    ],
)
def test_a_right_answer_passes_however_it_is_written(exercise, answer):
    assert judged(exercise, answer).kind is Kind.PASSED


@pytest.mark.parametrize(
    ("exercise", "answer", "diagnosis"),
    [
        ("numeric_grad", NUMERIC_GRAD.replace("f(down)", "f(x)").replace("2 * eps", "eps"), "forward-difference"),
        ("numeric_grad", NUMERIC_GRAD.replace("(2 * eps)", "2 * eps"), "brackets-missing"),
        ("numeric_grad", NUMERIC_GRAD.replace("return gradient", "print(gradient)"), "return-missing"),
        ("at_kink", AT_KINK.replace("not abs(right - left) <=", "abs(right - left) >"), "nan-slips-through"),
        ("at_kink", AT_KINK.replace("0.01 *", "1e-6 *"), "tolerance-too-strict"),
        ("at_kink", AT_KINK.replace("0.01 *", "1e-4 *"), "tolerance-ten-times-too-strict"),
        ("at_kink", AT_KINK.replace(" * max(abs(right), abs(left), 1.0)", ""), "absolute-difference"),
        ("gradcheck", GRADCHECK.replace("np.max(", "np.nanmax("), "nan-passes"),
        ("gradcheck", GRADCHECK.replace("rule(g, x)", "g * rule(g, x)"), "g-applied-twice"),
        ("gradcheck", GRADCHECK.replace("rule(g, x)", "rule(x, g)"), "rule-arguments-swapped"),
        ("gradcheck", GRADCHECK.replace("rule(g, x)", "rule(g, x + 1)"), "y-handed-to-the-rule"),
        (
            "gradcheck",
            GRADCHECK.replace("uniform(-2.0, -0.5, y.shape)", "uniform(0.5, 1.5)"),
            "one-plain-number-upstream",
        ),
        ("find_bug", FIND_BUG.replace("uniform(-2, 2, (5, 2))", "uniform(1, 2, (5, 2))"), "above-zero-only"),
        ("find_bug", FIND_BUG.replace("leaf.grad or 0.0", "leaf.data"), "rule-never-agrees"),
    ],
)
def test_a_mistake_is_caught_and_where_it_has_a_name_it_is_named(exercise, answer, diagnosis):
    verdict = judged(exercise, answer)
    assert not verdict.passed
    assert verdict.diagnosis == diagnosis


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        (
            "find_bug",
            FIND_BUG.replace("np.allclose(claimed", "np.allclose(np.abs(claimed)"),
            "all rules of this engine are right, and find_bug named 'mul'",
        ),
    ],
)
def test_a_mistake_without_a_name_gets_a_true_sentence(exercise, answer, said):
    verdict = judged(exercise, answer)
    assert (verdict.passed, verdict.diagnosis) == (False, None)
    assert said in verdict.reason.en
