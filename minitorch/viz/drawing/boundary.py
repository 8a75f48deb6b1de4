"""The drawing of a decision boundary: regions with patterns, points with shapes, so that no meaning is in a colour."""

from __future__ import annotations

from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt

from minitorch.language import gettext
from minitorch.viz.drawing.axes import edges, short
from minitorch.viz.drawing.reel import Frame, Reel
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.facts import words
from minitorch.viz.facts.boundary import Regions
from minitorch.viz.facts.reading import Numbers

NO_REGION = "?"
REGIONS, MARKS = ".#:%", "oxvd"  # in text: a place, and a point, of each class
EDGE = 18  # around everything
CELL = 16  # pixels, in width
LETTER = 12  # pixels
ON_SLIDE = 11, 15  # a cell and letters of a drawing that is read from afar, as a whole
FOOT = 22  # the height of a line of the legend
TICKS = 14  # what the numbers below the plane take

THEME = Theme(
    form="""\
@ text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
@ .e{fill:none;stroke-width:3;stroke-linecap:round}@ .fr{fill:none;stroke-width:1.5}
@ .m{stroke-width:1.5;stroke-linejoin:round}@ .m.o{stroke-width:2}@ .ax{text-anchor:middle}@ .ay{text-anchor:end}
@ .q0,@ .q1,@ .q2,@ .q3{fill:none;stroke-width:1.2;opacity:.5}@ .qx{fill:none;stroke-width:1.6}
""",
    paint=(
        *PAPER,
        ("@ .r0", "fill", "leaf-card"),
        ("@ .r1", "fill", "some"),
        ("@ .r2", "fill", "zero"),
        ("@ .r3", "fill", "freed"),
        ("@ .rx", "fill", "paper"),
        ("@ .qx", "stroke", "on-back"),
        ("@ .q1", "stroke", "back"),
        ("@ .q2", "stroke", "on-zero"),
        ("@ .q3", "stroke", "line"),
        ("@ .m0", "fill", "leaf"),
        ("@ .m1", "fill", "back"),
        ("@ .m2", "fill", "on-zero"),
        ("@ .m3", "fill", "soft"),
        ("@ .m", "stroke", "paper"),
        ("@ .e,@ .m.o", "stroke", "ink"),
        ("@ .fr", "stroke", "line"),
        ("@ .ax,@ .ay", "fill", "soft"),
    ),
)

# A pattern for each class but the first: lines one way, the other way, both.
PATTERNS = ("", "M0 10L10 0", "M0 0L10 10", "M0 5H10M5 0V10")
CROSSED = "M2.5 2.5l5 5M7.5 2.5l-5 5"  # where there is no class
SHAPES = (  # where it begins, seen from the point, and the way round
    (-4.5, 0, "a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z"),  # a disc
    (-4.2, -4.2, "h8.4v8.4h-8.4z"),  # a square
    (-5.2, 4, "l5.2-9.4 5.2 9.4z"),  # a triangle
    (0, -6, "l5.2 6-5.2 6-5.2-6z"),  # a diamond
)

Field = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Spot = tuple[float, float]


def draw(facts: Regions, name: str, cell: int = CELL, letter: int = LETTER) -> Reel:
    """The regions, the line between them, the points, and a legend. name: begins the ids of its patterns.

    letter: pixels of the letters that there is to be room for.
    """
    drawn, wide, tall = plane(facts, name, cell)
    beside, numbers = edges(facts.x, facts.y, wide, tall)
    room = EDGE + numbers
    parts = [f'<g transform="translate({room} {EDGE})">', *drawn, *beside, "</g>"]
    top = EDGE + tall + TICKS
    parts += _legend(facts, top + FOOT)
    whole, *lines = facts.sentences()
    height = top + FOOT * (len(lines) + 1) + 14
    widest = max(text_width(line, letter) for line in (whole + gettext(" The others are outlined."), *lines))
    width = max(room + wide + EDGE, round(widest) + 62)
    told = " ".join([whole, *lines, _extent(facts)])
    return Reel("boundary", gettext("Decision boundary"), width, height, "".join(parts), (Frame({}, told),))


def _extent(facts: Regions) -> str:
    """From where to where the picture goes."""
    left, right, high, low = (words.number(float(n)) for n in (facts.x[0], facts.x[-1], facts.y[0], facts.y[-1]))
    return gettext(
        "Across: from {left} to {right}. Upwards: from {low} to {high}.", left=left, right=right, low=low, high=high
    )


def plane(facts: Regions, name: str, cell: int = CELL) -> tuple[list[str], int, int]:
    """The regions, the line between them and the points, and how wide and how tall that is."""
    columns, rows = len(facts.x) - 1, len(facts.y) - 1
    wide = columns * cell
    tall = round(wide * float(facts.y[0] - facts.y[-1]) / float(facts.x[-1] - facts.x[0]))
    step = (wide / columns, tall / rows)
    parts = [f'<rect class="r0" width="{wide}" height="{tall}"/>']
    regions, lead = facts.regions, facts.fields.max(axis=0)
    for index in range(1, len(facts.names)):
        area, border = _contour(regions, lead, index, step)
        if area:
            parts += _patterned(name, str(index), PATTERNS[index], area)
            parts.append(f'<path class="e" d="{border}"/>')
    if facts.lost.any():
        parts += _patterned(name, "x", CROSSED, _cells(facts.lost, step))
    parts.append(f'<rect class="fr" width="{wide}" height="{tall}"/>')
    left, top = float(facts.x[0]), float(facts.y[0])
    scale = wide / float(facts.x[-1] - left)
    order = np.argsort(facts.said != facts.classes, kind="stable")  # the wrong ones on top
    drop = tall / float(top - facts.y[-1])
    for (x0, y0), (x1, y1) in facts.chords:
        parts.append(_dashed((x0 - left) * scale, (top - y0) * drop, (x1 - left) * scale, (top - y1) * drop))
    for point in order:
        across = (float(facts.points[point, 0]) - left) * scale
        down = (top - float(facts.points[point, 1])) * tall / float(top - facts.y[-1])
        parts.append(_mark(int(facts.classes[point]), across, down, bool(facts.said[point] != facts.classes[point])))
    return parts, wide, tall


def _dashed(x0: float, y0: float, x1: float, y1: float) -> str:
    """A thin line that is no border. It says so itself: pictures without lines keep their style sheet."""
    way = f"M{short(x0)} {short(y0)}L{short(x1)} {short(y1)}"
    return f'<path class="e" style="stroke-width:1.5" stroke-dasharray="7 5" d="{way}"/>'


def _patterned(name: str, kind: str, pattern: str, area: str) -> list[str]:
    """An area in its colour, and its pattern over it."""
    drawn = (
        f'<pattern id="{name}{kind}" width="10" height="10" patternUnits="userSpaceOnUse">'
        f'<path class="q{kind}" d="{pattern}"/></pattern>'
    )
    return [f'<defs>{drawn}</defs><path class="r{kind}" d="{area}"/><path fill="url(#{name}{kind})" d="{area}"/>']


def _cells(lost: npt.NDArray[np.bool_], step: Spot) -> str:
    """The cells with a corner that is lost, as rectangles: whole cells beside each other are one."""
    cells = lost[:-1, :-1] | lost[:-1, 1:] | lost[1:, :-1] | lost[1:, 1:]
    found = []
    for row, line in enumerate(cells):
        ends = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(int)))
        found += [_rectangle(begin, end, row, step) for begin, end in ends.reshape(-1, 2).tolist()]
    return "".join(found)


def _mark(index: int, x: float, y: float, lost: bool = False) -> str:
    """A point; one that lies elsewhere has an outline, which hides no other point."""
    return f'<path class="m m{index}{" o" if lost else ""}" d="{shape_at(SHAPES[index], x, y)}"/>'


def shape_at(shape: tuple[float, float, str], x: float, y: float) -> str:
    """A shape around a point, as a path."""
    across, down, round_it = shape
    return f"M{short(x + across)} {short(y + down)}{round_it}"


def _legend(facts: Regions, y: int) -> list[str]:
    whole, *each = facts.sentences()
    outlined = "" if facts.right == len(facts.points) else gettext(" The others are outlined.")
    found = [f'<text x="{EDGE}" y="{y}">{escape(whole + outlined)}</text>']
    for index, line in enumerate(each):
        y += FOOT
        if index < len(facts.names):
            found.append(_mark(index, EDGE + 8, y - 4))
        elif line in facts.line_sentences():
            found.append(_dashed(EDGE, y - 4, EDGE + 17, y - 4))
        else:
            found.append(f'<path class="qx" d="{CROSSED}" transform="translate({EDGE + 3} {y - 9})"/>')
        found.append(f'<text x="{EDGE + 24}" y="{y}">{escape(words.typeset(line))}</text>')
    return found


def _contour(regions: Places, lead: Field, index: int, step: Spot) -> tuple[str, str]:
    """The region of a class and its border, as paths; between its corners a cell is flat.

    regions, lead: whose each corner is, and how far that class is ahead there. Whole cells beside each other are one
    rectangle. A cell that a border crosses is cut. One with a corner where there is no number is left out.
    """
    area: list[str] = []
    border: list[str] = []
    for row in range(regions.shape[0] - 1):
        begin = None
        for column in range(regions.shape[1]):
            last = column == regions.shape[1] - 1
            classes = set(regions[row : row + 2, column : column + 2].ravel().tolist())
            full = not last and classes == {index}
            if begin is not None and not full:
                area.append(_rectangle(begin, column, row, step))
                begin = None
            if full:
                begin = column if begin is None else begin
            elif not last and index in classes and min(classes) >= 0:
                pieces, lines = _cut(regions, lead, index, row, column)
                area += [_polygon(piece, step) for piece in pieces]
                border += [_line(line, step) for line in lines]
    return "".join(area), "".join(border)


def _cut(
    regions: Places, lead: Field, index: int, row: int, column: int
) -> tuple[list[list[Spot]], list[tuple[Spot, Spot]]]:
    """A class' pieces of a cell, and the lines where its border goes through it.

    A border crosses an edge where neither of two classes is ahead. Two of them share a cell in one piece each (marching
    squares); where three or four meet, every border goes to the middle of all crossings.
    """
    around = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
    edges = list(zip(around, [*around[1:], around[0]], strict=True))
    crossings = {edge: _crossing(lead, *edge) for edge in edges if regions[edge[0]] != regions[edge[1]]}
    spots = {corner: (float(corner[1]), float(corner[0])) for corner in around}
    own = [edge for edge in crossings if index in (regions[edge[0]], regions[edge[1]])]
    if len({int(regions[corner]) for corner in around}) == 2:
        walked = []
        for edge in edges:
            walked += [spots[edge[0]]] if regions[edge[0]] == index else []
            walked += [crossings[edge]] if edge in crossings else []
        return [walked], [(crossings[one], crossings[other]) for one, other in zip(own[::2], own[1::2], strict=True)]
    across, down = np.mean(list(crossings.values()), axis=0).tolist()
    middle = (across, down)
    pieces = []
    for number, corner in enumerate(around):
        if regions[corner] == index:
            before, after = (crossings.get(edge, _halfway(*edge)) for edge in (edges[number - 1], edges[number]))
            pieces.append([before, spots[corner], after, middle])
    return pieces, [(crossings[edge], middle) for edge in own]


def _crossing(lead: Field, here: tuple[int, int], there: tuple[int, int]) -> Spot:
    """Where the border between the classes of two corners is, on the edge from one to the other."""
    one, other = float(lead[here]), float(lead[there])
    share = one / (one + other) if one + other > 0 else 0.5
    return here[1] + share * (there[1] - here[1]), here[0] + share * (there[0] - here[0])


def _halfway(here: tuple[int, int], there: tuple[int, int]) -> Spot:
    return (here[1] + there[1]) / 2, (here[0] + there[0]) / 2


def _rectangle(begin: int, end: int, row: int, step: Spot) -> str:
    x0, x1, y0, y1 = begin * step[0], end * step[0], row * step[1], (row + 1) * step[1]
    return f"M{short(x0)} {short(y0)}H{short(x1)}V{short(y1)}H{short(x0)}z"


def _polygon(corners: list[Spot], step: Spot) -> str:
    spots = [f"{short(x * step[0])} {short(y * step[1])}" for x, y in corners]
    return f"M{'L'.join(spots)}z"


def _line(pair: tuple[Spot, Spot], step: Spot) -> str:
    (x0, y0), (x1, y1) = pair
    return f"M{short(x0 * step[0])} {short(y0 * step[1])}L{short(x1 * step[0])} {short(y1 * step[1])}"


# -- as text ---------------------------------------------------------------------------------------------------------


def listing(facts: Regions, limit: int | None) -> str:
    """What the picture says, and the plane as rows of letters."""
    letters = REGIONS[: len(facts.names)] + NO_REGION  # -1, which is no class, finds the last
    rows = [[letters[index] for index in row] for row in facts.regions]
    order = np.argsort(facts.said != facts.classes, kind="stable")  # the wrong ones last: they stay visible
    for point in order:
        place = _nearest(facts.y, facts.points[point, 1]), _nearest(facts.x, facts.points[point, 0])
        mark = MARKS[facts.classes[point]]
        rows[place[0]][place[1]] = mark if facts.said[point] == facts.classes[point] else mark.upper()
    legend = [
        gettext(
            "{region} region of class {name}, {mark} its points, {wrong} its points elsewhere",
            region=region,
            name=name,
            mark=mark,
            wrong=mark.upper(),
        )
        for name, region, mark in zip(facts.names, REGIONS, MARKS, strict=False)
    ]
    if facts.odd:
        legend.append(gettext("{region} the score is {value}", region=NO_REGION, value=facts.odd))
    found = [*facts.sentences(), _extent(facts), "", *(" ".join(row) for row in rows), "", *legend]
    return "\n".join(found if limit is None else found[:limit])


def _nearest(places: Numbers, where: float) -> int:
    return int(np.abs(places - where).argmin())
