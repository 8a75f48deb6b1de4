"""The functions of neural networks, under PyTorch's names; each stands in the file that its layer has in `nn`.

    linear, embedding, dropout      linear, bilinear; embedding, one_hot; dropout and its kin
    conv, pool, mean_pool           what slides over rows, images and volumes; _windows: where the windows stand
    adaptive_pool                   pools that are told the size of their result
    unfold, padding, resize         unfold, fold; pad; interpolate
    norm, batchnorm                 statistics of each sample; of each channel. _standardize: what they share
    rectifier, activation           with a corner at zero; smooth, or of several numbers, as glu
    attention                       scaled_dot_product_attention
    loss, classification            how far from a target, number by number; cross_entropy, nll_loss
    margins, class_margins          far enough apart, ranked, counted, of a Gaussian; one class ahead of the others
    ctc                             sequences of labels whose places in time are not known
    similarity                      normalize, cosine_similarity
    shrink                          small numbers vanish; gumbel_softmax, a choice with a gradient
    pixels                          channels as pixels and back

sigmoid, tanh, softmax and log_softmax are those of `minitorch`. A function may be called as its file is: the name
is the function's.
"""

from typing import TYPE_CHECKING

import minitorch.nn.functional.activation as _activation
import minitorch.nn.functional.adaptive_pool as _adaptive_pool
import minitorch.nn.functional.attention as _attention
import minitorch.nn.functional.batchnorm as _batchnorm
import minitorch.nn.functional.class_margins as _class_margins
import minitorch.nn.functional.classification as _classification
import minitorch.nn.functional.conv as _conv
import minitorch.nn.functional.ctc as _ctc
import minitorch.nn.functional.dropout as _dropout
import minitorch.nn.functional.embedding as _embedding
import minitorch.nn.functional.linear as _linear
import minitorch.nn.functional.loss as _loss
import minitorch.nn.functional.margins as _margins
import minitorch.nn.functional.mean_pool as _mean_pool
import minitorch.nn.functional.norm as _norm
import minitorch.nn.functional.padding as _padding
import minitorch.nn.functional.pixels as _pixels
import minitorch.nn.functional.pool as _pool
import minitorch.nn.functional.rectifier as _rectifier
import minitorch.nn.functional.resize as _resize
import minitorch.nn.functional.shrink as _shrink
import minitorch.nn.functional.similarity as _similarity
import minitorch.nn.functional.unfold as _unfold
from minitorch.nn.functional.activation import *
from minitorch.nn.functional.adaptive_pool import *
from minitorch.nn.functional.attention import *
from minitorch.nn.functional.batchnorm import *
from minitorch.nn.functional.class_margins import *
from minitorch.nn.functional.classification import *
from minitorch.nn.functional.conv import *
from minitorch.nn.functional.ctc import *
from minitorch.nn.functional.dropout import *
from minitorch.nn.functional.embedding import *
from minitorch.nn.functional.linear import *
from minitorch.nn.functional.loss import *
from minitorch.nn.functional.margins import *
from minitorch.nn.functional.mean_pool import *
from minitorch.nn.functional.norm import *
from minitorch.nn.functional.padding import *
from minitorch.nn.functional.pixels import *
from minitorch.nn.functional.pool import *
from minitorch.nn.functional.rectifier import *
from minitorch.nn.functional.resize import *
from minitorch.nn.functional.shrink import *
from minitorch.nn.functional.similarity import *
from minitorch.nn.functional.unfold import *
from minitorch.ops.softmax import log_softmax, softmax
from minitorch.ops.unary import sigmoid, tanh

__all__ = ["log_softmax", "sigmoid", "softmax", "tanh"]
__all__ += _activation.__all__
__all__ += _adaptive_pool.__all__
__all__ += _attention.__all__
__all__ += _batchnorm.__all__
__all__ += _class_margins.__all__
__all__ += _classification.__all__
__all__ += _conv.__all__
__all__ += _ctc.__all__
__all__ += _dropout.__all__
__all__ += _embedding.__all__
__all__ += _linear.__all__
__all__ += _loss.__all__
__all__ += _margins.__all__
__all__ += _pixels.__all__
__all__ += _shrink.__all__
__all__ += _norm.__all__
__all__ += _padding.__all__
__all__ += _pool.__all__
__all__ += _mean_pool.__all__
__all__ += _rectifier.__all__
__all__ += _resize.__all__
__all__ += _similarity.__all__
__all__ += _unfold.__all__

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever

    def __getattr__(name: str) -> object:
        """Raises AttributeError that says which name was meant."""
        from minitorch.absent import not_found

        raise not_found("module 'minitorch.nn.functional'", name, __all__)
