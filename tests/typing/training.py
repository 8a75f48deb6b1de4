"""A training loop. Its modules are imported when they are first asked for; a type checker knows them all the same."""

from typing import assert_type

import numpy as np

import minitorch as mt
from minitorch import Tensor, nn


class Net(nn.Module):
    """Two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first = mt.nn.Linear(3, 4)
        self.second = mt.nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        """(N, 3) → (N, 2)."""
        hidden = mt.relu(self.first(x))
        return self.second(hidden)


net = Net()
optimizer = mt.optim.SGD(net.parameters(), lr=0.1)
data = mt.data.TensorDataset(mt.randn(4, 3), mt.tensor(np.array([0, 1, 0, 1])))
for inputs, targets in mt.data.DataLoader(data, batch_size=2):
    optimizer.zero_grad()
    loss = mt.nn.functional.cross_entropy(net(inputs), targets)
    loss.backward()
    optimizer.step()

assert_type(mt.nn.Linear(3, 4), nn.Linear)
assert_type(optimizer, mt.optim.SGD)
