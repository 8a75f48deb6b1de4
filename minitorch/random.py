"""torch.random: the seed and the state of the common generator, from which all random numbers come unless told.

Numbers are drawn on the host, whatever the device they go to, so that there is one state and none for each GPU.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.scope import current_scope
from minitorch.generator import read_state, written_state
from minitorch.ops.random import manual_seed

__all__ = ["fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state"]


def seed() -> int:
    """Starts the common generator from a seed that the operating system gives, and returns it.

    >>> seed() == initial_seed()
    True
    """
    return current_scope().random.seed(None)


def initial_seed() -> int:
    """The seed that the common generator was started from.

    >>> manual_seed(3)
    >>> initial_seed()
    3
    """
    return current_scope().random.initial_seed


def get_rng_state() -> Tensor:
    """All that decides the next random numbers, as a Tensor of bytes: for `set_rng_state`, or a checkpoint.

    >>> from minitorch import rand
    >>> state = get_rng_state()
    >>> first = rand(2)
    >>> set_rng_state(state)
    >>> first.equal(rand(2))
    True
    """
    random = current_scope().random
    return written_state(random.generator.bit_generator, random.initial_seed)


def set_rng_state(new_state: Any) -> None:
    """Goes on from what `get_rng_state` gave. Raises ValueError for anything else."""
    random = current_scope().random
    random.initial_seed = read_state(random.generator.bit_generator, new_state, "set_rng_state")


@contextlib.contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, **_options: Any) -> Iterator[None]:  # noqa: ARG001
    """Inside, numbers may be drawn and seeds set; afterwards the common generator goes on as if nothing had been.

    enabled: False changes nothing. devices and PyTorch's other options are accepted and say nothing here.

    >>> from minitorch import rand
    >>> manual_seed(1)
    >>> with fork_rng():
    ...     inside = rand(2)
    >>> inside.equal(rand(2))
    True
    """
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)
