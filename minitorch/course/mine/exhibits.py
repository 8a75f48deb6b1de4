"""What an engine can do, shown in a report: it is trained, and drawn."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from minitorch import data, viz
from minitorch.course.mine import gpt, moons
from minitorch.language import Message, language
from minitorch.viz.views.picture import Picture

Array = npt.NDArray[np.float64]
SIZES, STEPS, LR, LAST = (2, 32, 32, 3), 500, 0.5, 0.01  # of the spirals; LAST: the last layer's weights begin small


@dataclass(frozen=True)
class Exhibit:
    """One thing that an engine did: a heading, what came of it, pictures, and what it wrote, if it writes."""

    heading: Message
    told: Message
    pictures: tuple[Picture, ...]
    written: str = ""


def exhibits(engine: Any) -> Iterator[Exhibit]:
    """Every exhibit of an engine with the pieces of all lessons. It is trained when the exhibit is asked for.

    The GPT is there once lesson 19 is the learner's.

    Raises whatever the engine's code raises.
    """
    for make in (_moons, _spirals):
        yield make(engine)
    if all(engine.owner(piece) == "yours" for piece in gpt.PIECES):
        yield _gpt(engine)


def _moons(engine: Any) -> Exhibit:
    """Lesson 04's network of single numbers."""
    done = moons.train(engine)

    def score(places: Array) -> list[Any]:
        return [done.model(place).data for place in places.tolist()]

    told = Message(
        "A network of {numbers} numbers on my scalar engine. {steps} steps in {seconds} s "
        "took its loss from {first} to {last}; it tells {share} % of 100 points rightly.",
        numbers=len(done.model.parameters()),
        share=_percent(done.share),
        **_facts(done.losses, done.seconds),
    )
    pictures = (_curve(done.losses), viz.boundary(score, done.points, done.labels))
    return Exhibit(Message("Two moons, one number at a time"), told, pictures)


def _spirals(engine: Any) -> Exhibit:
    """Lesson 11's classifier on arrays."""
    start = time.perf_counter()
    (points, labels), (new, answers) = (_spiral_points(seed) for seed in (0, 1))
    layers = _layers(engine)
    parameters = [each for layer in layers for each in layer.parameters()]

    def scores(places: Array) -> Any:
        x = engine.Tensor(places)
        for layer in layers[:-1]:
            x = layer(x).relu()
        return layers[-1](x)

    def loss_of() -> Any:
        return engine.cross_entropy_loss(scores(points), labels)

    losses = [engine.training_step(parameters, loss_of, LR) for _ in range(STEPS)]
    seconds = time.perf_counter() - start
    with engine.no_grad():
        share = float((scores(new).data.argmax(axis=1) == answers).mean())
        seen = viz.boundary(lambda places: scores(places).data, points, labels)
    names = {f"{letter}{at}": each for at, one in enumerate(layers, 1) for letter, each in (("W", one.W), ("b", one.b))}
    for each in parameters:
        each.grad = None
    loss = loss_of()
    loss.backward()
    told = Message(
        "A network of {numbers} numbers on my Tensor. {steps} steps in {seconds} s took its loss from {first} to "
        "{last}; it tells {share} % of 300 points rightly that it had never seen.",
        numbers=sum(each.data.size for each in parameters),
        share=_percent(share),
        **_facts(losses, seconds),
    )
    return Exhibit(
        Message("Three spirals, on arrays"),
        told,
        (_curve(losses), seen, viz.graph(loss, names={**names, "loss": loss})),
    )


def _gpt(engine: Any) -> Exhibit:
    """Lesson 19's GPT, and one block of it."""
    done = gpt.train(engine)
    out, names = gpt.a_block(engine)
    told = Message(
        "A GPT of {numbers} numbers on my Tensor reads little stories, character by "
        "character. {steps} steps in {seconds} s took its loss from {first} to {last}, and to "
        "{left} on stories that it had never read. This is what it writes then:",
        numbers=f"{sum(each.data.size for each in done.model.parameters()):,}",
        left=f"{done.held_out:.2f}",
        **_facts(done.losses, done.seconds),
    )
    return Exhibit(
        Message("A tiny GPT, and one of its blocks"),
        told,
        (_curve(done.losses), viz.graph(out, names=names)),
        done.text,
    )


def _spiral_points(seed: int) -> tuple[Array, Any]:
    points, labels = data.spirals(300, seed=seed)
    return np.asarray(points.data, np.float64), np.asarray(labels.data)


def _layers(engine: Any) -> list[Any]:
    rng, layers = np.random.default_rng(0), []
    for n_in, n_out in pairwise(SIZES):
        bound = np.sqrt(3 / n_in) * (LAST if n_out == SIZES[-1] else 1.0)
        weights, biases = rng.uniform(-bound, bound, (n_in, n_out)), np.zeros(n_out)
        layers.append(engine.Linear(*(engine.Tensor(each, requires_grad=True) for each in (weights, biases))))
    return layers


def _curve(losses: Sequence[float]) -> Picture:
    return viz.curve({Message("loss").to(language()): losses}, x_label=Message("step").to(language()))


def _facts(losses: Sequence[float], seconds: float) -> dict[str, object]:
    return {"steps": len(losses), "first": f"{losses[0]:.3f}", "last": f"{losses[-1]:.3f}", "seconds": f"{seconds:.1f}"}


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"
