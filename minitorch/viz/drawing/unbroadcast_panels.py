"""The two panels of the microscope: an operand stretched on the way forward, its gradient summed on the way back."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from minitorch.viz.drawing import grids
from minitorch.viz.drawing.grids import Cell, Grid, Index
from minitorch.viz.drawing.reel import Frame, Reel
from minitorch.viz.facts import words

if TYPE_CHECKING:
    from minitorch.viz.views.unbroadcast import Unbroadcast

MARGIN = 18
BETWEEN = 150  # pixels, for the arrow and what stands on it
HEAD = 26  # above a grid
LINE = 18

FORM = """\
@ text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:middle}
@ tspan{font-weight:700}@ .f{font-size:12px;text-anchor:start}@ .h{font-style:italic}
@ .k{font-size:10px;text-anchor:start}
@ .x,@ .b{font-weight:700}@ rect{stroke-width:1.5}@ .s,@ .t{stroke-width:2}@ .g{stroke-dasharray:5 3}
@ .w{stroke-width:3;stroke-dasharray:8 3}
@ .e{fill:none;stroke-width:3}@ .e.o{stroke-dasharray:9 3}@ .m{font-weight:700}@ .ln{stroke-width:1}
"""
PAINT = (
    ("@ .p", "fill", "paper"),
    ("@ text", "fill", "ink"),
    ("@ .h,@ .k", "fill", "soft"),
    ("@ .n,@ .g,@ .w", "fill", "card"),
    ("@ .s", "fill", "leaf-card"),
    ("@ .t", "fill", "some"),
    ("@ .t+text,@ .t+text+.k", "fill", "on-some"),
    ("@ .n", "stroke", "line"),
    ("@ .s,@ .g", "stroke", "leaf"),
    ("@ .t,@ .w,@ .e.i", "stroke", "back"),
    ("@ .e.o", "stroke", "wide"),
    ("@ .tip.i", "fill", "back"),
    ("@ .tip.o", "fill", "wide"),
    ("@ .x,@ .m.i", "fill", "on-back"),
    ("@ .m.o", "fill", "on-wide"),
    ("@ .ln", "stroke", "line"),
)


def draw(facts: Unbroadcast) -> Reel:
    """Both panels, one above the other: on the left what has the operand's shape, on the right the result's."""
    small, large = grids.grid(facts.shape), grids.grid(facts.gradient.shape)
    narrow, wide = _width(small, facts.summed_cell), _width(large, facts.backward_cell)
    left = max(grids.size(small, narrow)[0], 150)
    right, tall = grids.size(large, wide)
    tall = max(tall, grids.size(small, narrow)[1])
    at = MARGIN + left + BETWEEN
    own = None if facts.result is None else grids.grid(facts.result.shape)
    own_width = 0 if own is None else _width(own, facts.result_cell)
    width = max(at + max(right, 220) + MARGIN, 560, 2 * MARGIN + (0 if own is None else grids.size(own, own_width)[0]))
    parts: list[str] = []

    def put(which: Grid, cells: Callable[[Index], Cell], size: int, x: int, y: int, head: str) -> None:
        parts.append(f'<text class="f" x="{x}" y="{y - 9}">{head}</text>')
        parts.append(f'<g transform="translate({x} {y})">{grids.draw(which, _typeset(cells), size)}</g>')

    where = words.axes(facts.axes) if facts.axes else ""
    arrow_from, arrow_to = MARGIN + left + 14, at - 14
    down, middle = _middle(small, narrow, tall), tall // 2
    y = MARGIN + HEAD + 16
    parts.append(_text("Forward", MARGIN, MARGIN + 12, "f b"))
    put(small, lambda index: Cell(facts.name(index), kind="s"), narrow, MARGIN, y + down, f"operand {facts.shape}")
    copies = "; dashed: copies" if where else ""
    put(large, facts.forward_cell, wide, at, y, f"in the result {facts.gradient.shape}{copies}")
    parts.append(_arrow(arrow_from, arrow_to, y + middle, True, "stretched" if where else "as it is", where))
    y += tall + 22
    parts.append(f'<path class="ln" d="M{MARGIN} {y}H{width - MARGIN}"/>')
    parts.append(_text("Backward", MARGIN, y + 24, "f b"))
    y += HEAD + 32
    put(small, facts.summed_cell, narrow, MARGIN, y + down, f"its gradient {facts.shape}")
    put(large, facts.backward_cell, wide, at, y, f"gradient that arrives {facts.gradient.shape}")
    over = f"over {where}" if where else ""
    parts.append(_arrow(arrow_from, arrow_to, y + middle, False, "Σ summed" if where else "as it is", over))
    sums = facts.arithmetic(words.TYPESET) if facts.axes else []
    y = _lines(parts, [*sums, *facts.said()], width, y + tall + 14)
    verdict = []
    if own is not None:
        y += 34
        put(own, facts.result_cell, own_width, MARGIN, y, f"<tspan>your result</tspan> {own.shape}")
        y += grids.size(own, own_width)[1] + 8
        y = _lines(parts, [f"✗ {facts.problem}." if facts.problem else "✓ right."], width, y, bold=bool(facts.problem))
        verdict = [f"Your result is wrong: {facts.problem}." if facts.problem else "Your result is right."]
    told = [*facts.said(), *(f"{each}." for each in sums), *verdict]
    frame = Frame({}, " ".join(told), bool(facts.problem))
    return Reel("unbroadcast", facts.title, width, y + MARGIN, "".join(parts), (frame,))


def _width(which: Grid, cells: Callable[[Index], Cell]) -> int:
    return grids.cell_width([cells(index) for index in which.indices()])


def _middle(which: Grid, wide: int, tall: int) -> int:
    """How far down a grid stands beside one that is `tall`."""
    return max(0, (tall - grids.size(which, wide)[1]) // 2)


def _typeset(cells: Callable[[Index], Cell]) -> Callable[[Index], Cell]:
    def cell(index: Index) -> Cell:
        plain = cells(index)
        return Cell(plain.text.replace("-", words.TYPESET.minus), plain.mark, plain.kind)

    return cell


def _arrow(x0: int, x1: int, y: int, forward: bool, above: str, below: str) -> str:
    kind = "o" if forward else "i"
    line = f'<path class="e {kind}" d="M{x0 + (0 if forward else 8)} {y}H{x1 - (8 if forward else 0)}"/>'
    tip = f"M{x1} {y}l-12 -7v14z" if forward else f"M{x0} {y}l12 -7v14z"
    middle = (x0 + x1) // 2
    return (
        f'{line}<path class="tip {kind}" d="{tip}"/>'
        f"{_text(above, middle, y - 10, f'm {kind}')}{_text(below, middle, y + 20, f'm {kind}') if below else ''}"
    )


def _text(said: str, x: int, y: int, kind: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(said)}</text>'


def _lines(parts: list[str], told: list[str], width: int, y: int, bold: bool = False) -> int:
    """Sentences below one another; gives back how far down they went."""
    letters = int((width - 2 * MARGIN) / (7.4 if bold else 6.4))
    for sentence in told:
        for line in textwrap.wrap(sentence, letters, subsequent_indent="   "):
            y += LINE
            parts.append(_text(line, MARGIN, y, "f x" if bold else "f"))
    return y
