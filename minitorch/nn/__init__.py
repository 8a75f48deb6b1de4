"""Layers, losses and what models are made of, under PyTorch's names. The functions they call: functional/, same words.

module, parameter, container    Module, Parameter, Sequential … (_tree, _owned: what one owns; _hooks, _state, _sizes)
linear, embedding, flatten      products with a matrix, rows of a table, other shapes
conv, pool                      windows over images
norm, batchnorm                 statistics of each sample; of each channel, with running statistics
rectifier, activation           with a corner at zero; smooth, or of several numbers, as Softmax
dropout                         elements set to 0 at random
attention, transformer          one layer of heads; the encoder made of them
recurrent, cells                a whole sequence; one step of it. _recurrence: LSTM and GRU as one operation
loss, classification            how far from a target; how surprised by a class
packed                          sequences of different lengths, padded and packed
init                            first values of weights; utils/: all gradients at once, parametrized weights
overview                        a model's layers, shapes and parameters, as a table

Layers that few programs ask for stand in `minitorch.compat.nn`, and are imported when they are.
"""

from typing import TYPE_CHECKING

from minitorch.lazy_imports import homes_of, lazy_attributes, share_with_mirrors
from minitorch.nn import functional, init
from minitorch.nn.activation import (
    GELU,
    GLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    Sigmoid,
    SiLU,
    Softmax,
    Softmax2d,
    Softmin,
    Softplus,
    Softsign,
    Tanh,
    Tanhshrink,
)
from minitorch.nn.attention import MultiheadAttention
from minitorch.nn.batchnorm import BatchNorm1d, BatchNorm2d
from minitorch.nn.cells import GRUCell, LSTMCell, RNNCell
from minitorch.nn.classification import CrossEntropyLoss, NLLLoss
from minitorch.nn.container import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from minitorch.nn.conv import Conv2d
from minitorch.nn.dropout import Dropout
from minitorch.nn.embedding import Embedding, EmbeddingBag
from minitorch.nn.flatten import Flatten
from minitorch.nn.linear import Bilinear, Identity, Linear
from minitorch.nn.loss import BCELoss, BCEWithLogitsLoss, HuberLoss, KLDivLoss, L1Loss, MSELoss, SmoothL1Loss
from minitorch.nn.module import Module
from minitorch.nn.norm import LayerNorm
from minitorch.nn.overview import summary
from minitorch.nn.parameter import Buffer, Parameter
from minitorch.nn.pool import MaxPool2d
from minitorch.nn.rectifier import (
    CELU,
    ELU,
    SELU,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    PReLU,
    ReLU,
    ReLU6,
    RReLU,
)
from minitorch.nn.recurrent import GRU, LSTM, RNN
from minitorch.nn.transformer import TransformerEncoder, TransformerEncoderLayer

__all__ = [
    "functional",
    "init",
    "utils",
    "summary",
    # module, parameter, container
    "Module",
    "Buffer",
    "Parameter",
    "ModuleDict",
    "ModuleList",
    "ParameterDict",
    "ParameterList",
    "Sequential",
    # linear, embedding, flatten, dropout
    "Bilinear",
    "Identity",
    "Linear",
    "Embedding",
    "EmbeddingBag",
    "Flatten",
    "Unflatten",
    "Dropout",
    "Dropout1d",
    "Dropout2d",
    "Dropout3d",
    "AlphaDropout",
    "FeatureAlphaDropout",
    # lazy
    "LazyBatchNorm1d",
    "LazyBatchNorm2d",
    "LazyBatchNorm3d",
    "LazyConv1d",
    "LazyConv2d",
    "LazyConv3d",
    "LazyConvTranspose1d",
    "LazyConvTranspose2d",
    "LazyConvTranspose3d",
    "LazyInstanceNorm1d",
    "LazyInstanceNorm2d",
    "LazyInstanceNorm3d",
    "LazyLinear",
    # conv, pool, mean_pool, adaptive_pool, padding, resize
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "LPPool1d",
    "LPPool2d",
    "LPPool3d",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
    "Upsample",
    "UpsamplingBilinear2d",
    "UpsamplingNearest2d",
    "Fold",
    "Unfold",
    # norm, batchnorm
    "GroupNorm",
    "LayerNorm",
    "RMSNorm",
    "LocalResponseNorm",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    # rectifier, activation
    "CELU",
    "ELU",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SELU",
    "GELU",
    "GLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    # attention, transformer
    "MultiheadAttention",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    # recurrent, cells
    "GRU",
    "LSTM",
    "RNN",
    "GRUCell",
    "LSTMCell",
    "RNNCell",
    # loss, classification, similarity
    "BCELoss",
    "BCEWithLogitsLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "MSELoss",
    "SmoothL1Loss",
    "CrossEntropyLoss",
    "NLLLoss",
    "CosineSimilarity",
    # margins, class_margins, ctc, shrink, pixels
    "CosineEmbeddingLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "MarginRankingLoss",
    "PairwiseDistance",
    "PoissonNLLLoss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
    "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "CTCLoss",
    "AdaptiveLogSoftmaxWithLoss",
    "ChannelShuffle",
    "Hardshrink",
    "PixelShuffle",
    "PixelUnshuffle",
    "Softshrink",
    "Threshold",
]

if TYPE_CHECKING:  # for editors and type checkers, which follow no `__getattr__`
    from minitorch.compat.nn.adaptive_pool import *
    from minitorch.compat.nn.adaptive_softmax import *
    from minitorch.compat.nn.batchnorm import *
    from minitorch.compat.nn.class_margins import *
    from minitorch.compat.nn.conv import *
    from minitorch.compat.nn.ctc import *
    from minitorch.compat.nn.decoder import *
    from minitorch.compat.nn.dropout import *
    from minitorch.compat.nn.flatten import *
    from minitorch.compat.nn.lazy import *
    from minitorch.compat.nn.margins import *
    from minitorch.compat.nn.mean_pool import *
    from minitorch.compat.nn.norm import *
    from minitorch.compat.nn.padding import *
    from minitorch.compat.nn.pixels import *
    from minitorch.compat.nn.pool import *
    from minitorch.compat.nn.resize import *
    from minitorch.compat.nn.shrink import *
    from minitorch.compat.nn.similarity import *
    from minitorch.compat.nn.unfold import *
    from minitorch.nn import utils as utils

_MODULES = {
    "adaptive_pool": """AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d
        AdaptiveMaxPool2d AdaptiveMaxPool3d""",
    "adaptive_softmax": "AdaptiveLogSoftmaxWithLoss",
    "batchnorm": "BatchNorm3d InstanceNorm1d InstanceNorm2d InstanceNorm3d",
    "class_margins": "MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss",
    "conv": "Conv1d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d",
    "ctc": "CTCLoss",
    "decoder": "Transformer TransformerDecoder TransformerDecoderLayer",
    "dropout": "AlphaDropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
    "flatten": "Unflatten",
    "lazy": """LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d
        LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d
        LazyInstanceNorm3d LazyLinear""",
    "margins": """CosineEmbeddingLoss GaussianNLLLoss HingeEmbeddingLoss MarginRankingLoss PairwiseDistance
        PoissonNLLLoss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss""",
    "mean_pool": "AvgPool1d AvgPool2d AvgPool3d LPPool1d LPPool2d LPPool3d",
    "norm": "GroupNorm LocalResponseNorm RMSNorm",
    "padding": """CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d
        ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d
        ZeroPad1d ZeroPad2d ZeroPad3d""",
    "pixels": "ChannelShuffle PixelShuffle PixelUnshuffle",
    "pool": "MaxPool1d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d",
    "resize": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
    "shrink": "Hardshrink Softshrink Threshold",
    "similarity": "CosineSimilarity",
    "unfold": "Fold Unfold",
}
_LATER = {"utils": "minitorch.nn.utils"} | homes_of("minitorch.compat.nn", _MODULES)
share_with_mirrors("nn", _MODULES)

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    __getattr__, __dir__ = lazy_attributes("minitorch.nn", _LATER, __all__)
