"""One set of kernels for the outputs of notebooks, whichever processor is at hand.

OpenBLAS and NumPy choose their inner loops by the processor, and loops of another width add in another order. A last
bit more or less is nothing to a reader, but 120 steps at fifty times the right rate make another curve of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WIDEST = {"X86_V3", "AVX2"}  # 256 bits, with a fused multiply-add; NumPy has renamed it
WIDER = ("X86_V4", "AVX512")


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
    wider = " ".join(name for name in found if name.startswith(WIDER))
    return one_thread | {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": wider}
