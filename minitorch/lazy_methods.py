"""Methods of Tensor that few programs ask for: each is the operation of its name, imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minitorch.autograd import in_place
from minitorch.in_place_methods import InPlace
from minitorch.lazy_imports import lazy_op, operation
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor
    from minitorch.compat.ops import (
        arithmetic,
        combining,
        equations,
        gather_scatter,
        linalg,
        norms,
        random,
        rearrange,
        sort,
        statistics,
    )


class LazyMethods(InPlace):
    """The part of a Tensor that stands here so that `import minitorch` stays quick."""

    __slots__ = ()

    if TYPE_CHECKING:
        cholesky_solve = equations.cholesky_solve
        det = linalg.det
        inverse = linalg.inverse
        logdet = equations.logdet
        matrix_power = equations.matrix_power
        nanquantile = statistics.nanquantile
        quantile = statistics.quantile
        slogdet = linalg.slogdet
        gather = gather_scatter.gather
        index_add = gather_scatter.index_add
        index_copy = gather_scatter.index_copy
        index_fill = gather_scatter.index_fill
        index_select = gather_scatter.index_select
        scatter = gather_scatter.scatter
        scatter_add = gather_scatter.scatter_add
        take_along_dim = gather_scatter.take_along_dim
        addcmul = arithmetic.addcmul
        addcdiv = arithmetic.addcdiv
        fmod = arithmetic.fmod
        float_power = arithmetic.float_power
        atan2 = arithmetic.atan2
        hypot = arithmetic.hypot
        xlogy = arithmetic.xlogy
        lerp = arithmetic.lerp
        bernoulli = random.bernoulli
        dist = norms.dist
        unique = sort.unique
        bincount = sort.bincount
        repeat_interleave = rearrange.repeat_interleave
        fliplr = rearrange.fliplr
        flipud = rearrange.flipud
        roll = rearrange.roll
        diag_embed = rearrange.diag_embed
        reshape_as = rearrange.reshape_as
        view_as = rearrange.view_as
        expand_as = rearrange.expand_as
        tensor_split = combining.tensor_split
    else:
        cholesky_solve = lazy_op("cholesky_solve")
        det = lazy_op("det")
        inverse = lazy_op("inverse")
        logdet = lazy_op("logdet")
        matrix_power = lazy_op("matrix_power")
        nanquantile = lazy_op("nanquantile")
        quantile = lazy_op("quantile")
        gather = lazy_op("gather")
        index_add = lazy_op("index_add")
        index_copy = lazy_op("index_copy")
        index_fill = lazy_op("index_fill")
        index_select = lazy_op("index_select")
        scatter = lazy_op("scatter")
        scatter_add = lazy_op("scatter_add")
        take_along_dim = lazy_op("take_along_dim")
        addcmul = lazy_op("addcmul")
        addcdiv = lazy_op("addcdiv")
        fmod = lazy_op("fmod")
        float_power = lazy_op("float_power")
        atan2 = lazy_op("atan2")
        hypot = lazy_op("hypot")
        xlogy = lazy_op("xlogy")
        lerp = lazy_op("lerp")
        bernoulli = lazy_op("bernoulli")
        dist = lazy_op("dist")
        unique = lazy_op("unique")
        bincount = lazy_op("bincount")
        repeat_interleave = lazy_op("repeat_interleave")
        fliplr = lazy_op("fliplr")
        flipud = lazy_op("flipud")
        roll = lazy_op("roll")
        diag_embed = lazy_op("diag_embed")
        reshape_as = lazy_op("reshape_as")
        view_as = lazy_op("view_as")
        expand_as = lazy_op("expand_as")
        tensor_split = lazy_op("tensor_split")
        slogdet = lazy_op("slogdet")

    absolute = lazy_op("absolute")
    arccos = lazy_op("arccos")
    arccosh = lazy_op("arccosh")
    arcsin = lazy_op("arcsin")
    arcsinh = lazy_op("arcsinh")
    arctan = lazy_op("arctan")
    arctan2 = lazy_op("arctan2")
    arctanh = lazy_op("arctanh")
    cholesky = lazy_op("cholesky")
    divide = lazy_op("divide")
    fix = lazy_op("fix")
    ger = lazy_op("ger")
    greater = lazy_op("greater")
    greater_equal = lazy_op("greater_equal")
    less = lazy_op("less")
    less_equal = lazy_op("less_equal")
    moveaxis = lazy_op("moveaxis")
    multiply = lazy_op("multiply")
    negative = lazy_op("negative")
    not_equal = lazy_op("not_equal")
    orgqr = lazy_op("orgqr")
    subtract = lazy_op("subtract")
    unsafe_chunk = lazy_op("unsafe_chunk")
    unsafe_split = lazy_op("unsafe_split")
    i0 = lazy_op("i0")
    diagflat = lazy_op("diagflat")
    dsplit = lazy_op("dsplit")
    hsplit = lazy_op("hsplit")
    rot90 = lazy_op("rot90")
    vsplit = lazy_op("vsplit")
    angle = lazy_op("angle")
    bitwise_left_shift = lazy_op("bitwise_left_shift")
    bitwise_right_shift = lazy_op("bitwise_right_shift")
    conj = lazy_op("conj")
    conj_physical = lazy_op("conj_physical")
    copysign = lazy_op("copysign")
    deg2rad = lazy_op("deg2rad")
    fmax = lazy_op("fmax")
    fmin = lazy_op("fmin")
    frexp = lazy_op("frexp")
    gcd = lazy_op("gcd")
    heaviside = lazy_op("heaviside")
    isneginf = lazy_op("isneginf")
    isposinf = lazy_op("isposinf")
    isreal = lazy_op("isreal")
    lcm = lazy_op("lcm")
    ldexp = lazy_op("ldexp")
    logit = lazy_op("logit")
    nextafter = lazy_op("nextafter")
    rad2deg = lazy_op("rad2deg")
    resolve_conj = lazy_op("resolve_conj")
    resolve_neg = lazy_op("resolve_neg")
    sgn = lazy_op("sgn")
    signbit = lazy_op("signbit")
    sinc = lazy_op("sinc")
    addbmm = lazy_op("addbmm")
    addmv = lazy_op("addmv")
    addr = lazy_op("addr")
    adjoint = lazy_op("adjoint")
    cross = lazy_op("cross")
    vdot = lazy_op("vdot")
    digamma = lazy_op("digamma")
    igamma = lazy_op("igamma")
    igammac = lazy_op("igammac")
    lgamma = lazy_op("lgamma")
    mvlgamma = lazy_op("mvlgamma")
    lu = lazy_op("lu")
    lu_solve = lazy_op("lu_solve")
    cholesky_inverse = lazy_op("cholesky_inverse")
    geqrf = lazy_op("geqrf")
    matrix_exp = lazy_op("matrix_exp")
    ormqr = lazy_op("ormqr")
    pinverse = lazy_op("pinverse")
    qr = lazy_op("qr")
    svd = lazy_op("svd")
    triangular_solve = lazy_op("triangular_solve")
    erfc = lazy_op("erfc")
    erfinv = lazy_op("erfinv")
    cummax = lazy_op("cummax")
    cummin = lazy_op("cummin")
    logcumsumexp = lazy_op("logcumsumexp")
    diagonal_scatter = lazy_op("diagonal_scatter")
    index_reduce = lazy_op("index_reduce")
    masked_scatter = lazy_op("masked_scatter")
    nonzero_static = lazy_op("nonzero_static")
    put = lazy_op("put")
    scatter_reduce = lazy_op("scatter_reduce")
    select_scatter = lazy_op("select_scatter")
    slice_scatter = lazy_op("slice_scatter")
    corrcoef = lazy_op("corrcoef")
    cov = lazy_op("cov")
    histc = lazy_op("histc")
    histogram = lazy_op("histogram")
    kthvalue = lazy_op("kthvalue")
    mode = lazy_op("mode")
    msort = lazy_op("msort")
    nanmedian = lazy_op("nanmedian")
    renorm = lazy_op("renorm")
    unique_consecutive = lazy_op("unique_consecutive")
    sum_to_size = lazy_op("sum_to_size", "combining")
    unfold = lazy_op("unfold", "combining")

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
