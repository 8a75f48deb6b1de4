"""A remote driver sees what a driver in the learner's own process sees: the same file, observed both ways."""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path

import pytest
from both_ways import FILE, check, seen

from minitorch.course.sandbox.remote.runner import RemoteRunner
from minitorch.course.sandbox.runner import Runner

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="started with what POSIX offers")
HERE = Path(__file__).parent
LEARNER = (HERE / "observed_afar.py").read_text(encoding="utf-8")
DRIVERS = {each["what"]: each for each in tomllib.loads((HERE / "remote_drivers.toml").read_text("utf-8"))["driver"]}


@pytest.fixture(scope="module")
def runners():
    with Runner(LEARNER, FILE) as here, RemoteRunner(LEARNER, FILE) as afar:
        yield here, afar


@pytest.mark.parametrize("what", DRIVERS)
def test_it_is_the_same_from_afar(runners, what):
    here, afar = (runner.call(check(DRIVERS[what]["body"]), 5.0) for runner in runners)
    assert seen(afar) == seen(here), (afar, here)
    assert afar.kind in {"value", "raised"}
    if "want" in DRIVERS[what]:
        assert afar.value == ast.literal_eval(DRIVERS[what]["want"])
