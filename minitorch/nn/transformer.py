"""The encoder layer of the transformer: attention and a small network, each around a shortcut."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minitorch._tensor import Tensor
from minitorch.moved import moved_names
from minitorch.nn import functional
from minitorch.nn.attention import MultiheadAttention
from minitorch.nn.dropout import Dropout
from minitorch.nn.linear import Linear
from minitorch.nn.module import Module
from minitorch.nn.norm import LayerNorm
from minitorch.ops.arithmetic import add
from minitorch.types import TensorLike

__all__ = ["TransformerEncoderLayer"]


class TransformerEncoderLayer(Module):
    """x = norm1(x + attention(x)), then norm2(x + linear2(activation(linear1(x)))): (L, N, d_model) → the same shape.

    norm_first: x + attention(norm1(x)), then x + linear2(…(norm2(x))), as a GPT has it. batch_first: (N, L, d_model).
    activation: "relu", "gelu" or a function. dropout: of the attention's weights, of the inner layer and of both sums.

    Raises ValueError for an activation that is not known and when nhead does not divide d_model.
    Source: Vaswani et al., 2017, Attention Is All You Need; Xiong et al., 2020, On Layer Normalization in the
    Transformer Architecture, for norm_first.

    >>> from minitorch import Tensor
    >>> layer = TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16, batch_first=True)
    >>> layer(Tensor(np.ones((3, 5, 8), "f"))).shape
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
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, **made)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = activation_named("TransformerEncoderLayer", activation)

    def forward(
        self,
        src: TensorLike,
        src_mask: TensorLike | None = None,
        src_key_padding_mask: TensorLike | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """The layer's output. The masks are those of MultiheadAttention: True means not to be seen."""
        masks = (src_mask, src_key_padding_mask, is_causal)
        if self.norm_first:
            x = add(src, self._attended(self.norm1(src), *masks))
            return add(x, self._fed_forward(self.norm2(x)))
        x = self.norm1(add(src, self._attended(src, *masks)))
        return self.norm2(add(x, self._fed_forward(x)))

    def _attended(self, x: Any, mask: Any, key_padding_mask: Any, is_causal: bool) -> Tensor:
        out, _ = self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=key_padding_mask, need_weights=False, is_causal=is_causal
        )
        return self.dropout1(out)

    def _fed_forward(self, x: Any) -> Tensor:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


def activation_named(layer: str, activation: str | Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """The function itself, or the one of the name. Raises ValueError for a name that is not known."""
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise ValueError(f"{layer}: activation must be 'relu', 'gelu' or a function, not {activation!r}")
    return functional.relu if activation == "relu" else functional.gelu


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.nn.transformer import *
else:
    __getattr__, __dir__ = moved_names(__name__)
