"""Transformers: stacks of encoder and decoder layers, the decoder layer, and the whole model."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from minitorch import Tensor, add, full, triu
from minitorch.nn import Dropout, LayerNorm, Linear, Module, ModuleList, MultiheadAttention, init
from minitorch.nn.transformer import TransformerEncoderLayer, activation_named
from minitorch.types import TensorLike

__all__ = ["Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder"]


class TransformerDecoderLayer(Module):
    """x = norm1(x + attention(x)), norm2(x + attention(x, memory)), norm3(x + linear2(activation(linear1(x)))).

    tgt (T, N, d_model) and memory (S, N, d_model) → (T, N, d_model); norm_first, batch_first, activation and dropout
    are those of TransformerEncoderLayer. Raises ValueError as that does. Source: Vaswani et al., 2017.

    >>> from minitorch import Tensor
    >>> layer = TransformerDecoderLayer(d_model=8, nhead=2, dim_feedforward=16, batch_first=True)
    >>> layer(Tensor(np.ones((3, 5, 8), "f")), Tensor(np.ones((3, 4, 8), "f"))).shape
    (3, 5, 8)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Any], Any] = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        made: dict[str, Any] = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, **made)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, **made)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, **made)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = activation_named("TransformerDecoderLayer", activation)

    def forward(
        self,
        tgt: TensorLike,
        memory: TensorLike,
        tgt_mask: TensorLike | None = None,
        memory_mask: TensorLike | None = None,
        tgt_key_padding_mask: TensorLike | None = None,
        memory_key_padding_mask: TensorLike | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The layer's output. The masks are those of MultiheadAttention: True means not to be seen."""
        x: Any = tgt
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        masks = (memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            seen = self.norm1(x)
            x = add(x, self.dropout1(_attended(self.self_attn, seen, seen, *own)))
            x = add(x, self.dropout2(_attended(self.multihead_attn, self.norm2(x), memory, *masks)))
            return add(x, self.dropout3(self._fed_forward(self.norm3(x))))
        x = self.norm1(add(x, self.dropout1(_attended(self.self_attn, x, x, *own))))
        x = self.norm2(add(x, self.dropout2(_attended(self.multihead_attn, x, memory, *masks))))
        return self.norm3(add(x, self.dropout3(self._fed_forward(x))))

    def _fed_forward(self, x: Any) -> Tensor:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


def _attended(attention: MultiheadAttention, x: Any, memory: Any, mask: Any, padding: Any, causal: bool) -> Tensor:
    options: dict[str, Any] = {"attn_mask": mask, "key_padding_mask": padding, "is_causal": causal}
    return attention(x, memory, memory, need_weights=False, **options)[0]


class _Stack(Module):
    """Base of TransformerEncoder and TransformerDecoder: deep copies of a layer, then `norm` if there is one."""

    def __init__(self, layer: Module, num_layers: int, norm: Module | None) -> None:
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def _called(self, x: Any, *args: Any) -> Tensor:
        for layer in self.layers:
            x = layer(x, *args)
        normal: Tensor = x if self.norm is None else self.norm(x)
        return normal


class TransformerEncoder(_Stack):
    """`num_layers` deep copies of `encoder_layer`, one after the other, then `norm` if there is one.

    (L, N, d_model) → (L, N, d_model), as the layer has it. As in PyTorch the copies start with equal weights:
    initialise them again for a model of your own. enable_nested_tensor: accepted, and without effect: PyTorch may skip
    padded places in eval mode, and gives zeros there; here they are computed like all others.

    >>> from minitorch import Tensor
    >>> from minitorch.nn import TransformerEncoderLayer
    >>> layer = TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16)
    >>> TransformerEncoder(layer, num_layers=2)(Tensor(np.ones((5, 3, 8), "f"))).shape
    (5, 3, 8)
    """

    def __init__(
        self, encoder_layer: Module, num_layers: int, norm: Module | None = None, enable_nested_tensor: bool = True
    ) -> None:
        super().__init__(encoder_layer, num_layers, norm)
        self.enable_nested_tensor = enable_nested_tensor

    def forward(
        self,
        src: TensorLike,
        mask: TensorLike | None = None,
        src_key_padding_mask: TensorLike | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """The last layer's output. Every layer gets the same masks, of which True means not to be seen."""
        return self._called(src, mask, src_key_padding_mask, bool(is_causal))


class TransformerDecoder(_Stack):
    """`num_layers` deep copies of `decoder_layer`, one after the other, then `norm` if there is one.

    (T, N, d_model), (S, N, d_model) → (T, N, d_model). As in PyTorch the copies start with equal weights.

    >>> from minitorch import Tensor
    >>> decoder = TransformerDecoder(TransformerDecoderLayer(8, 2, 16), num_layers=2)
    >>> decoder(Tensor(np.ones((5, 3, 8), "f")), Tensor(np.ones((4, 3, 8), "f"))).shape
    (5, 3, 8)
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__(decoder_layer, num_layers, norm)

    def forward(
        self,
        tgt: TensorLike,
        memory: TensorLike,
        tgt_mask: TensorLike | None = None,
        memory_mask: TensorLike | None = None,
        tgt_key_padding_mask: TensorLike | None = None,
        memory_key_padding_mask: TensorLike | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The last layer's output. Every layer gets the same memory and masks."""
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self._called(tgt, memory, *masks, bool(tgt_is_causal), memory_is_causal)


class Transformer(Module):
    """An encoder reads, a decoder writes: src (S, N, d_model) and tgt (T, N, d_model) → (T, N, d_model).

    custom_encoder, custom_decoder: modules that take their places. All matrices start by Xavier's rule. Raises
    ValueError when nhead does not divide d_model. Source: Vaswani et al., 2017, Attention Is All You Need.

    >>> from minitorch import Tensor
    >>> model = Transformer(d_model=8, nhead=2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16)
    >>> model(Tensor(np.ones((4, 3, 8), "f")), Tensor(np.ones((5, 3, 8), "f"))).shape
    (5, 3, 8)
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Any], Any] = "relu",
        custom_encoder: Module | None = None,
        custom_decoder: Module | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        made: dict[str, Any] = {"bias": bias, "device": device, "dtype": dtype}
        layer = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first)
        self.encoder: Module = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*layer, **made), num_encoder_layers, LayerNorm(d_model, layer_norm_eps, **made)
        )
        self.decoder: Module = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*layer, **made), num_decoder_layers, LayerNorm(d_model, layer_norm_eps, **made)
        )
        for parameter in self.parameters():
            if parameter.ndim > 1:
                init.xavier_uniform_(parameter)
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(
        self,
        src: TensorLike,
        tgt: TensorLike,
        src_mask: TensorLike | None = None,
        tgt_mask: TensorLike | None = None,
        memory_mask: TensorLike | None = None,
        src_key_padding_mask: TensorLike | None = None,
        tgt_key_padding_mask: TensorLike | None = None,
        memory_key_padding_mask: TensorLike | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The decoder's output. In the masks True means not to be seen."""
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        out: Tensor = self.decoder(tgt, memory, *masks, tgt_is_causal, memory_is_causal)
        return out

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """(sz, sz): minus infinity above the diagonal, 0 elsewhere: nobody sees what comes later.

        >>> Transformer.generate_square_subsequent_mask(2)
        tensor([[ 0., -inf],
                [ 0.,  0.]])
        """
        return triu(full((sz, sz), float("-inf"), device=device, dtype=dtype), 1)
