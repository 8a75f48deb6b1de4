"""Layers and losses as a table that runs on minitorch and on PyTorch: how each is made, and on what it is called.

Inputs, weights and upstream gradients are drawn from a bit stream that never changes, so that only results are stored.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).parent / "golden" / "layers.npz"


def call(module: Any, *inputs: Any) -> Any:
    return module(*inputs)


@dataclass(frozen=True)
class Case:
    """make: a function of `nn`. shapes: of the float inputs. fixed: inputs without gradient, which come after them."""

    name: str
    make: Callable[[Any], Any]
    shapes: tuple[tuple[int, ...], ...]
    fixed: tuple[Any, ...] = ()
    run: Callable[..., Any] = call
    train: bool = True
    positive: bool = False  # inputs between 0.1 and 0.9
    near: float = 1e-12

    def rng(self) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(zlib.crc32(self.name.encode())))


@dataclass
class Result:
    text: str
    keys: list[str]
    shapes: list[list[int]]
    arrays: list[np.ndarray] = field(default_factory=list)


def flat(values: Any) -> list[Any]:
    """All float Tensors in nested tuples, in order."""
    if values is None:
        return []
    if isinstance(values, tuple):
        return [each for value in values for each in flat(value)]
    return [values] if "float" in str(values.dtype) else []


def array(tensor: Any) -> np.ndarray:
    return np.asarray(tensor if isinstance(tensor, np.ndarray) else tensor.detach().numpy(), dtype=np.float64).copy()


def prepared(case: Case, nn: Any, tensor: Callable[..., Any]) -> tuple[Any, np.random.Generator]:
    """The module in float64 with its drawn weights. Variances are positive, counters stay."""
    module = case.make(nn).double().train(case.train)
    rng = case.rng()
    state = module.state_dict()
    for name, value in state.items():
        if "float" in str(value.dtype):
            drawn = rng.uniform(-0.5, 0.5, tuple(value.shape))
            state[name] = tensor(drawn + 1.0 if name.endswith("running_var") else drawn)
    module.load_state_dict(state)
    return module, rng


def run(case: Case, nn: Any, tensor: Callable[..., Any]) -> Result:
    """Outputs, gradients of all inputs and parameters, and the state that the call left behind."""
    module, rng = prepared(case, nn, tensor)
    state = module.state_dict()
    result = Result(repr(module), list(state), [list(value.shape) for value in state.values()])
    result.text = result.text.replace("NonDynamicallyQuantizableLinear", "Linear")
    if case.positive:
        drawn = [rng.uniform(0.1, 0.9, shape) for shape in case.shapes]
    else:
        drawn = [rng.standard_normal(shape) for shape in case.shapes]
    inputs = [tensor(values, requires_grad=True) for values in drawn]
    outputs = flat(case.run(module, *inputs, *[tensor(np.array(values)) for values in case.fixed]))
    loss = sum((out * tensor(rng.standard_normal(tuple(out.shape)))).sum() for out in outputs)
    loss.backward()
    result.arrays += [array(out) for out in outputs]
    for leaf in [*inputs, *module.parameters()]:
        result.arrays.append(np.zeros(tuple(leaf.shape)) if leaf.grad is None else array(leaf.grad))
    result.arrays += [array(buffer) for buffer in module.buffers()]
    return result


def golden() -> dict[str, Result]:
    """What PyTorch gave for every case."""
    with np.load(FILE) as stored:
        values, index = stored["values"], json.loads(str(stored["index"]))
    found, start = {}, 0
    for name, (text, keys, shapes, kept) in index.items():
        arrays = []
        for shape in kept:
            size = int(np.prod(shape))
            arrays.append(values[start : start + size].reshape(shape))
            start += size
        found[name] = Result(text, keys, shapes, arrays)
    return found


# -- the table ---------------------------------------------------------------------------------------------------------

CAUSAL = np.triu(np.ones((4, 4), dtype=bool), 1)
PADDED = np.array([[False] * 4, [False, False, True, True]])
ROW = (2, 3, 8)
IMAGE = (2, 4, 6, 5)

CASES: list[Case] = []


def case(name: str, make: Callable[[Any], Any], *shapes: tuple[int, ...], **options: Any) -> None:
    CASES.append(Case(name, make, shapes, **options))


case("Identity", lambda nn: nn.Identity(1, a=2), (2, 3))
case("Linear", lambda nn: nn.Linear(3, 4), (2, 3))
case("Linear without bias", lambda nn: nn.Linear(3, 4, bias=False), (2, 2, 3))
case("Bilinear", lambda nn: nn.Bilinear(3, 2, 4), (5, 3), (5, 2))
case("Bilinear without bias", lambda nn: nn.Bilinear(3, 2, 4, bias=False), (2, 2, 3), (2, 2, 2))
case("Flatten", lambda nn: nn.Flatten(), (2, 3, 2))
case("Flatten between", lambda nn: nn.Flatten(0, 1), (2, 3, 2))
case("Unflatten", lambda nn: nn.Unflatten(1, (2, -1)), (2, 6))
case("Dropout in eval", lambda nn: nn.Dropout(0.3), (2, 3), train=False)
case("Dropout of nothing", lambda nn: nn.Dropout(0.0, inplace=False), (2, 3))
case("Dropout2d in eval", lambda nn: nn.Dropout2d(0.3), (2, 3, 2, 2), train=False)
case("Embedding", lambda nn: nn.Embedding(5, 3), fixed=([[0, 4], [4, 2]],))
case("Embedding padded", lambda nn: nn.Embedding(5, 3, padding_idx=-1), fixed=([[0, 4], [4, 2]],))

case("Conv1d", lambda nn: nn.Conv1d(3, 4, 3), ROW)
case("Conv1d strided", lambda nn: nn.Conv1d(3, 4, 3, stride=2, padding=1, dilation=2, bias=False), (3, 8))
case("Conv2d", lambda nn: nn.Conv2d(4, 2, 3), IMAGE)
case("Conv2d grouped", lambda nn: nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 2), groups=2), IMAGE)
case("Conv2d same", lambda nn: nn.Conv2d(4, 2, (3, 2), padding="same", dilation=2), IMAGE)
case("Conv2d valid", lambda nn: nn.Conv2d(4, 2, 3, padding="valid", bias=False), IMAGE)
case("Conv2d reflected", lambda nn: nn.Conv2d(4, 2, 3, padding=(2, 1), padding_mode="reflect"), IMAGE)
case("Conv2d circular", lambda nn: nn.Conv2d(4, 2, (3, 2), padding="same", padding_mode="circular"), IMAGE)
case("Conv1d replicated", lambda nn: nn.Conv1d(3, 2, 3, padding=2, padding_mode="replicate"), ROW)
case("ConvTranspose1d", lambda nn: nn.ConvTranspose1d(3, 2, 3, stride=2, padding=1), ROW)
case("ConvTranspose2d", lambda nn: nn.ConvTranspose2d(4, 2, 3, stride=2, output_padding=(1, 0), bias=False), IMAGE)
case("ConvTranspose2d grouped", lambda nn: nn.ConvTranspose2d(4, 6, 2, groups=2, dilation=2), IMAGE)
case(
    "ConvTranspose2d of a size",
    lambda nn: nn.ConvTranspose2d(4, 1, 3, stride=3),
    (2, 4, 2, 2),
    run=lambda module, x: module(x, output_size=(8, 7)),
)

case("MaxPool1d", lambda nn: nn.MaxPool1d(2), ROW)
case("MaxPool2d", lambda nn: nn.MaxPool2d(3, stride=2, padding=1, ceil_mode=True), IMAGE)
case("MaxPool2d with indices", lambda nn: nn.MaxPool2d((2, 1), 1, 0, (2, 1), return_indices=True), IMAGE)
case("AvgPool1d", lambda nn: nn.AvgPool1d(3, 2, 1), ROW)
case("AvgPool2d", lambda nn: nn.AvgPool2d(3, 2, 1, count_include_pad=False), IMAGE)
case("AvgPool2d divided", lambda nn: nn.AvgPool2d((2, 3), divisor_override=5), IMAGE)
case("AdaptiveAvgPool1d", lambda nn: nn.AdaptiveAvgPool1d(3), ROW)
case("AdaptiveAvgPool2d", lambda nn: nn.AdaptiveAvgPool2d((4, None)), IMAGE)
case("AdaptiveMaxPool1d", lambda nn: nn.AdaptiveMaxPool1d(3), ROW)
case("AdaptiveMaxPool2d", lambda nn: nn.AdaptiveMaxPool2d(2), IMAGE)
case("ZeroPad2d", lambda nn: nn.ZeroPad2d((1, 2, -1, 0)), IMAGE)
case("Upsample", lambda nn: nn.Upsample(scale_factor=2), (1, 2, 2, 3))
case("Upsample bilinear", lambda nn: nn.Upsample((3, 5), mode="bilinear", align_corners=True), (1, 2, 2, 3))

for mode in (True, False):
    said = "" if mode else " in eval"
    case(f"BatchNorm1d{said}", lambda nn: nn.BatchNorm1d(3), (4, 3), train=mode)
    case(f"BatchNorm1d of rows{said}", lambda nn: nn.BatchNorm1d(3, eps=0.1, momentum=0.3), (2, 3, 4), train=mode)
    case(f"BatchNorm2d{said}", lambda nn: nn.BatchNorm2d(4), IMAGE, train=mode)
    case(f"BatchNorm2d cumulative{said}", lambda nn: nn.BatchNorm2d(2, momentum=None), (3, 2, 2, 2), train=mode)
    case(f"BatchNorm2d plain{said}", lambda nn: nn.BatchNorm2d(2, affine=False), (3, 2, 2, 2), train=mode)
    case(f"BatchNorm3d{said}", lambda nn: nn.BatchNorm3d(2, momentum=None), (3, 2, 2, 1, 2), train=mode)
    case(f"InstanceNorm3d{said}", lambda nn: nn.InstanceNorm3d(2, affine=True), (3, 2, 2, 1, 2), train=mode)
    case(f"BatchNorm1d forgetful{said}", lambda nn: nn.BatchNorm1d(3, track_running_stats=False), (4, 3), train=mode)
    case(f"InstanceNorm1d{said}", lambda nn: nn.InstanceNorm1d(3), ROW, train=mode)
    case(f"InstanceNorm1d single{said}", lambda nn: nn.InstanceNorm1d(3, affine=True), (3, 4), train=mode)
    case(
        f"InstanceNorm2d remembering{said}",
        lambda nn: nn.InstanceNorm2d(4, affine=True, track_running_stats=True),
        IMAGE,
        train=mode,
    )
case("BatchNorm2d twice", lambda nn: nn.BatchNorm2d(2, momentum=None), (3, 2, 2, 2), run=lambda m, x: (m(x), m(x * 2)))
case("LayerNorm", lambda nn: nn.LayerNorm(4), (2, 3, 4))
case("LayerNorm of two axes", lambda nn: nn.LayerNorm((3, 4), eps=0.01, bias=False), (2, 3, 4))
case("LayerNorm plain", lambda nn: nn.LayerNorm([4], elementwise_affine=False), (3, 4))
case("RMSNorm", lambda nn: nn.RMSNorm(4), (3, 4))
case("RMSNorm of two axes", lambda nn: nn.RMSNorm((3, 4), eps=0.01, elementwise_affine=False), (2, 3, 4))
case("GroupNorm", lambda nn: nn.GroupNorm(2, 4), (2, 4, 3))
case("GroupNorm plain", lambda nn: nn.GroupNorm(2, 4, eps=0.1, affine=False), (2, 4, 3))

case("ReLU", lambda nn: nn.ReLU(), (2, 5))
case("ReLU6", lambda nn: nn.ReLU6(), (2, 5), run=lambda m, x: m(x * 5))
case("LeakyReLU", lambda nn: nn.LeakyReLU(), (2, 5))
case("LeakyReLU steep", lambda nn: nn.LeakyReLU(0.3), (2, 5))
case("PReLU", lambda nn: nn.PReLU(), (2, 5))
case("PReLU of channels", lambda nn: nn.PReLU(3, init=0.1), (2, 3, 2))
case("Hardtanh", lambda nn: nn.Hardtanh(), (2, 5))
case("Hardtanh bounded", lambda nn: nn.Hardtanh(-0.3, 0.5), (2, 5))
# PyTorch's slope is 1/6 as a float32, in float64 too
case("Hardsigmoid", lambda nn: nn.Hardsigmoid(), (2, 5), run=lambda m, x: m(x * 3), near=1e-7)
case("Hardswish", lambda nn: nn.Hardswish(), (2, 5), run=lambda m, x: m(x * 3))
case("ELU", lambda nn: nn.ELU(0.7), (2, 5))
case("CELU", lambda nn: nn.CELU(0.5), (2, 5))
case("SELU", lambda nn: nn.SELU(), (2, 5))
case("Softmax", lambda nn: nn.Softmax(dim=1), (2, 5))
case("LogSoftmax", lambda nn: nn.LogSoftmax(dim=-1), (2, 5))
case("Softmin", lambda nn: nn.Softmin(dim=0), (2, 5))
case("Sigmoid", lambda nn: nn.Sigmoid(), (2, 5))
case("LogSigmoid", lambda nn: nn.LogSigmoid(), (2, 5))
case("Tanh", lambda nn: nn.Tanh(), (2, 5))
case("Tanhshrink", lambda nn: nn.Tanhshrink(), (2, 5))
case("Softsign", lambda nn: nn.Softsign(), (2, 5))
case("Softplus", lambda nn: nn.Softplus(), (2, 5))
case("Softplus of two", lambda nn: nn.Softplus(beta=2.0, threshold=1.0), (2, 5))
case("GELU", lambda nn: nn.GELU(), (2, 5))
case("GELU by tanh", lambda nn: nn.GELU(approximate="tanh"), (2, 5))
case("SiLU", lambda nn: nn.SiLU(), (2, 5))
case("Mish", lambda nn: nn.Mish(), (2, 5))
case("GLU", lambda nn: nn.GLU(), (2, 6))
case("GLU of channels", lambda nn: nn.GLU(dim=1), (2, 4, 3))

LABELS = [2, 0, 1, 1]
TARGETS = np.linspace(0.1, 0.9, 12).reshape(4, 3)


def ones(nn: Any, count: int) -> Any:
    """A weight of either library; its numbers are drawn later."""
    return nn.LayerNorm(count).weight.detach()


case("CrossEntropyLoss", lambda nn: nn.CrossEntropyLoss(), (4, 3), fixed=(LABELS,))
case(
    "CrossEntropyLoss weighted",
    lambda nn: nn.CrossEntropyLoss(ones(nn, 3), ignore_index=1, label_smoothing=0.1),
    (4, 3),
    fixed=(LABELS,),
)
case("CrossEntropyLoss of shares", lambda nn: nn.CrossEntropyLoss(reduction="sum"), (4, 3), fixed=(TARGETS,))
case("NLLLoss", lambda nn: nn.NLLLoss(ones(nn, 3), reduction="none"), (4, 3), fixed=(LABELS,))
case("NLLLoss without a class", lambda nn: nn.NLLLoss(ignore_index=0), (4, 3), fixed=(LABELS,))
case("BCELoss", lambda nn: nn.BCELoss(), (4, 3), fixed=(TARGETS,), positive=True)
case("BCELoss weighted", lambda nn: nn.BCELoss(ones(nn, 3), reduction="sum"), (4, 3), fixed=(TARGETS,), positive=True)
case("BCEWithLogitsLoss", lambda nn: nn.BCEWithLogitsLoss(), (4, 3), fixed=(TARGETS,))
case(
    "BCEWithLogitsLoss weighted",
    lambda nn: nn.BCEWithLogitsLoss(ones(nn, 3), pos_weight=ones(nn, 3)),
    (4, 3),
    fixed=(TARGETS,),
)
case("KLDivLoss", lambda nn: nn.KLDivLoss(reduction="batchmean"), (4, 3), fixed=(TARGETS,))
case("KLDivLoss of logarithms", lambda nn: nn.KLDivLoss(log_target=True, reduction="sum"), (4, 3), (4, 3))
case("MSELoss", lambda nn: nn.MSELoss(), (4, 3), (4, 3))
case("MSELoss summed", lambda nn: nn.MSELoss(reduction="sum"), (4, 3), (4, 3))
case("L1Loss", lambda nn: nn.L1Loss(reduction="none"), (4, 3), (4, 3))
case("SmoothL1Loss", lambda nn: nn.SmoothL1Loss(beta=0.5), (4, 3), (4, 3))
case("HuberLoss", lambda nn: nn.HuberLoss("sum", 0.7), (4, 3), (4, 3))
case("CosineSimilarity", lambda nn: nn.CosineSimilarity(), (4, 3), (4, 3))
case("CosineSimilarity of rows", lambda nn: nn.CosineSimilarity(dim=-1, eps=1e-3), (2, 2, 3), (2, 1, 3))

SELF = {"run": lambda module, x: module(x, x, x)}
BATCHED = (2, 4, 6)
case("MultiheadAttention", lambda nn: nn.MultiheadAttention(6, 2), (4, 2, 6), **SELF)
case("MultiheadAttention batch first", lambda nn: nn.MultiheadAttention(6, 3, batch_first=True), BATCHED, **SELF)
case("MultiheadAttention without bias", lambda nn: nn.MultiheadAttention(6, 2, bias=False), (4, 6), **SELF)
case("MultiheadAttention of three", lambda nn: nn.MultiheadAttention(6, 2), (4, 2, 6), (5, 2, 6), (5, 2, 6))
case(
    "MultiheadAttention of three sizes",
    lambda nn: nn.MultiheadAttention(6, 2, kdim=3, vdim=5, batch_first=True),
    (2, 4, 6),
    (2, 3, 3),
    (2, 3, 5),
)
case(
    "MultiheadAttention masked",
    lambda nn: nn.MultiheadAttention(6, 2, batch_first=True),
    BATCHED,
    fixed=(CAUSAL, PADDED),
    run=lambda m, x, causal, padded: m(x, x, x, attn_mask=causal, key_padding_mask=padded, average_attn_weights=False),
)
case(
    "MultiheadAttention of float masks",
    lambda nn: nn.MultiheadAttention(6, 2, batch_first=True),
    BATCHED,
    fixed=(np.linspace(-1, 1, 64).reshape(4, 4, 4), np.linspace(-1, 1, 8).reshape(2, 4)),
    run=lambda m, x, mask, padded: m(x, x, x, attn_mask=mask, key_padding_mask=padded, need_weights=False),
)
case(
    "MultiheadAttention causal",
    lambda nn: nn.MultiheadAttention(6, 2, dropout=0.5, batch_first=True),
    BATCHED,
    fixed=(CAUSAL,),
    run=lambda m, x, causal: m(x, x, x, attn_mask=causal, is_causal=True, need_weights=False),
    train=False,
)
case("TransformerEncoderLayer", lambda nn: nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0), (3, 2, 4))
case(
    "TransformerEncoderLayer norm first",
    lambda nn: nn.TransformerEncoderLayer(
        4, 2, 6, activation="gelu", layer_norm_eps=0.01, batch_first=True, norm_first=True, bias=False
    ),
    (2, 4, 4),
    fixed=(CAUSAL, PADDED),
    run=lambda m, x, causal, padded: m(x, src_mask=causal, src_key_padding_mask=padded),
    train=False,
)
case(
    "TransformerEncoder",
    lambda nn: nn.TransformerEncoder(
        nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, batch_first=True, activation=nn.SiLU()),
        num_layers=2,
        norm=nn.LayerNorm(4),
        enable_nested_tensor=False,
    ),
    (2, 4, 4),
    fixed=(CAUSAL,),
    run=lambda m, x, causal: m(x, mask=causal, is_causal=True),
)

case("RNN", lambda nn: nn.RNN(3, 4), (5, 2, 3))
case("RNN by relu", lambda nn: nn.RNN(3, 4, 2, nonlinearity="relu", bias=False, batch_first=True), (2, 5, 3))
case("RNN with a state", lambda nn: nn.RNN(3, 4, bidirectional=True), (5, 2, 3), (2, 2, 4))
case("GRU", lambda nn: nn.GRU(3, 4), (5, 2, 3))
case("GRU in both directions", lambda nn: nn.GRU(3, 2, 2, bidirectional=True, batch_first=True), (2, 5, 3), (4, 2, 2))
case("GRU of one sequence", lambda nn: nn.GRU(3, 2, bias=False, batch_first=True), (5, 3), (1, 2))
case("LSTM", lambda nn: nn.LSTM(3, 4), (5, 2, 3))
case("LSTM of one step", lambda nn: nn.LSTM(3, 4), (1, 2, 3))
case("LSTM in eval", lambda nn: nn.LSTM(3, 2, 2, dropout=0.5, batch_first=True), (2, 4, 3), train=False)
case(
    "LSTM in both directions",
    lambda nn: nn.LSTM(3, 2, 2, bidirectional=True),
    (9, 2, 3),
    (4, 2, 2),
    (4, 2, 2),
    run=lambda m, x, h, c: m(x, (h, c)),
)
case(
    "LSTM of one sequence",
    lambda nn: nn.LSTM(3, 3, proj_size=2, bidirectional=True, bias=False),
    (4, 3),
    (2, 2),
    (2, 3),
    run=lambda m, x, h, c: m(x, (h, c)),
)
case("RNNCell", lambda nn: nn.RNNCell(3, 4), (2, 3))
case("RNNCell by relu", lambda nn: nn.RNNCell(3, 4, bias=False, nonlinearity="relu"), (3,), (4,))
case("GRUCell", lambda nn: nn.GRUCell(3, 4), (2, 3), (2, 4))
case("GRUCell without a state", lambda nn: nn.GRUCell(3, 4, bias=False), (3,))
case("LSTMCell", lambda nn: nn.LSTMCell(3, 4), (2, 3), (2, 4), (2, 4), run=lambda m, x, h, c: m(x, (h, c)))
case("LSTMCell without a state", lambda nn: nn.LSTMCell(3, 4), (2, 3))


# -- more layers of PyTorch's programs ---------------------------------------------------------------------------------

VOLUME = (2, 2, 2, 3, 4)
for kind in ("Reflection", "Replication", "Circular", "Zero"):
    case(f"{kind}Pad1d", lambda nn, kind=kind: getattr(nn, f"{kind}Pad1d")((2, 1)), ROW)
    case(f"{kind}Pad2d of an image", lambda nn, kind=kind: getattr(nn, f"{kind}Pad2d")((1, 2, 0, 1)), IMAGE)
    case(f"{kind}Pad3d", lambda nn, kind=kind: getattr(nn, f"{kind}Pad3d")((1, 2, 0, 1, 1, 1)), VOLUME)
case("ConstantPad1d", lambda nn: nn.ConstantPad1d(2, 3.5), ROW)
case("ConstantPad2d", lambda nn: nn.ConstantPad2d((1, 2, -1, 0), 3.5), IMAGE)
case("ConstantPad3d", lambda nn: nn.ConstantPad3d(1, -1.0), VOLUME)
case("PixelShuffle", lambda nn: nn.PixelShuffle(2), IMAGE)
case("PixelUnshuffle", lambda nn: nn.PixelUnshuffle(3), (2, 1, 6, 3))
case("ChannelShuffle", lambda nn: nn.ChannelShuffle(2), IMAGE)
case("Threshold", lambda nn: nn.Threshold(0.1, -3.0), (2, 5))
case("Hardshrink", lambda nn: nn.Hardshrink(0.7), (2, 5))
case("Softshrink", lambda nn: nn.Softshrink(0.3), (2, 5))
case("Dropout1d in eval", lambda nn: nn.Dropout1d(0.3), ROW, train=False)
case("Dropout3d in eval", lambda nn: nn.Dropout3d(0.3), VOLUME, train=False)
case("EmbeddingBag", lambda nn: nn.EmbeddingBag(5, 3), fixed=([[0, 4], [4, 2]],))
case("EmbeddingBag summed", lambda nn: nn.EmbeddingBag(5, 3, mode="sum", padding_idx=4), fixed=([0, 4, 4, 2], [0, 1]))
case("TripletMarginLoss", lambda nn: nn.TripletMarginLoss(2.0, swap=True), *[(4, 3)] * 3)
case("TripletMarginWithDistanceLoss", lambda nn: nn.TripletMarginWithDistanceLoss(reduction="sum"), *[(4, 3)] * 3)
SIDES = [1.0, -1.0, 1.0, -1.0]
case("MarginRankingLoss", lambda nn: nn.MarginRankingLoss(0.5), (4,), (4,), fixed=(SIDES,))
case("HingeEmbeddingLoss", lambda nn: nn.HingeEmbeddingLoss(), (4,), fixed=(SIDES,))
case("SoftMarginLoss", lambda nn: nn.SoftMarginLoss(reduction="sum"), (4,), fixed=(SIDES,))
# PyTorch adds 1e-12 to the squares
case("CosineEmbeddingLoss", lambda nn: nn.CosineEmbeddingLoss(-0.5), (4, 3), (4, 3), fixed=(SIDES,), near=1e-10)
case("PoissonNLLLoss", lambda nn: nn.PoissonNLLLoss(full=True), (4, 3), fixed=(TARGETS,))
case("GaussianNLLLoss", lambda nn: nn.GaussianNLLLoss(full=True), (4, 3), fixed=(TARGETS, TARGETS))
case("PairwiseDistance", lambda nn: nn.PairwiseDistance(keepdim=True), (4, 3), (4, 3))
DECODED = ((5, 2, 6), (4, 2, 6))
case("TransformerDecoderLayer", lambda nn: nn.TransformerDecoderLayer(6, 2, 8, dropout=0.0), *DECODED)
case(
    "TransformerDecoderLayer norm first",
    lambda nn: nn.TransformerDecoderLayer(6, 2, 8, 0.0, "gelu", batch_first=True, norm_first=True),
    *((2, 4, 6), (2, 5, 6)),
    run=lambda module, x, memory, mask: module(x, memory, tgt_mask=mask),
    fixed=(CAUSAL,),
)
case(
    "TransformerDecoder",
    lambda nn: nn.TransformerDecoder(nn.TransformerDecoderLayer(6, 2, 8, dropout=0.0), 2, nn.LayerNorm(6)),
    *DECODED,
)
case(
    "Transformer",
    lambda nn: nn.Transformer(6, 2, 1, 2, 8, dropout=0.0, batch_first=True),
    (2, 5, 6),
    (2, 4, 6),
)


VOLUMES = (2, 2, 4, 5, 3)
case("Conv3d", lambda nn: nn.Conv3d(2, 4, (2, 3, 1), stride=(2, 1, 1), padding=1, groups=2), VOLUMES)
case("Conv3d circular", lambda nn: nn.Conv3d(2, 2, 2, padding="same", dilation=2, padding_mode="circular"), VOLUMES)
case("ConvTranspose3d", lambda nn: nn.ConvTranspose3d(2, 3, 2, stride=2, padding=1, output_padding=(1, 0, 1)), VOLUMES)
case(
    "ConvTranspose3d of a size",
    lambda nn: nn.ConvTranspose3d(2, 2, 3, stride=2, groups=2, bias=False),
    (2, 2, 2, 1, 2),
    run=lambda module, x: module(x, output_size=(6, 3, 5)),
)
case("MaxPool3d", lambda nn: nn.MaxPool3d((2, 3, 1), stride=1, padding=(1, 1, 0), ceil_mode=True), VOLUMES)
case("AvgPool3d", lambda nn: nn.AvgPool3d(2, 2, 1, count_include_pad=False), VOLUMES)
case("AvgPool3d divided", lambda nn: nn.AvgPool3d((2, 2, 1), ceil_mode=True, divisor_override=3), VOLUMES)
case("AdaptiveAvgPool3d", lambda nn: nn.AdaptiveAvgPool3d((2, 3, None)), VOLUMES)
case("AdaptiveMaxPool3d", lambda nn: nn.AdaptiveMaxPool3d(2), VOLUMES)
case("LPPool1d", lambda nn: nn.LPPool1d(2, 3, stride=2), ROW, positive=True)
case("LPPool2d", lambda nn: nn.LPPool2d(3, (2, 1), ceil_mode=True), IMAGE, positive=True)
case("LPPool3d", lambda nn: nn.LPPool3d(1.5, 2, 1), VOLUMES, positive=True)
case("MaxUnpool1d", lambda nn: nn.MaxUnpool1d(2), (1, 2, 3), fixed=([[[0, 3, 4], [1, 2, 5]]],))
case(
    "MaxUnpool2d of a size",
    lambda nn: nn.MaxUnpool2d(3, stride=2, padding=1),
    (1, 2, 2),
    fixed=([[[5, 2], [11, 12]]],),
    run=lambda module, x, indices: module(x, indices, output_size=(4, 4)),
)
case("MaxUnpool3d", lambda nn: nn.MaxUnpool3d((1, 2, 2)), (1, 2, 1, 2), fixed=([[[[1, 6]], [[8, 15]]]],))
case("Unfold", lambda nn: nn.Unfold((2, 3), padding=1, stride=2), IMAGE)
case("Fold", lambda nn: nn.Fold((3, 4), 2, dilation=(1, 2)), (2, 8, 4))
case("Softmax2d", lambda nn: nn.Softmax2d(), IMAGE)
case("RReLU in eval", lambda nn: nn.RReLU(0.1, 0.5), (2, 5), train=False)
case("RReLU of one slope", lambda nn: nn.RReLU(0.3, 0.3), (2, 5))
case("AlphaDropout in eval", lambda nn: nn.AlphaDropout(0.3), (2, 3), train=False)
case("FeatureAlphaDropout of nothing", lambda nn: nn.FeatureAlphaDropout(0.0), (2, 3))
case("LocalResponseNorm", lambda nn: nn.LocalResponseNorm(4, alpha=0.5, k=0.7), IMAGE)
case("LocalResponseNorm of rows", lambda nn: nn.LocalResponseNorm(3, 1.0, 0.5), ROW)
case("UpsamplingNearest2d", lambda nn: nn.UpsamplingNearest2d(scale_factor=2), (1, 2, 2, 3))
case("UpsamplingBilinear2d", lambda nn: nn.UpsamplingBilinear2d((3, 5)), (1, 2, 2, 3))
case("MultiMarginLoss", lambda nn: nn.MultiMarginLoss(2, 0.5, ones(nn, 3)), (4, 3), fixed=(LABELS,))
CLASSES = [[1, 2, -1], [-1, 0, 1], [0, 1, 2], [2, -1, 2]]
case("MultiLabelMarginLoss", lambda nn: nn.MultiLabelMarginLoss(), (4, 3), fixed=(CLASSES,))
case("MultiLabelSoftMarginLoss", lambda nn: nn.MultiLabelSoftMarginLoss(ones(nn, 3)), (4, 3), fixed=(TARGETS,))
case(
    "CTCLoss",
    lambda nn: nn.CTCLoss(blank=1, reduction="sum", zero_infinity=True),
    (6, 3, 4),
    fixed=([[0, 2], [3, 3], [2, 0]], [6, 5, 1], [2, 2, 2]),
    run=lambda module, x, *rest: module(x.log_softmax(2), *rest),
)
case(
    "AdaptiveLogSoftmaxWithLoss",
    lambda nn: nn.AdaptiveLogSoftmaxWithLoss(8, 9, [2, 5], div_value=2.0, head_bias=True),
    (5, 8),
    fixed=([0, 7, 3, 8, 1],),
    run=lambda module, x, target: (*module(x, target), module.log_prob(x)),
)
case(
    "AdaptiveLogSoftmaxWithLoss of one row",
    lambda nn: nn.AdaptiveLogSoftmaxWithLoss(8, 9, [4]),
    (8,),
    fixed=(6,),
    run=lambda module, x, target: (*module(x, target), module.predict(x.reshape(1, 8)) * 1.0),
)


def packed(module: Any, x: Any, lengths: Any) -> Any:
    """The outputs, padded again, and the last states, of sequences of several lengths."""
    rnn = __import__(type(x).__module__.partition(".")[0]).nn.utils.rnn
    out, last = module(rnn.pack_padded_sequence(x, lengths, batch_first=module.batch_first, enforce_sorted=False))
    return rnn.pad_packed_sequence(out, batch_first=module.batch_first)[0], last


for kind in ("RNN", "GRU", "LSTM"):
    case(
        f"{kind} of several lengths",
        lambda nn, kind=kind: getattr(nn, kind)(3, 4),
        (5, 3, 3),
        run=packed,
        fixed=([2, 5, 4],),
    )
case(
    "LSTM of several lengths, both ways",
    lambda nn: nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True),
    (3, 5, 3),
    run=packed,
    fixed=([2, 4, 3],),
)
