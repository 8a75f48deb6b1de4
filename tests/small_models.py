"""Three small models, and a training step of each: what guards of memory, dtypes and calls are tried on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitorch import Tensor, manual_seed, nn, optim
from minitorch.autograd.node import Node


class Block(nn.Module):
    """A transformer's block: attention and two linear layers, each added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU("tanh"), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.qkv(self.norm_1(x)).unflatten(-1, (3, 2, -1)).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        return x + self.mlp(self.norm_2(x))


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 5))


def convnet() -> nn.Module:
    return nn.Sequential(
        *(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(4, 6, 3), nn.GELU(), nn.AvgPool2d(2), nn.Flatten(), nn.Dropout(0.1), nn.Linear(6, 5)),
    )


def gpt() -> nn.Module:
    return nn.Sequential(nn.Embedding(5, 8), Block(8), nn.LayerNorm(8), nn.Linear(8, 5), nn.Flatten(0, 1))


MAKE: dict[str, Callable[[], nn.Module]] = {"MLP": mlp, "convnet": convnet, "GPT block": gpt}


def batch(title: str) -> tuple[np.ndarray, np.ndarray]:
    """An input and its labels."""
    draw = np.random.Generator(np.random.PCG64(7))
    if title == "GPT block":
        return draw.integers(0, 5, (3, 7)), draw.integers(0, 5, 21)
    shape = (4, 6) if title == "MLP" else (4, 1, 8, 8)
    return draw.random(shape, np.float32), draw.integers(0, 5, 4)


@dataclass
class Training:
    """A model, its optimiser and one batch; `step()` trains once and returns the loss."""

    model: nn.Module
    optimizer: optim.Optimizer
    input: Tensor
    labels: Tensor

    def step(self) -> Tensor:
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.model(self.input), self.labels)
        loss.backward()
        self.optimizer.step()
        return loss


def training(title: str, optimizer: Callable[..., optim.Optimizer] = optim.Adam, device: str = "cpu") -> Training:
    manual_seed(1)
    model = MAKE[title]().to(device)
    input, labels = (Tensor(each, device=device) for each in batch(title))
    return Training(model, optimizer(model.parameters(), lr=0.01), input, labels)


def nodes(out: Tensor) -> list[Node]:
    """Every place of the graph behind a result."""
    found: dict[Node, Any] = dict.fromkeys([] if out._node is None else [out._node])
    waiting = list(found)
    while waiting:
        new = [parent for parent in waiting.pop().parents if parent is not None and parent not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return list(found)
