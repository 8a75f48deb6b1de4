"""The drawing of a replayed step: its calls from top to bottom, and beside them a lane for each piece of memory."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from minitorch.language import N_, gettext
from minitorch.viz.drawing import svg
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.text import aligned
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.facts.counting import counted, grouped
from minitorch.viz.facts.memory import size
from minitorch.viz.facts.program import Place, Replayed, Row

EDGE, LINE = 18, 16  # pixels around everything; of a row
HEAD = 104  # above the first row: the title, and how many bytes a place has
MONO, LONGEST = 6.7, 56  # pixels of a letter of code, and how many letters of a line are shown
LANE, GAP = 44, 4  # pixels of a lane at least, and between two
MOST_LETTERS, FEW_LETTERS, FEW_PLACES = 14, 7, 12  # of a name: fewer, where there are more places than a few
MOST_PLACES, MOST_ROWS = 22, 160
BAR = 5  # of the part of the step, before the code
COLUMNS = N_("line"), N_("call"), N_("operation"), N_("memory")
PARTS = {"forward": N_("forward"), "backward": N_("backward"), "update": N_("gradients and update")}

Block = tuple[int, int, bool]
"""The first and the last row of a result in its memory, and whether it lives on."""

THEME = Theme(
    form="""\
@ text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
@ .h{font-weight:700;font-size:14px}@ .s{font-size:10px}@ .n{text-anchor:middle}
@ .c{font:11px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}@ .f{font-size:12px}
@ .b{stroke-width:1}@ .g{stroke-width:1;opacity:.3}
""",
    paint=(
        *PAPER,
        ("@ .a", "fill", "soft"),
        ("@ .g", "stroke", "line"),
        ("@ .forward", "fill", "op"),
        ("@ .backward", "fill", "back"),
        ("@ .update", "fill", "leaf"),
        ("@ .b", "stroke", "line"),
        ("@ .b", "fill", "freed"),
        ("@ .k", "fill", "leaf-card"),
        ("@ .k", "stroke", "leaf"),
    ),
)


def title(facts: Replayed) -> str:
    """What the picture is called."""
    return gettext("A step, replayed: {calls}", calls=_calls(len(facts.lines)))


def told(facts: Replayed) -> str:
    """The picture in words."""
    parts = [line.part for line in facts.lines]
    sentences = [
        gettext(
            "{calls}: {forward} forward, {backward} backward, {update} for gradients and the update.",
            calls=_calls(len(parts)),
            **{part: grouped(parts.count(part)) for part in PARTS},
        )
    ]
    if facts.places:
        sentences.append(
            gettext(
                "{results} results lie in {places} pieces of memory, {size} in all.",
                results=grouped(facts.results),
                places=grouped(len(facts.places)),
                size=size(facts.nbytes),
            )
        )
        number, most = max(enumerate(facts.places, start=1), key=lambda each: (len(each[1].stays), -each[0]))
        if len(most.stays) > 1:
            names = ", ".join(stay.name for stay in most.stays[:8]) + ("…" if len(most.stays) > 8 else "")
            sentences.append(
                gettext("Piece {piece} is used most often: {names}, one after the other.", piece=number, names=names)
            )
    return " ".join(sentences)


def listing(facts: Replayed, limit: int | None) -> str:
    """Each line with its operation, and the numbers of the places that it writes a result into."""
    columns = [gettext(key) for key in COLUMNS]
    rows = [
        [str(number + 1), line.code, line.operation, ", ".join(map(str, facts.written(number)))]
        for number, line in enumerate(facts.lines)
    ]
    lines = aligned([columns, *rows], numbers=(columns[0],))
    if limit is not None and len(lines) > limit:
        left = len(lines) - limit
        lines = [*lines[:limit], gettext("… and {count} more lines", count=grouped(left))]
    return "\n".join([title(facts), *lines, told(facts)])


def draw(facts: Replayed) -> str:
    """The picture as an SVG document."""
    rows, places, notes = _drawn(facts)
    name = f"mtp{hashlib.sha256(listing(facts, None).encode()).hexdigest()[:8]}"
    texts = [_row_text(facts, row) for row in rows]
    code = EDGE + BAR + 8
    left = code + round(MONO * max((len(text) for text, _ in texts), default=0)) + 16
    operation = max((text_width(label, 12) for _, label in texts), default=0)
    lanes = left + round(operation) + (18 if operation else 0)
    letters = MOST_LETTERS if len(places) <= FEW_PLACES else FEW_LETTERS
    blocks = [_blocks(place, rows, letters) for _, place in places]
    widths = [_lane_width(each) for each in blocks]
    width = max(lanes + sum(widths) + EDGE, 560)
    said = svg.wrapped(told(facts), width) + [line for note in notes for line in svg.wrapped(note, width)]
    bottom = HEAD + LINE * len(rows)
    parts = [f'<text class="h" x="{EDGE}" y="28">{escape(title(facts))}</text>', *_legend(facts, width)]
    parts += _lanes(places, blocks, widths, lanes, bottom)
    for number, (row, (text, label)) in enumerate(zip(rows, texts, strict=True)):
        y = HEAD + LINE * number
        part = facts.lines[row.first].part
        parts.append(f'<rect class="{part}" x="{EDGE}" y="{y + 1}" width="{BAR}" height="{LINE - 2}"/>')
        parts.append(f'<text class="c" x="{code}" y="{y + 12}" xml:space="preserve">{escape(text)}</text>')
        parts.append(f'<text class="a" x="{left}" y="{y + 12}">{escape(label)}</text>')
    parts += svg.captions(said, bottom + 24)
    height = bottom + 24 + svg.CAPTION * len(said)
    return svg.document(name, title(facts), told(facts), (width, height), THEME.sheet(name), parts)


def _drawn(facts: Replayed) -> tuple[Sequence[Row], list[tuple[int, Place]], list[str]]:
    """The rows and the numbered places that there is room for, and what is said of the others."""
    rows, notes = facts.rows(), []
    numbered = list(enumerate(facts.places, start=1))
    if len(rows) > MOST_ROWS:
        notes.append(
            gettext("Not drawn: the last {rows} rows; the text has all of them.", rows=grouped(len(rows) - MOST_ROWS))
        )
        rows = rows[:MOST_ROWS]
    if len(numbered) > MOST_PLACES:
        notes.append(
            gettext(
                "Not drawn: {places} smaller pieces of memory; the text has all of them.",
                places=grouped(len(numbered) - MOST_PLACES),
            )
        )
        numbered = sorted(sorted(numbered, key=lambda each: -each[1].nbytes)[:MOST_PLACES])
    return rows, numbered, notes


def _row_text(facts: Replayed, row: Row) -> tuple[str, str]:
    """The code and the operation of a row; of several lines, the operation and how many they are."""
    line = facts.lines[row.first]
    if row.first == row.last:
        return (line.code if len(line.code) <= LONGEST else f"{line.code[: LONGEST - 1]}…"), line.operation
    calls = _calls(row.last - row.first + 1)
    return gettext("{operation} · {calls}", operation=line.operation or gettext(PARTS[line.part]), calls=calls), ""


def _legend(facts: Replayed, width: int) -> list[str]:
    parts, x = [], float(EDGE)
    for part, key in PARTS.items():
        if any(line.part == part for line in facts.lines):
            said = gettext(key)
            parts.append(f'<rect class="{part}" x="{x:g}" y="43" width="{BAR}" height="14"/>')
            parts.append(f'<text x="{x + BAR + 6:g}" y="54">{escape(said)}</text>')
            x += BAR + 6 + round(text_width(said, 12)) + 18
    for looks, key in (("b", N_("memory that stays")), ("b k", N_("it lives on after the step"))):
        if facts.places:
            said = gettext(key)
            if x + 20 + text_width(said, 12) > width - EDGE:
                break
            parts.append(f'<rect class="{looks}" x="{x:g}" y="43" width="14" height="14" rx="3"/>')
            parts.append(f'<text x="{x + 20:g}" y="54">{escape(said)}</text>')
            x += 20 + round(text_width(said, 12)) + 18
    return parts


def _lanes(
    places: Sequence[tuple[int, Place]],
    blocks: Sequence[Mapping[Block, str]],
    widths: Sequence[int],
    left: int,
    bottom: int,
) -> list[str]:
    """A lane for each place: its number, its bytes, and a block for each result, as long as it is needed."""
    parts = []
    lefts = itertools.accumulate(widths, initial=left)
    for (number, place), within, width, x in zip(places, blocks, widths, lefts, strict=False):
        middle = x + (width - GAP) / 2
        parts.append(f'<text class="s n" x="{middle:g}" y="{HEAD - 18}">{number}</text>')
        parts.append(f'<text class="s n a" x="{middle:g}" y="{HEAD - 6}">{escape(size(place.nbytes))}</text>')
        parts.append(f'<path class="g" d="M{middle:g} {HEAD}V{bottom}"/>')
        for (top, end, kept), said in within.items():
            y, tall = HEAD + LINE * top + 1, LINE * (end - top + 1) - 2
            parts.append(
                f'<rect class="{"b k" if kept else "b"}" x="{x}" y="{y}" width="{width - GAP}" height="{tall}" rx="3"/>'
                f'<text class="s n" x="{middle:g}" y="{y + 11}">{escape(said)}</text>'
            )
    return parts


def _lane_width(blocks: Mapping[Block, str]) -> int:
    """So wide that what stands in the blocks fits."""
    return max(LANE, round(max((text_width(said, 10) for said in blocks.values()), default=0)) + GAP + 8)


def _blocks(place: Place, rows: Sequence[Row], letters: int) -> dict[Block, str]:
    """From which row to which the results in a place are needed, and their name; those of the same rows are one."""
    at = {line: number for number, row in enumerate(rows) for line in range(row.first, row.last + 1)}
    begins = {at[stay.first] for stay in place.stays if stay.first in at}
    found: dict[Block, list[str]] = {}
    for stay in place.stays:
        if stay.first in at:
            top, end = at[stay.first], at.get(stay.last, len(rows) - 1)
            if end in begins and end > top:  # what reads it last writes over it
                end -= 1
            found.setdefault((top, end, stay.kept), []).append(stay.name)
    return {block: _said(names, letters) for block, names in found.items()}


def _said(names: Sequence[str], letters: int) -> str:
    if len(names) > 1:
        return f"{len(names)}×"
    return names[0] if len(names[0]) <= letters else f"{names[0][: letters - 1]}…"


def _calls(count: int) -> str:
    return counted("1 call", "{count} calls", count)
