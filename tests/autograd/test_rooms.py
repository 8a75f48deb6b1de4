"""The rooms autograd, graph and bridge: no circle of imports, nothing above them, and a map that names every file."""

import ast
import graphlib
import importlib
from pathlib import Path

import pytest

import minitorch

PACKAGE = Path(minitorch.__file__).parent
ABOVE = {
    "autograd": ("ops", "nn", "optim", "data", "graph", "bridge", "viz", "course", "train", "serialization"),
    "graph": ("nn", "optim", "data", "bridge", "viz", "course", "train"),
    "bridge": ("nn", "optim", "data", "viz", "course", "train"),
}


def imported(source: str) -> set[str]:
    """The modules that a file imports when it runs, inside functions too; not those for the type checker alone."""
    found = set()
    stack = [ast.parse(source)]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
        stack += ast.iter_child_nodes(node)
    return {name for name in found if name and name.startswith("minitorch.")}


def files(room):
    return {f"minitorch.{room}.{path.stem}": path for path in (PACKAGE / room).glob("*.py") if path.stem != "__init__"}


@pytest.mark.parametrize("room", ABOVE)
def test_no_circle_inside_a_room(room):
    own = files(room)
    graph = {name: imported(path.read_text(encoding="utf-8")) & set(own) for name, path in own.items()}
    order = list(graphlib.TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle
    assert len(order) == len(own) > 5


@pytest.mark.parametrize("room", ABOVE)
def test_a_room_imports_nothing_that_stands_above_it(room):
    for name, path in files(room).items():
        above = [each for each in imported(path.read_text(encoding="utf-8")) if each.split(".")[1] in ABOVE[room]]
        assert above == [], name


def test_the_circle_test_sees_imports_inside_functions_and_not_those_for_types():
    source = "if TYPE_CHECKING:\n    from minitorch.a import b\ndef f():\n    from minitorch.c import d\n"
    assert imported(source) == {"minitorch.c", "minitorch.c.d"}


@pytest.mark.parametrize("room", ["autograd", "graph"])
def test_the_map_of_a_room_names_every_file(room):
    text = importlib.import_module(f"minitorch.{room}").__doc__
    assert [path.name for path in files(room).values() if path.name not in text] == []
