"""Every exported operation of minitorch beside its plain NumPy form, on about 100,000 numbers."""

from __future__ import annotations

from benchmarks.pairs import axes, elementary, making, matrices, moving, networks, volumes
from benchmarks.pairs.pair import Pair

PAIRS: dict[str, Pair] = {}
for _family in (elementary, axes, matrices, moving, making, networks, volumes):
    PAIRS |= _family.PAIRS

# Drawn anew each time: the two forms agree in shape and dtype, not in value.
_RANDOM = (
    "bernoulli dropout dropout1d dropout2d dropout3d gumbel_softmax multinomial normal rand rand_like randint "
    "randint_like randn randn_like randperm rrelu alpha_dropout feature_alpha_dropout"
)
RANDOM = frozenset(_RANDOM.split())

# Views: no number is touched, here or in NumPy, so there is nothing that 100,000 numbers would show.
_VIEWS = (
    "reshape view reshape_as view_as flatten unflatten ravel squeeze unsqueeze permute transpose swapaxes swapdims "
    "movedim t expand broadcast_to expand_as broadcast_tensors meshgrid atleast_1d atleast_2d atleast_3d contiguous "
    "narrow select diagonal split split_with_sizes chunk tensor_split unbind as_tensor from_numpy"
)
# Other names for what is measured.
_ALIASES = "clip concat concatenate fliplr flipud tile new_tensor new_zeros new_ones new_full empty empty_like"
# Others of `linalg`, which are LAPACK's, products of what is measured, or views.
_LINALG = (
    "cholesky_ex cross diagonal householder_product inv_ex lu lu_factor lu_factor_ex lu_solve matmul matrix_exp "
    "multi_dot solve_ex tensorinv tensorsolve vander vecdot"
)
# They compute nothing.
_SETTINGS = (
    "get_default_dtype set_default_dtype is_grad_enabled manual_seed grad gradcheck gradgradcheck primitive "
    "detect_anomaly"
)
NOT_MEASURED = frozenset(f"{_VIEWS} {_ALIASES} {_SETTINGS}".split())
NOT_MEASURED |= {f"linalg.{name}" for name in _LINALG.split()}
