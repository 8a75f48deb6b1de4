"""Layers, losses and what models are made of, under PyTorch's names. The functions they call: functional/, same words.

module, parameter, container    Module, Parameter, Sequential … (_tree, _owned: what one owns; _hooks, _state, _sizes)
linear, embedding, flatten      products with a matrix, rows of a table, other shapes
conv, pool, adaptive_pool       what slides over rows and images; padding, resize: around them, between them
norm, batchnorm                 statistics of each sample; of each channel, remembered
rectifier, activation           with a corner at zero; smooth, or of several numbers, as Softmax
dropout                         numbers left out at random
attention, transformer          one layer of heads; the encoder made of them
recurrent, cells                a whole sequence; one step of it. _recurrence: LSTM and GRU as one operation
decoder                         the transformer's other half, and the whole
loss, classification            how far from a target; how surprised by a class. similarity: the cosine
margins                         losses of margins, rates and distributions
shrink, pixels                  small numbers vanish; channels as pixels and back
init, utils                     first values of weights; all gradients at once, as clip_grad_norm_
overview                        a model's layers, shapes and parameters, as a table
"""

from typing import TYPE_CHECKING

from minitorch.nn import functional, init, utils
from minitorch.nn.activation import (
    GELU,
    GLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    Sigmoid,
    SiLU,
    Softmax,
    Softmin,
    Softplus,
    Softsign,
    Tanh,
    Tanhshrink,
)
from minitorch.nn.adaptive_pool import AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveMaxPool1d, AdaptiveMaxPool2d
from minitorch.nn.attention import MultiheadAttention
from minitorch.nn.batchnorm import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
)
from minitorch.nn.cells import GRUCell, LSTMCell, RNNCell
from minitorch.nn.classification import CrossEntropyLoss, NLLLoss
from minitorch.nn.container import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from minitorch.nn.conv import Conv1d, Conv2d, ConvTranspose1d, ConvTranspose2d
from minitorch.nn.decoder import Transformer, TransformerDecoder, TransformerDecoderLayer
from minitorch.nn.dropout import Dropout, Dropout1d, Dropout2d, Dropout3d
from minitorch.nn.embedding import Embedding, EmbeddingBag
from minitorch.nn.flatten import Flatten, Unflatten
from minitorch.nn.linear import Bilinear, Identity, Linear
from minitorch.nn.loss import BCELoss, BCEWithLogitsLoss, HuberLoss, KLDivLoss, L1Loss, MSELoss, SmoothL1Loss
from minitorch.nn.margins import (
    CosineEmbeddingLoss,
    GaussianNLLLoss,
    HingeEmbeddingLoss,
    MarginRankingLoss,
    PairwiseDistance,
    PoissonNLLLoss,
    SoftMarginLoss,
    TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)
from minitorch.nn.module import Module
from minitorch.nn.norm import GroupNorm, LayerNorm, RMSNorm
from minitorch.nn.overview import summary
from minitorch.nn.padding import (
    CircularPad1d,
    CircularPad2d,
    CircularPad3d,
    ConstantPad1d,
    ConstantPad2d,
    ConstantPad3d,
    ReflectionPad1d,
    ReflectionPad2d,
    ReflectionPad3d,
    ReplicationPad1d,
    ReplicationPad2d,
    ReplicationPad3d,
    ZeroPad1d,
    ZeroPad2d,
    ZeroPad3d,
)
from minitorch.nn.parameter import Buffer, Parameter
from minitorch.nn.pixels import ChannelShuffle, PixelShuffle, PixelUnshuffle
from minitorch.nn.pool import AvgPool1d, AvgPool2d, MaxPool1d, MaxPool2d
from minitorch.nn.rectifier import CELU, ELU, SELU, Hardsigmoid, Hardswish, Hardtanh, LeakyReLU, PReLU, ReLU, ReLU6
from minitorch.nn.recurrent import GRU, LSTM, RNN
from minitorch.nn.resize import Upsample
from minitorch.nn.shrink import Hardshrink, Softshrink, Threshold
from minitorch.nn.similarity import CosineSimilarity
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
    # conv, pool, adaptive_pool, padding, resize
    "Conv1d",
    "Conv2d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "AvgPool1d",
    "AvgPool2d",
    "MaxPool1d",
    "MaxPool2d",
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
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
    # norm, batchnorm
    "GroupNorm",
    "LayerNorm",
    "RMSNorm",
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
    # margins, shrink
    "CosineEmbeddingLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "MarginRankingLoss",
    "PairwiseDistance",
    "PoissonNLLLoss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
    "ChannelShuffle",
    "Hardshrink",
    "PixelShuffle",
    "PixelUnshuffle",
    "Softshrink",
    "Threshold",
]

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever

    def __getattr__(name: str) -> object:
        """Raises AttributeError that says which name was meant."""
        from minitorch.absent import not_found

        raise not_found("module 'minitorch.nn'", name, __all__)
