"""One set of kernels for the outputs of notebooks, whichever processor is at hand.

OpenBLAS and NumPy choose their inner loops by the processor, and loops of another width add in another order. A last
bit more or less is nothing to a reader, but 120 steps at fifty times the right rate make another curve of it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

WIDEST = {"X86_V3", "AVX2"}  # 256 bits, with a fused multiply-add; NumPy has renamed it
WIDER = ("X86_V4", "AVX512")
LEFT_OUT = "NPY_DISABLE_CPU_FEATURES"  # the variable in which NumPy is told what not to use


def common_kernels(found: Sequence[str] | None = None) -> dict[str, str]:
    """Return the environment in which a new process computes with one thread and the kernels for 256 bits.

    found: the extensions that NumPy could use here, by its names; None for what it says itself. Without 256 bits (ARM,
    or an old processor) only the thread is settled: there the last bits are the processor's own.
    """
    if found is None:
        found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    if not WIDEST.intersection(found):
        return one_thread
    # A process that was started with these kernels no longer finds the wider ones: they stay left out for its children.
    wider = {*os.environ.get(LEFT_OUT, "").split(), *(name for name in found if name.startswith(WIDER))}
    return one_thread | {"OPENBLAS_CORETYPE": "Haswell", LEFT_OUT: " ".join(sorted(wider))}
