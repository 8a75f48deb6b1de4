"""Linear algebra under PyTorch's names: `minitorch.linalg.inv(A)`. The last two axes are the matrix, others a batch.

They are defined in `minitorch.ops.linalg` and `minitorch.ops.norms`.
"""

from minitorch.ops.linalg import LinAlgError, SlogdetResult, cholesky, det, inv, norm, slogdet, solve
from minitorch.ops.norms import matrix_norm, svdvals, vector_norm

__all__ = [
    "LinAlgError",
    "SlogdetResult",
    "cholesky",
    "det",
    "inv",
    "matrix_norm",
    "norm",
    "slogdet",
    "solve",
    "svdvals",
    "vector_norm",
]
