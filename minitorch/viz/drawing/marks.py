"""Marks on boxes: a ring around one, and on its lower edge what the ring means."""

from __future__ import annotations

from xml.sax.saxutils import escape

from minitorch.viz.drawing.layout import Box
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.theme import Theme

TALL = 18  # of what stands on a ring
THEME = Theme(
    form="""\
@ .nn{fill:none;stroke-width:4}@ .n2{fill:none;stroke-width:2;stroke-dasharray:6 3}
@ .np{stroke-width:1.5}@ .nt{font-size:12px;font-weight:700}
""",
    paint=(
        ("@ .nn,@ .n2,@ .np", "stroke", "back"),
        ("@ .np", "fill", "paper"),
        ("@ .nt", "fill", "on-back"),
    ),
)


def ring(box: Box, first: bool = True) -> str:
    """A ring around a box, to be drawn before it; a thinner, dashed one for what comes second."""
    return (
        f'<rect class="{"nn" if first else "n2"}" x="{box.x - box.width // 2 - 6}" y="{box.y - 6}" '
        f'width="{box.width // 2 * 2 + 12}" height="{box.height + 12}" rx="13"/>'
    )


def pill_width(said: str) -> int:
    """How wide a pill is."""
    return round(text_width(said, 12) * 1.05 + 16) // 2 * 2


def pill(box: Box, said: str) -> str:
    """What the ring means, on its lower edge; to be drawn after the box."""
    wide = pill_width(said)
    return (
        f'<rect class="np" x="{box.x - wide // 2}" y="{box.y + box.height - 1}" width="{wide}" height="{TALL}" rx="9"/>'
        f'<text class="nt" x="{box.x}" y="{box.y + box.height + 12}">{escape(said)}</text>'
    )


def marked(box: Box, drawn: str, said: str) -> str:
    """A box with a ring behind it and what that means."""
    return f"{ring(box)}{drawn}{pill(box, said)}"
