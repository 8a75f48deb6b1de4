"""The two panels of a microscope: an operand's numbers go into a result, its gradient's numbers come back from there.

In a player they move: the operand is stretched or rearranged, a gradient arrives, and entry by entry it comes back.
Where nothing may move, or nothing can, each step shows where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np

from minitorch.language import N_, gettext
from minitorch.viz.drawing import grids
from minitorch.viz.drawing.grids import Cell, Grid
from minitorch.viz.drawing.reel import Frame, Reel, place
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.svg import broken
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.facts import words
from minitorch.viz.facts.counting import grouped
from minitorch.viz.facts.model import Shape
from minitorch.viz.facts.routes import Index, Routes

MARGIN = 18
BETWEEN = 150  # pixels, for the arrow and what stands on it
SPARE = 18  # above the panels; between them, on both sides of the line together, and below them
HEAD = 26  # above a grid
LINE = 18
SUMS = 4  # that are written out
TERMS = 6  # of one sum
ONE_BY_ONE = 6  # entries that come back each in a step of its own

Cells = Callable[[Index], Cell]

THEME = Theme(
    form="""\
@ text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:middle}
@ tspan{font-weight:700}@ .f{font-size:12px;text-anchor:start}@ .h{font-style:italic}
@ .k{font-size:11px;text-anchor:start}
@ .x,@ .b{font-weight:700}@ rect{stroke-width:1.5}@ .s,@ .t{stroke-width:2}@ .g{stroke-dasharray:5 3}
@ .w{stroke-width:3;stroke-dasharray:8 3}@ .q,@ .u{stroke-dasharray:2 4}@ .gone{display:none}
@ .e{fill:none;stroke-width:3}@ .e.o{stroke-dasharray:9 3}@ .m{font-weight:700}@ .ln{stroke-width:1}
""",
    paint=(
        *PAPER,
        ("@ .h,@ .k", "fill", "soft"),
        ("@ .n,@ .g,@ .w,@ .q,@ .u", "fill", "card"),
        ("@ .s", "fill", "leaf-card"),
        ("@ .t", "fill", "some"),
        ("@ .t+text,@ .t+text+.k", "fill", "on-some"),
        ("@ .n,@ .q,@ .u", "stroke", "line"),
        ("@ .s,@ .g", "stroke", "leaf"),
        ("@ .t,@ .w,@ .e.i", "stroke", "back"),
        ("@ .e.o", "stroke", "wide"),
        ("@ .tip.i", "fill", "back"),
        ("@ .tip.o", "fill", "wide"),
        ("@ .x,@ .m.i", "fill", "on-back"),
        ("@ .m.o", "fill", "on-wide"),
        ("@ .ln", "stroke", "line"),
    ),
    motion="""\
@media(prefers-reduced-motion:no-preference){
.mv{animation:mv .7s ease-out}svg .gone{display:inline;animation:gone .8s ease-in forwards}}
@keyframes mv{from{transform:translate(var(--dx),var(--dy))}}
@keyframes gone{to{transform:translate(var(--dx),var(--dy));opacity:0}}
""",
)


# -- the cells -------------------------------------------------------------------------------------------------------


def _operand(facts: Routes) -> Cells:
    """A place of the operand: the entry's letter."""
    return lambda index: Cell(facts.name(index), kind="s")


def _forward(facts: Routes) -> Cells:
    """A place of the result: the entry's letter, in brackets for a copy."""

    def cell(index: Index) -> Cell:
        name = facts.name(facts.owner(index))
        return Cell(f"({name})", kind="g") if facts.is_copy(index) else Cell(name, kind="s")

    return cell


def _backward(facts: Routes, lit: Index | None = None) -> Cells:
    """A place of the gradient that arrives: its number, and whose it is. lit: the entry that is looked at."""

    def cell(index: Index) -> Cell:
        number, owner = float(facts.gradient[index]), facts.owner(index)
        kind = "w" if not np.isfinite(number) else "t" if owner == lit else "n"
        return Cell(words.number(number), facts.name(owner), kind)

    return cell


def _summed(facts: Routes, known: frozenset[Index] | None = None) -> Cells:
    """A place of the operand's gradient. known: the entries that have come back; all of them if None."""

    def cell(index: Index) -> Cell:
        if known is not None and index not in known:
            return Cell("", facts.name(index), "q")
        number = float(facts.expected[index])
        kind = "w" if not np.isfinite(number) else "t" if facts.terms(index) or facts.gradient.size == 0 else "u"
        return Cell(words.number(number), facts.name(index), kind)

    return cell


def _given(facts: Routes, result: np.ndarray) -> Cells:
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
    down the left one stands beside it; own_width: of a cell of the result that was given; forward, backward: how far
    down the panels are.
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
    spare: int
    forward: int
    backward: int

    def way(self, small: Index, large: Index) -> grids.Spot | None:
        """From a cell on the right to one on the left, None where either is left out."""
        left, right = grids.spots(self.small, self.narrow), grids.spots(self.large, self.wide)
        if small not in left or large not in right:
            return None
        x, y = left[small]
        return MARGIN + x - self.at - right[large][0], self.down + y - right[large][1]


def draw(facts: Routes, kind: str, written: bool = True) -> Reel:
    """Both panels, one above the other, and what happens in them step by step.

    kind: what the reel is called. written: whether at the end the sums and sentences stand in the drawing; on a slide
    the words stand beside it.
    """
    room = _room(facts, SPARE if written else 0)
    operand = gettext("operand {shape}", shape=facts.shape)
    line = room.forward + room.tall + 13 + room.spare // 2
    shell = [
        _text(gettext("Forward"), MARGIN, 12 + room.spare, "f b"),
        _grid(room.small, _operand(facts), room.narrow, (MARGIN, room.forward + room.down), operand),
        place("forward"),
        f'<path class="ln" d="M{MARGIN} {line}H{room.width - MARGIN}"/>',
        _text(gettext("Backward"), MARGIN, line + 24, "f b"),
        *map(place, ("arrives", "comes", "moves", "lines")),
    ]
    end, y = _end(facts, room, written)
    frames = (*_steps(facts, room), end)
    return Reel(kind, facts.title, room.width, y + max(room.spare, 4), "".join(shell), frames)


def _steps(facts: Routes, room: _Room) -> Iterator[Frame]:
    """The operand alone; its numbers in the result; a gradient; what comes back, entry by entry."""
    copies = any(facts.is_copy(index) for index in room.large.indices())
    head = gettext(
        "in the result {shape}; dashed: copies" if copies else "in the result {shape}", shape=facts.gradient.shape
    )
    empty = _grid(room.large, lambda _: Cell("", kind="q"), room.wide, (room.at, room.forward), head)
    yield Frame({"forward": empty}, gettext("The operand {shape}: each entry has a letter.", shape=facts.shape))

    def came(index: Index) -> grids.Spot | None:
        return room.way(facts.owner(index), index)

    forward = _forward_panel(facts, room, head)
    moving = _forward_panel(facts, room, head, came)
    yield Frame({"forward": moving}, facts.said()[0])
    arrives = {"forward": forward, "arrives": _arriving(facts, room), "comes": _coming(facts, room, frozenset())}
    yield Frame(
        arrives,
        words.typeset(
            gettext(
                "Backward: a gradient {have} arrives; the letters say whose each number is.", have=facts.gradient.shape
            )
        ),
    )
    entries = [index for index in room.small.indices() if facts.gradient.size]
    known: list[Index] = []
    for entry in entries[:ONE_BY_ONE]:
        known.append(entry)
        places = {"forward": forward, "arrives": _arriving(facts, room, entry)}
        places |= {"comes": _coming(facts, room, frozenset(known)), "moves": _leaving(facts, room, {entry})}
        yield Frame(places, gettext("Backward, {sum}.", sum=words.typeset(_sum(facts, entry, words.ASCII))))
    if len(entries) > ONE_BY_ONE:
        rest = set(entries[ONE_BY_ONE:])
        places = {"forward": forward, "arrives": _arriving(facts, room), "comes": _coming(facts, room, None)}
        yield Frame({**places, "moves": _leaving(facts, room, rest)}, gettext("Backward, all others in the same way."))


def _end(facts: Routes, room: _Room, written: bool) -> tuple[Frame, int]:
    """All of it, with the sums and the verdict; and how far down it goes."""
    copies = any(facts.is_copy(index) for index in room.large.indices())
    head = gettext(
        "in the result {shape}; dashed: copies" if copies else "in the result {shape}", shape=facts.gradient.shape
    )
    sums = arithmetic(facts, words.TYPESET) if facts.adds else []
    parts: list[str] = []
    said = [*facts.said(), *facts.troubles()]
    y = room.backward + room.tall
    if written:
        y = _lines(parts, [*sums, *said], room.width, y + 14)
    verdict = []
    if facts.is_judged:
        name = facts.result_name[0].upper() + facts.result_name[1:]
        key = N_("{name} is wrong: {problem}.") if facts.problem else N_("{name} is right.")
        verdict = [gettext(key, name=name, problem=facts.problem)]
        y = _own_panel(parts, facts, room, y + 34, written)
    told = " ".join([*verdict, *said, *(f"{each}." for each in sums)])
    places = {"forward": _forward_panel(facts, room, head), "arrives": _arriving(facts, room)}
    places |= {"comes": _coming(facts, room, None), "lines": "".join(parts)}
    if written:
        return Frame(places, told, bool(facts.problem)), y
    brief = [*facts.troubles(), *verdict] if facts.is_judged else said[1:]
    return Frame(places, " ".join(brief), bool(facts.problem), told), y


def _room(facts: Routes, spare: int) -> _Room:
    small, large = grids.grid(facts.shape), grids.grid(facts.gradient.shape)
    narrow, wide = _width(small, _summed(facts)), _width(large, _backward(facts))
    left, low = grids.size(small, narrow)
    right, tall = grids.size(large, wide)
    tall = max(tall, low)
    at = MARGIN + max(left, 150) + BETWEEN
    heads = (N_("in the result {shape}; dashed: copies"), N_("gradient that arrives {shape}"))
    widest = max(text_width(gettext(key, shape=facts.gradient.shape), 12) for key in heads)
    width = max(at + max(right, round(widest)) + MARGIN, 560)
    own, own_width = None, 0
    if facts.result is not None:
        own = grids.grid(facts.result.shape)
        own_width = _width(own, _given(facts, facts.result))
        width = max(width, 2 * MARGIN + grids.size(own, own_width)[0])
    forward = HEAD + 16 + spare
    backward = forward + tall + HEAD + 36 + spare
    down = max(0, (tall - low) // 2)
    return _Room(small, large, own, narrow, wide, own_width, at, tall, down, width, spare, forward, backward)


def _forward_panel(
    facts: Routes, room: _Room, head: str, comes: Callable[[Index], grids.Spot | None] = lambda _: None
) -> str:
    """An arrow, and the operand's numbers in the result's shape."""
    (above, below), _ = facts.arrows()
    grid = _grid(room.large, _forward(facts), room.wide, (room.at, room.forward), head, comes)
    return f"{grid}{_arrow(room, room.forward, True, above, below)}"


def _arriving(facts: Routes, room: _Room, lit: Index | None = None) -> str:
    """The gradient that arrives, and an arrow to the left."""
    _, (above, below) = facts.arrows()
    head = gettext("gradient that arrives {shape}", shape=facts.gradient.shape)
    grid = _grid(room.large, _backward(facts, lit), room.wide, (room.at, room.backward), head)
    return f"{grid}{_arrow(room, room.backward, False, above, below)}"


def _coming(facts: Routes, room: _Room, known: frozenset[Index] | None) -> str:
    """What has come back to the operand."""
    corner = MARGIN, room.backward + room.down
    return _grid(
        room.small, _summed(facts, known), room.narrow, corner, gettext("its gradient {shape}", shape=facts.shape)
    )


def _leaving(facts: Routes, room: _Room, entries: set[Index]) -> str:
    """The numbers that are on their way back to some entries. They are seen only where they can move."""
    found = []
    for index, (x, y) in grids.spots(room.large, room.wide).items():
        owner = facts.owner(index)
        way = room.way(owner, index) if owner in entries else None
        if way is not None:
            cell = _typeset(_backward(facts, owner))(index)
            found.append(grids.moving("gone", grids.draw_cell(cell, room.at + x, room.backward + y, room.wide), way))
    return "".join(found)


def _own_panel(parts: list[str], facts: Routes, room: _Room, y: int, written: bool) -> int:
    """The result that was given, and what is wrong with it; gives back how far down they went."""
    shape = "" if room.own is None else f" {room.own.shape}"
    head = f'<text class="f" x="{MARGIN}" y="{y - 9}"><tspan>{escape(facts.result_name)}</tspan>{shape}</text>'
    parts.append(head)
    if facts.result is not None and room.own is not None:
        drawn = grids.draw(room.own, _typeset(_given(facts, facts.result)), room.own_width)
        parts.append(f'<g transform="translate({MARGIN} {y})">{drawn}</g>')
        y += grids.size(room.own, room.own_width)[1] + 8
    if not written:
        return y
    said = gettext("✗ {problem}.", problem=facts.problem) if facts.problem else gettext("✓ right.")
    return _lines(parts, [said], room.width, y, bold=bool(facts.problem))


def _grid(
    which: Grid,
    cells: Cells,
    wide: int,
    corner: tuple[int, int],
    head: str,
    comes: Callable[[Index], grids.Spot | None] = lambda _: None,
) -> str:
    """A grid with its upper left corner there, and a line above it."""
    x, y = corner
    drawn = grids.draw(which, _typeset(cells), wide, comes)
    return f'{_text(head, x, y - 9, "f")}<g transform="translate({x} {y})">{drawn}</g>'


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
        for line in broken(sentence, letters, "   "):
            y += LINE
            parts.append(_text(line, MARGIN, y, "f x" if bold else "f"))
    return y


# -- as text ---------------------------------------------------------------------------------------------------------


def arithmetic(facts: Routes, signs: words.Signs = words.ASCII) -> list[str]:
    """The first sums, written out: "a: 1 + 4 + 7 + 10 = 22"."""
    found = [_sum(facts, index, signs) for index in grids.grid(facts.shape).indices()[:SUMS]]
    if facts.expected.size > len(found) > 0:
        found.append(gettext("… and {count} more", count=grouped(facts.expected.size - len(found))))
    return found


def _sum(facts: Routes, index: Index, signs: words.Signs) -> str:
    """What one entry gets: "a: 1 + 4 = 5"."""
    terms = facts.terms(index)
    said = [words.number(term, signs) for term in terms[:TERMS]]
    if len(terms) > TERMS:
        said = [*said[:-1], gettext("… {count} more", count=len(terms) - TERMS + 1)]
    total = words.number(float(facts.expected[index]), signs)
    return f"{facts.name(index)}: {' + '.join(said)} = {total}" if len(terms) > 1 else f"{facts.name(index)}: {total}"


def listing(facts: Routes, limit: int | None) -> str:
    """Both panels, the sums and the verdict as lines."""
    found = [*facts.said(), *facts.troubles(), ""]
    found += [gettext("forward, copies in brackets"), *_rows(facts.gradient.shape, _forward(facts))]
    found += [
        "",
        gettext("gradient that arrives {shape}", shape=facts.gradient.shape),
        *_rows(facts.gradient.shape, _backward(facts)),
    ]
    found += ["", gettext("sums"), *(f"  {line}" for line in arithmetic(facts))]
    found += ["", gettext("gradient of the operand {shape}", shape=facts.shape), *_rows(facts.shape, _summed(facts))]
    if facts.result is not None:
        shape = facts.result.shape
        found += ["", f"{facts.result_name} {shape}", *_rows(shape, _given(facts, facts.result))]
    elif facts.failure:
        found += ["", facts.result_name]
    if facts.is_judged:
        found.append(gettext("WRONG: {problem}", problem=facts.problem) if facts.problem else gettext("right"))
    return "\n".join(found if limit is None else found[:limit])


def _rows(shape: Shape, cells: Cells) -> list[str]:
    return [f"  {line}" for line in grids.lines(grids.grid(shape), cells)]
