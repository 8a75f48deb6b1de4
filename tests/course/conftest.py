"""A tiny course of one lesson, laid out in a temporary folder, for tests of the machinery alone.

And a longer one, with a learner's desk in it, for tests of `engine("mine")`.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from engine_desk import Desk, lay_out

from minitorch.course import manifest
from minitorch.course.cards.report import blocks
from minitorch.course.files.stubs import write_stubs
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.scalar import Value

LESSON = """
number = "01"
order = 10
slug = "tiny"
minutes = 5
prerequisites = []
title = { en = "Tiny", es = "Diminuta" }
summary = { en = "Two functions and a method.", es = "Dos funciones y un método." }

[[exercise]]
name = "double"
target = "double"
checks = 3
asks = { en = "Return twice x.", es = "Devuelve el doble de x." }
hint = [
    { en = "What is x + x?", es = "¿Cuánto es x + x?" },
    { en = "Multiply by 2.", es = "Multiplica por 2." },
    { en = "return x times 2", es = "return x por 2" },
]

[[exercise]]
name = "grid"
target = "grid"
checks = 2
asks = { en = "Return n rows of ones.", es = "Devuelve n filas de unos." }
hint = [{ en = "Look at numpy.ones.", es = "Mira numpy.ones." }]

[[exercise]]
name = "total"
target = "Box.total"
checks = 2
asks = { en = "Return the sum of what is in the box.", es = "Devuelve la suma de lo que hay en la caja." }
hint = [{ en = "Python has sum().", es = "Python tiene sum()." }]
"""
CHECKS = """
import numpy as np

from minitorch.course.judging.checks import exercise, same_array, same_number


@exercise("double", limit_s=0.5)
class Double:
    def inputs(self, rng):
        return [{"x": 3.0}, {"x": round(float(rng.uniform(1, 9)), 3)}, {"x": -20.0}]

    def observe(learner, x):
        return learner.double(x["x"])

    def judge(self, x, got):
        return same_number(got, 2 * x["x"])


@exercise("grid", limit_s=2)
class Grid:
    def inputs(self, rng):
        return [1, 3]

    def observe(learner, x):
        return learner.grid(x)

    def judge(self, x, got):
        return same_array(got, np.ones((x, 2)), dtype=np.float64)


@exercise("total", limit_s=2)
class Total:
    def inputs(self, rng):
        return [[1.0], [1.0, 2.5]]

    def observe(learner, x):
        return learner.Box(x).total()

    def judge(self, x, got):
        return same_number(got, sum(x))
"""
DOUBLE = """
[[mistake]]
id = "square"
hint = 2
en = "You squared x."
es = "Elevaste x al cuadrado."
change = [["2 * x", "x * x"]]

[[mistake]]
id = "prints"
en = "You printed it; return it."
es = "Lo imprimiste; devuélvelo."
change = [["return 2 * x", "print(2 * x)"]]

[[mistake]]
id = "silent"
en = "You returned nothing."
es = "No devolviste nada."
change = [["return ", ""]]
"""
TOTAL = """
[[mistake]]
id = "count"
en = "You counted instead of adding."
es = "Contaste en vez de sumar."
code = '''
def total(self):
    return float(len(self.things))
'''
"""
QUIZ = """
[[question]]
id = "twice"
prompt = { en = "What is twice <3>?", es = "¿Cuánto es el doble de <3>?" }

[[question.option]]
text = { en = "9", es = "9" }
correct = false
mistake = "square"
reason = { en = "That is 3 squared.", es = "Eso es 3 al cuadrado." }

[[question.option]]
text = { en = "6", es = "6" }
correct = true
reason = { en = "3 + 3.", es = "3 + 3." }
"""
SOLUTION = '''
"""A tiny lesson."""

import numpy as np


def double(x):
    """Return twice x."""
    return 2 * x


def grid(n):
    """Return n rows of two ones."""
    # this comment is part of the answer
    return np.ones((n, 2))


class Box:
    """A box of numbers."""

    def __init__(self, things):
        self.things = things

    def total(self):
        """Return the sum."""
        return sum(self.things)
'''

OTHERS = """
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
def tiny(tmp_path: Path) -> manifest.Course:
    """The tiny course, read from files."""
    return write_course(tmp_path / "tiny")


def write_course(root: Path, **changed: str) -> manifest.Course:
    """Write the tiny course below `root`, with some of its files changed, and read it."""
    folder = root / "lessons" / "lesson_01_tiny"
    files = {
        folder / "lesson.toml": changed.get("lesson", LESSON),
        folder / "checks.py": changed.get("checks", CHECKS),
        folder / "mistakes" / "double.toml": changed.get("double", DOUBLE),
        folder / "mistakes" / "total.toml": changed.get("total", TOTAL),
        folder / "quiz.toml": changed.get("quiz", QUIZ),
        root / "solutions" / "lesson_01_tiny.py": changed.get("solution", SOLUTION).lstrip(),
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return manifest.load(root / "lessons", root / "solutions")


@pytest.fixture
def make_course(tmp_path: Path):
    """Make a tiny course with some of its files changed."""
    return lambda **changed: write_course(tmp_path / "changed", **changed)


@pytest.fixture
def course_folder(tiny: manifest.Course, tmp_path: Path) -> Path:
    """A learner's folder with the tiny course's untouched stubs."""
    folder = tmp_path / "mine"
    write_stubs(folder / "exercises", tiny)
    return folder


@pytest.fixture
def judge(tiny: manifest.Course):
    """Judge a text as the learner's file of the tiny lesson."""

    def judged(source: str) -> dict[str, Verdict]:
        return judge_source(tiny.lessons[0], textwrap.dedent(source).lstrip())

    return judged


@pytest.fixture
def judged(judge):
    """Judge a file whose `double` is given, and everything else right; the others must still pass."""

    def run(double: str):
        verdicts = judge(double + OTHERS)
        assert verdicts["grid"].kind is Kind.PASSED
        assert verdicts["total"].kind is Kind.PASSED
        shown = blocks([verdicts["double"]], "en")[0]
        assert 1 + len(shown.lines) <= 6
        return verdicts["double"]

    return run


@pytest.fixture
def solution() -> str:
    """The tiny lesson's solution."""
    return SOLUTION.lstrip()


@pytest.fixture
def published(monkeypatch):
    """What is published to the notebook: (data, transient, whether it replaces an earlier output)."""
    pytest.importorskip("anywidget")
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    sent = []

    class Publisher:
        def publish(self, data, metadata=None, *, transient=None, update=False, **_):
            sent.append((data, transient or {}, update))

    shell = InteractiveShell.instance()
    monkeypatch.setattr(shell, "display_pub", Publisher())
    yield sent
    InteractiveShell.clear_instance()


# ------------------------------------------------------------------------ for tests of an own engine


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> manifest.Course:
    """Lessons 00 to 02 and drafts of 05 to 10."""
    return lay_out(tmp_path_factory.mktemp("course"))


@pytest.fixture
def desk(course, tmp_path, monkeypatch) -> Desk:
    """Sit down at a folder of untouched stubs."""
    write_stubs(tmp_path / "exercises", course)
    monkeypatch.setattr(manifest, "load", lambda *_: course)
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path, course)


@pytest.fixture
def right() -> list[float]:
    """The same gradients by minitorch's own scalar engine."""
    x, y = Value(3.0), Value(-2.0)
    loss = 2 * x * y + (x - y) ** 2 - x
    loss.backward()
    return [loss.data, x.grad, y.grad]
