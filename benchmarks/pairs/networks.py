"""minitorch.nn.functional."""

from __future__ import annotations

import numpy as np

from benchmarks.pairs import plain
from benchmarks.pairs.pair import LABELS, RNG, ROW, ROWS, SQUARE, Pair, X, Y, layer, normal

_IMAGES, _KERNELS = normal(32, 8, 20, 20), normal(16, 8, 3, 3)
_BOXES = _IMAGES.reshape(32, 8, 4, 5, 20)
_SIGNALS, _TAPS = normal(32, 8, 400), normal(16, 8, 3)
_COLUMNS = normal(32, 9, 324)
_HEADS = normal(4, 8, 64, 48), normal(4, 8, 64, 48), normal(4, 8, 64, 48)
_CHANCES, _SHARES = plain.sigmoid(X), plain.softmax(Y)
_SIGNS = np.where(Y > 0, X.dtype.type(1), X.dtype.type(-1))

_ACTIVATIONS = {
    "celu": plain.elu,
    "elu": plain.elu,
    "hardsigmoid": lambda x: np.clip(x + 3, 0, 6) / 6,
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hardtanh": lambda x: np.clip(x, -1, 1),
    "leaky_relu": lambda x: np.where(x > 0, x, 0.01 * x),
    "logsigmoid": lambda x: -np.logaddexp(-x, 0),
    "mish": lambda x: x * np.tanh(np.logaddexp(x, 0)),
    "relu6": lambda x: np.clip(x, 0, 6),
    "selu": lambda x: 1.05070099 * np.where(x > 0, x, 1.67326324 * np.expm1(np.minimum(x, 0))),
    "silu": lambda x: x * plain.sigmoid(x),
    "softplus": lambda x: np.logaddexp(x, 0),
    "hardshrink": lambda x: np.where(np.abs(x) > 0.5, x, 0),
    "softshrink": lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.5, 0),
    "tanhshrink": lambda x: x - np.tanh(x),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "glu": lambda x: x[:, :50] * plain.sigmoid(x[:, 50:]),
    "normalize": lambda x: x / np.linalg.norm(x, axis=1, keepdims=True),
}
_LOSSES = {
    "cosine_similarity": plain.cosine,
    "huber_loss": plain.huber,
    "l1_loss": lambda x, y: np.abs(x - y).mean(),
    "mse_loss": lambda x, y: np.square(x - y).mean(),
    "smooth_l1_loss": plain.huber,
    "pairwise_distance": plain.distance,
}
_ON_IMAGES = {
    "adaptive_avg_pool2d": (10, lambda x: plain.in_squares(x).mean((-1, -3))),
    "adaptive_max_pool2d": (10, lambda x: plain.in_squares(x).max((-1, -3))),
    "avg_pool2d": (2, lambda x: plain.in_squares(x).mean((-1, -3))),
    "group_norm": (4, lambda x: plain.normalized(x.reshape(32, 4, -1), -1).reshape(x.shape)),
    "max_pool2d": (2, lambda x: plain.in_squares(x).max((-1, -3))),
    "pad": ((1, 1, 1, 1), lambda x: np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))),
    "unfold": (3, plain.columns),
    "channel_shuffle": (2, lambda x: x.reshape(32, 2, 4, 20, 20).swapaxes(1, 2).reshape(x.shape)),
    "pixel_shuffle": (2, plain.with_fewer_channels),
    "pixel_unshuffle": (2, plain.with_more_channels),
}
_ON_SIGNALS = {
    "adaptive_avg_pool1d": (200, lambda x: plain.in_twos(x).mean(-1)),
    "adaptive_max_pool1d": (200, lambda x: plain.in_twos(x).max(-1)),
    "avg_pool1d": (2, lambda x: plain.in_twos(x).mean(-1)),
    "max_pool1d": (2, lambda x: plain.in_twos(x).max(-1)),
}

PAIRS = {
    **{name: Pair((X,), layer(name), function) for name, function in _ACTIVATIONS.items()},
    **{name: Pair((X, Y), layer(name), function) for name, function in _LOSSES.items()},
    **{name: Pair((_IMAGES,), layer(name, given), function) for name, (given, function) in _ON_IMAGES.items()},
    **{name: Pair((_SIGNALS,), layer(name, given), function) for name, (given, function) in _ON_SIGNALS.items()},
    "gelu": Pair((X,), layer("gelu", approximate="tanh"), plain.gelu),
    "softmin": Pair((X,), layer("softmin", dim=-1), lambda x: plain.softmax(-x)),
    "prelu": Pair((X, ROW), layer("prelu"), lambda x, w: np.where(x > 0, x, w * x)),
    "linear": Pair((X, SQUARE[:100, :100], ROW), layer("linear"), lambda x, w, b: x @ w.T + b),
    "scaled_dot_product_attention": Pair(_HEADS, layer("scaled_dot_product_attention"), plain.attention),
    "conv1d": Pair((_SIGNALS, _TAPS), layer("conv1d"), plain.convolved),
    "conv2d": Pair((_IMAGES, _KERNELS), layer("conv2d"), plain.convolved),
    "conv_transpose1d": Pair(
        (_SIGNALS, _TAPS.swapaxes(0, 1)),
        layer("conv_transpose1d"),
        lambda x, w: plain.convolved(np.pad(x, ((0, 0), (0, 0), (2, 2))), w.swapaxes(0, 1)[:, :, ::-1]),
    ),
    "conv_transpose2d": Pair((_IMAGES, _KERNELS.swapaxes(0, 1)), layer("conv_transpose2d"), plain.spread),
    "fold": Pair((_COLUMNS,), layer("fold", 20, 3), plain.folded),
    "interpolate": Pair((_IMAGES,), layer("interpolate", scale_factor=2), lambda x: x.repeat(2, 2).repeat(2, 3)),
    "batch_norm": Pair(
        (_IMAGES,), layer("batch_norm", None, None, training=True), lambda x: plain.normalized(x, (0, 2, 3))
    ),
    "instance_norm": Pair((_IMAGES,), layer("instance_norm"), lambda x: plain.normalized(x, (2, 3))),
    "layer_norm": Pair(
        (X, ROW, ROW),
        lambda x, w, b: layer("layer_norm")(x, (100,), w, b),
        lambda x, w, b: plain.normalized(x, -1) * w + b,
    ),
    "rms_norm": Pair((X,), layer("rms_norm", (100,)), lambda x: x / np.sqrt(np.square(x).mean(-1, keepdims=True))),
    "embedding": Pair((ROWS, X), layer("embedding"), lambda i, w: w[i]),
    "one_hot": Pair((LABELS,), layer("one_hot", 100), lambda i: np.eye(100, dtype=np.int64)[i]),
    "dropout": Pair((X,), layer("dropout", 0.5), lambda x: x * (RNG.random(x.shape, x.dtype) >= 0.5) * 2),
    "threshold": Pair((X,), layer("threshold", 0.1, 20.0), lambda x: np.where(x > 0.1, x, x.dtype.type(20))),
    "embedding_bag": Pair((ROWS.reshape(-1, 10), X), layer("embedding_bag"), lambda i, w: w[i].mean(1)),
    "gumbel_softmax": Pair(
        (X,),
        layer("gumbel_softmax"),
        lambda x: plain.softmax(x - np.log(RNG.exponential(size=x.shape).astype(x.dtype))),
    ),
    "dropout1d": Pair((_SIGNALS,), layer("dropout1d", 0.5), lambda x: x * (RNG.random((32, 8, 1)) >= 0.5) * 2),
    "dropout3d": Pair((_BOXES,), layer("dropout3d", 0.5), lambda x: x * (RNG.random((32, 8, 1, 1, 1)) >= 0.5) * 2),
    "dropout2d": Pair((_IMAGES,), layer("dropout2d", 0.5), lambda x: x * (RNG.random((32, 8, 1, 1)) >= 0.5) * 2),
    "cross_entropy": Pair(
        (X, LABELS), layer("cross_entropy"), lambda x, i: -plain.log_softmax(x)[np.arange(len(i)), i].mean()
    ),
    "nll_loss": Pair((X, LABELS), layer("nll_loss"), lambda x, i: -x[np.arange(len(i)), i].mean()),
    "binary_cross_entropy": Pair(
        (_CHANCES, _SHARES),
        layer("binary_cross_entropy"),
        lambda x, y: -(y * np.log(x) + (1 - y) * np.log1p(-x)).mean(),
    ),
    "binary_cross_entropy_with_logits": Pair(
        (X, _SHARES), layer("binary_cross_entropy_with_logits"), lambda x, y: (np.logaddexp(x, 0) - x * y).mean()
    ),
    "margin_ranking_loss": Pair(
        (X, Y, _SIGNS), layer("margin_ranking_loss"), lambda x, y, s: np.maximum(-s * (x - y), 0).mean()
    ),
    "hinge_embedding_loss": Pair(
        (X, _SIGNS),
        layer("hinge_embedding_loss"),
        lambda x, s: np.where(s > 0, x, np.maximum(1 - x, 0)).mean(),
    ),
    "soft_margin_loss": Pair((X, _SIGNS), layer("soft_margin_loss"), lambda x, s: np.logaddexp(-s * x, 0).mean()),
    "poisson_nll_loss": Pair((X, _CHANCES), layer("poisson_nll_loss"), lambda x, y: (np.exp(x) - y * x).mean()),
    "gaussian_nll_loss": Pair(
        (X, Y, _CHANCES),
        layer("gaussian_nll_loss"),
        lambda x, y, v: 0.5 * (np.log(v) + np.square(x - y) / v).mean(),
    ),
    "cosine_embedding_loss": Pair(
        (X, Y, _SIGNS[:, 0]),
        layer("cosine_embedding_loss"),
        lambda x, y, s: np.where(s > 0, 1 - plain.cosine(x, y), np.maximum(plain.cosine(x, y), 0)).mean(),
    ),
    "triplet_margin_loss": Pair((X, Y, _SHARES), layer("triplet_margin_loss"), plain.triplets),
    "triplet_margin_with_distance_loss": Pair(
        (X, Y, _SHARES), layer("triplet_margin_with_distance_loss"), plain.triplets
    ),
    "kl_div": Pair((X, _SHARES), layer("kl_div"), lambda x, y: (y * (np.log(y) - x)).mean()),
}
