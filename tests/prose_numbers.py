"""Numbers in the prose of a notebook, and where they come from: an output or the code of their section.

A number is found when it stands there as it is, or when one that stands there rounds to it: "5 %" is found in 0.0497,
"108/972" where both stand, "10⁶" in 1000000. What is no result is left aside: code spans and formulas, shapes and
indices, numbers of sections and lessons, years, list numbers, and 0, 1 and 2, with which every text counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Any

from second_edition import Notebook, Section

SMALL = 2  # a whole number up to this one counts things
ROUNDED_FROM = 10  # below it, a whole number in the prose is the number itself
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
UNITS = {"thousand": 3, "million": 6}
NUMBER = re.compile(
    r"(?<![\w.,/])(?P<sign>[-−])?(?P<digits>\d+(?:[,  ]\d{3})*(?:\.\d+)?)"
    r"(?:e(?P<e>[-+]?\d+)|(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))?"
    r"(?:/(?P<under>\d+))?(?P<percent>\s?%)?(?: (?P<unit>thousand|million))?(?![\w/]|\.\d)"
)
PLAIN = re.compile(r"(?<![\w.])[-−]?\d+(?:[,_]\d{3})*(?:\.\d*)?(?:e[-+]?\d+)?", re.IGNORECASE)
ASIDE = re.compile(
    r"""
      ^\ *(?:```|~~~).*?^\ *(?:```|~~~)          # fences
    | \$\$.*?\$\$ | \$[^$\n]*\$ | `[^`]*`        # formulas, code spans
    | ^\ *(?:>|\|)[^\n]*$ | ^\#[^\n]*$            # the line in Spanish, tables, headings
    | ^\ *\d+\.\ | </?[a-zA-Z][^>]*> | \]\([^)]*\)  # list numbers, tags, addresses
    | \[[^\]a-zA-Z]*\] | \(\s*-?\d+\s*,[-\d\s,]*\)  # arrays and indices; shapes
    | \b[\dC]\d\ ·                              # a lesson's number and name
    | \b(?:[Ll]essons?|[Ss]ections?|[Ss]teps?|[Ll]ines?|[Rr]ows?|[Cc]olumns?|[Aa]x[ie]s|[Ii]ndex|[Ee]ntry)
      \ [A-Z]?\d+(?:(?:,|\ and|\ to|\ or)\ \d+)*
    | \b(?:1[5-9]|20)\d\d\b(?!\.\d)              # years
    | \b\d+\ ×\ \d+\b                            # sizes
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True)
class Number:
    """A number as the prose writes it."""

    text: str
    value: Decimal
    places: int  # where it is rounded, as a power of ten: -2 for 0.05
    parts: tuple[str, ...] = ()  # of a fraction

    @property
    def counts(self) -> bool:
        """Whether it only counts things: no result."""
        return self.text.isdigit() and self.value <= SMALL

    def rounds(self, seen: Decimal) -> bool:
        """Whether a number that was seen is this one, rounded as the prose rounds, with or without its sign."""
        step = Decimal(1).scaleb(self.places)
        for shown in (seen, seen * 100) if self.text.endswith("%") else (seen,):
            value = self.value if self.value < 0 else abs(self.value)
            shown = shown if self.value < 0 else abs(shown)
            if shown == value:
                return True
            may_round = self.places < 0 or shown >= ROUNDED_FROM or self.text.endswith("%")
            if may_round and value in (_rounded(shown, step, ROUND_HALF_EVEN), _rounded(shown, step, ROUND_HALF_UP)):
                return True
        return False


def _rounded(number: Decimal, step: Decimal, how: str) -> Decimal | None:
    return (number / step).quantize(Decimal(1), how) * step if abs(number) < step * 10**20 else None


def numbers(prose: str) -> Iterator[Number]:
    """The numbers of a piece of prose that may be results, in order."""
    for found in NUMBER.finditer(ASIDE.sub(" ", prose)):
        digits = re.sub(r"[,  ]", "", found["digits"])
        value, places = Decimal(digits), -len(digits.partition(".")[2])
        if not places:  # "6,400" may stand for 6,412: two digits are kept
            places = max(0, min(len(digits) - len(digits.rstrip("0")), len(digits) - 2))
        shift = int(found["e"] or 0) + UNITS.get(found["unit"] or "", 0)
        if found["power"]:
            value = value ** int(found["power"].translate(POWERS))
            places = min(0, int(found["power"].translate(POWERS)))
        value, places = value.scaleb(shift), places + shift
        number = Number(
            found[0], -value if found["sign"] else value, places, (digits, found["under"]) if found["under"] else ()
        )
        if not number.counts:
            yield number


def seen(section: Section) -> list[Decimal]:
    """Every number in the outputs and the code of a section, and in its formulas, fences, code spans and tables."""
    texts = [*section.code, *(part[0] for part in ASIDE.finditer(section.prose) if not part[0].startswith(">"))]
    texts += [text for cell in section.cells for output in cell.get("outputs", ()) for text in _shown(output)]
    return [_decimal(each[0]) for text in texts for each in PLAIN.finditer(text.replace("_", ""))]


def _shown(output: dict[str, Any]) -> Iterator[str]:
    yield output.get("text", "")
    yield from (text for kind, text in output.get("data", {}).items() if kind == "text/plain")


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", "").replace("−", "-"))


def not_found(notebook: Notebook) -> dict[str, str]:
    """The numbers of the prose that no output and no code of their section shows, with the section."""
    missing: dict[str, str] = {}
    for section in notebook.sections:
        if section.heading in ("top", "When you are stuck"):
            continue
        there = seen(section)
        for number in numbers(section.prose):
            parts = [Decimal(part) for part in number.parts] or [None]
            if not all(_is_there(number, part, there) for part in parts):
                missing.setdefault(number.text, section.heading)
    return missing


def _is_there(number: Number, part: Decimal | None, there: Iterable[Decimal]) -> bool:
    return any(number.rounds(each) for each in there) if part is None else part in there


def faults(notebook: Notebook, explained: dict[str, str]) -> Iterator[str]:
    """What is wrong with the numbers of a notebook. explained: the table `[numbers]` of its lesson.toml."""
    missing = not_found(notebook)
    for text, heading in missing.items():
        if text not in explained:
            yield f"{text} stands in section {heading}, and none of its outputs or code shows it"
    for text, reason in explained.items():
        if text not in missing:
            yield f"[numbers] lists {text}, which is shown, or does not occur"
        if not reason.strip():
            yield f"[numbers] gives no reason for {text}"
