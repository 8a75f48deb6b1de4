"""A mistake is named by what the code does, never by how it is written."""

from __future__ import annotations

import json

import pytest

from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging import diagnosis, mistakes
from minitorch.course.judging.checks import load_checks
from minitorch.course.judging.judge import FileJudge, judge_source
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.texts.text import CourseError


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
    assert verdict.hint.en == "Multiply by 2."  # the mistake's own hint, not the first one
    assert verdict.finding.en == "the result is wrong"  # what the judge saw is still told


def test_printing_instead_of_returning_is_told_from_returning_nothing(judge):
    assert judge("def double(x):\n    print(x + x)\n")["double"].diagnosis == "prints"
    assert judge("def double(x):\n    x + x\n")["double"].diagnosis == "silent"


def test_a_print_left_in_for_a_look_changes_no_diagnosis(judge):
    verdict = judge("def double(x):\n    print('x is', x)\n    return x * x\n")["double"]
    assert verdict.diagnosis == "square"
    assert verdict.printed == "x is 3.0\n"


def test_an_unknown_mistake_gets_the_broken_property(judge):
    verdict = judge("def double(x):\n    return 2 * x + 1\n")["double"]
    assert (verdict.kind, verdict.diagnosis, verdict.reason.en) == (Kind.WRONG, None, "the result is wrong")
    assert (verdict.input, verdict.expected, verdict.got) == ("x = 3.0", "6.0", "7.0")


def test_rounding_does_not_hide_a_mistake(judge):
    assert judge("def double(x):\n    return x * x * (1 + 1e-12)\n")["double"].diagnosis == "square"


def test_fingerprints_are_remembered_on_disk_and_made_again_when_they_are_spoilt(tiny, tmp_path, monkeypatch):
    (lesson,) = tiny.lessons
    check = load_checks(lesson)["double"]
    diagnosis._remembered.cache_clear()
    table = diagnosis.fingerprints(lesson, check, tmp_path)
    path = tmp_path / "double.json"
    assert json.loads(path.read_text(encoding="utf-8"))["fingerprints"] == table
    assert sorted(table.values()) == ["prints", "silent", "square"]

    def no_child(*_):
        raise AssertionError("a child was started")

    diagnosis._remembered.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(diagnosis, "observe", no_child)
        assert diagnosis.fingerprints(lesson, check, tmp_path) == table
    for spoilt in ("", "{", '{"version": "old", "fingerprints": {}}'):
        path.write_text(spoilt, encoding="utf-8")
        diagnosis._remembered.cache_clear()
        assert diagnosis.fingerprints(lesson, check, tmp_path) == table


def test_a_folder_that_cannot_be_written_to_costs_only_time(tiny, tmp_path, monkeypatch):
    diagnosis._remembered.cache_clear()
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    assert diagnosis.fingerprints(tiny.lessons[0], load_checks(tiny.lessons[0])["double"], blocked / "cache")


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
    assert "is of type str, and no number or list could be read out of it" in verdict.reason.en


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
