"""Larger PyTorch models for the tests of pictures: each function gives (model, its recorded graph, loss)."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

from minitorch.bridge import record
from minitorch.graph import AutogradGraph

Recorded = tuple[nn.Module, AutogradGraph, torch.Tensor]


def recorded(model: nn.Module, run: Callable[[], torch.Tensor]) -> Recorded:
    """Records what `run` computes."""
    graph = AutogradGraph()
    with record(graph, model=model):
        loss = run()
    return model, graph, loss


class Block(nn.Module):
    """A transformer's block: attention and two linear layers, each added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU("tanh"), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(self.norm_1(x)).unflatten(-1, (3, 2, -1)).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        return x + self.mlp(self.norm_2(x))


class GPT(nn.Module):
    def __init__(self, blocks: int, width: int = 8, letters: int = 11, context: int = 8) -> None:
        super().__init__()
        self.token, self.place = nn.Embedding(letters, width), nn.Embedding(context, width)
        self.blocks = nn.Sequential(*(Block(width) for _ in range(blocks)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, letters)

    def forward(self, letters: torch.Tensor) -> torch.Tensor:
        x = self.token(letters) + self.place(torch.arange(letters.shape[1]))
        return self.head(self.norm(self.blocks(x)))


def gpt() -> Recorded:
    torch.manual_seed(0)
    model, letters = GPT(6), torch.randint(0, 11, (4, 8))
    return recorded(model, lambda: F.cross_entropy(model(letters).flatten(0, 1), letters.ravel()))


def encoder() -> Recorded:
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
    model, x = nn.TransformerEncoder(layer, 6, enable_nested_tensor=False), torch.randn(2, 5, 16)
    return recorded(model, lambda: (model(x) ** 2).sum())


class Stage(nn.Module):
    def __init__(self, have: int, want: int) -> None:
        super().__init__()
        layers = [nn.Conv2d(have, want, 3, padding=1), nn.ReLU(), nn.Conv2d(want, want, 3, padding=1), nn.ReLU()]
        self.conv = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.ModuleList([Stage(1, 4), Stage(4, 8), Stage(8, 16)])
        self.middle = Stage(16, 32)
        self.up = nn.ModuleList([Stage(48, 16), Stage(24, 8), Stage(12, 4)])
        self.out = nn.Conv2d(4, 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        skips = []
        for stage in self.down:
            x = stage(x)
            skips.append(x)
            x = F.max_pool2d(x, 2)
        x = self.middle(x)
        for stage, skip in zip(self.up, reversed(skips), strict=True):
            x = stage(torch.cat([F.interpolate(x, scale_factor=2), skip], 1))
        return self.out(x)


def unet() -> Recorded:
    torch.manual_seed(0)
    model = UNet()
    return recorded(model, lambda: (model(torch.ones(1, 1, 16, 16)) ** 2).mean())


def unrolled(steps: int = 12) -> Recorded:
    """An LSTM cell, called again and again."""
    torch.manual_seed(0)
    cell = nn.LSTMCell(4, 6)

    def run() -> torch.Tensor:
        h = c = torch.zeros(2, 6)
        for step in range(steps):
            h, c = cell(torch.full((2, 4), float(step)), (h, c))
        return (h * h).sum()

    return recorded(cell, run)


class HandMade(nn.Module):
    """An LSTM cell written out, as a course on PyTorch writes it."""

    def __init__(self) -> None:
        super().__init__()
        self.inputs, self.hidden = nn.Linear(4, 24), nn.Linear(6, 24)

    def forward(self, x: torch.Tensor, h: torch.Tensor, c: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        i, f, g, o = (self.inputs(x) + self.hidden(h)).chunk(4, dim=1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        return o.sigmoid() * c.tanh(), c


def unrolled_by_hand(steps: int = 12) -> Recorded:
    torch.manual_seed(0)
    cell = HandMade()

    def run() -> torch.Tensor:
        h = c = torch.zeros(2, 6)
        for step in range(steps):
            h, c = cell(torch.full((2, 4), float(step)), h, c)
        return (h * h).sum()

    return recorded(cell, run)


MODELS: dict[str, Callable[[], Recorded]] = {
    "encoder": encoder,
    "gpt": gpt,
    "unet": unet,
    "lstm": unrolled,
    "lstm by hand": unrolled_by_hand,
}


def small() -> Recorded:
    torch.manual_seed(0)
    model: Any = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    return recorded(model, lambda: (model(torch.ones(2, 3)) ** 2).mean())
