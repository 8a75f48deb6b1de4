"""Layout by Graphviz: in which row each box stands and where in it is `dot`'s choice; all else is as in `layout`.

`dot` is asked in a process of its own, within a few seconds for all levels of a graph together. Where it is missing or
takes longer, our own layout stands in, and one sentence says so.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from minitorch.language import gettext
from minitorch.viz.drawing.layout import (
    COLUMN_GAP,
    DUMMY_WIDTH,
    Layout,
    finished,
    layout,
    rooms_of,
    with_copies,
    with_dummies,
)

SECONDS = 5.0
INCH = 72.0  # pixels, of which Graphviz counts in inches
SAMPLES = np.linspace(0.0, 1.0, 9)[:, None]  # along each piece of a curve

Ends = Sequence[tuple[int, int]]
Way = np.ndarray  # (points, 2): a curve as a row of points, from above to below


class Graphviz:
    """Called as `layout.layout`. note: why places are our own, in a sentence; "" as long as they are Graphviz's."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.note = ""
        self._seconds = self._left = seconds

    def __call__(
        self,
        sizes: Sequence[tuple[int, int]],
        leaves: Sequence[bool],
        edges: Ends,
        ports: Sequence[int],
        labels: Sequence[int],
    ) -> Layout:
        """The same as `layout.layout` of these arguments, with Graphviz's places."""
        if not self.note:
            owner, ends = with_copies(leaves, edges)
            room = rooms_of(owner, ends, ports, labels)
            widths = [2 * max(sizes[node][0] / 2, *room[box]) for box, node in enumerate(owner)]
            answer = self._asked(_source(widths, [sizes[node][1] for node in owner], ends, ports))
            if answer is not None:
                spots, ways = answer
                ranks = _ranks([spots[box][1] for box in range(len(owner))])
                height_of = dict(zip(ranks, (spots[box][1] for box in range(len(owner))), strict=True))
                layers, chains = with_dummies(owner, ranks, sizes, room, leaves, ends, ports)
                x = [spots[box][0] for box in range(len(owner))] + [0.0] * (len(layers.rank) - len(owner))
                taken = [[(x[box], sizes[owner[box]][0] / 2) for box in row if box < len(owner)] for row in layers.rows]
                for way, chain in zip(_by_port(ends, ports, ways), chains, strict=True):
                    for dummy in chain:
                        row = layers.rank[dummy]
                        x[dummy] = _beside(_crossing(way, height_of[row]), taken[row])
                return finished(owner, sizes, layers, chains, ends, ports, x)
        return layout(sizes, leaves, edges, ports, labels)

    def _asked(self, source: str) -> tuple[dict[int, tuple[float, float]], dict[tuple[int, int], list[Way]]] | None:
        """What `dot` says: the middle of each box, y growing downwards, and the ways between two of them."""
        program = shutil.which("dot")
        if program is None:
            self.note = gettext("Placed by minitorch's own layout: the program dot, of Graphviz, is not installed.")
            return None
        import subprocess

        begun = time.monotonic()
        try:
            ran = subprocess.run(  # noqa: S603 - the source is numbers alone
                [program, "-Tplain"], input=source, capture_output=True, text=True, timeout=self._left, check=True
            )
        except subprocess.TimeoutExpired:
            self.note = gettext(
                "Placed by minitorch's own layout: dot took longer than {seconds} s.", seconds=f"{self._seconds:g}"
            )
            return None
        except (subprocess.CalledProcessError, OSError):
            self.note = gettext("Placed by minitorch's own layout: dot ended with an error.")
            return None
        self._left = max(self._left - (time.monotonic() - begun), 0.01)
        return _read(ran.stdout)


def _source(widths: Sequence[float], heights: Sequence[int], ends: Ends, ports: Sequence[int]) -> str:
    """The boxes and arrows in Graphviz's language, the operands of an operation from left to right."""
    boxes = [
        f'{box} [width="{width / INCH:.3f}",height="{height / INCH:.3f}"]'
        for box, (width, height) in enumerate(zip(widths, heights, strict=True))
    ]
    order = sorted(range(len(ends)), key=lambda edge: (ends[edge][1], ports[edge]))
    arrows = [f"{ends[edge][0]}->{ends[edge][1]}" for edge in order]
    looks = f'graph [ordering="in",nodesep="{COLUMN_GAP / INCH:.3f}"];node [shape=box,fixedsize=true,label=""]'
    return f"digraph {{{';'.join([looks, *boxes, *arrows])}}}\n"


def _read(plain: str) -> tuple[dict[int, tuple[float, float]], dict[tuple[int, int], list[Way]]]:
    """Graphviz's `plain` form, in pixels."""
    spots: dict[int, tuple[float, float]] = {}
    ways: dict[tuple[int, int], list[Way]] = {}
    for line in plain.replace("\\\n", "").splitlines():
        kind, *words = line.split(" ")
        if kind == "node":
            spots[int(words[0])] = (float(words[1]) * INCH, -float(words[2]) * INCH)
        elif kind == "edge":
            count = int(words[2])
            corners = np.array(words[3 : 3 + 2 * count], dtype=np.float64).reshape(-1, 2) * (INCH, -INCH)
            ways.setdefault((int(words[0]), int(words[1])), []).append(_curve(corners))
    return spots, ways


def _curve(corners: np.ndarray) -> Way:
    """The points of Bézier curves that follow one another, each on its first and its last of four corners."""
    pieces = [corners[first : first + 4] for first in range(0, len(corners) - 3, 3)]
    t, s = SAMPLES, 1 - SAMPLES
    return np.concatenate([s**3 * a + 3 * s * s * t * b + 3 * s * t * t * c + t**3 * d for a, b, c, d in pieces])


def _ranks(heights: Sequence[float]) -> list[int]:
    """The row of each box: those whose middles are at one height stand in one."""
    levels = sorted(set(heights))
    starts = [True, *(after - before > 1.0 for before, after in pairwise(levels))]
    row_of = dict(zip(levels, (np.cumsum(starts) - 1).tolist(), strict=True))
    return [row_of[height] for height in heights]


def _by_port(ends: Ends, ports: Sequence[int], ways: Mapping[tuple[int, int], list[Way]]) -> list[Way]:
    """The way of each edge; of several between the same two boxes, the leftmost to the leftmost port."""
    waiting = {pair: sorted(those, key=lambda way: float(way[:, 0].mean())) for pair, those in ways.items()}
    found: list[Way] = [np.empty((0, 2))] * len(ends)
    for edge in sorted(range(len(ends)), key=lambda edge: ports[edge]):
        found[edge] = waiting[ends[edge]].pop(0)
    return found


def _crossing(way: Way, height: float) -> float:
    """Where a way crosses a row."""
    return float(np.interp(height, np.maximum.accumulate(way[:, 1]), way[:, 0]))


def _beside(x: float, boxes: Sequence[tuple[float, float]]) -> float:
    """The nearest place to x in a row that is on none of its boxes: there the arrow runs upright."""
    ends = [middle + sign * (half + DUMMY_WIDTH) for middle, half in boxes for sign in (-1, 1)]
    free = [at for at in [x, *ends] if all(abs(at - middle) >= half + DUMMY_WIDTH / 2 for middle, half in boxes)]
    return min(free, key=lambda at: abs(at - x), default=x)
