"""Tensors as heat maps: blue above 0, orange and dashed below, and marks where an entry is no number."""

from __future__ import annotations

import math
from collections.abc import Iterator
from xml.sax.saxutils import escape

import numpy as np

from minitorch.language import gettext
from minitorch.viz.drawing import svg
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.facts import words
from minitorch.viz.facts.heat import Heat
from minitorch.viz.facts.model import Shape
from minitorch.viz.facts.reading import Numbers

EDGE, HEAD, GAP = 14, 34, 14  # around everything; above the map; between two slabs
CELL = 11  # pixels, of a cell without its number
TALL = 24  # of one with it
WRITTEN = {"columns": 8, "rows": 8, "entries": 32}  # no more, and each entry has its number
LEVELS = 6  # of colour, on either side of 0
SIDES = (("p", "op"), ("n", "back"))
NARROWEST = 420


def _opacities(where: str, faintest: float, fullest: float) -> str:
    step = (fullest - faintest) / (LEVELS - 1)
    levels = ((level, round(faintest + step * level, 2)) for level in range(LEVELS))
    return "".join(f"@ {where}.p{level},@ {where}.n{level}{{opacity:{opacity}}}" for level, opacity in levels)


# Classes: p0 … p5 above 0, n0 … n5 below, o no colour, d dashes, q marks, w a map with numbers (paler, to be read on),
# v its numbers, i names of slabs, f captions.
THEME = Theme(
    form="""\
@ text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
@ .h{font-size:13px}@ .b,@ .v.x{font-weight:700}@ .v{text-anchor:middle}
@ .o{stroke-width:1}@ .d{fill:none;stroke-width:1.5}@ .q{stroke-width:2;stroke-linejoin:round}
"""
    f"{_opacities('', 0.16, 1)}\n{_opacities('.w ', 0.1, 0.35)}",
    paint=(
        *PAPER,
        ("@ .f,@ .i", "fill", "soft"),
        *((f"@ .{side}{level}", "fill", colour) for side, colour in SIDES for level in range(LEVELS)),
        ("@ .o", "fill", "card"),
        ("@ .o", "stroke", "freed"),
        ("@ .d,@ .q", "stroke", "ink"),
        ("@ .q", "fill", "paper"),
        ("@ .q.x", "fill", "ink"),
    ),
)


def title(facts: Heat) -> str:
    """The Tensor in one line: its shape, its dtype and where it comes from."""
    return ", ".join([gettext("tensor {shape} {dtype}", shape=facts.shape, dtype=facts.dtype), *_more(facts)])


def _more(facts: Heat) -> list[str]:
    found = [gettext("made by {op}", op=facts.op)] if facts.op else []
    found += [gettext("requires grad")] if facts.requires_grad and not facts.op else []
    return found + ([] if facts.device == "cpu" else [gettext("on {device}", device=facts.device)])


def sentences(facts: Heat) -> list[str]:
    """What is true of the entries."""
    if not facts.size:
        return [gettext("It has no entries.")]
    found = []
    if facts.size == 1:
        found = [gettext("Its value is {value}.", value=_number(float(facts.slabs[0][1][0, 0])))]
    elif facts.low is not None and facts.high is not None and facts.mean is not None:
        same = facts.low == facts.high and not facts.odd and facts.looked_at == facts.size
        numbers = {"low": _number(facts.low), "high": _number(facts.high), "mean": _number(facts.mean)}
        found = [
            gettext("All entries are {value}.", value=numbers["low"])
            if same
            else gettext("Smallest {low}, largest {high}, mean {mean}.", **numbers)
        ]
    if facts.size > 1:
        found += [
            gettext(
                "{count} {name}, the first at {place}.", count=f"{odd.count:,}", name=odd.name, place=list(odd.first)
            ).replace("-inf", "−inf")
            for odd in facts.odd
        ]
    if facts.looked_at < facts.size:
        found.append(
            gettext("Found from {count} of its {size} entries.", count=f"{facts.looked_at:,}", size=f"{facts.size:,}")
        )
    if facts.shown < facts.size:
        found.append(
            gettext(
                "{shown} of {size} entries are shown, at even distances.",
                shown=f"{facts.shown:,}",
                size=f"{facts.size:,}",
            )
        )
    return found


def told(facts: Heat) -> str:
    """The Tensor in words; all its entries where they are few."""
    found = [f"{title(facts)}.", *sentences(facts)]
    if facts.size > 1 and _written(facts):
        rows = "; ".join(", ".join(map(_number, row)) for _, cells in facts.slabs for row in cells.tolist())
        found.append(gettext("Entries: {rows}.", rows=rows))
    return " ".join(found)


def draw(facts: Heat, name: str) -> str:
    """The Tensor as an SVG document whose id is `name`."""
    written = _written(facts)
    wide, tall = _cell(facts) if written else (CELL, CELL)
    bold = gettext("tensor {shape} {dtype}", shape=facts.shape, dtype=facts.dtype)
    more = "".join(f", {each}" for each in _more(facts))
    body = [
        f'<text class="h" x="{EDGE}" y="{EDGE + 10}"><tspan class="b">{escape(bold)}</tspan>{escape(more)}</text>',
        '<g class="w">' if written else "<g>",
    ]
    named = len(facts.shape) > 2
    top = HEAD + (16 if named else 0)
    scale = max((abs(each) for each in (facts.low, facts.high) if each is not None), default=0.0)
    left = EDGE
    for place, cells in facts.slabs:
        if named:
            body.append(f'<text class="i" x="{left}" y="{top - 5}">{escape(_place(place))}</text>')
        body += _colours(cells, left, top, (wide, tall), scale)
        body += (_entries if written else _marks)(cells, left, top, (wide, tall))
        left += wide * cells.shape[1] + GAP
    body.append("</g>")
    width = max(NARROWEST, left - GAP + EDGE, math.ceil(text_width(bold + more) * 1.08) + 2 * EDGE)
    high = max((cells.shape[0] for _, cells in facts.slabs), default=0) * tall
    said = sentences(facts) if facts.size != 1 else []
    if not written and facts.size:
        said += [
            gettext("Blue: above 0. Orange with a dash: below."),
            *([gettext("A cross: nan. A triangle: inf, or −inf where it points down.")] if facts.odd else []),
        ]
    lines = svg.wrapped(" ".join(said), width)
    foot = top + high if facts.slabs else HEAD - 8
    body += [
        f'<text class="f" x="{EDGE}" y="{foot + svg.CAPTION * number + 2}">{escape(line)}</text>'
        for number, line in enumerate(lines, start=1)
    ]
    size = width, foot + svg.CAPTION * len(lines) + EDGE
    return svg.document(name, title(facts), told(facts), size, THEME.sheet(name), body)


def _written(facts: Heat) -> bool:
    few = all(cells.shape[0] <= WRITTEN["rows"] and cells.shape[1] <= WRITTEN["columns"] for _, cells in facts.slabs)
    return few and facts.shown == facts.size <= WRITTEN["entries"]


def _cell(facts: Heat) -> tuple[int, int]:
    widest = max((text_width(_number(each), 12) for _, cells in facts.slabs for each in cells.flat), default=0)
    return max(40, math.ceil(widest) + 14), TALL


def _colours(cells: Numbers, left: int, top: int, size: tuple[int, int], scale: float) -> Iterator[str]:
    """The cells, one path for each colour."""
    wide, tall = size
    looks: dict[str, list[str]] = {}
    for (row, column), entry in np.ndenumerate(cells):
        spot = f"M{left + column * wide} {top + row * tall}h{wide}v{tall}h-{wide}z"
        looks.setdefault(_look(float(entry), scale), []).append(spot)
    for look in sorted(looks):
        yield f'<path class="{look}" d="{"".join(looks[look])}"/>'


def _marks(cells: Numbers, left: int, top: int, size: tuple[int, int]) -> Iterator[str]:
    """What is below 0 and what is no number, without a colour."""
    wide, tall = size
    found: dict[str, list[str]] = {}
    for (row, column), entry in np.ndenumerate(cells):
        x, y = left + column * wide, top + row * tall
        if math.isnan(entry):
            found.setdefault("q", []).append(
                f"M{x + 2} {y + 2}l{wide - 4} {tall - 4}m0 {4 - tall}l{4 - wide} {tall - 4}"
            )
        elif math.isinf(entry):
            point, flat = (y + 2, y + tall - 2) if entry > 0 else (y + tall - 2, y + 2)
            found.setdefault("q x", []).append(f"M{x + wide / 2} {point}L{x + wide - 2} {flat}H{x + 2}z")
        elif entry < 0:
            found.setdefault("d", []).append(f"M{x + 3} {y + tall / 2}h{wide - 6}")
    for look, paths in found.items():
        yield f'<path class="{look}" d="{"".join(paths)}"/>'


def _look(entry: float, scale: float) -> str:
    if not math.isfinite(entry) or entry == 0 or not scale:
        return "o"
    level = min(LEVELS - 1, int(abs(entry) / scale * LEVELS))
    return f"{'p' if entry > 0 else 'n'}{level}"


def _entries(cells: Numbers, left: int, top: int, size: tuple[int, int]) -> Iterator[str]:
    wide, tall = size
    for (row, column), entry in np.ndenumerate(cells):
        x, y = left + column * wide + wide // 2, top + row * tall + 16
        look = "v" if math.isfinite(entry) else "v x"
        yield f'<text class="{look}" x="{x}" y="{y}">{_number(float(entry))}</text>'


def _place(place: Shape) -> str:
    return f"[{', '.join(map(str, place))}]"


def _number(value: float) -> str:
    return words.number(value, words.TYPESET)
