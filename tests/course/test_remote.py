"""A remote driver sees what a driver in the learner's own process sees: the same file, observed both ways."""

from __future__ import annotations

import ast
import sys
import textwrap
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from both_ways import seen

from minitorch.course.sandbox.remote.runner import RemoteRunner
from minitorch.course.sandbox.runner import Runner

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="started with what POSIX offers")
FILE = "lesson_01_tiny.py"
HERE = Path(__file__).parent
LEARNER = (HERE / "observed_afar.py").read_text(encoding="utf-8")
DRIVERS = {each["what"]: each for each in tomllib.loads((HERE / "remote_drivers.toml").read_text("utf-8"))["driver"]}


@pytest.fixture(scope="module")
def runners():
    with Runner(LEARNER, FILE) as here, RemoteRunner(LEARNER, FILE) as afar:
        yield here, afar


def check(body, limit_s=5.0):
    """A check with that driver."""
    text = "def observe(learner, x):\n" + textwrap.indent(body, "    ")
    exercise = SimpleNamespace(name="same", target="same")
    shipped = {"observe": text, "observe_name": "observe", "given": "", "given_name": ""}
    return SimpleNamespace(exercise=exercise, limit_s=limit_s, **shipped)


@pytest.mark.parametrize("what", DRIVERS)
def test_it_is_the_same_from_afar(runners, what):
    here, afar = (runner.call(check(DRIVERS[what]["body"]), 5.0) for runner in runners)
    assert seen(afar) == seen(here), (afar, here)
    assert afar.kind in {"value", "raised"}
    if "want" in DRIVERS[what]:
        assert afar.value == ast.literal_eval(DRIVERS[what]["want"])
