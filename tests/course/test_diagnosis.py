"""A mistake is named by what the code does, never by how it is written."""

from __future__ import annotations

import dataclasses

import pytest

from minitorch.course.course_error import CourseError
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging import mistakes
from minitorch.course.judging.behaviour import Behaviours
from minitorch.course.judging.checks import load_checks
from minitorch.course.judging.judge import FileJudge, judge_source
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.outcome import Frame, Outcome


def test_every_known_wrong_version_is_caught_and_named(tiny):
    (lesson,) = tiny.lessons
    for one in mistakes.load_mistakes(lesson):
        verdict = judge_source(lesson, mistakes.full_source(lesson, one))[one.exercise]
        assert (verdict.kind, verdict.diagnosis) == (Kind.WRONG, one.id)
        assert verdict.reason == one.text


def test_the_same_mistake_written_another_way_is_named_the_same(judge):
    verdict = judge("import operator\n\ndef double(x):\n    '''other words'''\n    return operator.pow(x, 2.0)\n")[
        "double"
    ]
    assert verdict.diagnosis == "square"
    assert verdict.hint.to("en") == "Multiply by 2."  # the mistake's own hint, not the first one
    assert verdict.finding.to("en") == "the result is wrong"  # what the judge saw is still told


@pytest.mark.parametrize(("hint", "said"), [(1, "What is x + x?"), (2, "Multiply by 2."), (3, None)])
def test_the_last_hint_is_pseudo_code_and_on_no_verdict(make_course, hint, said):
    adds = f'[[mistake]]\nid = "adds"\nhint = {hint}\nen = "a"\nes = "b"\nchange = [["2 * x", "x + 2"]]\n'
    (lesson,) = make_course(double=adds).lessons
    verdict = judge_source(lesson, "def double(x):\n    return x + 2\n")["double"]
    assert verdict.diagnosis == "adds"
    assert (verdict.hint and verdict.hint.to("en")) == said


def test_printing_instead_of_returning_is_told_from_returning_nothing(judge):
    assert judge("def double(x):\n    print(x + x)\n")["double"].diagnosis == "prints"
    assert judge("def double(x):\n    x + x\n")["double"].diagnosis == "silent"


def test_a_print_left_in_for_a_look_changes_no_diagnosis(judge):
    verdict = judge("def double(x):\n    print('x is', x)\n    return x * x\n")["double"]
    assert verdict.diagnosis == "square"
    assert verdict.printed == "x is 3.0\n"


def test_an_unknown_mistake_gets_the_broken_property(judge):
    verdict = judge("def double(x):\n    return 2 * x + 1\n")["double"]
    assert (verdict.kind, verdict.diagnosis, verdict.reason.to("en")) == (Kind.WRONG, None, "the result is wrong")
    assert (verdict.input, verdict.expected, verdict.got) == ("x = 3.0", "6.0", "7.0")


def test_rounding_does_not_hide_a_mistake(judge):
    assert judge("def double(x):\n    return x * x * (1 + 1e-12)\n")["double"].diagnosis == "square"


def test_what_was_seen_is_remembered_on_disk_and_seen_again_when_that_is_spoilt(tiny, tmp_path, monkeypatch):
    (lesson,) = tiny.lessons
    check = load_checks(lesson)["double"]
    squared = LearnerFile.of("def double(x):\n    return x**2\n", lesson.file_name)

    def named():
        with FileJudge(lesson, dataclasses.replace(squared, cache=tmp_path)) as judge:
            return judge.verdict("double").diagnosis

    assert named() == "square"
    path = tmp_path / "double.json"
    with Behaviours.opened(lesson, check, tmp_path) as known:
        assert known.facts("square", 0) is not None
    with monkeypatch.context() as patch:
        patch.setattr(Behaviours, "_run", lambda *_: pytest.fail("a known-wrong version ran"))
        assert named() == "square"
    for spoilt in ("", "{", '{"version": "old", "seen": {}}', '{"version": 1, "seen": [[]]}'):
        path.write_text(spoilt, encoding="utf-8")
        assert named() == "square"


def test_a_version_that_differs_at_once_is_not_run_further(tiny, monkeypatch):
    (lesson,) = tiny.lessons
    ran, run = [], Behaviours._run

    def noted(self, definitions, case):
        ran.extend((name, case) for name in definitions)
        return run(self, definitions, case)

    monkeypatch.setattr(Behaviours, "_run", noted)
    assert judge_source(lesson, "def double(x):\n    x + x\n")["double"].diagnosis == "silent"
    assert ran == [("square", 0), ("prints", 0), ("silent", 0), ("silent", 1), ("silent", 2)]


HANGS = """
[[mistake]]
id = "for-ever"
en = "Your loop never ends."
es = "Tu bucle no termina nunca."
code = '''
def double(x):
    while True:
        pass
'''

[[mistake]]
id = "below-zero"
en = "Below zero your loop never ends."
es = "Bajo cero tu bucle no termina nunca."
code = '''
def double(x):
    y = 0
    while y != 2 * x:
        y = 2 * x if x > 0 else y + 1
    return y
'''

[[mistake]]
id = "exits"
en = "You ended Python."
es = "Terminaste Python."
change = [["return", "__import__('os')._exit(3); return"]]

[[mistake]]
id = "square"
en = "You squared x."
es = "Elevaste x al cuadrado."
change = [["2 * x", "x * x"]]
"""


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("return x ** 2", "square"),
        ("while x < 0: pass\n    return 2 * x", "below-zero"),
        ("import os; os._exit(3)", "exits"),
    ],
)
def test_versions_that_hang_or_end_the_process_keep_no_other_from_being_named(make_course, body, name):
    (lesson,) = make_course(double=HANGS).lessons
    assert judge_source(lesson, f"def double(x):\n    {body}\n")["double"].diagnosis == name


def test_a_hang_alone_names_nothing(make_course):
    (lesson,) = make_course(double=HANGS).lessons
    verdict = judge_source(lesson, "def double(x):\n    while x: pass\n")["double"]
    assert (verdict.kind, verdict.diagnosis) == (Kind.TIMEOUT, None)


def test_a_folder_that_cannot_be_written_to_costs_only_time(tiny, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    file = dataclasses.replace(LearnerFile.of("def double(x):\n    return x**2\n", "x.py"), cache=blocked / "cache")
    with FileJudge(tiny.lessons[0], file) as judge:
        assert judge.verdict("double").diagnosis == "square"


def test_wrong_source_is_the_solution_with_one_definition_replaced(tiny, solution):
    source = mistakes.wrong_source("total", "count", tiny)
    assert source == solution.replace(
        '    def total(self):\n        """Return the sum."""\n        return sum(self.things)\n',
        "    def total(self):\n        return float(len(self.things))\n",
    )
    with pytest.raises(CourseError, match="no known-wrong version called 'nope'"):
        mistakes.wrong_source("total", "nope", tiny)


def test_a_judge_that_stumbles_over_a_value_does_not_pass_it(make_course, tiny):
    text = (tiny.lessons[0].folder / "checks.py").read_text(encoding="utf-8")
    course = make_course(
        checks=text.replace('return same_number(got, 2 * x["x"])', "return None if got - 2 * x['x'] == 0 else 'off'")
    )
    with FileJudge(
        course.lessons[0], LearnerFile.of("def double(x):\n    return 'text'\n", "lesson_01_tiny.py")
    ) as judge:
        verdict = judge.verdict("double")
    assert verdict.kind is Kind.WRONG
    assert "is of type str, and no number or list could be read out of it" in verdict.reason.to("en")


@pytest.mark.parametrize(
    ("error", "one", "other"),
    [
        (
            "AttributeError",
            "'list' object has no attribute 'grad'",
            "'list' object has no attribute 'grad' and no __dict__ for setting new attributes",
        ),
        (
            "ValueError",
            "cannot reshape array of size 6 into shape (3,0)",
            "cannot reshape array of size 6 into shape (3,139754301116734)",
        ),
    ],
)
def test_what_another_python_or_numpy_says_of_the_same_is_the_same_behaviour(error, one, other):
    said = [Outcome("raised", error=error, text=text).mark() for text in (one, other, "another message")]
    assert said[0] == said[1] != said[2]


def test_which_of_two_functions_that_call_each_other_meets_the_limit_first_tells_nothing():
    def said(error, function):
        return Outcome("raised", error=error, text="a text", frames=(Frame(3, function),)).mark(["other"])

    assert said("RecursionError", "mine") == said("RecursionError", "other")
    assert said("ValueError", "mine") != said("ValueError", "other")


# ------------------------------------------------------------------------------------------- two mistakes in one answer

TWO = """
[[mistake]]
id = "square"
en = "You squared x."
es = "Elevaste x al cuadrado."
change = [["2 * x", "x * x"]]

[[mistake]]
id = "one-more"
en = "You added one."
es = "Sumaste uno."
change = [["return", "return 1 +"]]

[[mistake]]
id = "never-below"
en = "Nothing below zero comes out."
es = "No sale nada bajo cero."
code = '''
def double(x):
    return max(2 * x, 0.0)
'''

[[mistake]]
id = "small-as-it-is"
en = "Small numbers come back as they went in."
es = "Los números pequeños vuelven tal cual."
code = '''
def double(x):
    return x if 0 < x < 9 else 2 * x
'''
"""


@pytest.fixture
def named(make_course):
    (lesson,) = make_course(double=TWO).lessons
    return lambda body: judge_source(lesson, f"def double(x):\n{body}")["double"]


def test_two_mistakes_in_one_answer_are_both_named(named):
    verdict = named("    y = x ** 2\n    return y + 1\n")
    assert (verdict.diagnosis, verdict.also) == ("square", "one-more")
    assert verdict.reason.to("en") == "You squared x. And: You added one."


def test_mistakes_that_show_in_different_cases_are_told_apart_by_their_facts(named):
    verdict = named("    return 0.0 if x < 0 else x\n")
    assert {verdict.diagnosis, verdict.also} == {"never-below", "small-as-it-is"}


def test_a_mistake_is_named_beside_an_exception_that_is_told_after_it(named):
    verdict = named("    if x < 0:\n        return x / 0\n    return x * x\n")
    assert verdict.diagnosis == "square"
    assert verdict.reason.to("en").startswith(
        "You squared x. And this is left: this line divides by 0 (`double` raised Zero"
    )


def test_values_decide_and_not_types(named):
    assert named("    import numpy as np\n    return np.float64(x * x)\n").diagnosis == "square"


def test_a_mistake_that_would_spoil_what_is_right_is_not_named(named):
    verdict = named("    return x * x if x == 3.0 else 2 * x\n")
    assert (verdict.diagnosis, verdict.kind) == (None, Kind.WRONG)


def test_exceptions_alone_name_nothing(make_course):
    known = "[[mistake]]\nid = 'cut'\nen = 'You cut.'\nes = 'Cortaste.'\nchange = [['2 * x', '2 / 0 * x']]\n"
    (lesson,) = make_course(double=known).lessons
    for body, name in (("return 2 / 0 * x + 0", "cut"), ("raise ZeroDivisionError('no')", None)):
        assert judge_source(lesson, f"def double(x):\n    {body}\n")["double"].diagnosis == name


def one_of_many(number, change):
    texts = f'en = "Mistake {number}."\nes = "Error {number}."\n'
    return f'[[mistake]]\nid = "mistake-{number}"\n{texts}change = [{list(change)}]\n'


def test_two_mistakes_are_found_among_more_pairs_than_can_be_tried_if_right_cases_rule_the_others_out(make_course):
    many = [one_of_many(number, ("return", f"return {number} +")) for number in range(1, 16)]
    many += [one_of_many(number, ("2 * x", f"{number} * x")) for number in range(16, 31)]
    below = [("return", "return (1 if x > 0 else 5) *"), ("2 * x", "(2 * x + (x < 0))")]
    many += [one_of_many(number, change) for number, change in enumerate(below, 31)]
    (lesson,) = make_course(double="\n".join(many)).lessons
    answer = "def double(x):\n    return 2 * x if x > 0 else 10 * x + 5\n"
    verdict = judge_source(lesson, answer)["double"]
    assert {verdict.diagnosis, verdict.also} == {"mistake-31", "mistake-32"}


REFUSES = """
[[mistake]]
id = "refused"
en = "You refuse negative numbers."
es = "Rechazas los números negativos."
code = '''
def double(x):
    if x < 0:
        raise ValueError("below")
    return 2 * x
'''
"""
ANOTHER = REFUSES.replace("refused", "logarithm").replace("You refuse", "A logarithm refuses").replace("below", "math")


@pytest.mark.parametrize(("known", "name"), [(REFUSES, "refused"), (REFUSES + ANOTHER, None)])
def test_exceptions_name_a_mistake_by_where_they_are_raised_if_only_one_fits(make_course, known, name):
    (lesson,) = make_course(double=known).lessons
    answer = "def double(x):\n    if x < 0:\n        raise ValueError('not mine')\n    return x + x\n"
    assert judge_source(lesson, answer)["double"].diagnosis == name


def test_a_mistake_is_named_with_a_hidden_seed_too(tiny):
    (lesson,) = tiny.lessons
    found = judge_source(lesson, "def double(x):\n    return x**2\n", seed=7)["double"]
    assert found.diagnosis == "square"
