"""Tables of gradient shapes: as text, as HTML, and as SVG."""

from __future__ import annotations

import math
from html import escape

from minitorch.language import language
from minitorch.viz.drawing import svg
from minitorch.viz.drawing.scene import text_width
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.drawing.theme import Theme
from minitorch.viz.facts import births, words
from minitorch.viz.facts.model import Edge
from minitorch.viz.facts.shapes import Row, Rows
from minitorch.viz.texts.catalogue import counted, say

COLUMNS = 8
CHIPS = {
    "some": "g",
    "zero": "z",
    "freed": "y",
    "odd": "a",
}  # the look of a gradient's chip; where there is none, it is in words
EDGE = 16  # of the SVG, pixels around the table
ROW = 26
COLUMN_GAP = 20
CHIP = 8  # from the end of a chip to what stands on it

THEME = Theme(
    form="""\
@{overflow-x:auto;border-radius:10px;padding:10px 14px;max-width:max-content}
@ table{border-collapse:collapse;font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;margin:0}
@ caption{caption-side:top;text-align:left;font-weight:700;font-size:14px;padding:2px 8px 8px}
@ th,@ td{text-align:left;padding:4px 10px;white-space:nowrap;border:0;max-width:none}
@ th[scope=row]{font-weight:400}@ thead th{font-weight:700}@ b{font-weight:700}
@ code{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;padding:0}
@ span{border-radius:9px;padding:1px 8px}@ i{font-style:italic}
@ .s{font-weight:700}
@ .e{white-space:normal;min-width:260px}
@ tfoot td{white-space:normal;padding-top:8px}
""",
    paint=(
        ("@", "background", "paper"),
        ("@,@ table,@ th,@ td,@ caption,@ tr,@ code", "color", "ink"),
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
        ("@ .p", "fill", "paper"),
        ("@ text", "fill", "ink"),
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
    return say("shapes_title", root=facts.root)


def told(facts: Rows) -> str:
    """The table for those who do not see it: what it is, what is wrong, and the count."""
    return " ".join([f"{title(facts)}.", *(f"{each}." for each in _wrong(facts)), *facts.births, _summary(facts)])


def _summary(facts: Rows) -> str:
    edges, wrong = counted("shapes_edges_one", "shapes_edges", len(facts.rows) - 1), len(facts.wrong)
    if not wrong:
        return say("shapes_fit" if facts.has_run else "shapes_before", edges=edges)
    return say("shapes_one_wrong" if wrong == 1 else "shapes_many_wrong", edges=edges, count=wrong)


def _wrong(facts: Rows) -> list[str]:
    return [f"{name}: {fault}" for name, fault in facts.wrong]


def _heads(facts: Rows) -> list[str]:
    keys = (
        "shapes_of", "shapes_operand", "shapes_rule", "shapes_contribution", "shapes_over", "shapes_to",
        "shapes_gradient",
    )  # fmt: skip
    first, *others = map(say, keys)
    return [first, "g", *others, *([say("shapes_wrong")] if _has_marks(facts) else [])]


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
            *(f"! {each}" for each in (*_wrong(facts), *facts.births)),
            _summary(facts),
        ]
    )


def beside(facts: Rows) -> dict[Edge, str]:
    """Each edge's row in one line: the rule, the contribution, and the axes that are summed."""
    found = {}
    for row in facts.rows:
        if row.edge is not None and row.sign:
            summed = say("shapes_summed", axes=words.axes(row.axes)) if row.axes else ""
            found[row.edge] = f"{row.sign} {row.rule}: {_shape(facts, row.contribution)}{summed}"
    return found


# -- as HTML ---------------------------------------------------------------------------------------------------------


def table(facts: Rows) -> str:
    """The table as a piece of HTML with a style sheet of its own."""
    name, heads = f"mts{facts.graph.topology}", _heads(facts)
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    body = "".join(_line(facts, row) for row in facts.rows)
    parts = [
        f'<div id="{name}" lang="{language()}" role="region" tabindex="0" aria-label="{escape(title(facts))}">',
        f"<style>{THEME.notebook_sheet(name)}</style>",
        f"<table><caption>{escape(title(facts))}</caption>",
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>",
        f'<tfoot><tr><td colspan="{len(heads)}">{escape(" ".join([*facts.births, _summary(facts)]))}</td></tr></tfoot>',
        "</table></div>",
    ]
    return "".join(parts)


def _line(facts: Rows, row: Row) -> str:
    """A row of the HTML; the gradient's entries are what pointing at it shows."""
    made, g, operand, rule, contribution, summed, shape, gradient = map(escape, _cells(facts, row, words.TYPESET))
    look = CHIPS.get(row.state)
    detail = "" if row.gradient is None else f' title="{escape(words.entries(row.gradient, words.TYPESET))}"'
    said = f'<span class="{look}"{detail}>{gradient}</span>' if look else f"<i>{gradient}</i>"
    flows = "<td>" if row.sign else '<td class="m">'
    cells = [
        f'<th scope="row">{made}</th><td>{g}</td><td><b>{operand}</b></td>',
        f"{flows}<code>{rule}</code></td>{flows}{contribution}</td>",
        f"<td>Σ {summed}</td>" if row.axes else f'<td class="m">{summed}</td>',
        f"<td>{shape}</td><td>{said}</td>",
    ]
    mark = _mark(row)
    if _has_marks(facts):
        more = f" {escape(row.fault.said)}" if row.fault else ""
        sign = f'<b class="s">✗ {escape(mark)}</b>{more}' if mark else ""
        cells.append(f'<td class="e">{sign}</td>')
    opening = '<tr class="x">' if mark else "<tr>"
    return f"{opening}{''.join(cells)}</tr>"


# -- as SVG ----------------------------------------------------------------------------------------------------------


def draw(facts: Rows) -> str:
    """The table as an SVG document: the same cells, the same colours."""
    columns = [_column(facts, number, head) for number, head in enumerate(_heads(facts))]
    starts = [EDGE]
    for column in columns:
        starts.append(starts[-1] + COLUMN_GAP + max(_wide(*cell) for cell in column))
    width = max(starts[-1] - COLUMN_GAP + EDGE, 420)
    below = [line for said in (*_wrong(facts), *facts.births, _summary(facts)) for line in svg.wrapped(said, width)]
    foot = EDGE + 2 * ROW + ROW * len(facts.rows)
    parts = [f'<text class="h" x="{EDGE}" y="{EDGE + 10}">{escape(title(facts))}</text>']
    for number in range(len(facts.rows) + 1):
        y = EDGE + ROW * (number + 1)
        parts += [_cell(x, y, *column[number]) for x, column in zip(starts, columns, strict=False)]
        parts.append(f'<path class="{"d" if number else "l"}" d="M{EDGE - 4} {y + ROW - 1}H{width - EDGE + 4}"/>')
        if number and _mark(facts.rows[number - 1]):
            parts.append(f'<path class="x" d="M{EDGE - 7} {y + 2}v{ROW - 6}"/>')
    parts += svg.captions(below, foot + 20)
    size = width, foot + svg.CAPTION * len(below) + 12
    name = f"mtt{facts.graph.topology}"
    return svg.document(name, title(facts), told(facts), size, SVG_THEME.sheet(name), parts)


def _column(facts: Rows, number: int, head: str) -> list[tuple[str, str]]:
    """Text and look of every cell of a column, its head first."""
    found = [(head, "b")]
    for row in facts.rows:
        if number == COLUMNS:
            found.append((f"✗ {_mark(row)}" if _mark(row) else "", "s"))
            continue
        said = _cells(facts, row, words.TYPESET)[number]
        look = {2: "b", 3: "c" if row.sign else "m", 4: "" if row.sign else "m", 5: "" if row.axes else "m"}.get(
            number, ""
        )
        if number == COLUMNS - 1:
            look = CHIPS.get(row.state, "i")
        found.append((f"Σ {said}" if number == 5 and row.axes else said, look))
    return found


def _wide(said: str, look: str) -> int:
    """The room that a cell takes."""
    wide = 7.4 * len(said) if look == "c" else text_width(said) * (1.08 if look in ("b", "s") else 1)
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


def _cells(facts: Rows, row: Row, signs: words.Signs) -> list[str]:
    """What a row says, column by column."""
    typeset = signs is words.TYPESET
    op = words.drawn(row.op) if typeset else row.op
    arrow = "→" if typeset else "->"
    nothing = "–" if typeset else "-"
    contribution = _shape(facts, row.contribution) if row.sign else nothing
    return [
        f"{op} {arrow} {row.result}" if row.result else row.op,
        nothing if not row.result else _shape(facts, row.upstream),
        row.operand,
        row.rule if row.sign else nothing,
        f"{row.sign} {contribution}".strip(),
        words.axes(row.axes) if row.axes else nothing,
        say("shapes_not_kept") if row.shape is None else _shape(facts, row.shape),
        _held(row, signs),
    ]


def _shape(facts: Rows, shape: tuple[int, ...] | None) -> str:
    if shape is None:
        return say("shapes_unknown")
    return say("shapes_number") if facts.graph.scalar else str(shape)


def _held(row: Row, signs: words.Signs) -> str:
    """What the operand holds: a number, the norm of an array, or in words why there is none."""
    if row.gradient is None:
        return {"freed": say("freed"), "constant": say("constant")}.get(row.state, say("no_gradient"))
    size = say("shapes_norm", size=words.number(row.gradient.norm, signs))
    if row.gradient.is_zero:
        size = say("shapes_zero")
    elif row.gradient.is_empty:
        size = say("empty")
    elif row.gradient.shape == () and row.gradient.values is not None:
        size = words.number(row.gradient.values[0], signs)
    return size if row.shape in (row.gradient.shape, None) else f"{row.gradient.shape} {size}"
