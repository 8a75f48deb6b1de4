"""Training steps to be captured: each makes its model, optimiser and step anew, from one seed."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.replay import capture

STEPS = 20
RNG = np.random.default_rng
Step = Callable[..., Any]


@dataclass
class Training:
    """A model, its optimisers, one step, and the batches that it is given, over and over."""

    model: Any
    optimizers: list[Any]
    step: Step
    batches: list[tuple[Any, ...]]


def rows(
    count: int = 8, width: int = 5, classes: int = 3, batches: int = 4, seed: int = 1
) -> list[tuple[Tensor, Tensor]]:
    rng = RNG(seed)
    return [
        (Tensor(rng.standard_normal((count, width)).astype("float32")), Tensor(rng.integers(0, classes, count)))
        for _ in range(batches)
    ]


def plain_step(model: Any, optimizer: Any, loss_fn: Any = functional.cross_entropy) -> Step:
    def train_step(x: Tensor, y: Tensor) -> Tensor:
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    return train_step


def trained(
    model: Any, optimizer: Any = None, batches: Any = None, loss_fn: Any = functional.cross_entropy
) -> Training:
    optimizer = optimizer or optim.SGD(model.parameters(), lr=0.1)
    return Training(model, [optimizer], plain_step(model, optimizer, loss_fn), batches or rows())


def mlp(*between: Any, width: int = 5) -> Any:
    return nn.Sequential(nn.Linear(width, 7), *between, nn.ReLU(), nn.Linear(7, 3))


def images(channels: int = 2, size: int = 6) -> list[tuple[Tensor, Tensor]]:
    rng = RNG(2)
    return [
        (Tensor(rng.standard_normal((4, channels, size, size)).astype("float32")), Tensor(rng.integers(0, 3, 4)))
        for _ in range(3)
    ]


def texts(length: int = 6, count: int = 3, vocabulary: int = 9) -> list[tuple[Tensor, Tensor]]:
    rng = RNG(3)
    return [
        (Tensor(rng.integers(0, vocabulary, (count, length))), Tensor(rng.integers(0, vocabulary, (count * length,))))
        for _ in range(3)
    ]


class Recurrent(nn.Module):
    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.embedding, self.core, self.head = nn.Embedding(9, 5), kind(5, 6, batch_first=True), nn.Linear(6, 9)

    def forward(self, x: Tensor) -> Tensor:
        out, _ = self.core(self.embedding(x))
        return self.head(out).reshape(-1, 9)


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(9, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True)
        self.head = nn.Linear(8, 9)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.layer(self.embedding(x))).reshape(-1, 9)


class Block(nn.Module):
    """A block of a GPT, between an embedding and a head that has its weight."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.places = nn.Embedding(9, 8), nn.Embedding(6, 8)
        self.first, self.second = nn.LayerNorm(8), nn.LayerNorm(8)
        self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)
        self.mlp = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8), nn.Dropout(0.1))

    def forward(self, x: Tensor) -> Tensor:
        h = self.embedding(x) + self.places(minitorch.arange(6))
        q, k, v = (part.reshape(3, 6, 2, 4).transpose(1, 2) for part in self.qkv(self.first(h)).chunk(3, -1))
        seen = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        h = h + self.out(seen.transpose(1, 2).reshape(3, 6, 8))
        h = h + self.mlp(self.second(h))
        return (h @ self.embedding.weight.T).reshape(-1, 9)


def gpt_block() -> Training:
    model = Block()
    return trained(model, optim.AdamW(model.parameters(), lr=0.01), texts())


def accumulating() -> Training:
    model = mlp()
    optimizer = optim.Adam(model.parameters(), lr=0.01)

    def step(x: Tensor, y: Tensor) -> Tensor:
        optimizer.zero_grad()
        total = Tensor(0.0)
        for half in (slice(0, 4), slice(4, 8)):
            loss = functional.cross_entropy(model(x[half]), y[half]) / 2
            loss.backward()
            total = total + loss.detach()
        optimizer.step()
        return total

    return Training(model, [optimizer], step, rows())


def carrying_gradients() -> Training:
    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def step(x: Tensor, y: Tensor) -> Tensor:
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        for param in model.parameters():
            param.grad *= 0.5
        return loss

    return Training(model, [optimizer], step, rows())


def clipped() -> Training:
    model = mlp()
    optimizer = optim.SGD(model.parameters(), lr=0.5, momentum=0.9)

    def step(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.3)
        optimizer.step()
        return loss, norm

    return Training(model, [optimizer], step, rows())


def scheduled() -> Training:
    model = mlp()
    optimizer = optim.Adam(model.parameters(), lr=0.05)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 3, 0.5)

    def step(x: Tensor, y: Tensor) -> Tensor:
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        return loss

    return Training(model, [optimizer], step, rows())


def two_optimizers() -> Training:
    generator, judge = nn.Linear(2, 4), nn.Linear(4, 1)
    first, second = optim.Adam(generator.parameters(), lr=0.01), optim.Adam(judge.parameters(), lr=0.01)

    def step(x: Tensor, y: Tensor) -> dict[str, Tensor]:
        second.zero_grad()
        made = generator(minitorch.randn(8, 2))
        loss = functional.binary_cross_entropy_with_logits(judge(x), y) + judge(made.detach()).mean()
        loss.backward()
        second.step()
        first.zero_grad()
        fooled = -judge(generator(minitorch.randn(8, 2))).mean()
        fooled.backward()
        first.step()
        return {"judge": loss, "generator": fooled}

    rng = RNG(5)
    batches = [
        (Tensor(rng.standard_normal((8, 4)).astype("float32")), Tensor(np.ones((8, 1), "float32"))) for _ in range(2)
    ]
    return Training(nn.ModuleList([generator, judge]), [first, second], step, batches)


def regression(loss_fn: Any) -> Training:
    model = nn.Sequential(nn.Linear(5, 6), nn.Tanh(), nn.Linear(6, 2))
    rng = RNG(6)
    batches = [
        (Tensor(rng.standard_normal((4, 5)).astype("float32")), Tensor(rng.standard_normal((4, 2)).astype("float32")))
        for _ in range(3)
    ]
    return trained(model, None, batches, loss_fn)


def _with(optimizer: Any, **options: Any) -> Callable[[], Training]:
    def make() -> Training:
        model = mlp()
        return trained(model, optimizer(model.parameters(), **options))

    return make


PROGRAMS: dict[str, Callable[[], Training]] = {
    "mlp": lambda: trained(mlp()),
    "dropout": lambda: trained(mlp(nn.Dropout(0.3))),
    "batch norm": lambda: trained(mlp(nn.BatchNorm1d(7))),
    "layer norm": lambda: trained(mlp(nn.LayerNorm(7), nn.GELU())),
    "rms norm": lambda: trained(mlp(nn.RMSNorm(7), nn.SiLU())),
    "group norm": lambda: trained(
        nn.Sequential(nn.Conv2d(2, 4, 3), nn.GroupNorm(2, 4), nn.Flatten(), nn.Linear(64, 3)), None, images()
    ),
    "convolution": lambda: trained(
        nn.Sequential(
            nn.Conv2d(2, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 3)
        ),
        None,
        images(),
    ),
    "strided convolution": lambda: trained(
        nn.Sequential(nn.Conv2d(2, 4, 3, stride=2), nn.LeakyReLU(0.1), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(4, 3)),
        None,
        images(),
    ),
    "GRU": lambda: trained(Recurrent(nn.GRU), None, texts()),
    "LSTM": lambda: trained(Recurrent(nn.LSTM), None, texts()),
    "RNN": lambda: trained(Recurrent(nn.RNN), None, texts()),
    "attention": lambda: trained(Attention(), None, texts()),
    "GPT block": gpt_block,
    "accumulating": accumulating,
    "carrying gradients": carrying_gradients,
    "clipped": clipped,
    "scheduled inside": scheduled,
    "two optimisers": two_optimizers,
    "momentum": _with(optim.SGD, lr=0.1, momentum=0.9, weight_decay=0.01),
    "nesterov": _with(optim.SGD, lr=0.1, momentum=0.9, nesterov=True),
    "Adam": _with(optim.Adam, lr=0.01),
    "amsgrad": _with(optim.Adam, lr=0.01, amsgrad=True),
    "AdamW": _with(optim.AdamW, lr=0.01),
    "RMSprop": _with(optim.RMSprop, lr=0.01, momentum=0.5, centered=True),
    "Adagrad": _with(optim.Adagrad, lr=0.05, lr_decay=0.1),
    "mse": lambda: regression(functional.mse_loss),
    "l1": lambda: regression(functional.l1_loss),
    "smooth l1": lambda: regression(functional.smooth_l1_loss),
    "huber": lambda: regression(functional.huber_loss),
}


# -- running them ------------------------------------------------------------------------------------------------------


def numbers(value: Any) -> list[bytes]:
    if isinstance(value, Tensor):
        return [value.data.tobytes()]
    values = value.values() if isinstance(value, dict) else value
    return [each for part in values for each in numbers(part)]


def run(make: Any, captured: bool, steps: int = STEPS) -> tuple[list[list[bytes]], Training, Any]:
    minitorch.manual_seed(0)
    training = make()
    step = capture(training.step, training.model, *training.optimizers) if captured else training.step
    batches = itertools.cycle(training.batches)
    return [numbers(step(*next(batches))) for _ in range(steps)], training, step


def left(training: Training) -> dict[str, bytes]:
    found = {name: value.data.tobytes() for name, value in training.model.state_dict().items()}
    for name, param in training.model.named_parameters():
        found[f"{name}.grad"] = b"" if param.grad is None else param.grad.tobytes()
    return found
