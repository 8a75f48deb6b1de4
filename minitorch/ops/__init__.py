"""The operations: one declaration each, in the file of its name.

unary         of one number: exp, sin, relu …             movement        another shape: reshape, permute, expand …
arithmetic    of two: +, -, *, /, powers, remainders       rearrange       repeated, mirrored, shifted, parts
choice        one of several: where, clamp, maximum …      joining         cat, stack, split …
logic         comparisons, bits, what kind of number       index           brackets, masks, take: pick, unindex, replace
reduce        sum, mean, prod, var, logsumexp …            gather_scatter  along one axis, by integer indices
extremes      max, min, median, with their places          softmax         softmax, log_softmax, cross entropy, fused
sort          sort, topk, argmax, unique, bincount …       creation        zeros, arange, tensor …
scan          running sums and products, differences       random          rand, normal, multinomial …
products      matmul and its relatives; einsum             conversion      to, float, cpu, cuda
linalg        inverse, determinant, solve, cholesky        norms           of vectors and matrices, distances
factors       qr, svd, eigh                                equations       triangular, least squares, powers, rank
quantiles     quantile, nanquantile                        _dims _brackets _gate _rows _kept _erf _methods _ufuncs: help

Imported when one of their names is asked for (`minitorch.rare` says which):

elementwise   signs, angles, bits, more of two numbers     aliases         second names: multiply, arccos …
gamma         lgamma, digamma, polygamma, igamma, zeta     normal_curve    erfc, erfinv, ndtr, ndtri …
bessel        of order 0 and 1                             polynomials     Chebyshev, Hermite, Laguerre, Legendre
running       cummax, logcumsumexp, trapezoid, gradient    statistics      ranks, modes, histograms, covariances
combining     blocks, combinations, splits, windows        scattering      scatter_reduce, put, into slices
lu            A = P L U                                    matrices        matrix_exp, inverses, older spellings
vectors       cross, vecdot, multi_dot, of `linalg`        further_products   addmv, addr, addbmm …
windows       of signal processing

docs/adding-an-operation.md says how one more comes to stand among them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any


def defined() -> Iterator[tuple[str, Any]]:
    """The name and the function of everything that is defined here, private operations too, each once."""
    seen: set[int] = set()
    for each in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{each.name}")
        for name, value in vars(module).items():
            own = hasattr(value, "declaration") or getattr(value, "__module__", "") == module.__name__
            if callable(value) and own and id(value) not in seen:
                seen.add(id(value))
                yield name, value
