"""Replay: a training step is traced once, as a program of NumPy's calls, and from then on replayed.

    step = minitorch.capture(train_step, model, optimizer)

step.py      capture, captured, and the step that they make: eager, traced, replayed or audited
tracing.py   one step runs while its calls are recorded
traced.py    the arrays that stand in for NumPy's
recorder.py  each call as an instruction
program.py   instructions, and the arrays that they name
passes       what makes a program shorter and quicker, one file each
source.py    a program as a page of Python
naming.py    what that page calls each array, and which lines of the engine say so
stages.py    the program after each pass, and how long it takes then
ready.py     a program with its page, ready to run
contract.py  what a replay takes for granted, checked before each
layout.py    which arguments a program is made for
state.py     all that a step changes, to go back to and to compare with
"""

from __future__ import annotations

from minitorch.replay.stages import Stage, stages
from minitorch.replay.step import CapturedStep, capture, captured
from minitorch.replay.traced import CannotCaptureError

__all__ = ["CannotCaptureError", "CapturedStep", "Stage", "capture", "captured", "stages"]
