"""Tensors made from nothing, or from another one's shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.pairs.pair import POSITIVE, RNG, Pair, X, op

_SHAPE = (1000, 100)
_FLOAT = np.float32


def _from_nothing(name: str, plain: Callable[[], Any], *arguments: Any) -> tuple[str, Pair]:
    return name, Pair((), op(name, *arguments), plain)


def _like(name: str, plain: Callable[[Any], Any], *arguments: Any) -> tuple[str, Pair]:
    return name, Pair((X,), op(name, *arguments), plain)


PAIRS = dict(
    [
        _from_nothing("arange", lambda: np.arange(100_000), 100_000),
        _from_nothing("eye", lambda: np.eye(316, dtype=_FLOAT), 316),
        _from_nothing("full", lambda: np.full(_SHAPE, 2, _FLOAT), _SHAPE, 2.0),
        _from_nothing("linspace", lambda: np.linspace(0, 1, 100_000, dtype=_FLOAT), 0, 1, 100_000),
        _from_nothing("ones", lambda: np.ones(_SHAPE, _FLOAT), _SHAPE),
        _from_nothing("rand", lambda: RNG.random(_SHAPE, _FLOAT), _SHAPE),
        _from_nothing("randint", lambda: RNG.integers(0, 10, _SHAPE), 0, 10, _SHAPE),
        _from_nothing("randn", lambda: RNG.standard_normal(_SHAPE, _FLOAT), _SHAPE),
        _from_nothing("randperm", lambda: RNG.permutation(100_000), 100_000),
        _from_nothing("tensor", lambda: np.array(X), X),
        _from_nothing("zeros", lambda: np.zeros(_SHAPE, _FLOAT), _SHAPE),
        _like("full_like", lambda x: np.full_like(x, 2), 2.0),
        _like("ones_like", np.ones_like),
        _like("rand_like", lambda x: RNG.random(x.shape, x.dtype)),
        _like("randint_like", lambda x: RNG.integers(0, 10, x.shape).astype(x.dtype), 0, 10),
        _like("randn_like", lambda x: RNG.standard_normal(x.shape, x.dtype)),
        _like("zeros_like", np.zeros_like),
    ]
)
_SHARES = POSITIVE / POSITIVE.max()
PAIRS["bernoulli"] = Pair((_SHARES,), op("bernoulli"), lambda p: (RNG.random(p.shape, p.dtype) < p).astype(p.dtype))
PAIRS["normal"] = Pair((X, POSITIVE), op("normal"), lambda m, s: m + s * RNG.standard_normal(m.shape, m.dtype))
PAIRS["multinomial"] = Pair(
    (_SHARES[0],), op("multinomial", 100_000, True), lambda p: RNG.choice(p.size, 100_000, p=p / p.sum(dtype=float))
)
