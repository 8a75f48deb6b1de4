"""Rare operations, one declaration each, imported when one of their names is asked for (see `minitorch.lazy_imports`).

elementwise   signs, angles, bits, more of two numbers     aliases         second names: multiply, arccos …
gamma         lgamma, digamma, polygamma, igamma, zeta     normal_curve    erfc, erfinv, ndtr, ndtri …
bessel        of order 0 and 1                             polynomials     Chebyshev, Hermite, Laguerre, Legendre
running       cummax, logcumsumexp, trapezoid, gradient    statistics      ranks, modes, quantiles, covariances
combining     blocks, combinations, splits, windows        scattering      scatter_reduce, put, into slices
linalg        inverse, determinant, solve, cholesky        factors         qr, svd, eigh, lu
equations     triangular, least squares, powers, rank      further_products   addmv, addr, addbmm …
matrices      matrix_exp, inverses, older spellings        vectors         cross, vecdot, multi_dot, of `linalg`
windows       of signal processing                         einsum          sums of products of any axes
arithmetic    of two and three: hypot, fmod, lerp …        norms           of matrices, singular values, distances
rearrange     mirrored, shifted, in the shape of others    sort            unique, searchsorted, bincount
random        like another Tensor, written in place        gather_scatter  along one axis, by integer indices
scipy_special   what SciPy computes, imported when called
"""
