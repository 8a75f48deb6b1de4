"""load_digits: 1,797 handwritten digits, 8 × 8 pixels each, that come with the package: nothing is downloaded.

`digits.npz` holds the test set of "Optical Recognition of Handwritten Digits" in its own order, pixels from 0 to 16, by
Ethem Alpaydin and Cenk Kaynak, UCI Machine Learning Repository, 1998, doi:10.24432/C50P49, under the licence CC BY 4.0
(creativecommons.org/licenses/by/4.0). Changed: what was a table of text is stored as 8-bit numbers.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from minitorch.data.dataset import TensorDataset

__all__ = ["load_digits"]

FILE = Path(__file__).with_name("digits.npz")
INK = 16  # the largest pixel: so many of the 4 × 4 dots that it stands for are black


def load_digits(*, test: float = 0.2, seed: int = 0) -> tuple[TensorDataset, TensorDataset]:
    """The digits for training and, a share of `test` of them, for testing; which is which is drawn from the seed.

    Images are (N, 1, 8, 8), float32 from 0 (paper) to 1 (ink), labels (N,), int64.
    Raises ValueError when test is not between 0 and 1.
    Source: Alpaydin and Kaynak, "Optical recognition of handwritten digits", UCI repository, 1998, CC BY 4.0.

    >>> train, test = load_digits()
    >>> len(train), len(test), train.tensors[0].shape
    (1438, 359, (1438, 1, 8, 8))
    """
    if not 0 < test < 1:
        raise ValueError(f"load_digits: test is the share of digits to test with, between 0 and 1, not {test}")
    with np.load(FILE, allow_pickle=False) as stored:
        images = (stored["pixels"] / INK).astype(np.float32)[:, None]  # (N, 1, 8, 8)
        labels = stored["labels"].astype(np.int64)
    order = np.random.default_rng(seed).permutation(len(images))
    cut = round(len(images) * (1 - test))
    training, testing = (TensorDataset(images[rows], labels[rows]) for rows in (order[:cut], order[cut:]))
    return training, testing
