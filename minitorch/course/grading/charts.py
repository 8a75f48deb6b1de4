"""Two charts of a class page, as SVG with words for those who do not see it: a distribution, and stacked bars."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

WIDTH, TALL = 640, 180
LONG, BAR = 480, 18  # of a stacked bar
SHOWN_FROM = 28  # pixels: a narrower part has no number in it


def distribution(counts: Sequence[int], words: str) -> str:
    """Bars side by side: how many there are in each tenth of the points."""
    most, each = max([*counts, 1]), WIDTH / len(counts)
    parts = []
    for number, count in enumerate(counts):
        tall = (TALL - 44) * count / most
        left, top = number * each, TALL - 22 - tall
        middle = left + each / 2
        parts.append(f'<rect class="bar" x="{left + 4:.1f}" y="{top:.1f}" width="{each - 8:.1f}" height="{tall:.1f}"/>')
        if count:
            parts.append(f'<text x="{middle:.1f}" y="{top - 6:.1f}">{count}</text>')
        parts.append(f'<text class="axis" x="{left:.1f}" y="{TALL - 4}">{100 * number // len(counts)}</text>')
    parts.append(f'<text class="axis last" x="{WIDTH}" y="{TALL - 4}">100</text>')
    parts.append(f'<path class="line" d="M0 {TALL - 21.5}H{WIDTH}"/>')
    return _svg(parts, WIDTH, TALL, words)


def stacked(counts: Sequence[tuple[str, int]], words: str) -> str:
    """One bar of parts: (the class of a part, how many it stands for)."""
    total, left, parts = max(sum(count for _, count in counts), 1), 0.0, []
    for kind, count in counts:
        wide = LONG * count / total
        if count:
            parts.append(f'<rect class="{kind}" x="{left:.1f}" y="0" width="{wide:.1f}" height="{BAR}"/>')
            if wide >= SHOWN_FROM:
                parts.append(f'<text class="on-{kind}" x="{left + wide / 2:.1f}" y="{BAR - 5}">{count}</text>')
        left += wide
    return _svg(parts, LONG, BAR, words)


def _svg(parts: Sequence[str], wide: int, tall: int, words: str) -> str:
    return f'<svg viewBox="0 0 {wide} {tall}" role="img" aria-label="{escape(words)}">{"".join(parts)}</svg>'
