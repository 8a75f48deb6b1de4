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

# data
words = mt.data.Subset(["a", "b", "c"], [2, 0])
assert_type(words[0], str)
assert_type(data[0], tuple[Tensor, ...])
assert_type(mt.data.random_split(data, [3, 1])[0][0], tuple[Tensor, ...])
for batch in mt.data.DataLoader(data, 2, shuffle=True, generator=0):
    assert_type(batch, list[Tensor])
for rows in mt.data.DataLoader(mt.randn(4, 3), 2):
    assert_type(rows, Tensor)
for joined in mt.data.DataLoader(["a", "b"], collate_fn="".join, drop_last=True):
    assert_type(joined, str)

# optimisers and training
assert_type(optimizer.step(), None)
assert_type(optimizer.step(lambda: 3.0), float)
grouped = mt.optim.AdamW([{"params": net.first.parameters(), "lr": 0.1}, {"params": net.second.parameters()}])
mt.optim.Adam(net.named_parameters(), betas=(0.9, 0.99))
schedule = mt.optim.lr_scheduler.StepLR(grouped, 3)
assert_type(schedule.get_last_lr(), list[float])
loader = mt.data.DataLoader(data, 2)
history = mt.train.fit(net, loader, optimizer, nn.CrossEntropyLoss(), epochs=1, progress=False)
assert_type(history, mt.train.History)
metrics = {"accuracy": mt.train.accuracy}
assert_type(mt.train.evaluate(net, loader, nn.functional.cross_entropy, metrics), dict[str, float])
