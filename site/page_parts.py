"""Sphinx extension: formulas as MathML, docstrings as they are written here, and a way to the other language."""

from __future__ import annotations

import functools
import json
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

from minitorch.language import Message

OTHER = {"en": "es", "es": "en"}
NAMES = Message("English")
# Where a page is only there in one language, its section's page in the other one is what comes nearest.
NEAREST = {"docs": "how-it-is-made", "api": "api/index", "lectures": "lectures", "course": "course/index"}


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_html_math_renderer("mathml", (_inline_formula, None), (_formula, None))
    app.connect("autodoc-process-docstring", _as_written)
    app.connect("html-page-context", _other_language)
    app.connect("html-page-context", _before_pictures)
    app.connect("html-page-context", _heading_of_a_level, priority=900)  # after the theme's own
    return {"parallel_read_safe": True, "parallel_write_safe": True}


# ------------------------------------------------------------------------------------------ formulas


def _inline_formula(writer: Any, node: nodes.math) -> None:
    writer.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def _formula(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>\n')
    raise nodes.SkipNode


# ---------------------------------------------------------------------------------------- docstrings


def _as_written(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """A docstring as reStructuredText: paragraphs, code between backticks, maths and listings as they stand."""
    blocks = re.split(r"\n\s*\n", "\n".join(lines).strip("\n"))
    lines[:] = [*"\n\n".join(_block(block) for block in blocks).splitlines(), ""]


def _block(block: str) -> str:
    if block.lstrip().startswith(">>>"):
        return block
    rows = block.splitlines()
    if all(row.startswith("    ") for row in rows):
        return "::\n\n" + block
    if len(rows) > 1 and sum(bool(re.match(r"\S+ = ", row)) for row in rows) >= len(rows) - 1:
        return "::\n\n" + "\n".join(f"    {row}" for row in rows)
    pieces = re.split(r"(`[^`]+`)", " ".join(row.strip() for row in rows))
    pieces[::2] = [re.sub(r"([\\*_|`])", r"\\\1", piece) for piece in pieces[::2]]
    pieces[1::2] = [f"\\ ``{piece.strip('`')}``\\ " for piece in pieces[1::2]]
    return "".join(pieces)


# ------------------------------------------------------------------------------------------ language


def _other_language(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """The bar above every page, with the way to the same page in the other language, or to what comes nearest."""
    own = app.config.language
    other = OTHER[own]
    there = counterpart(page, _pages(app.srcdir / "pages.json")[other])
    up = "../" * (page.count("/") + (own == "es"))
    href = f"{up}{'' if other == 'en' else 'es/'}{there}.html"
    context["theme_announcement"] = (
        f'<a class="language" href="{escape(href)}" lang="{other}" hreflang="{other}">{NAMES.to(other)}</a>'
    )


@functools.cache
def _pages(path: Path) -> dict[str, list[str]]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def counterpart(page: str, pages: list[str]) -> str:
    """The page of the other language that is this one, or that comes nearest to it.

    >>> counterpart("course/08_broadcasting", ["index", "course/08_broadcasting"])
    'course/08_broadcasting'
    >>> counterpart("docs/grading", ["index", "how-it-is-made"]), counterpart("api/minitorch", ["index"])
    ('how-it-is-made', 'index')
    """
    if page in pages or page in {"search", "genindex"}:
        return page
    nearest = NEAREST.get(page.partition("/")[0], "index")
    return nearest if nearest in pages else "index"


def _before_pictures(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """What has to run before a picture is read. The theme loads the files of `html_js_files` behind them all."""
    address = context["pathto"]("_static/narrow.js", resource=True)
    context["metatags"] = f'{context.get("metatags", "")}<script src="{escape(address)}"></script>'


def _heading_of_a_level(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """The titles in the list of pages are headings; a screen reader has to know of which level."""
    for name in ("furo_navigation_tree", "body"):
        if context.get(name):
            context[name] = context[name].replace('role="heading">', 'role="heading" aria-level="2">')
