"""The functions of neural networks, under PyTorch's names; each stands in the file that its layer has in `nn`.

    linear, embedding, dropout      linear, bilinear; embedding, one_hot; dropout and its kin
    conv, pool, mean_pool           what slides over rows, images and volumes; _windows: where the windows stand
    unfold, padding                 unfold, fold; pad
    norm, batchnorm                 statistics of each sample; of each channel. _standardize: what they share
    rectifier, activation           with a corner at zero; smooth, or of several numbers, as glu
    attention                       scaled_dot_product_attention
    loss, classification            how far from a target, number by number; cross_entropy, nll_loss

Functions that few programs ask for stand in `minitorch.compat.nn.functional`, and are imported when they are.
sigmoid, tanh, softmax and log_softmax are those of `minitorch`. A function may be called as its file is: the name
is the function's.
"""

from typing import TYPE_CHECKING

import minitorch.nn.functional.activation as _activation
import minitorch.nn.functional.attention as _attention
import minitorch.nn.functional.batchnorm as _batchnorm
import minitorch.nn.functional.classification as _classification
import minitorch.nn.functional.conv as _conv
import minitorch.nn.functional.dropout as _dropout
import minitorch.nn.functional.embedding as _embedding
import minitorch.nn.functional.linear as _linear
import minitorch.nn.functional.loss as _loss
import minitorch.nn.functional.mean_pool as _mean_pool
import minitorch.nn.functional.norm as _norm
import minitorch.nn.functional.padding as _padding
import minitorch.nn.functional.pool as _pool
import minitorch.nn.functional.rectifier as _rectifier
import minitorch.nn.functional.unfold as _unfold
from minitorch.lazy_imports import homes_of, lazy_attributes
from minitorch.nn.functional.activation import *
from minitorch.nn.functional.attention import *
from minitorch.nn.functional.batchnorm import *
from minitorch.nn.functional.classification import *
from minitorch.nn.functional.conv import *
from minitorch.nn.functional.dropout import *
from minitorch.nn.functional.embedding import *
from minitorch.nn.functional.linear import *
from minitorch.nn.functional.loss import *
from minitorch.nn.functional.mean_pool import *
from minitorch.nn.functional.norm import *
from minitorch.nn.functional.padding import *
from minitorch.nn.functional.pool import *
from minitorch.nn.functional.rectifier import *
from minitorch.nn.functional.unfold import *
from minitorch.ops.softmax import log_softmax, softmax
from minitorch.ops.unary import sigmoid, tanh

__all__ = ["log_softmax", "sigmoid", "softmax", "tanh"]
__all__ += _activation.__all__
__all__ += _attention.__all__
__all__ += _batchnorm.__all__
__all__ += _classification.__all__
__all__ += _conv.__all__
__all__ += _dropout.__all__
__all__ += _embedding.__all__
__all__ += _linear.__all__
__all__ += _loss.__all__
__all__ += _norm.__all__
__all__ += _padding.__all__
__all__ += _pool.__all__
__all__ += _mean_pool.__all__
__all__ += _rectifier.__all__

__all__ += _unfold.__all__

_LATER = homes_of(
    "minitorch.compat.nn.functional",
    {
        "adaptive_pool": """adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
            adaptive_max_pool2d adaptive_max_pool3d""",
        "class_margins": "multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss",
        "ctc": "ctc_loss",
        "margins": """cosine_embedding_loss gaussian_nll_loss hinge_embedding_loss margin_ranking_loss
            pairwise_distance pdist poisson_nll_loss soft_margin_loss triplet_margin_loss
            triplet_margin_with_distance_loss""",
        "pixels": "channel_shuffle pixel_shuffle pixel_unshuffle",
        "resize": "interpolate upsample upsample_bilinear upsample_nearest",
        "shrink": "gumbel_softmax hardshrink softshrink tanhshrink threshold",
        "similarity": "cosine_similarity normalize",
    },
)
__all__ += list(_LATER)

if TYPE_CHECKING:  # for editors and type checkers, which follow no `__getattr__`
    from minitorch.compat.nn.functional.adaptive_pool import *
    from minitorch.compat.nn.functional.class_margins import *
    from minitorch.compat.nn.functional.ctc import *
    from minitorch.compat.nn.functional.margins import *
    from minitorch.compat.nn.functional.pixels import *
    from minitorch.compat.nn.functional.resize import *
    from minitorch.compat.nn.functional.shrink import *
    from minitorch.compat.nn.functional.similarity import *

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    __getattr__, __dir__ = lazy_attributes("minitorch.nn.functional", _LATER, __all__)
