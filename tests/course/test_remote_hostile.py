"""Learner's files that mean harm to a remote driver: what they send is a value that an honest run could have sent."""

from __future__ import annotations

import sys
import textwrap
import time

import pytest
from both_ways import FILE, check
from effort import HANG_S

from minitorch.course import manifest
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.remote.runner import RemoteRunner
from minitorch.course.sandbox.tiers import Sandbox, best

pytestmark = [
    pytest.mark.gate,
    pytest.mark.skipif(sys.platform == "win32", reason="started with what POSIX offers"),
]
LOOP = """
import gc, os, sys, time
import numpy as np

def loop():
    frame = sys._getframe()
    while not hasattr(frame.f_locals.get("self"), "requests"):
        frame = frame.f_back
    return frame.f_locals["self"]

def send(**header):
    at = loop()
    at._write(sys.modules["wire"].frame({"id": at.current, **header}))

def same(*things):
    return things[0] if len(things) == 1 else things

def called(function, *args):
    return function(*args)
"""


@pytest.fixture(scope="module")
def sandbox():
    """The best tier that this machine has: what the loop and the link do is the same in all of them."""
    with Sandbox(best()) as sandbox:
        yield sandbox


@pytest.fixture
def observe(sandbox):
    """Observe files from afar; the runner is kept from one call to the next of the same file."""
    runners = {}

    def observed(source, body, limit_s=5.0):
        if source not in runners:
            while runners:
                runners.popitem()[1].close()
            runners[source] = sandbox.runner(LOOP + textwrap.dedent(source), FILE)
        return runners[source].call(check(textwrap.dedent(body), limit_s), 3.0)

    yield observed
    for runner in runners.values():
        runner.close()


@pytest.mark.parametrize(
    "header",
    [
        {"m": "return", "v": ["p", "eval"]},
        {"m": "return", "v": ["p", "type"]},
        {"m": "return", "v": ["#", 12345]},
        {"m": "return", "v": ["#", -1]},
        {"m": "return", "v": 1 << 300},
        {"m": "return", "v": ["R", 0, 1.5, 1]},
        {"m": "return", "v": ["g", "<f8", "x"]},
        {"m": "return", "v": ["g", "<i2", 1 << 40]},
        {"m": "return", "v": [[]]},
        {"m": "return", "new": [[2, "h", ["p", "float"]]], "v": ["#", 2]},
        {"m": "return", "new": [[3, "h", ["p", "float"]]], "v": ["#", 3]},
        {"m": "return", "new": [[3, "r", ["p", "float"], [], []]], "v": ["#", 3]},
        {"m": "return", "new": [[3, "K", "N", "N", "m", [], [1]]], "v": ["#", 3]},
        {"m": "return", "new": [[3, "x", ["p", "float"], ["t"], ""]], "v": ["#", 3]},
        {"m": "return", "new": [[3, "t", [["#", 5]]], [5, "t", [["#", 3]]]], "v": ["#", 3]},
        {"m": "return", "new": [[3, "d", [["#", 3]], [1]]], "v": ["#", 3]},
        {"m": "return", "new": [[3, "a", "<f8", [1 << 40, 1 << 40], [0, 1], True, 0]], "v": ["#", 3]},
        {"m": "return", "new": [[3, "a", "<f8", [2], [0], True, 16]], "v": ["#", 3]},
        {"m": "return", "set": [[3, "l", [1]]]},
        {"m": "return", "errors": {"divide": "call"}},
        {"m": "raise", "v": 3.0},
        {"m": "raise", "v": ["p", "ValueError"]},
        {"m": "raise", "new": [[3, "x", ["p", "ValueError"], ["t"], ""]], "v": ["#", 3], "at": [[10**12, "f"]]},
        {"m": "call", "f": 3, "n": "", "a": [], "k": {}},
        {"m": "call", "f": None, "n": "__class__", "a": [], "k": {}},
        {"m": "do", "op": "get", "a": [1, "real"], "k": {}},
        {"m": "begin"},
        {},
    ],
)
def test_what_no_child_would_say_ends_it(observe, header):
    outcome = observe(f"def f():\n    send(**{header!r})\n", "return learner.f()")
    assert outcome.kind == "protocol"


def test_a_view_beyond_its_array_ends_the_child(observe):
    for offset, stride in ((0, 8), (-8, -8), (64, 8), (8, 1 << 62)):
        view = [5, "v", "<f8", [4], 3, offset, [stride], True]
        new = [[3, "a", "<f8", [2], [0], True, 0], view]
        outcome = observe(f"def f():\n    send(m='return', new={new!r}, v=['#', 5])\n", "return learner.f()")
        assert outcome.kind == "protocol"


def test_an_answer_that_is_sent_twice_ends_the_child(observe):
    outcome = observe("def f():\n    send(m='return', v=6.0)\n    return 7.0\n", "return learner.f()")
    assert outcome.kind == "protocol"
    assert outcome.text == "an answer that nobody asked for"


def test_a_call_reaches_listed_methods_only(observe):
    source = """
        def f(node, name):
            at = loop()
            ref = at.refs[id(type(node))]
            return at.call(ref, name, (node,), {})
    """
    driver = """
        class Node:
            secret = [1]
            def __init__(self):
                self.data = 1.0
            def twice(self):
                return 2 * self.data
        return learner.f(Node(), {name!r})
    """
    assert observe(source, driver.format(name="twice")).value == 2.0
    for name in ("__reduce_ex__", "__subclasshook__", "mro", "secret", "__dict__", "data"):
        assert observe(source, driver.format(name=name)).kind == "protocol"


def test_the_driver_is_ended_when_its_time_is_up(observe):
    """An integer of 10 to the 70th fits on the wire; a power of it does not fit anywhere."""
    start = time.monotonic()
    outcome = observe("def f():\n    return 10**70\n", "n = learner.f()\nreturn n ** n", 0.5)
    assert outcome.kind == "timeout"
    assert time.monotonic() - start < HANG_S
    assert observe("def f():\n    return 10**70\n", "return learner.f()").value == 10**70


def test_a_large_integer_is_worked_with_where_it_came_from(observe):
    driver = """
        seen = []
        def f(n):
            seen.append([isinstance(n, int), type(n) is int, n > 5])
            return n + 1
        more = learner.g(f)
        return [seen, more == 1 + (1 << 300), float(more) > 1e80, more]
    """
    outcome = observe("def g(f):\n    return f(1 << 300)\n", driver)
    *facts, last = outcome.value
    assert facts == [[[True, False, True]], True, True]
    assert last.type_name == "int of more than 256 bits"


def test_refs_are_drawn_by_chance(observe):
    source = "def f(*nodes):\n    refs = loop().refs\n    return [refs[id(node)] for node in nodes]\n"
    driver = """
        class Node:
            pass
        return learner.f(*[Node() for _ in range(12)])
    """
    one, other = (observe(source, driver).value for _ in range(2))
    assert len(set(one) | set(other)) == 24
    assert sorted(one) not in (one, one[::-1])


TOPOSORT = """
def toposort(root):
    at = loop()
    nodes = [thing for thing in {where} if type(thing) is type(root)]
    {order}
    return nodes
"""


@pytest.mark.parametrize("where", ["at.things.values()", "[at.things[ref] for ref in at.told]", "gc.get_objects()"])
@pytest.mark.parametrize("order", ["pass", "nodes.sort(key=lambda n: at.refs[id(n)])", "nodes.sort(key=id)", "reverse"])
def test_neither_refs_nor_the_order_of_arrival_tell_an_order(sandbox, where, order):
    """The node that must come last is moved there, as a cheat would do who knows that much."""
    lesson = next(each for each in manifest.load().lessons if each.number == "02")
    order = "nodes.reverse()" if order == "reverse" else order
    order += "; nodes.remove(root); nodes.append(root)"
    source = LOOP + TOPOSORT.format(where=where, order=order) + "\ndef backward(root): pass\n"
    file = LearnerFile.of(source, lesson.file_name)
    with sandbox.runner(source, lesson.file_name) as runner, FileJudge(lesson, file, runs=runner) as judge:
        verdict = judge.verdict("toposort")
    assert verdict.kind is Kind.WRONG, verdict


def test_numpy_that_was_patched_there_says_nothing_here(observe):
    source = """
        np.array_equal = np.allclose = np.shares_memory = lambda *_, **__: True
        np.ndarray = object
        def f(a):
            a[0] = 5.0
            return a
    """
    driver = """
        import numpy as np
        a, b = np.zeros(2), np.zeros(2)
        learner.f(a)
        return [np.array_equal(a, b), np.allclose(a, b), np.shares_memory(a, b)]
    """
    outcome = observe(source, driver)
    assert outcome.value == [False, False, False] or outcome.kind in {"protocol", "raised", "exited"}


@pytest.mark.parametrize(
    "harm",
    [
        "type(loop()).pack = lambda self, value: True",
        "type(loop())._return = lambda self, value: self._say('return', v=True)",
        "type(loop()).message = lambda self, *_, **__: b''",
        "sys.modules['wire'].frame = lambda *_: b'passed'",
        "sys.modules['json'].dumps = sys.modules['json'].encoder = None",
        "os.write = lambda *_: 10**9",
        "sys.modules.clear()",
        "import builtins; builtins.len = builtins.id = lambda *_: 1",
        "sys.settrace(lambda *_: 1 / 0)",
        "gc.get_objects = None; loop().things.clear(); loop().refs.clear()",
        "loop().requests.close()",
        "[os.close(n) for n in range(3, 20) if n != 99]",
    ],
)
def test_what_replaces_the_loop_or_the_encoder_pays_nothing(observe, harm):
    """It may break its own answers; the driver, the judge and the next file go on."""
    driver = "a = learner.f(x)\nreturn [a == 6.0, learner.same(x) == 3.0]"
    outcome = observe(f"def f(x):\n    {harm}\n    return 5.0\n", driver, 1.0)
    assert outcome.kind != "value" or outcome.patched or outcome.value[0] is False
    assert observe("def f(x):\n    return 2 * x\n", driver).value == [True, True]


def test_nothing_of_the_driver_or_the_case_is_there_to_be_read(observe):
    source = """
        def f():
            found, frame = [], sys._getframe()
            while frame is not None:
                found += [frame.f_code.co_name, repr(frame.f_locals)]
                frame = frame.f_back
            found += [repr(each) for each in gc.get_objects() if isinstance(each, (dict, list, tuple, str))]
            words = "".join(["pl", "anted"]), "".join(["ret", "urn learner"])
            return any(word in text for text in found for word in words)
    """
    assert observe(source, "planted = 'the planted bug'\nreturn learner.f()").value is False


def test_the_child_finds_no_package_of_ours(observe):
    source = """
        import importlib.util
        def f(name):
            try:
                return importlib.util.find_spec(name) is not None
            except ModuleNotFoundError:
                return False
        def paths():
            return [path for path in sys.path if "site-packages" in path or "minitorch" in path]
    """
    names = ["minitorch", "minitorch.scalar", "solutions", "pytest"]
    driver = f"return [[learner.f(name) for name in {names}], learner.paths()]"
    assert observe(source, driver).value == [[False] * 4, []]
    assert observe(source, "return int(learner.np.add(1, 2))").value == 3


def test_too_much_is_unsendable_and_the_child_goes_on(observe):
    source = "def f(n):\n    return [0.5] * n\n"
    outcome = observe(source, "return learner.f(1_000_000)")
    assert outcome.kind == "unsendable"
    assert observe(source, "return learner.f(2)").value == [0.5, 0.5]


@pytest.mark.parametrize(
    "write",
    [
        "for at in range(1001): open(str(at), 'w').close()",
        "for at in range(600): os.makedirs(f'{at}/d'); os.chmod(str(at), 0)",
        "for at in range(18): open(str(at), 'wb').write(bytes(15 << 20))",
    ],
)
def test_who_fills_the_folder_is_ended_long_before_its_time(observe, write):
    """In ten seconds so many files can be made that removing them takes minutes."""
    outcome = observe(f"def f():\n    {write}\n    time.sleep(300)\n", "return learner.f()", 300.0)
    assert outcome.kind == "full"
    assert observe("def f(x):\n    return 2 * x\n", "return learner.f(x)").value == 6.0


@pytest.mark.parametrize("view", ["(1000,), (-4096,)", "(9,), (8,)", "(2, 8), (8, 8)"])
def test_a_view_of_memory_that_is_not_its_own_is_unsendable(observe, view):
    source = f"def f():\n    return np.lib.stride_tricks.as_strided(np.zeros(8), {view})\n"
    assert observe(source, "return learner.f()").kind == "unsendable"
    assert observe(source, "return learner.same(5.0)").value == 5.0


def test_a_callback_from_the_very_bottom_of_a_recursion_is_answered(observe):
    source = """
        def f(function, n=0):
            try:
                return f(function, n + 1)
            except RecursionError:
                return function([n], {"n": n})
    """
    outcome = observe(source, "seen = []\nlearner.f(lambda row, table: seen.append(row[0] == table['n']))\nreturn seen")
    assert outcome.kind == "raised" or set(outcome.value) == {True}
    assert observe(source, "return learner.same(1)").value == 1


@pytest.mark.parametrize(
    ("harm", "kind"),
    [
        ("os._exit(3)", "exited"),
        ("os.abort()", "crashed"),
        ("os.kill(os.getpid(), 9)", "killed"),
        ("while True: pass", "timeout"),
        ("time.sleep(60)", "timeout"),
        ("raise SystemExit", "raised"),
        ("x = [0] * (1 << 40)", "memory"),
    ],
)
def test_how_the_child_ends_is_told_as_if_it_were_alone(observe, harm, kind):
    outcome = observe(f"def f():\n    {harm}\n", "return learner.f()", 1.0)
    assert outcome.kind == kind
    assert outcome.kind in {"exited", "killed"} or outcome.place.function == "f"
    assert observe(f"def f():\n    {harm}\n", "return learner.same(5.0)", 1.0).value == 5.0


def test_a_process_that_forks_answers_once():
    source = LOOP + "def f():\n    os.fork()\n    return 5.0\n"
    with RemoteRunner(source, FILE) as runner:  # no confined tier lets it fork
        outcome = runner.call(check("return [learner.f(), learner.same(1.0)]"), 3.0)
    assert outcome.value == [5.0, 1.0]


LATE = """
import threading

def f():
    at = loop()
    data = sys.modules["wire"].frame({"id": at.current, "m": "return", "v": 1})
    threading.Timer(0.2, lambda: at._write(data)).start()
"""


def test_what_is_said_late_is_not_laid_to_the_next_exercise(sandbox):
    with sandbox.runner(LOOP + LATE, FILE) as runner:
        assert runner.call(check("return learner.f()"), 1).kind == "value"
        time.sleep(0.5)
        assert runner.settle().kind == "protocol"
        assert runner.call(check("return learner.same(2)"), 1).value == 2
