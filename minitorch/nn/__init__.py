"""Layers, losses and what models are made of, under PyTorch's names. The functions they call: functional/, same words.

module, parameter, container    Module, Parameter, Sequential. _module_base: a module's members; _registry_view: they
                                as a dictionary; _hook_mixin: hooks; _state: state_dict; _sizes: sizes are integers
linear, embedding, flatten      products with a matrix, rows of a matrix, other shapes
conv, pool                      windows over images
norm, batchnorm                 statistics of each sample; of each channel, with running statistics
activation                      ReLU and LeakyReLU; GELU, Sigmoid and Tanh
dropout                         elements set to 0 at random
attention, transformer          several heads; the encoder layer around them
loss, classification            distances from a target; cross-entropy and NLL
init                            first values of weights; utils/: all gradients at once
overview                        a model's layers, shapes and parameters, as a table

Layers that few programs ask for stand in `minitorch.compat.nn`, and are imported when they are.
"""

from typing import TYPE_CHECKING

from minitorch.lazy_imports import homes_of, lazy_attributes
from minitorch.nn import functional, init
from minitorch.nn.activation import GELU, LeakyReLU, ReLU, Sigmoid, Tanh
from minitorch.nn.attention import MultiheadAttention
from minitorch.nn.batchnorm import BatchNorm1d, BatchNorm2d
from minitorch.nn.classification import CrossEntropyLoss, NLLLoss
from minitorch.nn.container import ModuleList, Sequential
from minitorch.nn.conv import Conv2d
from minitorch.nn.dropout import Dropout
from minitorch.nn.embedding import Embedding
from minitorch.nn.flatten import Flatten
from minitorch.nn.linear import Linear
from minitorch.nn.loss import BCELoss, MSELoss
from minitorch.nn.module import Module
from minitorch.nn.norm import LayerNorm
from minitorch.nn.overview import summary
from minitorch.nn.parameter import Buffer, Parameter
from minitorch.nn.pool import AvgPool2d, MaxPool2d
from minitorch.nn.transformer import TransformerEncoderLayer

__all__ = ["functional", "init", "utils", "summary", "Module", "Buffer", "Parameter", "ModuleList", "Sequential"]
__all__ += ["Linear", "Embedding", "Flatten", "Dropout", "Conv2d", "AvgPool2d", "MaxPool2d"]
__all__ += ["BatchNorm1d", "BatchNorm2d", "LayerNorm"]
__all__ += ["ReLU", "LeakyReLU", "GELU", "Sigmoid", "Tanh", "MultiheadAttention", "TransformerEncoderLayer"]
__all__ += ["BCELoss", "MSELoss", "CrossEntropyLoss", "NLLLoss"]

if TYPE_CHECKING:  # for editors and type checkers, which follow no `__getattr__`
    from minitorch.compat.nn.activation import *
    from minitorch.compat.nn.adaptive_softmax import *
    from minitorch.compat.nn.batchnorm import *
    from minitorch.compat.nn.container import *
    from minitorch.compat.nn.conv import *
    from minitorch.compat.nn.dropout import *
    from minitorch.compat.nn.embedding import *
    from minitorch.compat.nn.flatten import *
    from minitorch.compat.nn.lazy import *
    from minitorch.compat.nn.linear import *
    from minitorch.compat.nn.loss import *
    from minitorch.compat.nn.norm import *
    from minitorch.compat.nn.padding import *
    from minitorch.compat.nn.pool import *
    from minitorch.compat.nn.recurrent import *
    from minitorch.compat.nn.resize import *
    from minitorch.compat.nn.transformer import *
    from minitorch.compat.nn.unfold import *
    from minitorch.nn import utils as utils

_MODULES = {
    "activation": """CELU ELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LogSigmoid LogSoftmax Mish PReLU RReLU ReLU6
        SELU SiLU Softmax Softmax2d Softmin Softplus Softshrink Softsign Tanhshrink Threshold""",
    "adaptive_softmax": "AdaptiveLogSoftmaxWithLoss",
    "batchnorm": "BatchNorm3d InstanceNorm1d InstanceNorm2d InstanceNorm3d",
    "container": "ModuleDict ParameterDict ParameterList",
    "conv": "Conv1d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d",
    "dropout": "AlphaDropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
    "embedding": "EmbeddingBag",
    "flatten": "Unflatten",
    "lazy": """LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d
        LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d
        LazyInstanceNorm3d LazyLinear""",
    "linear": "Bilinear Identity",
    "loss": """BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CosineSimilarity GaussianNLLLoss HingeEmbeddingLoss
        HuberLoss KLDivLoss L1Loss MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss
        PairwiseDistance PoissonNLLLoss SmoothL1Loss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss""",
    "norm": "GroupNorm LocalResponseNorm RMSNorm",
    "padding": """CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d
        ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d
        ZeroPad1d ZeroPad2d ZeroPad3d""",
    "pool": """AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
        AdaptiveMaxPool3d AvgPool1d AvgPool3d LPPool1d LPPool2d LPPool3d MaxPool1d MaxPool3d MaxUnpool1d MaxUnpool2d
        MaxUnpool3d""",
    "recurrent": "GRU GRUCell LSTM LSTMCell RNN RNNCell",
    "resize": "ChannelShuffle PixelShuffle PixelUnshuffle Upsample UpsamplingBilinear2d UpsamplingNearest2d",
    "transformer": "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder",
    "unfold": "Fold Unfold",
}
_LATER = homes_of("minitorch.compat.nn", _MODULES)
__all__ += list(_LATER)

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    __getattr__, __dir__ = lazy_attributes("minitorch.nn", _LATER | {"utils": "minitorch.nn.utils"}, __all__)
