"""Generators, where random orders come from: made of a seed, and written as text."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from minitorch.autograd.scope import current_scope

__all__ = ["as_generator", "generator_state", "restore_generator"]


def as_generator(generator: np.random.Generator | int | None) -> np.random.Generator:
    """A NumPy Generator itself, a new one for a seed, and for None the common one, which `manual_seed` starts.

    Raises TypeError for anything else.

    >>> as_generator(1).random() == as_generator(1).random()
    True
    """
    if generator is None:
        return current_scope().random.generator
    if isinstance(generator, np.random.Generator):
        return generator
    if isinstance(generator, (int, np.integer)) and not isinstance(generator, bool):
        return np.random.Generator(np.random.PCG64(int(generator) % 2**64))
    raise TypeError(f"generator must be a NumPy Generator, a seed (an integer) or None, not {type(generator).__name__}")


def generator_state(generator: np.random.Generator) -> str:
    """All that decides the generator's next numbers, as JSON: its integers are longer than any array's.

    >>> drawn = as_generator(1)
    >>> state = generator_state(drawn)
    >>> first = drawn.random()
    >>> restore_generator(drawn, state)
    >>> first == drawn.random()
    True
    """
    return json.dumps(generator.bit_generator.state, default=lambda value: np.asarray(value).tolist())


def restore_generator(generator: np.random.Generator, state: str) -> None:
    """Sets the generator, which stays the same object, to a state from `generator_state`.

    Raises ValueError for the state of another kind of generator.
    """
    loaded: dict[str, Any] = json.loads(state)
    kind = type(generator.bit_generator).__name__
    if loaded.get("bit_generator") != kind:
        raise ValueError(f"this is the state of a {loaded.get('bit_generator')} generator, but this one is {kind}")
    generator.bit_generator.state = loaded
