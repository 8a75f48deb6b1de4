"""Reading `mistakes/EXERCISE.toml`: an edit of the solution, or one sentence that says what is wrong with it."""

from __future__ import annotations

import pytest

from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.judging import mistakes
from minitorch.language import Message

SAID = 'id = "a"\nen = "x"\nes = "y"\n'
ONE = f"[[mistake]]\n{SAID}"


def test_an_edit_is_made_in_the_definition_without_docstring_and_comments():
    solution = '''\
    def grid(n):
        """Return n rows: np.ones((n, 2))."""
        # np.ones((n, 2)) is the answer
        return np.ones((n, 2))  # np.ones((n, 2))
    '''
    bare = source_code.bare(solution)
    assert bare == "def grid(n):\n    return np.ones((n, 2))\n"
    assert mistakes.changed(bare, [["np.ones((n, 2))", "np.zeros((n, 2))"]]) == bare.replace("ones", "zeros")


def test_only_docstrings_and_comments_are_set_aside():
    text = (
        'class A:\n    """A."""\n\n    b: int\n\n    def f(self):\n        """F."""\n\n        return "# no comment"\n'
    )
    assert source_code.bare(text) == 'class A:\n    b: int\n\n    def f(self):\n        return "# no comment"\n'


def test_edits_are_made_all_at_once():
    assert mistakes.changed("a = b + c\n", [["b", "c"], ["c", "b"]]) == "a = c + b\n"


def test_versions_of_one_mistake_share_what_is_said_of_it(make_course):
    text = f"""
[[mistake]]
hint = 2
{SAID}change = [["2 * x", "x"]]

[[mistake.version]]
id = "b"
change = [["2 * x", "x + x + x"]]

[[mistake]]
id = "c"
en = "z"
es = "z"
change = [["return ", ""]]
"""
    (lesson,) = make_course(double=text).lessons
    found = {one.id: one for one in mistakes.load_mistakes(lesson) if one.exercise == "double"}
    assert list(found) == ["a", "b", "c"]
    shared = (Message.of({"en": "x", "es": "y"}), 2)
    assert (found["a"].text, found["a"].hint) == (found["b"].text, found["b"].hint) == shared
    assert found["b"].source == "def double(x):\n    return x + x + x\n"
    assert (found["c"].text.to("en"), found["c"].hint) == ("z", 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ONE + 'change = [["3 * x", "x"]]', "line 1, mistake 'a': '3 * x' does not occur in the solution's definition"),
        ("\n" + ONE + 'change = [["x", "y"]]', "line 2, mistake 'a': 'x' occurs 2 times, not once, in the solution's"),
        (ONE + 'change = [["return 2", ""], ["2 * x", "x"]]', "'return 2' and '2 * x' overlap"),
        (ONE + 'change = [["2 * x", "(2 * x)"]]', "mistake 'a': it changes nothing"),
        (ONE + 'change = [["2 * x", "2 *"]]', "mistake 'a': what comes of it is no Python: invalid syntax"),
        (ONE + 'change = [["double", "twice"]]', "must define 'double' and nothing else"),
        (ONE + 'code = "y = 2"', "must define 'double' and nothing else"),
        (ONE + "code = 2", "'code' must be a text"),
        (ONE + 'change = ["2 * x", "x"]', "'change' must be pairs of texts"),
        (ONE + "change = []", "'change' must be pairs of texts"),
        (ONE, "it needs either 'change' or 'code'"),
        (ONE + 'change = [["2", "3"]]\ncode = "x"', "it needs either 'change' or 'code'"),
        (ONE + 'change = [["2", "3"]]\nhints = 1', "'hints' is not a word that is known here"),
        (ONE + 'change = [["2", "3"]]\nhint = 4', "'hint' must be a number from 1 to 3, not 4"),
        (ONE + 'change = [["2", "3"]]\nhint = true', "'hint' must be a number from 1 to 3, not True"),
        (ONE + 'change = [["2", "3"]]\nversion = 1', "'version' must be tables: "),
        ('[[mistake]]\nid = "a"\nen = "x"\nchange = [["2", "3"]]', "mistake 'a': 'es' must be a text, and is missing"),
        ('[[mistake]]\nid = "a"\nen = 1\nes = "y"\nchange = [["2", "3"]]', "'en' must be a text, and is 1"),
        ('[[mistake]]\nen = "x"\nes = "y"\nchange = [["2", "3"]]', "mistake None: 'id' must be a text, and is missing"),
        (f"{ONE}change = [['2', '3']]\n[[mistake.version]]\nid = 'b'\nen = 'z'", "line 6, mistake 'b': 'en' is not a"),
        (f"{ONE}code = '''\ndef double(x):\n    return [\n[[mistake]]\n]\n'''\n{ONE}", "line 11, mistake 'a': it "),
        (f"{ONE}change = [['2', '3']]\n" * 2, "line 6, mistake 'a': another one of this exercise has the same id"),
        ("[[mistakes]]", "double.toml must hold nothing but"),
        ("mistake = 1", "double.toml must hold nothing but"),
        ("[[mistake]", "double.toml is no TOML: "),
    ],
)
def test_a_faulty_file_is_refused_in_one_sentence_with_file_mistake_and_line(make_course, text, said):
    (lesson,) = make_course(double=text).lessons
    with pytest.raises(CourseError) as refused:
        mistakes.load_mistakes(lesson)
    assert said in str(refused.value)
    assert str(refused.value).startswith("lesson_01_tiny/mistakes/double.toml")
    assert "\n" not in str(refused.value)


def test_a_file_for_an_exercise_that_there_is_not_is_refused(tiny):
    (lesson,) = tiny.lessons
    (lesson.folder / "mistakes" / "nothing.toml").write_text(ONE)
    with pytest.raises(CourseError, match=r"mistakes/nothing\.toml: lesson 01 has no exercise 'nothing'"):
        mistakes.load_mistakes(lesson)
