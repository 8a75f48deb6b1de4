"""What `viz.compare` draws of many nodes at once: a box for a group, and the totals where nothing differs."""

from __future__ import annotations

from xml.sax.saxutils import escape

from minitorch.language import gettext
from minitorch.viz.drawing import svg
from minitorch.viz.drawing.compare_words import caption, description, note, rest_lines, rest_where, totals
from minitorch.viz.drawing.graph import STACK
from minitorch.viz.drawing.layout import Box
from minitorch.viz.drawing.scene import BADGE_HEIGHT, LINE, PADDING, Card, badge_width, text_width
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.facts.differences import Compared
from minitorch.viz.facts.surroundings import Rest

ROW = 28  # pixels, a line of the totals
TOP = 44  # above the first of them
COUNT = 92  # where its numbers end

_TOTALS = Theme(
    form="""\
@ text{font:14px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
@ .h,@ .n{font-weight:700}@ .h{font-size:15px}@ .n{font-size:17px;text-anchor:end}@ .f{font-size:12px}
@ .s{stroke-width:1}
""",
    paint=(
        *PAPER,
        ("@ .f", "fill", "soft"),
        ("@ .s", "stroke", "line"),
    ),
)


def rest_card(facts: Compared, rest: Rest, side: int) -> Card:
    """The box of a group, with room for what it says."""
    badge, lines = rest_where(rest), rest_lines(facts, rest, side)
    wide = badge_width(badge)
    width = max(text_width(lines[0]) * 1.1, *map(text_width, lines[1:]), wide + 8) + PADDING
    return Card(badge, lines[0], "", "", 4 * round(width / 4 + 0.5), LINE * len(lines) + 20, wide)


def draw_rest(facts: Compared, rest: Rest, side: int, box: Box, card: Card) -> str:
    """A group: where it stands on its upper edge, what is in it, and whether that differs."""
    half, inset = box.width // 2, (card.badge_width - BADGE_HEIGHT) // 2
    first, *more = rest_lines(facts, rest, side)
    size = f'width="{box.width}" height="{box.height}" rx="8"'
    parts = [
        f'<g class="o" transform="translate({box.x} {box.y})">',
        *(f'<rect class="s" x="{off - half}" y="{off}" {size}/>' for off in (STACK, STACK // 2)),
        f'<rect x="{-half}" {size}/><text y="26"><tspan>{escape(first)}</tspan></text>',
        *(f'<text y="{26 + LINE * number}">{escape(line)}</text>' for number, line in enumerate(more, start=1)),
        f'<path class="b" d="M{-inset} 0h{2 * inset}"/><text class="u" y="5">{escape(card.badge)}</text></g>',
    ]
    return "".join(parts)


def draw_totals(facts: Compared) -> str:
    """Where nothing differs in a large comparison: the verdict, and how much was compared."""
    name, lines = f"mtc{facts.united.topology}", totals(facts)
    head = caption(facts)
    longest = max(text_width(said, 14) for _, said in lines)
    width = round(max(420, text_width(head, 15) * 1.05 + 36, COUNT + 14 + longest + 18))
    below = svg.wrapped(note(facts, None), width)
    parts = [f'<text class="h" x="18" y="28">{escape(head)}</text><path class="s" d="M18 {TOP - 4}H{width - 18}"/>']
    for number, (count, said) in enumerate(lines):
        y = TOP + ROW * number + 20
        parts.append(f'<text class="n" x="{COUNT}" y="{y}">{count:,}</text>')
        parts.append(f'<text x="{COUNT + 14}" y="{y}">{escape(said)}</text>')
    foot = TOP + ROW * len(lines)
    parts += svg.captions(below, foot + 24)
    told = gettext("My graph against the reference"), description(facts, None)
    size = width, foot + svg.CAPTION * len(below) + 20
    return svg.document(name, *told, size, _TOTALS.sheet(name), parts)
