"""What a check may have besides the learner's value: what was printed, and code of its own beside the learner's."""

import pytest

from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.checks import load_checks
from minitorch.course.judging.judge import FileJudge, judge_source
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.in_process import InProcess

CHECKS = """
from minitorch.course.judging.checks import Wrong, exercise


@exercise("double")
class Double:
    def inputs(self, rng):
        return [1.0, 2.0, 3.0]

    def given(function, times):
        def again(x):
            for _ in range(times):
                x = function(x)
            return x

        return again

    def observe(learner, x, given):
        return given(learner.double, 3)(x)

    def judge(self, x, got):
        return None if got == 8 * x else "not doubled three times"


@exercise("grid")
class Grid:
    def inputs(self, rng):
        return [1, 3]

    def observe(learner, x):
        return learner.grid(x)

    def judge(self, x, got, printed):
        return Wrong(f"printed {printed!r}") if got is None else None


@exercise("total")
class Total:
    def inputs(self, rng):
        return [1, 2]

    def observe(learner, x):
        return learner.Box([x]).total()

    def judge(self, x, got):
        return None
"""


@pytest.fixture
def lesson(make_course):
    course = make_course(checks=CHECKS)
    for name in ("double", "total"):
        (course.lessons[0].folder / "mistakes" / f"{name}.toml").unlink()
    return course.lessons[0]


def test_given_code_runs_with_the_learners_functions(lesson, solution):
    assert judge_source(lesson, solution)["double"].kind is Kind.PASSED
    wrong = judge_source(lesson, solution.replace("2 * x", "x * x"))["double"]
    assert wrong.reason.to("en") == "not doubled three times"


def test_given_code_is_handed_over_in_process_too(lesson, solution):
    file = LearnerFile.of(solution, lesson.file_name)
    with FileJudge(lesson, file, runs=InProcess(lesson, file)) as judge:
        assert judge.verdict("double").kind is Kind.PASSED


def test_a_judge_that_asks_for_it_is_told_what_was_printed(lesson):
    verdict = judge_source(lesson, "def grid(n):\n    print('n is', n)\n")["grid"]
    assert verdict.reason.to("en") == "printed 'n is 1\\n'"
    assert verdict.printed == "n is 1\n"


def test_only_a_judge_that_names_it_gets_the_prints(lesson):
    assert {name: check.reads_prints for name, check in load_checks(lesson).items()} == {
        "double": False,
        "grid": True,
        "total": False,
    }
