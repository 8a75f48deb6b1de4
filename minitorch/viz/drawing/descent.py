"""The drawing of paths across a function of two numbers: level lines, and paths told apart by dash and mark."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

import numpy as np

from minitorch.language import gettext
from minitorch.viz.drawing import svg
from minitorch.viz.drawing.axes import edges, short
from minitorch.viz.drawing.boundary import SHAPES, shape_at
from minitorch.viz.drawing.reel import Frame, Reel, place
from minitorch.viz.drawing.scene import shortened
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.facts import words
from minitorch.viz.facts.descent import Landscape, Path
from minitorch.viz.facts.reading import Numbers

EDGE = 18  # around everything
WIDE = 560  # pixels of the plane
FOOT = 22  # the height of a line of the legend
TICKS = 36  # what the numbers below the plane and their name take
FRAMES = 24  # of a film: of longer paths some steps are left out
MARKED = 60  # steps that are marked one by one; of a longer path, its last point alone
COLOURS = ("op", "back", "leaf", "on-zero")
DASHES = ("", "8 4", "2 4", "12 4 2 4")
NEARLY = 0.3  # pixels
EVERY = 2  # in text, so many cells are one letter
LETTERS = "ABCD"  # in text, a path's points

THEME = Theme(
    form="""\
@ text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
@ .l{fill:none;stroke-width:1;stroke-linejoin:round}@ .fr{fill:none;stroke-width:1.5}
@ .c{fill:none;stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}
@ .s{fill:none;stroke-width:2.2}@ .k{stroke-width:1;stroke-linejoin:round}
@ .ax{text-anchor:middle}@ .ay{text-anchor:end}@ .n{text-anchor:end;font-style:italic}@ .u{font-style:italic}
""",
    paint=(
        *PAPER,
        ("@ .ax,@ .ay", "fill", "soft"),
        ("@ .fr", "stroke", "line"),
        ("@ .l", "stroke", "line"),
        ("@ .k", "stroke", "paper"),
        *((f"@ .c{number},@ .s{number}", "stroke", colour) for number, colour in enumerate(COLOURS)),
        *((f"@ .k{number}", "fill", colour) for number, colour in enumerate(COLOURS)),
    ),
)

Spot = tuple[float, float]
Crossing = tuple[int, int, int]  # a row, a column, and 0 for the edge to the right of that corner, 1 for the one below


def draw(facts: Landscape) -> Reel:
    """The level lines, the paths as far as they have come in each frame, and a legend."""
    tall = round(WIDE * (len(facts.y) - 1) / (len(facts.x) - 1))
    beside, room = _axes(facts, tall)
    lines = "".join(f'<path class="l" d="{each}"/>' for each in _level_lines(facts, tall))
    top = EDGE + 16 + tall + TICKS
    plane = (
        f'<g transform="translate({room} {EDGE + 16})">{lines}{"".join(beside)}'
        f'<rect class="fr" width="{WIDE}" height="{tall}"/>{place("paths")}</g>'
    )
    legend, foot = _legend(facts, top + FOOT)
    spots = [_spots(facts, path, tall) for path in facts.paths]
    frames = []
    for step in _shown(facts.steps):
        drawn = "".join(_walked(number, path, spots[number], step) for number, path in enumerate(facts.paths))
        told = " ".join(facts.sentences())
        frames.append(
            Frame({"paths": drawn}, _sentence(facts, step), alternative=told, count=f"{step} / {facts.steps}")
        )
    width = room + WIDE + EDGE
    return Reel(
        "descent", gettext("Paths across a function of two numbers"), width, foot, plane + legend, tuple(frames)
    )


def _shown(steps: int) -> list[int]:
    """The steps that have a frame: all of a short path, and of a long one the first few and then every so many."""
    if steps < FRAMES:
        return list(range(steps + 1))
    spaced = (steps * (np.arange(FRAMES) / (FRAMES - 1)) ** 2).round().astype(int)
    return sorted({*range(6), *spaced.tolist()})


def _sentence(facts: Landscape, step: int) -> str:
    named = [f"{path.name}: " if path.name else "" for path in facts.paths]
    heights = "; ".join(name + path.height_said(step) for name, path in zip(named, facts.paths, strict=True))
    return gettext(
        "Step {step}. Heights: {heights}." if step else "The rings show where the paths begin. Heights: {heights}.",
        step=step,
        heights=heights,
    )


# -- the plane -------------------------------------------------------------------------------------------------------


def _axes(facts: Landscape, tall: int) -> tuple[list[str], int]:
    """Round numbers and names along the edges, and how far from the picture's left the plane then begins."""
    found, numbers = edges(facts.x, facts.y, WIDE, tall)
    beside, below = map(shortened, (facts.names[1], facts.names[0]))
    found.append(f'<text class="u" x="0" y="-8">{escape(beside)}</text>')
    found.append(f'<text class="n" x="{WIDE}" y="{tall + 34}">{escape(below)}</text>')
    return found, EDGE + 10 + numbers


def _scaled(facts: Landscape, points: Numbers, tall: int) -> Numbers:
    """Where points lie on the plane, in pixels."""
    with np.errstate(all="ignore"):
        across = (points[:, 0] - facts.x[0]) / (facts.x[-1] - facts.x[0]) * WIDE
        down = (facts.y[0] - points[:, 1]) / (facts.y[0] - facts.y[-1]) * tall
    return np.stack([across, down], axis=1)


def _level_lines(facts: Landscape, tall: int) -> Iterator[str]:
    """Each level line as the path of its pieces (marching squares); where the height is unknown there is none."""
    step = np.array([WIDE / (len(facts.x) - 1), tall / (len(facts.y) - 1)])
    for level in facts.levels:
        spots, joined = _crossings(facts.field, level)
        chains = (np.array([spots[each] for each in chain]) * step for chain in _chains(joined))
        if drawn := "".join(f"M{'L'.join(map(_pair, _fewer(chain)))}" for chain in chains):
            yield drawn


def _crossings(field: Numbers, level: float) -> tuple[dict[Crossing, Spot], dict[Crossing, list[Crossing]]]:
    """Where a level line crosses the edges of cells, and which crossings it joins inside of them."""
    spots: dict[Crossing, Spot] = {}
    joined: dict[Crossing, list[Crossing]] = {}
    above = field > level
    known = np.isfinite(field)
    for row in range(field.shape[0] - 1):
        for column in range(field.shape[1] - 1):
            corners = above[row : row + 2, column : column + 2]
            if corners.all() or not corners.any() or not known[row : row + 2, column : column + 2].all():
                continue
            around: list[Crossing] = [(row, column, 0), (row, column + 1, 1), (row + 1, column, 0), (row, column, 1)]
            crossed = [edge for edge in around if _ends_differ(above, edge)]
            for edge in crossed:
                spots.setdefault(edge, _spot(field, level, edge))
            if len(crossed) == 4:  # a saddle: its middle says which corners belong together
                middle = float(field[row : row + 2, column : column + 2].mean()) > level
                turned = middle == bool(above[row, column])
                crossed = [around[0], around[1], around[2], around[3]] if turned else [around[3], *around[:3]]
            for one, other in zip(crossed[::2], crossed[1::2], strict=True):
                joined.setdefault(one, []).append(other)
                joined.setdefault(other, []).append(one)
    return spots, joined


def _far_end(edge: Crossing) -> tuple[int, int]:
    row, column, down = edge
    return row + down, column + 1 - down


def _ends_differ(above: np.ndarray, edge: Crossing) -> bool:
    return bool(above[edge[0], edge[1]] != above[_far_end(edge)])


def _spot(field: Numbers, level: float, edge: Crossing) -> Spot:
    """Where on an edge the height is that of the level, in cells, if it grows evenly from end to end."""
    row, column, down = edge
    here, there = float(field[row, column]), float(field[_far_end(edge)])
    share = (level - here) / (there - here)
    return (column + share * (1 - down), row + share * down)


def _chains(joined: dict[Crossing, list[Crossing]]) -> Iterator[list[Crossing]]:
    """The crossings in the order in which a line goes through them: open lines from an end, then rings."""
    left = {each: list(others) for each, others in joined.items()}
    for start in [*(each for each in joined if len(joined[each]) == 1), *joined]:
        chain = [start]
        while left[chain[-1]]:
            following = left[chain[-1]].pop(0)
            left[following].remove(chain[-1])
            chain.append(following)
        if len(chain) > 1:
            yield chain


def _fewer(line: Numbers) -> Numbers:
    """The corners that a line needs, so that nowhere it is farther than NEARLY from where it was.

    Source: Ramer, "An iterative procedure for the polygonal approximation of plane curves", 1972.
    """
    way, aside = line[-1] - line[0], line - line[0]
    length = float(np.hypot(*way))
    away = np.abs(way[0] * aside[:, 1] - way[1] * aside[:, 0]) / length if length else np.hypot(*aside.T)
    farthest = int(away.argmax())
    if away[farthest] <= NEARLY:
        return np.stack([line[0], line[-1]])
    return np.concatenate([_fewer(line[: farthest + 1])[:-1], _fewer(line[farthest:])])


# -- the paths -------------------------------------------------------------------------------------------------------


def _spots(facts: Landscape, path: Path, tall: int) -> Numbers:
    """A path's points in pixels. Of a segment that crosses the frame, the end outside is moved to the frame."""
    spots = _scaled(facts, path.points, tall)
    for step in range(1, len(spots)):
        if path.inside[step - 1] and not path.inside[step] and np.isfinite(spots[step]).all():
            begin, way = spots[step - 1], spots[step] - spots[step - 1]
            with np.errstate(divide="ignore", invalid="ignore"):
                shares = np.where(way > 0, (np.array([WIDE, tall]) - begin) / way, -begin / way)
            spots[step] = begin + way * float(np.nanmin(np.where(way == 0, np.inf, shares)))
    return spots


def _walked(number: int, path: Path, spots: Numbers, step: int) -> str:
    """A path after some steps: its line and a mark at every point, a ring where it begins."""
    step = min(step, path.steps)
    pieces: list[str] = []
    for each in range(1, step + 1):
        if path.inside[each - 1] and np.isfinite(spots[each]).all():
            begin = "" if pieces and each > 1 and path.inside[each - 2] else f"M{_pair(spots[each - 1])}"
            pieces.append(f"{begin}L{_pair(spots[each])}")
    dash = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
    drawn = f'<path class="c c{number}"{dash} d="{"".join(pieces)}"/>' if pieces else ""
    if path.inside[0]:
        x, y = spots[0]
        drawn += f'<circle class="s s{number}" cx="{short(x)}" cy="{short(y)}" r="7"/>'
    marked = range(1, step + 1) if path.steps <= MARKED else [step]
    marks = [shape_at(SHAPES[number], *spots[each].tolist()) for each in marked if path.inside[each]]
    return drawn + (f'<path class="k k{number}" d="{"".join(marks)}"/>' if marks else "")


def _legend(facts: Landscape, y: int) -> tuple[str, int]:
    """What the picture says, each path behind a sample of its line; and where that ends."""
    found = []
    for number, sentence in enumerate(facts.sentences()):
        lines = svg.wrapped(words.typeset(sentence), WIDE)
        if number < len(facts.paths):
            dash = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
            found.append(f'<path class="c c{number}"{dash} d="M{EDGE} {y - 4}h24"/>')
            found.append(f'<path class="k k{number}" d="{shape_at(SHAPES[number], EDGE + 12, y - 4)}"/>')
        for line in lines:
            found.append(f'<text x="{EDGE + 34}" y="{y}">{escape(line)}</text>')
            y += FOOT
    return "".join(found), y - FOOT + 14


def _pair(spot: Numbers) -> str:
    return f"{short(spot[0])} {short(spot[1])}"


# -- as text ---------------------------------------------------------------------------------------------------------


def listing(facts: Landscape, limit: int | None) -> str:
    """What the picture says, and the plane as rows of digits with the paths as letters on it."""
    x, y = facts.x[::EVERY], facts.y[::EVERY]
    known = np.where(np.isfinite(facts.field), facts.field, np.nan)[::EVERY, ::EVERY]
    heights = np.searchsorted(np.array([*facts.levels, np.inf]), known)
    rows = [
        ["?" if np.isnan(height) else str(rank) for height, rank in zip(line, ranks, strict=True)]
        for line, ranks in zip(known, heights, strict=True)
    ]
    for letter, path in zip(LETTERS, facts.paths, strict=False):
        for point in path.points[path.inside]:
            rows[int(np.abs(y - point[1]).argmin())][int(np.abs(x - point[0]).argmin())] = letter
    legend = [f"{letter} {path.name}" for letter, path in zip(LETTERS, facts.paths, strict=False) if path.name]
    found = [
        *facts.sentences(),
        "",
        *("".join(row) for row in rows),
        "",
        gettext("digits: how high, from 0 at the lowest to 9; letters: points of the paths"),
        *legend,
    ]
    text = "\n".join(found if limit is None else found[:limit])
    return text.replace("−", "-")
