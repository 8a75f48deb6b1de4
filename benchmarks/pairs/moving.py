"""The same numbers in other places: copies, joins, and indexing."""

from __future__ import annotations

import numpy as np

from benchmarks.pairs import plain
from benchmarks.pairs.pair import BOOLS, COLUMNS, ROWS, SQUARE, Pair, X, Y, each_alike, op

_EACH_ROW = np.arange(1000)[:, None]

PAIRS = {
    "cat": Pair((X, Y), lambda x, y: op("cat")([x, y]), lambda x, y: np.concatenate([x, y])),
    "stack": Pair((X, Y), lambda x, y: op("stack")([x, y]), lambda x, y: np.stack([x, y])),
    "hstack": Pair((X, Y), lambda x, y: op("hstack")([x, y]), lambda x, y: np.hstack([x, y])),
    "vstack": Pair((X, Y), lambda x, y: op("vstack")([x, y]), lambda x, y: np.vstack([x, y])),
    **each_alike((BOOLS,), {"argwhere": np.argwhere, "nonzero": np.argwhere}),
    **each_alike((SQUARE[0],), {"diag": np.diag}),
    **each_alike((X, BOOLS), {"masked_select": lambda x, mask: x[mask]}),
    **each_alike((X, COLUMNS), {"take": np.take}),
    "flip": Pair((X,), op("flip", (0,)), lambda x: np.flip(x, 0).copy()),  # PyTorch's is a copy
    "repeat": Pair((X,), op("repeat", 2, 1), lambda x: np.tile(x, (2, 1))),
    "repeat_interleave": Pair((X,), op("repeat_interleave", 2, 0), lambda x: np.repeat(x, 2, 0)),
    "roll": Pair((X,), op("roll", 7, 0), lambda x: np.roll(x, 7, 0)),
    "gather": Pair((X, COLUMNS), lambda x, i: op("gather")(x, 1, i), lambda x, i: np.take_along_axis(x, i, 1)),
    "take_along_dim": Pair((X, COLUMNS), op("take_along_dim", 1), lambda x, i: np.take_along_axis(x, i, 1)),
    "scatter": Pair((X, COLUMNS, Y), lambda x, i, y: op("scatter")(x, 1, i, y), plain.put_along),
    "scatter_add": Pair(
        (X, COLUMNS, Y),
        lambda x, i, y: op("scatter_add")(x, 1, i, y),
        lambda x, i, y: plain.added_at(x, (_EACH_ROW, i), y),
    ),
    "index_select": Pair((X, ROWS), lambda x, i: op("index_select")(x, 0, i), lambda x, i: x[i]),
    "index_add": Pair((X, ROWS, Y), lambda x, i, y: op("index_add")(x, 0, i, y), plain.added_at),
    "index_copy": Pair((X, ROWS, Y), lambda x, i, y: op("index_copy")(x, 0, i, y), plain.put),
    "index_fill": Pair((X, ROWS), lambda x, i: op("index_fill")(x, 0, i, 1.0), lambda x, i: plain.put(x, i, 1)),
    "index_put": Pair((X, ROWS, Y), lambda x, i, y: op("index_put")(x, (i,), y), plain.put),
}
