"""Same weights, same batches: for a hundred steps the loss is PyTorch's, to eight digits."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from curves import STEPS, TRAININGS, curve

import minitorch
import minitorch.optim
from minitorch import Tensor

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "curves.npz"


@pytest.mark.parametrize("name", TRAININGS)
def test_the_loss_curve_is_the_one_that_pytorch_gave_and_has_the_same_bits_twice(name: str) -> None:
    with np.load(GOLDEN) as golden:
        theirs = golden[name]
    ours = curve(name, minitorch, Tensor)
    assert len(ours) == STEPS
    np.testing.assert_allclose(ours, theirs, rtol=1e-8)
    assert np.mean(ours[-7:]) < np.mean(ours[:7])  # over all seven batches
    assert curve(name, minitorch, Tensor) == ours


@pytest.mark.parametrize("name", TRAININGS)
def test_the_loss_curve_is_the_one_that_pytorch_gives_now(name: str, torch: Any) -> None:
    np.testing.assert_allclose(curve(name, minitorch, Tensor), curve(name, torch, torch.tensor), rtol=1e-8)
