"""A replayed step does what the eager one does, to the last bit: losses, parameters, buffers, gradients."""

from __future__ import annotations

import pytest
from replay_programs import PROGRAMS, left, run


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_twenty_steps_have_the_same_bits(name):
    eager, training, _ = run(PROGRAMS[name], captured=False)
    replayed, other, step = run(PROGRAMS[name], captured=True)
    assert step.is_captured
    assert replayed == eager
    assert left(other) == left(training)
