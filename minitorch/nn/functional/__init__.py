"""The functions of neural networks, under PyTorch's names."""

from minitorch.nn.functional import (
    activations,
    affine,
    attention,
    classification,
    directions,
    dropouts,
    losses,
    normalization,
    rectifiers,
    sparse,
    windows,
)
from minitorch.nn.functional.activations import *
from minitorch.nn.functional.affine import *
from minitorch.nn.functional.attention import *
from minitorch.nn.functional.classification import *
from minitorch.nn.functional.directions import *
from minitorch.nn.functional.dropouts import *
from minitorch.nn.functional.losses import *
from minitorch.nn.functional.normalization import *
from minitorch.nn.functional.rectifiers import *
from minitorch.nn.functional.sparse import *
from minitorch.nn.functional.windows import *
from minitorch.ops.fused import log_softmax, softmax
from minitorch.ops.unary import relu, sigmoid, tanh

__all__ = [
    *activations.__all__,
    *affine.__all__,
    *attention.__all__,
    *classification.__all__,
    *directions.__all__,
    *dropouts.__all__,
    *losses.__all__,
    *normalization.__all__,
    *rectifiers.__all__,
    *sparse.__all__,
    *windows.__all__,
    "log_softmax",
    "relu",
    "sigmoid",
    "softmax",
    "tanh",
]
