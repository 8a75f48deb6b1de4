"""The drawing of a training's board. What stays is its shell; what moves, a frame, is small and quick to make.

A frame has words and marks as SVG, for the places of the shell, and curves as tenths of pixels. The still puts it into
the shell here; in a browser static/live.js does the same.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from minitorch.language import N_, gettext, language
from minitorch.viz.drawing import boundary, palette, svg
from minitorch.viz.drawing.axes import axis, short
from minitorch.viz.drawing.reel import place
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.theme import Theme
from minitorch.viz.facts import board as said
from minitorch.viz.facts import words
from minitorch.viz.facts.reading import Numbers
from minitorch.viz.facts.training import DECADES, HEALTHY, NONE, Rows, Training

WIDTH, EDGE = 860, 18
TOP, TALL = 72, 170  # of the loss
PLANE = 290  # the width of the plane, where there is one
NAME, GRADIENT, RATIO, SPARK, ROW, STROKE = 18, 212, 530, 220, 27, 19  # where a row has its parts; heights
HEADS = ((GRADIENT, "tc t1", "gradient", N_("gradient norm")), (RATIO, "tc t2", "ratio", N_("update / weight")))
LINE = 17  # of words
MOST_ROWS, MOST_POINTS = 14, 128
GAP = 65535  # a point that has no place
DOT = "a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0"  # one with no neighbour that a line could go to
FAR = 200.0  # times, from the smallest loss to the largest, and the axis counts powers of ten

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
    """All that stays. markup: with places to fill and a path for each of `curves`: the loss's band and line, two for
    each row of parameters, and one for each rectifier. top, below: of the first row of either kind. loss: the left and
    the right end of its place.
    """

    height: int
    markup: str
    curves: tuple[Curve, ...]
    rows: Rows
    top: int
    below: int
    loss: tuple[int, int]


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
    rows = Rows([(said.group(name, len(members)), members) for name, members in facts.groups(MOST_ROWS)])
    has_plane = facts.plane is not None or bool(facts.unplaced)
    left, right = EDGE + 52, WIDTH - EDGE - (PLANE + 30 if has_plane else 8)
    curves = [
        Curve(gettext("loss"), "loss", TOP, TALL, "tf", "band"),
        Curve(gettext("loss"), "loss", TOP, TALL, "tc tw t0"),
    ]
    parts = [f'<text class="th" x="{EDGE}" y="26">{escape(title)}</text>{place("head")}{place("axes")}']
    parts += [_path(0, curves[0]), _path(1, curves[1]), place("valid"), place("marks")]
    parts.append(f'<g transform="translate({WIDTH - EDGE - PLANE} {TOP})">{place("plane")}</g>' if has_plane else "")
    y = TOP + TALL + 62
    for at, head in ((NAME, N_("parameter")), *((at, head) for at, _, _, head in HEADS)):
        parts.append(f'<text class="tb" x="{at}" y="{y - 14}">{escape(gettext(head))}</text>')
    parts.append(place("scales"))
    top = y
    for name in rows.names:
        parts.append(f'<text x="{NAME}" y="{y + 14}">{escape(tail(name))}</text>')
        for at, style, scale, head in HEADS:
            parts.append(f'<path class="tg" d="M{at} {y + STROKE + 2}h{SPARK}"/>')
            curves.append(Curve(f"{name} {gettext(head)}", scale, y, STROKE, style))
            parts.append(_path(len(curves) - 1, curves[-1]))
        y += ROW
    parts.append(place("rows"))
    below = y + 30
    if facts.units:
        y = below
        dead = escape(gettext("dead units: for a whole batch, no gradient goes through"))
        parts.append(f'<text class="tb" x="{NAME}" y="{y - 10}">{dead}</text>')
        for name, units in zip(said.rectifiers(facts), facts.units, strict=True):
            parts.append(f'<text x="{NAME}" y="{y + 14}">{escape(name)}</text>')
            parts.append(f'<rect class="tq" x="{GRADIENT}" y="{y + 3}" width="{SPARK}" height="14" rx="3"/>')
            parts.append(f'<path class="tg" d="M{RATIO} {y + STROKE + 2}h{SPARK}"/>')
            curves.append(Curve(f"{name} (0–{units})", "share", y, STROKE, "tc t3"))
            parts.append(_path(len(curves) - 1, curves[-1]))
            y += ROW
        parts.append(place("dead"))
    notes = (
        svg.wrapped(gettext("Updates and dead units are measured in one step of {every}.", every=facts.every), WIDTH)
        if facts.every > 1
        else []
    )
    y += 28
    parts += _notes(notes, y)
    parts += [place("dashed"), place("foot")]
    y += LINE * (len(notes) + len(_dashed()))
    return Shell(y + 2 * LINE, "".join(parts), tuple(curves), rows, top, below, (left, right))


def _notes(lines: list[str], top: int) -> list[str]:
    return [
        f'<text class="ts" x="{EDGE}" y="{top + LINE * number}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]


def _dashed() -> list[str]:
    """What the line of a healthy update is, in lines."""
    return svg.wrapped(
        gettext("Dashed: an update of a thousandth of the weight, about what a step of a healthy training is."), WIDTH
    )


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


def frame(facts: Training, kept: Shell, drawn_plane: str) -> Frame:
    """The numbers of this moment. drawn_plane: what `plane` has drawn, which changes seldom and takes longest."""
    with np.errstate(all="ignore"):
        return _frame(facts, kept, drawn_plane)


def _frame(facts: Training, kept: Shell, drawn_plane: str) -> Frame:
    left, right = kept.loss
    line, lows, highs = facts.losses.columns().T
    whole = np.array([*lows, *highs, *(loss for _, loss in facts.valid)])
    up = axis(whole, TOP + TALL, TOP, log=_spans_decades(whole), round_ends=True, ticks=5)
    steps = max(len(line) * facts.losses.together, 1)
    across = axis([0.5, steps + 0.5], left, right, round_ends=False, ticks=6)  # a step is as wide as a column
    across = replace(across, ticks=tuple(each for each in across.ticks if each == round(each)))
    grads = kept.rows.norms(facts.squares)
    moves = kept.rows.norms(facts.moves) / kept.rows.norms(facts.weights)
    newest = moves[-1] if len(moves) else np.full(len(kept.rows.names), math.nan)
    shares = np.empty((0, 0)) if facts.shares is None else facts.shares.columns()
    together = {"loss": facts.losses.together}
    for scale, kind, every in (
        ("gradient", facts.squares, 1),
        ("ratio", facts.moves, facts.every),
        ("share", facts.shares or facts.moves, facts.every),
    ):
        together[scale] = kind.together * every * (2 if len(kind.columns()) > MOST_POINTS else 1)
    grads, moves, shares = _fewer(grads), _fewer(moves), _fewer(shares)
    scales = {
        "loss": (up.low, up.high, up.log),
        "gradient": _decades(grads),
        "ratio": _decades(moves, HEALTHY),
        "share": (0.0, 1.0, False),
    }
    of_loss = _heights(np.stack([lows, highs, line], axis=1), scales["loss"], np.array([TOP] * 3), TALL)
    tops = kept.top + ROW * np.arange(len(kept.rows.names))
    of_rows = (_heights(grads, scales["gradient"], tops, STROKE), _heights(moves, scales["ratio"], tops, STROKE))
    of_units = _heights(shares, scales["share"], kept.below + ROW * np.arange(shares.shape[1]), STROKE)
    points, curves = [of_loss.ravel()], [_evenly(len(line), left, right)] * 2
    for grad, move in zip(*of_rows, strict=True):
        points += [grad, move]
        curves += [_evenly(len(grad), GRADIENT, GRADIENT + SPARK), _evenly(len(move), RATIO, RATIO + SPARK)]
    points += list(of_units)
    curves += [_evenly(shares.shape[0], RATIO, RATIO + SPARK)] * len(of_units)
    healthy = scales["ratio"][0] <= HEALTHY <= scales["ratio"][1]
    sentences = said.sentences(facts, words.TYPESET)
    lost = facts.birth
    places = {
        "head": f'<text class="ts" x="{EDGE}" y="46">{escape(" ".join(sentences[:2]))}</text>',
        "axes": _axes(up, across),
        "valid": _valid(facts, up, across),
        "marks": "" if lost is None else _mark(float(across.places(lost.step)), TOP, lost.value, right, True),
        "scales": _scales(scales, kept, healthy),
        "rows": "".join(map(_row, [facts] * len(tops), kept.rows.members, newest.tolist(), tops.tolist())),
        "dead": _dead(facts, kept),
        "plane": drawn_plane,
        "dashed": "".join(_notes(_dashed(), kept.height - LINE * (2 + len(_dashed())))) if healthy else "",
        "foot": _foot(facts, kept.height),
    }
    there = {name: each for name, each in places.items() if place(name) in kept.markup}
    return Frame(there, tuple(curves), np.concatenate(points), scales, together, " ".join(sentences))


def _evenly(count: int, left: float, right: float) -> tuple[int, float, float]:
    """Points in the middle of so many columns: their number, the first one's place, and how far it is to the next."""
    apart = (right - left) / max(count, 1)
    return count, round(left + apart / 2, 1), round(apart, 4)


def _spans_decades(values: Numbers) -> bool:
    """Whether losses are so far apart that a plain axis would show the largest alone."""
    known = values[np.isfinite(values)]
    return bool(len(known) and known.min() > 0 and known.max() > FAR * known.min())


def _fewer(values: Numbers) -> Numbers:
    """As many columns as a row has room for."""
    if len(values) <= MOST_POINTS:
        return values
    even = values[: len(values) // 2 * 2]
    return np.asarray((even[0::2] + even[1::2]) / 2)


def _heights(values: Numbers, scale: tuple[float, float, bool], tops: np.ndarray, tall: int) -> np.ndarray:
    """Where numbers (columns, rows) lie, in tenths of pixels, (rows, columns); of powers, 0 lies at the foot."""
    low, high, log = scale
    if log:
        share = (np.log(np.maximum(values, low)) - math.log(low)) / (math.log(high) - math.log(low))
    else:
        share = (values - low) / (high - low)
    tenths = 10.0 * (tops + tall * (1.0 - np.minimum(np.maximum(share, 0.0), 1.0)))
    return np.rint(np.where(np.isfinite(values), tenths, GAP)).astype(np.uint16).T


def _decades(values: Numbers, *more: float) -> tuple[float, float, bool]:
    """A scale of powers of ten for all rows: the largest number is on it, and what is not much smaller."""
    kept = values[(values > 0) & (values < math.inf)]
    if not len(kept) and not more:
        return 1e-3, 1.0, True
    top = math.ceil(math.log10(max([float(kept.max(initial=0)), *more])) - 1e-9)
    foot = max(math.floor(math.log10(min([float(kept.min(initial=math.inf)), *more])) + 1e-9), top - DECADES)
    return 10.0 ** min(foot, top - 1), 10.0**top, True


def _axes(up: Any, across: Any) -> str:
    left, right, foot = round(across.start), round(across.end), TOP + TALL
    parts = []
    for at, label in zip(up.places(up.ticks), up.labels(), strict=True):
        parts.append(f'<path class="tg" d="M{left} {short(at)}H{right}"/>')
        parts.append(f'<text class="ts te" x="{left - 6}" y="{short(at + 4)}">{label}</text>')
    for at, label in zip(across.places(across.ticks), across.labels(), strict=True):
        parts.append(f'<text class="ts tm" x="{short(at)}" y="{foot + 17}">{label}</text>')
    parts.append(f'<text class="ts" x="{left}" y="{TOP - 6}">↑ {escape(gettext("loss"))}</text>')
    parts.append(f'<text class="ts te" x="{right}" y="{foot + 32}">{escape(gettext("step"))} →</text>')
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


def _mark(x: float, y: int, value: float, end: float, with_line: bool) -> str:
    """A ring where a number was first lost, with that number on its right, or its left before the `end`."""
    line = f'<path class="td" d="M{short(x)} {y + 7}V{y + TALL}"/>' if with_line else ""
    number = words.number(value, words.TYPESET)
    side, beside = (" te", x - 10) if x + 10 + text_width(number, 13) > end else ("", x + 10)
    return (
        f'{line}<circle class="tr" cx="{short(x)}" cy="{y}" r="6"/>'
        f'<text class="tx tb{side}" x="{short(beside)}" y="{y + 4}">{number}</text>'
    )


def _scales(scales: dict[str, tuple[float, float, bool]], kept: Shell, healthy: bool) -> str:
    """What the curves of a column reach from and to, and the line of a `healthy` update where it has a place."""
    parts = []
    for at, key in ((GRADIENT, "gradient"), (RATIO, "ratio")):
        low, high = (words.number(each, words.TYPESET) for each in scales[key][:2])
        ends = gettext("{low} to {high}", low=low, high=high)
        parts.append(f'<text class="ts te" x="{at + SPARK}" y="{kept.top - 14}">{ends}</text>')
    if not healthy:
        return "".join(parts)
    first = float(_heights(np.array([[HEALTHY]]), scales["ratio"], np.array([kept.top]), STROKE)[0, 0]) / 10
    lines = "".join(f"M{RATIO} {short(first + ROW * number)}h{SPARK}" for number in range(len(kept.rows.names)))
    return f'{"".join(parts)}<path class="td" d="{lines}"/>'


def _row(facts: Training, members: tuple[int, ...], ratio: float, y: int) -> str:
    """The newest numbers of a row, and a ring where a gradient was first lost."""
    squares = [facts.last[number] for number in members if facts.last and facts.last[number] != NONE]
    gradient = _number(math.sqrt(sum(squares))) if squares else gettext("none") if facts.last else ""
    found = f'<text x="{GRADIENT + SPARK + 8}" y="{y + 14}">{gradient}</text>'
    if math.isfinite(ratio):
        found += f'<text x="{RATIO + SPARK + 8}" y="{y + 14}">{_number(ratio)}</text>'
    lost = facts.birth
    if lost is None or lost.name not in {facts.names[number] for number in members}:
        return found
    share = min(lost.step / max(facts.steps, facts.told, 1), 1.0)
    return found + _mark(GRADIENT + SPARK * share, y + STROKE // 2, lost.value, GRADIENT + SPARK, False)


def _number(value: float) -> str:
    return words.number(value, words.TYPESET)


def _dead(facts: Training, kept: Shell) -> str:
    parts = []
    for number, (dead, units) in enumerate(zip(facts.dead, facts.units, strict=True)):
        y, share = kept.below + ROW * number, dead / max(units, 1)
        parts.append(f'<rect class="tk" x="{GRADIENT}" y="{y + 3}" width="{short(SPARK * share)}" height="14" rx="3"/>')
        parts.append(f'<text x="{GRADIENT + SPARK + 8}" y="{y + 14}">{dead} / {units}</text>')
        parts.append(f'<text x="{RATIO + SPARK + 8}" y="{y + 14}">{round(100 * share)} %</text>')
    return "".join(parts)


def plane(facts: Training, name: str) -> str:
    """The plane, or why there is none. name: begins the ids of its patterns."""
    if facts.plane is None:
        lines = (
            svg.wrapped(gettext("There is no boundary now: {why}.", why=facts.unplaced), PLANE)
            if facts.unplaced
            else []
        )
        return "".join(f'<text y="{14 + 18 * number}">{escape(line)}</text>' for number, line in enumerate(lines))
    parts, wide, tall = boundary.plane(facts.plane, name)
    scale = min(PLANE / wide, TALL / tall)
    said_below = [facts.plane.sentences()[0], *facts.plane.odd_sentences()]
    lines = [line for each in said_below for line in svg.wrapped(each, PLANE + 36)][:3]
    foot = "".join(
        f'<text class="ts" y="{TALL + 17 + 15 * number}">{escape(line)}</text>' for number, line in enumerate(lines)
    )
    return f'<g transform="scale({scale:.4f})">{"".join(parts)}</g>{foot}'


def _foot(facts: Training, height: int) -> str:
    """Where a number was born, or else how many steps a point stands for."""
    lost = facts.birth
    if lost is None and facts.losses.together == 1:
        return ""
    note = (
        gettext("Each point stands for {count} steps.", count=facts.losses.together)
        if lost is None
        else said.birth(lost, words.TYPESET)
    )
    style = "ts" if lost is None else "tx tb"
    return "".join(
        f'<text class="{style}" x="{EDGE}" y="{height - 2 * LINE + LINE * number}">{escape(line)}</text>'
        for number, line in enumerate(svg.wrapped(note, WIDTH)[:2])
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
    found, last = [], GAP
    for number, (x, up) in enumerate(spots[0], start=1):
        after = spots[0][number][1] if number < len(spots[0]) else GAP
        if up != GAP:
            alone = last == after == GAP
            found.append(f"M{_spot(x - 1.5, up)}{DOT}" if alone else f"{'M' if last == GAP else 'L'}{_spot(x, up)}")
        last = up
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
        "keys": gettext("← → along the steps, ↑ ↓ from row to row."),
        "height": kept.height,
        "at": gettext("Steps {first} to {last}: {said}", first="{first}", last="{last}", said="{said}"),
        "lang": language(),
        "palette": {"light": palette.LIGHT, "dark": palette.DARK},
        "shell": f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{kept.height}" '
        f'viewBox="0 0 {WIDTH} {kept.height}"><style>{THEME.variables()}</style>{kept.markup}</svg>',
        "curves": [[each.label, each.scale, each.top, each.tall, each.kind] for each in kept.curves],
    }
