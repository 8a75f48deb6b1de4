"""Default generator: all random numbers come from it, unless a call names another one."""

from __future__ import annotations

import os

import numpy as np


class DefaultGenerator:
    """Generator of random numbers on the CPU, made when first asked for: numpy.random takes 15 ms to import.

    initial_seed: what it was started from; the operating system's unless `seed` was called.
    """

    __slots__ = ("_generator", "_seed")

    def __init__(self) -> None:
        self._generator: np.random.Generator | None = None
        self._seed = 0

    @property
    def generator(self) -> np.random.Generator:
        """Return the generator itself."""
        if self._generator is None:
            self._seed = fresh_seed()
            self._generator = np.random.Generator(np.random.PCG64(self._seed))
        return self._generator

    @property
    def initial_seed(self) -> int:
        """Return the seed that the generator was started from. Setting it does not change the generator's state."""
        return self._seed if self._generator is not None else self.seed(None)

    @initial_seed.setter
    def initial_seed(self, seed: int) -> None:
        self._seed = seed

    def seed(self, seed: int | None) -> int:
        """Start again from `seed`, and return it; None is one that the operating system gives.

        The generator stays the same object, so a variable that holds it draws from the new seed.
        """
        bits = self.generator.bit_generator
        self._seed = fresh_seed() if seed is None else seed
        bits.state = np.random.PCG64(self._seed).state
        return self._seed


def fresh_seed() -> int:
    """Return 64 bits from the operating system, which nobody can know beforehand."""
    return int.from_bytes(os.urandom(8), "little")
