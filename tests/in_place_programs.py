"""Random programs that write in place, through views and under no_grad, and what their gradients must be.

A program is a list of statements over a pool of tensors; it runs on minitorch, on PyTorch and on `Dual`, a pair of
NumPy arrays: values and their slopes along one direction. A view of a Dual is a view of both arrays, so that NumPy
itself decides what a write changes, and what comes out are the slopes of the computation that was really done.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np


class Dual:
    """Values, and their slopes along the direction in which the leaves are moved."""

    recording = True  # False in no_grad, where writes change values alone

    def __init__(self, value: np.ndarray, slope: np.ndarray | None = None) -> None:
        self.value = np.asarray(value)  # an operation on one number gives no array
        self.slope = np.zeros_like(self.value) if slope is None else np.asarray(slope)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    def __add__(self, other: Any) -> Dual:
        other = as_dual(other)
        return Dual(self.value + other.value, self.slope + other.slope + np.zeros(self.shape))

    def __sub__(self, other: Any) -> Dual:
        return self + as_dual(other) * -1.0

    def __mul__(self, other: Any) -> Dual:
        other = as_dual(other)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def sin(self) -> Dual:
        return Dual(np.sin(self.value), np.cos(self.value) * self.slope)

    def tanh(self) -> Dual:
        return Dual(np.tanh(self.value), (1 - np.tanh(self.value) ** 2) * self.slope)

    def sum(self) -> Dual:
        return Dual(np.asarray(self.value.sum()), np.asarray(self.slope.sum()))

    def clone(self) -> Dual:
        return Dual(self.value.copy(), self.slope.copy())

    def detach(self) -> Dual:
        return Dual(self.value)

    def reshape(self, *shape: int) -> Dual:
        return Dual(self.value.reshape(shape), self.slope.reshape(shape))

    def __getitem__(self, at: Any) -> Dual:
        at = at if isinstance(at, tuple) else (at,)
        at = at if Ellipsis in at else (*at, ...)  # NumPy shows a single number as a view only so
        return Dual(self.value[at], self.slope[at])

    def __setitem__(self, at: Any, other: Any) -> None:
        self[at].copy_(other)

    def copy_(self, other: Any) -> Dual:
        other = as_dual(other)
        self.value[...] = other.value
        if self.recording:
            self.slope[...] = other.slope
        return self

    def add_(self, other: Any) -> Dual:
        return self.copy_(self + other)

    def sub_(self, other: Any) -> Dual:
        return self.copy_(self - other)

    def mul_(self, other: Any) -> Dual:
        return self.copy_(self * other)

    def tanh_(self) -> Dual:
        return self.copy_(self.tanh())

    def zero_(self) -> Dual:
        return self.copy_(0.0)

    __iadd__, __isub__, __imul__ = add_, sub_, mul_


def as_dual(value: Any) -> Dual:
    return value if isinstance(value, Dual) else Dual(np.asarray(value, dtype=float))


@dataclass(frozen=True)
class Statement:
    """One line of a program: what is done, the places in the pool that it reads, and an index where there is one."""

    kind: str
    what: str
    a: int
    b: int
    at: Any
    number: float | None
    recorded: bool

    def run(self, pool: list[Any], no_grad: Callable[[], Any]) -> None:
        """Does it; a tensor of a shape that does not fit is left alone."""
        target, other = pool[self.a], self.number if self.number is not None else pool[self.b]
        if target is None or other is None:
            return
        if self.kind == "drop":
            pool[self.a] = None
        elif self.kind == "new":
            pool.append(self._computed(target, other))
        else:
            with nullcontext() if self.recorded else no_grad():
                self._write(pool, target, other)

    def _computed(self, target: Any, other: Any) -> Any:
        if self.what in ("sin", "tanh", "clone", "detach"):
            return getattr(target, self.what)()
        if self.what == "view":
            return target[self.at] if fits(self.at, target) else target[...]
        if self.what == "reshape":
            return target.reshape(-1)
        other = other if _reaches(other, target) else 0.5
        return {"*": lambda: target * other, "+": lambda: target + other, "-": lambda: target - other}[self.what]()

    def _write(self, pool: list[Any], target: Any, other: Any) -> None:
        at = self.at if fits(self.at, target) else (...,)
        if self.kind == "whole":
            at = (...,)
        part = tuple(np.empty(tuple(target.shape))[at].shape)
        other = other if isinstance(other, float) or _fits_into(tuple(other.shape), part) else 0.5
        if self.kind == "set":
            target[at] = other
        elif self.kind == "augmented":
            if self.what == "+":
                target[at] += other
            elif self.what == "-":
                target[at] -= other
            else:
                target[at] *= other
        else:
            shown = target if self.kind == "whole" else target[at]
            method = {"+": "add_", "-": "sub_", "*": "mul_"}.get(self.what, self.what)
            getattr(shown, method)(*([] if method in ("tanh_", "zero_") else [other]))


def fits(at: Any, target: Any) -> bool:
    """Can the tensor be indexed so?"""
    try:
        np.empty(tuple(target.shape))[at]
    except IndexError:
        return False
    return True


def _fits_into(shape: tuple[int, ...], room: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(shape, room) == room
    except ValueError:
        return False


def _reaches(other: Any, target: Any) -> bool:
    return isinstance(other, float) or _fits_into(tuple(other.shape), tuple(target.shape))


INDICES = [(0,), (1,), (0, 1), (slice(1, None),), (slice(None), 1), (..., 0), (slice(None, None, 2),), (...,)]
NEW = ["sin", "tanh", "clone", "detach", "view", "view", "view", "reshape", "*", "*", "+", "-"]
WRITE = ["+", "-", "*", "*", "tanh_", "zero_", "copy_"]
KINDS = ["new"] * 6 + ["whole"] * 2 + ["part", "augmented", "augmented", "set", "drop"]
SHAPES = [(2, 3), (3,), (2, 3), (3,)]  # two leaves and two constants


def program(source: random.Random) -> tuple[list[Statement], list[int]]:
    """Statements, and the places in the pool that the loss is made of."""
    statements, size = [], len(SHAPES)
    for _ in range(source.randint(3, 12)):
        kind = source.choice(KINDS)
        what = source.choice(NEW if kind == "new" else WRITE if kind in ("whole", "part") else ["+", "-", "*"])
        number = source.choice([None, None, 0.7])
        # what was made last is changed and read more often than what was made first
        a, b = (max(source.randrange(size), source.randrange(size)) for _ in range(2))
        recorded = source.random() < (0.8 if a > 1 else 0.2)  # a leaf is not to be changed while recording
        statements.append(Statement(kind, what, a, b, source.choice(INDICES), number, recorded))
        size += kind == "new"
    return statements, [source.randrange(size) for _ in range(2)] + [size - 1]


def inputs() -> list[np.ndarray]:
    """The first values of the pool."""
    numbers = np.random.default_rng(0)
    return [numbers.uniform(0.3, 1.2, shape) for shape in SHAPES]


def directions() -> list[np.ndarray]:
    """Where the leaves are moved to."""
    numbers = np.random.default_rng(1)
    return [numbers.uniform(-1.0, 1.0, shape) for shape in SHAPES[:2]]


def loss_of(pool: list[Any], statements: list[Statement], chosen: list[int], no_grad: Callable[[], Any]) -> Any:
    """Runs the program and adds up what is chosen; None if nothing of it is left."""
    for statement in statements:
        if max(statement.a, statement.b) < len(pool):
            statement.run(pool, no_grad)
    parts = [(pool[place] * 0.7).sin().sum() for place in chosen if place < len(pool) and pool[place] is not None]
    return sum(parts[1:], parts[0]) if parts else None


class _Unrecorded:
    def __enter__(self) -> None:
        Dual.recording = False

    def __exit__(self, *_: object) -> None:
        Dual.recording = True


def truth(statements: list[Statement], chosen: list[int]) -> tuple[float, float]:
    """The loss, and its slope along the directions."""
    pool = [Dual(*pair) for pair in zip(inputs()[:2], directions(), strict=True)] + [Dual(c) for c in inputs()[2:]]
    loss = loss_of(pool, statements, chosen, _Unrecorded)
    return (0.0, 0.0) if loss is None else (float(loss.value), float(loss.slope))
