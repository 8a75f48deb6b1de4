"""Special functions under PyTorch's names: `minitorch.special.gammaln(x)`. Bessel's and a few more are SciPy's."""

from minitorch.compat.ops.arithmetic import xlogy
from minitorch.compat.ops.bessel import (
    bessel_j0,
    bessel_j1,
    bessel_y0,
    bessel_y1,
    i0,
    i0e,
    i1,
    i1e,
    modified_bessel_i0,
    modified_bessel_i1,
    modified_bessel_k0,
    modified_bessel_k1,
    scaled_modified_bessel_k0,
    scaled_modified_bessel_k1,
    spherical_bessel_j0,
)
from minitorch.compat.ops.elementwise import entr, logit, sinc, xlog1py
from minitorch.compat.ops.gamma import digamma, polygamma, zeta
from minitorch.compat.ops.gamma import digamma as psi
from minitorch.compat.ops.gamma import igamma as gammainc
from minitorch.compat.ops.gamma import igammac as gammaincc
from minitorch.compat.ops.gamma import lgamma as gammaln
from minitorch.compat.ops.gamma import mvlgamma as multigammaln
from minitorch.compat.ops.normal_curve import erfc, erfcx, erfinv, log_ndtr, ndtr, ndtri
from minitorch.compat.ops.polynomials import (
    chebyshev_polynomial_t,
    chebyshev_polynomial_u,
    chebyshev_polynomial_v,
    chebyshev_polynomial_w,
    hermite_polynomial_h,
    hermite_polynomial_he,
    laguerre_polynomial_l,
    legendre_polynomial_p,
    shifted_chebyshev_polynomial_t,
    shifted_chebyshev_polynomial_u,
    shifted_chebyshev_polynomial_v,
    shifted_chebyshev_polynomial_w,
)
from minitorch.ops.reduce import logsumexp
from minitorch.ops.softmax import log_softmax, softmax
from minitorch.ops.unary import erf, exp2, expm1, log1p, round
from minitorch.ops.unary import sigmoid as expit

__all__ = [
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammainc",
    "gammaincc",
    "gammaln",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
    "log1p",
    "log_ndtr",
    "log_softmax",
    "logit",
    "logsumexp",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "multigammaln",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "round",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
    "sinc",
    "softmax",
    "spherical_bessel_j0",
    "xlog1py",
    "xlogy",
    "zeta",
]
