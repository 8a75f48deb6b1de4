"""Writes tests/golden/layers.npz: what PyTorch's layers and losses compute in float64, for every case of the table.

Run it in an environment with PyTorch whenever tests/layer_cases.py changes:

    python scripts/make_golden_layers.py

Inputs and weights are not stored: the table draws them again. What is stored is one flat array of float64, and for each
case the module's text, the names and shapes of its state, and the shapes of outputs, gradients and buffers.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import torch

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from layer_cases import CASES, FILE, run  # noqa: E402 (found on the path added above)


def main() -> None:
    """Computes every case and writes the file."""
    warnings.simplefilter("ignore")  # PyTorch's notes on what it deems slow
    index: dict[str, object] = {}
    pieces: list[np.ndarray] = []
    for case in CASES:
        result = run(case, torch.nn, torch.tensor)
        index[case.name] = [result.text, result.keys, result.shapes, [list(each.shape) for each in result.arrays]]
        pieces += [each.reshape(-1) for each in result.arrays]
    made_with = np.array(torch.__version__.split("+")[0])
    np.savez_compressed(FILE, values=np.concatenate(pieces), index=np.array(json.dumps(index)), made_with=made_with)
    print(f"{FILE.relative_to(TESTS.parent)}: {len(CASES)} cases, {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
