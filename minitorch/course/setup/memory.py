"""How much memory a program may ask for here, where the system says so."""

from __future__ import annotations

import sys

LEAST = 256 << 20  # of address space: below, NumPy and the course do not even load
ENOUGH = 1 << 30  # what a check may use


def address_space() -> int | None:
    """The bytes of address space that this process may have (`ulimit -v`); None where there is no bound."""
    if sys.platform == "win32":
        return None
    import resource

    bound, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if bound == resource.RLIM_INFINITY else bound
