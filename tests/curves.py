"""Five trainings, each written once and run on minitorch and on PyTorch: same weights, same batches, same loss curve.

Weights and batches come from NumPy's PCG64 bit stream, so nothing but the curves themselves needs to be stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from op_table.case import Stream

STEPS = 100


@dataclass(frozen=True)
class Training:
    """model(m) and optimizer(m, parameters) for a library m; batch(step) in arrays; loss(m, model, *batch)."""

    model: Callable[[Any], Any]
    optimizer: Callable[[Any, Any], Any]
    batch: Callable[[int], tuple[np.ndarray, ...]]
    loss: Callable[..., Any]
    scheduler: Callable[[Any, Any], Any] | None = None
    clip: float | None = None


def classes(stream: Stream, count: int, shape: tuple[int, ...]) -> np.ndarray:
    return (stream.raw(int(np.prod(shape))) % np.uint64(count)).astype(np.int64).reshape(shape)


def points(step: int) -> tuple[np.ndarray, ...]:
    stream = Stream(f"points {step}")
    return stream.uniform(-1.0, 1.0, (16, 10)), classes(stream, 4, (16,))


def images(step: int) -> tuple[np.ndarray, ...]:
    stream = Stream(f"images {step}")
    return stream.uniform(-1.0, 1.0, (6, 1, 8, 8)), classes(stream, 3, (6,))


def tokens(step: int) -> tuple[np.ndarray, ...]:
    text = classes(Stream(f"tokens {step}"), 11, (4, 9))
    return text[:, :-1], text[:, 1:]


def signals(step: int) -> tuple[np.ndarray, ...]:
    stream = Stream(f"signals {step}")
    return stream.uniform(-1.0, 1.0, (5, 7, 3)), stream.uniform(-1.0, 1.0, (5, 2))


def mlp(m: Any) -> Any:
    return m.nn.Sequential(m.nn.Linear(10, 20), m.nn.GELU(), m.nn.Linear(20, 20), m.nn.Tanh(), m.nn.Linear(20, 4))


def cnn(m: Any) -> Any:
    return m.nn.Sequential(
        m.nn.Conv2d(1, 4, 3, padding=1),
        m.nn.BatchNorm2d(4),
        m.nn.ReLU(),
        m.nn.MaxPool2d(2),
        m.nn.Conv2d(4, 6, 3, stride=2),
        m.nn.BatchNorm2d(6),
        m.nn.SiLU(),
        m.nn.Flatten(),
        m.nn.Linear(6, 3),
    )


def recurrent(m: Any) -> Any:
    class Net(m.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lstm = m.nn.LSTM(3, 6, num_layers=2, batch_first=True)
            self.head = m.nn.Linear(6, 2)

        def forward(self, x: Any) -> Any:
            return self.head(self.lstm(x)[0][:, -1])

    return Net()


def language_model(m: Any) -> Any:
    class Net(m.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.tokens = m.nn.Embedding(11, 12)
            self.places = m.nn.Embedding(8, 12)
            self.block = m.nn.TransformerEncoderLayer(
                12, 3, dim_feedforward=24, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
            )
            self.norm = m.nn.LayerNorm(12)
            self.head = m.nn.Linear(12, 11, bias=False)

        def forward(self, text: Any) -> Any:
            size = text.shape[1]
            mask = m.triu(m.ones(size, size, device=text.device), 1).bool()
            h = self.tokens(text) + self.places(m.arange(size, device=text.device))
            return self.head(self.norm(self.block(h, src_mask=mask)))

    return Net()


def cross_entropy(m: Any, model: Any, x: Any, y: Any) -> Any:
    return m.nn.functional.cross_entropy(model(x), y)


def of_each_token(m: Any, model: Any, x: Any, y: Any) -> Any:
    return m.nn.functional.cross_entropy(model(x).reshape(-1, 11), y.reshape(-1))


def squared(m: Any, model: Any, x: Any, y: Any) -> Any:
    return m.nn.functional.mse_loss(model(x), y)


def warm_up_and_cosine(m: Any, optimizer: Any) -> Any:
    schedulers = m.optim.lr_scheduler
    return schedulers.SequentialLR(
        optimizer,
        [
            schedulers.LinearLR(optimizer, start_factor=0.1, total_iters=10),
            schedulers.CosineAnnealingLR(optimizer, T_max=STEPS - 10, eta_min=1e-4),
        ],
        milestones=[10],
    )


TRAININGS = {
    "MLP, SGD with momentum and weight decay": Training(
        mlp, lambda m, p: m.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=1e-3), points, cross_entropy
    ),
    "MLP, AdamW": Training(mlp, lambda m, p: m.optim.AdamW(p, lr=1e-2, weight_decay=0.05), points, cross_entropy),
    "CNN with batch norm, Adam": Training(cnn, lambda m, p: m.optim.Adam(p, lr=3e-3), images, cross_entropy),
    "LSTM, Adam": Training(recurrent, lambda m, p: m.optim.Adam(p, lr=1e-2), signals, squared),
    "transformer, AdamW, warm-up, cosine, clipping": Training(
        language_model,
        lambda m, p: m.optim.AdamW(p, lr=5e-3, betas=(0.9, 0.95), weight_decay=0.1),
        tokens,
        of_each_token,
        scheduler=warm_up_and_cosine,
        clip=0.5,
    ),
}


def weights(name: str, state: dict[str, Any]) -> dict[str, np.ndarray]:
    """New values for the parameters of a state_dict; buffers such as running means stay out of it."""
    drawn = {}
    for key, value in state.items():
        if "running" in key or "num_batches" in key:
            continue
        shape = tuple(value.shape)
        centre = 1.0 if "norm" in key and key.endswith("weight") else 0.0
        drawn[key] = Stream(f"{name} {key}").uniform(centre - 0.4, centre + 0.4, shape)
    return drawn


def curve(
    name: str, m: Any, tensor: Callable[[np.ndarray], Any], steps: int = STEPS, device: str = "cpu"
) -> list[float]:
    """The loss before each of the steps. `tensor` makes Tensors on the device."""
    training = TRAININGS[name]
    model = training.model(m).double().to(device)
    state = model.state_dict()
    model.load_state_dict(state | {key: tensor(value) for key, value in weights(name, state).items()})
    optimizer = training.optimizer(m, model.parameters())
    scheduler = training.scheduler(m, optimizer) if training.scheduler else None
    losses = []
    for step in range(steps):
        optimizer.zero_grad()
        loss = training.loss(m, model, *[tensor(array) for array in training.batch(step % 7)])
        loss.backward()
        if training.clip is not None:
            m.nn.utils.clip_grad_norm_(model.parameters(), training.clip)
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        losses.append(float(loss.item()))
    return losses
