"""A training loop: data, an optimiser, a schedule, weights that are averaged and saved."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import reveal_type

import minitorch as mt
from minitorch import Tensor, nn
from minitorch.data import DataLoader, Dataset, TensorDataset, random_split
from minitorch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, OneCycleLR
from minitorch.optim.swa_utils import SWALR, AveragedModel, update_bn


class Squares(Dataset[tuple[Tensor, Tensor]]):
    """n and n²."""

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        n = mt.tensor([float(index)])
        return n, n**2

    def __len__(self) -> int:
        return 8


mt.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
optimizer = mt.optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.95), weight_decay=0.01)
schedule = CosineAnnealingLR(optimizer, T_max=10)
averaged = AveragedModel(model)
loader = DataLoader(Squares(), batch_size=4, shuffle=True)
loss_of = nn.MSELoss()


def epoch() -> float:
    """Return the sum of all losses."""
    total = 0.0
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = loss_of(model(inputs), targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    schedule.step()
    averaged.update_parameters(model)
    return total


reveal_type(epoch())
reveal_type(loader)
reveal_type(next(iter(loader)))
reveal_type(len(loader))
reveal_type(TensorDataset(mt.ones(2), mt.zeros(2))[0])
reveal_type(random_split(Squares(), [6, 2]))
reveal_type(optimizer.param_groups)
reveal_type(optimizer.state_dict())
reveal_type(optimizer.step())
reveal_type(schedule.get_last_lr())
reveal_type(LambdaLR(optimizer, lambda step: 0.5**step))
reveal_type(OneCycleLR(optimizer, 0.1, total_steps=10))
reveal_type(SWALR(optimizer, 0.05))
reveal_type(averaged(mt.ones(2, 1)))
reveal_type(averaged.module)
update_bn([mt.ones(4, 1)], averaged)

reveal_type(mt.optim.SGD([{"params": model.parameters(), "lr": 0.1}], momentum=0.9))
reveal_type(mt.optim.LBFGS(model.parameters()).step(lambda: loss_of(model(mt.ones(2, 1)), mt.ones(2, 1))))
with mt.no_grad():
    reveal_type(model(mt.ones(2, 1)))
with TemporaryDirectory() as folder:
    path = Path(folder) / "weights.safetensors"
    mt.save(model.state_dict(), path)
    reveal_type(mt.load(path))
