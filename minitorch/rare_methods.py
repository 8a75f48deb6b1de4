"""The methods of a Tensor that few programs ask for: each is the operation of its name, imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minitorch.autograd import in_place
from minitorch.in_place_methods import InPlace
from minitorch.ops import quantiles
from minitorch.rare import later, operation
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor


class Rare(InPlace):
    """The part of a Tensor that stands here so that `import minitorch` stays quick."""

    __slots__ = ()

    nanquantile = quantiles.nanquantile

    absolute = later("absolute")
    arccos = later("arccos")
    arccosh = later("arccosh")
    arcsin = later("arcsin")
    arcsinh = later("arcsinh")
    arctan = later("arctan")
    arctan2 = later("arctan2")
    arctanh = later("arctanh")
    cholesky = later("cholesky")
    divide = later("divide")
    fix = later("fix")
    ger = later("ger")
    greater = later("greater")
    greater_equal = later("greater_equal")
    less = later("less")
    less_equal = later("less_equal")
    moveaxis = later("moveaxis")
    multiply = later("multiply")
    negative = later("negative")
    not_equal = later("not_equal")
    orgqr = later("orgqr")
    subtract = later("subtract")
    unsafe_chunk = later("unsafe_chunk")
    unsafe_split = later("unsafe_split")
    i0 = later("i0")
    diagflat = later("diagflat")
    dsplit = later("dsplit")
    hsplit = later("hsplit")
    rot90 = later("rot90")
    vsplit = later("vsplit")
    angle = later("angle")
    bitwise_left_shift = later("bitwise_left_shift")
    bitwise_right_shift = later("bitwise_right_shift")
    conj = later("conj")
    conj_physical = later("conj_physical")
    copysign = later("copysign")
    deg2rad = later("deg2rad")
    fmax = later("fmax")
    fmin = later("fmin")
    frexp = later("frexp")
    gcd = later("gcd")
    heaviside = later("heaviside")
    isneginf = later("isneginf")
    isposinf = later("isposinf")
    isreal = later("isreal")
    lcm = later("lcm")
    ldexp = later("ldexp")
    logit = later("logit")
    nextafter = later("nextafter")
    rad2deg = later("rad2deg")
    resolve_conj = later("resolve_conj")
    resolve_neg = later("resolve_neg")
    sgn = later("sgn")
    signbit = later("signbit")
    sinc = later("sinc")
    addbmm = later("addbmm")
    addmv = later("addmv")
    addr = later("addr")
    adjoint = later("adjoint")
    cross = later("cross")
    vdot = later("vdot")
    digamma = later("digamma")
    igamma = later("igamma")
    igammac = later("igammac")
    lgamma = later("lgamma")
    mvlgamma = later("mvlgamma")
    lu = later("lu")
    lu_solve = later("lu_solve")
    cholesky_inverse = later("cholesky_inverse")
    geqrf = later("geqrf")
    matrix_exp = later("matrix_exp")
    ormqr = later("ormqr")
    pinverse = later("pinverse")
    qr = later("qr")
    svd = later("svd")
    triangular_solve = later("triangular_solve")
    erfc = later("erfc")
    erfinv = later("erfinv")
    cummax = later("cummax")
    cummin = later("cummin")
    logcumsumexp = later("logcumsumexp")
    diagonal_scatter = later("diagonal_scatter")
    index_reduce = later("index_reduce")
    masked_scatter = later("masked_scatter")
    nonzero_static = later("nonzero_static")
    put = later("put")
    scatter_reduce = later("scatter_reduce")
    select_scatter = later("select_scatter")
    slice_scatter = later("slice_scatter")
    corrcoef = later("corrcoef")
    cov = later("cov")
    histc = later("histc")
    histogram = later("histogram")
    kthvalue = later("kthvalue")
    mode = later("mode")
    msort = later("msort")
    nanmedian = later("nanmedian")
    renorm = later("renorm")
    unique_consecutive = later("unique_consecutive")
    sum_to_size = later("sum_to_size", "combining")
    unfold = later("unfold", "combining")

    def polygamma(self, n: int) -> Tensor:
        """The n-th derivative of digamma."""
        return operation("polygamma")(n, self)  # type: ignore[no-any-return]

    def polygamma_(self, n: int) -> Tensor:
        """polygamma, written into this Tensor, which is returned."""
        if TYPE_CHECKING:
            assert isinstance(self, Tensor)
        return in_place.changed(self, "polygamma_", lambda now: operation("polygamma")(n, now))

    def bucketize(self, boundaries: TensorLike, **options: Any) -> Tensor:
        """The bucket of each number."""
        return operation("bucketize")(self, boundaries, **options)  # type: ignore[no-any-return]

    @property
    def H(self) -> Tensor:  # noqa: N802 (PyTorch's name)
        """The two axes of a matrix exchanged: `T`, which it is for real numbers."""
        return operation("adjoint")(self)  # type: ignore[no-any-return]

    @property
    def mH(self) -> Tensor:  # noqa: N802 (PyTorch's name)
        """The last two axes exchanged: `mT`, which it is for real numbers."""
        return operation("adjoint")(self)  # type: ignore[no-any-return]
