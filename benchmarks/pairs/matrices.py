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
            "linalg.cond": np.linalg.cond,
            "linalg.eigh": np.linalg.eigh,
            "linalg.eigvalsh": np.linalg.eigvalsh,
            "linalg.matrix_rank": np.linalg.matrix_rank,
            "linalg.pinv": np.linalg.pinv,
            "linalg.qr": np.linalg.qr,
            "linalg.svd": np.linalg.svd,
            "det": np.linalg.det,
            "inverse": np.linalg.inv,
            "slogdet": np.linalg.slogdet,
            "logdet": lambda a: np.linalg.slogdet(a)[1],
        },
    ),
    **each_alike((_WELL, SQUARE), {"linalg.solve": np.linalg.solve}),
    "matrix_power": Pair((_WELL,), lambda a: op("matrix_power")(a, 3), lambda a: np.linalg.matrix_power(a, 3)),
    "linalg.matrix_power": Pair(
        (_WELL,), lambda a: op("linalg.matrix_power")(a, 3), lambda a: np.linalg.matrix_power(a, 3)
    ),
    "linalg.solve_triangular": Pair(
        (_WELL, SQUARE), op("linalg.solve_triangular", upper=True), lambda a, b: np.linalg.solve(np.triu(a), b)
    ),
    "cholesky_solve": Pair(
        (SQUARE, _WELL),
        op("cholesky_solve"),
        lambda b, a: np.linalg.solve(np.tril(a).T, np.linalg.solve(np.tril(a), b)),
    ),
    "linalg.lstsq": Pair(
        (_WELL, SQUARE),
        lambda a, b: op("linalg.lstsq")(a, b).solution,
        lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0],
    ),
    **each_alike((X.ravel(), Y.ravel()), {"dist": lambda x, y: np.linalg.norm(x - y)}),
    **each_alike(
        (SQUARE[:, :10], SQUARE[:, 10:20]),
        {"cdist": lambda x, y: np.linalg.norm(x[:, None] - y, axis=-1)},
    ),
    "diag_embed": Pair((SQUARE[0],), op("diag_embed"), np.diag),
    "quantile": Pair((X,), lambda x: op("quantile")(x, 0.3), lambda x: np.quantile(x, np.float32(0.3))),
    "addmm": Pair((SQUARE, SQUARE, SQUARE), op("addmm", beta=0.5), lambda a, x, y: 0.5 * a + x @ y),
    "baddbmm": Pair((_BATCH, _BATCH, _OTHER_BATCH), op("baddbmm", beta=0.5), lambda a, x, y: 0.5 * a + x @ y),
    "einsum": Pair(
        (_BATCH, _OTHER_BATCH),
        lambda x, y: op("einsum")("bij,bjk->bik", x, y),
        lambda x, y: np.einsum("bij,bjk->bik", x, y, optimize=True),
    ),
}
