"""Linear algebra under PyTorch's names: `minitorch.linalg.inv(A)`. The last two axes are the matrix, others a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minitorch.compat.ops import matrices
from minitorch.compat.ops.equations import LstsqResult, cond, lstsq, matrix_power, matrix_rank, pinv, solve_triangular
from minitorch.compat.ops.factors import (
    EighResult,
    QRResult,
    SVDResult,
    eigh,
    eigvalsh,
    lu,
    lu_factor,
    lu_factor_ex,
    lu_solve,
    qr,
    svd,
)
from minitorch.compat.ops.linalg import LinAlgError, SlogdetResult, cholesky, det, inv, norm, slogdet, solve
from minitorch.compat.ops.norms import matrix_norm, svdvals
from minitorch.compat.ops.vectors import cross, diagonal, multi_dot, vander, vecdot
from minitorch.lazy_imports import lazy_attributes
from minitorch.ops.norms import vector_norm
from minitorch.ops.products import matmul

__all__ = ["EighResult", "LinAlgError", "LstsqResult", "QRResult", "SVDResult", "SlogdetResult", "cholesky"]
__all__ += ["cholesky_ex", "cond", "cross", "det", "diagonal", "eigh", "eigvalsh", "householder_product", "inv"]
__all__ += ["inv_ex", "lstsq", "lu", "lu_factor", "lu_factor_ex", "lu_solve", "matmul", "matrix_exp", "matrix_norm"]
__all__ += ["matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve", "solve_ex"]
__all__ += ["solve_triangular", "svd", "svdvals", "tensorinv", "tensorsolve", "vander", "vecdot", "vector_norm"]

cholesky_ex, inv_ex, solve_ex = matrices.cholesky_ex, matrices.inv_ex, matrices.solve_ex
householder_product, matrix_exp = matrices.householder_product, matrices.matrix_exp
tensorinv, tensorsolve = matrices.tensorinv, matrices.tensorsolve

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    __getattr__, __dir__ = lazy_attributes("minitorch.linalg", {}, __all__)
