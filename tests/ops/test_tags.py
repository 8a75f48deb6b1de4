"""The tag of an operation is its public name: what `repr`, the pictures and the engine's errors call it."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from op_table import CASES, sums_for_scipy

import minitorch
import minitorch.nn.functional
from minitorch import Tensor


class Noting:
    """A namespace whose functions note, under their names, the tags of the Tensors that they return."""

    def __init__(self, space: Any, noted: dict[str, set[str]]) -> None:
        self.space, self.noted = space, noted

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.space, name)
        if name in ("nn", "functional", "linalg"):
            return Noting(found, self.noted)
        if not callable(found) or isinstance(found, type):
            return found

        def call(*operands: Any, **options: Any) -> Any:
            made = found(*operands, **options)
            given = {id(each) for each in operands}
            for out in made if isinstance(made, tuple) else [made]:
                if isinstance(out, Tensor) and not out.is_leaf and id(out) not in given:
                    self.noted[name].add(out._op)
            return made

        return call


def noted() -> dict[str, set[str]]:
    """The tags of what every function of the op table returned in its cases."""
    found: dict[str, set[str]] = defaultdict(set)
    with sums_for_scipy(), np.errstate(all="ignore"):
        for case in CASES:
            case.call(Noting(minitorch, found), *case.tensors(Tensor))
    return dict(found)


TAGS = noted()
# Functions that are put together from others: which may come last in them. Whoever reads the graph meets those.
LAST = {
    "reshape": "flatten unflatten ravel atleast_1d atleast_2d atleast_3d kron",
    "permute": "movedim t einsum",
    "transpose": "swapaxes swapdims",
    "expand": "broadcast_tensors meshgrid",
    "cat": "concat concatenate hstack vstack",
    "narrow": "split split_with_sizes chunk tensor_split",
    "select": "unbind",
    "flip": "fliplr flipud",
    "repeat": "tile",
    "clone": "diag diff pad interpolate",  # of all there is: a copy
    "add": "addcmul addcdiv index_add index_put scatter_add",
    "sub": "rsub diff tanhshrink",
    "pow": "float_power lp_pool1d lp_pool2d lp_pool3d",
    "div": "true_divide nanmean normalize interpolate "
    "avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d local_response_norm",
    "floor_divide": "div",
    "matmul": "tensordot linear scaled_dot_product_attention",
    "clamp": "clip",
    "clamp_min": "clamp clip",
    "clamp_max": "clamp clip",
    "maximum": "max",
    "minimum": "min",
    "amin": "aminmax matrix_norm",
    "amax": "aminmax matrix_norm norm",
    "matrix_norm": "norm",
    "norm": "matrix_norm pairwise_distance pdist",
    "elu": "celu selu",
    "hardtanh": "relu6",
    "softmax": "softmin",
    "conv": "conv1d conv2d conv3d",
    "fold": "conv_transpose1d conv_transpose2d conv_transpose3d",
    "max_pool": "max_pool1d max_pool2d max_pool3d adaptive_max_pool1d adaptive_max_pool2d",
    "max": "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d",
    "huber": "huber_loss",
}
# The axes of a batch or of a single number are put on before and taken off after; layers add their bias, losses reduce.
ROUND_ABOUT = {
    "reshape": "gather index_select index_add index_copy index_fill scatter scatter_add norm matrix_norm conv1d conv2d "
    "conv_transpose1d conv_transpose2d conv3d conv_transpose3d max_unpool1d max_unpool2d max_unpool3d",
    "squeeze": "solve",
    "add": "batch_norm instance_norm conv_transpose2d interpolate bilinear",
    "mul": "glu dropout dropout2d alpha_dropout feature_alpha_dropout tensordot",
    "sum": "cosine_similarity embedding_bag",
    "where": "embedding embedding_bag threshold hardshrink softshrink",
}
LOSSES = (
    "binary_cross_entropy binary_cross_entropy_with_logits cross_entropy huber_loss kl_div l1_loss mse_loss nll_loss"
)
LOSSES += " smooth_l1_loss triplet_margin_loss triplet_margin_with_distance_loss margin_ranking_loss"
LOSSES += " hinge_embedding_loss soft_margin_loss cosine_embedding_loss poisson_nll_loss gaussian_nll_loss"
LOSSES += " multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss ctc_loss"
ARITHMETIC = {"add", "sub", "mul", "div", "neg", "abs", "square", "mean", "sum", "reshape"}
COMPOSED: dict[str, set[str]] = defaultdict(set)
SEVERAL = {"transpose": "solve cholesky", "mean": "std_mean var_mean", "std": "std_mean", "var": "var_mean"}
PROGRAMS = {
    "add": "gumbel_softmax upsample upsample_bilinear",
    "interpolate": "upsample_nearest",
    "div": "embedding_bag",
    "permute": "bilinear",
    "leaky_relu": "rrelu",
    "prelu": "rrelu",
    "reshape": "pixel_shuffle pixel_unshuffle channel_shuffle",
    "clamp_min": "triplet_margin_loss triplet_margin_with_distance_loss margin_ranking_loss",
    "softplus": "soft_margin_loss",
}
FACTORS = {
    "norm": "cdist dist",
    "solve": "cholesky_solve solve_triangular",
    "transpose": "solve_triangular",
    "div": "cond",
    "permute": "diag_embed",
    "eigvalsh": "eigh",
    "eigenvectors": "eigh",
    "inv": "inverse",
    "add": "logdet matrix_power",
    "matmul": "lstsq matrix_power",
    "sum": "lstsq",
    "svdvals": "svd",
    "cat": "qr svd",
    "qr_q": "qr",
    "qr_r": "qr",
    "singular_u": "svd",
    "singular_vt": "svd",
    **dict.fromkeys(("reshape", "unsqueeze"), "quantile"),
}
# What few programs ask for: second names, and what is put together from the operations above.
WIDE = {
    "abs": "absolute",
    "acos": "arccos",
    "acosh": "arccosh",
    "add": "addbmm addmv addr lu lu_unpack matrix_exp mvlgamma scatter_reduce triangular_solve",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atan2": "arctan2",
    "atanh": "arctanh",
    "broadcast_to": "fill",
    "cat": "block_diag column_stack dstack row_stack",
    "cholesky": "cholesky_ex",
    "clamp": "corrcoef",
    "clone": "cartesian_prod rot90",
    "cumsum": "cumulative_trapezoid",
    "diag": "diagflat",
    "digamma": "polygamma",
    "div": "corrcoef cov divide index_reduce scatter_reduce",
    "dot": "vdot",
    "flip": "rot90",
    "inv": "inv_ex",
    "lgamma": "mvlgamma",
    "lu": "lu_factor lu_factor_ex",
    "matmul": "cholesky_inverse lu_solve matrix_exp",
    "mul": "ldexp multiply renorm",
    "narrow": "dsplit hsplit unsafe_chunk unsafe_split vsplit",
    "neg": "negative",
    "outer": "ger",
    "permute": "adjoint cross diagonal_scatter gradient moveaxis",
    "pinv": "pinverse",
    "pow": "vander",
    "reshape": "chain_matmul cov masked_scatter multi_dot nanquantile put tensorinv tensorsolve",
    "scatter_reduce": "index_reduce",
    "sign": "sgn",
    "solve": "lu_solve solve_ex triangular_solve",
    "sort": "msort",
    "stack": "cartesian_prod",
    "sub": "householder_product orgqr ormqr subtract",
    "sum": "trapezoid trapz vecdot",
    "transpose": "cholesky_ex lu_solve ormqr rot90 solve_ex svd",
    "triu": "lu lu_unpack",
    "trunc": "fix",
    "unsqueeze": "nanquantile",
    "where": "frexp",
}
for table in (LAST, ROUND_ABOUT, PROGRAMS, FACTORS, WIDE, dict.fromkeys(ARITHMETIC, LOSSES), SEVERAL):
    for last, names in table.items():
        for each in names.split():
            COMPOSED[each].add(last)


@pytest.mark.parametrize("name", sorted(TAGS))
def test_what_an_operation_returns_is_called_as_the_operation(name: str) -> None:
    assert TAGS[name] - {name} <= COMPOSED.get(name, set())


def test_the_list_of_compositions_is_short_and_nothing_stands_in_it_for_nothing() -> None:
    losses = set(LOSSES.split())
    assert {(name, tag) for name in set(COMPOSED) - losses for tag in COMPOSED[name] - TAGS[name]} == set()
    assert len(set(TAGS) - set(COMPOSED)) > 110
