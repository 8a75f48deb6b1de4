"""Larger graphs for the tests of pictures: each function gives (model or None, loss); some run a model again."""

from itertools import pairwise

import numpy as np

import minitorch as mt
from minitorch import Tensor, manual_seed, nn
from minitorch.scalar import Value

Draw = np.random.default_rng


class Block(nn.Module):
    """A transformer's block: attention and two linear layers, each added to what came in."""

    def __init__(self, width):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU("tanh"), nn.Linear(4 * width, width))

    def forward(self, x):
        q, k, v = self.qkv(self.norm_1(x)).unflatten(-1, (3, 2, -1)).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        return x + self.mlp(self.norm_2(x))


class GPT(nn.Module):
    def __init__(self, blocks, width=8, letters=11, context=8):
        super().__init__()
        self.token, self.place = nn.Embedding(letters, width), nn.Embedding(context, width)
        self.blocks = nn.Sequential(*(Block(width) for _ in range(blocks)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, letters)

    def forward(self, letters):
        x = self.token(letters) + self.place(np.arange(letters.shape[1]))
        return self.head(self.norm(self.blocks(x)))


def gpt(model=None):
    manual_seed(0)
    model, letters = model or GPT(6), Draw(0).integers(0, 11, (4, 8))
    return model, nn.functional.cross_entropy(model(letters).flatten(0, 1), letters.ravel())


def encoder(model=None):
    """PyTorch's names, ReLU by a function, the norm after the sum."""
    manual_seed(0)
    model = model or nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32), 6)
    return model, (model(Tensor(Draw(0).normal(size=(5, 2, 16)).astype("f"))) ** 2).sum()


class Stage(nn.Module):
    def __init__(self, have, want):
        super().__init__()
        layers = [nn.Conv2d(have, want, 3, padding=1), nn.ReLU(), nn.Conv2d(want, want, 3, padding=1), nn.ReLU()]
        self.conv = nn.Sequential(*layers)

    def forward(self, x):
        return self.conv(x)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([Stage(1, 4), Stage(4, 8), Stage(8, 16)])
        self.middle = Stage(16, 32)
        self.up = nn.ModuleList([Stage(48, 16), Stage(24, 8), Stage(12, 4)])
        self.out = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        skips = []
        for stage in self.down:
            x = stage(x)
            skips.append(x)
            x = nn.functional.max_pool2d(x, 2)
        x = self.middle(x)
        for stage, skip in zip(self.up, reversed(skips), strict=True):
            x = stage(mt.cat([nn.functional.interpolate(x, scale_factor=2), skip], 1))
        return self.out(x)


def unet(model=None):
    manual_seed(0)
    model = model or UNet()
    return model, (model(Tensor(np.ones((1, 1, 16, 16), "f"))) ** 2).mean()


def unrolled(steps=30):
    """An LSTM cell, called again and again."""
    manual_seed(0)
    cell = nn.LSTMCell(4, 6)
    h = c = Tensor(np.zeros((2, 6), "f"))
    for step in range(steps):
        h, c = cell(Tensor(np.full((2, 4), step, "f")), (h, c))
    return cell, (h * h).sum()


def scalar_mlp(points=4, sizes=(2, 4, 4, 1)):
    draw = Draw(0)
    layers = [
        [
            ([Value(draw.normal(), label=f"w{depth}{row}{place}") for place in range(have)], Value(0.0))
            for row in range(want)
        ]
        for depth, (have, want) in enumerate(pairwise(sizes))
    ]
    loss = None
    for _ in range(points):
        x = [Value(each) for each in draw.normal(size=sizes[0])]
        for layer in layers:
            x = [sum((w * v for w, v in zip(ws, x, strict=True)), b).tanh() for ws, b in layer]
        error = (x[0] - 1.0) ** 2
        loss = error if loss is None else loss + error
    loss.label = "loss"
    return None, loss


def chain(count=2000):
    value = Value(1.0, label="x")
    for _ in range(count):
        value = value + 1.0
    return None, value


LARGE = {maker.__name__: maker for maker in (gpt, encoder, unet, unrolled, scalar_mlp, chain)}
