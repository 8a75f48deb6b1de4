"""A tiny GPT on an engine's pieces: it reads little stories for some seconds, and writes on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from minitorch.data import stories

Ids = npt.NDArray[np.int64]
WIDTH, HEADS, LAYERS, CONTEXT, TEXTS = 32, 2, 2, 32, 16
PIECES = ("block", "gpt_forward", "lm_loss", "generate")  # the exercises of lesson 19 that it is made of
START, PEAK = "One day", 0.02


@dataclass(frozen=True)
class Trained:
    """A training: the model, the loss before each step and on text not read, what it wrote, how long it took."""

    model: Any
    losses: list[float]
    held_out: float
    text: str
    seconds: float


def train(engine: Any, steps: int = 400, length: int = 200) -> Trained:
    """Train on the stories of lesson 17 but for the last tenth, and write `length` characters.

    engine: whatever has the pieces of lesson 19, and what they are made of.
    """
    start = time.perf_counter()
    text = stories().text
    characters = sorted(set(text))
    numbers = {character: number for number, character in enumerate(characters)}
    ids = np.array([numbers[character] for character in text])
    read, held_out = ids[: len(ids) * 9 // 10], ids[len(ids) * 9 // 10 :]
    model = engine.GPT(len(characters), WIDTH, HEADS, LAYERS, CONTEXT, np.random.default_rng(0))
    state = engine.fresh_state(model)
    rates = [engine.cosine_lr(step, steps, PEAK, steps // 10) for step in range(steps)]

    def loss_of(step: int) -> Any:
        places = np.random.default_rng((1, step)).integers(0, len(read) - CONTEXT, TEXTS)
        return engine.lm_loss(model, _windows(read, places))

    engine.train_gpt(model, loss_of, state, rates)
    with engine.no_grad():
        places = np.linspace(0, len(held_out) - CONTEXT - 1, 60).astype(np.int64)
        left = float(engine.lm_loss(model, _windows(held_out, places)).data)
    begun = np.array([numbers[character] for character in START])
    written = engine.generate(model, begun, length, 0.5, np.random.default_rng(0))
    told = "".join(characters[number] for number in written)
    return Trained(model, state["losses"], left, told, time.perf_counter() - start)


def _windows(ids: Ids, places: Ids) -> Ids:
    """The pieces of a text that begin at these places, with one character more than is read."""
    pieces: Ids = ids[places[:, None] + np.arange(CONTEXT + 1)]
    return pieces


def a_block(engine: Any) -> tuple[Any, dict[str, Any]]:
    """What a small block makes of three places, and the names of its leaves: a graph that can be drawn."""
    rng = np.random.default_rng(0)
    block = engine.Block(4, 2, rng)
    for part in (block.out, block.down):  # fresh ones are 0
        part.weight.data = rng.normal(size=part.weight.data.shape)
    x = engine.Tensor(rng.normal(size=(1, 3, 4)), requires_grad=True)
    out = block(x)
    return out, {"x": x, "out": out, **block.named_parameters()}
