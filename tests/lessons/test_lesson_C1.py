"""Checkpoint C1: its graph, what is said of an order drawn by hand, and the bugs that it deals."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
from collections import Counter
from pathlib import Path

import nbformat
import numpy as np
import pytest

from minitorch.course import engine, found, manifest, planted
from minitorch.course.activities.planted import Planted, load_deal, source_of
from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.files.learner import write_learner
from minitorch.course.judging.checks import load_checks
from minitorch.course.lessons.lesson_C1_on_your_own import checks_order
from minitorch.course.lessons.lesson_C1_on_your_own.unseen import unseen
from minitorch.course.mine import loading
from minitorch.scalar import Value

ROOT = Path(__file__).resolve().parents[2]
COURSE = manifest.load()
LESSON = COURSE.lesson("C1")
DEAL = load_deal(COURSE, LESSON)
NOTEBOOK = nbformat.read(ROOT / "notebooks" / LESSON.notebook_name, as_version=4)
REFERENCE = engine("reference", upto="04")
every_bug = pytest.mark.parametrize("bug", DEAL.bugs, ids=lambda bug: bug.version.id)


def cell(beginning: str):
    (one,) = [each for each in NOTEBOOK.cells if each.cell_type == "code" and each.source.startswith(beginning)]
    return one


# ----------------------------------------------------------------------------------------- where it stands


def test_it_stands_between_the_last_scalar_lesson_and_the_first_with_arrays():
    numbers = [lesson.number for lesson in COURSE.lessons]
    assert numbers[numbers.index("04") : numbers.index("05") + 1] == ["04", "C1", "05"]
    assert LESSON.checkpoint
    assert not any(exercise.hints for exercise in LESSON.exercises)


# ----------------------------------------------------------------------------------------------- the graph


def test_picture_text_and_judge_speak_of_one_graph():
    text = " ".join(LESSON.solution_source().split('"""')[1].split())
    for name, (left, sign, right) in checks_order.MADE.items():
        assert f"{name} = {left} {sign} {right}" in text
    for name, number in checks_order.LEAVES.items():
        assert f"{name} = {number:g}" in text
    root = unseen()
    root.backward()
    nodes = {node.label: node for node in REFERENCE.toposort(root)}
    assert {name: node.data for name, node in nodes.items()} == checks_order.numbers()
    assert {name: node.grad for name, node in nodes.items()} == checks_order.gradients()


def test_the_text_is_in_no_order_that_could_be_handed_in():
    listed = [*checks_order.MADE, *checks_order.LEAVES]
    for order in (listed, listed[::-1], sorted(listed), sorted(listed)[::-1]):
        assert checks_order.too_early(order) is not None


def test_of_all_orders_few_are_right_so_guessing_is_no_use():
    kinds = Counter(checks_order.kind_of(list(order)) for order in itertools.permutations(checks_order.NAMES))
    assert kinds["right"] == 6
    assert kinds.total() == 40320
    assert set(kinds) == {"right", "forward", "by levels", "along paths", "too early"}


@pytest.mark.parametrize(
    "order", [o for o in itertools.permutations(checks_order.NAMES) if not checks_order.too_early(o)]
)
def test_every_right_order_passes(order):
    gradients = checks_order.gradients()
    check = load_checks(LESSON)["order_by_hand"]
    got = {"type": "list", "visits": [[name, gradients[name]] for name in order]}
    assert [check.judge(x, got) for x in check.cases()] == [None] * 3


def test_what_is_wanted_is_never_shown():
    """Neither a right order nor a right gradient, whatever is handed in."""
    check = load_checks(LESSON)["order_by_hand"]
    visits = [[name, 0.5] for name in checks_order.NAMES]
    findings = [check.judge(x, {"type": "list", "visits": visits}) for x in check.cases()]
    assert findings[0] is None
    for finding in findings[1:]:
        assert finding.expected is None
        shown = f"{finding.reason.to('en')} {finding.got}"
        assert not [number for number in ("23", "17", "57", "11") if number in shown]


# ------------------------------------------------------------------------------------------- the operation


def test_softplus_inside_a_graph_hands_on_what_the_quiz_says():
    namespace: dict = {}
    exec(compile(LESSON.solution_source(), "solution", "exec"), namespace)
    x = Value(0.0)
    (namespace["softplus"](x) * 3).backward()
    assert x.grad == 1.5


# ------------------------------------------------------------------------------------------- the bug hunt


def dealt_with(bug) -> Planted:
    homes = [COURSE.lesson(number) for number in DEAL.homes]
    modules = [loading.run(home, compile(source_of(bug, home), "dealt", "exec"), home.file_name) for home in homes]
    return Planted(DEAL, modules, "en")


def run_cells(bug, *beginnings: str) -> tuple[dict, str]:
    """Run these cells on what is dealt with this bug; return their names, and what they print."""
    names = {"np": np, "mine": REFERENCE, "dealt": dealt_with(bug)}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for beginning in beginnings:
            exec(compile(cell(beginning).source, "cell", "exec"), names)
    return names, printed.getvalue()


@every_bug
def test_each_bug_hides_in_the_notebooks_own_tests(bug):
    """They print for everybody what the committed notebook shows."""
    for beginning in ("def agrees(", "p = dealt.Value(", "a, b = dealt."):
        _, printed = run_cells(bug, beginning)
        assert printed == "".join(output.text for output in cell(beginning).outputs)


def findings(names: dict) -> set[str]:
    """Which of the programs that the folded answer names show something."""
    agrees, dealt = names["agrees"], names["dealt"]

    def uneven(a, b):
        p = a * b
        return (p + a) * b + p

    shown = {
        "one node in two places": not agrees(lambda a: a * a, 3.0),
        "another exponent": not agrees(lambda a: a**3, 2.0),
        "a number on the left of a minus": not agrees(lambda a: 7 - a, 2.0),
        "a short and a long way": not agrees(uneven, 3.0, 2.0),
        "equal numbers": not agrees(lambda a, b: a * 5 + b * 3, 3.0, 5.0),
    }
    a = dealt.Value(2.0)
    root = a * 3 + 1
    dealt.backward(root)
    dealt.backward(root)
    shown["a second pass"] = a.grad != 6.0
    parameters = [dealt.Value(1.0), dealt.Value(2.0)]
    parameters[1].grad = 10.0
    dealt.sgd_step(parameters, 0.1)
    shown["a parameter without a gradient"] = parameters[1].data != 1.0
    return {name for name, wrong in shown.items() if wrong}


def test_each_bug_shows_in_one_of_the_programs_that_the_answer_names():
    shown = {bug.version.id: findings(run_cells(bug, "def agrees(")[0]) for bug in DEAL.bugs}
    assert shown == {
        "mul-same-parent-once": {"one node in two places"},
        "pow-squares-only": {"another exponent"},
        "rsub-slope-plus-one": {"a number on the left of a minus"},
        "breadth-first": {"a short and a long way"},
        "seen-by-number": {"equal numbers"},
        "inner-grads-kept": {"a second pass"},
        "stops-at-none": {"a parameter without a gradient"},
    }


# --------------------------------------------------------------------------------- claiming and mending


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A learner's folder in which the first lessons are solved."""
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    (tmp_path / "work").mkdir()
    (tmp_path / "exercises").mkdir()
    for lesson in COURSE.lessons:
        if lesson.order <= LESSON.order:
            (tmp_path / "exercises" / lesson.file_name).write_text(lesson.solution_source(), encoding="utf-8")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def deal_to(folder: Path, mistake: str) -> None:
    """Give the folder a number to which this bug is dealt."""
    from minitorch.course.activities.planted import dealt

    for number in range(200):
        write_learner(folder, f"{number:032x}")
        if dealt(COURSE, folder, "C1")[1].version.id == mistake:
            return
    raise AssertionError(f"nobody is dealt {mistake}")


def test_it_deals_functions_of_three_lessons(folder):
    dealt = planted("C1")
    assert repr(dealt).splitlines()[:2] == [
        "8 functions of the lessons 01, 02, 04, and one of them is wrong:",
        "    add, mul, pow, reflected, toposort, backward, zero_grad, sgd_step",
    ]
    assert "una de ellas es incorrecta" in repr(planted("C1", lang="es"))
    assert {"Value", "toposort", "backward", "sgd_step"} <= set(dir(dealt))


def test_a_claim_about_another_lessons_function_is_told_a_line_that_runs(folder):
    deal_to(folder, "mul-same-parent-once")
    for name in ("add", "pow"):
        told = found("C1", name).text
        assert told.startswith(f"not {name}\n    `{name}` was checked as your own is: in all ")
        (line,) = [each.split("run yourself: ")[1] for each in told.splitlines() if "run yourself: " in each]
        assert 'planted("C1")' in line
        assert "yours" not in line
        exec(line, {})
        assert "mul" not in told.replace("__mul__", "")


def test_a_walk_that_calls_a_wrong_order_is_not_the_wrong_one(folder):
    deal_to(folder, "breadth-first")
    assert "its own lines are right: it calls another function of these" in found("C1", "backward").text


@pytest.mark.parametrize(
    ("mistake", "name", "old", "new"),
    [
        ("mul-same-parent-once", "mul", '(self,), "*", (self.data,)', '(self, self), "*", (self.data, self.data)'),
        ("rsub-slope-plus-one", "reflected", "(1.0,)", "(-1.0,)"),
        ("stops-at-none", "sgd_step", "return\n", "continue\n"),
    ],
)
def test_the_wrong_function_is_mended_in_a_file_of_the_checkpoints(folder, mistake, name, old, new):
    from minitorch.course import check

    deal_to(folder, mistake)
    assert f'check("{name}") must pass first' in found("C1", name).text
    check(name)
    assert "its lines are in work/mended_C1.py" in found("C1", name).text
    path = folder / "work" / "mended_C1.py"
    text = path.read_text(encoding="utf-8")
    assert source_code.find(text, COURSE.exercise(name).target) is not None
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert found("C1", name).text.startswith(f"✓ mended: {name} is right in all ")


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ('deals = ["mul", "wants_grad"]', "wants_grad is taught later than lesson C1"),
        ('deals = ["add"]', "KeyError: 'mul'"),
        ('deals = ["mull"]', "did you mean"),
    ],
)
def test_a_faulty_deal_is_refused(tmp_path, head, said):
    from dataclasses import replace

    row = {"exercise": "mul", "mistake": "mul-ones", "en": "a", "es": "b"}
    rows = "\n".join(f"{key} = {json.dumps(word)}" for key, word in row.items())
    (tmp_path / "planted.toml").write_text(f"{head}\n[[bug]]\n{rows}\n", encoding="utf-8")
    with pytest.raises(CourseError, match=said):
        load_deal(COURSE, replace(LESSON, folder=tmp_path))
