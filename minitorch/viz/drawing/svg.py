"""SVG documents: the frame that every picture stands in, and what several of them draw."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from xml.sax.saxutils import escape

from minitorch.language import language
from minitorch.viz.drawing.layout import Route
from minitorch.viz.drawing.scene import end_of

LETTER = 6.4  # mean width of a caption's letter, in pixels
CAPTION = 18  # pixels, the height of a caption's line
BRACKETS = re.compile(r"\((?:[\d, ]|\([\d, ]*\))*\)|\[[\d, ]*\]")  # a shape or a place
HELD = "\0"  # a blank at which no line ends


def document(
    name: str, title: str, told: str, size: tuple[int, int], sheet: str, body: Iterable[str], defs: str = ""
) -> str:
    """A whole SVG document: the same bytes for the same arguments, readable on its own or in a page.

    name: its id, and the beginning of all ids in it. title, told: the picture for those who do not see it, in short
    and in full. size: width and height. sheet: its style, in which the class "p" is the paper it is drawn on.
    body: what is drawn, escaped already; defs: what the body refers to.
    """
    width, height = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" lang="{language()}" role="img"'
        f' aria-labelledby="{name}t {name}d" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<title id="{name}t">{escape(title)}</title><desc id="{name}d">{escape(told)}</desc>'
        f"<style>{sheet}</style>{defs}"
        f'<rect class="p" width="{width}" height="{height}" rx="10"/>{"".join(body)}</svg>\n'
    )


def wrapped(caption: str, width: int) -> list[str]:
    """The lines of a caption below a picture of that width."""
    return broken(caption, int((width - 36) / LETTER))


def broken(text: str, letters: int, indent: str = "") -> list[str]:
    """A text in lines of so many letters; a shape or a place such as [0, 1] stays on one of them.

    >>> broken("the first at [0, 1]", 17)
    ['the first at', '[0, 1]']
    """
    kept = BRACKETS.sub(lambda found: found[0].replace(" ", HELD) if len(found[0]) <= letters else found[0], text)
    return [line.replace(HELD, " ") for line in textwrap.wrap(kept, letters, subsequent_indent=indent)]


def captions(lines: Iterable[str], top: int) -> list[str]:
    """Lines of text below one another, the first one's foot at `top`."""
    return [
        f'<text class="f" x="18" y="{top + CAPTION * number}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]


def markers(name: str) -> str:
    """The heads of the arrows of the picture whose id is `name`."""
    form = (
        'refY="4" viewBox="0 0 8 8" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" '
        'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker>'
    )
    tips = {"a": 7, "b": 0, "x": 7}  # where on the head the line ends: on the way back at its foot, as thick as it is
    markers = [f'<marker id="{name}{letter}" refX="{tip}" {form}' for letter, tip in tips.items()]
    return f"<defs>{''.join(markers)}</defs>"


def path(route: Route, back: bool = False, below: int = 0) -> str:
    """A smooth way down through the points of a route: aside in its lane, then upright, with room for a label.

    back: with room for an arrow's head at its beginning. below: pixels that it begins below its box.
    """
    points = route.points
    last = len(points) - 1
    end = end_of(route)[1]
    x0, y0 = points[0]
    pen = y0 + below + (11 if back else 2)
    found = f"M{x0} {pen}"
    y0 = route.foot
    at = 1  # of the points
    for lane in route.lanes:
        x1, y1 = points[at]
        if x0 != x1:
            if y0 > pen:
                found += f"v{y0 - pen}"
                pen = y0
            turn = min(30, ((end if at == last else y1) - y0) * 2 // 3)
            level = max(pen + 3, y0 + 3 + round(lane * (turn - 6))) - pen
            aside = f"{x1 - x0}" if x1 < x0 else f" {x1 - x0}"  # a minus keeps numbers apart, too
            found += f"c0 {level}{aside} {level}{aside} {y0 + turn - pen}"
            x0, pen = x1, y0 + turn
        if at < last:
            y0 = points[at + 1][1]
        at += 2
    return f"{found}v{end - pen}"
