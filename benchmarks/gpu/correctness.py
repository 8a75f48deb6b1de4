"""Every case of the tests on the GPU beside the CPU: operations, layers, optimisers, schedules, trainings, examples."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[2] / "tests"


@dataclass(frozen=True)
class Family:
    """Cases of one kind. run(case, device) gives arrays, whose largest difference may be `within`."""

    title: str
    cases: dict[str, Any]
    run: Callable[[Any, str], list[Any]]
    within: float


@dataclass
class Outcome:
    """What came of a family: how many cases, the largest difference of those that agree, and why others do not."""

    title: str
    count: int
    within: float
    worst: float = 0.0
    failures: dict[str, str] = field(default_factory=dict)


def families() -> list[Family]:
    """All of them. The cases are those of the tests, and only a checkout has them.

    Raises RuntimeError where the tests are missing.
    """
    if not TESTS.is_dir():
        raise RuntimeError(f"there are no tests in {TESTS}: run this in a checkout of the repository")
    if str(TESTS) not in sys.path:
        sys.path.insert(0, str(TESTS))
    on_device = importlib.import_module("on_device")
    layer_cases, schedules = importlib.import_module("layer_cases"), importlib.import_module("lr_schedules")
    runs, trainings = importlib.import_module("optim_problem").RUNS, importlib.import_module("curves").TRAININGS
    examples = importlib.import_module("example_runs").SHORT

    def quiet(run: Callable[[Any, str], list[Any]]) -> Callable[[Any, str], list[Any]]:
        return lambda case, device: on_device.quietly(lambda: run(case, device))

    def by_name(cases: Any) -> dict[str, Any]:
        return {case.name: case for case in cases}

    return [
        Family("operations: values and gradients", by_name(on_device.OPERATIONS), quiet(on_device.operation), 1e-9),
        Family("operations: second gradients", by_name(on_device.SECOND), quiet(on_device.second_gradients), 1e-8),
        Family("layers and losses", by_name(layer_cases.CASES), quiet(on_device.layer), 1e-9),
        Family("optimisers, three steps", {run[0]: run for run in runs}, on_device.optimizer, 1e-12),
        Family("schedules, forty epochs", {name: name for name in schedules.SCHEDULES}, on_device.schedule, 1e-12),
        Family("trainings, ten steps in float64", {name: name for name in trainings}, on_device.training, 1e-7),
        Family("examples, a few steps in float32", {name: name for name in examples}, on_device.example, 1e-3),
    ]


def checked(family: Family, device: str, watch: Callable[[int], None] = lambda done: None) -> Outcome:
    """Runs every case on the CPU and on the device; a case that fails is written down, and the others go on.

    watch is told how many are done.
    """
    difference = importlib.import_module("on_device").difference
    outcome = Outcome(family.title, len(family.cases), family.within)
    for done, (name, case) in enumerate(family.cases.items(), 1):
        try:
            with contextlib.redirect_stdout(sys.stderr):  # what an example prints is no part of the report
                found = difference(family.run(case, device), family.run(case, "cpu"))
        except Exception as error:  # noqa: BLE001 (whatever it is, it is what the report is for)
            if isinstance(error, ImportError) and (error.name or "").startswith("scipy"):
                outcome.count -= 1  # a special function that SciPy computes, and SciPy is not installed
                continue
            outcome.failures[name] = f"{type(error).__name__}: {error}"
        else:
            if found <= family.within:
                outcome.worst = max(outcome.worst, found)
            else:
                outcome.failures[name] = f"the numbers differ by {found:.1e}"
        watch(done)
    return outcome


def as_markdown(outcomes: list[Outcome]) -> Iterator[str]:
    """The table, and below it every case that does not agree."""
    yield "| what | cases | agree | largest difference | allowed |"
    yield "|---|---|---|---|---|"
    for each in outcomes:
        agree = each.count - len(each.failures)
        yield f"| {each.title} | {each.count:,} | {agree:,} | {each.worst:.1e} | {each.within:.0e} |"
    for each in outcomes:
        for name, why in each.failures.items():
            yield f"\n* {each.title}, `{name}`: {' '.join(why.split())[:300]}"
