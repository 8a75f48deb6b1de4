"""Linear algebra under PyTorch's names: `minitorch.linalg.inv(A)`. The last two axes are the matrix, others a batch.

They are defined in `minitorch.ops.linalg`, `factors`, `equations` and `norms`; what is asked for seldom, in the files that
`_LATER` names, which are imported then.
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
    from minitorch.ops.further_products import linalg_cross as cross
    from minitorch.ops.further_products import linalg_diagonal as diagonal
    from minitorch.ops.further_products import linalg_vander as vander
    from minitorch.ops.further_products import multi_dot as multi_dot
    from minitorch.ops.further_products import vecdot as vecdot
    from minitorch.ops.lu import linalg_lu as lu
    from minitorch.ops.lu import linalg_lu_solve as lu_solve
    from minitorch.ops.lu import lu_factor as lu_factor
    from minitorch.ops.lu import lu_factor_ex as lu_factor_ex
    from minitorch.ops.matrices import cholesky_ex as cholesky_ex
    from minitorch.ops.matrices import householder_product as householder_product
    from minitorch.ops.matrices import inv_ex as inv_ex
    from minitorch.ops.matrices import matrix_exp as matrix_exp
    from minitorch.ops.matrices import solve_ex as solve_ex
    from minitorch.ops.matrices import tensorinv as tensorinv
    from minitorch.ops.matrices import tensorsolve as tensorsolve

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

_LATER = {name: ("further_products", name) for name in ("multi_dot", "vecdot")}
_LATER |= {name: ("further_products", f"linalg_{name}") for name in ("cross", "diagonal", "vander")}
_LATER |= {"lu": ("lu", "linalg_lu"), "lu_solve": ("lu", "linalg_lu_solve")}
_LATER |= {name: ("lu", name) for name in ("lu_factor", "lu_factor_ex")}
_LATER |= {
    name: ("matrices", name)
    for name in "cholesky_ex householder_product inv_ex matrix_exp solve_ex tensorinv tensorsolve".split()
}


if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever

    def __getattr__(name: str) -> object:
        """What is imported when it is first asked for."""
        if name not in _LATER:
            raise AttributeError(f"module 'minitorch.linalg' has no attribute {name!r}")
        family, there = _LATER[name]
        return operation(there, family)
