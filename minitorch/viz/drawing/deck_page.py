"""Pages: one step of a lecture as a drawing of 1920 × 1080 pixels, for print and for other slide programs.

What is on it and where is as static/lecture.js has it on the screen: words above the picture or beside it, whichever
leaves it larger; letters of 24 pixels at least; and of a picture that is too large for that, the place of what happens.
Where nothing happens, or in more than a page can show, the step has a page for each part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from minitorch.viz.drawing import svg
from minitorch.viz.drawing.deck import Shown, Stop
from minitorch.viz.drawing.moments import Rect
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.theme import Theme

WIDE, HIGH = 1920, 1080
EDGE, GAP, FOOT = 40, 28, 44
LEAST, MOST = 24, 44  # pixels of the smallest letters
SPARE = 30  # around what happens, in the picture's own pixels
BOX = (130, 70)  # of a node, likewise
BESIDE = (0, 620, 460)  # of words beside a picture, 0 where they stand above it; of what is equally good the first

THEME = Theme(
    form="""\
@ text.lh{font:700 46px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:start}
@ text.ls{font:34px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:start}
@ text.lb{font:700 34px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:start}
@ text.lt{font:700 76px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:start}
@ text.lc{font:34px ui-monospace,monospace;text-anchor:start;white-space:pre}
@ text.ln{font:24px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:end}
""",
    paint=(
        ("@>.p", "fill", "paper"),
        ("@ text.lh,@ text.ls,@ text.lb,@ text.lt,@ text.lc", "fill", "ink"),
        ("@ text.ln", "fill", "soft"),
    ),
)
_PINNED = re.compile(r'(<g data-pinned="1")>(<rect class="p")')  # what stays in sight, from its upper edge on
_SIZES = {"lt": 76, "lh": 46, "ls": 34, "lb": 34, "lc": 34}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of words, and how it looks."""

    look: str
    said: str

    @property
    def height(self) -> int:
        """Pixels from the line above to the next one."""
        return round(_SIZES[self.look] * 1.3)


def pages(slide: Shown, stop: Stop, number: str, colours: Mapping[str, str] | None) -> Iterator[str]:
    """One stop as SVG documents in these colours; light or dark as the reader's system is if None.

    number: what stands in the corner; where there are several, with which of them it is.
    """
    if stop.moment is None:
        lines = list(_words(slide, stop, WIDE - 2 * EDGE))
        top = max(EDGE, (HIGH - sum(line.height for line in lines)) // 2)
        yield _page(slide, number, colours, _lines(lines, top), " ".join(line.said for line in lines))
        return
    moment, (rail, room, scale) = slide.moments[stop.moment], _arranged(slide)
    words = _lines(list(_words(slide, stop, rail or WIDE - 2 * EDGE)), EDGE)
    focus = slide.moments[stop.moment if stop.looks is None else stop.looks].focus
    still = moment.still
    seen = room[2] / scale, room[3] / scale
    size = still.width, still.height
    if focus is None and size in [(each.still.width, each.still.height) for each in slide.moments if each.focus]:
        focus = (0, 0, 0, 0)  # before something happens in it
    places = list(_parts(size, seen, focus))
    for part, place in enumerate(places, start=1):
        which = f"{number} · {part}/{len(places)}" if len(places) > 1 else number
        group, defs = _placed(_name(which), still.name, still.group(colours), room, scale, place)
        yield _page(slide, which, colours, [*words, group], f"{stop.says} {moment.told}", defs)


def _name(number: str) -> str:
    return f"ml{'_'.join(re.findall('[0-9]+', number))}"


def _page(
    slide: Shown, number: str, colours: Mapping[str, str] | None, drawn: list[str], told: str, defs: str = ""
) -> str:
    name = _name(number)
    corner = f'<text class="ln" x="{WIDE - EDGE}" y="{HIGH - 18}">{escape(number)}</text>'
    sheet = THEME.sheet(name) if colours is None else THEME.sheet_in(name, colours)
    return svg.document(
        name, slide.heading or slide.question, told.strip(), (WIDE, HIGH), sheet, [*drawn, corner], defs
    )


def _arranged(slide: Shown) -> tuple[int, Rect, float]:
    """How wide words stand beside the pictures of a slide, 0 for above them; their room, and how large they are.

    It is the same for all steps of a slide, so that nothing moves from one page to the next.
    """
    needed = LEAST / slide.least
    sizes = {(moment.still.width, moment.still.height) for moment in slide.moments}
    rooms = {rail: _room(slide, rail) for rail in BESIDE}
    rail = max(BESIDE, key=lambda each: _worth(rooms[each], sizes, needed, MOST / slide.least))
    wide, high = rooms[rail][2:]
    return rail, rooms[rail], max(min(*(min(wide / w, high / h) for w, h in sizes), MOST / slide.least), needed)


def _room(slide: Shown, rail: int) -> Rect:
    """What words leave to the pictures; no height where they need all of it themselves."""
    said = [_words(slide, stop, rail or WIDE - 2 * EDGE) for stop in slide.stops if stop.moment is not None]
    words = max(sum(line.height for line in lines) for lines in said)
    if not rail:
        return GAP // 2, EDGE + words + GAP, WIDE - GAP, max(HIGH - EDGE - words - GAP - FOOT, 0)
    left = EDGE + rail + GAP
    return left, EDGE, WIDE - EDGE - left, HIGH - 2 * EDGE if words <= HIGH - 2 * EDGE else 0


def _words(slide: Shown, stop: Stop, wide: int) -> Iterator[Line]:
    if stop.kind in ("question", "answer"):
        yield from _wrapped("lh", slide.question, wide)
        yield Line("ls", "")
        yield from (Line("lc", line) for line in slide.code.splitlines())
        yield Line("ls", "")
        for letter, (text, right) in zip("ABCDEFGH", slide.choices, strict=False):
            told = stop.kind == "answer" and right
            yield from _wrapped("lb" if told else "ls", f"{letter}. {text}{'  ✓' if told else ''}", wide)
        if stop.kind == "answer":
            yield Line("ls", "")
            for said in slide.answer.splitlines():
                yield from _wrapped("ls", said, wide)
        return
    yield from _wrapped("lh" if slide.moments else "lt", slide.heading, wide)
    for line in stop.says.splitlines():
        yield from _wrapped("ls", line, wide)


def _wrapped(look: str, said: str, wide: int) -> Iterator[Line]:
    """The words on lines that are no wider than that."""
    line = ""
    for word in said.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, _SIZES[look]) > wide:
            yield Line(look, line)
            longer = word
        line = longer
    if line:
        yield Line(look, line)


def _lines(lines: Sequence[Line], top: int) -> list[str]:
    found = []
    for line in lines:
        top += line.height
        baseline = top - round(line.height * 0.28)
        if line.said:
            found.append(f'<text class="{line.look}" x="{EDGE}" y="{baseline}">{escape(line.said)}</text>')
    return found


def _placed(name: str, inner: str, drawn: str, room: Rect, scale: float, place: tuple[float, float]) -> tuple[str, str]:
    """The picture in its room, from that place on, and what keeps it in there."""
    x, y, wide, high = room
    left, top = place
    drawn = _PINNED.sub(lambda found: f'{found[1]} transform="translate(0 {max(0, round(top))})">{found[2]}', drawn)
    moved = f"translate({x - left * scale:.2f} {y - top * scale:.2f}) scale({scale:.4f})"
    clip = f'<defs><clipPath id="{name}c"><rect x="{x}" y="{y}" width="{wide}" height="{high}"/></clipPath></defs>'
    return f'<g clip-path="url(#{name}c)"><g id="{inner}" transform="{moved}">{drawn}</g></g>', clip


def _worth(room: Rect, sizes: Iterable[tuple[int, int]], needed: float, most: float) -> float:
    """How large the pictures are; where they cannot be read so, how little of them is cut off when they can."""
    _, _, wide, high = room
    scale = min(min(wide / w, high / h) for w, h in sizes)
    if scale >= needed:
        return min(scale, most)

    def seen(has: float, every: float, less: int) -> float:
        return has / every / needed / less if has < every * needed else 1

    return needed * min(seen(wide, w, 4) * seen(high, h, 2) for w, h in sizes)  # lines are read across


def _parts(size: tuple[int, int], seen: tuple[float, float], focus: Rect | None) -> Iterator[tuple[float, float]]:
    """Where that begins which is seen of a picture, part by part. focus: where it happens, None for everywhere."""
    if focus is None:
        starts = [_along(size[at], seen[at], BOX[at]) for at in (0, 1)]
    else:
        starts = [_towards(size[at], seen[at], focus[at], focus[at + 2]) for at in (0, 1)]
    yield from ((left, top) for top in starts[1] for left in starts[0])


def _along(whole: float, seen: float, box: float) -> list[float]:
    """Where the parts of a picture begin, one way; two neighbours have as much in common as a box is large."""
    if whole <= seen + 1:
        return [(whole - seen) / 2]
    count = math.ceil((whole - box) / max(seen - box, 1))
    return [(whole - seen) * number / (count - 1) for number in range(count)]


def _towards(whole: float, seen: float, start: float, long: float) -> list[float]:
    """Where what is seen begins: all of it in the middle, else what happens; its end first where it has not all room.

    That is the way that a gradient goes.
    """
    if whole <= seen + 1:
        return [(whole - seen) / 2]
    most = whole - seen
    if long > seen:
        return [min(max(start + long + SPARE - seen, 0), most), min(max(start - SPARE, 0), most)]
    return [min(max(start + long / 2 - seen / 2, -SPARE / 2), most)]
