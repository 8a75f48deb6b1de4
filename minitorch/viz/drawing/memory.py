"""The drawing of the memory of a program: bytes over its moments, by kind, and below when each array was there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from minitorch.language import gettext
from minitorch.viz.drawing import memory_words, svg
from minitorch.viz.drawing.axes import Axis, axis, short
from minitorch.viz.drawing.scene import shortened, text_width
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.facts.memory import KINDS, Row, Run, columns, rows, size

WIDTH, EDGE = 760, 18
LEFT, RIGHT = 200, 686  # of the moments; before them names, after them bytes
TALL = 190  # of the bytes
LEGEND, LINE = 22, 18
BAND = 20  # in which the phases stand
ROW, MOST_ROWS = 19, 16
ROOM = 166  # pixels for a name
MOST_COLUMNS = 486

# What lies over the colour of each kind, in a tile of 8 pixels: no kind is told by its colour alone.
_HATCHES = {
    "parameter": "",  # the plain one
    "state": "M2 2h2v2h-2zM6 6h2v2h-2z",
    "input": "M0 2H8M0 6H8",
    "gradient": "M2 0V8M6 0V8",
    "activation": "M0 8L8 0M-2 2L2-2M6 10L10 6",
    "interior": "M0 0L8 8M-2 6L2 10M6-2L10 2",
    "temporary": "M0 4H8M4 0V8",
}
_COLOURS = {  # of the kind, and of what lies over it
    "parameter": ("line", "line"),
    "state": ("freed", "soft"),
    "input": ("leaf-card", "leaf"),
    "gradient": ("some", "on-some"),
    "activation": ("op", "on-op"),
    "interior": ("wide", "paper"),
    "temporary": ("zero", "on-zero"),
}

THEME = Theme(
    form="""\
@ text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
@ .h{font-weight:700;font-size:14px}@ .n{text-anchor:end}@ .m{text-anchor:middle}@ .b{font-weight:700}
@ .g{stroke-width:1;opacity:.35}@ .u{stroke-width:1}@ .x{stroke-width:1.5;stroke-dasharray:5 3}
@ .c{stroke-width:2}@ .hh{stroke-width:1.4;fill:none}@ .w{fill:none;stroke-width:2.5}
@ .row .v{stroke-width:1}@ .row.off .v,@ .row.off .o{opacity:.4}@ .row.lit .nm{font-weight:700}
@ .hit{fill:none}@ .row .dot{opacity:0}@ .row.lit .dot{opacity:1}
""",
    paint=(
        *PAPER,
        ("@ .a", "fill", "soft"),
        ("@ .g,@ .u,@ .row .v", "stroke", "line"),
        ("@ .x", "stroke", "on-back"),
        ("@ .xt", "fill", "on-back"),
        ("@ .c", "stroke", "ink"),
        ("@ .w", "stroke", "on-back"),
        ("@ .dot", "fill", "ink"),
        ("@ .f1", "fill", "freed"),
        ("@ .f0", "fill", "card"),
        ("@ .row.off text", "fill", "soft"),
        *((f"@ .k{number}", "fill", _COLOURS[kind][0]) for number, kind in enumerate(KINDS)),
        *((f"@ .h{number}", "stroke", _COLOURS[kind][1]) for number, kind in enumerate(KINDS)),
    ),
)


class Across:
    """Moments as columns: which moment each stands for, and where it is."""

    def __init__(self, run: Run, left: float, right: float, most: int = MOST_COLUMNS) -> None:
        self.moments, self.together = columns(run, most)
        self.left, self.apart = left, (right - left) / len(self.moments)

    def x(self, column: float) -> float:
        """Where a column begins."""
        return self.left + self.apart * column

    def at(self, moment: int) -> float:
        """Where a moment begins; the end for one more than there are."""
        return self.x(min(moment / self.together, len(self.moments)))

    def middle(self, moment: int) -> float:
        """The middle of a moment's column."""
        return self.x(moment // self.together + 0.5)

    @property
    def right(self) -> float:
        """Where the last one ends."""
        return self.x(len(self.moments))


def draw(runs: Sequence[Run], title: str, name: str, moment: int | None = None, slide: bool = False) -> str:
    """The picture as an SVG document whose id is `name`: one run with its arrays, several beside each other.

    moment: of the one run, its peak if None. slide: the bytes alone, with neither arrays nor sentences.
    """
    if len(runs) > 1:
        body, height = together(runs, title, name, slide)
    else:
        body, (_, _, height) = single(runs[0], title, name, moment, slide)
    told = memory_words.told(runs, title)
    return svg.document(name, title, told, (WIDTH, height), THEME.sheet(name), body, patterns(name))


def patterns(name: str) -> str:
    """A tile of each kind that is hatched."""
    frame = 'width="8" height="8" patternUnits="userSpaceOnUse"'
    tiles = [
        f'<pattern id="{name}k{number}" {frame}><path class="hh h{number}" d="{_HATCHES[kind]}"/></pattern>'
        for number, kind in enumerate(KINDS)
        if _HATCHES[kind]
    ]
    return f"<defs>{''.join(tiles)}</defs>"


def _filled(number: int, name: str, looks: str, tag: str, shape: str) -> str:
    """A shape in the colour of a kind, and its hatch over that: in one tile, the colours would show their seams."""
    plain = f'<{tag} class="{looks} k{number}" {shape}/>'
    hatched = f'<{tag} class="o" fill="url(#{name}k{number})" {shape}/>' if _HATCHES[KINDS[number]] else ""
    return plain + hatched


# -- one run -----------------------------------------------------------------------------------------------------------


def single(
    run: Run, title: str, name: str, moment: int | None = None, slide: bool = False
) -> tuple[list[str], tuple[int, int, int]]:
    """One run: its bytes, its phases, its arrays, and what is said of it. And where moments begin and end, and all."""
    at = run.peak if moment is None else moment
    across = Across(run, LEFT, RIGHT)
    parts = [f'<text class="h" x="{EDGE}" y="28">{escape(title)}</text>']
    summary = [] if slide else memory_words.summary(run)
    said = [line for sentence in summary for line in svg.wrapped(sentence, WIDTH)]
    parts += svg.captions(said, 50)
    top = 44 + svg.CAPTION * len(said)
    legend, high = _legend(run, at, name, top)
    parts += legend
    top += high + 18
    up = _up([run], top)
    parts += _grid(up, LEFT, RIGHT)
    parts += _areas(run, across, up, name)
    parts += _peak(run, across, up)
    parts += _phases(run, across, top + TALL + 4)
    below = top + TALL + 4 + BAND + 10
    shown, others = ([], []) if slide else rows(run, MOST_ROWS)
    for number, row in enumerate(shown):
        parts.append(_row(run, row, number, at, across, below + ROW * number, name))
    foot = below + ROW * len(shown)
    if others:
        parts.append(f'<text class="a" x="{EDGE}" y="{foot + 13}">… {memory_words.rest(others)}</text>')
        foot += ROW
    line = f'<path class="c" d="M0 {top}V{foot}"/>'
    parts.append(f'<g data-cursor="" transform="translate({short(across.middle(at))} 0)">{line}</g>')
    notes = [] if slide else _notes(run, across.together)
    parts += svg.captions(notes, foot + 22)
    return parts, (top, foot, foot + svg.CAPTION * len(notes) + 16)


def _notes(run: Run, together: int) -> list[str]:
    """What stands below the rows, line by line."""
    said = memory_words.left(run)
    if together > 1:
        said.append(gettext("Each column stands for {count} moments: the one with most.", count=together))
    if not any(moment.inside for moment in run.moments):
        said.append(
            gettext(
                "Counted are arrays that are there after a moment; what an operation needs only inside itself is not."
            )
        )
    return [line for sentence in said for line in svg.wrapped(sentence, WIDTH)]


def _legend(run: Run, at: int, name: str, top: int) -> tuple[list[str], int]:
    """The kinds that there are, with how many bytes of each are alive; and how tall that is."""
    shown = {}
    for number in range(len(KINDS)):
        most = int(run.levels[:, number].max())
        if most:
            level = size(int(run.levels[at, number]))
            bold = f' <tspan class="b" data-kind="{number}">{level}</tspan>'
            shown[number] = bold, text_width(f"  {size(most)}", 12)
    return _key(shown, name, top)


def _key(shown: Mapping[int, tuple[str, float]], name: str, top: int) -> tuple[list[str], int]:
    """Samples of kinds in rows, each with its name and what follows, whose width is given; and how tall that is."""
    parts = []
    x, y = EDGE, top
    for number, (more, wide) in shown.items():
        said = memory_words.kind(KINDS[number])
        whole = round(24 + text_width(said, 12) + wide + 16)
        if x > EDGE and x + whole > WIDTH - EDGE:
            x, y = EDGE, y + LEGEND
        parts.append(_filled(number, name, "u", "rect", f'x="{x}" y="{y}" width="18" height="13"'))
        parts.append(f'<text x="{x + 24}" y="{y + 11}">{said}{more}</text>')
        x += whole
    return parts, y + LEGEND - top


def _up(runs: Sequence[Run], top: int) -> Axis:
    most = max(int(run.reached.max()) for run in runs)
    return axis([0.0, float(max(most, 1))], top + TALL, top, round_ends=True, ticks=5)


def _grid(up: Axis, left: float, right: float) -> list[str]:
    parts = []
    for place, tick in zip(up.places(up.ticks), up.ticks, strict=True):
        parts.append(f'<path class="g" d="M{short(left)} {short(place)}H{short(right)}"/>')
        parts.append(f'<text class="a n" x="{short(left - 7)}" y="{short(place + 4)}">{size(round(tick))}</text>')
    return parts


def _areas(run: Run, across: Across, up: Axis, name: str) -> list[str]:
    """The kinds upon one another, and over them what was needed inside moments."""
    levels = run.levels[list(across.moments)]
    heights = up.places(np.cumsum(levels, axis=1))
    floor = np.full(len(levels), up.start)
    parts = []
    for number in range(len(KINDS)):
        if levels[:, number].any():
            there, back = _stairs(across, heights[:, number]), _stairs(across, floor, back=True)
            parts.append(_filled(number, name, "u", "path", f'd="M{there}V{back}z"'))
        floor = heights[:, number]
    reached = run.reached[list(across.moments)]
    if (reached > levels.sum(axis=1)).any():
        parts.append(f'<path class="x" fill="none" d="M{_stairs(across, up.places(reached))}"/>')
    return parts


def _stairs(across: Across, heights: Any, back: bool = False) -> str:
    """The way along the tops of the columns, as a path goes on after M; back: from the last to the first, after V."""
    columns = list(enumerate(heights.tolist()))
    found: list[str] = []
    before = None
    for column, height in reversed(columns) if back else columns:
        start, end = (column + 1, column) if back else (column, column + 1)
        if before is None:
            found.append(f"{short(height)}H" if back else f"{short(across.x(start))} {short(height)}H")
        elif height != before:
            found.append(f"{short(across.x(start))}V{short(height)}H")
        before = height
    return f"{''.join(found)}{short(across.x(end))}"


def _peak(run: Run, across: Across, up: Axis) -> list[str]:
    """Where most was needed, and how much."""
    most = int(run.reached[run.peak])
    y = float(up.places(most))
    x = across.middle(run.peak)
    said = gettext("peak {size}", size=size(most))
    wide = text_width(said, 13)
    to_left = x + 12 + wide > across.right
    at, side = (x - 10, " n") if to_left else (x + 10, "")
    if x - 10 - wide < across.left and to_left:
        at, side = across.left + 4, ""
    return [
        f'<circle class="w" cx="{short(x)}" cy="{short(y)}" r="5"/>',
        f'<text class="xt b{side}" x="{short(at)}" y="{short(y - 6)}">{escape(said)}</text>',
    ]


_SIGNS = {
    "forward": "→",
    "within": "→",
    "backward": "←",
    "update": "Δ",
    "write": "=",
}  # where there is no room for words


def _phases(run: Run, across: Across, top: int) -> list[str]:
    """Which phase is where: named where there is room."""
    found: list[list[Any]] = []  # phase, first column, the one after the last
    for column, moment in enumerate(across.moments):
        phase = run.moments[moment].phase
        joined = "backward" if phase == "collected" else phase
        if found and found[-1][0] == joined:
            found[-1][2] = column + 1
        else:
            found.append([joined, column, column + 1])
    parts = []
    for joined, start, end in found:
        if joined not in _SIGNS:
            continue
        left, wide = across.x(start), across.apart * (end - start)
        shade = 1 if joined in ("backward", "update") else 0
        parts.append(
            f'<rect class="u f{shade}" style="fill-opacity:1" x="{short(left)}" y="{top}" width="{short(wide)}" '
            f'height="{BAND}"/>'
        )
        said = memory_words.phase(joined)
        said = said if text_width(said, 12) * 0.86 < wide - 4 else _SIGNS[joined] if wide > 11 else ""
        if said:
            parts.append(f'<text class="m" x="{short(left + wide / 2)}" y="{top + 14}">{escape(said)}</text>')
    return parts


def _row(run: Run, row: Row, number: int, at: int, across: Across, top: int, name: str) -> str:
    """One row: its name, the lives of its arrays, its bytes. Values lie above gradients."""
    alive = any(each.is_there(at) for each in row.lives)
    upper = [each for each in row.lives if each.role != "gradient"]
    lower = [each for each in row.lives if each.role == "gradient"]
    bars = []
    above = upper, top + 2, 8 if lower else 14
    below = lower, top + (11 if upper else 2), 5 if upper else 14
    for lives, y, tall in (above, below):
        for each in lives:
            x = across.at(each.birth)
            wide = max(across.at(run.end_of(each)) - x, 1.0)
            on = f'x="{short(x)}" y="{y}" width="{short(wide)}" height="{tall}"'
            bars.append(_filled(KINDS.index(each.kind), name, "v", "rect", on))
    called, most = run.places[row.place].name, 40
    while text_width(shortened(called, most), 12) * 1.05 > ROOM:
        most -= 1
    return (
        f'<g class="row {"lit" if alive else "off"}" data-row="{number}">'
        f'<rect class="hit" x="{EDGE}" y="{top}" width="{WIDTH - 2 * EDGE}" height="{ROW}"/>'
        f'<circle class="dot" cx="{LEFT - 9}" cy="{top + 9}" r="3"/>'
        f'<text class="nm n" x="{LEFT - 16}" y="{top + 13}">{escape(shortened(called, most))}</text>'
        f'{"".join(bars)}<text class="a" x="{RIGHT + 8}" y="{top + 13}">{size(row.most)}</text></g>'
    )


# -- several -----------------------------------------------------------------------------------------------------------


def together(runs: Sequence[Run], title: str, name: str, slide: bool = False) -> tuple[list[str], int]:
    """Several runs beside each other: one scale of bytes, one width of a moment."""
    parts = [f'<text class="h" x="{EDGE}" y="28">{escape(title)}</text>']
    used = [number for number in range(len(KINDS)) if any(run.levels[:, number].any() for run in runs)]
    legend, high = _key(dict.fromkeys(used, ("", 0.0)), name, 40)
    parts += legend
    top = 40 + high + 46
    up = _up(runs, top)
    left: float = EDGE + 14 + round(max(text_width(size(round(tick)), 12) for tick in up.ticks))
    gap = 26
    room = (WIDTH - EDGE - left - gap * (len(runs) - 1)) / sum(len(run.moments) for run in runs)
    parts += _grid(up, left, WIDTH - EDGE)
    for run in runs:
        wide = room * len(run.moments)
        across = Across(run, left, left + wide, max(8, int(wide)))
        peak = size(int(run.reached[run.peak]))
        most = max(6, int(wide / 7))
        parts.append(f'<text class="b" x="{short(left)}" y="{top - 28}">{escape(shortened(run.name, most))}</text>')
        parts.append(f'<text class="xt" x="{short(left)}" y="{top - 12}">{escape(peak)}</text>')
        parts += _areas(run, across, up, name)
        x, y = across.middle(run.peak), float(up.places(int(run.reached[run.peak])))
        parts.append(f'<circle class="w" cx="{short(x)}" cy="{short(y)}" r="5"/>')
        parts += _phases(run, across, top + TALL + 4)
        left += wide + gap
    foot = top + TALL + 4 + BAND
    compared = [] if slide else memory_words.compared(runs)
    notes = [line for sentence in compared for line in svg.wrapped(sentence, WIDTH)]
    parts += svg.captions(notes, foot + 26)
    return parts, foot + svg.CAPTION * len(notes) + 20
