"""Arrays as grids of cells: the last axis to the right, the one before it downwards, the others as slabs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from minitorch.language import gettext
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.facts.model import Shape
from minitorch.viz.facts.routes import Index

MOST = {"columns": 6, "rows": 6, "slabs": 3}
CELL = 28  # pixels, in height
NARROW = 40
GAP, NAME = 32, 26  # between two slabs; where the lower one's name stands there, nearer to it than to the upper one

Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one place. mark: small, in its corner; kind: its look, as a class of the style."""

    text: str
    mark: str = ""
    kind: str = "n"


@dataclass(frozen=True, slots=True)
class Grid:
    """What of an array is drawn: for each axis the places, None for those left out."""

    shape: Shape
    slabs: tuple[Index | None, ...]
    rows: tuple[int | None, ...]
    columns: tuple[int | None, ...]

    def index(self, slab: Index, row: int, column: int) -> Index:
        """The place in the array; a vector has no rows, a number no columns either."""
        return (*slab, *((row,) if len(self.shape) > 1 else ()), *((column,) if self.shape else ()))

    def indices(self) -> list[Index]:
        """All places that are drawn."""
        drawn = itertools.product(self.slabs, self.rows, self.columns)
        return [self.index(s, r, c) for s, r, c in drawn if s is not None and r is not None and c is not None]


def grid(shape: Shape) -> Grid:
    """Chooses what of an array is drawn: its beginning and its end, with an ellipsis between them."""
    outer = shape[:-2]
    slabs: tuple[Index | None, ...] = tuple(itertools.islice(itertools.product(*map(range, outer)), MOST["slabs"] + 1))
    if len(slabs) > MOST["slabs"]:
        slabs = (*slabs[: MOST["slabs"] - 1], None, tuple(size - 1 for size in outer))
    rows = _some(shape[-2] if len(shape) > 1 else 1, MOST["rows"])
    columns = _some(shape[-1] if shape else 1, MOST["columns"])
    return Grid(shape, slabs, rows, columns)


def _some(size: int, most: int) -> tuple[int | None, ...]:
    if size <= most:
        return tuple(range(size))
    return (*range(most - 2), None, size - 1)


def cell_width(cells: Sequence[Cell]) -> int:
    """Room for the widest of some cells."""
    wide = max((text_width(cell.text) + text_width(cell.mark, 10) for cell in cells), default=0)
    return max(NARROW, round(wide + 18) // 2 * 2)


def size(which: Grid, wide: int) -> tuple[int, int]:
    """Width and height of a grid, drawn."""
    head = GAP if len(which.shape) > 2 else 0
    height = sum(head + (0 if slab is None else max(len(which.rows), 1) * CELL) for slab in which.slabs)
    return max(len(which.columns), 1) * wide, height


def spots(which: Grid, wide: int) -> dict[Index, tuple[int, int]]:
    """Where the upper left corner of each cell is that is drawn."""
    found = {}
    y = 0
    for slab in which.slabs:
        y += GAP if len(which.shape) > 2 else 0
        for row in which.rows if slab is not None else ():
            for place, column in enumerate(which.columns):
                if slab is not None and row is not None and column is not None:
                    found[which.index(slab, row, column)] = (place * wide, y)
            y += CELL
    return found


def draw_cell(cell: Cell, x: int, y: int, wide: int) -> str:
    """One cell with its upper left corner there."""
    drawn = [
        f'<rect class="{cell.kind}" x="{x}" y="{y}" width="{wide}" height="{CELL}"/>',
        f'<text x="{x + wide // 2 + (5 if cell.mark else 0)}" y="{y + 19}">{escape(cell.text)}</text>',
    ]
    if cell.mark:
        drawn.append(f'<text class="k" x="{x + 4}" y="{y + 12}">{escape(cell.mark)}</text>')
    return "".join(drawn)


def draw(
    which: Grid, cells: Callable[[Index], Cell], wide: int, comes: Callable[[Index], Spot | None] = lambda _: None
) -> str:
    """The grid with its upper left corner at (0, 0). comes: where a cell that moves comes from, seen from its place."""
    drawn = []
    y = 0
    for slab in which.slabs:
        if len(which.shape) > 2:
            name = "…" if slab is None else f"[{', '.join(map(str, slab))}]"
            drawn.append(f'<text class="f h" x="0" y="{y + NAME}">{name}</text>')
            y += GAP
        if slab is None:
            continue
        if not which.rows or not which.columns:
            drawn.append(f'<text class="f h" x="4" y="{y + 18}">{gettext("empty")}</text>')
        for row in which.rows:
            for place, column in enumerate(which.columns):
                middle = place * wide + wide // 2
                if row is None or column is None:
                    drawn.append(f'<text x="{middle}" y="{y + 19}">{"⋮" if row is None else "…"}</text>')
                    continue
                index = which.index(slab, row, column)
                drawn.append(moving("mv", draw_cell(cells(index), place * wide, y, wide), comes(index)))
            y += CELL
    return "".join(drawn)


def moving(kind: str, drawn: str, way: Spot | None) -> str:
    """What moves where a player shows it: kind "mv" comes from `way`, "gone" goes there and fades."""
    if way is None or way == (0, 0):
        return drawn
    return f'<g class="{kind}" style="--dx:{way[0]}px;--dy:{way[1]}px">{drawn}</g>'


def lines(which: Grid, cells: Callable[[Index], Cell]) -> list[str]:
    """The grid as lines of text: a cell and its mark as in "b:5"."""
    table: list[list[str] | str] = []
    for slab in which.slabs:
        if len(which.shape) > 2:
            table.append("..." if slab is None else f"[{', '.join(map(str, slab))}]")
        if slab is None:
            continue
        if not which.rows or not which.columns:
            table.append(gettext("empty"))
        for row in which.rows:
            found = []
            for column in which.columns:
                if row is None or column is None:
                    found.append("..." if row is not None or column is not None else "")
                    continue
                cell = cells(which.index(slab, row, column))
                found.append(f"{cell.mark}:{cell.text}" if cell.mark else cell.text)
            table.append(found)
    wide = max((len(cell) for row in table if isinstance(row, list) for cell in row), default=0)
    return [row if isinstance(row, str) else "  ".join(cell.rjust(wide) for cell in row).rstrip() for row in table]
