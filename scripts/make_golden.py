"""Writes tests/golden/ops.npz: values and gradients of every case of the op table, computed by PyTorch in float64.

Run it in an environment with PyTorch whenever the table changes:

    python scripts/make_golden.py

Inputs are not stored: the table draws them again, from a bit stream that never changes. What is stored is one flat
array of float64, and for each case the shapes of its pieces and a checksum of its inputs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import torch

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from golden import FILE, checksum  # noqa: E402 (found on the path added above)
from op_table import CASES, run  # noqa: E402


def main() -> None:
    """Computes every case and writes the file."""
    index: dict[str, object] = {}
    pieces: list[np.ndarray] = []
    for case in CASES:
        result = run(case, torch, torch.tensor)
        arrays = [result.value, *result.gradients]
        index[case.name] = [checksum(case.inputs()), *[list(array.shape) for array in arrays]]
        pieces += [array.astype(np.float64).reshape(-1) for array in arrays]
    FILE.parent.mkdir(exist_ok=True)
    made_with = np.array(torch.__version__.split("+")[0])
    np.savez_compressed(FILE, values=np.concatenate(pieces), index=np.array(json.dumps(index)), made_with=made_with)
    print(f"{FILE.relative_to(TESTS.parent)}: {len(CASES)} cases, {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
