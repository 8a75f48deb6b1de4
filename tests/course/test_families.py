"""What learner's code starts ends with its check, whichever session it went off to, and it can do nothing to the judge.

Each test judges in a process of its own, for what would go wrong would end, stop or limit it: once as the system is,
and once where it grants no space of process ids, so that the keeper has to end a family one by one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from minitorch.course.sandbox import family

pytestmark = [
    pytest.mark.gate,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a group of processes is all that is ended"),
]
JUDGE = """
import json, os, resource, sys
from pathlib import Path
from minitorch.course import manifest
from minitorch.course.judging.judge import judge_source

lesson = manifest.load(Path(sys.argv[1]) / "lessons", Path(sys.argv[1]) / "solutions").lessons[0]
source = Path(sys.argv[2]).read_text().replace("JUDGE", str(os.getpid()))
verdicts = judge_source(lesson, source)
facts = {
    "verdicts": {name: each.kind.value for name, each in verdicts.items()},
    "said": {name: each.reason.to("en") + each.printed for name, each in verdicts.items()},
    "files": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
    "nice": os.getpriority(os.PRIO_PROCESS, 0),
}
print(json.dumps(facts))
"""
NO_SPACES = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
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


@pytest.fixture(params=["as the system is", "without spaces of process ids"])
def judged_apart(request, tiny, tmp_path):
    """Judge a text in another process; return what that process found out, about itself too."""
    before: list[str] = []
    if request.param != "as the system is":
        before = ["unshare", "-Ur", "sh", "-c", NO_SPACES, "sh"]
        if shutil.which("unshare") is None or subprocess.call([*before, "true"]):
            pytest.skip("needs unshare")

    def run(source: str, limit_s: float = 600.0):
        (tmp_path / "mine.py").write_text(source + REST, encoding="utf-8")
        (tmp_path / "judge.py").write_text(JUDGE, encoding="utf-8")
        command = [*before, sys.executable, tmp_path / "judge.py", tmp_path / "tiny", tmp_path / "mine.py"]
        env = {**os.environ, "PYTHONPATH": str(Path.cwd())}
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s, env=env, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    run.closed = not before
    return run


def running(word: str) -> list[int]:
    """The processes whose command line holds a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


SLEEPER = """
import os, subprocess, sys, time

def away(clean=False):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(99)", {word!r}], {env})
        os._exit(0)
    os.wait()

"""


@pytest.mark.parametrize(
    "harm",
    [
        "def double(x):\n    away()\n    return 2 * x\n",
        "def double(x):\n    away()\n    os._exit(0)\n",
        "def double(x):\n    away()\n    while True: pass\n",
        "away()\ndef double(x):\n    return 2 * x\n",
        "away()\nraise ValueError\n",
    ],
)
@pytest.mark.parametrize("env", ["os.environ", "{}"])
def test_a_session_of_its_own_ends_with_the_check(judged_apart, tmp_path, harm, env):
    word = f"away-{tmp_path.name}"
    try:
        facts = judged_apart(SLEEPER.format(word=word, env=env) + harm)
        assert set(facts["verdicts"]) == {"double", "grid", "total"}
        until(lambda: not running(word), 5.0)  # killed they are; a busy machine takes a moment
    finally:
        for pid in running(word):
            family.kill(pid)


def test_a_judge_that_is_killed_takes_what_it_started_along(tiny, tmp_path):
    word = f"left-{tmp_path.name}"
    started = tmp_path / "started"
    source = SLEEPER.format(word=word, env="{}") + (
        f"def double(x):\n    away()\n    open({str(started)!r}, 'w').close()\n    while True: pass\n"
    )
    (tmp_path / "mine.py").write_text(source + REST, encoding="utf-8")
    (tmp_path / "judge.py").write_text(JUDGE, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(Path.cwd()), "MINITORCH_PATIENCE": "50"}
    judge = subprocess.Popen([sys.executable, tmp_path / "judge.py", tmp_path / "tiny", tmp_path / "mine.py"], env=env)
    try:
        until(started.exists)
        until(lambda: running(word))
        below = family.descendants(judge.pid)
        judge.kill()
        judge.wait()
        until(lambda: not running(word) and not any(Path(f"/proc/{pid}").exists() for pid in below))
    finally:
        for pid in running(word):
            family.kill(pid)


def until(holds, limit_s: float = 600.0) -> None:
    """Wait until something holds."""
    end = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


TRACE = """
import ctypes, os, resource, signal
libc = ctypes.CDLL(None, use_errno=True)

def attempt(act):
    try:
        act()
        return "done"
    except BaseException as error:
        return type(error).__name__

def trace():
    if libc.ptrace(16, JUDGE, None, None) != 0:  # attach
        raise PermissionError

def read():
    with open("/proc/JUDGE/mem", "rb") as memory:
        memory.seek(int(open("/proc/JUDGE/maps").readline().split("-")[0], 16))
        memory.read(8)

acts = {
    "kill": lambda: os.kill(JUDGE, signal.SIGKILL),
    "stop": lambda: os.kill(JUDGE, signal.SIGSTOP),
    "trace": trace,
    "read": read,
    "limit": lambda: resource.prlimit(JUDGE, resource.RLIMIT_NOFILE, (3, 3)),
    "slow": lambda: os.setpriority(os.PRIO_PROCESS, JUDGE, 19),
    "all": lambda: os.kill(-1, signal.SIGKILL),
}
"""


@pytest.mark.parametrize("act", ["kill", "stop", "trace", "read"])
def test_the_judge_is_not_to_be_killed_stopped_traced_or_read(judged_apart, act):
    facts = judged_apart(f"{TRACE}\ndef double(x):\n    print(attempt(acts[{act!r}]))\n    return 2 * x\n")
    assert facts["verdicts"] == dict.fromkeys(["double", "grid", "total"], "passed")
    assert "done" not in facts["said"]["double"]
    assert "Error" in facts["said"]["double"]


@pytest.mark.parametrize("act", ["limit", "slow"])
def test_the_judge_is_not_to_be_limited(judged_apart, act):
    """Where the system grants no space of process ids this is not to be prevented, and nothing is gained by it."""
    if not judged_apart.closed:
        pytest.skip("only a space of process ids prevents it")
    facts = judged_apart(f"{TRACE}\ndef double(x):\n    print(attempt(acts[{act!r}]))\n    return 2 * x\n")
    assert facts["verdicts"] == dict.fromkeys(["double", "grid", "total"], "passed")
    assert facts["files"] > 3
    assert facts["nice"] != 19


@pytest.mark.parametrize("signalled", ["os.getppid()", "-1", "0", "1"])
@pytest.mark.parametrize("number", [9, 19])
def test_signals_all_around_cost_the_function_that_sends_them_and_no_other(judged_apart, signalled, number):
    facts = judged_apart(f"import os\ndef double(x):\n    os.kill({signalled}, {number})\n    return 2 * x\n")
    assert facts["verdicts"]["grid"] == facts["verdicts"]["total"] == "passed"


def test_a_bomb_of_processes_is_ended(judged_apart, tmp_path):
    fork = "        os.fork()\n        os.setsid() if not os.getpid() % 2 else None\n"
    bomb = f"import os\ndef double(x):\n    for _ in range(6):\n{fork}    while True: pass\n"
    facts = judged_apart(f"# bomb-{tmp_path.name}\n{bomb}")
    assert facts["verdicts"]["double"] in {"timeout", "error"}  # the system may refuse the last of them
    assert facts["verdicts"]["grid"] == facts["verdicts"]["total"] == "passed"
