"""Tables of gradient shapes: as text, as HTML, and as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from minitorch.language import N_, gettext, language, ngettext
from minitorch.viz.drawing import svg
from minitorch.viz.drawing.scene import short_names, text_width
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.drawing.theme import PAPER, Theme
from minitorch.viz.facts import births, words
from minitorch.viz.facts.counting import counted
from minitorch.viz.facts.model import Edge
from minitorch.viz.facts.shapes import LONG, Gap, Row, Rows

COLUMNS = 8
OPERAND = 2  # the column of its name
TOLD = 8  # faults that are said one by one
CHIPS = {
    "some": "g",
    "zero": "z",
    "freed": "y",
    "odd": "a",
}  # the look of a gradient's chip; where there is none, it is in words
EDGE = 16  # of the SVG, pixels around the table
ROW = 26
COLUMN_GAP = 20
WIDEST, MOST = 640, 8  # pixels and rows that can be read from afar at once
CHIP = 8  # from the end of a chip to what stands on it

THEME = Theme(
    form="""\
@{overflow-x:auto;border-radius:10px;padding:10px 14px;max-width:max-content}
@ table{border-collapse:collapse;font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;margin:0}
@ caption{caption-side:top;text-align:left;font-weight:700;font-size:14px;padding:2px 8px 8px}
@ th,@ td{text-align:left;padding:4px 8px;white-space:nowrap;border:0;max-width:none}
@ th[scope=row]{font-weight:400;white-space:normal}@ thead th{font-weight:700;white-space:normal}@ b{font-weight:700}
@ code{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;padding:0}
@ span{border-radius:9px;padding:1px 8px}@ i{font-style:italic}
@ .s{font-weight:700}
@ p{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;margin:2px 8px 8px}
@ p,@ td{overflow-wrap:anywhere}
@ td:nth-child(4){white-space:normal;overflow-wrap:break-word;min-width:100px}
@ .e{white-space:normal;min-width:260px}
@ tfoot td{white-space:normal;padding-top:8px}
""",
    paint=(
        ("@", "background", "paper"),
        ("@,@ p,@ table,@ th,@ td,@ caption,@ tr,@ code", "color", "ink"),
        ("@ tr,@ tbody tr:nth-child(odd),@ tbody tr:hover,@ code", "background", "paper"),
        ("@ thead tr", "border-bottom:2px solid", "line"),
        ("@ tbody tr", "border-bottom:1px solid", "freed"),
        ("@ .m,@ i", "color", "soft"),
        ("@ .g", "background", "some"),
        ("@ .g", "color", "on-some"),
        ("@ .z", "background", "zero"),
        ("@ .z", "color", "on-zero"),
        ("@ .y", "background", "freed"),
        ("@ .a", "background", "on-back"),
        ("@ .a", "color", "paper"),
        ("@ .s", "color", "on-back"),
        ("@ .x th:first-child", "box-shadow:inset 4px 0", "back"),
    ),
)
SVG_THEME = Theme(
    form="""\
@ text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;white-space:pre}
@ .h,@ .b,@ .s{font-weight:700}@ .i{font-style:italic}
@ .c{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@ .l{stroke-width:2}@ .d{stroke-width:1}@ .x{stroke-width:4}@ .f{font-size:12px}
""",
    paint=(
        *PAPER,
        ("@ .m,@ .i,@ .f", "fill", "soft"),
        ("@ .l", "stroke", "line"),
        ("@ .d", "stroke", "freed"),
        ("@ .x", "stroke", "back"),
        ("@ .s", "fill", "on-back"),
        ("@ rect.g", "fill", "some"),
        ("@ text.g", "fill", "on-some"),
        ("@ rect.z", "fill", "zero"),
        ("@ text.z", "fill", "on-zero"),
        ("@ rect.y", "fill", "freed"),
        ("@ rect.a", "fill", "on-back"),
        ("@ text.a", "fill", "paper"),
    ),
)


def title(facts: Rows) -> str:
    """What the table is called."""
    return gettext("Gradient shapes of the backward pass from {root}", root=facts.root)


def told(facts: Rows) -> str:
    """The table for those who do not see it: what it is, what is wrong, and the count."""
    wrong = [f"{each}." for each in _few(_wrong(facts))]
    return " ".join([f"{title(facts)}.", *wrong, *_few(list(facts.births)), _summary(facts)])


def _few(said: list[str]) -> list[str]:
    """As many sentences as are read; further ones are counted, and `.text()` has them."""
    more = len(said) - TOLD
    return said if more <= 1 else [*said[:TOLD], gettext("There are {count} more; .text() lists them.", count=more)]


def _summary_first(facts: Rows) -> str:
    """What stands above a long table, so that nobody has to look for it: the count, and where the first fault is."""
    first = next(iter(facts.marked), None)
    if first is None:
        return _summary(facts)
    where = gettext(
        "The first one is {name}, in row {row} of {count}.",
        name=facts.rows[first].operand,
        row=first + 1,
        count=len(facts.rows),
    )
    return f"{_summary(facts)} {where}"


def _left_out(gap: Gap) -> str:
    """What stands in place of rows."""
    rows = {"count": gap.stop - gap.first, "first": gap.first + 1, "last": gap.stop}
    return (
        gettext(
            "… {count} rows, {first} to {last}, of which {marked} are marked; .text() lists them",
            marked=gap.marked,
            **rows,
        )
        if gap.marked
        else gettext("… {count} rows, {first} to {last}, with nothing to mark; .text() lists them", **rows)
    )


def _short(facts: Rows) -> dict[str, str]:
    """The names that are too long for a cell, and what they are called there."""
    names = list(dict.fromkeys(name for row in facts.rows for name in (row.operand, row.result)))
    return {name: short for name, short in zip(names, short_names(names), strict=True) if name != short}


def _summary(facts: Rows) -> str:
    edges, wrong = counted("1 edge", "{count} edges", len(facts.rows) - 1), len(facts.wrong)
    if not wrong:
        kept = any(row.gradient is not None for row in facts.rows)
        return gettext(
            "{edges}; every gradient that is held fits its data."
            if facts.has_run
            else "{edges}; no backward pass of this graph yet: the gradients here are kept from an "
            "earlier pass, and the new ones will have these shapes."
            if kept
            else "{edges}; no gradient yet anywhere: these are the shapes that gradients will have.",
            edges=edges,
        )
    return ngettext(
        "{edges}; 1 gradient is wrong.", "{edges}; {count} gradients are wrong.", wrong, edges=edges, count=wrong
    )


def _wrong(facts: Rows) -> list[str]:
    return [f"{name}: {fault}" for name, fault in facts.wrong]


def _heads(facts: Rows) -> list[str]:
    keys = (
        N_("backward of"), N_("operand"), N_("local rule"), N_("contribution"), N_("summed over"), N_("to shape"),
        N_("gradient"),
    )  # fmt: skip
    first, *others = map(gettext, keys)
    return [first, "g", *others, *([gettext("wrong")] if _has_marks(facts) else [])]


def _has_marks(facts: Rows) -> bool:
    """Whether there is anything to mark: a gradient that is wrong, or a nan's birthplace."""
    return bool(facts.wrong or facts.births)


def _mark(row: Row) -> str:
    """What a row is marked with, in a word or a few."""
    found = [row.fault.word] if row.fault else []
    return "; ".join([*found, *([births.mark(row.born)] if row.born else [])])


def listing(facts: Rows, limit: int | None) -> str:
    """The table as text: one line an edge, and below them what is wrong."""
    cells = [_cells(facts, row, words.ASCII) for row in facts.rows]
    marks = [_mark(row) for row in facts.rows]
    faults = [[] if not _has_marks(facts) else [f"! {mark}" if mark else ""] for mark in marks]
    lines = aligned([_heads(facts), *(made + fault for made, fault in zip(cells, faults, strict=True))], ())
    return "\n".join(
        [
            title(facts),
            *shortened(lines, limit),
            *shortened([f"! {each}" for each in (*_wrong(facts), *facts.births)], limit),
            _summary(facts),
        ]
    )


def beside(facts: Rows) -> dict[Edge, str]:
    """Each edge's row in one line: the rule, the contribution, and the axes that are summed."""
    found = {}
    for row in facts.rows:
        if row.edge is not None and row.sign:
            summed = gettext(", summed over {axes}", axes=words.axes(row.axes)) if row.axes else ""
            found[row.edge] = f"{row.sign} {row.rule}: {_shape(facts, row.contribution)}{summed}"
    return found


# -- as HTML ---------------------------------------------------------------------------------------------------------


def table(facts: Rows, whole: bool = False) -> str:
    """The table as a piece of HTML with a style sheet of its own. whole: with all rows of a long one."""
    name, heads, short = f"mts{facts.graph.topology}", _heads(facts), _short(facts)
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    picked = range(len(facts.rows)) if whole else facts.picked()
    body = "".join(
        f'<tr><td class="m" colspan="{len(heads)}"><i>{escape(_left_out(each))}</i></td></tr>'
        if isinstance(each, Gap)
        else _line(facts, facts.rows[each], short)
        for each in picked
    )
    above = f"<p>{escape(_summary_first(facts))}</p>" if len(facts.rows) > LONG else ""
    below = " ".join([*_few(list(facts.births)), _summary(facts)])
    parts = [
        f'<div id="{name}" lang="{language()}" role="region" tabindex="0" aria-label="{escape(title(facts))}">',
        f"<style>{THEME.notebook_sheet(name)}</style>",
        f"{above}<table><caption>{escape(title(facts))}</caption>",
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>",
        f'<tfoot><tr><td colspan="{len(heads)}">{escape(below)}</td></tr></tfoot>',
        "</table></div>",
    ]
    return "".join(parts)


def _line(facts: Rows, row: Row, short: Mapping[str, str]) -> str:
    """A row of the HTML; the gradient's entries are what pointing at it shows, and long names as a whole."""
    cells = map(escape, _cells(facts, row, words.TYPESET, short))
    made, g, operand, rule, contribution, summed, shape, gradient = cells
    look = CHIPS.get(row.state)
    detail = "" if row.gradient is None else f' title="{escape(words.entries(row.gradient, words.TYPESET))}"'
    said = f'<span class="{look}"{detail}>{gradient}</span>' if look else f"<i>{gradient}</i>"
    whole = f' title="{escape(row.operand)}"' if row.operand in short else ""
    flows = "<td>" if row.sign else '<td class="m">'
    found = [
        f'<th scope="row">{made}</th><td>{g}</td><td><b{whole}>{operand}</b></td>',
        f"{flows}<code>{rule}</code></td>{flows}{contribution}</td>",
        f"<td>Σ {summed}</td>" if row.axes else f'<td class="m">{summed}</td>',
        f"<td>{shape}</td><td>{said}</td>",
    ]
    mark = _mark(row)
    if _has_marks(facts):
        more = f" {escape(row.fault.said)}" if row.fault else ""
        sign = f'<b class="s">✗ {escape(mark)}</b>{more}' if mark else ""
        found.append(f'<td class="e">{sign}</td>')
    opening = '<tr class="x">' if mark else "<tr>"
    return f"{opening}{''.join(found)}</tr>"


# -- as SVG ----------------------------------------------------------------------------------------------------------


def draw(facts: Rows, whole: bool = False) -> str:
    """The table as an SVG document: the same rows, cells and colours. whole: with all rows of a long one."""
    said = *_few(_wrong(facts)), *_few(list(facts.births)), _summary(facts)
    above = [_summary_first(facts)] if len(facts.rows) > LONG else []
    return _document(facts, _picked(facts, whole), range(len(_heads(facts))), above, said)


def on_slides(facts: Rows, whole: bool = False) -> Iterator[tuple[str, str]]:
    """The table in parts that can be read from afar, each with a sentence: some rows, and of a wide table their halves.

    The operand stands in both halves, and what is written below the table is the last sentence.
    """
    picked, every = _picked(facts, whole), range(len(_heads(facts)))
    halves: list[tuple[Sequence[int], str]] = [(every, "")]
    if _starts(_columns(facts, _rows(facts, picked), every))[-1] > WIDEST:
        halves = [
            (
                (0, 1, OPERAND, 3, 4),
                N_("What arrives at an operation, and what its rule makes of it for each operand."),
            ),
            ((OPERAND, *every[4:]), N_("What of it is summed, and which shape is left for the operand.")),
        ]
    for first in range(0, len(picked), MOST):
        for columns, key in halves:
            ends = first + MOST >= len(picked) and columns[-1] == every[-1]
            notes = [*_few(_wrong(facts)), *_few(list(facts.births)), _summary(facts)] if ends else []
            drawn = _document(facts, picked[first : first + MOST], columns)
            yield drawn, " ".join([*([gettext(key)] if key else []), *notes])


def _picked(facts: Rows, whole: bool) -> Sequence[int | Gap]:
    return range(len(facts.rows)) if whole else facts.picked()


def _document(
    facts: Rows, picked: Sequence[int | Gap], which: Sequence[int], above: Sequence[str] = (), below: Sequence[str] = ()
) -> str:
    """Some rows and columns of the table, and sentences above and below it."""
    rows = _rows(facts, picked)
    columns = _columns(facts, rows, which)
    starts = _starts(columns)
    width = max(starts[-1] - COLUMN_GAP + EDGE, 420)
    before, after = ([line for each in said for line in svg.wrapped(each, width)] for said in (above, below))
    top = EDGE + svg.CAPTION * len(before)
    foot = top + 2 * ROW + ROW * len(rows)
    parts = [f'<text class="h" x="{EDGE}" y="{EDGE + 10}">{escape(title(facts))}</text>']
    parts += svg.captions(before, EDGE + 30)
    for number in range(len(rows) + 1):
        y = top + ROW * (number + 1)
        each = picked[number - 1] if number else 0
        row = rows[number - 1] if number else None
        if isinstance(each, Gap):
            parts.append(_cell(EDGE, y, _left_out(each), "i"))
        else:
            cells = [_cell(x, y, *column[number]) for x, column in zip(starts, columns, strict=False)]
            named = which.index(OPERAND)
            if row is not None and row.operand != columns[named][number][0]:
                cells[named] = f"<g><title>{escape(row.operand)}</title>{cells[named]}</g>"
            parts += cells
        parts.append(f'<path class="{"d" if number else "l"}" d="M{EDGE - 4} {y + ROW - 1}H{width - EDGE + 4}"/>')
        if row is not None and _mark(row):
            parts.append(f'<path class="x" d="M{EDGE - 7} {y + 2}v{ROW - 6}"/>')
    parts += svg.captions(after, foot + 20)
    size = width, foot + svg.CAPTION * len(after) + 12
    name = f"mtt{facts.graph.topology}"
    return svg.document(name, title(facts), told(facts), size, SVG_THEME.sheet(name), parts)


def _rows(facts: Rows, picked: Sequence[int | Gap]) -> list[Row | None]:
    return [None if isinstance(each, Gap) else facts.rows[each] for each in picked]


def _columns(facts: Rows, rows: Sequence[Row | None], which: Sequence[int]) -> list[list[tuple[str, str]]]:
    heads = _heads(facts)
    return [_column(facts, rows, number, heads[number]) for number in which]


def _starts(columns: Sequence[Sequence[tuple[str, str]]]) -> list[int]:
    """Where each column begins, and where one after the last would."""
    starts = [EDGE]
    for column in columns:
        starts.append(starts[-1] + COLUMN_GAP + max(_wide(*cell) for cell in column))
    return starts


def _column(facts: Rows, rows: Sequence[Row | None], number: int, head: str) -> list[tuple[str, str]]:
    """Text and look of every cell of a column, its head first; None stands for rows that are left out."""
    found, short = [(head, "b")], _short(facts)
    for row in rows:
        if row is None:
            found.append(("", ""))
            continue
        if number == COLUMNS:
            found.append((f"✗ {_mark(row)}" if _mark(row) else "", "s"))
            continue
        said = _cells(facts, row, words.TYPESET, short)[number]
        look = {OPERAND: "b", 3: "c" if row.sign else "m", 4: "" if row.sign else "m", 5: "" if row.axes else "m"}.get(
            number, ""
        )
        if number == COLUMNS - 1:
            look = CHIPS.get(row.state, "i")
        found.append((f"Σ {said}" if number == 5 and row.axes else said, look))
    return found


def _wide(said: str, look: str) -> int:
    """The room that a cell takes."""
    wide = 7.9 * len(said) if look == "c" else text_width(said) * (1.08 if look in ("b", "s") else 1)
    return math.ceil(wide) + (2 * CHIP if look in CHIPS.values() else 0)


def _cell(x: int, y: int, said: str, look: str) -> str:
    if not said:
        return ""
    if look in CHIPS.values():
        chip = f'<rect class="{look}" x="{x}" y="{y + 3}" width="{_wide(said, look)}" height="{ROW - 8}" rx="9"/>'
        return f'{chip}<text class="{look}" x="{x + CHIP}" y="{y + 17}">{escape(said)}</text>'
    kind = f' class="{look}"' if look else ""
    return f'<text{kind} x="{x}" y="{y + 17}">{escape(said)}</text>'


# -- the cells -------------------------------------------------------------------------------------------------------


def _cells(facts: Rows, row: Row, signs: words.Signs, short: Mapping[str, str] | None = None) -> list[str]:
    """What a row says, column by column. short: what to call names that are too long."""
    short, rule = short or {}, row.rule
    for name in sorted((name for name in short if name in rule), key=len, reverse=True):
        rule = rule.replace(name, short[name])
    result, operand = short.get(row.result, row.result), short.get(row.operand, row.operand)
    typeset = signs is words.TYPESET
    op = words.drawn(row.op) if typeset else row.op
    arrow = "→" if typeset else "->"
    nothing = "–" if typeset else "-"
    contribution = _shape(facts, row.contribution) if row.sign else nothing
    return [
        f"{op} {arrow} {result}" if row.result else row.op,
        nothing if not row.result else _shape(facts, row.upstream),
        operand,
        rule if row.sign else nothing,
        f"{row.sign} {contribution}".strip(),
        words.axes(row.axes) if row.axes else nothing,
        gettext("not kept") if row.shape is None else _shape(facts, row.shape),
        _held(row, signs),
    ]


def _shape(facts: Rows, shape: tuple[int, ...] | None) -> str:
    if shape is None:
        return gettext("not known")
    return gettext("one number") if facts.graph.scalar else str(shape)


def _held(row: Row, signs: words.Signs) -> str:
    """What the operand holds: a number, the norm of an array, or in words why there is none."""
    if row.gradient is None:
        return {"freed": gettext("gradient freed"), "constant": gettext("constant")}.get(
            row.state, gettext("no gradient yet")
        )
    size = gettext("norm {size}", size=words.number(row.gradient.norm, signs))
    if row.gradient.is_zero:
        size = gettext("gradient 0")
    elif row.gradient.is_empty:
        size = gettext("empty")
    elif row.gradient.shape == () and row.gradient.values is not None:
        size = words.number(row.gradient.values[0], signs)
    return size if row.shape in (row.gradient.shape, None) else f"{row.gradient.shape} {size}"
