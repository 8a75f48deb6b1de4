"""What the pages of a class have in common: their frame, their style, and how a sentence or a piece of code is set.

Static HTML: no script, no request; it prints. Every text of a learner is cleaned and escaped before it comes here.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from minitorch.course.cards.code_words import code_html
from minitorch.course.cards.report import clean
from minitorch.language import Message
from minitorch.viz.drawing.palette import DARK, LIGHT

MADE_BY = '<meta name="generator" content="minitorch grade report">'  # what says that a page may be written over


def _colours(theme: dict[str, str]) -> str:
    return "".join(f"--{name}: {theme[name]}; " for name in ("paper", "ink", "soft", "line", "freed"))


STYLE = f"""
:root {{ {_colours(LIGHT)}--good: #009e73; --bad: #d55e00; --odd: #e69f00; }}
@media (prefers-color-scheme: dark) {{ :root {{ {_colours(DARK)} }} }}
body {{ margin: 0 auto; max-width: 960px; padding: 24px; font: 16px/1.5 system-ui, sans-serif;
  background: var(--paper); color: var(--ink); }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; vertical-align: top; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--freed); }}
td {{ font-variant-numeric: tabular-nums; }} th[scope=row] {{ font-weight: 600; white-space: nowrap; }}
pre {{ margin: 0; white-space: pre-wrap; overflow-wrap: anywhere;
  padding: 10px 12px; border-left: 4px solid var(--line); font-size: 14px; }}
.pair {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 12px; margin: 8px 0 20px; }}
.soft {{ color: var(--soft); }} ol > li {{ margin-bottom: 12px; break-inside: avoid; }}
svg {{ display: block; width: 100%; height: auto; max-width: 640px; }}
svg text {{ font: 13px system-ui, sans-serif; fill: var(--ink); text-anchor: middle; }}
svg .axis {{ fill: var(--soft); text-anchor: start; }} svg .last {{ text-anchor: end; }}
svg .line {{ stroke: var(--line); }} .bar {{ fill: var(--good); }}
.passed {{ fill: var(--good); background: var(--good); }} .wrong {{ fill: var(--bad); background: var(--bad); }}
.stopped {{ fill: var(--odd); background: var(--odd); }} .empty {{ fill: var(--freed); background: var(--freed); }}
svg .on-passed, svg .on-wrong, svg .on-stopped {{ fill: #000; }}
.legend span {{ display: inline-block; width: 12px; height: 12px; margin: 0 6px 0 14px; }}
section > p {{ margin: 6px 0; }} section > pre {{ margin-bottom: 10px; }} a {{ color: inherit; }}
.next {{ border-left: 4px solid var(--good); padding: 2px 14px; }}
@media (max-width: 600px) {{ body {{ padding: 12px; }} th, td {{ padding-right: 8px; }}
  th[scope=row] {{ white-space: normal; }} .pair {{ grid-template-columns: 1fr; }} ol {{ padding-left: 24px; }} }}
@media print {{ :root {{ {_colours(LIGHT)}}}
  body {{ max-width: none; padding: 0; }} tr, section {{ break-inside: avoid; }}
  h2, .legend {{ break-after: avoid; }} nav {{ display: none; }} * {{ print-color-adjust: exact; }} }}
"""


def page(title: str, lang: str, body: Iterable[str]) -> str:
    """A whole page. title: plain text."""
    head = (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">{MADE_BY}'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main><h1>{escape(title)}</h1>"
    )
    return "\n".join([head, *body, "</main></body></html>", ""])


def said(key: str, lang: str, **fields: object) -> str:
    """A sentence of ours as HTML, its code set as code."""
    return code_html(Message(key, **fields).to(lang))


def told(text: Message, lang: str) -> str:
    """A sentence of a verdict as HTML: something of a learner's may stand in it."""
    return code_html(clean(text.to(lang)))


def code(text: str) -> str:
    """Code as HTML, line by line, with what cannot be seen written out."""
    return f"<pre>{escape(chr(10).join(map(clean, text.splitlines())))}</pre>"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of HTML cells; the first one of a row names it."""
    top = "".join(f'<th scope="col">{head}</th>' for head in heads)
    body = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' if at else _named(cell) for at, cell in enumerate(row))}</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _named(cell: str) -> str:
    return f'<th scope="row">{cell}</th>'


def percent(share: float) -> str:
    """A share as a whole number of hundredths, never rounded up to all of it."""
    return f"{int(100 * share + 1e-9)}"
