"""Writes tests/golden/curves.npz: the loss curves of tests/curves.py as PyTorch computes them, in float64.

Run it in an environment with PyTorch whenever a training changes:

    python scripts/make_golden_curves.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from curves import TRAININGS, curve  # noqa: E402 (found on the path added above)


def main() -> None:
    """Trains each of them."""
    torch.set_num_threads(1)
    found = {name: np.array(curve(name, torch, torch.tensor)) for name in TRAININGS}
    file = TESTS / "golden" / "curves.npz"
    np.savez_compressed(file, made_with=np.array(torch.__version__.split("+")[0]), **found)
    for name, losses in found.items():
        print(f"{name}: {losses[0]:.4f} → {losses[-1]:.4f}")
    print(f"{file.relative_to(TESTS.parent)}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
