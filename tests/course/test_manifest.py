"""The manifest is the only list of lessons, and stubs are derived from the solutions."""

from __future__ import annotations

import ast

import pytest

from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.files.stubs import stub_source, write_stubs
from minitorch.course.judging.checks import load_checks


def test_a_lesson_knows_its_files(tiny):
    (lesson,) = tiny.lessons
    assert lesson.file_name == "lesson_01_tiny.py"
    assert lesson.notebook_name == "01_tiny.ipynb"
    assert [exercise.target for exercise in lesson.exercises] == ["double", "grid", "Box.total"]


@pytest.mark.parametrize("word", ["01", "1", "tiny", "lesson_01_tiny", "exercises/lesson_01_tiny.py", "01_tiny.ipynb"])
def test_a_lesson_is_found_by_any_of_its_names(tiny, word):
    assert len(tiny.select([word])) == 3


def test_exercises_are_selected_once_and_in_order(tiny):
    assert [exercise.name for exercise in tiny.select(["total", "double", "total"])] == ["double", "total"]


def test_an_unknown_name_offers_the_nearest(tiny):
    with pytest.raises(CourseError, match=r"no exercise or lesson 'duble'; did you mean double\?"):
        tiny.select(["duble"])
    with pytest.raises(CourseError, match="`minitorch status` lists the lessons"):
        tiny.exercise("zzz")
    with pytest.raises(CourseError, match="no lesson '99'"):
        tiny.lesson("99")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('target = "double"\n', "", "KeyError: 'target'"),
        ("checks = 3", "checks = 0", "would always pass"),
        ('name = "grid"', 'name = "double"', "used twice in the course: double"),
        ('slug = "tiny"', 'slug = "other"', "folder and file must agree"),
        ("prerequisites = []", 'prerequisites = ["09"]', "does not come before it"),
        ('name = "grid"', 'name = "Grid!"', "lower case"),
        ("checks = 3", 'checks = 3\nneeds = ["grid"]', "double needs an exercise that does not come before it"),
        ("minutes = 5", "minutes = = 5", "TOMLDecodeError"),
        ("minutes = 5", "minutes = 5\nedition = 3", "the edition must be 1 or 2"),
        ("minutes = 5", "minutes = 5\nedition = 2", "exactly one exercise has transfer"),
        ("checks = 3", "checks = 3\nminutes = 15", "double: an exercise takes 8 to 12 minutes, not 15"),
        ("checks = 3", "checks = 3\ntransfer = true", "double: a transfer exercise is not required"),
        (
            'target = "double"\nchecks = 3',
            'target = "double"\nrequired = false\nchecks = 3',
            "grid is required and needs one that is not: double",
        ),
    ],
)
def test_a_faulty_manifest_is_refused(make_course, tiny, old, new, said):
    text = (tiny.lessons[0].folder / "lesson.toml").read_text(encoding="utf-8")
    if "needs one that is not" in said:
        text = text.replace("checks = 2", 'checks = 2\nneeds = ["double"]', 1)
    assert old in text
    with pytest.raises(CourseError, match=said):
        make_course(lesson=text.replace(old, new, 1))


SECOND_EDITION = """
[[exercise]]
name = "{name}"
target = "double"
required = {required}
transfer = {transfer}
checks = 3
asks = {{ en = "Return twice x.", es = "Devuelve el doble de x." }}
"""


def test_a_lesson_of_the_second_edition_says_what_is_required_and_what_is_more(make_course, tiny):
    text = (tiny.lessons[0].folder / "lesson.toml").read_text(encoding="utf-8")
    text = text.replace("minutes = 5", "minutes = 85\nmore = 35\nedition = 2", 1)
    course = make_course(lesson=text + SECOND_EDITION.format(name="on_your_own", required="false", transfer="true"))
    (lesson,) = course.lessons
    assert [each.name for each in lesson.required] == ["double", "grid", "total"]
    assert [each.name for each in lesson.exercises if each.transfer] == ["on_your_own"]
    assert (course.minutes, course.more) == (85, 35)
    assert {each.minutes for each in lesson.exercises} == {10}


def test_a_lesson_of_the_second_edition_requires_four_exercises_at_most(make_course, tiny):
    text = (tiny.lessons[0].folder / "lesson.toml").read_text(encoding="utf-8")
    text = text.replace("minutes = 5", "minutes = 85\nedition = 2", 1)
    text += SECOND_EDITION.format(name="on_your_own", required="false", transfer="true")
    for name in ("fourth", "fifth"):
        text += SECOND_EDITION.format(name=name, required="true", transfer="false")
    with pytest.raises(CourseError, match="5 exercises are required, and 4 are the most"):
        make_course(lesson=text)


def test_checks_and_manifest_must_name_the_same_exercises(make_course, tiny):
    text = (tiny.lessons[0].folder / "checks.py").read_text(encoding="utf-8")
    course = make_course(checks=text.replace('@exercise("grid"', '@exercise("gird"'))
    with pytest.raises(CourseError, match="do not name the same exercises: gird, grid"):
        load_checks(course.lessons[0])


def test_a_stub_keeps_everything_but_the_answers(tiny, solution):
    stub = stub_source(tiny.lessons[0])
    assert stub.count("raise NotImplementedError") == 3
    assert '"""Return n rows of two ones."""' in stub
    assert "self.things = things" in stub  # given, not asked for
    for answer in ("2 * x", "np.ones", "part of the answer", "sum(self.things)"):
        assert answer in solution
        assert answer not in stub
    ast.parse(stub)


def test_write_stubs_never_overwrites(tiny, course_folder):
    path = course_folder / "exercises" / "lesson_01_tiny.py"
    path.write_text("mine", encoding="utf-8")
    assert write_stubs(course_folder / "exercises", tiny) == []
    assert path.read_text(encoding="utf-8") == "mine"


def test_in_a_class_every_method_is_emptied():
    head = 'class A:\n    """Doc."""\n    size = 3\n\n    def f(self):\n        """F."""\n'
    source = head + "        return 1\n\n    def g(self):\n        # why\n        return 2\n"
    assert source_code.empty_targets(source, ["A"]) == (
        head + "        raise NotImplementedError\n\n    def g(self):\n        raise NotImplementedError\n"
    )


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f(): return 1\n", "must start on a line of its own"),
        ('def f():\n    """Only words."""\n', "nothing to take out"),
        ("def g():\n    return 1\n", "not defined in the solution"),
    ],
)
def test_a_solution_that_makes_no_stub_is_refused(source, said):
    with pytest.raises(CourseError, match=said):
        source_code.empty_targets(source, ["f"])


def test_replacing_one_definition_leaves_the_rest_byte_for_byte():
    source = "# top\r\n@decorated\r\ndef f(x):\r\n    return 1\r\n\r\n"
    source += "class A:\r\n    def f(self):\r\n        return 2  # ok\r\n"
    replaced = source_code.replace(source, "A.f", "def f(self):\n    return 3\n")
    assert replaced == source.replace(
        "    def f(self):\r\n        return 2  # ok\r\n", "    def f(self):\r\n        return 3\r\n"
    )
    assert source_code.text_of(source, "f") == "@decorated\r\ndef f(x):\r\n    return 1\r\n"


def test_replacing_counts_lines_as_python_does():
    source = "x = 1\n\f\n# \u2028\n\ndef f():\n    return 1\n\ny = 2\n"
    replaced = source_code.replace(source, "f", "def f():\n    return 2\n")
    assert replaced == source.replace("return 1", "return 2")


def test_of_two_definitions_the_last_one_counts():
    source = "def f():\n    return 1\n\ndef f():\n    return 2\n"
    assert source_code.find(source, "f").first == 4


def test_a_definition_is_found_in_a_file_that_does_not_parse():
    source = "class A:\n    @wrap\n    def f(self:\n        return (\n\n    def g(self):\n        return 2\n"
    span = source_code.guess_span(source, "A.f")
    assert span is None or span.first == 2
    broken = "class A:\n    @wrap\n    def f(self):\n        return (\n\n    def g(self):\n        return 2\n"
    assert (source_code.guess_span(broken, "A.f").first, source_code.guess_span(broken, "A.f").last) == (2, 4)
    assert source_code.guess_span(broken, "A.h") is None
