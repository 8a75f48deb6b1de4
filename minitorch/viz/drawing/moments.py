"""Moments: what a picture shows at each of its steps, drawn ahead, to be laid on a slide of any size and colour."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from minitorch.viz.drawing import theme
from minitorch.viz.drawing.outlines import IDENTITY, Matrix, matrix, shape, times
from minitorch.viz.drawing.styles import Drawing, Element, Style

Rect = tuple[int, int, int, int]  # x, y, width, height
SMALLEST = 13  # pixels: what most letters of a picture have
_LETTERS = re.compile(r"(font(?:-size)?:(?:\d00 )?)(\d+)px")

_DOCUMENT = re.compile(
    r'<svg [^>]*? id="(?P<name>[^"]+)"[^>]* viewBox="0 0 (?P<width>\d+) (?P<height>\d+)">'
    r"<title[^>]*>.*?</title><desc[^>]*>.*?</desc><style>(?P<sheet>.*?)</style>(?P<body>.*)</svg>\s*",
    re.DOTALL,
)


@dataclass(frozen=True)
class Moment:
    """One step of a picture. sentence: what happens; told: the picture in words, for those who do not see it.

    active: says of an element whether it is what happens now; None where nothing is more so than the rest. asks: what a
    room may be asked before it sees this. state: where the picture's own player stands then. letters:
    pixels of the smallest ones; in a drawing that has room for larger ones more of it can be seen at once.
    """

    drawn: str
    sentence: str
    told: str
    active: Callable[[Element], bool] | None = None
    asks: str = ""
    state: Mapping[str, int] = field(default_factory=dict)
    letters: int = SMALLEST

    @cached_property
    def still(self) -> Still:
        """Its drawing without colours."""
        return Still(self.drawn, self.letters)

    @cached_property
    def focus(self) -> Rect | None:
        """Where in the drawing it happens."""
        return None if self.active is None else _extent(self.drawn, self.active)


class Still:
    """A document of `svg.document` taken apart: its id, its size, what is drawn, and its style without the colours.

    Letters that are smaller than most are drawn larger: on a wall the smallest ones decide how much of it can be seen.
    """

    def __init__(self, drawn: str, letters: int = SMALLEST) -> None:
        read = _DOCUMENT.fullmatch(drawn)
        if read is None:
            raise ValueError("a moment is an SVG document as minitorch.viz.drawing.svg writes it")
        self.name, self.body = read["name"], read["body"]
        self.width, self.height = int(read["width"]), int(read["height"])
        self._plain = _LETTERS.sub(lambda found: f"{found[1]}{max(int(found[2]), letters)}px", read["sheet"])
        self._drawn, self._sheet = drawn.replace(read["sheet"], self._plain), theme.named(self._plain)

    def markup(self) -> str:
        """As an SVG image that wears the colours of the page it is in: `--ink` and the others."""
        box = f'viewBox="0 0 {self.width} {self.height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{self.name}" role="img" {box}>'
            f"<style>{self._sheet}</style>{self.body}</svg>"
        )

    def group(self, colours: Mapping[str, str] | None) -> str:
        """What stands in a group of another drawing whose id is this one's; light or dark by itself if None."""
        sheet = self._plain if colours is None else theme.painted(self._sheet, colours)
        return f"<style>{sheet}</style>{self.body}"

    @cached_property
    def least(self) -> float:
        """Pixels: the size of the smallest letters in it; those of a caption where it has no text."""
        drawing = Drawing(self._drawn)
        return min((size for size in _sizes(drawing, drawing.root, {})), default=float(SMALLEST))


def by_class(*names: str) -> Callable[[Element], bool]:
    """Elements of one of these classes."""
    return lambda element: bool(set(names) & set(element.attributes.get("class", "").split()))


def by_mark(element: Element) -> bool:
    """Elements that a film marks."""
    return "data-active" in element.attributes


def _sizes(drawing: Drawing, element: Element, inherited: Style) -> Iterator[float]:
    style = drawing.style(element, inherited)
    if element.tag in ("text", "tspan") and (element.text.strip() or element.tail.strip()):
        yield float(style.get("font-size", "16").removesuffix("px"))
    for child in element.children:
        yield from _sizes(drawing, child, style)


def _extent(drawn: str, active: Callable[[Element], bool]) -> Rect | None:
    """The rectangle around all that is active."""
    points = list(_points(Drawing(drawn).root, active, IDENTITY, inside=False))
    if not points:
        return None
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return round(left), round(top), round(max(x for x, _ in points) - left), round(max(y for _, y in points) - top)


def _points(
    element: Element, active: Callable[[Element], bool], at: Matrix, inside: bool
) -> Iterator[tuple[float, float]]:
    at = times(at, matrix(element.attributes.get("transform", "")))
    inside = inside or active(element)
    if element.tag in ("svg", "g"):
        for child in element.children:
            yield from _points(child, active, at, inside)
    elif inside and element.tag in ("rect", "path", "line", "circle"):
        a, b, c, d, e, f = at
        for _, through in shape(element):
            yield from ((a * x + c * y + e, b * x + d * y + f) for x, y in through)
