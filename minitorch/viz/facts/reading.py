"""Readings of arrays: the shape, the norm and, of a small one, the entries."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from minitorch.viz.facts.model import Reading

Numbers = npt.NDArray[np.float64]

SMALL = 16  # entries; larger arrays are read as a shape and a norm


def read(array: np.ndarray) -> Reading:
    """The facts about an array that a picture keeps. The norm is finite wherever all entries are."""
    flat = np.asarray(array, dtype=np.float64).ravel()
    values = tuple(flat.tolist()) if flat.size <= SMALL else None
    with np.errstate(all="ignore"):
        norm = math.sqrt(float(flat @ flat))
    if not math.isfinite(norm) and np.isfinite(flat).all():
        norm = sys.float_info.max  # the squares were too large, not the entries
    return Reading(array.shape, norm, values)


def numbers(thing: Any) -> Numbers:
    """An array of float64 from lists, arrays, Tensors and Values, nested as they come."""
    if isinstance(thing, (list, tuple)):
        return np.array([numbers(each) for each in thing], dtype=np.float64)
    if hasattr(thing, "detach") and hasattr(thing, "cpu"):
        thing = thing.detach().cpu().numpy()
    elif not isinstance(thing, (np.ndarray, np.generic, int, float)):
        thing = getattr(thing, "data", thing)
    return np.asarray(thing, dtype=np.float64)
