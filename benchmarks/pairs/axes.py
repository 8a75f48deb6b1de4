"""Along an axis: sums, extremes, order."""

from __future__ import annotations

import numpy as np

from benchmarks.pairs import plain
from benchmarks.pairs.pair import COLUMNS, ROW, Pair, X, op

_ODD = X[:, :99].copy()  # of an even count PyTorch's median is the lower of two, NumPy's their mean

_ALONG_THE_LAST = {
    "all": np.all,
    "amax": np.amax,
    "amin": np.amin,
    "any": np.any,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "argsort": np.argsort,
    "count_nonzero": np.count_nonzero,
    "cumprod": np.cumprod,
    "cumsum": np.cumsum,
    "linalg.norm": np.linalg.norm,
    "linalg.vector_norm": np.linalg.norm,
    "log_softmax": plain.log_softmax,
    "logsumexp": plain.logsumexp,
    "max": lambda x, axis: (x.max(axis), x.argmax(axis)),
    "mean": np.mean,
    "min": lambda x, axis: (x.min(axis), x.argmin(axis)),
    "aminmax": lambda x, axis: (x.min(axis), x.max(axis)),
    "nanmean": np.nanmean,
    "nansum": np.nansum,
    "norm": np.linalg.norm,
    "prod": np.prod,
    "softmax": plain.softmax,
    "std": lambda x, axis: x.std(axis, ddof=1),
    "std_mean": lambda x, axis: (x.std(axis, ddof=1), x.mean(axis)),
    "sum": np.sum,
    "var": lambda x, axis: x.var(axis, ddof=1),
    "var_mean": lambda x, axis: (x.var(axis, ddof=1), x.mean(axis)),
}

PAIRS = {
    **{
        name: Pair((X,), op(name, dim=-1), lambda x, function=function: function(x, axis=-1))
        for name, function in _ALONG_THE_LAST.items()
    },
    "bincount": Pair((COLUMNS.ravel(),), op("bincount"), np.bincount),
    "diff": Pair((X,), op("diff"), np.diff),
    "median": Pair((_ODD,), op("median", dim=-1), plain.median),
    "searchsorted": Pair((np.sort(ROW), X), op("searchsorted"), np.searchsorted),
    "sort": Pair((X,), op("sort"), plain.sort),
    "topk": Pair((X,), op("topk", 5), plain.topk),
    "unique": Pair((COLUMNS,), op("unique"), np.unique),
}
