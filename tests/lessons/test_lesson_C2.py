"""Checkpoint C2: its judges against minitorch's own engine, what was agreed on at a bound, and the bugs it deals."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import nbformat
import numpy as np
import pytest

import minitorch
from minitorch.course import engine, manifest
from minitorch.course.activities.planted import Planted, load_deal, source_of
from minitorch.course.judging.checks import load_checks
from minitorch.course.mine import loading

ROOT = Path(__file__).resolve().parents[2]
COURSE = manifest.load()
LESSON = COURSE.lesson("C2")
DEAL = load_deal(COURSE, LESSON)
NOTEBOOK = nbformat.read(ROOT / "notebooks" / LESSON.notebook_name, as_version=4)
REFERENCE = engine("reference", upto="11")
every_bug = pytest.mark.parametrize("bug", DEAL.bugs, ids=lambda bug: bug.version.id)


def test_it_stands_behind_the_last_lesson_on_arrays_and_gives_no_hints():
    numbers = [lesson.number for lesson in COURSE.lessons]
    assert numbers[numbers.index("11") + 1] == "C2"
    assert LESSON.checkpoint
    assert not any(exercise.hints for exercise in LESSON.exercises)


# ------------------------------------------------------------------------------- the judges and the engine


def gradients_of_the_engine(x):
    """What minitorch's own backward pass gives for a case, by array: the same array twice gets one gradient."""
    tensors = {
        name: minitorch.Tensor(value, requires_grad=True) for name, value in x.items() if name not in ("code", "g")
    }
    code = x["code"].replace("axis=", "dim=")
    for name in ("cumsum", "clip", "stack"):
        code = code.replace(f"np.{name}(", f"minitorch.{name}(")
    out = eval(code, {"np": np, "minitorch": minitorch, **tensors})
    out.backward(minitorch.Tensor(x["g"]))
    return {name: tensor.grad for name, tensor in tensors.items()}


@pytest.mark.parametrize("name", ["cumsum_vjp", "clip_vjp"])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_wanted_is_what_minitorch_computes(name, seed):
    check = load_checks(LESSON)[name]
    for x in check.cases(seed):
        np.testing.assert_allclose(check.definition.want(x), gradients_of_the_engine(x)["x"])


@pytest.mark.parametrize("seed", range(3))
def test_what_is_wanted_of_a_stack_is_what_minitorch_computes(seed):
    check = load_checks(LESSON)["stack_vjp"]
    for x in check.cases(seed):
        names = x["code"].partition("[")[2].partition("]")[0].split(", ")
        for name, gradient in gradients_of_the_engine(x).items():
            places = [place for place, other in enumerate(names) if other == name]
            wanted = sum(check.definition.want_of(x, names, place, name) for place in places)
            np.testing.assert_allclose(wanted, gradient)


def test_an_entry_at_a_bound_is_tried_at_both_bounds():
    cases = load_checks(LESSON)["clip_vjp"].cases()
    at_low = [x for x in cases if "np.clip(x, -1.0, 1.0)" in x["code"] and -1.0 in x["x"]]
    at_high = [x for x in cases if "np.clip(x, 0.0, 1.0)" in x["code"] and 1.0 in x["x"]]
    assert at_low
    assert at_high


# ------------------------------------------------------------------------------------------- the bug hunt


def cell(beginning: str):
    (one,) = [each for each in NOTEBOOK.cells if each.cell_type == "code" and each.source.startswith(beginning)]
    return one


def dealt_with(bug) -> Planted:
    homes = [COURSE.lesson(number) for number in DEAL.homes]
    modules = [loading.run(home, compile(source_of(bug, home), "dealt", "exec"), home.file_name) for home in homes]
    return Planted(DEAL, modules, "en")


@every_bug
def test_each_bug_hides_in_the_notebooks_own_tests(bug):
    """They print for everybody what the committed notebook shows."""
    names = {"np": np, "mine": REFERENCE, "dealt": dealt_with(bug)}
    for beginning in ("x = np.random.default_rng(0)", "print(dealt.max_vjp("):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(cell(beginning).source, "cell", "exec"), names)
        assert printed.getvalue() == "".join(output.text for output in cell(beginning).outputs)


def findings(dealt: Planted) -> set[str]:
    """Which of the arrays that the folded answer names show something."""

    def wrong(operation, rule, at):
        try:
            return not REFERENCE.gradcheck(operation, rule, at)
        except (ValueError, IndexError, TypeError):
            return True

    rng = np.random.default_rng(1)
    x, a, one, w = (rng.normal(size=shape) for shape in ((3, 4), (3, 1), (1, 4, 2), (2, 3, 4)))
    columns, both = np.array([1, 3, 1]), (0, 1)
    shown = {
        "an axis missing and one of size 1": wrong(lambda a: w * a, lambda g, a: dealt.mul_vjp(g, w, a)[1], a),
        "an axis from the end": wrong(lambda x: x.sum(axis=-1), lambda g, x: dealt.sum_vjp(g, x, -1, False), x),
        "a mean over two axes": wrong(lambda x: x.mean(axis=both), lambda g, x: dealt.mean_vjp(g, x, both, False), x),
        "a tie": not np.allclose(dealt.max_vjp(np.array(12.0), np.array([2.0, 5.0, 5.0]), None, False), [0, 6, 6]),
        "a tuple with repeats": wrong(
            lambda x: x[:, columns], lambda g, x: dealt.getitem_vjp(g, x, np.s_[:, columns]), x
        ),
        "a batch of one": wrong(lambda b: w @ b, lambda g, b: dealt.batched_vjp(g, w, b)[1], one),
        "scores in columns": wrong(lambda x: dealt.softmax(x, 0), lambda g, x: dealt.softmax_vjp(g, x, 0), x),
    }
    return {name for name, seen in shown.items() if seen}


def test_each_bug_shows_on_one_of_the_arrays_that_the_answer_names():
    assert {bug.version.id: findings(dealt_with(bug)) for bug in DEAL.bugs} == {
        "either-kind-only": {"an axis missing and one of size 1"},
        "negative-axis-inserted": {"an axis from the end"},
        "first-of-the-axes": {"a mean over two axes"},
        "first-tie-only": {"a tie"},
        "repeats-lost-in-tuples": {"a tuple with repeats"},
        "size-1-batch-not-summed": {"a batch of one"},
        "last-axis-always": {"scores in columns"},
    }
