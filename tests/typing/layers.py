"""Layers, losses and their functions: a call takes what `forward` takes and returns what it returns."""

from typing import Any, assert_type

import minitorch as mt
from minitorch import Tensor, nn
from minitorch.nn import functional


class Net(nn.Module):
    """A user's own."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.blocks = nn.ModuleList([nn.Linear(3, 3)])
        self.heads = nn.ModuleDict({"digit": nn.Linear(3, 1)})

    def forward(self, x: Tensor, times: int = 1) -> tuple[Tensor, int]:
        """A Tensor and a number."""
        h = self.first(x).relu()
        for block in self.blocks:
            h = block(h)
        return self.heads["digit"](h) * times, times


x, net = mt.randn(4, 2), Net()
assert_type(net(x, times=2), tuple[Tensor, int])
assert_type(net.train().eval().to("float64").to("float32"), Net)
assert_type(net.first.weight, nn.Parameter)
assert_type(net.blocks[0], nn.Module)
assert_type(net.blocks[:1], nn.ModuleList)
assert_type(list(net.parameters()), list[nn.Parameter])
assert_type(net.state_dict(), dict[str, Any])

# layers
assert_type(mt.nn.Linear(2, 3)(x), Tensor)
assert_type(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.LayerNorm(3))(x), Tensor)
assert_type(nn.LSTM(2, 3)(x)[1][0], Tensor)
assert_type(nn.MultiheadAttention(2, 1)(x, x, x)[0], Tensor)
assert_type(nn.Embedding(3, 2)(mt.tensor([0, 2])), Tensor)

# losses
assert_type(nn.CrossEntropyLoss()(x, mt.tensor([0, 1, 0, 1])), Tensor)
assert_type(nn.MSELoss(reduction="sum")(x, x), Tensor)

# functions
assert_type(functional.gelu(x), Tensor)
assert_type(functional.relu(x), Tensor)
assert_type(functional.softmax(x, dim=1), Tensor)
assert_type(functional.linear(x, net.first.weight), Tensor)
assert_type(functional.dropout(x, training=False), Tensor)
assert_type(functional.cross_entropy(x, [0, 1, 0, 1]), Tensor)
assert_type(functional.max_pool1d(x, 2), Tensor)
assert_type(functional.max_pool1d(x, 2, return_indices=True).indices, Tensor)
assert_type(nn.init.zeros_(mt.empty(2)), Tensor)
