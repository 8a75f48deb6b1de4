"""The table of known mistakes that a wheel or a hand-out carries: a diagnosis needs no solution and runs nothing."""

from __future__ import annotations

import json
import shutil

import pytest

from minitorch.course import manifest
from minitorch.course.cards import hints
from minitorch.course.judging import behaviour, checks, known_mistakes
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.runner import Runner

TABLE = "lessons/lesson_01_tiny/known_mistakes.json"
SQUARED = "import operator\n\ndef double(x):\n    return operator.pow(x, 2.0)\n"


@pytest.fixture
def carried(tiny, tmp_path, monkeypatch):
    """Lay the tiny course out as a wheel does, with its table, with some files left out or changed."""
    (lesson,) = tiny.lessons
    table = behaviour.shipped(lesson, checks.load_checks(lesson))

    def lay_out(*, without=(), also=None):
        root = tmp_path / f"carried-{len(list(tmp_path.iterdir()))}"
        shutil.copytree(lesson.folder.parents[1], root)
        course = manifest.load(root / "lessons", root / "solutions")
        (copy,) = course.lessons
        copy.known_mistakes.write_bytes(table)
        if "solution" in without:
            copy.solution.unlink()
        if "mistakes" in without:
            shutil.rmtree(copy.folder / "mistakes")
        for name, text in (also or {}).items():
            (root / name).write_text(text, encoding="utf-8")
        return course

    return lay_out


@pytest.fixture
def nothing_runs(monkeypatch):
    """Let no known-wrong version run."""

    def run(*_):
        raise AssertionError("a known-wrong version ran")

    monkeypatch.setattr(behaviour.Behaviours, "_run", run)


@pytest.mark.parametrize("without", [(), ("solution",), ("mistakes",), ("solution", "mistakes")])
def test_a_mistake_is_named_from_the_table(carried, nothing_runs, without):
    course = carried(without=without)
    verdict = judge_source(course.lessons[0], SQUARED)["double"]
    assert (verdict.kind, verdict.diagnosis) == (Kind.WRONG, "square")
    assert (verdict.reason.to("en"), verdict.reason.to("es")) == ("You squared x.", "Elevaste x al cuadrado.")
    assert verdict.hint.to("en") == "Multiply by 2."
    assert hints.pointed(course.exercise("double"), verdict) == 2


def test_the_solution_is_not_read(carried, nothing_runs):
    course = carried(also={"solutions/lesson_01_tiny.py": "def ("})
    assert judge_source(course.lessons[0], SQUARED)["double"].diagnosis == "square"


def test_a_table_of_other_checks_counts_as_none(carried):
    (lesson,) = carried().lessons
    text = (lesson.folder / "checks.py").read_text(encoding="utf-8").replace('"x": 3.0', '"x": 5.0')
    course = carried(also={"lessons/lesson_01_tiny/checks.py": text})
    assert known_mistakes.read(lesson) is not None
    assert known_mistakes.read(course.lessons[0]) is None
    assert judge_source(course.lessons[0], SQUARED)["double"].diagnosis == "square"  # made anew, of the solution


def test_without_a_fitting_table_and_without_a_solution_the_broken_property_is_told(carried, nothing_runs):
    course = carried(without=["solution"], also={TABLE: "{}"})
    verdict = judge_source(course.lessons[0], SQUARED)["double"]
    assert (verdict.kind, verdict.diagnosis, verdict.reason.to("en")) == (Kind.WRONG, None, "the result is wrong")


def test_a_table_of_other_mistakes_counts_as_none(carried):
    (lesson,) = carried().lessons
    text = (lesson.folder / "mistakes" / "double.toml").read_text(encoding="utf-8").replace("You squared x", "Twice is")
    course = carried(also={"lessons/lesson_01_tiny/mistakes/double.toml": text})
    assert judge_source(course.lessons[0], SQUARED)["double"].reason.to("en") == "Twice is."


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: "",
        lambda data: "[" * 100_000,
        lambda data: "[]",
        lambda data: json.dumps(data | {"format": 1}),
        lambda data: json.dumps(data | {"exercises": {}}),
        lambda data: json.dumps(data | {"exercises": 1}),
        lambda data: json.dumps(data | {"exercises": {name: {"mistakes": {"a": 1}} for name in data["exercises"]}}),
    ],
)
def test_a_spoilt_table_counts_as_none(carried, spoil):
    (lesson,) = carried().lessons
    text = spoil(json.loads(lesson.known_mistakes.read_bytes()))
    course = carried(also={TABLE: text})
    assert known_mistakes.read(course.lessons[0]) is None


def test_another_table_or_other_mistakes_make_another_version_of_the_checks_and_the_solution_does_not(carried):
    kinds = [{}, {"without": ["solution"]}, {"without": ["mistakes"]}, {"also": {TABLE: ""}}]
    versions = [checks.lesson_version(carried(**kind).lessons[0]) for kind in kinds]
    assert versions[0] == versions[1]
    assert len(set(versions)) == 3


ENDLESS = "def double(x):\n    while True:\n        {inside}\n"


@pytest.mark.parametrize(
    ("inside", "found"),
    [("pass", {1: "timeout"}), ("print('on and on ' * 9)", {})],
    ids=["in silence", "printing without end"],
)
def test_of_several_versions_the_one_that_hangs_is_told_if_it_is_certain(tiny, inside, found):
    lesson = tiny.lessons[0]
    check = checks.load_checks(lesson)["double"]
    right = "def double(x):\n    return 2 * x\n"
    with Runner(lesson.solution_source(), lesson.file_name) as runner:
        seen = runner.many(
            check, check.cases(checks.PUBLIC_SEED)[0], [right, ENDLESS.format(inside=inside), right], 1.0
        )
    assert {place: outcome.kind for place, outcome in seen.items()} == found


def test_a_version_that_ran_out_of_time_is_not_remembered(tiny, tmp_path):
    lesson = tiny.lessons[0]
    check = checks.load_checks(lesson)["double"]
    with behaviour.Behaviours.opened(lesson, check, tmp_path) as known:
        first, second = known.names()[:2]
        known.look([first, second], 0)
        known._hung[first] = {0}
    again = behaviour.Behaviours(lesson, check, tmp_path)
    assert 0 not in again._seen.get(first, {})
    assert 0 in again._seen[second]


LEAVES = """def double(x):
    import operator

    seen, operator.left = getattr(operator, "left", 0), 1
    return seen
"""


def test_one_process_makes_those_that_run_versions_of_several_exercises_and_each_begins_anew(tiny):
    lesson = tiny.lessons[0]
    check = checks.load_checks(lesson)["double"]
    case = check.cases(checks.PUBLIC_SEED)[0]
    with behaviour.for_versions() as runner:

        def left(*, names: int = 2) -> list[object]:
            seen = runner.many(check, case, [LEAVES] * names, 1.0, within=(lesson.solution_source(), lesson.file_name))
            return [seen[at].value for at in range(names)]

        assert left() == [0, 1]
        loaded = runner._origin
        runner.rest()
        assert left() == [0, 1]
        assert runner._origin is loaded


def test_a_version_that_hangs_is_known_by_its_line_whoever_runs_it(tiny):
    lesson = tiny.lessons[0]
    check = checks.load_checks(lesson)["double"]
    case, hangs = check.cases(checks.PUBLIC_SEED)[0], ENDLESS.format(inside="pass")
    with behaviour.for_versions() as runner:
        seen = runner.many(check, case, [hangs], 0.5, within=(lesson.solution_source(), lesson.file_name))
    assert (seen[0].kind, seen[0].place.function) == ("timeout", "double")
