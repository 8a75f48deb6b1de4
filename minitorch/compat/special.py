"""Special functions under PyTorch's names: `minitorch.special.gammaln(x)`. Bessel's and a few more are SciPy's."""

from minitorch.compat.ops import gamma
from minitorch.compat.ops.arithmetic import xlogy
from minitorch.compat.ops.bessel import *
from minitorch.compat.ops.elementwise import entr, logit, sinc, xlog1py
from minitorch.compat.ops.gamma import digamma, polygamma, zeta
from minitorch.compat.ops.normal_curve import erfc, erfcx, erfinv, log_ndtr, ndtr, ndtri
from minitorch.compat.ops.polynomials import *
from minitorch.ops.reduce import logsumexp
from minitorch.ops.softmax import log_softmax, softmax
from minitorch.ops.unary import erf, exp2, expm1, log1p, round
from minitorch.ops.unary import sigmoid as expit

__all__ = ["bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "chebyshev_polynomial_t", "chebyshev_polynomial_u"]
__all__ += ["chebyshev_polynomial_v", "chebyshev_polynomial_w", "digamma", "entr", "erf", "erfc", "erfcx", "erfinv"]
__all__ += ["exp2", "expit", "expm1", "gammainc", "gammaincc", "gammaln", "hermite_polynomial_h"]
__all__ += ["hermite_polynomial_he", "i0", "i0e", "i1", "i1e", "laguerre_polynomial_l", "legendre_polynomial_p"]
__all__ += ["log1p", "log_ndtr", "log_softmax", "logit", "logsumexp", "modified_bessel_i0", "modified_bessel_i1"]
__all__ += ["modified_bessel_k0", "modified_bessel_k1", "multigammaln", "ndtr", "ndtri", "polygamma", "psi", "round"]
__all__ += ["scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "shifted_chebyshev_polynomial_t"]
__all__ += ["shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w"]
__all__ += ["sinc", "softmax", "spherical_bessel_j0", "xlog1py", "xlogy", "zeta"]

psi, gammaln, multigammaln = gamma.digamma, gamma.lgamma, gamma.mvlgamma
gammainc, gammaincc = gamma.igamma, gamma.igammac
