"""The learner's code in this very process, for a browser: what hangs is named, what is changed is put back."""

from __future__ import annotations

import sys
import textwrap
import warnings

import numpy as np
import pytest
from bare_python import said_by
from both_ways import FILE, check

from minitorch.course import check as check_in_a_notebook
from minitorch.course import manifest
from minitorch.course.cards.check_button import CheckButton
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.checks import is_cut, load_checks
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.deadline import TOOLS, Deadline, TimeIsUp
from minitorch.course.sandbox.inside import ROOM, InsideRunner
from minitorch.course.sandbox.limits import Limits
from minitorch.course.sandbox.platforms import Platform, runner_for
from minitorch.course.sandbox.runner import Runner

monitored = pytest.mark.skipif(sys.version_info < (3, 12), reason="Python ends tracing with a tracer's exception")
SAME = "return learner.same(x)"


@pytest.fixture
def browser(monkeypatch):
    monkeypatch.setenv("MINITORCH_BROWSER", "1")


def outcome(source, x=1.0, body=SAME, limit_s=0.3):
    """What one call of a file comes to."""
    return InsideRunner(textwrap.dedent(source), FILE, Limits()).call(check(body, limit_s), x)


def test_the_platform_decides(monkeypatch):
    monkeypatch.delenv("MINITORCH_BROWSER", raising=False)
    assert Platform.here() == Platform(processes=True, deepest=None)
    assert type(runner_for("", FILE)) is Runner
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert Platform.here() == Platform(processes=False, deepest=1000)
    assert type(runner_for("", FILE)) is InsideRunner


def test_a_value_comes_back_as_from_a_child_and_is_a_copy():
    x = np.arange(3.0)
    told = outcome("def same(x):\n    x += 1\n    return x, 3, object()\n", x)
    assert (told.kind, told.value[0].tolist(), told.value[1]) == ("value", [1.0, 2.0, 3.0], 3)
    assert told.value[2].type_name == "object"
    assert x.tolist() == [0.0, 1.0, 2.0]


CATCHES = """
def same(x):
    while True:
        try:
            x += 1
        except Exception:
            pass
"""
CALLED = """
import heapq
class Item:
    def __lt__(self, other):
        while True: pass

def same(x):
    return heapq.nsmallest(2, [Item(), Item(), Item()])
"""
LOOPS = {
    "a loop": ("def same(x):\n    y = 0\n    while True:\n        y += 1\n", {3, 4}, "same"),
    "on one line": ("def same(x):\n    while True: pass\n", {2}, "same"),
    "a generator": (
        "import itertools\ndef same(x):\n    return sum(\n        0 for _ in itertools.count()\n    )\n",
        {3, 4},
        "same.<locals>.<genexpr>",
    ),
    "in a helper": ("def help(x):\n    while x:\n        x = x\n\ndef same(x):\n    return help(x)\n", {2, 3}, "help"),
    "called by a library": (CALLED, {5}, "Item.__lt__"),
    "in a library": (
        "import heapq, itertools\ndef same(x):\n    return list(heapq.merge(itertools.count(), [1]))\n",
        {3},
        "same",
    ),
    "Exception caught": (CATCHES, {3, 4, 5}, "same"),
}


@pytest.mark.parametrize("name", LOOPS)
def test_an_endless_loop_is_ended_and_its_line_named(name):
    source, lines, function = LOOPS[name]
    told = outcome(source)
    assert (told.kind, told.limit_s) == ("timeout", 0.3)
    assert told.place.line in lines
    assert told.place.function == function


@monitored
@pytest.mark.parametrize("caught", ["except BaseException", "except", "finally"])
def test_code_that_catches_everything_is_ended_too(caught):
    source = (
        f"def same(x):\n    while True:\n        try:\n            x += 1\n        {caught}:\n            continue\n"
    )
    assert outcome(source).kind == "timeout"


def test_a_loop_of_the_driver_over_something_endless_is_ended():
    told = outcome(
        "import itertools\ndef same(x):\n    return itertools.count()\n", body="for each in learner.same(x): pass"
    )
    assert (told.kind, told.frames) == ("timeout", ())


def test_a_call_that_came_back_late_is_ended_at_the_next_step():
    source = """
    import time

    def late(x):
        return x

    def same(x):
        time.sleep(0.4)
        return late(x)
    """
    told = outcome(source)
    assert told.kind == "timeout"
    assert told.place.line in {4, 8, 9}  # the long call, or what comes next


def test_a_file_that_hangs_when_it_is_loaded():
    runner = InsideRunner("while True:\n    pass\n", FILE, Limits(load_s=0.3))
    told = runner.call(check(SAME), 1.0)
    assert (told.kind, told.loading, told.place.function) == ("timeout", True, "<module>")


def test_a_deep_recursion_is_an_exception_and_room_is_left_for_honest_code():
    source = "def same(x):\n    return 0 if x == 0 else 1 + same(x - 1)\n"
    assert outcome(source, 100).value == 100
    told = outcome(source, ROOM)
    assert (told.kind, told.error) == ("raised", "RecursionError")


def test_what_is_printed_is_kept_and_nothing_is_read():
    told = outcome(
        "import sys\ndef same(x):\n    print('out')\n    print('err', file=sys.stderr)\n    return sys.stdin.read()\n"
    )
    assert (told.value, told.printed) == ("", "out\nerr\n")
    assert len(outcome("def same(x):\n    print('x' * 100_000)\n    return x\n").printed) == 4000


def test_a_warning_is_printed_as_in_a_child_and_not_raised():
    program = """
import json, warnings
from types import SimpleNamespace
from minitorch.course.sandbox.inside import InsideRunner
warnings.simplefilter("error")
source = "import numpy as np\\ndef same(x):\\n    return float(np.log(np.array([0.0]))[0])\\n"
observe = {"observe": "def observe(learner, x):\\n    return learner.same(x)", "observe_name": "observe"}
asked = SimpleNamespace(exercise=SimpleNamespace(name="", target="same"), given="", given_name="", limit_s=9, **observe)
told = InsideRunner(source, "lesson_01_tiny.py").call(asked, 1.0)
print(json.dumps([told.kind, told.value == -float("inf"), told.printed]))
"""
    ((kind, right, printed),) = said_by(program)
    assert (kind, right) == ("value", True)
    assert "RuntimeWarning: divide by zero" in printed


def test_what_the_code_changes_around_it_is_put_back():
    source = """
    import sys, warnings
    import numpy as np

    def same(x):
        sys.setrecursionlimit(5000)
        sys.stdout.close()
        sys.stdin = None
        np.seterr(all="raise")
        warnings.simplefilter("error")
        __builtins__["len"] = None
        return x
    """
    before = sys.getrecursionlimit(), sys.stdout, sys.stdin, np.geterr(), list(warnings.filters), len, sys.gettrace()
    told = outcome(source)
    assert (told.kind, told.patched) == ("value", ("len",))
    assert (
        sys.getrecursionlimit(),
        sys.stdout,
        sys.stdin,
        np.geterr(),
        list(warnings.filters),
        len,
        sys.gettrace(),
    ) == before


@monitored
def test_the_tools_of_others_are_left_alone_and_ours_is_given_back():
    sys.monitoring.use_tool_id(TOOLS[0], "another")
    try:
        assert outcome(LOOPS["a loop"][0]).kind == "timeout"
        assert sys.monitoring.get_tool(TOOLS[0]) == "another"
    finally:
        sys.monitoring.free_tool_id(TOOLS[0])
    assert [sys.monitoring.get_tool(each) for each in TOOLS] == [None, None]


def test_code_that_is_not_the_learners_is_never_interrupted():
    with Deadline(FILE, 0.0) as deadline:
        total = sum(each for each in range(1000))
    assert (total, deadline.passed) == (499500, False)
    space = {}
    exec(compile("def count(): return sum(each for each in range(1000))", FILE, "exec"), space)
    with pytest.raises(TimeIsUp), Deadline(FILE, 0.0):
        space["count"]()


def test_several_definitions_at_once_and_one_that_hangs_costs_the_others_nothing():
    runner = InsideRunner("def same(x):\n    return x\n", FILE)
    ones = [
        "def same(x):\n    return 2 * x\n",
        "def same(x):\n    while True:\n        pass\n",
        "def same(x):\n    print(x)\n",
    ]
    told = runner.many(check(SAME), 3.0, ones, 0.2)
    assert [told[at].kind for at in range(3)] == ["value", "timeout", "value"]
    assert (told[0].value, told[2].value, told[2].printed) == (6.0, None, "3.0\n")


def test_a_hang_is_named_and_the_other_functions_are_judged(tiny, browser):
    lesson = tiny.lessons[0]
    source = lesson.solution_source().replace("return 2 * x", "while x:\n        x = x")
    with FileJudge(lesson, LearnerFile.of(source, lesson.file_name)) as judge:
        verdicts = {exercise.name: judge.verdict(exercise.name) for exercise in lesson.exercises}
    assert verdicts["double"].kind is Kind.TIMEOUT
    assert verdicts["double"].place.source.strip() in {"while x:", "x = x"}
    assert verdicts["grid"].passed
    assert verdicts["total"].passed


def test_a_mistake_is_named_without_a_child(tiny, browser):
    lesson = tiny.lessons[0]
    source = lesson.solution_source().replace("2 * x", "x * x")
    with FileJudge(lesson, LearnerFile.of(source, lesson.file_name)) as judge:
        assert judge.verdict("double").diagnosis == "square"


def test_a_card_says_once_what_is_not_covered(tiny, course_folder, monkeypatch, browser):
    monkeypatch.setattr(manifest, "load", lambda *_: tiny)
    monkeypatch.setenv("MINITORCH_COURSE", str(course_folder))
    cards = [check_in_a_notebook("double", lang=lang).text for lang in ("en", "es")]
    assert "memory and isolation are not covered" in cards[0]
    assert "navegador" not in cards[1]
    monkeypatch.setenv("MINITORCH_BROWSER", "0")
    (course_folder / ".minitorch" / "said-browser").unlink()
    assert "covered" not in check_in_a_notebook("double").text


def test_a_press_of_the_button_needs_no_thread(tiny, course_folder, browser, monkeypatch):
    monkeypatch.setattr("threading.Thread.start", None)
    button = CheckButton(tiny, course_folder, tiny.lessons[0].exercises, "en")
    path = course_folder / "exercises" / "lesson_01_tiny.py"
    path.write_text(tiny.lessons[0].solution_source(), encoding="utf-8")
    button.press()
    button.wait(0)
    assert "3 of 3 passed" in repr(button)


def test_the_deep_graphs_of_lesson_02_are_as_deep_as_the_platform_bears(monkeypatch):
    lesson = manifest.load().lesson("02")

    def depths():
        cases = [x for check in load_checks(lesson).values() for x in check.cases()]
        return {x["deep"] for x in cases if isinstance(x, dict) and "deep" in x}, any(map(is_cut, cases))

    monkeypatch.delenv("MINITORCH_BROWSER", raising=False)
    assert depths() == ({60, 5000}, False)
    monkeypatch.setenv("MINITORCH_BROWSER", "1")
    assert depths() == ({60, 1000}, True)
