"""A line search: how far to go along a direction, so that the loss falls enough and the slope has flattened enough."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

FALL, FLAT, NARROW = 1e-4, 0.9, 1e-9


@dataclass
class Point:
    """Point along a direction: how far, and the loss, its gradient and its slope along the direction there."""

    t: float
    loss: float
    grad: Any
    slope: float


def strong_wolfe(
    along: Callable[[float], tuple[float, Any]],
    t: float,
    direction: Any,
    loss: float,
    grad: Any,
    slope: float,
    most: int,
) -> tuple[float, Any, float, int]:
    """(loss, gradient, t, evaluations) at a t that satisfies Wolfe's strong conditions, or the best one found.

    The loss falls by at least 1e-4 of what the first slope promises, and |slope| is at most 0.9 of the first one.
    along(t): loss and gradient there. First t grows until an interval holds such a point, then the interval shrinks;
    new points are the minimum of a cubic through two. Source: Nocedal and Wright, 2006, algorithms 3.5 and 3.6.
    """
    length = float(np.absolute(direction).max())
    spent = 0

    def at(t: float) -> Point:
        nonlocal spent
        spent += 1
        found, gradient = along(t)
        return Point(t, found, gradient, float(gradient @ direction))

    def too_high(point: Point) -> bool:
        return point.loss > loss + FALL * point.t * slope

    def flat(point: Point) -> bool:
        return abs(point.slope) <= -FLAT * slope

    start = before = Point(0.0, loss, grad, slope)
    now, rounds, done = at(t), 0, False
    ends = [now]
    while rounds < most:
        if too_high(now) or (rounds > 1 and now.loss >= before.loss) or (now.slope >= 0 and not flat(now)):
            ends = [before, now]
            break
        if flat(now):
            ends, done = [now], True
            break
        before, now = now, at(_minimum(before, now, now.t + 0.01 * (now.t - before.t), now.t * 10))
        rounds += 1
    else:
        ends = [start, now]
    low, stuck = _lowest(ends), False
    while not done and rounds < most and abs(ends[1].t - ends[0].t) * length >= NARROW:
        left, right = sorted([ends[0].t, ends[1].t])
        t, edge = _minimum(ends[0], ends[1], left, right), 0.1 * (right - left)
        near = min(right - t, t - left) < edge
        if near and (stuck or t >= right or t <= left):
            t, near = (right - edge if abs(t - right) < abs(t - left) else left + edge), False
        stuck = near
        now = at(t)
        rounds += 1
        if too_high(now) or now.loss >= ends[low].loss:
            ends[1 - low] = now
            low = _lowest(ends)
            continue
        if flat(now):
            done = True
        elif now.slope * (ends[1 - low].t - ends[low].t) >= 0:
            ends[1 - low] = ends[low]
        ends[low] = now
    return ends[low].loss, ends[low].grad, ends[low].t, spent


def _lowest(ends: list[Point]) -> int:
    """Return the end of the interval with the lower loss; of two equal ones, as near a minimum, the first.

    Near a minimum losses are equal in all digits where the points differ in the last eight: which one is taken shows.
    """
    return 0 if ends[0].loss <= ends[-1].loss else 1


def _minimum(one: Point, other: Point, left: float, right: float) -> float:
    """Return the minimum of the cubic through both points with their slopes; the middle where it has none."""
    if one.t == other.t:
        return (left + right) / 2
    a = one.slope + other.slope - 3 * (one.loss - other.loss) / (one.t - other.t)
    root = a * a - one.slope * other.slope
    if not root >= 0:
        return (left + right) / 2
    b = math.sqrt(root)
    below, above = (one, other) if one.t <= other.t else (other, one)
    bottom = above.slope - below.slope + 2 * b
    place = above.t - (above.t - below.t) * ((above.slope + b - a) / bottom) if bottom else math.inf
    return min(max(place, left), right)
