"""Who multiplies matrices here: NumPy's BLAS, the kernels that it chose for this processor, and what others would give.

Most of a training's time is products of matrices. OpenBLAS has kernels for each family of processors, and on some that
could run the wide ones (AVX-512) it takes narrower ones. What it takes is fixed when NumPy is loaded, so other kernels
are tried in a process of its own.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

CORETYPE = "OPENBLAS_CORETYPE"
WIDE = "SKYLAKEX"
_WIDE_ONES = frozenset(("SkylakeX", "Cooperlake", "Sapphirerapids"))
_LIMIT_S = 20
# CPU seconds of the quickest of some products of two matrices that stay in the cache.
_TIMED = """
import time
import numpy as np
a = np.ones((256, 256), np.float32)
times = []
for _ in range(40):
    start = time.process_time_ns()
    for _ in range(4):
        a @ a
    times.append(time.process_time_ns() - start)
print(min(times))
"""


@dataclass(frozen=True)
class Blas:
    """library: such as openblas, with its version. kernels: the family of processors that they were written for."""

    library: str
    version: str
    kernels: str

    def __str__(self) -> str:
        return f"{self.library} {self.version}, kernels for {self.kernels}"


def blas() -> Blas | None:
    """What NumPy multiplies matrices with; None where nobody can tell, as without threadpoolctl or with Accelerate."""
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return None
    import numpy.linalg  # noqa: F401 (what is not loaded is not found)

    for pool in threadpool_info():
        if pool["user_api"] == "blas":
            return Blas(pool["internal_api"], pool["version"] or "?", pool.get("architecture") or "?")
    return None


def could_be_wider(found: Blas) -> bool:
    """Whether the processor has AVX-512, and OpenBLAS took kernels without it."""
    return found.library == "openblas" and found.kernels not in _WIDE_ONES and _has_avx512()


def _has_avx512() -> bool:
    if platform.machine() not in ("x86_64", "AMD64"):
        return False
    try:
        return " avx512f " in Path("/proc/cpuinfo").read_text("utf-8", "replace").replace("\n", " \n")
    except OSError:
        return False  # elsewhere the system does not say


def time_with_wide_kernels() -> float | None:
    """The time of a product of matrices with the kernels for AVX-512, as a part of its time now; None if it fails."""
    now, wide = (_timed({}), _timed({CORETYPE: WIDE}))
    return None if not now or not wide else wide / now


def _timed(more: dict[str, str]) -> int:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", **more}
    command = [sys.executable, "-c", _TIMED]
    try:
        done = subprocess.run(  # noqa: S603 (this file's own program)
            command, capture_output=True, text=True, env=environment, timeout=_LIMIT_S, check=True
        )
        return int(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return 0
