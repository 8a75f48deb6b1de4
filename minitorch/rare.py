"""Where the operations stand that few programs ask for: their files are imported when the first name of them is."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minitorch.ops._methods import in_place_of

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["FAMILIES", "PLACES", "later", "later_in_place", "operation"]

# The files of `ops/`, and what `minitorch` offers of each.
FAMILIES = {
    "aliases": """absolute arccos arccosh arcsin arcsinh arctan arctan2 arctanh cholesky divide fix ger greater
        greater_equal less less_equal moveaxis multiply negative not_equal orgqr row_stack subtract unsafe_chunk
        unsafe_split""",
    "bessel": "i0",
    "combining": """block_diag broadcast_shapes cartesian_prod column_stack combinations diagflat dsplit dstack hsplit
        logspace rot90 scalar_tensor tril_indices triu_indices unravel_index vander vsplit""",
    "elementwise": """
        angle bitwise_left_shift bitwise_right_shift conj conj_physical copysign deg2rad fmax fmin frexp gcd heaviside
        isneginf isposinf isreal lcm ldexp logit nextafter rad2deg real resolve_conj resolve_neg sgn
        signbit sinc""",
    "further_products": "addbmm addmv addr adjoint chain_matmul cross vdot",
    "gamma": "digamma igamma igammac lgamma mvlgamma polygamma",
    "matrices": """cholesky_inverse geqrf lu lu_solve lu_unpack matrix_exp ormqr pinverse qr svd triangular_solve""",
    "normal_curve": "erfc erfinv",
    "running": "cummax cummin cumulative_trapezoid gradient logcumsumexp trapezoid trapz",
    "scattering": """diagonal_scatter fill index_reduce masked_scatter nonzero_static put scatter_reduce select_scatter
        slice_scatter""",
    "statistics": """bucketize corrcoef cov histc histogram histogramdd isin kthvalue mode msort nanmedian renorm
        unique_consecutive""",
}
PLACES = {name: family for family, names in FAMILIES.items() for name in names.split()}


def operation(name: str, family: str = "") -> Any:
    """The operation of that name, whose file is imported now if it has not been."""
    return getattr(importlib.import_module(f"minitorch.ops.{family or PLACES[name]}"), name)


class later:  # noqa: N801 (in a class it stands for the method itself)
    """A method of Tensor that is one of these operations."""

    def __init__(self, name: str, family: str = "") -> None:
        self.name, self.family = name, family

    def __get__(self, instance: Tensor | None, owner: Any = None) -> Any:
        function = operation(self.name, self.family)
        return function if instance is None else functools.partial(function, instance)


class later_in_place(later):  # noqa: N801
    """The method that changes its Tensor by one of these operations: `t.lgamma_()`."""

    def __get__(self, instance: Tensor | None, owner: Any = None) -> Any:
        function: Callable[..., Tensor] = in_place_of(operation(self.name, self.family))
        return function if instance is None else functools.partial(function, instance)
