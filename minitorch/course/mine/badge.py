"""The badge of an engine: how many pieces are the learner's, which are the reference's, and why."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from minitorch.course.cards.report import COLOURS, Card, bar_html, frame_html, notes_html
from minitorch.course.judging.verdict import SIGNS, Kind
from minitorch.language import Message

CELL = "text-align:left;vertical-align:top;padding:0 12px 0 0"
Owner = Literal["yours", "reference"]
BORROWED = "↺"  # passed in the learner's file, and yet the reference's


@dataclass(frozen=True, slots=True)
class Piece:
    """One exercise's piece of an engine: whose it is, and the verdict on the learner's own."""

    name: str
    lesson: str
    owner: Owner
    kind: Kind | None  # None where nothing was judged, as in the reference

    @property
    def is_wrong(self) -> bool:
        """Whether this is a piece of the learner's that has not passed."""
        return self.owner == "yours" and self.kind is not None and not self.kind.passed


def badge(pieces: Sequence[Piece], lang: str, notes: Sequence[str] = ()) -> Card:
    """The badge as a card: one line, then one line for each lesson and reason."""
    own = [piece for piece in pieces if piece.owner == "yours"]
    yours, wrong = len(own), sum(piece.is_wrong for piece in own)
    head = Message("yours {yours} · reference {reference}", yours=yours, reference=len(pieces) - yours).to(lang)
    if wrong:
        head = " · ".join([head, Message("{count} of yours not right", count=wrong).to(lang)])
    rows = [] if all(piece.kind is None for piece in pieces) else _rows(pieces, lang)
    width = max((len(f"{sign} {why}") for _, sign, why, _, _ in rows), default=0)
    lines = [f"    {lesson}  {f'{sign} {why}':<{width}}  {names}" for lesson, sign, why, names, _ in rows]
    state = Kind.WRONG if wrong else Kind.PASSED if yours == len(pieces) else Kind.NOT_STARTED
    colour = COLOURS[state]
    body = f"<div><strong>{html.escape(head)}</strong></div>{_share(yours, len(pieces))}{_table(rows)}"
    return Card(frame_html(bar_html(colour, body) + notes_html(notes)), "\n".join([head, *lines, *notes]))


Row = tuple[str, str, str, str, str]  # lesson, sign, why, names, colour


def _rows(pieces: Sequence[Piece], lang: str) -> list[Row]:
    names: dict[tuple[str, str, str, str], list[str]] = {}
    for piece in pieces:
        names.setdefault(_key(piece, lang), []).append(piece.name)
    return [(lesson, sign, why, ", ".join(each), colour) for (lesson, sign, why, colour), each in names.items()]


def _key(piece: Piece, lang: str) -> tuple[str, str, str, str]:
    if piece.is_wrong and piece.kind is not None:
        why = f"{Message('yours').to(lang)}, {piece.kind.to(lang)}"
        return piece.lesson, SIGNS[piece.kind], why, COLOURS[piece.kind]
    if piece.owner == "yours":
        return piece.lesson, SIGNS[Kind.PASSED], Message("yours").to(lang), COLOURS[Kind.PASSED]
    if piece.kind is None or piece.kind.passed:
        return piece.lesson, BORROWED, Message("passed, but not used here").to(lang), COLOURS[Kind.NOT_STARTED]
    return piece.lesson, SIGNS[piece.kind], piece.kind.to(lang), COLOURS[piece.kind]


def _share(yours: int, total: int) -> str:
    """A bar, filled as far as the engine is the learner's. The numbers above it say the same."""
    percent = round(100 * yours / total) if total else 0
    filled = f'<div style="width:{percent}%;height:100%;background:{COLOURS[Kind.PASSED]}"></div>'
    frame = "height:6px;max-width:20em;margin:4px 0;border-radius:3px;overflow:hidden"
    return f'<div aria-hidden="true" style="{frame};background:var(--jp-border-color2,#c8c8c8)">{filled}</div>'


def _table(rows: Sequence[Row]) -> str:
    shown = "".join(
        f'<tr style="background:none"><th scope="row" style="{CELL}">{html.escape(lesson)}</th>'
        f'<td style="{CELL};color:{colour};white-space:nowrap">{html.escape(f"{sign} {why}")}</td>'
        f'<td style="{CELL}"><code style="white-space:pre-wrap">{html.escape(names)}</code></td></tr>'
        for lesson, sign, why, names, colour in rows
    )
    style = "border-spacing:0;margin:4px 0;font-size:13px;color:inherit"
    return f'<table style="{style}">{shown}</table>' if shown else ""
