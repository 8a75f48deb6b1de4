"""The two panels of the microscope: an operand stretched on the way forward, its gradient summed on the way back."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np

from minitorch.viz.drawing import grids
from minitorch.viz.drawing.grids import Cell, Grid
from minitorch.viz.drawing.reel import Frame, Reel
from minitorch.viz.drawing.theme import Theme
from minitorch.viz.facts import words
from minitorch.viz.facts.model import Shape
from minitorch.viz.facts.unbroadcast import Index, Sums

MARGIN = 18
BETWEEN = 150  # pixels, for the arrow and what stands on it
HEAD = 26  # above a grid
LINE = 18
SUMS = 4  # that are written out
TERMS = 6  # of one sum

Cells = Callable[[Index], Cell]

THEME = Theme(
    form="""\
@ text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:middle}
@ tspan{font-weight:700}@ .f{font-size:12px;text-anchor:start}@ .h{font-style:italic}
@ .k{font-size:10px;text-anchor:start}
@ .x,@ .b{font-weight:700}@ rect{stroke-width:1.5}@ .s,@ .t{stroke-width:2}@ .g{stroke-dasharray:5 3}
@ .w{stroke-width:3;stroke-dasharray:8 3}
@ .e{fill:none;stroke-width:3}@ .e.o{stroke-dasharray:9 3}@ .m{font-weight:700}@ .ln{stroke-width:1}
""",
    paint=(
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
    ),
)


def title(facts: Sums) -> str:
    """What the picture is called."""
    return f"Unbroadcast: {facts.shape} ← {facts.gradient.shape}"


# -- the cells -------------------------------------------------------------------------------------------------------


def _operand(facts: Sums) -> Cells:
    """A place of the operand: the entry's letter."""
    return lambda index: Cell(facts.name(index), kind="s")


def _forward(facts: Sums) -> Cells:
    """A place of the stretched operand: the entry's letter, in brackets for a copy."""

    def cell(index: Index) -> Cell:
        name = facts.name(facts.owner(index))
        return Cell(f"({name})", kind="g") if facts.is_copy(index) else Cell(name, kind="s")

    return cell


def _backward(facts: Sums) -> Cells:
    """A place of the gradient that arrives: its number, and which entry it belongs to."""
    return lambda index: Cell(words.number(float(facts.gradient[index])), facts.name(facts.owner(index)))


def _summed(facts: Sums) -> Cells:
    """A place of the operand's gradient."""
    return lambda index: Cell(words.number(float(facts.expected[index])), facts.name(index), "t")


def _given(facts: Sums, result: np.ndarray) -> Cells:
    """A place of the result that was given; where it can be compared, with a sign."""

    def cell(index: Index) -> Cell:
        number = words.number(float(result[index]))
        if result.shape != facts.shape:
            return Cell(number, kind="n")
        wrong = facts.wrong(index)
        return Cell(f"{number} {'✗' if wrong else '✓'}", kind="w" if wrong else "t")

    return cell


# -- the drawing -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Room:
    """Where everything goes: the grid of the operand's shape on the left, that of the result's on the right.

    narrow, wide: pixels of a cell in either; at: where the right one begins; tall: of the taller one; down: how far
    down the left one stands beside it; own_width: of a cell of the result that was given.
    """

    small: Grid
    large: Grid
    own: Grid | None
    narrow: int
    wide: int
    own_width: int
    at: int
    tall: int
    down: int
    width: int


def draw(facts: Sums) -> Reel:
    """Both panels, one above the other: on the left what has the operand's shape, on the right the result's."""
    room = _room(facts)
    sums = arithmetic(facts, words.TYPESET) if facts.axes else []
    parts = [_text("Forward", MARGIN, MARGIN + 12, "f b")]
    y = MARGIN + HEAD + 16
    parts += _forward_panel(facts, room, y)
    y += room.tall + 22
    parts.append(f'<path class="ln" d="M{MARGIN} {y}H{room.width - MARGIN}"/>')
    parts.append(_text("Backward", MARGIN, y + 24, "f b"))
    y += HEAD + 32
    parts += _backward_panel(facts, room, y)
    y = _lines(parts, [*sums, *facts.said()], room.width, y + room.tall + 14)
    verdict = []
    if facts.result is not None and room.own is not None:
        y = _own_panel(parts, facts, facts.result, room.own, room, y + 34)
        name = facts.result_name[0].upper() + facts.result_name[1:]
        verdict = [f"{name} is wrong: {facts.problem}." if facts.problem else f"{name} is right."]
    told = [*facts.said(), *(f"{each}." for each in sums), *verdict]
    frame = Frame({}, " ".join(told), bool(facts.problem))
    return Reel("unbroadcast", title(facts), room.width, y + MARGIN, "".join(parts), (frame,))


def _room(facts: Sums) -> _Room:
    small, large = grids.grid(facts.shape), grids.grid(facts.gradient.shape)
    narrow, wide = _width(small, _summed(facts)), _width(large, _backward(facts))
    left, low = grids.size(small, narrow)
    right, tall = grids.size(large, wide)
    tall = max(tall, low)
    at = MARGIN + max(left, 150) + BETWEEN
    width = max(at + max(right, 220) + MARGIN, 560)
    own, own_width = None, 0
    if facts.result is not None:
        own = grids.grid(facts.result.shape)
        own_width = _width(own, _given(facts, facts.result))
        width = max(width, 2 * MARGIN + grids.size(own, own_width)[0])
    return _Room(small, large, own, narrow, wide, own_width, at, tall, max(0, (tall - low) // 2), width)


def _forward_panel(facts: Sums, room: _Room, y: int) -> list[str]:
    """The operand, an arrow, and its copies in the result's shape."""
    where = words.axes(facts.axes) if facts.axes else ""
    copies = "; dashed: copies" if where else ""
    return [
        *_grid(room.small, _operand(facts), room.narrow, (MARGIN, y + room.down), f"operand {facts.shape}"),
        *_grid(room.large, _forward(facts), room.wide, (room.at, y), f"in the result {facts.gradient.shape}{copies}"),
        _arrow(room, y, True, "stretched" if where else "as it is", where),
    ]


def _backward_panel(facts: Sums, room: _Room, y: int) -> list[str]:
    """The gradient that arrives, an arrow to the left, and its sums in the operand's shape."""
    over = f"over {words.axes(facts.axes)}" if facts.axes else ""
    arrives = f"gradient that arrives {facts.gradient.shape}"
    return [
        *_grid(room.small, _summed(facts), room.narrow, (MARGIN, y + room.down), f"its gradient {facts.shape}"),
        *_grid(room.large, _backward(facts), room.wide, (room.at, y), arrives),
        _arrow(room, y, False, "Σ summed" if over else "as it is", over),
    ]


def _own_panel(parts: list[str], facts: Sums, result: np.ndarray, own: Grid, room: _Room, y: int) -> int:
    """The result that was given, and what is wrong with it; gives back how far down they went."""
    parts += _grid(
        own,
        _given(facts, result),
        room.own_width,
        (MARGIN, y),
        f"<tspan>{escape(facts.result_name)}</tspan> {own.shape}",
    )
    y += grids.size(own, room.own_width)[1] + 8
    said = f"✗ {facts.problem}." if facts.problem else "✓ right."
    return _lines(parts, [said], room.width, y, bold=bool(facts.problem))


def _grid(which: Grid, cells: Cells, wide: int, corner: tuple[int, int], head: str) -> list[str]:
    """A grid with its upper left corner there, and a line above it."""
    x, y = corner
    return [
        f'<text class="f" x="{x}" y="{y - 9}">{head}</text>',
        f'<g transform="translate({x} {y})">{grids.draw(which, _typeset(cells), wide)}</g>',
    ]


def _width(which: Grid, cells: Cells) -> int:
    return grids.cell_width([cells(index) for index in which.indices()])


def _typeset(cells: Cells) -> Cells:
    def cell(index: Index) -> Cell:
        plain = cells(index)
        return Cell(plain.text.replace("-", words.TYPESET.minus), plain.mark, plain.kind)

    return cell


def _arrow(room: _Room, y: int, forward: bool, above: str, below: str) -> str:
    """Between two grids, with a word above and one below. Forward to the right, backward to the left."""
    x0, x1, y = room.at - BETWEEN + 14, room.at - 14, y + room.tall // 2
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


# -- as text ---------------------------------------------------------------------------------------------------------


def arithmetic(facts: Sums, signs: words.Signs = words.ASCII) -> list[str]:
    """The first sums, written out: "a: 1 + 4 + 7 + 10 = 22"."""
    found = []
    for index in grids.grid(facts.shape).indices()[:SUMS]:
        terms = facts.terms(index)
        said = [words.number(term, signs) for term in terms[:TERMS]]
        if len(terms) > TERMS:
            said = [*said[:-1], f"… {len(terms) - TERMS + 1} more"]
        total = words.number(float(facts.expected[index]), signs)
        whole = f"{' + '.join(said) or '0'} = {total}" if facts.axes else total
        found.append(f"{facts.name(index)}: {whole}")
    if facts.expected.size > len(found) > 0:
        found.append(f"… and {facts.expected.size - len(found):,} more")
    return found


def listing(facts: Sums, limit: int | None) -> str:
    """Both panels, the sums and the verdict as lines."""
    found = [*facts.said(), "", "forward, copies in brackets", *_rows(facts.gradient.shape, _forward(facts))]
    found += ["", f"gradient that arrives {facts.gradient.shape}", *_rows(facts.gradient.shape, _backward(facts))]
    found += ["", "sums", *(f"  {line}" for line in arithmetic(facts))]
    found += ["", f"gradient of the operand {facts.shape}", *_rows(facts.shape, _summed(facts))]
    if facts.result is not None:
        shape = facts.result.shape
        found += ["", f"{facts.result_name} {shape}", *_rows(shape, _given(facts, facts.result))]
        found.append(f"WRONG: {facts.problem}" if facts.problem else "right")
    return "\n".join(found if limit is None else found[:limit])


def _rows(shape: Shape, cells: Cells) -> list[str]:
    return [f"  {line}" for line in grids.lines(grids.grid(shape), cells)]
