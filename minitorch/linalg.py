"""Linear algebra under PyTorch's names: `minitorch.linalg.inv(A)`. The last two axes are the matrix, others a batch.

They are defined in `minitorch.ops.linalg`, `factors`, `equations` and `norms`.
"""

from typing import TYPE_CHECKING

from minitorch.ops.equations import LstsqResult, cond, lstsq, matrix_power, matrix_rank, pinv, solve_triangular
from minitorch.ops.factors import EighResult, QRResult, SVDResult, eigh, eigvalsh, qr, svd
from minitorch.ops.linalg import LinAlgError, SlogdetResult, cholesky, det, inv, norm, slogdet, solve
from minitorch.ops.norms import matrix_norm, svdvals, vector_norm

__all__ = [
    "EighResult",
    "LinAlgError",
    "LstsqResult",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cond",
    "det",
    "eigh",
    "eigvalsh",
    "inv",
    "lstsq",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
    "svd",
    "svdvals",
    "vector_norm",
]

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever

    def __getattr__(name: str) -> object:
        """Raises AttributeError that says which name was meant, or why there is none."""
        from minitorch.absent import not_found

        raise not_found("module 'minitorch.linalg'", name, __all__)
