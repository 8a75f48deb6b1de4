"""Whether checks can run at all: the part of `minitorch doctor` that starts a child and asks it something."""

from __future__ import annotations

import time

from minitorch.course.course_error import CourseError
from minitorch.course.judging.checks import Check
from minitorch.course.manifest import Exercise
from minitorch.course.sandbox.runner import Runner
from minitorch.course.setup.doctor import Finding
from minitorch.language import Message

SOURCE = "def double(x):\n    return 2 * x\n"
OBSERVE = "def observe(learner, x):\n    import numpy\n    return learner.double(numpy.ones(3) * x)\n"


def child_finding(lang: str) -> Finding:
    """Run a two-line file through a child, NumPy and all, and say how that went."""
    exercise = Exercise("double", "00", "double", 1, 1, Message(""), ())
    check = Check(exercise, 20.0, "", None, OBSERVE, "observe")
    start = time.perf_counter()
    try:
        with Runner(SOURCE, "doctor.py") as runner:
            outcome = runner.call(check, 21.0)
    except CourseError as error:
        return Finding("fault", str(error))
    if outcome.kind != "value" or outcome.value.tolist() != [42.0] * 3:
        return Finding(
            "fault",
            Message("a check cannot run in a process of its own: {why}", why=f"{outcome.kind} {outcome.text}").to(lang),
        )
    return Finding(
        "ok",
        Message("a check runs in a process of its own ({ms} ms)", ms=round(1000 * (time.perf_counter() - start))).to(
            lang
        ),
    )
