"""`engine("mine")` in use: one engine beside another, its names and words, and the signs of its Tensor."""

from __future__ import annotations

import ast
import re
import shutil
import sys

import numpy as np
import pytest
from engine_desk import SCALAR, WALK, gradients, owners

from minitorch.course import engine, manifest
from minitorch.course.course_error import CourseError
from minitorch.course.files.statements import raising_in, statements
from minitorch.course.judging.mistakes import wrong_source
from minitorch.course.mine.assembled import parts_of

# ----------------------------------------------------------------------------------- one beside another


def test_two_engines_share_nothing(desk):
    desk.solve()
    first, second = engine("mine", "02"), engine("mine", "02")
    assert first.Value is not second.Value
    first.lesson("02").toposort = None
    assert gradients(second)
    assert isinstance(first.Value(1.0) + first.Value(2.0), first.Value)
    assert not isinstance(first.Value(1.0), second.Value)


def test_an_engine_stays_as_it_was_when_the_file_changes(desk, right):
    desk.solve()
    mine = engine("mine", "02")
    desk.write(SCALAR, "")
    assert gradients(mine) == right
    assert "reference 0" in repr(mine)


def test_the_reference_looks_at_no_file_of_the_learners(desk, right, monkeypatch, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.rmtree(desk.folder / "exercises")
    monkeypatch.chdir(elsewhere)
    reference = engine("reference", upto="2")
    assert repr(reference) == "yours 0 · reference 10"
    assert {piece.kind for piece in reference.pieces} == {None}
    assert gradients(reference) == right
    with pytest.raises(CourseError, match="no course folder here"):
        engine("mine")


def test_nothing_is_left_in_sys_modules(desk):
    before = set(sys.modules)
    engine("mine", "02")
    assert [name for name in set(sys.modules) - before if name.startswith("lesson_")] == []


# ------------------------------------------------------------------------------------- names and words


def test_an_engine_reaches_as_far_as_it_is_asked_to(desk):
    assert {piece.lesson for piece in engine("mine", "01").pieces} == {"01"}
    assert {piece.lesson for piece in engine("mine").pieces} == {"01", "02", "05", "06", "08", "09", "10"}
    with pytest.raises(AttributeError, match="the engine up to lesson 01 has no 'backward'"):
        engine("mine", "01").backward  # noqa: B018


def test_a_name_is_looked_up_from_the_newest_lesson_back(desk):
    reference = engine("reference")
    assert reference.node is reference.lesson("09").node
    assert reference.lesson("8").node is not reference.node
    with pytest.raises(CourseError, match="this engine has no lesson '03'; it has 01, 02, 05, 06"):
        reference.lesson("03")


def test_an_exercise_stands_before_a_helper_of_that_name_in_a_later_lesson():
    shipped = engine("reference")
    assert "unbroadcast" in vars(shipped.lesson("10"))
    assert shipped.unbroadcast is shipped.lesson("08").unbroadcast
    assert shipped.Value is shipped.lesson("01").Value


def test_an_unknown_name_offers_near_ones(desk):
    with pytest.raises(AttributeError, match=r"has no 'toposrt'; did you mean toposort\?"):
        engine("reference", "02").toposrt  # noqa: B018
    with pytest.raises(AttributeError, match="has no 'zzzzzz'; the exercises are: add, mul, pow"):
        engine("reference", "02").zzzzzz  # noqa: B018
    with pytest.raises(AttributeError) as caught:
        engine("reference", "02").valeu  # noqa: B018
    assert len(caught.value._render_traceback_()) == 1
    assert not hasattr(engine("reference", "02"), "_repr_png_")
    assert {"Value", "toposort", "pieces", "lesson"} <= set(dir(engine("reference", "02")))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mein",), "there is no engine 'mein'; there are 'mine' and 'reference'"),
        (("mine", "99"), "there is no lesson '99'; the lessons are: 00, 01, 02, 05, 06, 08, 09, 10"),
        (("reference", "00"), "lesson '00' has no piece of an engine: the first ones are written in lesson 01"),
    ],
)
def test_an_unknown_word_is_answered_in_one_sentence(desk, words, said):
    with pytest.raises(CourseError) as caught:
        engine(*words)
    assert caught.value._render_traceback_() == [f"CourseError: {said}"]


def test_the_badge_in_spanish_and_as_html(desk):
    desk.write(SCALAR, wrong_source("mul", "mul-own-operand", desk.course))
    mine = engine("mine", "02", lang="es")
    assert repr(mine).splitlines()[0] == "tuyas 5 · de referencia 5"
    bundle = mine._repr_mimebundle_(include=None, exclude=None)
    assert bundle["text/plain"] == repr(mine)
    assert 'class="minitorch-card"' in bundle["text/html"]
    assert "✗ mal" in bundle["text/html"]
    assert str(desk.folder) not in bundle["text/html"]


# --------------------------------------------------------------------------------------------- Tensor


def slope(function, *arrays: np.ndarray) -> list[np.ndarray]:
    """Return the gradients of a scalar function by central differences."""
    found = []
    for array in arrays:
        gradient = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            kept = array[index]
            array[index] = kept + 1e-6
            ahead = function(*arrays)
            array[index] = kept - 1e-6
            gradient[index] = (ahead - function(*arrays)) / 2e-6
            array[index] = kept
        found.append(gradient)
    return found


PROGRAMS = {
    "signs": lambda a, b: ((2.0 - a) * b / 3.0 + a / (b * b) - (-a) + 1.0 * b).sum(),
    "a constant array on the left": lambda a, b: (np.array([[1.0, 2.0, 3.0]]) * a + b).sum(),
    "reduce and index": lambda a, b: (a.max(axis=1, keepdims=True) * b).mean() + a[0, 1] * b[1].sum(),
    "reshape and transpose": lambda a, b: (a.reshape(3, 2).T * b.transpose(0, 1) * a.reshape((2, 3))).sum(),
    "matmul": lambda a, b: (a @ b.T).sum() + (np.ones((1, 2)) @ a).sum(),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_signs_mean_the_engines_own_functions(desk, name):
    program = PROGRAMS[name]
    rng = np.random.default_rng(0)
    arrays = [rng.uniform(0.5, 2.0, (2, 3)), rng.uniform(0.5, 2.0, (2, 3))]
    Tensor = engine("mine").Tensor
    a, b = (Tensor(array, requires_grad=True) for array in arrays)
    out = program(a, b)
    assert type(out) is Tensor
    out.backward()
    expected = slope(lambda *given: float(program(*given)), *arrays)
    for tensor, gradient in zip((a, b), expected, strict=True):
        np.testing.assert_allclose(tensor.grad, gradient, rtol=1e-6, atol=1e-8)


def test_relu_exp_and_log_are_methods(desk):
    Tensor = engine("reference").Tensor
    x = Tensor([-1.0, 2.0], requires_grad=True)
    (x.relu() + x.exp() + (x * x).log()).sum().backward()
    np.testing.assert_allclose(x.grad, [np.exp(-1.0) - 2.0, 1.0 + np.exp(2.0) + 1.0])


def test_signs_come_with_the_lessons_that_teach_them(desk):
    fifth = engine("reference", "05").Tensor
    assert not hasattr(fifth, "__add__")
    sixth = engine("reference", "08").Tensor
    assert hasattr(sixth, "__add__")
    assert not hasattr(sixth, "sum")
    with pytest.raises(TypeError):
        sixth([1.0]) @ sixth([1.0])
    seventh = engine("reference", "09").Tensor
    assert hasattr(seventh, "sum")
    assert not hasattr(seventh, "__matmul__")
    assert sixth.__name__ == sixth.__qualname__ == "Tensor"


def test_a_learners_rule_is_the_one_that_a_sign_uses(desk):
    desk.solve()
    desk.change(
        "lesson_08_broadcast.py",
        (
            "return unbroadcast(g * b, a.shape), unbroadcast(g * a, b.shape)",
            "CALLS.append(1)\n    return unbroadcast(g * b, a.shape), unbroadcast(g * a, b.shape)",
        ),
        ("ONE = np.ones(1)", "CALLS = []"),
    )
    mine = engine("mine")
    assert owners(mine)["mul_vjp"] == "yours"
    x = mine.Tensor([3.0], requires_grad=True)
    (x * x).sum().backward()
    assert mine.CALLS == [1]
    assert x.grad.tolist() == [6.0]


def test_a_tensor_that_the_learner_makes_by_name_has_signs_too(desk):
    desk.solve()
    desk.change(WALK, ("return type(self)(self.data)\n", "return Tensor(self.data)\n"))
    mine = engine("mine")
    assert owners(mine)["detach"] == "yours"
    x = mine.Tensor([1.0, 2.0], requires_grad=True)
    y = x.detach() + x
    assert type(y) is type(x.detach()) is mine.Tensor
    assert mine.lesson("05").Tensor is mine.Tensor


def test_equal_means_the_same_node_with_signs_too(desk):
    mine = engine("mine")
    a, b = mine.Tensor([1.0]), mine.Tensor([1.0])
    assert a == a
    assert a != b
    assert len({a, b}) == 2


# ------------------------------------------------------------------------------------- in the reader's language


def test_the_references_pieces_raise_in_the_readers_language():
    lesson = manifest.load().lesson("21")
    told = {}
    for lang in ("en", "es"):
        (part,) = parts_of([lesson], None, lang)
        with pytest.raises(TypeError) as caught:
            part.module.pretend.exp([1.0])
        told[lang] = str(caught.value)
    assert told["en"] == "the pretend device cannot compute with builtins.list: asarray moves it"
    wanted = statements(lesson, "es")["! the pretend device cannot compute with {0}.{1}: asarray moves it"]
    filled = re.sub(r"{.*?}", "#", wanted)
    assert told["es"] == filled.replace("#", "builtins", 1).replace("#", "list", 1)


@pytest.mark.parametrize("lesson", manifest.load().lessons, ids=lambda lesson: lesson.number)
def test_a_reference_in_another_language_stands_at_the_same_lines(lesson):
    """What is raised takes more words, or fewer; whoever looks at a line finds the same one there."""
    tree = ast.parse(lesson.solution_source())
    told = raising_in(tree, lesson, "es")
    assert [(node.lineno, type(node)) for node in ast.walk(told) if isinstance(node, ast.stmt)] == [
        (node.lineno, type(node)) for node in ast.walk(tree) if isinstance(node, ast.stmt)
    ]
    assert raising_in(tree, lesson, "en") is tree


def test_what_the_learner_raises_stays_as_it_was_written():
    lesson = manifest.load().lesson("21")
    source = lesson.solution_source()
    own = ast.parse(source)
    assert ast.dump(raising_in(own, lesson, "es", behind=len(source.splitlines()))) == ast.dump(own)
    assert ast.dump(raising_in(own, lesson, "es")) != ast.dump(own)
