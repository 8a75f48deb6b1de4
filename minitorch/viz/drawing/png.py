"""PNG: the same picture as on the screen, light, drawn by resvg from the SVG that we write."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

FINE = 2  # pixels of the image for one of the picture, as on screens of today
LARGEST = 16_000  # pixels a side; what is larger is drawn smaller

# What systems write with where a picture asks for "sans-serif" or "monospace": resvg looks for one name only.
_SANS = ("Arial", "DejaVu Sans", "Liberation Sans", "Noto Sans", "Ubuntu", "Cantarell", "Roboto", "FreeSans")
_MONO = ("Courier New", "DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "Ubuntu Mono", "FreeMono")
_LETTER = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9" font-family="{}">{}</text></svg>'


def rendered(drawn: str) -> bytes:
    """An SVG document of ours as a PNG.

    Raises ImportError when the resvg_py package is missing, RuntimeError where there is no font to write with.
    """
    try:
        import resvg_py
    except ImportError:
        raise ImportError(
            "writing .png needs the resvg_py package, which is missing. "
            'Install it with: pip install "minitorch-course[png]", or write .svg or .pdf, which need nothing.'
        ) from None
    sans = _writing(_SANS)
    if not sans:
        raise RuntimeError(
            "writing .png needs a font on this machine, and there is none: "
            "install DejaVu Sans, for example, or write .pdf, which needs none."
        )
    sides = re.findall(r' (?:width|height)="([\d.]+)"', drawn[: drawn.index(">")])
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn,
            zoom=min(FINE, LARGEST / max(map(float, sides))),
            sans_serif_family=sans,
            monospace_family=_writing(_MONO) or sans,
        )
    )


@cache
def _writing(families: Iterable[str]) -> str:
    """The first of some fonts that leaves a trace, or "": where a font is missing, resvg leaves out what it writes."""
    import resvg_py

    empty = bytes(resvg_py.svg_to_bytes(svg_string=_LETTER.format("", "")))
    drawn = (name for name in families if bytes(resvg_py.svg_to_bytes(svg_string=_LETTER.format(name, "M"))) != empty)
    return next(drawn, "")
