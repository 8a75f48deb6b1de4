"""Linear algebra under PyTorch's names: `minitorch.linalg.inv(A)`. The last two axes are the matrix, others a batch.

They are defined in `minitorch.ops.linalg`, `factors`, `equations` and `norms`; what is asked for seldom, in the files
that `_LATER` names, which are imported then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minitorch.ops.equations import LstsqResult, cond, lstsq, matrix_power, matrix_rank, pinv, solve_triangular
from minitorch.ops.factors import EighResult, QRResult, SVDResult, eigh, eigvalsh, qr, svd
from minitorch.ops.linalg import LinAlgError, SlogdetResult, cholesky, det, inv, norm, slogdet, solve
from minitorch.ops.norms import matrix_norm, svdvals, vector_norm
from minitorch.ops.products import matmul
from minitorch.rare import operation

if TYPE_CHECKING:
    from minitorch.ops.lu import lu, lu_factor, lu_factor_ex, lu_solve
    from minitorch.ops.matrices import (
        cholesky_ex,
        householder_product,
        inv_ex,
        matrix_exp,
        solve_ex,
        tensorinv,
        tensorsolve,
    )
    from minitorch.ops.vectors import cross, diagonal, multi_dot, vander, vecdot

__all__ = [
    "EighResult",
    "LinAlgError",
    "LstsqResult",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]

_LATER = dict.fromkeys(["cross", "diagonal", "multi_dot", "vander", "vecdot"], "vectors")
_LATER |= dict.fromkeys(["lu", "lu_factor", "lu_factor_ex", "lu_solve"], "lu")
_LATER |= dict.fromkeys(
    ["cholesky_ex", "householder_product", "inv_ex", "matrix_exp", "solve_ex", "tensorinv", "tensorsolve"], "matrices"
)


if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever

    def __getattr__(name: str) -> object:
        """What is imported when it is first asked for; else an AttributeError that says which name was meant."""
        if name not in _LATER:
            from minitorch.absent import not_found

            raise not_found("module 'minitorch.linalg'", name, [*__all__, *_LATER])
        return operation(name, _LATER[name])
