"""Building blocks of neural networks."""

from minitorch.nn import functional, init, utils
from minitorch.nn.activation import GELU, GLU, LogSigmoid, Mish, Sigmoid, SiLU, Softplus, Softsign, Tanh, Tanhshrink
from minitorch.nn.attention import MultiheadAttention
from minitorch.nn.batchnorm import BatchNorm1d, BatchNorm2d, InstanceNorm1d, InstanceNorm2d
from minitorch.nn.cells import GRUCell, LSTMCell, RNNCell
from minitorch.nn.container import ModuleDict, ModuleList, ParameterList, Sequential
from minitorch.nn.conv import Conv1d, Conv2d, ConvTranspose1d, ConvTranspose2d
from minitorch.nn.dropout import Dropout, Dropout2d
from minitorch.nn.embedding import Embedding
from minitorch.nn.flatten import Flatten, Unflatten
from minitorch.nn.linear import Bilinear, Identity, Linear
from minitorch.nn.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CosineSimilarity,
    CrossEntropyLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from minitorch.nn.module import Module
from minitorch.nn.norm import GroupNorm, LayerNorm, RMSNorm
from minitorch.nn.parameter import Buffer, Parameter
from minitorch.nn.pool import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveMaxPool1d,
    AdaptiveMaxPool2d,
    AvgPool1d,
    AvgPool2d,
    MaxPool1d,
    MaxPool2d,
)
from minitorch.nn.rectifier import (
    CELU,
    ELU,
    SELU,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    LogSoftmax,
    PReLU,
    ReLU,
    ReLU6,
    Softmax,
    Softmin,
)
from minitorch.nn.recurrent import GRU, LSTM, RNN
from minitorch.nn.resize import Upsample, ZeroPad2d
from minitorch.nn.transformer import TransformerEncoder, TransformerEncoderLayer

__all__ = [
    "functional",
    "init",
    "utils",
    # parameter, module, container
    "Buffer",
    "Module",
    "ModuleDict",
    "ModuleList",
    "Parameter",
    "ParameterList",
    "Sequential",
    # linear, embedding, dropout, flatten
    "Bilinear",
    "Identity",
    "Linear",
    "Embedding",
    "Dropout",
    "Dropout2d",
    "Flatten",
    "Unflatten",
    # conv, pool, resize
    "Conv1d",
    "Conv2d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AvgPool1d",
    "AvgPool2d",
    "MaxPool1d",
    "MaxPool2d",
    "Upsample",
    "ZeroPad2d",
    # norm, batchnorm
    "GroupNorm",
    "LayerNorm",
    "RMSNorm",
    "BatchNorm1d",
    "BatchNorm2d",
    "InstanceNorm1d",
    "InstanceNorm2d",
    # rectifier, activation
    "CELU",
    "ELU",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "LogSoftmax",
    "PReLU",
    "ReLU",
    "ReLU6",
    "SELU",
    "Softmax",
    "Softmin",
    "GELU",
    "GLU",
    "LogSigmoid",
    "Mish",
    "SiLU",
    "Sigmoid",
    "Softplus",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    # attention, transformer
    "MultiheadAttention",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    # recurrent, cells
    "GRU",
    "LSTM",
    "RNN",
    "GRUCell",
    "LSTMCell",
    "RNNCell",
    # loss
    "BCELoss",
    "BCEWithLogitsLoss",
    "CosineSimilarity",
    "CrossEntropyLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "MSELoss",
    "NLLLoss",
    "SmoothL1Loss",
]
