"""Number by number."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.pairs import plain
from benchmarks.pairs.pair import BOOLS, OTHER_BOOLS, POSITIVE, Pair, X, Y, Z, each_alike, op

_UNIT = np.tanh(X) * np.float32(0.9)

PAIRS = {
    **each_alike(
        (X,),
        {
            "abs": np.abs,
            "asinh": np.arcsinh,
            "atan": np.arctan,
            "ceil": np.ceil,
            "clone": np.copy,
            "cos": np.cos,
            "cosh": np.cosh,
            "erf": lambda x: np.array([math.erf(each) for each in x.ravel()], np.float32).reshape(x.shape),
            "exp": np.exp,
            "exp2": np.exp2,
            "expm1": np.expm1,
            "floor": np.floor,
            "frac": lambda x: x - np.trunc(x),
            "isfinite": np.isfinite,
            "isinf": np.isinf,
            "isnan": np.isnan,
            "logical_not": np.logical_not,
            "nan_to_num": np.nan_to_num,
            "neg": np.negative,
            "positive": np.positive,
            "reciprocal": np.reciprocal,
            "relu": lambda x: np.maximum(x, 0),
            "round": np.round,
            "sigmoid": plain.sigmoid,
            "sign": np.sign,
            "sin": np.sin,
            "sinh": np.sinh,
            "square": np.square,
            "tan": np.tan,
            "tanh": np.tanh,
            "trunc": np.trunc,
        },
    ),
    **each_alike(
        (POSITIVE,),
        {
            "log": np.log,
            "log10": np.log10,
            "log1p": np.log1p,
            "log2": np.log2,
            "rsqrt": lambda x: 1 / np.sqrt(x),
            "sqrt": np.sqrt,
        },
    ),
    **each_alike((_UNIT,), {"acos": np.arccos, "asin": np.arcsin, "atanh": np.arctanh}),
    **each_alike((POSITIVE + np.float32(0.5),), {"acosh": np.arccosh}),
    **each_alike(
        (X, Y),
        {
            "add": np.add,
            "allclose": np.allclose,
            "atan2": np.arctan2,
            "eq": np.equal,
            "equal": np.array_equal,
            "ge": np.greater_equal,
            "gt": np.greater,
            "hypot": np.hypot,
            "isclose": np.isclose,
            "le": np.less_equal,
            "logaddexp": np.logaddexp,
            "logical_and": np.logical_and,
            "logical_or": np.logical_or,
            "logical_xor": np.logical_xor,
            "lt": np.less,
            "maximum": np.maximum,
            "minimum": np.minimum,
            "mul": np.multiply,
            "ne": np.not_equal,
            "rsub": lambda x, y: y - x,
            "sub": np.subtract,
        },
    ),
    **each_alike(
        (X, POSITIVE),
        {
            "div": np.divide,
            "floor_divide": np.floor_divide,
            "fmod": np.fmod,
            "remainder": np.remainder,
            "true_divide": np.true_divide,
            "xlogy": lambda x, y: x * np.log(y),
        },
    ),
    **each_alike((POSITIVE, X), {"float_power": np.float_power, "pow": np.power}),
    **each_alike(
        (BOOLS, OTHER_BOOLS),
        {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor},
    ),
    **each_alike((BOOLS,), {"bitwise_not": np.invert}),
    **each_alike((BOOLS, X, Y), {"where": np.where}),
    "addcdiv": Pair((X, Y, POSITIVE), op("addcdiv", value=2), lambda x, y, z: x + 2 * y / z),
    "addcmul": Pair((X, Y, Z), op("addcmul", value=2), lambda x, y, z: x + 2 * y * z),
    "clamp": Pair((X,), op("clamp", -1, 1), lambda x: np.clip(x, -1, 1)),
    "clamp_max": Pair((X,), op("clamp_max", 0.5), lambda x: np.minimum(x, 0.5)),
    "clamp_min": Pair((X,), op("clamp_min", 0.5), lambda x: np.maximum(x, 0.5)),
    "lerp": Pair((X, Y), op("lerp", 0.3), lambda x, y: x + 0.3 * (y - x)),
    "masked_fill": Pair((X, BOOLS), op("masked_fill", 0.0), lambda x, mask: np.where(mask, 0, x)),
}
