"""Attention: each query takes a mean of the values, weighted by how well their keys fit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.identity import as_values
from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.errors import DtypeError, OperandError, ShapeError
from minitorch.nn.functional.dropout import dropout
from minitorch.ops._row_reductions import row_max, row_sums
from minitorch.ops.arithmetic import mul
from minitorch.ops.movement import expand, reshape, transpose
from minitorch.ops.products import matmul
from minitorch.types import Shape, TensorLike

__all__ = ["scaled_dot_product_attention"]


def scaled_dot_product_attention(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    attn_mask: TensorLike | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(query @ keyᵀ · scale + mask) @ value: (…, L, E), (…, S, E), (…, S, Eᵥ) → (…, L, Eᵥ).

    attn_mask: broadcasts to (…, L, S); bools say which keys a query may see, floats are added to the scores.
    is_causal: instead, query i sees the keys 0 … i. scale: None for 1/√E. A query that sees no key gets zeros.
    dropout_p: the share of weights that are dropped, always: pass 0 when not training.
    enable_gqa: key and value have fewer heads (third axis from the right), each shared by several of the query.

    With P the weights: dL/dvalue = Pᵀ @ g, and the scores get P · (dP - Σ P dP) with dP = g @ valueᵀ.
    Raises ValueError when the shapes do not fit. Source: Vaswani et al., 2017, Attention Is All You Need.

    >>> from minitorch import Tensor
    >>> scaled_dot_product_attention(Tensor([[0.0], [0.0]]), Tensor([[1.0], [2.0]]), Tensor([[4.0], [8.0]]))
    tensor([[6.],
            [6.]])
    """
    shapes = [as_array(each).shape for each in (query, key, value)]
    _require_shapes(*shapes)
    if enable_gqa:
        key, value = _for_each_head(key, shapes[0]), _for_each_head(value, shapes[0])
    scale = 1 / math.sqrt(max(shapes[0][-1], 1)) if scale is None else scale
    scores = matmul(mul(query, scale), transpose(key, -2, -1))  # (…, L, S)
    weights = masked_softmax(scores, _mask(as_array(scores), attn_mask, is_causal))
    return matmul(dropout(weights, dropout_p) if dropout_p else weights, value)


@primitive(name="masked_softmax")
def masked_softmax(scores: Any, mask: Any) -> Any:
    """softmax(scores + mask) over the last axis, and zeros where all of it is minus infinity."""
    powers = scores + mask
    if powers.size:  # else there is no largest
        powers -= np.maximum(row_max(powers), float(np.finfo(powers.dtype).min))  # not -inf - -inf, which is nan
    powers = np.exp(powers, out=powers)
    powers /= np.maximum(row_sums(powers), 1)  # the largest alone contributes 1, unless all are masked
    return powers


def _masked_softmax_wrt(g: Any, out: Any) -> Any:
    return out * (g - row_sums(g * out))  # softmax · (g - Σ g · softmax)


masked_softmax.vjp(scores=_masked_softmax_wrt, mask=_masked_softmax_wrt)


def _mask(scores: Any, attn_mask: TensorLike | None, is_causal: bool) -> Any:
    """Return what is added to the scores: minus infinity where a key may not be seen."""
    if is_causal:
        if attn_mask is not None:
            raise OperandError("scaled_dot_product_attention: pass attn_mask or is_causal=True, not both")
        return _additive(xp(scores).tri(*scores.shape[-2:], dtype=bool), scores.dtype)
    if attn_mask is None:
        return 0.0
    given = as_values("scaled_dot_product_attention", attn_mask)
    if given.dtype.kind not in "bf":
        raise DtypeError(f"scaled_dot_product_attention: attn_mask must hold bools or floats, not {given.dtype}")
    _require_broadcast(given.shape, scores.shape)
    return attn_mask if given.dtype.kind == "f" else constant(_additive(given, scores.dtype))


def _additive(allowed: Any, dtype: Any) -> Any:
    return xp(allowed).where(allowed, 0.0, -np.inf).astype(dtype)


def _for_each_head(tensor: TensorLike, query: Shape) -> Tensor:
    """The heads of key or value, each repeated for the queries that share it: (…, few, S, E) → (…, heads, S, E)."""
    *batch, few, length, size = as_array(tensor).shape
    if not few or query[-3] % few:
        raise ShapeError(f"scaled_dot_product_attention: {query[-3]} query heads cannot share {few} heads evenly")
    repeated = expand(reshape(tensor, (*batch, few, 1, length, size)), (*batch, few, query[-3] // few, length, size))
    return reshape(repeated, (*batch, query[-3], length, size))


def _require_shapes(query: Shape, key: Shape, value: Shape) -> None:
    if min(map(len, (query, key, value))) < 2 or query[-1] != key[-1] or key[-2] != value[-2]:
        raise ShapeError(
            f"scaled_dot_product_attention: query {query}, key {key} and value {value} must have shapes "
            f"(…, L, E), (…, S, E) and (…, S, Eᵥ)"
        )


def _require_broadcast(mask: Shape, scores: Shape) -> None:
    if len(mask) > len(scores) or any(have not in (1, want) for have, want in zip(mask[::-1], scores[::-1])):
        raise ShapeError(
            f"scaled_dot_product_attention: attn_mask of shape {mask} does not broadcast to the scores, {scores}"
        )
