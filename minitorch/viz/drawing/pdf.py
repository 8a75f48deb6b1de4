"""PDF: the same pictures as on the screen, each on a page of its size, with lines as lines and letters as letters.

It is written from the SVG that we ourselves write, element by element: what that draws and how is read by `styles` and
`outlines`, and `letters` knows the fonts. There is no date in it, so the same picture is the same bytes. It is tagged:
a screen reader finds its title, its language and the words in place of the picture.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from minitorch.language import language
from minitorch.viz.drawing.letters import Letters, Piece
from minitorch.viz.drawing.outlines import IDENTITY, Matrix, Segment, ends, matrix, shape, times
from minitorch.viz.drawing.pdf_file import File, named, number, quoted, row
from minitorch.viz.drawing.styles import Drawing, Element, Style

POINTS = 0.75  # in a pixel
LONGEST = 14400  # points: what readers of PDFs take for a side of a page
_SILENT = frozenset({"title", "desc", "style", "defs", "marker", "pattern"})
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


def written(drawn: str) -> bytes:
    """An SVG document of ours as a PDF."""
    return pages([drawn])


def pages(drawn: Sequence[str], title: str = "") -> bytes:
    """SVG documents of ours as the pages of a PDF. title: of the whole; by default that of the first."""
    drawings = [Drawing(each) for each in drawn]
    file, letters = File(), Letters()
    tree_of_pages, tree = file.reserved(), file.reserved()
    owns = [file.reserved() for _ in drawings]
    drawn_pages = [_drawn_page(drawing, letters) for drawing in drawings]
    fonts = named(_fonts(file, letters))
    figures = []
    for place, (own, drawing, (content, made, box)) in enumerate(zip(owns, drawings, drawn_pages, strict=True)):
        patterns = {name: file.stream(said, tile) for name, (said, tile) in made.patterns.items()}
        said = f"/Font {fonts}/Pattern {named(patterns)}/ExtGState {_opacities(made.opacities)}"
        shown = file.stream("", content)
        file.fill(
            own,
            f"<</Type/Page/Parent {tree_of_pages} 0 R/MediaBox {box}/Contents {shown} 0 R/Resources <<{said}>>"
            f"/StructParents {place}/Tabs/S>>",
        )
        alt = f"/Alt {quoted(_said(drawing, 'desc'))}/A<</O/Layout/BBox {box}>>"
        figures.append(file.add(f"<</S/Figure/P {tree} 0 R/Pg {own} 0 R/K 0{alt}>>"))
    file.fill(tree_of_pages, f"<</Type/Pages/Kids[{_refs(owns)}]/Count {len(owns)}>>")
    parents = "".join(f"{place}[{each} 0 R]" for place, each in enumerate(figures))
    file.fill(
        tree,
        f"<</Type/StructTreeRoot/K[{_refs(figures)}]/ParentTree<</Nums[{parents}]>>/ParentTreeNextKey {len(owns)}>>",
    )
    catalog = file.add(
        f"<</Type/Catalog/Pages {tree_of_pages} 0 R/Lang({language()})/MarkInfo<</Marked true>>"
        f"/StructTreeRoot {tree} 0 R/ViewerPreferences<</DisplayDocTitle true>>>>"
    )
    called = title or _said(drawings[0], "title")
    return file.done(catalog, file.add(f"<</Title {quoted(called)}/Producer(minitorch)>>"))


def _drawn_page(drawing: Drawing, letters: Letters) -> tuple[str, _Page, str]:
    """What draws a page, what that refers to, and how large the page is."""
    width, height = drawing.root.number("width"), drawing.root.number("height")
    scale = min(POINTS, LONGEST / max(width, height))
    base: Matrix = (scale, 0, 0, -scale, 0, height * scale)
    found = _Page(drawing, letters)
    found.group(drawing.root, {}, base)
    marked = f"{row(base)} cm /Figure <</MCID 0>> BDC\n{found.content}EMC\n"
    return marked, found, f"[0 0 {number(width * scale)} {number(height * scale)}]"


def _said(drawing: Drawing, tag: str) -> str:
    return next(each.text for each in drawing.root.children if each.tag == tag)


def _refs(numbers: Iterable[int]) -> str:
    return " ".join(f"{each} 0 R" for each in numbers)


@dataclass(frozen=True, slots=True)
class _Line:
    """Some text on one line. style: of each part."""

    x: float
    y: float
    parts: tuple[tuple[str, Style], ...]


class _Page:
    """The operators that draw the elements, and what they refer to."""

    def __init__(self, drawing: Drawing, letters: Letters) -> None:
        self.drawing = drawing
        self.letters = letters
        self.patterns: dict[str, tuple[str, str]] = {}
        self.opacities: dict[tuple[float, float], str] = {}
        self._parts: list[str] = []

    @property
    def content(self) -> str:
        """All that was drawn so far."""
        return "".join(self._parts)

    def group(self, element: Element, inherited: Style, at: Matrix) -> None:
        """Draws an element that holds others, in coordinates that `at` takes to those of the page."""
        style = self.drawing.style(element, inherited)
        moved = matrix(element.attributes.get("transform", ""))
        clip = element.attributes.get("clip-path", "")
        if moved != IDENTITY or clip:
            self._parts.append(f"q {row(moved)} cm\n" if moved != IDENTITY else "q\n")
            at = times(at, moved)
        if clip:
            kept = self.drawing.ids[clip.removeprefix("url(#").removesuffix(")")].children[0]
            self._parts.append(f"{_path(shape(kept))}W n\n")
        for child in element.children:
            if child.tag == "g":
                self.group(child, style, at)
            elif child.tag not in _SILENT:
                self._shape(child, self.drawing.style(child, style), at)
        if moved != IDENTITY or clip:
            self._parts.append("Q\n")

    def _shape(self, element: Element, style: Style, at: Matrix) -> None:
        moved = matrix(element.attributes.get("transform", ""))
        self._parts.append("q " if moved == IDENTITY else f"q {row(moved)} cm ")
        if element.tag == "text":
            self._text(element, style)
        else:
            self._outline(shape(element), style, times(at, moved))
        self._parts.append("Q\n")

    # -- shapes ------------------------------------------------------------------------------------------------------

    def _outline(self, segments: list[Segment], style: Style, at: Matrix) -> None:
        filled = self._filled(style.get("fill", "#000000"), at)
        stroked = self._stroked(style)
        if not (filled or stroked):
            return
        paint = "B" if filled and stroked else "f" if filled else "S"
        self._parts.append(f"{self._opacity(style)}{filled}{stroked}{_path(segments)}{paint}\n")
        for name, there in (("marker-start", 0), ("marker-end", 1)):
            read = re.fullmatch(r"url\(#(.+)\)", style.get(name, "none"))
            if read and segments:
                point, direction = ends(segments)[there]
                self._marker(self.drawing.ids[read[1]], point, direction, at_start=not there)

    def _marker(self, element: Element, point: tuple[float, float], direction: float, at_start: bool) -> None:
        """The head of an arrow. Ours are as large as they say, whatever the arrow's width."""
        number = element.number
        if at_start and element.attributes.get("orient") == "auto-start-reverse":
            direction += math.pi
        _, _, wide, high = map(float, element.attributes["viewBox"].split())
        x, y = number("markerWidth") / wide, number("markerHeight") / high
        cos, sin = math.cos(direction), math.sin(direction)
        turned: Matrix = (cos * x, sin * x, -sin * y, cos * y, *point)
        placed = times(turned, (1, 0, 0, 1, -number("refX"), -number("refY")))
        self._parts.append(f"q [] 0 d {row(placed)} cm\n")
        self.group(element, {}, placed)
        self._parts.append("Q\n")

    def _filled(self, paint: str, at: Matrix) -> str:
        if paint == "none":
            return ""
        if not paint.startswith("url(#"):
            return f"{_colour(paint)} rg "
        element = self.drawing.ids[paint[5:-1]]
        tile = _Page(self.drawing, self.letters)
        tile.opacities = self.opacities
        tile.group(element, {}, at)
        wide, high = number(element.number("width")), number(element.number("height"))
        name = f"P{len(self.patterns) + 1}"
        said = (
            f"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 {wide} {high}]/XStep {wide}/YStep {high}"
            f"/Matrix[{row(at)}]/Resources<</ExtGState {_opacities(self.opacities)}>>"
        )
        self.patterns[name] = said, tile.content
        return f"/Pattern cs /{name} scn "

    def _stroked(self, style: Style) -> str:
        paint, width = style.get("stroke", "none"), _pixels(style.get("stroke-width", "1"))
        if paint == "none" or not width:
            return ""
        dashes = style.get("stroke-dasharray", "none")
        dashed = "" if dashes == "none" else " ".join(number(float(each)) for each in re.split(r"[\s,]+", dashes))
        cap, join = _CAPS[style.get("stroke-linecap", "butt")], _JOINS[style.get("stroke-linejoin", "miter")]
        return f"{_colour(paint)} RG {number(width)} w {cap} J {join} j 4 M [{dashed}] 0 d "

    def _opacity(self, style: Style) -> str:
        whole = float(style.get("opacity", 1))
        both = whole * float(style.get("fill-opacity", 1)), whole * float(style.get("stroke-opacity", 1))
        if min(both) == 1:
            return ""
        return f"/{self.opacities.setdefault(both, f'G{len(self.opacities) + 1}')} gs "

    # -- text --------------------------------------------------------------------------------------------------------

    def _text(self, element: Element, style: Style) -> None:
        for line in self._lines(element, style):
            pieces = [(each, said) for text, said in line.parts for each in self.letters.pieces(text, said)]
            width = sum(piece.width * _size(said) for piece, said in pieces)
            x = line.x - {"middle": 0.5, "end": 1}.get(style.get("text-anchor", "start"), 0) * width
            halo = self._stroked(style)
            if halo:  # decoration: what is written twice is read once
                self._parts.append(f"/Artifact BMC {halo}1 Tr {_shown(pieces, x, line.y)}EMC 0 Tr\n")
            self._parts.append(self._opacity(style) + _shown(pieces, x, line.y, colours=True))

    def _lines(self, element: Element, style: Style) -> Iterable[_Line]:
        """The lines of a text: a `tspan` that says where it stands begins one."""
        x, y = element.number("x"), element.number("y")
        parts: list[tuple[str, Style]] = [(element.text, style)]
        for child in element.children:
            if child.tag != "tspan":
                raise ValueError(f"a drawing's text has a <{child.tag}>, which a PDF is not told how to write")
            if {"x", "y", "dy"} & set(child.attributes):
                yield _Line(x, y, _spaced(parts))
                x, y = child.number("x", x), child.number("y", y) + child.number("dy")
                parts = []
            parts += [(child.text, self.drawing.style(child, style)), (child.tail, style)]
        yield _Line(x, y, _spaced(parts))


def _spaced(parts: list[tuple[str, Style]]) -> tuple[tuple[str, Style], ...]:
    """The parts of a line with the spaces that a browser shows: one for many, and none at the ends."""
    if any(style.get("white-space") == "pre" for _, style in parts):
        return tuple(parts)
    found: list[tuple[str, Style]] = []
    before = " "
    for text, style in parts:
        kept = re.sub(r"[ \t\n]+", " ", text)
        kept = kept[1:] if before.endswith(" ") and kept.startswith(" ") else kept
        if kept:
            found.append((kept, style))
            before = kept
    if found:
        found[-1] = (found[-1][0].rstrip(" "), found[-1][1])
    return tuple(found)


def _shown(pieces: Iterable[tuple[Piece, Style]], x: float, y: float, colours: bool = False) -> str:
    parts = []
    for piece, style in pieces:
        size = _size(style)
        colour = f"{_colour(style.get('fill', '#000000'))} rg " if colours else ""
        place = f"1 0 0 -1 {number(x - piece.back * size)} {number(y - piece.rise * size)} Tm"
        show = f"BT {colour}/{piece.font} {number(size * piece.small)} Tf {place} <{piece.codes.hex()}> Tj ET\n"
        parts.append(f"/Span <</ActualText {quoted(piece.said)}>> BDC {show}EMC\n" if piece.said else show)
        x += piece.width * size
    return "".join(parts)


def _size(style: Style) -> float:
    return _pixels(style.get("font-size", "16"))


def _pixels(said: str) -> float:
    return float(said.removesuffix("px"))


def _colour(said: str) -> str:
    digits = said.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    if not re.fullmatch("[0-9a-fA-F]{6}", digits):
        raise ValueError(f"a drawing has the colour {said!r}, which a PDF is not told how to paint")
    return row(int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))


def _path(segments: Iterable[Segment]) -> str:
    letters = {"M": "m", "L": "l", "C": "c", "Z": "h"}
    points = ((kind, row(each for at in through for each in at)) for kind, through in segments)
    return "".join(f"{said} {letters[kind]} ".lstrip() for kind, said in points)


def _opacities(known: Mapping[tuple[float, float], str]) -> str:
    return f"<<{''.join(f'/{name}<</ca {number(a)}/CA {number(b)}>>' for (a, b), name in known.items())}>>"


def _fonts(file: File, letters: Letters) -> Mapping[str, int]:
    """The fonts of the page: the document's names for them, and their objects."""
    found = {}
    for font, name in letters.fonts.items():
        coded = "" if font in ("Symbol", "ZapfDingbats") else "/Encoding/WinAnsiEncoding"
        made = f"<</Type/Font/Subtype/Type1/BaseFont/{font}{coded}>>"
        found[name] = _drawn(file, letters) if font == "Drawn" else file.add(made)
    return found


def _drawn(file: File, letters: Letters) -> int:
    """A font of the signs that no other font has, with a table of what they are for those who copy them."""
    signs = sorted(letters.drawn().items(), key=lambda each: each[1][0])
    shapes = {f"g{code}": file.stream("", f"600 0 0 -50 600 750 d1 {shape}") for _, (code, shape) in signs}
    last = max(code for _, (code, _) in signs)
    told = [f"<{code:02x}> <{sign.encode('utf-16-be').hex()}>\n" for sign, (code, _) in signs]
    blocks = [told[first : first + 100] for first in range(0, len(told), 100)]  # a block has no more
    table = file.stream(
        "",
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Drawn def /CMapType 2 def\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        + "".join(f"{len(block)} beginbfchar\n{''.join(block)}endbfchar\n" for block in blocks)
        + "endcmap end end\n",
    )
    return file.add(
        f"<</Type/Font/Subtype/Type3/FontBBox[0 -50 600 750]/FontMatrix[.001 0 0 .001 0 0]/Resources<<>>"
        f"/CharProcs {named(shapes)}/Encoding<</Type/Encoding/Differences[1 {''.join(f'/{name}' for name in shapes)}]>>"
        f"/FirstChar 1/LastChar {last}/Widths[{' '.join(['600'] * last)}]/ToUnicode {table} 0 R>>"
    )
