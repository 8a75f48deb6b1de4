"""What `viz.shapes` gives back: the gradient-shape table, as text for a terminal and as HTML for a notebook."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from minitorch.viz.drawing.html import Theme, page
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import words
from minitorch.viz.facts.shape_rows import Row, Rows

LINES = 200  # of text in a notebook; `.text()` has them all
HEADS = ("backward of", "g", "operand", "local rule", "contribution", "summed over", "to shape", "gradient")

# `@` is the table's own id; names in braces are the palette's.
_THEME = Theme(
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
        ("@ .s", "color", "on-back"),
        ("@ .x th:first-child", "box-shadow:inset 4px 0", "back"),
    ),
)


class ShapeTable:
    """The backward pass as a table of shapes. Holds no tensors: it shows the graph as it was."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows.rows
        self._facts = rows

    @property
    def wrong(self) -> tuple[str, ...]:
        """What is wrong, each as "name: kind: sentence"; empty where nothing is."""
        return tuple(f"{name}: {fault}" for name, fault in self._facts.wrong)

    def text(self) -> str:
        """One line an edge, and below them what is wrong."""
        return self._text(None)

    def html(self, path: str | Path) -> Path:
        """Writes the table as a page of its own, light or dark as the reader's system is."""
        path = Path(path)
        path.write_text(page(self._title, self._table()), encoding="utf-8")
        return path

    def save(self, path: str | Path) -> Path:
        """Writes the table; the name's ending says how: .html or .txt. Raises ValueError on another ending."""
        path = Path(path)
        writers: dict[str, Callable[[], object]] = {
            ".html": lambda: self.html(path),
            ".txt": lambda: path.write_text(f"{self.text()}\n", encoding="utf-8"),
        }
        if path.suffix not in writers:
            raise ValueError(f"cannot write a table as {path.suffix or path.name!r}: use {', '.join(writers)}")
        writers[path.suffix]()
        return path

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/html": self._table(), "text/plain": self._text(LINES)}

    def __repr__(self) -> str:
        return self._text(LINES)

    # -- the two forms -------------------------------------------------------------------------------------------------

    @property
    def _title(self) -> str:
        return f"Gradient shapes of the backward pass from {self._facts.root}"

    @property
    def _summary(self) -> str:
        edges = len(self.rows) - 1
        counted = f"{edges} {'edge' if edges == 1 else 'edges'}"
        if not self._facts.has_run and not self.wrong:
            return f"{counted}; {words.NO_GRADIENT} anywhere: these are the shapes that gradients will have."
        if not self.wrong:
            return f"{counted}; every gradient that is held fits its data."
        return f"{counted}; {len(self.wrong)} {'gradient is' if len(self.wrong) == 1 else 'gradients are'} wrong."

    def _text(self, limit: int | None) -> str:
        heads = [*HEADS, *(["wrong"] if self.wrong else [])]
        cells = [self._cells(row, words.ASCII) for row in self.rows]
        faults = [[] if not self.wrong else [f"! {row.fault.word}" if row.fault else ""] for row in self.rows]
        lines = aligned([heads, *(made + fault for made, fault in zip(cells, faults, strict=True))], ())
        told = [f"! {each}" for each in self.wrong]
        return "\n".join([self._title, *shortened(lines, limit), *told, self._summary])

    def _table(self) -> str:
        name = f"mts{self._facts.topology}"
        heads = [*HEADS, *(["wrong"] if self.wrong else [])]
        head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
        body = "".join(map(self._line, self.rows))
        parts = [
            f'<div id="{name}" role="region" tabindex="0" aria-label="{escape(self._title)}">',
            f"<style>{_THEME.style(name)}</style>",
            f"<table><caption>{escape(self._title)}</caption>",
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>",
            f'<tfoot><tr><td colspan="{len(heads)}">{escape(self._summary)}</td></tr></tfoot></table></div>',
        ]
        return "".join(parts)

    def _line(self, row: Row) -> str:
        made, g, operand, rule, contribution, summed, shape, gradient = map(escape, self._cells(row, words.TYPESET))
        look = {"some": "g", "zero": "z", "freed": "y"}.get(row.state)
        detail = "" if row.gradient is None else f' title="{escape(words.entries(row.gradient, words.TYPESET))}"'
        said = f'<span class="{look}"{detail}>{gradient}</span>' if look else f"<i>{gradient}</i>"
        flows = "<td>" if row.sign else '<td class="m">'
        cells = [
            f'<th scope="row">{made}</th><td>{g}</td><td><b>{operand}</b></td>',
            f"{flows}<code>{rule}</code></td>{flows}{contribution}</td>",
            f"<td>Σ {summed}</td>" if row.axes else f'<td class="m">{summed}</td>',
            f"<td>{shape}</td><td>{said}</td>",
        ]
        if self.wrong:
            sign = f'<b class="s">✗ {row.fault.word}</b> {escape(row.fault.said)}' if row.fault else ""
            cells.append(f'<td class="e">{sign}</td>')
        opening = '<tr class="x">' if row.fault else "<tr>"
        return f"{opening}{''.join(cells)}</tr>"

    def _cells(self, row: Row, signs: words.Signs) -> list[str]:
        typeset = signs is words.TYPESET
        op = words.drawn(row.op) if typeset else row.op
        arrow = "→" if typeset else "->"
        nothing = "–" if typeset else "-"
        contribution = self._shape(row.contribution, "not known") if row.sign else nothing
        return [
            f"{op} {arrow} {row.result}" if row.result else row.op,
            nothing if not row.result else self._shape(row.upstream, "not known"),
            row.operand,
            row.rule if row.sign else nothing,
            f"{row.sign} {contribution}".strip(),
            words.axes(row.axes) if row.axes else nothing,
            self._shape(row.shape, "not kept"),
            _held(row, signs),
        ]

    def _shape(self, shape: tuple[int, ...] | None, unknown: str) -> str:
        if shape is None:
            return unknown
        return "one number" if self._facts.scalar else str(shape)


def _held(row: Row, signs: words.Signs) -> str:
    """What the operand holds: a number, the norm of an array, or in words why there is none."""
    if row.gradient is None:
        return {"freed": "gradient freed", "constant": "constant"}.get(row.state, words.NO_GRADIENT)
    size = f"norm {words.number(row.gradient.norm, signs)}"
    if row.gradient.is_zero:
        size = "gradient 0"
    elif row.gradient.shape == () and row.gradient.values is not None:
        size = words.number(row.gradient.values[0], signs)
    return size if row.shape in (row.gradient.shape, None) else f"{row.gradient.shape} {size}"
