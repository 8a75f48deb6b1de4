"""minitorch.nn.functional: three dimensions, ways back of max pools, and what came with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.pairs import plain
from benchmarks.pairs.pair import LABELS, RNG, Pair, X, Y, layer, normal

_BOXES, _CUBES = normal(4, 8, 16, 16, 16), normal(8, 8, 3, 3, 3) / 8
_IMAGES, _SIGNALS = np.abs(normal(32, 8, 20, 20)), np.abs(normal(32, 8, 400))
_LEFT, _RIGHT, _THROUGH = normal(400, 16), normal(400, 16), normal(256, 16, 16)
_MARKS = (RNG.random((1000, 100)) > 0.5).astype(X.dtype)
_POINTS = normal(420, 8)


def _in_cubes(x: Any) -> Any:
    n, c, d, h, w = x.shape
    return x.reshape(n, c, d // 2, 2, h // 2, 2, w // 2, 2)


def _convolved(x: Any, w: Any) -> Any:
    places = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=(2, 3, 4))
    return np.einsum("ncxyzijk,ocijk->noxyz", places, w, optimize=True)


def _spread(x: Any, w: Any) -> Any:
    wide = np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2), (2, 2)))
    return _convolved(wide, w.swapaxes(0, 1)[:, :, ::-1, ::-1, ::-1])


def _powers(parts: Any, axes: Any) -> Any:
    return np.sqrt(np.square(parts).sum(axes))


def _put_back(axes: int, shape: tuple[int, ...]) -> Pair:
    places = RNG.permuted(np.tile(np.arange(int(np.prod(shape[2:])) * 2**axes), (*shape[:2], 1)), axis=-1)
    at = places[..., : int(np.prod(shape[2:]))]
    whole = (*shape[:2], *[2 * each for each in shape[2:]])

    def back(x: Any, at: Any) -> Any:
        out = np.zeros((*shape[:2], places.shape[-1]), x.dtype)
        np.put_along_axis(out, at.reshape(*shape[:2], -1), x.reshape(*shape[:2], -1), -1)
        return out.reshape(whole)

    return Pair((normal(*shape), at.reshape(shape)), layer(f"max_unpool{axes}d", 2), back)


def _margins(x: Any, labels: Any) -> Any:
    own = x[np.arange(len(x)), labels]
    missed = np.maximum(1 - own[:, None] + x, 0)
    missed[np.arange(len(x)), labels] = 0
    return missed.sum(1).mean() / x.shape[1]


def _beside(x: Any) -> Any:
    squares = np.pad(np.square(x), ((0, 0), (2, 2), (0, 0), (0, 0)))
    sums = np.lib.stride_tricks.sliding_window_view(squares, 5, axis=1).sum(-1)
    return x / (1 + 1e-4 / 5 * sums) ** 0.75


def _apart(x: Any) -> Any:
    first, second = np.triu_indices(len(x), 1)
    return np.linalg.norm(x[first] - x[second], axis=1)


def _leaking(x: Any) -> Any:
    return np.where(x < 0, x * RNG.uniform(1 / 8, 1 / 3, x.shape).astype(x.dtype), x)


def _saturated(x: Any, shape: tuple[int, ...]) -> Any:
    return np.where(RNG.random(shape) < 0.5, x, x.dtype.type(-1.758)) * x.dtype.type(0.89) + x.dtype.type(0.78)


PAIRS = {
    "conv3d": Pair((_BOXES, _CUBES), layer("conv3d"), _convolved),
    "conv_transpose3d": Pair((_BOXES, _CUBES), layer("conv_transpose3d"), _spread),
    "avg_pool3d": Pair((_BOXES,), layer("avg_pool3d", 2), lambda x: _in_cubes(x).mean((3, 5, 7))),
    "max_pool3d": Pair((_BOXES,), layer("max_pool3d", 2), lambda x: _in_cubes(x).max((3, 5, 7))),
    "adaptive_avg_pool3d": Pair((_BOXES,), layer("adaptive_avg_pool3d", 8), lambda x: _in_cubes(x).mean((3, 5, 7))),
    "adaptive_max_pool3d": Pair((_BOXES,), layer("adaptive_max_pool3d", 8), lambda x: _in_cubes(x).max((3, 5, 7))),
    "lp_pool1d": Pair((_SIGNALS,), layer("lp_pool1d", 2, 2), lambda x: _powers(plain.in_twos(x), -1)),
    "lp_pool2d": Pair((_IMAGES,), layer("lp_pool2d", 2, 2), lambda x: _powers(plain.in_squares(x), (-1, -3))),
    "lp_pool3d": Pair((np.abs(_BOXES),), layer("lp_pool3d", 2, 2), lambda x: _powers(_in_cubes(x), (3, 5, 7))),
    "max_unpool1d": _put_back(1, (16, 16, 200)),
    "max_unpool2d": _put_back(2, (16, 8, 16, 16)),
    "max_unpool3d": _put_back(3, (8, 4, 8, 8, 8)),
    "local_response_norm": Pair((_IMAGES,), layer("local_response_norm", 5), _beside),
    "bilinear": Pair(
        (_LEFT, _RIGHT, _THROUGH),
        layer("bilinear"),
        lambda x, y, w: np.einsum("ni,oij,nj->no", x, w, y, optimize=True),
    ),
    "pdist": Pair((_POINTS,), layer("pdist"), _apart),
    "multi_margin_loss": Pair((X, LABELS), layer("multi_margin_loss"), _margins),
    "multilabel_soft_margin_loss": Pair(
        (X, _MARKS),
        layer("multilabel_soft_margin_loss"),
        lambda x, y: (np.logaddexp(x, 0) - x * y).mean(1).mean(),
    ),
    "rrelu": Pair((X,), layer("rrelu", training=True), _leaking),
    "alpha_dropout": Pair((Y,), layer("alpha_dropout", 0.5, training=True), lambda x: _saturated(x, x.shape)),
    "feature_alpha_dropout": Pair(
        (_IMAGES,), layer("feature_alpha_dropout", 0.5, training=True), lambda x: _saturated(x, (32, 8, 1, 1))
    ),
    **{
        name: Pair((_IMAGES,), layer(name, scale_factor=2), lambda x: x.repeat(2, 2).repeat(2, 3))
        for name in ("upsample", "upsample_nearest")
    },
}
