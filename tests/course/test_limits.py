"""Time is bounded by call, by exercise and by file; a file is loaded once, whatever its functions do."""

from __future__ import annotations

import sys
import threading

import pytest

from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.limits import Clock, Limits
from minitorch.course.sandbox.runner import Runner

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux alone")
SLOW = "import time\n\ndef double(x):\n    time.sleep({s})\n    return 2 * x\n"
REST = """
import numpy as np

def grid(n):
    return np.ones((n, 2))

class Box:
    def __init__(self, things):
        self.things = things

    def total(self):
        return sum(self.things)
"""


@pytest.fixture
def judge_within(tiny):
    """Judge a file under limits of its own; return the verdicts by exercise."""

    def run(source: str, limits: Limits, spent: dict[str, float] | None = None):
        lesson = tiny.lessons[0]
        runner = Runner(source, lesson.file_name, limits)
        for name, seconds in (spent or {}).items():
            runner.clock.spend(seconds, name)
        with runner, FileJudge(lesson, LearnerFile.of(source, lesson.file_name), runs=runner) as judge:
            return {exercise.name: judge.verdict(exercise.name) for exercise in lesson.exercises}

    return run


def test_calls_within_their_limit_share_the_exercises(judge_within):
    verdicts = judge_within(SLOW.format(s=0.3) + REST, Limits(exercise_s=0.45))
    assert verdicts["double"].kind is Kind.TIMEOUT
    assert verdicts["double"].reason.to("en") == (
        "the 3 calls of `double` have 0.45 s together, and only 1 were answered in that time; "
        "each call by itself was within its limit"
    )
    assert verdicts["grid"].passed
    assert verdicts["total"].passed


@linux
def test_a_thread_that_is_about_to_end_is_waited_for(judge, tmp_path):
    """As the watchdog's is, on a busy machine, when a file has just been loaded."""
    log = tmp_path / "loads"
    thread = "import threading, time\nthreading.Thread(target=time.sleep, args=(0.02,)).start()\n"
    verdicts = judge(LOADS.format(file=str(log)) + "def double(x):\n    os._exit(3)\n" + REST + thread)
    assert log.read_text(encoding="utf-8") == "x"
    assert verdicts["grid"].passed


def test_the_file_has_a_limit_too_and_says_who_took_it(judge_within):
    verdicts = judge_within(SLOW.format(s=0) + REST, Limits(), {"double": 41.0, "grid": 19.0})
    assert {verdict.kind for verdict in verdicts.values()} == {Kind.TIMEOUT}
    assert verdicts["total"].reason.to("en") == (
        "the checks of this file have 60 s together, and `double` took 41 s of them, so 0 of 2 calls were answered "
        "here. `minitorch check total` checks this one by itself"
    )


def test_a_call_over_its_own_limit_is_what_it_was(judge_within):
    verdict = judge_within(SLOW.format(s=5) + REST, Limits())["double"]
    assert verdict.kind is Kind.TIMEOUT
    assert verdict.reason.to("en") == "`double` was still running after 0.5 s, at line 4 of lesson_01_tiny.py"


def test_patience_is_a_number_from_1_to_100(monkeypatch):
    for said, patience in (("3", 3), ("0.1", 1), ("1e9", 100), ("nan", 1), ("much", 1), ("inf", 1)):
        monkeypatch.setenv("MINITORCH_PATIENCE", said)
        limits = Limits.of_this_machine()
        assert (limits.patience, limits.file_s) == (patience, 60 * patience)


def test_patience_counts_for_calls(judge_within, monkeypatch):
    monkeypatch.setenv("MINITORCH_PATIENCE", "4")
    assert judge_within(SLOW.format(s=0.7) + REST, Limits.of_this_machine())["double"].passed


def test_a_clock_knows_whose_time_is_shortest():
    clock = Clock(Limits(exercise_s=5, file_s=8))
    clock.spend(1.0)
    assert clock.left("a") == (5, "exercise")
    clock.spend(3.0, "a")
    assert clock.left("a") == (2, "exercise")
    assert clock.left("b") == (4, "file")
    assert clock.longest() == ("a", 3.0)


LOADS = "import os\nwith open({file!r}, 'a') as f:\n    f.write('x')\n"


@linux
@pytest.mark.parametrize(
    "double",
    [
        "def double(x):\n    os._exit(3)\n",
        "def double(x):\n    os.abort()\n",
        "def double(x):\n    while True: pass\n",
        "def double(x):\n    np.ones = np.zeros\n    return 2 * x\n",
        "def double(x):\n    return x\n",
    ],
)
def test_a_file_is_loaded_once_whatever_its_functions_do(judge, tmp_path, double):
    log = tmp_path / "loads"
    verdicts = judge(LOADS.format(file=str(log)) + "import numpy as np\n" + double + REST)
    assert log.read_text(encoding="utf-8") == "x"
    assert verdicts["grid"].passed
    assert verdicts["total"].passed


ONCE = "import os\nos.open({file!r}, os.O_CREAT | os.O_EXCL)\n"


@linux
def test_a_file_that_loads_only_once_fails_nothing_that_is_right(judge, tmp_path):
    crash = "def double(x):\n    os.kill(os.getpid(), 11)\n"
    verdicts = judge(ONCE.format(file=str(tmp_path / "taken")) + crash + REST)
    assert verdicts["double"].kind is Kind.ERROR
    assert "SIGSEGV" in verdicts["double"].reason.to("en")
    assert verdicts["grid"].passed
    assert verdicts["total"].passed


def test_without_copies_too_a_failing_function_costs_a_file_that_loads_once_nothing(judge, tmp_path):
    """A file that leaves a thread running is not copied: the thread would not be in the copy."""
    thread = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"
    wrong = "def grid(n):\n    return None\n"
    verdicts = judge(
        ONCE.format(file=str(tmp_path / "taken")) + thread + "def double(x): return 2 * x\n" + REST + wrong
    )
    assert verdicts["grid"].kind is Kind.WRONG
    assert verdicts["double"].passed
    assert verdicts["total"].passed


def test_a_file_that_leaves_a_thread_running_is_loaded_again_after_a_crash(judge, tmp_path):
    thread = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"
    log = tmp_path / "loads"
    verdicts = judge(LOADS.format(file=str(log)) + "def double(x):\n    os._exit(3)\n" + REST + thread)
    assert log.read_text(encoding="utf-8") == "xx"
    assert verdicts["grid"].passed


def test_a_runner_is_interrupted_from_another_thread(tiny):
    lesson = tiny.lessons[0]
    with Runner("def double(x):\n    while True: pass\n", lesson.file_name) as runner:
        with FileJudge(lesson, LearnerFile.of("", lesson.file_name)) as judge:
            check = judge.checks["double"]
        threading.Timer(0.2, runner.interrupt).start()
        assert runner.call(check, {"x": 1.0}).kind in {"killed", "crashed", "exited", "protocol", "timeout"}
