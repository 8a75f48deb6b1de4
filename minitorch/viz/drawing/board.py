"""The drawing of a training's board. What stays is its shell; what moves, a frame, is small and quick to make.

A frame has words and marks as SVG, for the places of the shell, and curves as tenths of pixels. The still puts it into
the shell here; in a browser static/live.js does the same.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from minitorch.viz.drawing import boundary, palette, svg
from minitorch.viz.drawing.axes import axis
from minitorch.viz.drawing.curve import short
from minitorch.viz.drawing.reel import place
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.theme import Theme
from minitorch.viz.facts import board as said
from minitorch.viz.facts import words
from minitorch.viz.facts.reading import Numbers
from minitorch.viz.facts.training import Training, norms, ratios
from minitorch.viz.texts.catalogue import say

WIDTH, EDGE = 860, 18
TOP, TALL = 72, 170  # of the loss
PLANE = 290  # the width of the plane, where there is one
NAME, GRADIENT, RATIO, SPARK, ROW, STROKE = 18, 212, 530, 220, 27, 19  # where a row has its parts; heights
MOST_ROWS, MOST_POINTS = 14, 128
DECADES = 8  # that a row's curve tells apart, at most
GAP = 65535  # a point that has no place
FAR = 200.0  # times, from the smallest loss to the largest, and the axis counts powers of ten
HEALTHY = 1e-3  # of update / weight

THEME = boundary.THEME + Theme(
    form="""\
@ .th{font-weight:700;font-size:14px}@ .tb{font-weight:700}@ .te{text-anchor:end}@ .tm{text-anchor:middle}
@ .tc{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}@ .tw{stroke-width:2.5}
@ .tf{stroke:none;opacity:.22}@ .tg{stroke-width:1;opacity:.35}@ .td{stroke-width:1;stroke-dasharray:4 3}
@ .tr{fill:none;stroke-width:2.5}
""",
    paint=(
        ("@ .ts", "fill", "soft"),
        ("@ .tg", "stroke", "line"),
        ("@ .td", "stroke", "soft"),
        ("@ .t0", "stroke", "op"),
        ("@ .tf", "fill", "op"),
        ("@ .t1", "stroke", "back"),
        ("@ .t2", "stroke", "leaf"),
        ("@ .t3", "stroke", "on-zero"),
        ("@ .tv", "fill", "back"),
        ("@ .tr", "stroke", "back"),
        ("@ .tx", "fill", "on-back"),
        ("@ .tk", "fill", "on-zero"),
        ("@ .tq", "fill", "freed"),
    ),
)


@dataclass(frozen=True, slots=True)
class Curve:
    """A place for a curve. kind: "line", or "band" of a low and a high one. label, scale: what its numbers are."""

    label: str
    scale: str
    top: int
    tall: int
    style: str
    kind: str = "line"


@dataclass(frozen=True, eq=False, slots=True)
class Shell:
    """All that stays. markup: with places to fill and a path for each of `curves`; rows: parameters by row."""

    height: int
    markup: str
    curves: tuple[Curve, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    loss: tuple[int, int]  # the left and the right end of its place


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """One moment. places: what stands where. curves: of each how many points, the first's x, and from one to the next;
    points: tenths of pixels. scales: the numbers at the foot and the head of a scale, and whether it counts powers.
    steps: how many steps a column of the loss, of a gradient, of what is measured closely stands for.
    """

    places: dict[str, str]
    curves: tuple[tuple[int, float, float], ...]
    points: np.ndarray
    scales: dict[str, tuple[float, float, bool]]
    steps: dict[str, int]
    told: str

    def encoded(self) -> bytes:
        """As bytes: the length of a header, the header in JSON, and the points, two bytes each, low byte first."""
        facts = {"places": self.places, "curves": self.curves, "scales": self.scales, "steps": self.steps}
        header = json.dumps(facts | {"told": self.told}, separators=(",", ":"), allow_nan=False).encode("ascii")
        header += b" " * (len(header) % 2)
        return len(header).to_bytes(4, "little") + header + self.points.astype("<u2").tobytes()


# -- what stays --------------------------------------------------------------------------------------------------------


def shell(facts: Training, title: str) -> Shell:
    """The board without its numbers."""
    rows = tuple((said.group(name, len(members)), tuple(members)) for name, members in facts.groups(MOST_ROWS))
    has_plane = facts.plane is not None or bool(facts.unplaced)
    left, right = EDGE + 52, WIDTH - EDGE - (PLANE + 30 if has_plane else 8)
    curves = [
        Curve(say("curve_loss"), "loss", TOP, TALL, "tf", "band"),
        Curve(say("curve_loss"), "loss", TOP, TALL, "tc tw t0"),
    ]
    parts = [f'<text class="th" x="{EDGE}" y="26">{escape(title)}</text>{place("head")}{place("axes")}']
    parts += [_path(0, curves[0]), _path(1, curves[1]), place("valid"), place("marks")]
    parts.append(f'<g transform="translate({WIDTH - EDGE - PLANE} {TOP})">{place("plane")}</g>' if has_plane else "")
    y = TOP + TALL + 62
    head = f'y="{y - 14}"'
    parts.append(f'<text class="tb" x="{NAME}" {head}>{escape(say("board_parameter"))}</text>')
    for at, key in ((GRADIENT, "board_gradient"), (RATIO, "board_ratio")):
        parts.append(f'<text class="tb" x="{at}" {head}>{escape(say(key))}</text>')
    parts.append(place("scales"))
    for name, _ in rows:
        parts.append(f'<text x="{NAME}" y="{y + 14}">{escape(tail(name))}</text>')
        for at, style, scale in ((GRADIENT, "tc t1", "gradient"), (RATIO, "tc t2", "ratio")):
            parts.append(f'<path class="tg" d="M{at} {y + STROKE + 2}h{SPARK}"/>')
            label = f"{name} {say('board_' + scale)}"
            curves.append(Curve(label, scale, y, STROKE, style))
            parts.append(_path(len(curves) - 1, curves[-1]))
        y += ROW
    parts.append(place("rows"))
    if facts.units:
        y += 30
        parts.append(f'<text class="tb" x="{NAME}" y="{y - 10}">{escape(say("board_units"))}</text>')
        for name, units in zip(said.rectifiers(facts), facts.units, strict=True):
            parts.append(f'<text x="{NAME}" y="{y + 14}">{escape(name)}</text>')
            parts.append(f'<rect class="tq" x="{GRADIENT}" y="{y + 3}" width="{SPARK}" height="14" rx="3"/>')
            parts.append(f'<path class="tg" d="M{RATIO} {y + STROKE + 2}h{SPARK}"/>')
            curves.append(Curve(f"{name} (0–{units})", "share", y, STROKE, "tc t3"))
            parts.append(_path(len(curves) - 1, curves[-1]))
            y += ROW
        parts.append(place("dead"))
    return Shell(y + 74, "".join([*parts, place("foot")]), tuple(curves), rows, (left, right))


def _path(number: int, curve: Curve) -> str:
    return f'<path class="{curve.style}" data-curve="{number}" d=""/>'


def tail(name: str, room: float = GRADIENT - NAME - 12) -> str:
    """A name short enough for its column; what is left out is its beginning, for names differ at their ends."""
    if text_width(name, 12) <= room:
        return name
    while text_width(f"…{name}", 12) > room:
        name = name[1:]
    return f"…{name}"


# -- what moves --------------------------------------------------------------------------------------------------------


def frame(facts: Training, kept: Shell, name: str) -> Frame:
    """The numbers of this moment. name: begins the ids of patterns."""
    lost = facts.birth
    points: list[np.ndarray] = []
    curves: list[tuple[int, float, float]] = []

    def put(values: Sequence[Numbers], left: float, wide: float, scale: tuple[float, float, bool], at: Curve) -> None:
        count = len(values[0])
        apart = wide / max(count, 1)
        curves.append((count, round(left + apart / 2, 1), round(apart, 4)))
        points.extend(_heights(each, scale, at) for each in values)

    left, right = kept.loss
    line = facts.loss_line()
    low, high = facts.lows.columns()[:, 0], facts.highs.columns()[:, 0]
    steps = max(len(line.y) * facts.losses.together, 1)
    valid = [loss for _, loss in facts.valid]
    whole = np.array([*low, *high, *valid])
    up = axis(whole, TOP + TALL, TOP, log=_spans_decades(whole), round_ends=True, ticks=5)
    across = axis([0.0, float(steps)], left, right, round_ends=False, ticks=6)
    scales = {"loss": (up.low, up.high, up.log), "share": (0.0, 1.0, False)}
    grads = [_fewer(norms(facts.squares, members)) for _, members in kept.rows]
    moves = [_fewer(ratios(facts, members)) for _, members in kept.rows]
    scales["gradient"], scales["ratio"] = _decades(grads), _decades([*moves, np.array([HEALTHY])])
    put([low, high], left, right - left, scales["loss"], kept.curves[0])
    put([line.y], left, right - left, scales["loss"], kept.curves[1])
    for number, (grad, move) in enumerate(zip(grads, moves, strict=True)):
        put([grad], GRADIENT, SPARK, scales["gradient"], kept.curves[2 + 2 * number])
        put([move], RATIO, SPARK, scales["ratio"], kept.curves[3 + 2 * number])
    if facts.shares is not None:
        shares = facts.shares.columns()
        for number in range(len(facts.units)):
            at = kept.curves[2 + 2 * len(kept.rows) + number]
            put([_fewer(shares[:, number])], RATIO, SPARK, scales["share"], at)
    places = {
        "head": _head(facts),
        "axes": _axes(up, across),
        "valid": _valid(facts, up, across),
        "marks": "" if lost is None else _mark(float(across.places(lost.step)), TOP, lost.value, True),
        "scales": _scales(scales, kept),
        "rows": "".join(_row(facts, members, kept.curves[2 + 2 * n].top) for n, (_, members) in enumerate(kept.rows)),
        "dead": _dead(facts, kept),
        "plane": _plane(facts, name),
        "foot": _foot(facts, kept.height),
    }
    closely = facts.moves.together * facts.every
    together = {"loss": facts.losses.together, "gradient": facts.squares.together, "ratio": closely, "share": closely}
    counts = {"loss": len(line.y), "gradient": len(facts.squares.columns()), "ratio": len(facts.moves.columns())}
    fewer = {key: together[key] * (2 if counts.get(key, counts["ratio"]) > MOST_POINTS else 1) for key in together}
    told = " ".join(said.sentences(facts, words.TYPESET))
    return Frame(
        {name: each for name, each in places.items() if place(name) in kept.markup},
        tuple(curves),
        np.concatenate(points) if points else np.empty(0, np.uint16),
        scales,
        fewer | {"loss": together["loss"]},
        told,
    )


def _spans_decades(values: Numbers) -> bool:
    """Whether losses are so far apart that a plain axis would show the largest alone."""
    known = values[np.isfinite(values)]
    return bool(len(known) and known.min() > 0 and known.max() > FAR * known.min())


def _fewer(values: Numbers) -> Numbers:
    """As many points as a row has room for."""
    if len(values) <= MOST_POINTS:
        return values
    even = values[: len(values) // 2 * 2]
    return np.asarray((even[0::2] + even[1::2]) / 2)


def _heights(values: Numbers, scale: tuple[float, float, bool], at: Curve) -> np.ndarray:
    """Where numbers lie in the place of a curve, in tenths of pixels; on a scale of powers, 0 lies at its foot."""
    low, high, log = scale
    with np.errstate(all="ignore"):
        if log:
            share = np.log(np.maximum(values, low) / low) / math.log(high / low)
        else:
            share = (values - low) / (high - low)
        tenths = 10.0 * (at.top + at.tall * (1.0 - np.clip(share, 0.0, 1.0)))
    return np.where(np.isfinite(values), np.nan_to_num(np.rint(tenths)), GAP).astype(np.uint16)


def _decades(rows: Sequence[Numbers]) -> tuple[float, float, bool]:
    """A scale of powers of ten for all rows: the largest number is on it, and what is not much smaller."""
    whole = np.concatenate(rows) if rows else np.empty(0)
    whole = whole[np.isfinite(whole) & (whole > 0)]
    if not len(whole):
        return 1e-3, 1.0, True
    top = math.ceil(math.log10(whole.max()) - 1e-9)
    foot = max(math.floor(math.log10(whole.min()) + 1e-9), top - DECADES)
    return 10.0 ** min(foot, top - 1), 10.0**top, True


def _head(facts: Training) -> str:
    line = " ".join(said.sentences(facts, words.TYPESET)[:2])
    return f'<text class="ts" x="{EDGE}" y="46">{escape(line)}</text>'


def _axes(up: Any, across: Any) -> str:
    left, right, foot = round(across.start), round(across.end), TOP + TALL
    parts = []
    for at, label in zip(up.places(up.ticks), up.labels(), strict=True):
        parts.append(f'<path class="tg" d="M{left} {short(at)}H{right}"/>')
        parts.append(f'<text class="ts te" x="{left - 6}" y="{short(at + 4)}">{label}</text>')
    for at, label in zip(across.places(across.ticks), across.labels(), strict=True):
        parts.append(f'<text class="ts tm" x="{short(at)}" y="{foot + 17}">{label}</text>')
    parts.append(f'<text class="ts" x="{left}" y="{TOP - 6}">↑ {escape(say("curve_loss"))}</text>')
    parts.append(f'<text class="ts te" x="{right}" y="{foot + 32}">{escape(say("curve_step"))} →</text>')
    return "".join(parts)


def _valid(facts: Training, up: Any, across: Any) -> str:
    """The losses on other data: a line and its points."""
    if not facts.valid:
        return ""
    steps, losses = np.array(facts.valid, dtype=np.float64).T
    spots = [(x, y) for x, y in zip(across.places(steps), up.places(losses), strict=True) if np.isfinite(y)]
    line = "L".join(f"{short(x)} {short(y)}" for x, y in spots)
    marks = "".join(f'<path class="tv" d="M{short(x - 3)} {short(y - 3)}h6v6h-6z"/>' for x, y in spots)
    return f'<path class="tc t1" stroke-dasharray="6 4" d="M{line}"/>{marks}' if spots else ""


def _mark(x: float, y: int, value: float, with_line: bool) -> str:
    """A ring where a number was first lost, with that number."""
    line = f'<path class="td" d="M{short(x)} {y + 7}V{y + TALL}"/>' if with_line else ""
    number = words.number(value, words.TYPESET)
    return (
        f'{line}<circle class="tr" cx="{short(x)}" cy="{y}" r="6"/>'
        f'<text class="tx tb te" x="{short(x - 10)}" y="{y + 4}">{number}</text>'
    )


def _scales(scales: dict[str, tuple[float, float, bool]], kept: Shell) -> str:
    """What the curves of a column reach from and to, and the line of a healthy update."""
    if not kept.rows:
        return ""
    parts = []
    y = kept.curves[2].top - 14
    for at, key in ((GRADIENT, "gradient"), (RATIO, "ratio")):
        ends = [words.number(each, words.TYPESET) for each in scales[key][:2]]
        said_ends = say("board_range", low=ends[0], high=ends[1])
        parts.append(f'<text class="ts te" x="{at + SPARK}" y="{y}">{said_ends}</text>')
    for number in range(len(kept.rows)):
        at_row = kept.curves[3 + 2 * number]
        height = _heights(np.array([HEALTHY]), scales["ratio"], at_row)[0] / 10
        parts.append(f'<path class="td" d="M{RATIO} {short(height)}h{SPARK}"/>')
    return "".join(parts)


def _row(facts: Training, members: tuple[int, ...], y: int) -> str:
    """The newest numbers of a row, and a ring where a gradient was first lost."""
    squares = [facts.last[number] for number in members if facts.last and facts.last[number] is not None]
    norm = math.sqrt(sum(squares)) if squares else None  # type: ignore[arg-type]
    moved = ratios(facts, members)
    texts = (
        say("board_no_gradient") if norm is None and facts.last else "" if norm is None else _number(norm),
        _number(float(moved[-1])) if len(moved) and np.isfinite(moved[-1]) else "",
    )
    at = (GRADIENT + SPARK + 8, RATIO + SPARK + 8)
    found = "".join(f'<text x="{x}" y="{y + 14}">{text}</text>' for x, text in zip(at, texts, strict=True))
    lost = facts.birth
    if lost is None or lost.name not in {facts.names[number] for number in members}:
        return found
    share = min(lost.step / max(facts.steps, facts.told, 1), 1.0)
    return found + _mark(GRADIENT + SPARK * share, y + STROKE // 2, lost.value, False)


def _number(value: float) -> str:
    return words.number(value, words.TYPESET)


def _dead(facts: Training, kept: Shell) -> str:
    parts = []
    for number, (dead, units) in enumerate(zip(facts.dead, facts.units, strict=True)):
        y = kept.curves[2 + 2 * len(kept.rows) + number].top
        share = dead / max(units, 1)
        parts.append(f'<rect class="tk" x="{GRADIENT}" y="{y + 3}" width="{short(SPARK * share)}" height="14" rx="3"/>')
        parts.append(f'<text x="{GRADIENT + SPARK + 8}" y="{y + 14}">{dead} / {units}</text>')
        parts.append(f'<text x="{RATIO + SPARK + 8}" y="{y + 14}">{round(100 * share)} %</text>')
    return "".join(parts)


def _plane(facts: Training, name: str) -> str:
    if facts.plane is None:
        lines = svg.wrapped(say("board_no_plane", why=facts.unplaced), PLANE) if facts.unplaced else []
        return "".join(f'<text y="{14 + 18 * number}">{escape(line)}</text>' for number, line in enumerate(lines))
    parts, wide, tall = boundary.plane(facts.plane, name)
    scale = min(PLANE / wide, TALL / tall)
    foot = f'<text class="ts" y="{TALL + 17}">{escape(facts.plane.sentences()[0])}</text>'
    return f'<g transform="scale({scale:.4f})">{"".join(parts)}</g>{foot}'


def _foot(facts: Training, height: int) -> str:
    """What the picture alone does not tell; where a number was born comes first."""
    notes = [] if facts.birth is None else [said.birth(facts.birth, words.TYPESET)]
    notes.append(say("board_dashed"))
    if facts.every > 1:
        notes.append(say("board_every", every=facts.every))
    if facts.losses.together > 1:
        notes.append(say("board_together", count=facts.losses.together))
    lines = [part for note in notes for part in svg.wrapped(note, WIDTH)][:4]
    return "".join(
        f'<text class="{"tx tb" if facts.birth and not number else "ts"}" x="{EDGE}" y="{height - 58 + 17 * number}">'
        f"{escape(line)}</text>"
        for number, line in enumerate(lines)
    )


# -- the still ---------------------------------------------------------------------------------------------------------


def still(kept: Shell, shown: Frame) -> str:
    """The shell with a frame in it, to go between `<svg …>` and `</svg>`."""
    drawn = kept.markup
    for name, content in shown.places.items():
        drawn = drawn.replace(place(name), f"<g>{content}</g>")
    start = 0
    for number, (curve, (count, x, apart)) in enumerate(zip(kept.curves, shown.curves, strict=True)):
        rows = 2 if curve.kind == "band" else 1
        heights = shown.points[start : start + rows * count]
        start += rows * count
        path = f'data-curve="{number}" d="'
        drawn = drawn.replace(f'{path}"', f'{path}{_line(heights, count, x, apart)}"')
    return drawn


def _line(heights: np.ndarray, count: int, x: float, apart: float) -> str:
    """The way through the points, broken where one has no place; of a band, there above and back below."""
    rows = heights.reshape(-1, count) if count else heights.reshape(1, 0)
    spots = [[(x + number * apart, int(up)) for number, up in enumerate(row)] for row in rows]
    if len(spots) == 2:  # a band is one piece from its first point on
        low, high = ([spot for spot in row if spot[1] != GAP] for row in spots)
        return f"M{'L'.join(_spot(*spot) for spot in [*high, *low[::-1]])}z" if len(high) > 1 else ""
    found, pen = [], False
    for spot in spots[0]:
        if spot[1] != GAP:
            found.append(f"{'L' if pen else 'M'}{_spot(*spot)}{'' if pen else 'h0'}")
        pen = spot[1] != GAP
    return "".join(found)


def _spot(x: float, tenths: int) -> str:
    return f"{short(x)} {short(tenths / 10)}"


def document(name: str, kept: Shell, shown: Frame, title: str) -> str:
    """The still as an SVG document whose id is `name`."""
    return svg.document(name, title, shown.told, (WIDTH, kept.height), THEME.sheet(name), [still(kept, shown)])


def as_traits(kept: Shell, title: str) -> dict[str, Any]:
    """The shell for static/live.js, as plain JSON."""
    return {
        "title": title,
        "keys": say("board_keys"),
        "height": kept.height,
        "at": say("board_at", first="{first}", last="{last}", said="{said}"),
        "palette": {"light": palette.LIGHT, "dark": palette.DARK},
        "shell": f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{kept.height}" '
        f'viewBox="0 0 {WIDTH} {kept.height}"><style>{THEME.variables()}</style>{kept.markup}</svg>',
        "curves": [[each.label, each.scale, each.top, each.tall, each.kind] for each in kept.curves],
    }
