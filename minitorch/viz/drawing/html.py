"""HTML: a picture as an image with words in its place, and a page of its own for it. Nothing comes from elsewhere."""

from __future__ import annotations

from base64 import b64encode
from html import escape

from minitorch.viz.drawing.palette import DARK, LIGHT


def image(drawn: str, told: str) -> str:
    """An SVG document as an image. A bare SVG has no place for an `alt`, and an untrusted notebook hides it."""
    source = f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
    return f'<img alt="{escape(told)}" src="{source}">'


def page(title: str, body: str) -> str:
    """A page that holds `body` alone, light or dark as the reader's system is."""
    ground = f"body{{margin:16px;background:{LIGHT['paper']}}}"
    dark = f"@media(prefers-color-scheme:dark){{body{{background:{DARK['paper']}}}}}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{ground}{dark}</style></head>'
        f"<body>{body}</body></html>\n"
    )
