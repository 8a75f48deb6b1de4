"""A network of one's own, and what its parts are."""

from typing import reveal_type

import minitorch as mt
from minitorch import Tensor, nn
from minitorch.nn import functional as F  # noqa: N812 (as everybody writes it)


class Block(nn.Module):
    """A layer with a short cut."""

    scale: Tensor

    def __init__(self, width: int, drop: float = 0.1) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.linear = nn.Linear(width, width)
        self.drop = nn.Dropout(drop)
        self.gain = nn.Parameter(mt.ones(width))
        self.register_buffer("scale", mt.tensor(0.5))

    def forward(self, x: Tensor, *, twice: bool = False) -> Tensor:
        """x + gain · dropout(gelu(linear(norm(x))))."""
        h = self.drop(F.gelu(self.linear(self.norm(x))))
        return x + self.gain * h * (2 if twice else 1) * self.scale


class Net(nn.Module):
    """Blocks in a list, heads in a dict."""

    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(2)])
        self.heads = nn.ModuleDict({"a": nn.Linear(width, 2), "b": nn.Linear(width, 3)})
        self.body = nn.Sequential(nn.Linear(width, width), nn.Tanh())

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        """One output for each head."""
        for block in self.blocks:
            x = block(x)
        return {name: head(self.body(x)) for name, head in self.heads.items()}


net, x = Net(), mt.randn(5, 4)
reveal_type(net(x))
reveal_type(net(x)["a"])
reveal_type(net.blocks[0])
reveal_type(net.body[0])
reveal_type(Block(4)(x, twice=True))
reveal_type(Block(4).gain)
reveal_type(Block(4).linear.weight)
reveal_type(Block(4).linear.bias)
reveal_type(net.state_dict())
reveal_type(net.load_state_dict(net.state_dict()))
reveal_type(list(net.named_parameters()))
reveal_type(net.apply(lambda module: None))
reveal_type(net.eval())
reveal_type(net.double())
reveal_type(net.zero_grad())
reveal_type(nn.LSTM(4, 3)(x))
reveal_type(nn.GRU(4, 3)(x))
reveal_type(nn.MultiheadAttention(4, 2)(x, x, x))
reveal_type(nn.TransformerEncoderLayer(4, 2)(x))
reveal_type(nn.Embedding(4, 2))
reveal_type(nn.MaxPool2d(2, return_indices=True)(mt.randn(1, 1, 4, 4)))
reveal_type(nn.init.kaiming_uniform_(mt.empty(2, 2)))
reveal_type(F.one_hot(mt.tensor([0, 1])))
reveal_type(F.max_pool1d(x, 2))
reveal_type(F.cross_entropy(x, mt.tensor([0, 1, 2, 3, 0])))
reveal_type(F.scaled_dot_product_attention(x, x, x))
