"""Letters in a PDF: the fourteen fonts that every reader of PDFs has, how wide their letters are, and what they lack.

Helvetica and Courier have the Latin letters, Symbol has Greek and mathematics, ZapfDingbats has marks. What is in none
of them is put together (ŷ is a y and an accent, ₁ a small 1), or drawn: a few signs are, and for all else stands a box.
All of it can be selected, and is then what it was.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

# How wide letters are, in thousandths of the size of the font.
_REGULAR = {
    191: "'", 222: "ijl‚‘’", 260: "|¦", 278: " !,./:;I[\\]ft·ÌÍÎÏìíîï\xa0", 333: "()-`r„ˆ‹“”˜›¡¨¯²³´¸¹", 334: "{}",
    350: "•", 355: '"', 365: "º", 370: "ª", 389: "*", 400: "°", 469: "^", 500: "Jcksvxyzšžçýÿ", 537: "¶",
    556: "#$0123456789?L_abdeghnopqu€ƒ†‡–¢£¤¥§«µ»àáâãäåèéêëðñòóôõöùúûüþ", 584: "+<=>~¬±×÷", 611: "FTZŽ¿ßø",
    667: "&ABEKPSVXYŠŸÀÁÂÃÄÅÈÉÊËÝÞ", 722: "CDHNRUwÇÐÑÙÚÛÜ", 737: "©®", 778: "GOQÒÓÔÕÖØ", 833: "Mm", 834: "¼½¾",
    889: "%æ", 944: "Wœ", 1000: "…‰Œ—™Æ", 1015: "@",
}  # fmt: skip
_BOLD = {
    238: "'", 278: " ,./I\\ijl‚‘’·ÌÍÎÏìíîï\xa0", 280: "|¦", 333: "!()-:;[]`ftˆ‹˜›¡¨¯²³´¸¹", 350: "•", 365: "º",
    370: "ª", 389: "*r{}", 400: "°", 474: '"', 500: "z„“”ž", 556: "#$0123456789J_aceksvxy€ƒ†‡–š¢£¤¥§«¶»àáâãäåçèéêëýÿ",
    584: "+<=>^~¬±×÷", 611: "?FLTZbdghnopquŽµ¿ßðñòóôõöøùúûüþ", 667: "EPSVXYŠŸÈÉÊËÝÞ", 722: "&ABCDHKNRUÀÁÂÃÄÅÇÐÑÙÚÛÜ",
    737: "©®", 778: "GOQwÒÓÔÕÖØ", 833: "M", 834: "¼½¾", 889: "%mæ", 944: "Wœ", 975: "@", 1000: "…‰Œ—™Æ",
}  # fmt: skip
# Symbol and ZapfDingbats have codes of their own: the first code, the letters from there on, and their widths.
_SYMBOL = (
    (45, "−", "549"),
    (65, "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝ", "722 667 722 612 611 763 603 722 333 631 722 686 889 722"),
    (79, "ΟΠΘΡΣΤΥςΩΞΨΖ", "722 768 741 556 592 611 690 439 768 645 795 611"),
    (97, "αβχδεφγηιϕκλμν", "631 549 549 494 439 521 411 603 329 603 549 549 576 521"),
    (111, "οπθρστυϖωξψζ", "549 549 521 549 603 439 576 713 686 493 686 494"),
    (162, "′≤⁄∞", "247 549 167 713"),
    (171, "↔←↑→↓°±″≥×∝∂•÷≠≡≈", "1042 987 603 987 603 400 549 411 549 549 713 494 460 549 549 549 549"),
    (196, "⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇", "768 768 823 768 768 713 713 713 713 713 713 713 768 713"),
    (213, "∏√⋅¬∧∨⇔⇐⇑⇒⇓", "823 549 250 713 603 603 1042 987 603 987 603"),
    (229, "∑", "713"),
    (242, "∫", "274"),
)
_DINGBATS = (
    (51, "✓✔✕✖✗✘", "755 846 762 761 571 677"),
    (72, "★", "816"),
    (108, "●", "791"),
    (110, "■", "761"),
    (115, "▲▼◆", "892 892 788"),
)
# Signs that are drawn, in a square of 1000; what is not here is a box.
_DRAWN = {
    "⋮": "250 560 100 100 re 250 300 100 100 re 250 40 100 100 re f",
    "○": "60 w 50 350 m 50 488 162 600 300 600 c 438 600 550 488 550 350 c "
    "550 212 438 100 300 100 c 162 100 50 212 50 350 c s",
    "▸": "100 100 m 500 350 l 100 600 l f",
    "◂": "500 100 m 100 350 l 500 600 l f",
    "▾": "50 550 m 550 550 l 300 150 l f",
    "▴": "50 150 m 550 150 l 300 550 l f",
}
_BOX = "40 w 70 0 460 700 re s"
_DRAWN_WIDTH = 600
_ACCENTS = {"\u0300": "`", "\u0301": "´", "\u0302": "ˆ", "\u0303": "˜", "\u0304": "¯", "\u0308": "¨"}
_SMALL, _RISE = 0.65, {"<sub>": -0.15, "<super>": 0.35}


@dataclass(frozen=True, slots=True)
class Piece:
    """Some letters of one font. width: how far they go, in sizes of the font; small, rise: an index or an exponent;
    back: an accent, that many sizes to the left; said: what the letters mean where they are not that themselves.
    """

    font: str
    codes: bytes
    width: float
    small: float = 1
    rise: float = 0
    back: float = 0
    said: str = ""


class Letters:
    """What is written in one document: the fonts it uses, and the signs that none of them has."""

    def __init__(self) -> None:
        self.fonts: dict[str, str] = {}  # each font's name in the document
        self._drawn: dict[str, int] = {}

    def pieces(self, text: str, style: Mapping[str, str]) -> list[Piece]:
        """A text in the style of an element, as pieces that one font each can write."""
        found: list[Piece] = []
        for piece in self._single(text, _face(style)):
            last = found[-1] if found else None
            if last is not None and (last.font, last.said, last.back) == (piece.font, "", 0) and not piece.said:
                found[-1] = Piece(piece.font, last.codes + piece.codes, last.width + piece.width)
            else:
                found.append(piece)
        return found

    def _single(self, text: str, face: str) -> Iterator[Piece]:
        for letter in text:
            known = self._known(letter, face)
            if known is not None:
                yield known
                continue
            how, *parts = unicodedata.decomposition(letter).split() or [""]
            base = chr(int(parts[0], 16)) if how in _RISE and len(parts) == 1 else ""
            if base and (small := self._known(base, face)):
                yield Piece(small.font, small.codes, small.width * _SMALL, _SMALL, _RISE[how], said=letter)
                continue
            above = _ACCENTS.get(chr(int(parts[0], 16))) if parts and not how.startswith("<") else None
            if above and (under := self._known(chr(int(how, 16)), face)) and (accent := self._known(above, face)):
                yield Piece(under.font, under.codes, under.width, said=letter)
                yield Piece(accent.font, accent.codes, 0, back=(under.width + accent.width) / 2, said="\u200b")
                continue
            code = self._drawn.setdefault(letter, min(len(self._drawn) + 1, 255))
            yield Piece(self._named("Drawn"), bytes([code]), _DRAWN_WIDTH / 1000)

    def _known(self, letter: str, face: str) -> Piece | None:
        """The letter as some font has it. A no-break space and the like are spaces."""
        try:
            code = letter.encode("cp1252")
        except UnicodeEncodeError:
            code = b""
        if code and code[0] >= 32 and code[0] not in (127, 173):
            return Piece(self._named(face), code, _width(letter, face))
        for font, table in (("Symbol", _SYMBOL), ("ZapfDingbats", _DINGBATS)):
            for first, letters, widths in table:
                if (place := letters.find(letter)) >= 0:
                    return Piece(self._named(font), bytes([first + place]), int(widths.split()[place]) / 1000)
        return None

    def _named(self, font: str) -> str:
        return self.fonts.setdefault(font, f"F{len(self.fonts) + 1}")

    def drawn(self) -> Mapping[str, tuple[int, str]]:
        """The signs that are drawn: their codes, and how."""
        return {letter: (code, _DRAWN.get(letter, _BOX)) for letter, code in self._drawn.items()}


def _face(style: Mapping[str, str]) -> str:
    family = "Courier" if "monospace" in style.get("font-family", "") else "Helvetica"
    bold = "Bold" if style.get("font-weight", "normal") in ("bold", "600", "700", "800") else ""
    slanted = "Oblique" if style.get("font-style") == "italic" else ""
    return f"{family}-{bold}{slanted}".rstrip("-")


@cache
def _widths(bold: bool) -> Mapping[str, int]:
    return {letter: width for width, letters in (_BOLD if bold else _REGULAR).items() for letter in letters}


def _width(letter: str, face: str) -> float:
    return 0.6 if face.startswith("Courier") else _widths("Bold" in face)[letter] / 1000
