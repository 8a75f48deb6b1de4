"""Outlines: what the `d` of an SVG path says, as lines and curves between points; what its `transform` does."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from minitorch.viz.drawing.styles import Element

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Segment = tuple[str, tuple[Point, ...]]  # M and L to a point, C with two handles and its end, Z back to the last M

IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)
ROUND = 0.5523  # how long the handles of a quarter of a circle are
_TOKEN = re.compile(r"[a-zA-Z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}


def times(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that does `inner` first and then `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def matrix(transform: str) -> Matrix:
    """What a `transform` does. Raises ValueError for what our drawings never say."""
    found = IDENTITY
    for name, said in re.findall(r"(\w+)\(([^)]*)\)", transform):
        numbers = [float(each) for each in re.split(r"[\s,]+", said.strip())]
        found = times(found, _one(name, numbers))
    return found


def _one(name: str, numbers: Sequence[float]) -> Matrix:
    match name, numbers:
        case "translate", [x, *rest]:
            return (1, 0, 0, 1, x, rest[0] if rest else 0)
        case "scale", [x, *rest]:
            return (x, 0, 0, rest[0] if rest else x, 0, 0)
        case "rotate", [degrees, *centre]:
            turn = math.radians(degrees)
            x, y = centre or (0, 0)
            about = (math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), 0.0, 0.0)
            return times(times((1, 0, 0, 1, x, y), about), (1, 0, 0, 1, -x, -y))
    raise ValueError(f"a drawing says transform {name!r}, which a PDF is not told how to do")


def outline(d: str) -> list[Segment]:
    """A path, in absolute points. Raises ValueError for a command that our drawings never use."""
    tokens = _TOKEN.findall(d)
    found: list[Segment] = []
    at = start = (0.0, 0.0)
    command, place = "", 0
    while place < len(tokens):
        if tokens[place].isalpha():
            command = tokens[place]
            place += 1
        kind, relative = command.upper(), command.islower()
        if kind not in _TAKES:
            raise ValueError(f"a drawing's path says {command!r}, which a PDF is not told how to draw")
        numbers = [float(each) for each in tokens[place : place + _TAKES[kind]]]
        place += _TAKES[kind]
        x, y = at if relative else (0.0, 0.0)
        if kind == "Z":
            found.append(("Z", ()))
            at = start
        elif kind in "HV":
            at = (x + numbers[0], at[1]) if kind == "H" else (at[0], y + numbers[0])
            found.append(("L", (at,)))
        elif kind == "A":
            end = (x + numbers[5], y + numbers[6])
            found += _arc(at, end, *numbers[:5])
            at = end
        else:
            points = tuple((x + a, y + b) for a, b in zip(numbers[::2], numbers[1::2], strict=True))
            if kind == "Q":
                handle, end = points
                points = (_towards(at, handle, 2 / 3), _towards(end, handle, 2 / 3), end)
            at = points[-1]
            found.append(("C" if kind == "Q" else kind, points))
            if kind == "M":
                start = at
                command = "l" if relative else "L"  # further numbers are lines
    return found


def shape(element: Element) -> list[Segment]:
    """The outline of an element. Raises ValueError for one that our drawings never have."""
    number = element.number
    match element.tag:
        case "path":
            return outline(element.attributes["d"])
        case "rect":
            radius = number("rx", number("ry"))
            return _rectangle(number("x"), number("y"), number("width"), number("height"), radius)
        case "line":
            return outline(f"M{number('x1')} {number('y1')}L{number('x2')} {number('y2')}")
        case "polyline" | "polygon":
            return outline(f"M{element.attributes['points']}{'z' if element.tag == 'polygon' else ''}")
        case "circle" | "ellipse":
            rx, ry = number("rx", number("r")), number("ry", number("r"))
            halves = f"a{rx} {ry} 0 1 0 {2 * rx} 0a{rx} {ry} 0 1 0 {-2 * rx} 0z"
            return outline(f"M{number('cx') - rx} {number('cy')}{halves}")
    raise ValueError(f"a drawing has a <{element.tag}>, which a PDF is not told how to draw")


def _rectangle(x: float, y: float, width: float, height: float, radius: float) -> list[Segment]:
    r = min(radius, width / 2, height / 2)
    if not r:
        return outline(f"M{x} {y}h{width}v{height}h{-width}z")
    k = r * (1 - ROUND)
    return outline(
        f"M{x + r} {y}h{width - 2 * r}c{r - k} 0 {r} {k} {r} {r}v{height - 2 * r}c0 {r - k} {-k} {r} {-r} {r}"
        f"h{2 * r - width}c{k - r} 0 {-r} {-k} {-r} {-r}v{2 * r - height}c0 {k - r} {k} {-r} {r} {-r}z"
    )


def ends(segments: Sequence[Segment]) -> tuple[tuple[Point, float], tuple[Point, float]]:
    """Where an outline begins and ends, each with the direction in which it goes there, in radians."""
    points = [point for _, through in segments for point in through]
    first = next((point for point in points if point != points[0]), points[0])
    last = next((point for point in reversed(points) if point != points[-1]), points[-1])
    return (points[0], _direction(points[0], first)), (points[-1], _direction(last, points[-1]))


def _direction(tail: Point, head: Point) -> float:
    return math.atan2(head[1] - tail[1], head[0] - tail[0])


def _towards(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def _arc(
    tail: Point, head: Point, rx: float, ry: float, turned: float, large: float, clockwise: float
) -> Iterator[Segment]:
    """An elliptical arc as curves of a quarter at most. Its centre is found as the SVG standard says (F.6.5)."""
    turn = math.radians(turned)
    cos, sin = math.cos(turn), math.sin(turn)
    dx, dy = (tail[0] - head[0]) / 2, (tail[1] - head[1]) / 2
    x, y = cos * dx + sin * dy, cos * dy - sin * dx
    if not (rx and ry and (x or y)):
        yield ("L", (head,))
        return
    grow = math.sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))  # radii too short to reach are stretched
    rx, ry = abs(rx) * grow, abs(ry) * grow
    rest = (rx * ry) ** 2 / ((rx * y) ** 2 + (ry * x) ** 2) - 1
    off = math.sqrt(max(0.0, rest)) * (1 if large != clockwise else -1)
    cx, cy = off * rx * y / ry, -off * ry * x / rx
    begin = math.atan2((y - cy) / ry, (x - cx) / rx)
    sweep = math.atan2((-y - cy) / ry, (-x - cx) / rx) - begin
    if clockwise and sweep < 0:
        sweep += 2 * math.pi
    elif not clockwise and sweep > 0:
        sweep -= 2 * math.pi
    count = math.ceil(abs(sweep) / (math.pi / 2) - 1e-9)
    part = sweep / count
    reach = 4 / 3 * math.tan(part / 4)
    middle = ((tail[0] + head[0]) / 2 + cos * cx - sin * cy, (tail[1] + head[1]) / 2 + sin * cx + cos * cy)

    def spot(a: float, b: float) -> Point:
        return middle[0] + cos * rx * a - sin * ry * b, middle[1] + sin * rx * a + cos * ry * b

    for each in range(count):
        a, b = begin + part * each, begin + part * (each + 1)
        leaving = spot(math.cos(a) - reach * math.sin(a), math.sin(a) + reach * math.cos(a))
        coming = spot(math.cos(b) + reach * math.sin(b), math.sin(b) - reach * math.cos(b))
        yield ("C", (leaving, coming, head if each == count - 1 else spot(math.cos(b), math.sin(b))))
