"""Special functions computed in float64, whatever the dtype: ours in `in_double`, SciPy's by `scipy_special`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from minitorch.autograd.promotion import as_float
from minitorch.backend import as_result, is_array, on_gpu

__all__ = ["in_double", "scipy_special"]


def in_double(function: Callable[..., Any], *inputs: Any) -> Any:
    """function(*inputs), computed in float64 and without warnings; the answer has the dtype of the floats given."""
    arrays = [as_result(each) if isinstance(each, np.generic) else each for each in inputs]
    dtype = np.result_type(*[as_float(each).dtype for each in arrays if is_array(each)] or [np.float64])
    with np.errstate(all="ignore"):
        out = function(*[each.astype(np.float64, copy=False) if is_array(each) else each for each in arrays])
    return as_result(out).astype(dtype, copy=False)


def scipy_special(name: str, asked: str) -> Callable[..., Any]:
    """SciPy's function of that name, imported when it is called; of CuPy's arrays it is CuPy's own.

    asked: the function of minitorch that the error names. Raises ImportError where SciPy is missing.
    """

    def call(*inputs: Any) -> Any:
        try:
            library = importlib.import_module("cupyx.scipy.special" if any(map(on_gpu, inputs)) else "scipy.special")
        except ModuleNotFoundError as error:
            sentence = f'minitorch.{asked} needs SciPy: pip install "minitorch-course[scipy]"'
            raise ImportError(sentence, name=error.name) from None
        return getattr(library, name)(*inputs)

    return call
