"""Writes tests/golden/optim.npz: parameters and learning rates along small trainings, computed by PyTorch in float64.

Run it in an environment with PyTorch whenever tests/optim_problem.py or tests/lr_schedules.py changes:

    python scripts/make_golden_optim.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from lr_schedules import SCHEDULES, curve, optimizer_of  # noqa: E402 (found on the path added above)
from optim_problem import NEWTONS, RUNS, descend, run, start  # noqa: E402

FILE = TESTS / "golden" / "optim.npz"


def leaf(values: np.ndarray) -> torch.Tensor:
    """A parameter."""
    return torch.tensor(values, requires_grad=True)


def give(param: torch.Tensor, grad: np.ndarray | None) -> None:
    """Sets the gradient."""
    param.grad = None if grad is None else torch.tensor(grad)


def main() -> None:
    """Runs everything and writes the file."""
    arrays: dict[str, np.ndarray] = {}
    for name, kind, options in RUNS:
        params = [leaf(values) for values in start()]
        optimizer = getattr(torch.optim, kind)(params, **options, foreach=False)
        rows = run(optimizer, params, lambda param: param.detach().numpy(), give)
        arrays[name] = rows[[0, 1, 2, 9, 49, 99]]
    for name, options in NEWTONS:
        arrays[name] = descend(lambda params, options=options: torch.optim.LBFGS(params, **options), leaf)
    for name, build in SCHEDULES.items():
        arrays[f"lr {name}"] = curve(build, torch.optim.lr_scheduler, optimizer_of(torch.optim, leaf))
    names = np.array(list(arrays))
    flat = np.concatenate([array.reshape(-1) for array in arrays.values()])
    shapes = np.array([array.shape for array in arrays.values()])
    made_with = np.array(torch.__version__.split("+")[0])
    np.savez_compressed(FILE, names=names, shapes=shapes, values=flat, made_with=made_with)
    print(f"{FILE.relative_to(TESTS.parent)}: {len(names)} runs, {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
