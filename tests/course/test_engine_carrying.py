"""What one lesson asks for and a later one gives is one and the same in `engine("mine")`."""

from __future__ import annotations

import ast

import pytest
from engine_desk import TENSOR, WALK

from minitorch.course import engine, manifest
from minitorch.course.mine import carrying
from minitorch.course.mine.assembled import assemble

SOLVED = pytest.mark.parametrize("solved", [False, True], ids=["stubs", "solved"])


@SOLVED
def test_a_class_of_two_lessons_is_one_class_with_one_switch(desk, solved):
    if solved:
        desk.solve()
    mine = engine("mine", "06")
    fifth, sixth = mine.lesson("05"), mine.lesson("06")
    assert mine.Tensor is fifth.Tensor is sixth.Tensor
    assert fifth.Compared is sixth.Compared
    assert fifth.wants_grad is sixth.wants_grad
    assert fifth.GRAD_ENABLED is sixth.GRAD_ENABLED
    x = mine.Tensor([2.0], requires_grad=True)
    with mine.no_grad():
        assert not fifth.wants_grad((x,))
        assert x.result(x.data, (x,), "")._prev == ()
    assert fifth.wants_grad((x,))
    x.backward()
    assert x.grad.tolist() == [1.0]


def test_every_method_comes_from_the_lesson_that_asks_for_it(desk):
    desk.solve()
    Tensor = engine("mine", "06").Tensor
    files = {name: getattr(Tensor, name).__code__.co_filename for name in ("__init__", "accumulate", "backward")}
    assert files == {
        "__init__": str(desk.path(TENSOR)),
        "accumulate": str(desk.path(TENSOR)),
        "backward": str(desk.path(WALK)),
    }


def test_a_method_that_the_learner_writes_differently_is_the_one_that_runs(desk):
    """The file of lesson 06 gives the method as the solution has it; what runs is the learner's of lesson 05."""
    desk.solve()
    desk.change(TENSOR, ("if self.requires_grad:", "if CALLS.append(1) or self.requires_grad:"))
    desk.write(TENSOR, desk.read(TENSOR) + "\n\nCALLS = []\n")
    mine = engine("mine", "06")
    assert mine.owner("accumulate") == "yours"
    mine.Tensor([1.0], requires_grad=True).accumulate([2.0])
    assert mine.CALLS == [1]
    assert "what was given is used" not in repr(mine)


def test_a_given_definition_that_is_changed_in_the_later_file_is_not_said_to_be_used(desk):
    desk.solve()
    desk.change(WALK, ("return self is other", "return other is self"))
    assert "what was given is used" not in repr(engine("mine", "06"))


def test_a_piece_that_has_not_passed_comes_from_the_reference_in_both_lessons(desk):
    desk.solve()
    desk.change(TENSOR, ("self.grad + gradient", "gradient"))
    mine = engine("mine", "06")
    assert mine.owner("accumulate") == "reference"
    x = mine.Tensor([1.0], requires_grad=True)
    x.accumulate([2.0])
    x.accumulate([3.0])
    assert x.grad.tolist() == [5.0]
    assert mine.Tensor.backward.__code__.co_filename == str(desk.path(WALK))


def test_with_even_wrong_a_wrong_piece_is_carried_too(desk):
    desk.solve()
    desk.change(TENSOR, ("self.grad + gradient", "gradient"))
    play = engine("mine", "06", even_wrong=True)
    x = play.Tensor([1.0], requires_grad=True)
    x.accumulate([2.0])
    x.accumulate([3.0])
    assert x.grad.tolist() == [3.0]
    assert play.lesson("06").Tensor.accumulate is play.lesson("05").Tensor.accumulate


def test_signs_are_given_to_the_one_class(desk):
    mine = engine("reference", "08")
    assert mine.Tensor is mine.lesson("05").Tensor is mine.lesson("06").Tensor
    x = mine.Tensor([3.0], requires_grad=True)
    y = x * x
    assert type(y) is mine.Tensor
    y.backward()
    assert x.grad.tolist() == [6.0]


def test_a_function_that_a_later_lesson_gives_is_the_earlier_ones():
    shipped = engine("reference")
    assert shipped.lesson("10").unbroadcast is shipped.lesson("08").unbroadcast


def test_what_is_taken_over_is_read_off_the_lessons(desk):
    lessons = {lesson.number: lesson for lesson in desk.course.lessons}
    before = tuple(lessons[number] for number in ("01", "02", "05"))
    carried = carrying.between(lessons["06"], before)
    assert set(carried.homes) == {"Compared", "wants_grad", "Tensor", "GRAD_ENABLED"}
    assert carried.methods == {"Tensor": frozenset({"__init__", "accumulate"})}
    assert carried.holds("Tensor.accumulate")
    assert not carried.holds("Tensor.backward")
    assert not carried.holds("Tensor.result")


def arguments(lesson: manifest.Lesson, name: str) -> list[str] | None:
    """Return the names of a function's arguments in a lesson's solution; None for a class."""
    tree = ast.parse(lesson.solution_source())
    found = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name]
    return [each.arg for each in found[0].args.args] if found else None


def test_what_bears_an_earlier_exercises_name_takes_the_same_arguments():
    """What means something else needs another name: in an engine it would be the earlier exercise."""
    course = manifest.load()
    lessons = [lesson for lesson in course.lessons if lesson.engine]
    compared = 0
    for at, lesson in enumerate(lessons):
        for name, home in carrying.between(lesson, tuple(lessons[:at])).homes.items():
            assert arguments(lesson, name) == arguments(course.lesson(home), name), f"{name} of lesson {lesson.number}"
            compared += 1
    assert compared


TWICE = """
number = "{number}"
order = {number}0
slug = "twice"
minutes = 5
prerequisites = []
title = {{ en = "Twice", es = "Doble" }}
summary = {{ en = "One function.", es = "Una función." }}
[[exercise]]
name = "{name}"
target = "train_step"
checks = 1
asks = {{ en = "Write it.", es = "Escríbelo." }}
hint = [{{ en = "Think.", es = "Piensa." }}]
"""


def test_two_lessons_may_ask_for_functions_of_one_name_under_two_exercise_names(tmp_path):
    """Each lesson keeps its own, and the engine's is the later one."""
    (tmp_path / "solutions").mkdir()
    for number, name in (("1", "train_step"), ("2", "train_step_tensors")):
        folder = tmp_path / "lessons" / f"lesson_0{number}_twice"
        folder.mkdir(parents=True)
        text = TWICE.format(number=f"0{number}", name=name).replace(f"order = 0{number}0", f"order = {number}0")
        (folder / "lesson.toml").write_text(text, encoding="utf-8")
        source = f"def train_step():\n    return {number}\n"
        (tmp_path / "solutions" / f"lesson_0{number}_twice.py").write_text(source, encoding="utf-8")
    course = manifest.load(tmp_path / "lessons", tmp_path / "solutions")
    made = assemble("reference", None, course, lambda: pytest.fail("no folder is needed"), "en")
    assert made.train_step() == made.lesson("02").train_step() == 2
    assert made.lesson("01").train_step() == 1
    assert {piece.name for piece in made.pieces} == {"train_step", "train_step_tensors"}
