"""Style sheets, read: what our own rules say about each element of an SVG document that we wrote.

A PDF knows no style sheets, so each element has to be told its colours and its font. Understood are the rules that the
themes of this room write: elements, classes and ids, below, right below and right after others. `@media` is left out:
paper is light.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from xml.etree import ElementTree as ET

Style = Mapping[str, str]

INHERITED = frozenset(
    (
        *("fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "paint-order"),
        *("fill-opacity", "stroke-opacity", "marker-start", "marker-end", "text-anchor", "white-space"),
        *("font-family", "font-size", "font-style", "font-weight"),
    )
)
OWN = frozenset({"opacity"})  # what an element does not hand down
_COMPOUND = re.compile(r"([\w*]*)((?:[#.][\w-]+)*)$")
_MEDIA = re.compile(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_FONT = re.compile(r"(?:(italic|normal)\s+)?(?:(bold|normal|\d+)\s+)?([\d.]+)px(?:/[\d.]+)?\s+(.+)")


@dataclass(slots=True, eq=False)
class Element:
    """An element, with its neighbours. text: before its first child; tail: after its own end."""

    tag: str
    attributes: Mapping[str, str]
    parent: Element | None = None
    before: Element | None = None
    children: list[Element] = field(default_factory=list)
    text: str = ""
    tail: str = ""

    def number(self, name: str, missing: float = 0) -> float:
        """An attribute that is a number."""
        return float(self.attributes.get(name, missing))

    def walk(self) -> Iterator[Element]:
        """This element and all below it, in the order of the document."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class _Compound:
    tag: str
    id: str
    classes: frozenset[str]

    def fits(self, element: Element) -> bool:
        if self.tag not in ("", "*", element.tag) or (self.id and element.attributes.get("id") != self.id):
            return False
        return self.classes <= set(element.attributes.get("class", "").split())

    @property
    def weight(self) -> tuple[int, int, int]:
        return bool(self.id), len(self.classes), self.tag not in ("", "*")


@dataclass(frozen=True, slots=True)
class _Rule:
    """Compounds from the left to the right, each with how it is joined to the one before it; then what is said."""

    compounds: tuple[tuple[str, _Compound], ...]
    weight: tuple[tuple[int, int, int], int]  # what counts more: ids, classes, elements; then what stands further down
    says: Mapping[str, str]

    def fits(self, element: Element, last: int = -1) -> bool:
        join, compound = self.compounds[last]
        if not compound.fits(element):
            return False
        if -last == len(self.compounds):
            return True
        if join == "+":
            return element.before is not None and self.fits(element.before, last - 1)
        above = element.parent
        while above is not None:
            if self.fits(above, last - 1):
                return True
            above = None if join == ">" else above.parent
        return False


class Drawing:
    """An SVG document of ours as elements, and the style of each."""

    def __init__(self, markup: str) -> None:
        self.root = _element(ET.fromstring(markup), None, None)  # noqa: S314 - we wrote it
        self.ids = {each.attributes["id"]: each for each in self.root.walk() if "id" in each.attributes}

    @cached_property
    def _rules(self) -> Mapping[str, list[_Rule]]:
        """The rules by the last thing they ask for: an id, a class or an element."""
        found: dict[str, list[_Rule]] = {}
        sheets = "".join(each.text for each in self.root.walk() if each.tag == "style")
        for place, (selectors, said) in enumerate(_RULE.findall(_MEDIA.sub("", sheets))):
            says = _declared(said)
            for selector in selectors.split(","):
                compounds = _compounds(selector.strip())
                weights = [compound.weight for _, compound in compounds]
                weight = (sum(w[0] for w in weights), sum(w[1] for w in weights), sum(w[2] for w in weights))
                last = compounds[-1][1]
                key = f"#{last.id}" if last.id else f".{min(last.classes)}" if last.classes else last.tag
                found.setdefault(key, []).append(_Rule(compounds, (weight, place), says))
        return found

    def style(self, element: Element, inherited: Style) -> dict[str, str]:
        """What holds for an element whose parent has the style `inherited`."""
        found = {name: said for name, said in inherited.items() if name in INHERITED}
        found |= {name: said for name, said in element.attributes.items() if name in INHERITED | OWN}
        keys = [element.tag, *(f".{each}" for each in element.attributes.get("class", "").split())]
        if "id" in element.attributes:
            keys.append(f"#{element.attributes['id']}")
        rules = [rule for key in keys for rule in self._rules.get(key, ()) if rule.fits(element)]
        for rule in sorted(rules, key=lambda each: each.weight):
            found |= rule.says
        return found | _declared(element.attributes.get("style", ""))


def _element(read: ET.Element, parent: Element | None, before: Element | None) -> Element:
    made = Element(read.tag.partition("}")[2], dict(read.attrib), parent, before, [], read.text or "", read.tail or "")
    last = None
    for child in read:
        last = _element(child, made, last)
        made.children.append(last)
    return made


def _compounds(selector: str) -> tuple[tuple[str, _Compound], ...]:
    found = []
    join = ""
    for part in re.findall(r"[>+]|[^\s>+]+", selector):
        if part in ">+":
            join = part
            continue
        read = _COMPOUND.match(part)
        if read is None:
            raise ValueError(f"a drawing's style sheet says {selector!r}, which cannot be read for a PDF")
        marks = re.findall(r"([#.])([\w-]+)", read[2])
        own = next((name for sign, name in marks if sign == "#"), "")
        found.append((join or " ", _Compound(read[1], own, frozenset(name for sign, name in marks if sign == "."))))
        join = ""
    return tuple(found)


def _declared(said: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in filter(None, map(str.strip, said.split(";"))):
        name, _, value = each.partition(":")
        name, value = name.strip(), value.strip()
        if name == "font" and (read := _FONT.match(value)):
            found |= {"font-style": read[1] or "normal", "font-weight": read[2] or "normal"}
            found |= {"font-size": read[3], "font-family": read[4]}
        else:
            found[name] = value
    return found
