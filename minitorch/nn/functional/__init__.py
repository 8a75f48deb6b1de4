"""The functions of neural networks, under PyTorch's names; each stands in the file that its layer has in `nn`.

    linear, embedding, dropout      linear; embedding, one_hot; dropout
    conv, pool                      windows over images; _windows: where the windows stand
    unfold                          an old name of unfold and fold in `compat`
    norm, batchnorm                 statistics of each sample; of each channel. _standardize: what they share
    activation                      relu, leaky_relu, gelu
    attention                       scaled_dot_product_attention
    loss, classification            mse_loss, smooth_l1_loss, binary_cross_entropy; cross_entropy, nll_loss

Functions that few programs ask for stand in `minitorch.compat.nn.functional`, and are imported when they are.
sigmoid, tanh, softmax and log_softmax are those of `minitorch`. A function may be called as its file is: the name
is the function's.
"""

from typing import TYPE_CHECKING

from minitorch.lazy_imports import homes_of, lazy_attributes
from minitorch.nn.functional.activation import gelu, leaky_relu, relu
from minitorch.nn.functional.attention import scaled_dot_product_attention
from minitorch.nn.functional.batchnorm import batch_norm
from minitorch.nn.functional.classification import cross_entropy, nll_loss
from minitorch.nn.functional.conv import conv2d
from minitorch.nn.functional.dropout import dropout
from minitorch.nn.functional.embedding import embedding, one_hot
from minitorch.nn.functional.linear import linear
from minitorch.nn.functional.loss import binary_cross_entropy, mse_loss, smooth_l1_loss
from minitorch.nn.functional.norm import layer_norm
from minitorch.nn.functional.pool import avg_pool2d, max_pool2d
from minitorch.ops.softmax import log_softmax, softmax
from minitorch.ops.unary import sigmoid, tanh

__all__ = [
    "linear",
    "embedding",
    "one_hot",
    "dropout",
    "conv2d",
    "avg_pool2d",
    "max_pool2d",
    "batch_norm",
    "layer_norm",
]
__all__ += ["gelu", "leaky_relu", "log_softmax", "relu", "sigmoid", "softmax", "tanh", "scaled_dot_product_attention"]
__all__ += ["binary_cross_entropy", "mse_loss", "smooth_l1_loss", "cross_entropy", "nll_loss"]

if TYPE_CHECKING:  # for editors and type checkers, which follow no `__getattr__`
    from minitorch.compat.nn.functional.activation import *
    from minitorch.compat.nn.functional.batchnorm import *
    from minitorch.compat.nn.functional.conv import *
    from minitorch.compat.nn.functional.ctc import *
    from minitorch.compat.nn.functional.dropout import *
    from minitorch.compat.nn.functional.embedding import *
    from minitorch.compat.nn.functional.linear import *
    from minitorch.compat.nn.functional.loss import *
    from minitorch.compat.nn.functional.norm import *
    from minitorch.compat.nn.functional.padding import *
    from minitorch.compat.nn.functional.pool import *
    from minitorch.compat.nn.functional.resize import *
    from minitorch.compat.nn.functional.unfold import *

_MODULES = {
    "activation": """celu elu glu gumbel_softmax hardshrink hardsigmoid hardswish hardtanh logsigmoid mish prelu relu6
        rrelu selu silu softmin softplus softshrink softsign tanhshrink threshold""",
    "batchnorm": "instance_norm",
    "conv": "conv1d conv3d conv_transpose1d conv_transpose2d conv_transpose3d",
    "ctc": "ctc_loss",
    "dropout": "alpha_dropout dropout1d dropout2d dropout3d feature_alpha_dropout",
    "embedding": "embedding_bag",
    "linear": "bilinear",
    "loss": """binary_cross_entropy_with_logits cosine_embedding_loss gaussian_nll_loss hinge_embedding_loss huber_loss
        kl_div l1_loss margin_ranking_loss multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss
        pairwise_distance pdist poisson_nll_loss soft_margin_loss triplet_margin_loss
        triplet_margin_with_distance_loss""",
    "norm": "cosine_similarity group_norm local_response_norm normalize rms_norm",
    "padding": "pad",
    "pool": """adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
        adaptive_max_pool3d avg_pool1d avg_pool3d lp_pool1d lp_pool2d lp_pool3d max_pool1d max_pool3d max_unpool1d
        max_unpool2d max_unpool3d""",
    "resize": """channel_shuffle interpolate pixel_shuffle pixel_unshuffle upsample upsample_bilinear
        upsample_nearest""",
    "unfold": "fold unfold",
}
_LATER = homes_of("minitorch.compat.nn.functional", _MODULES)
__all__ += list(_LATER)

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    # Importing a module binds its name here, once: done now, so that `unfold` is the function later.
    from minitorch.nn.functional import unfold

    del unfold
    __getattr__, __dir__ = lazy_attributes("minitorch.nn.functional", _LATER, __all__)
