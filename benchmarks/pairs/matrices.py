"""Products of matrices, and what comes out of one matrix."""

from __future__ import annotations

import numpy as np

from benchmarks.pairs.pair import ROW, SQUARE, Pair, X, Y, each_alike, normal, op

_BATCH, _OTHER_BATCH = normal(10, 100, 100), normal(10, 100, 100)
_WELL = np.eye(316, dtype=np.float32) + np.float32(0.005) * (SQUARE + SQUARE.T)  # far from singular

PAIRS = {
    **each_alike((SQUARE, SQUARE), {"matmul": np.matmul, "mm": np.matmul}),
    **each_alike((_BATCH, _OTHER_BATCH), {"bmm": np.matmul}),
    **each_alike((X, ROW), {"mv": np.matmul}),
    **each_alike((X.ravel(), Y.ravel()), {"dot": np.dot}),
    **each_alike((X[:300], Y[:300]), {"inner": np.inner}),
    **each_alike((SQUARE[0], SQUARE[1]), {"outer": np.outer}),
    **each_alike((SQUARE[:10, :10], X[:30, :30]), {"kron": np.kron}),
    **each_alike((X, Y), {"tensordot": np.tensordot}),
    **each_alike((SQUARE,), {"trace": np.trace, "tril": np.tril, "triu": np.triu}),
    **each_alike(
        (_WELL,),
        {
            "linalg.cholesky": np.linalg.cholesky,
            "linalg.det": np.linalg.det,
            "linalg.inv": np.linalg.inv,
            "linalg.matrix_norm": np.linalg.norm,
            "linalg.slogdet": np.linalg.slogdet,
            "linalg.svdvals": np.linalg.svdvals,
        },
    ),
    **each_alike((_WELL, SQUARE), {"linalg.solve": np.linalg.solve}),
    "addmm": Pair((SQUARE, SQUARE, SQUARE), op("addmm", beta=0.5), lambda a, x, y: 0.5 * a + x @ y),
    "baddbmm": Pair((_BATCH, _BATCH, _OTHER_BATCH), op("baddbmm", beta=0.5), lambda a, x, y: 0.5 * a + x @ y),
    "einsum": Pair(
        (_BATCH, _OTHER_BATCH),
        lambda x, y: op("einsum")("bij,bjk->bik", x, y),
        lambda x, y: np.einsum("bij,bjk->bik", x, y, optimize=True),
    ),
}
