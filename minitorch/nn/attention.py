"""Attention with several heads: each looks for something else."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.errors import DtypeError, ShapeError
from minitorch.nn import functional, init
from minitorch.nn._sizes import require_sizes
from minitorch.nn.functional.attention import masked_softmax
from minitorch.nn.linear import Linear
from minitorch.nn.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.ops.arithmetic import add, mul
from minitorch.ops.creation import empty
from minitorch.ops.joining import chunk
from minitorch.ops.movement import reshape, squeeze, transpose, unsqueeze
from minitorch.ops.products import matmul
from minitorch.ops.reduce import mean
from minitorch.types import Shape, TensorLike

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Module):
    """Each head takes, for each query, a mean of the values, weighted by how well their keys fit.

    head = softmax(q kᵀ / √(E / num_heads) + mask) v with q, k and v linear in query, key and value; the heads, side by
    side, go through out_proj. Shapes: query (L, N, E), key (S, N, kdim), value (S, N, vdim) → (L, N, E); with
    batch_first N comes first; N may be missing. E = embed_dim, kdim and vdim are the same unless given.

    in_proj_weight (3E, E) holds the three matrices one below the other (q_proj_weight, k_proj_weight and v_proj_weight
    where kdim or vdim differ) and starts xavier_uniform, biases as zeros. dropout: the share of weights that are
    dropped while training. PyTorch's rare add_bias_kv and add_zero_attn are not there.

    Raises ValueError when num_heads does not divide embed_dim, and when shapes do not fit.
    Source: Vaswani et al., 2017, Attention Is All You Need.

    >>> from minitorch import Tensor
    >>> attention = MultiheadAttention(8, 2, batch_first=True)
    >>> x = Tensor(np.ones((3, 5, 8), "f"))
    >>> out, weights = attention(x, x, x)
    >>> out.shape, weights.shape
    ((3, 5, 8), (3, 5, 5))
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        *,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        require_sizes("MultiheadAttention", embed_dim=embed_dim, num_heads=num_heads)
        if embed_dim < 1 or num_heads < 1 or embed_dim % num_heads:
            raise ValueError(
                f"MultiheadAttention: embed_dim={embed_dim} must be a positive multiple of num_heads={num_heads}"
            )
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads

        def weight(outs: int, ins: int) -> Parameter:
            return Parameter(empty(outs, ins, device=device, dtype=dtype))

        one_matrix = self.kdim == self.vdim == embed_dim
        self.in_proj_weight = weight(3 * embed_dim, embed_dim) if one_matrix else None
        self.q_proj_weight = None if one_matrix else weight(embed_dim, embed_dim)
        self.k_proj_weight = None if one_matrix else weight(embed_dim, self.kdim)
        self.v_proj_weight = None if one_matrix else weight(embed_dim, self.vdim)
        self.in_proj_bias = Parameter(empty(3 * embed_dim, device=device, dtype=dtype)) if bias else None
        self.out_proj = Linear(embed_dim, embed_dim, bias, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws the matrices of the three projections again; all biases are zeros."""
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        for bias in (self.in_proj_bias, self.out_proj.bias):
            if bias is not None:
                init.zeros_(bias)

    def forward(
        self,
        query: TensorLike,
        key: TensorLike,
        value: TensorLike,
        key_padding_mask: TensorLike | None = None,
        need_weights: bool = True,
        attn_mask: TensorLike | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """(out, weights): weights are None without `need_weights`, else (N, L, S), their mean over the heads.

        average_attn_weights=False: the weights of each head, (N, num_heads, L, S). In both masks True means *not to be
        seen*, and floats are added to the scores: attn_mask (L, S) or (N · num_heads, L, S), key_padding_mask (N, S).
        is_causal: says that attn_mask is the causal one; it must be given all the same. A query that may see no key
        gets zeros for the values, and its weights are zeros.
        """
        if is_causal and attn_mask is None:
            raise ValueError(
                "MultiheadAttention: is_causal says of what kind attn_mask is: pass the mask too, "
                "as in attn_mask=ones(L, L, dtype='bool').triu(1)"
            )
        q, k, v = self._projected(query, key, value)
        batched = q.ndim == 3
        q, k, v = [self._heads(each, batched) for each in (q, k, v)]  # (N, num_heads, length, head_dim)
        mask = self._mask(q, k, attn_mask, key_padding_mask)
        scores = matmul(mul(q, 1 / math.sqrt(self.head_dim)), transpose(k, -2, -1))
        weights = functional.dropout(masked_softmax(scores, mask), self.dropout, self.training)  # (N, num_heads, L, S)
        out = self._joined(matmul(weights, v), batched)
        if not need_weights:
            return out, None
        weights = mean(weights, 1) if average_attn_weights else weights
        return out, weights if batched else squeeze(weights, 0)

    def _projected(self, query: TensorLike, key: TensorLike, value: TensorLike) -> tuple[Tensor, ...]:
        """q, k and v, in the axes that came in. Where all three are one Tensor, one product makes them."""
        self._require_shapes(*[as_array(each).shape for each in (query, key, value)])
        if query is key is value and self.in_proj_weight is not None:
            return chunk(functional.linear(query, self.in_proj_weight, self.in_proj_bias), 3, -1)
        weights: Any = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        if self.in_proj_weight is not None:
            weights = chunk(self.in_proj_weight, 3)
        biases = (None,) * 3 if self.in_proj_bias is None else chunk(self.in_proj_bias, 3)
        return tuple(map(functional.linear, (query, key, value), weights, biases))

    def _heads(self, values: Any, batched: bool) -> Tensor:
        """(length, N, E), (N, length, E) or (length, E) → (N, num_heads, length, head_dim)."""
        if not batched:
            values = unsqueeze(values, 0)
        elif not self.batch_first:
            values = transpose(values, 0, 1)
        n, length, _ = values.shape
        return transpose(reshape(values, (n, length, self.num_heads, self.head_dim)), 1, 2)

    def _joined(self, heads: Any, batched: bool) -> Tensor:
        """The heads side by side, through out_proj, in the axes that came in."""
        n, _, length, _ = heads.shape
        out = self.out_proj(reshape(transpose(heads, 1, 2), (n, length, self.embed_dim)))
        if not batched:
            return squeeze(out, 0)
        return out if self.batch_first else transpose(out, 0, 1)

    def _mask(self, q: Any, k: Any, attn_mask: Any, key_padding_mask: Any) -> Any:
        """Return what is added to the scores: both masks as floats, broadcastable to (N, num_heads, L, S)."""
        n, heads, queries, _ = q.shape
        keys = k.shape[2]
        mask: Any = 0.0
        if attn_mask is not None:
            shape = as_array(attn_mask).shape
            if shape not in ((queries, keys), (n * heads, queries, keys)):
                raise ShapeError(
                    f"MultiheadAttention: attn_mask has shape {shape}, but {queries} queries and {keys} keys need "
                    f"{(queries, keys)} or {(n * heads, queries, keys)}"
                )
            mask = _additive("attn_mask", attn_mask, q.dtype)
            if len(shape) == 3:
                mask = reshape(mask, (n, heads, queries, keys))
        if key_padding_mask is not None:
            shape = as_array(key_padding_mask).shape
            if shape != (n, keys) and not (n == 1 and shape == (keys,)):
                raise ShapeError(
                    f"MultiheadAttention: key_padding_mask has shape {shape}, but {n} rows of {keys} keys need "
                    f"{(n, keys)}"
                )
            padding = reshape(_additive("key_padding_mask", key_padding_mask, q.dtype), (n, 1, 1, keys))
            mask = padding if attn_mask is None else add(mask, padding)
        return mask

    def _require_shapes(self, query: Shape, key: Shape, value: Shape) -> None:
        sizes = tuple([shape[-1] if shape else 0 for shape in (query, key, value)])
        wanted = (self.embed_dim, self.kdim, self.vdim)
        axes = {len(query), len(key), len(value)}
        if axes not in ({2}, {3}) or sizes != wanted or key[:-1] != value[:-1] or not self._same_batch(query, key):
            order = "(N, length, {})" if self.batch_first else "(length, N, {})"
            needed = ", ".join([order.format(size) for size in wanted])
            raise ShapeError(
                f"MultiheadAttention: query {query}, key {key} and value {value} must have shapes {needed}, "
                f"with one length for key and value; or all without N"
            )

    def _same_batch(self, query: Shape, key: Shape) -> bool:
        axis = 0 if self.batch_first else 1
        return len(query) == 2 or query[axis] == key[axis]


def _additive(label: str, mask: TensorLike, dtype: Any) -> Any:
    """A mask as something to add: minus infinity where it says True."""
    given = as_array(mask)
    if given.dtype.kind == "b":
        return constant(xp(given).where(given, -np.inf, 0.0).astype(dtype))
    if given.dtype.kind == "f":
        return mask
    raise DtypeError(f"MultiheadAttention: {label} must hold bools or floats, not {given.dtype}")
