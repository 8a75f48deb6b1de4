"""Small made-up problems in the plane. Every set is drawn from a seed: the same seed, the same points."""

from __future__ import annotations

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import constant

__all__ = ["blobs", "circles", "moons", "spirals", "xor"]

Points = tuple[Tensor, Tensor]


def moons(n: int = 200, *, noise: float = 0.1, seed: int = 0) -> Points:
    """Two half circles that reach into each other: points (n, 2), float32, and classes (n,), int64.

    With t evenly from 0 to π: class 0 is (cos t, sin t), class 1 is (1 - cos t, ½ - sin t). To both coordinates is
    added noise from a normal distribution with standard deviation `noise`. The points come in random order.

    Raises ValueError when n is below 2.

    >>> X, y = moons(100)
    >>> X.shape, y.sum().item()
    ((100, 2), 50)
    """
    first, second = _halves("moons", n, 2)
    t, s = np.linspace(0, np.pi, first), np.linspace(0, np.pi, second)
    upper = np.stack([np.cos(t), np.sin(t)], axis=1)
    lower = np.stack([1 - np.cos(s), 0.5 - np.sin(s)], axis=1)
    return _points([upper, lower], noise, np.random.default_rng(seed))


def circles(n: int = 200, *, noise: float = 0.05, factor: float = 0.5, seed: int = 0) -> Points:
    """A ring around a ring: points (n, 2), float32, and classes (n,), int64; class 1 is the inner ring.

    With t evenly around the circle: class 0 is (cos t, sin t), class 1 is factor · (cos t, sin t), both plus noise from
    a normal distribution with standard deviation `noise`. Raises ValueError when n is below 2.

    >>> X, y = circles(100, noise=0.0)
    >>> X.square().sum(dim=1).sqrt().amin()
    tensor(0.5000)
    """
    rings = []
    for size, radius in zip(_halves("circles", n, 2), (1.0, factor)):
        t = np.linspace(0, 2 * np.pi, size, endpoint=False)
        rings.append(radius * np.stack([np.cos(t), np.sin(t)], axis=1))
    return _points(rings, noise, np.random.default_rng(seed))


def spirals(n: int = 300, *, classes: int = 3, noise: float = 0.2, turns: float = 0.65, seed: int = 0) -> Points:
    """Arms that wind around the origin, one for each class: points (n, 2), float32, and classes (n,), int64.

    With r evenly from 0.1 to 1: class k is r · (sin a, cos a) at the angle a = 2π (k / classes + turns · r), plus noise
    on the angle from a normal distribution with standard deviation `noise`. Raises ValueError when n < classes.

    >>> X, y = spirals(300)
    >>> X.shape, y.unique()
    ((300, 2), tensor([0, 1, 2]))
    """
    generator = np.random.default_rng(seed)
    arms = []
    for number, size in enumerate(_halves("spirals", n, classes)):
        r = np.linspace(0.1, 1, size)  # at 0 the arms would meet in one point
        angle = 2 * np.pi * (number / classes + turns * r) + noise * generator.standard_normal(size)
        arms.append(r[:, None] * np.stack([np.sin(angle), np.cos(angle)], axis=1))
    return _points(arms, 0.0, generator)


def xor(n: int = 200, *, noise: float = 0.0, seed: int = 0) -> Points:
    """Four squares, of which opposite ones belong together: points (n, 2), float32, and classes (n,), int64.

    Points are drawn evenly from [-1, 1]². The class is 1 where exactly one coordinate is positive; then noise from a
    normal distribution with standard deviation `noise` is added. No straight line separates them.
    Raises ValueError when n is below 1.

    >>> X, y = xor(100)
    >>> y.equal((X[:, 0] * X[:, 1] < 0).long())
    True
    """
    _halves("xor", n, 1)
    generator = np.random.default_rng(seed)
    points = generator.uniform(-1, 1, (n, 2))
    labels = (points[:, 0] > 0) ^ (points[:, 1] > 0)
    points += noise * generator.standard_normal(points.shape)
    return constant(points.astype(np.float32)), constant(labels.astype(np.int64))


def blobs(n: int = 200, *, classes: int = 3, noise: float = 0.3, seed: int = 0) -> Points:
    """Clouds around the corners of a regular polygon: points (n, 2), float32, and classes (n,), int64.

    Class k is (cos a, sin a) at a = 2π k / classes, plus noise from a normal distribution with standard deviation
    `noise`. Raises ValueError when n < classes.

    >>> X, y = blobs(90)
    >>> y.bincount()
    tensor([30, 30, 30])
    """
    clouds = []
    for number, size in enumerate(_halves("blobs", n, classes)):
        angle = 2 * np.pi * number / classes
        clouds.append(np.tile([np.cos(angle), np.sin(angle)], (size, 1)))
    return _points(clouds, noise, np.random.default_rng(seed))


def _halves(name: str, n: int, classes: int) -> list[int]:
    """How many of n points each class gets: as equal as can be."""
    if classes < 1 or n < classes:
        raise ValueError(f"{name}: n must be at least {max(classes, 1)}, a point for each class, not {n}")
    return [n // classes + (number < n % classes) for number in range(classes)]


def _points(parts: list[np.ndarray], noise: float, generator: np.random.Generator) -> Points:
    """One array of points, class after class, shaken and shuffled."""
    points = np.concatenate(parts)
    labels = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    points = points + noise * generator.standard_normal(points.shape)
    order = generator.permutation(len(points))
    return constant(points[order].astype(np.float32)), constant(labels[order].astype(np.int64))
