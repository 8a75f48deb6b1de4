"""The drawing of curves: lines told apart by dash and mark as well as by colour, each with its name at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np

from minitorch.language import gettext
from minitorch.viz.drawing import svg
from minitorch.viz.drawing.axes import Axis, axis, short
from minitorch.viz.drawing.boundary import SHAPES, shape_at
from minitorch.viz.drawing.scene import short_names, shortened, text_width
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.facts import words
from minitorch.viz.facts.curve import Drawn, Line, sentences
from minitorch.viz.facts.reading import Numbers

WIDTH, TALL = 720, 260  # of the whole picture, and of the place for the curves
EDGE, TOP, FOOT = 18, 44, 40
FEW = 24  # points that are marked one by one
LONGEST = 260  # pixels of a name beside a line
WHOLE = 200  # of names that are never cut
BOLD = 14.5  # of a title: as wide as plain letters of this size
APART = 17  # pixels between the names of two lines
COLOURS = ("op", "back", "leaf", "on-wide", "on-zero", "soft")
DASHES = ("", "8 4", "2 4", "12 4 2 4", "5 3", "1 5")
LETTERS = "ox+*#@"  # in text, a line's points
ROWS, COLUMNS = 14, 61

THEME = Theme(
    form="""\
@ text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
@ .h{font-weight:700;font-size:13px}@ .n{text-anchor:end}@ .m{text-anchor:middle}
@ .c{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}@ .b{stroke:none;opacity:.22}
@ .g{stroke-width:1;opacity:.35}@ .w{fill:none;stroke-width:3}
""",
    paint=(
        *PAPER,
        ("@ .a", "fill", "soft"),
        ("@ .g", "stroke", "line"),
        ("@ .w", "stroke", "back"),
        ("@ .x", "fill", "on-back"),
        *((f"@ .c{number}", "stroke", colour) for number, colour in enumerate(COLOURS)),
        *((f"@ .k{number}", "fill", colour) for number, colour in enumerate(COLOURS)),
    ),
)


@dataclass(frozen=True, slots=True)
class Words:
    """What the picture is called, and its axes; log: those that count powers of ten."""

    title: str
    across: str
    up: str
    log: str


def draw(lines: Sequence[Line], said: Words, name: str) -> str:
    """The curves as an SVG document whose id is `name`."""
    drawn = [line.drawn() for line in lines]
    named = _called([line.name for line in lines])
    room = max((text_width(each, 12) for each in named if each), default=0)
    y = axis(_all(drawn, "low", "high"), TOP + TALL, TOP, log="y" in said.log, round_ends=True)
    left = EDGE + 12 + round(max(text_width(label, 12) for label in y.labels()))
    right = WIDTH - EDGE - (round(room) + 44 if room else 8)
    x = axis(np.concatenate([line.x for line in lines]), left, right, log="x" in said.log, round_ends=False, ticks=8)
    body = [*_frame(x, y, said)]
    ends = []
    for number, each in enumerate(drawn):
        body += _line(number, each, x, y)
        ends.append(_end(each, x, y))
    body += _unfinite(lines, x)
    body += _names(named, ends, right)
    notes = [*_captions(lines, said)]
    height = TOP + TALL + FOOT
    body += svg.captions(notes, height + 12)
    told = " ".join(sentences(lines, said.log, said.across or gettext("place"), words.TYPESET))
    size = WIDTH, height + (svg.CAPTION * len(notes) + 8 if notes else 6)
    return svg.document(name, said.title, told, size, THEME.sheet(name), body)


def _all(drawn: Sequence[Drawn], *which: str) -> Numbers:
    return np.concatenate([getattr(each, name) for each in drawn for name in which])


def _frame(x: Axis, y: Axis, said: Words) -> list[str]:
    """The title, the grid, the numbers at it and the names of the axes."""
    left, right = round(x.start), round(x.end)
    title, up, across = _heads(said, x)
    parts = [f'<text class="h" x="{EDGE}" y="24">{escape(title)}</text>'] if title else []
    for place, label in zip(y.places(y.ticks), y.labels(), strict=True):
        parts.append(f'<path class="g" d="M{left} {short(place)}H{right}"/>')
        parts.append(f'<text class="a n" x="{left - 7}" y="{short(place + 4)}">{label}</text>')
    taken = -100.0
    for place, label in zip(x.places(x.ticks), x.labels(), strict=True):
        half = text_width(label, 12) / 2
        parts.append(f'<path class="g" d="M{short(place)} {TOP + TALL}v5"/>')
        if place - half > taken + 6:  # else it would touch the one before
            parts.append(f'<text class="a m" x="{short(place)}" y="{TOP + TALL + 19}">{label}</text>')
            taken = place + half
    parts.append(f'<text class="n" x="{right}" y="{TOP + TALL + 36}">{escape(across)}</text>' if across else "")
    at = EDGE + (round(text_width(title, BOLD)) + 24 if title else 0)
    parts.append(f'<text x="{at}" y="24">{escape(up)}</text>' if up else "")
    return parts


def _called(names: Sequence[str]) -> tuple[str, ...]:
    """What is written beside the lines: the names, or the ends of long ones as far as they differ, or numbers, too."""
    if max(text_width(each, 12) for each in names) <= WHOLE:
        return tuple(names)
    found = short_names(names)
    if max(text_width(each, 12) for each in found) <= LONGEST:
        return found
    return tuple(f"{number} {shortened(name)}" for number, name in enumerate(names, start=1))


def _heads(said: Words, x: Axis) -> tuple[str, str, str]:
    """The title and the names of the axes, y and x, each as long as there is room for it."""
    room = WIDTH - 2 * EDGE
    up = cut(f"↑ {said.up}", room // 2 if said.title else room) if said.up else ""
    title = cut(said.title, room - (text_width(up, 12) + 24 if up else 0), BOLD)
    return title, up, f"{cut(said.across, x.end - EDGE - text_width(' →', 12))} →" if said.across else ""


def cut(text: str, room: float, size: float = 12) -> str:
    """The beginning of a text that is no name, as far as it fits.

    >>> cut("a sentence that is too long", 90), cut("short", 90)
    ('a sentence t…', 'short')
    """
    if not text or text_width(text, size) <= room:
        return text
    while text and text_width(f"{text}…", size) > room:
        text = text[:-1].rstrip()
    return f"{text}…"


def _line(number: int, drawn: Drawn, x: Axis, y: Axis) -> list[str]:
    across, up = x.places(drawn.x), y.places(drawn.mean)
    parts = []
    if drawn.together > 1:
        low, high = y.places(drawn.low), y.places(drawn.high)
        parts += [f'<path class="b k{number}" d="{band}"/>' for band in _bands(across, low, high)]
    dash = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
    path = line_path(across, up)
    if path:
        parts.append(f'<path class="c c{number}"{dash} d="{path}"/>')
    there = np.isfinite(across) & np.isfinite(up)
    placed = np.flatnonzero(there)
    marked = placed if len(placed) <= FEW else np.flatnonzero(_alone(there))
    shape = shape_at(SHAPES[number % len(SHAPES)], 0, 0)
    spots = [f"translate({short(across[at])} {short(up[at])}) scale(.8)" for at in marked]
    return parts + [f'<path class="k{number}" transform="{spot}" d="{shape}"/>' for spot in spots]


def _alone(there: np.ndarray) -> np.ndarray:
    """Which points have a place and neither neighbour has one: no line goes through them."""
    around = np.concatenate([[False], there, [False]])
    return np.asarray(there & ~around[:-2] & ~around[2:])


def line_path(across: Numbers, up: Numbers) -> str:
    """A line through the points that have a place, broken where one has none."""
    found: list[str] = []
    pen = False
    for right, down in zip(across.tolist(), up.tolist(), strict=True):
        here = right == right and down == down  # nan is not itself
        if here:
            found.append(f"{'L' if pen else 'M'}{short(right)} {short(down)}")
        pen = here
    return "".join(found)


def _bands(across: Numbers, low: Numbers, high: Numbers) -> list[str]:
    """The strip between two lines, a piece for every run of points that have a place."""
    kept = np.isfinite(across) & np.isfinite(low) & np.isfinite(high)
    runs = np.split(np.arange(len(across)), np.flatnonzero(np.diff(kept.astype(int))) + 1)
    found = []
    for run in runs:
        if len(run) > 1 and kept[run[0]]:
            there = line_path(across[run], high[run])
            back = line_path(across[run][::-1], low[run][::-1]).replace("M", "L", 1)
            found.append(f"{there}{back}z")
    return found


def _end(drawn: Drawn, x: Axis, y: Axis) -> float:
    """How high the point of a line lies that is farthest to the right."""
    across, up = x.places(drawn.x), y.places(drawn.mean)
    placed = np.flatnonzero(np.isfinite(up))
    return float(up[placed[across[placed].argmax()]]) if len(placed) else y.start


def _names(named: Sequence[str], ends: Sequence[float], right: int) -> list[str]:
    """Each line's name beside its end, as high as the others let it, behind a sample of the line."""
    parts = []
    shown = [number for number in range(len(named)) if named[number]]
    for number, height in zip(shown, spread([ends[each] for each in shown]), strict=True):
        dash = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
        at = short(height)
        parts.append(f'<path class="c c{number}"{dash} d="M{right + 8} {at}h24"/>')
        parts.append(f'<text x="{right + 38}" y="{short(height + 4)}">{escape(named[number])}</text>')
    return parts


def spread(wanted: Sequence[float]) -> list[float]:
    """Heights for names: as near to those wanted as names need to stay apart, inside the place for the curves.

    >>> spread([100.0, 104.0, 200.0])
    [93.5, 110.5, 200.0]
    """
    order = sorted(range(len(wanted)), key=lambda each: wanted[each])
    groups: list[list[float]] = []  # [sum of what is wanted for the first of the group, how many]
    for rank, each in enumerate(order):
        groups.append([wanted[each] - APART * rank, 1])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]:
            total, count = groups.pop()
            groups[-1] = [groups[-1][0] + total, groups[-1][1] + count]
    heights = [total / count for total, count in groups for _ in range(int(count))]
    lowest = TOP + TALL - APART * (len(wanted) - 1)
    found = [0.0] * len(wanted)
    for rank, each in enumerate(order):
        found[each] = min(max(heights[rank], TOP), max(lowest, TOP)) + APART * rank
    return found


def _unfinite(lines: Sequence[Line], x: Axis) -> list[str]:
    """A ring where a line first has no place, at the upper edge, with the number that it is there."""
    found: dict[float, list[str]] = {}
    for line in lines:
        lost = np.flatnonzero(~line.finite)
        if len(lost):
            said = words.number(float(line.y[lost[0]]), words.TYPESET)
            called = f"{shortened(line.name)}: " if line.name else ""
            found.setdefault(float(line.x[lost[0]]), []).append(f"{called}{said}")
    parts = []
    for where, said_there in found.items():
        place = float(x.places(where))
        text = ", ".join(said_there)
        beside = place + 11 if place + 11 + text_width(text, 13) < x.end else place - 11
        side = "" if beside > place else " n"
        parts.append(f'<path class="g" d="M{short(place)} {TOP + 7}V{TOP + TALL}"/>')
        parts.append(f'<circle class="w" cx="{short(place)}" cy="{TOP}" r="7"/>')
        parts.append(f'<text class="x h{side}" x="{short(beside)}" y="{TOP - 8}">{escape(text)}</text>')
    return parts


def _captions(lines: Sequence[Line], said: Words) -> list[str]:
    """What the picture alone does not tell."""
    across = said.across or gettext("place")
    whole = sentences(lines, said.log, across, words.TYPESET)
    plain = {line for each in lines for line in sentences([each], "", across, words.TYPESET)[:1] if each.finite.any()}
    return [part for line in whole if line not in plain for part in svg.wrapped(line, WIDTH)]


# -- as text ---------------------------------------------------------------------------------------------------------


def listing(lines: Sequence[Line], said: Words, limit: int | None) -> str:
    """The curves as letters in rows, their names, and what there is to see in words."""
    legend = [f"{letter} {line.name}" for letter, line in zip(LETTERS, lines, strict=False) if line.name]
    told = sentences(lines, said.log, said.across or gettext("place"))
    found = [*plot(lines, said), *legend, *told]
    return "\n".join(found if limit is None else found[:limit])


def plot(lines: Sequence[Line], said: Words) -> list[str]:
    """The curves as letters in rows, between their axes."""
    drawn = [line.drawn() for line in lines]
    y = axis(_all(drawn, "mean"), ROWS - 1, 0, log="y" in said.log, round_ends=True)
    x = axis(np.concatenate([line.x for line in lines]), 0, COLUMNS - 1, log="x" in said.log, round_ends=False)
    grid = [[" "] * COLUMNS for _ in range(ROWS)]
    for letter, each in zip(LETTERS, drawn, strict=False):
        for across, up in zip(x.places(each.x), y.places(each.mean), strict=True):
            if np.isfinite(across) and np.isfinite(up):
                grid[round(float(up))][round(float(across))] = letter
    labels = dict(zip((round(float(each)) for each in y.places(y.ticks)), y.labels(), strict=True))
    width = max(map(len, labels.values()))
    rows = [f"{labels.get(row, ''):>{width}} |{''.join(letters).rstrip()}" for row, letters in enumerate(grid)]
    ends = [words.number(number) for number in (x.low, x.high)]
    foot = f"{ends[0]}{said.across:^{COLUMNS - len(ends[0]) - len(ends[1])}}{ends[1]}"
    head = " ".join(part for part in (said.title, f"({said.up})" if said.up else "") if part)
    found = [head, *rows, f"{'':>{width}} +{'-' * COLUMNS}", f"{'':>{width}}  {foot}"]
    return [line.rstrip().replace("−", "-") for line in found if line.strip()]
