"""The tag of an operation is its public name: what `repr`, the pictures and the engine's errors call it."""

from collections import defaultdict
from typing import Any

import numpy as np
from op_table import CASES, sums_for_scipy

import minitorch
import minitorch.nn.functional
from minitorch import Tensor
from minitorch.lazy_imports import HOMES


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
# What is put together from other operations, and ends in one of them: whoever reads the graph meets that one.
NAMES = """
absolute adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
adaptive_max_pool3d addbmm addcdiv addcmul addmv addr adjoint alpha_dropout aminmax arccos arccosh arcsin arcsinh
arctan arctan2 arctanh atleast_1d atleast_2d atleast_3d avg_pool1d avg_pool2d avg_pool3d batch_norm bilinear
binary_cross_entropy binary_cross_entropy_with_logits block_diag broadcast_tensors cartesian_prod cdist celu
chain_matmul channel_shuffle cholesky cholesky_ex cholesky_inverse cholesky_solve chunk clamp clip column_stack
concat concatenate cond conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d corrcoef
cosine_embedding_loss cosine_similarity cov cross cross_entropy ctc_loss cumulative_trapezoid diag diag_embed
diagflat diagonal_scatter diff dist div divide dropout dropout2d dsplit dstack eigh einsum embedding embedding_bag
feature_alpha_dropout fill fix flatten fliplr flipud float_power frexp gather gaussian_nll_loss ger glu gradient
gumbel_softmax hardshrink hinge_embedding_loss householder_product hsplit hstack huber_loss index_add index_copy
index_fill index_put index_reduce index_select instance_norm interpolate inv_ex inverse kl_div kron l1_loss ldexp
linear local_response_norm logdet lp_pool1d lp_pool2d lp_pool3d lstsq lu lu_factor lu_factor_ex lu_solve lu_unpack
margin_ranking_loss masked_scatter matrix_exp matrix_norm matrix_power max max_pool1d max_pool2d max_pool3d
max_unpool1d max_unpool2d max_unpool3d meshgrid min moveaxis movedim mse_loss msort multi_dot multi_margin_loss
multilabel_margin_loss multilabel_soft_margin_loss multiply mvlgamma nanmean nanquantile negative nll_loss norm
normalize orgqr ormqr pad pairwise_distance pdist pinverse pixel_shuffle pixel_unshuffle poisson_nll_loss
polygamma put qr quantile ravel relu6 renorm rms_norm rot90 row_stack rrelu rsub scaled_dot_product_attention scatter
scatter_add scatter_reduce selu sgn smooth_l1_loss soft_margin_loss softmin softshrink solve solve_ex
solve_triangular split split_with_sizes std_mean subtract svd swapaxes swapdims t tanhshrink tensor_split
tensordot tensorinv tensorsolve threshold tile trapezoid trapz triangular_solve triplet_margin_loss
triplet_margin_with_distance_loss true_divide unbind unflatten unsafe_chunk unsafe_split upsample
upsample_bilinear upsample_nearest vander var_mean vdot vecdot vsplit vstack
"""
COMPOSED = {*NAMES.split()}
PUBLIC = {*minitorch.__all__, *HOMES, *minitorch.nn.functional.__all__, *minitorch.linalg.__all__, *dir(Tensor)}
# What several public names have in common, or one of several results.
PUBLIC |= {"conv", "max_pool", "huber", "eigenvectors", "qr_q", "qr_r", "singular_u", "singular_vt"}


def test_what_an_operation_returns_is_called_as_the_operation_or_as_the_public_one_that_it_ends_in() -> None:
    others = {name: tags - {name} for name, tags in TAGS.items()}
    unlisted = {name: tags for name, tags in others.items() if tags and name not in COMPOSED}
    assert unlisted == {}, "one made of others goes into NAMES; a private one takes name=, the public name"
    assert {name: tags - PUBLIC for name, tags in others.items() if tags - PUBLIC} == {}


def test_the_list_of_compositions_is_short_and_nothing_stands_in_it_for_nothing() -> None:
    assert {name for name in COMPOSED if not TAGS[name] - {name}} == set()
    assert len(set(TAGS) - COMPOSED) > 110
