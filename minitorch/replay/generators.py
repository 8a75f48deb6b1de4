"""Generators: sources of random numbers around a step, other than the one that `manual_seed` sets."""

from __future__ import annotations

import functools
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np

GENERATORS = (random.Random, np.random.Generator, np.random.RandomState)


class Watch:
    """Whether one generator is drawn from, or seeded, while a step is written down.

    generator: of Python's or of NumPy's, or one of the modules that have one of their own.
    """

    def __init__(self, generator: Any) -> None:
        state: Callable[[], Any]
        if isinstance(generator, np.random.Generator):
            bits = generator.bit_generator
            state, self._put_back = lambda: bits.state, functools.partial(setattr, bits, "state")
        elif hasattr(generator, "getstate"):
            state, self._put_back = generator.getstate, generator.setstate
        else:
            state, self._put_back = generator.get_state, generator.set_state
        self._state, self._draw, self._before = state, generator.random, state()
        self._moved = b""

    def begin(self) -> None:
        """Moves it on by one number, so that one that is seeded alike in each step is told from one that is not."""
        self._draw()
        self._moved = pickle.dumps(self._state())

    def was_used(self) -> bool:
        """Whether anybody has drawn from it, or seeded it, since `begin`."""
        return pickle.dumps(self._state()) != self._moved

    def restore(self) -> None:
        """Puts it back to where it was."""
        self._put_back(self._before)
