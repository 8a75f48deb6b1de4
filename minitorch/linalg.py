"""Linear algebra under PyTorch's names: `minitorch.linalg.inv(A)`. The last two axes are the matrix, others a batch."""

from minitorch.ops.decompositions import (
    LinAlgError,
    SlogdetResult,
    cholesky,
    det,
    inv,
    slogdet,
    solve,
)
from minitorch.ops.matrix_norms import matrix_norm, norm
from minitorch.ops.norms import vector_norm
from minitorch.ops.singular import svdvals

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
