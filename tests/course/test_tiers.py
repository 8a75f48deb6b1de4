"""The tiers: what a submission may do in each, that it is judged alike, and that one leaves nothing to the next."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import struct
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from both_ways import FILE, check, seen

from minitorch.course import manifest
from minitorch.course.course_error import CourseError
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.judge import FileJudge
from minitorch.course.sandbox import confinement, family, landlock, seccomp
from minitorch.course.sandbox.runner import Runner
from minitorch.course.sandbox.tiers import HONEST, HOSTILE, TIERS, Sandbox, best

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the tiers are Linux's")
HERE = Path(__file__).parent
LEARNER = (HERE / "observed_afar.py").read_text(encoding="utf-8")
DRIVERS = {each["what"]: each for each in tomllib.loads((HERE / "remote_drivers.toml").read_text("utf-8"))["driver"]}
CONFINES = landlock.version() >= landlock.LEAST and seccomp.is_known()
NEEDS = {
    "fork": (CONFINES, "this system has no Landlock of version 3 or newer, or its calls are not in the table"),
    "landlock": (CONFINES, "this system has no Landlock of version 3 or newer, or its calls are not in the table"),
    "bwrap": (shutil.which("bwrap") is not None, "there is no program bwrap here"),
    "none": (True, ""),
}


@pytest.fixture(scope="module", params=TIERS)
def sandbox(request):
    there, why = NEEDS[request.param]
    if not there:
        pytest.skip(why)
    with Sandbox(request.param) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def fork():
    if not CONFINES:
        pytest.skip(NEEDS["fork"][1])
    with Sandbox("fork") as sandbox:
        yield sandbox


@pytest.mark.skipif(not CONFINES, reason=NEEDS["fork"][1])
def test_a_judge_whose_number_is_the_childs_own_finds_its_tiers_sound():
    """In a container the judge is process 2, and so is the child in its own namespace: to signal itself is harmless."""
    inside = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc", "--unshare-pid"]
    if shutil.which("bwrap") is None or subprocess.call([*inside, "true"], stderr=subprocess.DEVNULL):
        pytest.skip("needs bwrap, and leave to number processes anew")
    asked = "import os; from minitorch.course.sandbox import tiers; print(os.getpid(), tiers.faults(tiers.TIERS[:2]))"
    told = subprocess.run([*inside, sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout == "2 {'fork': None, 'landlock': None}\n"


def test_honest_code_works_and_a_confined_tier_stops_everything_else(sandbox):
    acts = {act.name: act.went_through for act in sandbox.acts()}
    assert list(acts) == [*HONEST, *HOSTILE]
    assert all(acts[name] for name in HONEST), sandbox.acts()
    if sandbox.tier == "none":
        assert acts["read_the_checks"]
        assert acts["open_a_socket"]
    else:
        assert [name for name in HOSTILE if acts[name]] == []
    assert sandbox.fault() is None


def test_the_best_tier_that_holds_is_chosen():
    assert best() == next(tier for tier in TIERS if NEEDS[tier][0])


def test_a_tier_that_is_none_is_refused_with_the_ones_that_are():
    with pytest.raises(CourseError, match=r"'docker'.*fork, landlock, bwrap, none"):
        Sandbox("docker")


def test_a_process_that_cannot_be_confined_loads_nothing(monkeypatch):
    monkeypatch.setattr(landlock, "version", lambda: 2)
    assert confinement.enter({"look": [], "work": None}) == "Landlock 3 or newer is needed, and this is 2"


def test_it_is_the_same_in_every_tier(sandbox):
    with Runner(LEARNER, FILE) as here, sandbox.runner(LEARNER, FILE) as there:
        for what, driver in DRIVERS.items():
            near, far = (runner.call(check(driver["body"]), 5.0) for runner in (here, there))
            assert seen(far) == seen(near), what
            if "want" in driver:
                assert far.value == ast.literal_eval(driver["want"]), what


@pytest.mark.parametrize("number", ["02", "06", "09"])
def test_a_solution_passes_in_every_tier(sandbox, number):
    lesson = manifest.load().lesson(number)
    source = lesson.solution_source()
    file = LearnerFile.of(source, lesson.file_name)
    with sandbox.runner(source, lesson.file_name) as runner, FileJudge(lesson, file, runs=runner) as judge:
        verdicts = [judge.verdict(exercise.name) for exercise in lesson.exercises]
    assert [verdict.exercise for verdict in verdicts if not verdict.passed] == []


LEAVES = """
import os
import numpy as np

def same(x):
    np.pi, os.environ["LEFT"] = 3, "behind"
    with open("left.txt", "w") as file:
        file.write("behind")
    return True
"""
LOOKS = """
import os
import numpy as np

def same(x):
    return [np.pi > 3.1, os.environ.get("LEFT"), os.listdir(".")]
"""


def test_one_submission_leaves_nothing_to_the_next(sandbox):
    observe = check("return learner.same(x)")
    with sandbox.runner(LEAVES, FILE) as runner:
        assert runner.call(observe, 1.0).value is True
    with sandbox.runner(LOOKS, FILE) as runner:
        assert runner.call(observe, 1.0).value == [True, None, []]


@pytest.mark.parametrize(
    ("answer", "kind", "text"),
    [
        ("os._exit(3)", "exited", ""),
        ("os.abort()", "crashed", "SIGABRT"),
        ("os.kill(os.getpid(), 9)", "killed", "SIGKILL"),
        ("[0][1]", "raised", "list index out of range"),
        ("exec('while True: pass')", "timeout", ""),
    ],
)
def test_every_end_is_told_as_it_is(sandbox, answer, kind, text):
    source = f"import os\n\ndef same(x):\n    return {answer}\n"
    with sandbox.runner(source, FILE) as runner:
        outcome = runner.call(check("return learner.same(x)", 1.0), 1.0)
    assert (outcome.kind, outcome.text) == (kind, text)


def test_a_fork_server_that_was_killed_is_started_again(fork):
    observe = check("return learner.same(x)")
    source = "def same(x):\n    return x\n"
    with fork.runner(source, FILE) as runner:
        assert runner.call(observe, 1.0).value == 1.0
    os.kill(family.descendants(os.getpid())[0], signal.SIGKILL)
    with fork.runner(source, FILE) as runner:
        assert runner.call(observe, 2.0).value == 2.0


def test_a_fresh_process_for_the_next_exercise_is_a_copy_of_the_same_server(fork):
    first, second = (check("return learner.same(x)", name=name) for name in ("first", "second"))
    with fork.runner(LEAVES, FILE) as runner:
        runner.call(first, 1.0)
        server = fork.processes
        runner.call(second, 1.0)
        served = runner._child
        assert runner.renew()
        assert runner._child is not served
        assert fork.processes == server
        assert runner.call(second, 1.0).value is True


def test_a_file_that_cannot_be_loaded_again_says_so(fork):
    source = "def same(x):\n    return x\n"
    first, second = (check("return learner.same(x)", name=name) for name in ("first", "second"))
    with fork.runner(source, FILE) as runner:
        assert runner.call(first, 1.0).value == 1.0
        assert runner.call(second, 1.0).value == 1.0
        runner.source = "raise OSError('not again')\n"
        assert not runner.renew()
        outcome = runner.call(second, 1.0)
        assert (outcome.loading, outcome.text) == (True, "not again")


def test_nothing_is_left_running_when_a_sandbox_is_closed():
    before = set(family.descendants(os.getpid()))
    with Sandbox("fork" if CONFINES else "none") as sandbox, sandbox.runner(LOOKS, FILE) as runner:
        runner.call(check("return learner.same(x)"), 1.0)
        assert set(family.descendants(os.getpid())) > before
    assert set(family.descendants(os.getpid())) <= before


# ------------------------------------------------------------------------------------------------------- the filter


def ruled(machine: str, number: int, *arguments: int, mark: int | None = None, process: int = 77) -> int:
    """What the filter answers to a call, by running its instructions one by one."""
    facts = struct.pack(
        "<iIQ6Q",
        number,
        seccomp.MACHINES[machine][0] if mark is None else mark,
        0,
        *arguments,
        *[0] * (6 - len(arguments)),
    )
    text = seccomp.program(machine, process)
    steps = [struct.unpack_from("<HBBI", text, at) for at in range(0, len(text), 8)]
    held, at = 0, 0
    while True:
        code, yes, no, k = steps[at]
        at += 1
        if code == seccomp.RETURN:
            return k
        if code == seccomp.LOAD:
            held = struct.unpack_from("<I", facts, k)[0]
        elif code == seccomp.AND:
            held &= k
        else:
            at += yes if (held == k if code == seccomp.EQUAL else held >= k) else no


REFUSED = seccomp.FAIL | seccomp.EPERM
NUMBERS = {  # the calls of most use to somebody who means harm
    "x86_64": {
        "socket": 41,
        "connect": 42,
        "fork": 57,
        "vfork": 58,
        "execve": 59,
        "ptrace": 101,
        "mount": 165,
        "process_vm_readv": 310,
        "bpf": 321,
        "unshare": 272,
        "io_uring_setup": 425,
        "pidfd_send_signal": 424,
        "tkill": 200,
        "setrlimit": 160,
    },
    "aarch64": {
        "socket": 198,
        "connect": 203,
        "execve": 221,
        "ptrace": 117,
        "mount": 40,
        "process_vm_readv": 270,
        "bpf": 280,
        "unshare": 97,
        "io_uring_setup": 425,
        "pidfd_send_signal": 424,
        "tkill": 130,
        "setrlimit": 164,
    },
}


@pytest.mark.parametrize("machine", seccomp.MACHINES)
class TestFilter:
    def test_each_call_of_the_table_is_let_through_and_stands_there_once(self, machine):
        words = seccomp.MACHINES[machine][2].split()
        names, numbers = words[::2], [int(word) for word in words[1::2]]
        assert len(set(names)) == len(names) == len(set(numbers)) == len(numbers)
        assert {ruled(machine, number) for number in numbers} == {seccomp.ALLOW}

    def test_all_others_are_refused(self, machine):
        looked_at = seccomp.MACHINES[machine][3]
        let_through = {int(word) for word in seccomp.MACHINES[machine][2].split()[1::2]}
        assert not let_through & (set(NUMBERS[machine].values()) | set(looked_at.values()))
        others = set(range(600)) - let_through - set(looked_at.values())
        assert {ruled(machine, number) for number in others} == {REFUSED}

    def test_a_thread_is_made_and_no_process_and_no_namespace(self, machine):
        clone = seccomp.MACHINES[machine][3]["clone"]
        assert ruled(machine, clone, 0x003D0F00) == seccomp.ALLOW  # as pthread_create asks
        for flags in (0x01200011, 0x10000000 | seccomp.THREAD, 0x00000080 | seccomp.THREAD, 0):
            assert ruled(machine, clone, flags) == REFUSED
        assert ruled(machine, seccomp.MACHINES[machine][3]["clone3"]) == seccomp.FAIL | seccomp.ENOSYS

    def test_nobody_is_signalled_but_the_process_itself(self, machine):
        for name in ("kill", "tgkill"):
            number = seccomp.MACHINES[machine][3][name]
            assert ruled(machine, number, 77, 9) == seccomp.ALLOW
            assert [ruled(machine, number, pid, 9) for pid in (1, 0, 78, (1 << 64) - 1)] == [REFUSED] * 4

    def test_a_limit_is_asked_for_and_never_set(self, machine):
        number = seccomp.MACHINES[machine][3]["prlimit64"]
        assert ruled(machine, number, 0, 7, 0, 1234) == seccomp.ALLOW
        assert [ruled(machine, number, 0, 7, at, 0) for at in (1, 1 << 32, 1 << 63)] == [REFUSED] * 3

    def test_calls_of_another_machine_end_the_process(self, machine):
        assert ruled(machine, 0, mark=0x40000003) == seccomp.KILL


def test_the_second_numbers_of_x86_64_are_unknown():
    assert ruled("x86_64", seccomp.X32 | 1) == seccomp.FAIL | seccomp.ENOSYS
