"""The rooms of the package as its imports draw them: what docs/architecture.md says is held against this.

    python scripts/rooms.py            # draw docs/images/rooms.svg from the imports
    python scripts/rooms.py --arrows   # print each room and what it imports

A room is a folder of `minitorch/`, in `nn`, `viz` and `course` a folder of theirs too; the files at the top of
`minitorch/` and of `course/`, which stand between the rooms, are rooms of one file each. An import counts wherever it
stands, inside a function too; one under `if TYPE_CHECKING` does not, for it ties nothing at run time.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from html import escape
from pathlib import Path

from minitorch.viz.drawing.layout import Box, layout

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "minitorch"
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
LINE, WIDE, HIGH = 15, 8, 16  # of the boxes: a line of text, a letter, what is around the text

WINGS = {"nn", "viz", "course", "compat"}  # folders whose folders are rooms of their own
FILES_APART = {"course"}  # the files at the top of this folder stand between its rooms

Arrows = Mapping[str, frozenset[str]]


def modules(package: Path) -> dict[str, Path]:
    """Return the package's modules by dotted name; lessons' data are no modules."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        if any(part.startswith("lesson_") for part in path.parts):
            continue
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(package: Path) -> dict[str, frozenset[str]]:
    """Return which of the package's own modules each module imports at run time."""
    known = modules(package)
    return {name: frozenset(_imported(name, path, known)) - {name} for name, path in known.items()}


def _imported(name: str, path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    inside = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in _at_run_time(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = inside[: len(inside) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{module}.{alias.name}"
                if full in known:
                    yield full
                elif module in known:
                    yield module


def _at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    """Go through a tree, past what stands under `if TYPE_CHECKING`."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and ast.unparse(node.test).split(".")[-1] == "TYPE_CHECKING":
            waiting.extend(node.orelse)
        else:
            waiting.extend(ast.iter_child_nodes(node))


def room_of(module: str, path: Path) -> str:
    """Return the room of a module: its folder, or the file itself where it stands between the rooms."""
    parts = module.split(".")[1:]
    inside = parts if path.name == "__init__.py" else parts[:-1]
    deep = 2 if inside and inside[0] in WINGS else 1
    if path.name != "__init__.py" and (not inside or (inside[0] in FILES_APART and len(inside) == 1)):
        return "/".join(parts) + ".py"
    return "/".join(inside[:deep]) or "__init__.py"


def rooms(package: Path = PACKAGE) -> dict[str, frozenset[str]]:
    """Return each room and the rooms that it imports from."""
    arrows: dict[str, set[str]] = {}
    known = modules(package)
    for name, needed in imports(package).items():
        own = room_of(name, known[name])
        arrows.setdefault(own, set()).update(room_of(one, known[one]) for one in needed)
    return {room: frozenset(needed - {room}) for room, needed in arrows.items()}


def circle(arrows: Arrows) -> list[str]:
    """Return a circle of imports, first and last the same; an empty list where there is none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return [str(one) for one in error.args[1]]
    return []


def plain(arrows: Arrows) -> dict[str, frozenset[str]]:
    """Return the arrows without those that a longer way says already: what the picture shows."""
    below = {}
    for room in _upwards(arrows):
        below[room] = frozenset().union(*({one} | below[one] for one in arrows.get(room, ())))
    return {
        room: frozenset(one for one in needed if not any(one in below[other] for other in needed))
        for room, needed in arrows.items()
    }


def _upwards(arrows: Arrows) -> list[str]:
    """The rooms, each after those that it imports from; the same order for the same arrows."""
    return list(TopologicalSorter({room: sorted(arrows[room]) for room in sorted(arrows)}).static_order())


def drawn(arrows: Arrows) -> str:
    """Return the picture: a box for each room, above those that it imports from, as SVG for light and dark pages."""
    shown = plain(arrows)
    names = _upwards(shown)[::-1]
    lines = [name.split("/") for name in names]
    edges = [(names.index(room), names.index(one)) for room in names for one in sorted(shown[room])]
    sizes = [(max(len(line) for line in each) * WIDE + 18, len(each) * LINE + HIGH) for each in lines]
    place = layout(sizes, [False] * len(names), edges, [0] * len(edges), [0] * len(edges))
    boxes = "".join(_box(box, line) for box, line in zip(place.boxes, lines, strict=True))
    ways = "".join(f'<path d="{_way(route.points)}"/>' for route in place.routes)
    said = f"{len(names)} rooms and {sum(map(len, arrows.values()))} arrows; each room imports from rooms below it only"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {place.width} {place.height}" role="img" '
        f'aria-label="{escape(said)}"><style>{STYLE}</style><title>{escape(said)}</title>'
        f'<rect class="p" width="{place.width}" height="{place.height}"/>'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        f'<path class="t" d="M0 0L8 4L0 8z"/></marker></defs><g class="w">{ways}</g>{boxes}</svg>\n'
    )


STYLE = (
    "text{font:13px system-ui,'DejaVu Sans',sans-serif;text-anchor:middle;fill:#1b1f24}.b{fill:#eef8f4;stroke:#009e73}"
    ".p{fill:#fff}.w path{fill:none;stroke:#6e7781;marker-end:url(#tip)}.t{fill:#6e7781}"
    "@media(prefers-color-scheme:dark){text{fill:#e9ecef}.b{fill:#17302a}.p{fill:#14181d}}"
)


def _box(box: Box, lines: Iterable[str]) -> str:
    words = "".join(
        f'<text x="{box.x}" y="{box.y + HIGH + 3 + LINE * row}">{escape(line)}</text>' for row, line in enumerate(lines)
    )
    left = box.x - box.width // 2
    return f'<rect class="b" x="{left}" y="{box.y}" width="{box.width}" height="{box.height}" rx="6"/>{words}'


def _way(points: Iterable[tuple[int, int]]) -> str:
    """Return a path through the points, upright at each of them."""
    (x, y), *rest = points
    way = f"M{x} {y}"
    for to_x, to_y in rest:
        half = (y + to_y) // 2
        way += f"C{x} {half} {to_x} {half} {to_x} {to_y}"
        x, y = to_x, to_y
    return way


def main() -> None:
    """Draw the picture, or print the arrows."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--arrows", action="store_true", help="print each room and what it imports, and draw nothing")
    arrows = rooms()
    if parser.parse_args().arrows:
        for room in sorted(arrows):
            print(f"{room}: {', '.join(sorted(arrows[room])) or 'nothing of ours'}")
        return
    PICTURE.write_text(drawn(arrows), encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: {len(arrows)} rooms, {sum(map(len, arrows.values()))} arrows")


if __name__ == "__main__":
    main()
