"""Pages: one step of a lecture as a drawing of 1920 × 1080 pixels, for print and for other slide programs.

What is on it and where is as static/lecture.js has it on the screen: words above the picture or beside it, whichever
leaves it larger; letters of 24 pixels at least; and of a picture that is too large for that, the place of what happens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
BESIDE = 600  # of words beside a picture

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


def page(slide: Shown, stop: Stop, number: str, colours: Mapping[str, str] | None) -> str:
    """One stop as an SVG document in these colours; light or dark as the reader's system is if None.

    number: what stands in the corner.
    """
    moment = None if stop.moment is None else slide.moments[stop.moment]
    name = f"ml{''.join(re.findall('[0-9]+', number))}"
    title = slide.heading or slide.question
    if moment is None:
        lines = list(_words(slide, stop, WIDE - 2 * EDGE))
        top = max(EDGE, (HIGH - sum(line.height for line in lines)) // 2)
        drawn, defs = _lines(lines, top), ""
        told = " ".join(line.said for line in lines)
    else:
        at, room, scale = _arranged(slide)
        lines = list(_words(slide, stop, BESIDE if at else WIDE - 2 * EDGE))
        focus = slide.moments[stop.moment or 0 if stop.looks is None else stop.looks].focus
        still = moment.still
        size = still.width, still.height
        group, defs = _placed(name, still.name, still.group(colours), room, size, scale, focus)
        drawn, told = [*_lines(lines, EDGE), group], f"{stop.says} {moment.told}"
    corner = f'<text class="ln" x="{WIDE - EDGE}" y="{HIGH - 18}">{escape(number)}</text>'
    sheet = THEME.sheet(name) if colours is None else THEME.sheet_in(name, colours)
    return svg.document(name, title, told.strip(), (WIDE, HIGH), sheet, [*drawn, corner], defs)


def _arranged(slide: Shown) -> tuple[int, Rect, float]:
    """Whether words stand beside the pictures of a slide (1) or above them (0); their room, and how large they are.

    It is the same for all steps of a slide, so that nothing moves from one page to the next.
    """
    shown = [stop for stop in slide.stops if stop.moment is not None]
    words = max(sum(line.height for line in _words(slide, stop, WIDE - 2 * EDGE)) for stop in shown)
    top = EDGE + words + GAP
    left = EDGE + BESIDE + GAP
    rooms: list[Rect] = [
        (GAP // 2, top, WIDE - GAP, HIGH - top - FOOT),
        (left, EDGE, WIDE - EDGE - left, HIGH - 2 * EDGE),
    ]
    needed = LEAST / slide.least
    sizes = {(moment.still.width, moment.still.height) for moment in slide.moments}
    fits = [min(min(wide / w, high / h) for w, h in sizes) for _, _, wide, high in rooms]
    worth = [min(_worth(w / wide, h / high, needed) for w, h in sizes) for _, _, wide, high in rooms]
    at = int(worth[1] > worth[0])
    return at, rooms[at], max(min(fits[at], MOST / slide.least), needed)


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
            yield from _wrapped("ls", slide.answer, wide)
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


def _placed(
    name: str, inner: str, drawn: str, room: Rect, size: tuple[int, int], scale: float, focus: Rect | None
) -> tuple[str, str]:
    """The picture in its room, and what keeps it in there."""
    x, y, wide, high = room
    place = focus or (0, 0, 0, 0)
    left = _from(size[0], wide / scale, place[0], place[2])
    top = _from(size[1], high / scale, place[1], place[3])
    moved = f"translate({x - left * scale:.2f} {y - top * scale:.2f}) scale({scale:.4f})"
    clip = f'<defs><clipPath id="{name}c"><rect x="{x}" y="{y}" width="{wide}" height="{high}"/></clipPath></defs>'
    return f'<g clip-path="url(#{name}c)"><g id="{inner}" transform="{moved}">{drawn}</g></g>', clip


def _worth(across: float, down: float, least: float) -> float:
    """How large the picture is; where it cannot be read so, how much of it is seen at a size at which it can."""
    scale = 1 / max(across, down)
    return scale if scale >= least else least * min(1, 1 / (across * least)) * min(1, 1 / (down * least))


def _from(whole: float, seen: float, start: float, long: float) -> float:
    """Where what is seen begins: all of it in the middle, else what happens in the middle of it."""
    if whole <= seen:
        return (whole - seen) / 2
    return min(max(start + long / 2 - seen / 2, -SPARE / 2), whole - seen)
