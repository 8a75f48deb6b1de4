"""Import rare names from `minitorch.compat` when they are first asked for, so that `import minitorch` stays quick."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from minitorch.absent import not_found
from minitorch.ops._methods import in_place_of

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["HOMES", "MODULES", "homes_of", "lazy_attributes", "lazy_op", "lazy_op_in_place", "operation"]

# The files of `compat/ops/`, and the names of each that `minitorch` offers.
MODULES = {
    "aliases": """absolute arccos arccosh arcsin arcsinh arctan arctan2 arctanh cholesky divide fix ger greater
        greater_equal less less_equal moveaxis multiply negative not_equal orgqr row_stack subtract unsafe_chunk
        unsafe_split""",
    "arithmetic": "addcdiv addcmul atan2 float_power fmod hypot lerp rsub true_divide xlogy",
    "bessel": "i0",
    "combining": """block_diag broadcast_shapes cartesian_prod column_stack combinations diagflat dsplit dstack
        hsplit hstack logspace rot90 scalar_tensor tensor_split tril_indices triu_indices unravel_index vander
        vsplit vstack""",
    "einsum": "einsum tensordot",
    "elementwise": """angle bitwise_left_shift bitwise_right_shift conj conj_physical copysign deg2rad fmax fmin
        frexp gcd heaviside isneginf isposinf isreal lcm ldexp logit nextafter rad2deg real resolve_conj
        resolve_neg sgn signbit sinc""",
    "equations": "cholesky_solve logdet matrix_power",
    "further_products": "addbmm addmv addr adjoint chain_matmul cross vdot",
    "gamma": "digamma igamma igammac lgamma mvlgamma polygamma",
    "gather_scatter": "gather index_add index_copy index_fill index_select scatter scatter_add take_along_dim",
    "linalg": "det inverse slogdet",
    "matrices": "cholesky_inverse geqrf lu lu_solve lu_unpack matrix_exp ormqr pinverse qr svd triangular_solve",
    "normal_curve": "erfc erfinv",
    "norms": "cdist dist",
    "random": "bernoulli rand_like randint_like randn_like randperm",
    "rearrange": """atleast_1d atleast_2d atleast_3d broadcast_tensors diag_embed expand_as fliplr flipud
        repeat_interleave reshape_as roll view_as""",
    "running": "cummax cummin cumulative_trapezoid gradient logcumsumexp trapezoid trapz",
    "scattering": """diagonal_scatter fill index_reduce masked_scatter nonzero_static put scatter_reduce
        select_scatter slice_scatter""",
    "sort": "bincount searchsorted unique",
    "statistics": """bucketize corrcoef cov histc histogram histogramdd isin kthvalue mode msort nanmedian nanquantile
        quantile renorm unique_consecutive""",
}


def homes_of(package: str, modules: Mapping[str, str]) -> dict[str, str]:
    """Return name → module, from a table of the modules of a package and the names in each.

    >>> homes_of("minitorch.compat.optim", {"muon": "Muon"})
    {'Muon': 'minitorch.compat.optim.muon'}
    """
    return {name: f"{package}.{module}" for module, names in modules.items() for name in names.split()}


HOMES = homes_of("minitorch.compat.ops", MODULES)


def lazy_attributes(
    module: str, homes: Mapping[str, str], known: Iterable[str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a module whose rare names stand elsewhere.

    homes: name → the module that defines it; a submodule stands for itself. known: the names that the module has
    itself. The `__getattr__` raises AttributeError that says which name was meant.
    """

    def attribute(name: str) -> object:
        home = homes.get(name)
        if home is None:
            raise not_found(f"module {module!r}", name, [*known, *homes])
        found = importlib.import_module(home)
        value = found if home == f"{module}.{name}" else getattr(found, name)
        setattr(sys.modules[module], name, value)  # found there the next time, in 0.03 µs instead of 2.6 µs
        return value

    def names() -> list[str]:
        return sorted({*vars(importlib.import_module(module)), *homes})

    return attribute, names


def operation(name: str, module: str = "") -> Any:
    """Return the operation of that name; its file, `module` of `compat/ops/`, is imported now if it has not been."""
    return getattr(importlib.import_module(f"minitorch.compat.ops.{module}" if module else HOMES[name]), name)


class lazy_op:  # noqa: N801 (in a class it stands for the method itself)
    """A method of Tensor that is one of these operations."""

    def __init__(self, name: str, module: str = "") -> None:
        self.name, self.module = name, module

    def __get__(self, instance: Tensor | None, owner: Any = None) -> Any:
        function = operation(self.name, self.module)
        return function if instance is None else functools.partial(function, instance)


class lazy_op_in_place(lazy_op):  # noqa: N801
    """A method that changes its Tensor by one of these operations: `t.lgamma_()`."""

    def __get__(self, instance: Tensor | None, owner: Any = None) -> Callable[..., Tensor]:
        function: Callable[..., Tensor] = in_place_of(operation(self.name, self.module))
        return function if instance is None else functools.partial(function, instance)
