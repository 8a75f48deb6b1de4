"""Contributions as stacked bars whose sum is the gradient: what counts is solid, what was lost is hollow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from minitorch.language import N_, gettext
from minitorch.viz.drawing.scene import shortened, text_width
from minitorch.viz.drawing.walk_words import paths
from minitorch.viz.facts import words
from minitorch.viz.facts.walks import Walk

LANE = 260  # pixels: the length of the longest bar
TALL = 18  # of a bar
BLOCK = 74  # of a node in one walk
ROW = 24  # of a walk where several stand side by side
HEAD = 24  # above those rows
NAME = 118  # room for a walk's name
MOST = 7  # parts of a bar that are drawn one by one

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Part:
    """One contribution, or several that are drawn as one: how many, 0 for the rest of a walk that was not kept.

    lost: it was overwritten, and counts no more.
    """

    amount: float
    lost: bool = False
    several: int = 1


def parts(walk: Walk, node: int, step: int) -> list[Part]:
    """What a node's gradient is made up of after `step` moves; beyond the last of those kept, at the walk's end."""
    found: list[Part] = []
    for move in walk.moves[:step]:
        if move.node != node:
            continue
        if move.kind in ("replace", "clear"):
            found = [Part(part.amount, lost=True) for part in found]
        if move.kind != "clear":
            found.append(Part(move.contribution))
    final = walk.gradients[node]
    if step > len(walk.moves) and walk.total > len(walk.moves) and final is not None:
        rest = final - sum(part.amount for part in found if not part.lost)
        if rest:
            found.append(Part(rest, several=0))
    if len(found) <= MOST:
        return found
    early = [part for part in found[: len(found) - MOST + 1] if not part.lost]
    return [Part(sum(part.amount for part in early), several=len(early)), *found[len(found) - MOST + 1 :]]


def span(bars: Sequence[Sequence[Part]], right: Sequence[float | None]) -> Span:
    """The amounts that the lane stands for, from its left end to its right one: one scale for all bars of a picture.

    right: the gradients that there should be. At most five times the largest of them to each side, so that it can still
    be seen; longer bars are cut.
    """
    due = [each for each in right if each is not None and math.isfinite(each)]
    sides = [[part.amount for part in bar if math.isfinite(part.amount)] for bar in bars]
    low = min([0.0, *due, *(sum(each for each in side if each < 0) for side in sides)])
    high = max([0.0, *due, *(sum(each for each in side if each > 0) for side in sides)])
    most = 5 * max(map(abs, due), default=0.0) or math.inf
    low, high = max(low, -most), min(high, most)
    return (low, high) if math.isfinite(high - low) and high > low else (0.0, 1.0)


def summary(walk: Walk, node: int, found: Sequence[Part], step: int) -> tuple[str, bool]:
    """The sum in figures, at the walk's end with the verdict, and whether that is a bad one."""
    said = words.typeset(_sum(walk, node, found, step))
    if step <= len(walk.moves) or walk.stopped:
        return said, False
    return f"{said}  {_verdict(walk, node)}", walk.is_wrong(node)


def block(name: str, walk: Walk, node: int, found: Sequence[Part], lane: Span, said: tuple[str, bool]) -> str:
    """One node in one walk: its name, the bar, and below it what `summary` says."""
    right = walk.right[node]
    due = gettext("should be {due}", due=gettext("no gradient") if right is None else _number(right))
    head = f'<text class="f" x="0" y="14"><tspan>{escape(shortened(name))}</tspan> {due}</text>'
    return f'{head}<g transform="translate(0 22)">{_bar(found, lane, right)}</g>{line(said[0], 56, said[1])}'


def rows(name: str, ways: int, walks: Sequence[Walk], node: int, lane: Span) -> tuple[str, int]:
    """One node in every walk, at their ends; and how wide that is."""
    right = walks[0].right[node]
    key, due = (
        (N_("no gradient, {paths} from the result"), "")
        if right is None
        else (N_("gradient {due}, {paths} from the result"), _number(right))
    )
    head = f"<tspan>{escape(shortened(name))}</tspan> {gettext(key, due=due, paths=paths(ways))}"
    drawn = [f'<text class="f" x="0" y="14">{head}</text>']
    width = 0.0
    for row, walk in enumerate(walks):
        found = parts(walk, node, len(walk.moves) + 1)
        last = walk.gradients[node]
        end = gettext("none") if last is None else _number(last)
        said = gettext("{value}, stopped", value=end) if walk.stopped else f"{end}  {_verdict(walk, node)}"
        width = max(width, text_width(said, 12) * 1.08)
        wrong = walk.is_wrong(node) and not walk.stopped
        drawn.append(
            f'<g transform="translate(0 {HEAD + row * ROW})">'
            f'<text class="f r" x="{NAME - 8}" y="13">{escape(_fitted(walk.name))}</text>'
            f'<g transform="translate({NAME} 0)">{_bar(found, lane, right)}</g>'
            f"{line(said, 13, wrong, NAME + LANE + 14)}</g>"
        )
    return "".join(drawn), NAME + LANE + 14 + math.ceil(width)


def rows_height(walks: int) -> int:
    """What `rows` takes."""
    return HEAD + walks * ROW + 14


def line(said: str, y: int, wrong: bool = False, x: int = 0) -> str:
    """One line of text."""
    return f'<text class="{"f x" if wrong else "f"}" x="{x}" y="{y}">{escape(said)}</text>'


def _bar(found: Sequence[Part], lane: Span, right: float | None) -> str:
    """Positive parts to the right of zero, negative ones to the left; a dashed line where the right sum ends."""
    scale = LANE / (lane[1] - lane[0])

    def at(amount: float) -> float:
        return min(max((amount - lane[0]) * scale, 0.0), float(LANE)) if math.isfinite(amount) else at(0.0)

    ends = {True: 0.0, False: 0.0}
    narrow: list[str] = []  # what was lost, and has no room for its number
    drawn = [f'<path class="ln" d="M0 {TALL / 2:g}H{LANE}"/>']
    kept = [part for part in found if not part.lost]
    for number, part in enumerate([*kept, *(part for part in found if part.lost)]):
        up = part.amount >= 0
        start, ends[up] = ends[up], ends[up] + part.amount
        left, right_end = sorted((at(start), at(ends[up])))
        kind = "n" if part.lost else "ab"[number % 2]
        drawn.append(f'<rect class="{kind}" x="{left:.1f}" width="{right_end - left:.1f}" height="{TALL}"/>')
        said = _part(part)
        if text_width(said, 12) < right_end - left - 4:
            drawn.append(f'<text class="i" x="{(left + right_end) / 2:.1f}" y="13">{escape(said)}</text>')
        elif part.lost:
            narrow.append(_number(part.amount))
    said, x = gettext("{value} lost", value=", ".join(narrow)), at(max(ends.values())) + 5
    if narrow and x + text_width(said, 12) < LANE:
        drawn.append(f'<text class="m" x="{x:.1f}" y="13">{escape(said)}</text>')
    for up, x, sign in ((False, -7, "◂"), (True, LANE + 7, "▸")):
        if not lane[0] - 1e-9 * abs(lane[0]) <= ends[up] <= lane[1] + 1e-9 * abs(lane[1]):
            drawn.append(f'<text class="i" x="{x}" y="13">{sign}</text>')
    drawn.append(f'<path class="z" d="M{at(0.0):.1f} -3V{TALL + 3}"/>')
    if right is not None:
        drawn.append(f'<path class="s" d="M{at(right):.1f} -5V{TALL + 5}"/>')
    return "".join(drawn)


def _part(part: Part) -> str:
    if part.several != 1:
        whole = _number(part.amount)
        return gettext("{count} together: {value}", count=part.several, value=whole) if part.several else f"… {whole}"
    return gettext("{value} lost", value=_number(part.amount)) if part.lost else _number(part.amount)


def _sum(walk: Walk, node: int, found: Sequence[Part], step: int) -> str:
    """As in "39 = 3 + 36"."""
    kept = [part for part in found if not part.lost]
    lost = [part for part in found if part.lost]
    last = walk.gradients[node] if step > len(walk.moves) else walk.states[step].get(node)
    if last is None:
        nothing = gettext("no gradient") if step > len(walk.moves) else gettext("no gradient yet")
        return _with_lost(nothing, lost)
    figures = [words.number(part.amount) if part.several == 1 else f"({words.number(part.amount)})" for part in kept]
    said = words.number(last)
    if len(kept) > 1:
        said += f" = {' + '.join(figures)}"
    return _with_lost(said, lost)


def _with_lost(said: str, lost: list[Part]) -> str:
    parts = ", ".join(words.number(part.amount) for part in lost)
    return gettext("{sum}, lost: {parts}", sum=said, parts=parts) if lost else said


def _verdict(walk: Walk, node: int) -> str:
    have, due = walk.gradients[node], walk.right[node]
    if not walk.is_wrong(node):
        return gettext("✓ right")
    if have is None or due is None or due < 0 or have < 0 or have != have:  # is -3 larger than -2?
        return gettext("✗ should be {due}", due=gettext("none") if due is None else _number(due))
    return gettext(
        "✗ too large: should be {due}" if abs(have) > abs(due) else "✗ too small: should be {due}", due=_number(due)
    )


def _fitted(name: str) -> str:
    while text_width(name, 12) > NAME - 8:
        name = f"{name[:-2]}…"
    return name


def _number(value: float) -> str:
    return words.number(value, words.TYPESET)
