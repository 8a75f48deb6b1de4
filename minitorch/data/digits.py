"""load_digits: 1,797 handwritten digits, 8 × 8 pixels each, from scikit-learn: nothing is downloaded."""

from __future__ import annotations

import numpy as np

from minitorch.data.dataset import TensorDataset

__all__ = ["load_digits"]


def load_digits(*, test: float = 0.2, seed: int = 0) -> tuple[TensorDataset, TensorDataset]:
    """The digits for training and, a share of `test` of them, for testing; which is which is drawn from the seed.

    Images are (N, 1, 8, 8), float32 from 0 (paper) to 1 (ink), labels (N,), int64.
    Raises ModuleNotFoundError where scikit-learn is missing, ValueError when test is not between 0 and 1.
    Source: Alpaydin and Kaynak, "Optical recognition of handwritten digits", UCI repository, 1998.
    """
    if not 0 < test < 1:
        raise ValueError(f"load_digits: test is the share of digits to test with, between 0 and 1, not {test}")
    try:
        from sklearn import datasets
    except ModuleNotFoundError as error:
        if error.name != "sklearn":
            raise
        raise ModuleNotFoundError(
            "the digits come with scikit-learn, which is not installed: pip install 'minitorch-course[digits]'",
            name="sklearn",
        ) from None
    pixels, labels = datasets.load_digits(return_X_y=True)
    images = (pixels / 16).astype(np.float32).reshape(-1, 1, 8, 8)
    order = np.random.default_rng(seed).permutation(len(images))
    cut = round(len(images) * (1 - test))
    return tuple(TensorDataset(images[rows], labels[rows].astype(np.int64)) for rows in (order[:cut], order[cut:]))  # type: ignore[return-value]
