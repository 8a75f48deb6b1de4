"""The part of scripts/mutants.py that runs tests: on one mutant of a module at a time, in a fork, until one fails.

Two ways. `Warm` is quick: pytest has collected the tests already, and in the fork the code of the functions that are
mutated is exchanged. It serves where the fault lies inside functions that nothing calls while the package is imported.
`run_stage` is for everything else, and looks again at what has survived: the fork imports the mutated package afresh.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

MOST_MEMORY = 3 << 30
OPTIONS = ["-x", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no"]

Found = dict[str, Any]  # outcome, killer, seconds
SURVIVED = {"outcome": "survived", "killer": "", "seconds": 0.0}


def in_a_fork(run: Callable[[int], None], limit: float, hurry: float = 0.0) -> Found:
    """Run `run(pipe)` in a fork. What it writes to the pipe is the name of the test that fails.

    limit: seconds of CPU time that one test may take. hurry: seconds for all of them, after which the mutant is left
    open; 0.0 for any number.
    """
    reader, writer = os.pipe()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            os.setsid()
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.setitimer(signal.ITIMER_VIRTUAL, hurry)
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            run(writer)
        finally:
            os._exit(9)
    os.close(writer)
    deadline = start + 20 * limit  # of wall time: a mutant may wait for ever, and the machine may be busy
    ended, status, used = os.wait4(child, os.WNOHANG)
    while not ended and time.monotonic() < deadline:
        time.sleep(0.005)
        ended, status, used = os.wait4(child, os.WNOHANG)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # and what it started
    if not ended:
        _, status, used = os.wait4(child, 0)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        killer = pipe.readline().strip()
    seconds = used.ru_utime + used.ru_stime
    if killer:
        return {"outcome": "killed", "killer": killer, "seconds": seconds}
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
        return {"outcome": "survived", "killer": "", "seconds": seconds}
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGVTALRM:
        return {"outcome": "open", "killer": "", "seconds": seconds}
    by_time = not ended or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGPROF, signal.SIGKILL})
    return {"outcome": "time" if by_time else "killed", "killer": f"status {status}", "seconds": seconds}


class Watcher:
    """A plugin of pytest: writes the first failure to the pipe and ends the process."""

    def __init__(self, pipe: int, limit: float) -> None:
        self.pipe, self.limit = pipe, limit

    def pytest_runtest_logstart(self) -> None:
        """Starts the time of one test."""
        signal.setitimer(signal.ITIMER_PROF, self.limit)

    def pytest_collectreport(self, report: Any) -> None:
        """Ends at a file that cannot be imported."""
        self.end_if_failed(report, "collecting ")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Ends at a test that fails."""
        self.end_if_failed(report)

    def end_if_failed(self, report: Any, what: str = "") -> None:
        """Writes and ends."""
        if report.failed:
            os.write(self.pipe, f"{what}{report.nodeid}\n".encode())
            os._exit(1)


# --------------------------------------------------------------------------------------------- imported afresh


def run_stage(tests: list[str], limit: float, chosen: set[str] | None = None, first: Mapping[str, int] = {}) -> Found:
    """Import the package and run tests until one fails. chosen: the tests that can notice anything; None for all.

    first: how many mutants each test has killed; the best go first.
    """
    if chosen is not None:
        files = {name.partition("::")[0] for name in chosen}
        tests = [each for each in tests if each in files]
        if not tests:
            return SURVIVED

    class Chooser(Watcher):
        def pytest_collection_modifyitems(self, items: list[Any]) -> None:
            items[:] = in_order(items, chosen, first)

    def run(pipe: int) -> None:
        import pytest

        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        status = pytest.main([*OPTIONS, *tests], plugins=[Chooser(pipe, limit)])
        if status != 0:
            os.write(pipe, f"pytest ended with {status}\n".encode())
        os._exit(int(status))

    return in_a_fork(run, limit)


def in_order(items: list[Any], chosen: set[str] | None, first: Mapping[str, int]) -> list[Any]:
    """The chosen tests, those that have killed most first."""
    left = [item for item in items if chosen is None or item.nodeid in chosen]
    return sorted(left, key=lambda item: -first.get(item.nodeid, 0))


def callers(tests: list[str], notes: Path) -> dict[str, list[str]]:
    """Run tests and return which of them call a function: "path:its first line" → names; "" while it is imported.

    Under "" alone stand the tests that watch every call themselves, so that nobody knows what they call.
    """
    here = f"{Path.cwd()}{os.sep}"
    calls: dict[str, set[str]] = {}
    running = ""

    def called(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(here):
            path = frame.f_code.co_filename.removeprefix(here)
            calls.setdefault(f"{path}:{frame.f_code.co_firstlineno}", set()).add(running)

    class Notes(Watcher):
        def pytest_runtest_logstart(self, nodeid: str) -> None:
            nonlocal running
            running = nodeid
            sys.setprofile(called)

        def pytest_runtest_logfinish(self, nodeid: str) -> None:
            if sys.getprofile() is not called:
                calls.setdefault("", set()).add(nodeid)

    def run(pipe: int) -> None:
        import pytest

        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.setprofile(called)
        threading.setprofile(called)
        status = pytest.main([*OPTIONS, *tests], plugins=[Notes(pipe, 0)])
        sys.setprofile(None)
        notes.write_text(json.dumps({place: sorted(names) for place, names in calls.items()}), encoding="utf-8")
        os._exit(int(status))

    found = in_a_fork(run, 600.0)
    if found["outcome"] != "survived":
        raise SystemExit(f"the tests fail without any mutant: {found}")
    result: dict[str, list[str]] = json.loads(notes.read_text(encoding="utf-8"))
    return result


# ------------------------------------------------------------------------------------------------ code exchanged


class Warm:
    """A process that has imported the package and collected the tests, and forks for each mutant."""

    def __init__(self, tests: list[str]) -> None:
        requests, self.requests = os.pipe()
        self.answers, answers = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(self.requests)
            os.close(self.answers)
            try:
                self._serve(tests, requests, answers)
            finally:
                os._exit(9)
        os.close(requests)
        os.close(answers)
        self.replies = os.fdopen(self.answers, encoding="utf-8")

    def run(self, path: str, text: str, chosen: set[str], first: Mapping[str, int], **limits: float) -> Found | None:
        """Run the chosen tests on the file mutated to `text`; None where code cannot be exchanged."""
        request = {"path": path, "text": text, "chosen": sorted(chosen), "first": first, **limits}
        data = json.dumps(request).encode() + b"\n"
        while data:
            data = data[os.write(self.requests, data) :]
        found: Found = json.loads(self.replies.readline())
        return None if found["outcome"] == "cannot" else found

    def close(self) -> None:
        """End the process."""
        os.close(self.requests)
        self.replies.close()
        os.waitpid(self.process, 0)

    def _serve(self, tests: list[str], requests: int, answers: int) -> None:
        import pytest

        class Server(Watcher):
            def pytest_runtestloop(self, session: Any) -> bool:
                gc.collect()
                functions = functions_by_place()
                gc.freeze()
                with os.fdopen(requests, encoding="utf-8") as lines:
                    for line in lines:
                        found = tried(json.loads(line), session, functions, self)
                        os.write(answers, json.dumps(found).encode() + b"\n")
                os._exit(0)

        pytest.main([*OPTIONS, "--capture=no", *tests], plugins=[Server(2, 0)])


def tried(request: dict[str, Any], session: Any, functions: dict[Any, list[FunctionType]], watcher: Watcher) -> Found:
    """Exchange the code and run the tests, in a fork."""
    name = str(Path.cwd() / request["path"])
    old, new = original(name), compile(request["text"], name, "exec", dont_inherit=True)
    pairs = list(exchanges(old, new))
    if any(one is None for one in pairs):
        return {"outcome": "cannot"}
    items = in_order(session.items, set(request["chosen"]), request["first"])

    def run(pipe: int) -> None:
        watcher.pipe, watcher.limit = pipe, request["limit"]
        for before, after in filter(None, pairs):
            for function in functions.get((name, before.co_qualname, before.co_firstlineno), ()):
                function.__code__ = after
        for number, item in enumerate(items):
            following = items[number + 1] if number + 1 < len(items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        os._exit(0)

    return in_a_fork(run, request["limit"], request["hurry"])


@cache
def original(name: str) -> CodeType:
    """The code of a file as it is."""
    return compile(Path(name).read_text(encoding="utf-8"), name, "exec", dont_inherit=True)


def functions_by_place() -> dict[Any, list[FunctionType]]:
    """Every function that lives, by file, name and line."""
    found: dict[Any, list[FunctionType]] = {}
    for each in gc.get_objects():
        if type(each) is FunctionType:
            code = each.__code__
            found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(each)
    return found


def exchanges(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType] | None]:
    """Pairs of functions' code that differ, outermost first; None where something else differs."""
    if old == new:
        return
    inside_old, inside_new = ([each for each in code.co_consts if isinstance(each, CodeType)] for code in (old, new))
    is_function = bool(old.co_flags & 2)  # CO_NEWLOCALS: neither a module nor a class
    if len(inside_old) != len(inside_new):
        yield (old, new) if is_function and old.co_freevars == new.co_freevars else None
        return
    if without_inner(old) != without_inner(new):
        if not is_function or old.co_freevars != new.co_freevars:
            yield None
            return
        yield old, new
    elif is_function:
        yield old, new  # what it makes from now on
    for one, other in zip(inside_old, inside_new, strict=True):
        yield from exchanges(one, other)


def without_inner(code: CodeType) -> CodeType:
    """The code with its inner functions blanked."""
    return code.replace(co_consts=tuple(None if isinstance(each, CodeType) else each for each in code.co_consts))
