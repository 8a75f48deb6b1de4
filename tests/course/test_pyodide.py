"""In Pyodide itself, where its core is at hand: what ends an endless loop in a browser, and how deep calls may go.

`make lite` fetches the core; `MINITORCH_PYODIDE` names another folder that has it. NumPy is not needed here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from minitorch.course.sandbox.inside import ROOM

ROOT = Path(__file__).parents[2]
CORES = [
    *map(Path, filter(None, [os.environ.get("MINITORCH_PYODIDE")])),
    *sorted((ROOT / "build" / "lite-parts").glob("pyodide-*/package")),
]
CORE = next((each for each in CORES if (each / "pyodide.mjs").is_file()), None)
pytestmark = [
    pytest.mark.gate,
    pytest.mark.skipif(shutil.which("node") is None or CORE is None, reason="needs node, and Pyodide's core"),
]
RUNS = """
const { loadPyodide } = await import(process.argv[2] + "/pyodide.mjs");
const py = await loadPyodide({ stdout: (line) => console.log(line) });
py.FS.mkdir("/tree");
py.FS.mount(py.FS.filesystems.NODEFS, { root: process.argv[3] }, "/tree");
py.runPython(process.argv[4]);
"""
BEGIN = """
import collections, json, sys, types

for name in ("minitorch", "minitorch.course", "minitorch.course.sandbox", "minitorch.course.sandbox.outcome"):
    sys.modules[name] = types.ModuleType(name)  # the real ones need NumPy
sys.modules["minitorch.course.sandbox.outcome"].Frame = collections.namedtuple("Frame", "line function")
space = {"__name__": "minitorch.course.sandbox.deadline"}
text = open("/tree/minitorch/course/sandbox/deadline.py", encoding="utf-8").read()
exec(compile(text, "deadline.py", "exec"), space)

def depth(frame):
    return 0 if frame is None else 1 + depth(frame.f_back)

sys.setrecursionlimit(depth(sys._getframe()) + ROOM)
"""
LOOPS = {
    "a loop": ("y = 0\nwhile True:\n    y += 1\n", [2, 3]),
    "on one line": ("while True: pass\n", [1]),
    "a generator": ("import itertools\nsum(0 for _ in itertools.count())\n", [2]),
    "one generator in another": ("import itertools\ndef g():\n    yield from itertools.count()\nsum(g())\n", [3]),
    "all caught": ("while True:\n    try:\n        x = 1\n    except BaseException:\n        continue\n", [1, 3, 4, 5]),
}
HANGS = """
for name, source in LOOPS.items():
    with space["Deadline"]("lesson_01.py", 0.3) as deadline:
        try:
            exec(compile(source, "lesson_01.py", "exec"), {})
        except space["TimeIsUp"]:
            pass
    print(json.dumps([name, deadline.passed, deadline.frames[0].line]))
"""
DEEP = """
class Sum:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        return Sum(self.n + 1) + other


def by_key(n):
    return sorted([1, 2], key=lambda _: by_key(n + 1))


for dive in (lambda: Sum(0) + 1, lambda: by_key(0)):
    try:
        dive()
    except RecursionError as error:
        print(json.dumps(type(error).__name__))
"""
SPANISH = """
sys.modules["minitorch"].__path__ = ["/tree/minitorch"]
from minitorch.language import Message, languages

files = Message.counted("1 file", "{count} files", 2)
print(json.dumps([*languages(), Message("not started").to("es"), files.to("es")]))
"""


def said(program, **known):
    """What a program says in Pyodide, a line of JSON at a time, under the limit of recursion that a check has there."""
    known |= {"ROOM": ROOM}
    text = "".join(f"{name} = {value!r}\n" for name, value in known.items()) + BEGIN + program
    command = ["node", "--input-type=module", "-", str(CORE), str(ROOT), text]
    done = subprocess.run(command, input=RUNS, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith(("[", '"'))]


def test_an_endless_loop_is_ended_and_its_line_named():
    told = said(HANGS, LOOPS={name: source for name, (source, _) in LOOPS.items()})
    assert [row[:2] for row in told] == [[name, True] for name in LOOPS]
    assert [name for name, _, line in told if line not in LOOPS[name][1]] == []


def test_a_recursion_that_is_too_deep_is_an_exception_before_the_browsers_stack_ends():
    assert said(DEEP) == ["RecursionError", "RecursionError"]


def test_spanish_is_spoken_where_only_the_po_file_lies():
    assert said(SPANISH) == [["en", "es", "sin empezar", "2 archivos"]]
