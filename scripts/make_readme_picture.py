"""Draw the README's moving picture with minitorch itself: `python scripts/make_readme_picture.py`.

A code host shows a picture and runs no script. So the stepper's stills are laid into one another: what several steps
have in common is there once, and each part shows itself at its steps, by CSS alone. It begins and ends with the last
step, at which every gradient has arrived; where less motion is asked for, it rests there.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from minitorch import viz
from minitorch.scalar import Value

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "backward.svg"
SPACE = "http://www.w3.org/2000/svg"
RESTS_AT = 8  # the last step: a picture that does not move shows every gradient
FIRST_S, STEP_S, LAST_S, ROUNDS = 4.0, 1.8, 4.0, 3
MERGED = ("e", "m")  # the groups of edges and of their numbers: what is in them is merged; a node's box is one part


def stills() -> list[str]:
    """Return one neuron's backward pass: the SVG of every step, from before the pass on."""
    x, w, b = Value(2.0, label="x"), Value(-3.0, label="w"), Value(6.5, label="b")
    loss = (x * w + b).tanh() + x
    loss.label = "loss"
    shown = viz.step(loss)
    return [shown.svg(step=step) for step in range(len(shown.steps) + 1)]


@dataclass
class Part:
    """An element, and the steps at which it is seen; `parts` are those of a group that is merged."""

    key: str
    element: ET.Element
    steps: set[int]
    parts: list[Part] = field(default_factory=list)


def merged(frames: Sequence[tuple[int, Sequence[ET.Element]]]) -> list[Part]:
    """Return the elements of all steps, each once, so that those of any one step stand in its order."""
    found: list[Part] = []
    for step, elements in frames:
        keys = [_key(element) for element in elements]
        laid: list[Part] = []
        matcher = SequenceMatcher(None, [part.key for part in found], keys, autojunk=False)
        for what, first, last, start, stop in matcher.get_opcodes():
            laid += found[first:last]
            if what == "equal":
                for part in found[first:last]:
                    part.steps.add(step)
            else:
                laid += [Part(keys[index], elements[index], {step}) for index in range(start, stop)]
        found = laid
    for part in found:
        if _is_merged(part.element):
            same = [(step, list(each)) for step, every in frames for each in every if _key(each) == part.key]
            part.parts = merged(same)
    return found


def _is_merged(element: ET.Element) -> bool:
    return element.tag.endswith("}g") and (element.get("class") in MERGED or set(element.attrib) == {"transform"})


def _key(element: ET.Element) -> str:
    """What makes two elements the same: all that they are, or of a group that is merged its attributes."""
    return str(sorted(element.attrib.items())) if _is_merged(element) else ET.tostring(element, encoding="unicode")


def picture() -> str:
    """Return the SVG that moves."""
    ET.register_namespace("", SPACE)
    roots = [ET.fromstring(still) for still in stills()]
    title, description, style, defs, back = (list(roots[RESTS_AT])[index] for index in range(5))
    parts = merged([(step, list(root)[5:]) for step, root in enumerate(roots)])
    high = max(int(root.attrib["height"]) for root in roots)
    root = ET.Element(roots[RESTS_AT].tag, roots[RESTS_AT].attrib | _size(roots[0], high))
    title.text = f"{(title.text or '').partition(',')[0]}, step by step"
    back.set("height", str(high))
    root.extend([title, description, style, defs, back])
    classes: dict[frozenset[int], str] = {}
    for part in parts:
        _lay(part, root, len(roots), classes)
    style.text = (style.text or "") + _motion(classes, len(roots), root.attrib["id"])
    return ET.tostring(root, encoding="unicode") + "\n"


def _size(root: ET.Element, high: int) -> dict[str, str]:
    return {"height": str(high), "viewBox": f"0 0 {root.attrib['width']} {high}"}


def _lay(part: Part, into: ET.Element, count: int, classes: dict[frozenset[int], str]) -> None:
    """Put a part into the picture, with a class that says when it is seen where that is not always."""
    element = part.element
    if part.parts:
        element = ET.SubElement(into, element.tag, element.attrib)
        for each in part.parts:
            _lay(each, element, count, classes)
    elif len(part.steps) < count:
        name = classes.setdefault(frozenset(part.steps), f"at{len(classes)}")
        element.set("class", f"{element.get('class', '')} {name}".strip())
        into.append(element)
    else:
        into.append(element)


def _motion(classes: dict[frozenset[int], str], count: int, name: str) -> str:
    """When the parts are seen: at rest those of one step; where motion is welcome, round by round."""
    whole = STEP_S * (count - 1) + LAST_S
    rest = ",".join(f"#{name} .{each}" for steps, each in classes.items() if RESTS_AT not in steps)
    lines = [f"\n{rest}{{visibility:hidden}}", "@media(prefers-reduced-motion:no-preference){"]
    for steps, each in classes.items():
        frames = "".join(f"{at:.3g}%{{visibility:{seen}}}" for at, seen in _changes(steps, count, whole))
        lines.append(f"#{name} .{each}{{animation:{name}{each} {whole:g}s step-end {FIRST_S:g}s {ROUNDS} forwards}}")
        lines.append(f"@keyframes {name}{each}{{{frames}}}")
    return "\n".join([*lines, "}"])


def _changes(steps: frozenset[int], count: int, whole: float) -> Iterator[tuple[float, str]]:
    """When a part appears and goes, in percent of a round; at its end as it is at rest."""
    before = None
    for step in range(count):
        seen = "visible" if step in steps else "hidden"
        if seen != before:
            yield 100 * STEP_S * step / whole, seen
        before = seen
    yield 100, "visible" if RESTS_AT in steps else "hidden"


if __name__ == "__main__":
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"{PICTURE.name}: {PICTURE.stat().st_size / 1000:.0f} kB")
