"""The house stands as planned: the rooms that the imports draw are those of docs/architecture.md, without a circle."""

import ast
import re
from pathlib import Path

import pytest
import rooms

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(?P<room>[^`]+)` \|[^|]*\| (?P<needs>[^|]*) \|$", re.MULTILINE)

HOUSE = rooms.rooms()


def planned(page: str) -> dict[str, set[str]]:
    """What the table of the page says: each room and the rooms that it imports from."""
    return {row["room"]: set(re.findall(r"`([^`]+)`", row["needs"])) for row in ROW.finditer(page)}


def test_every_room_is_in_the_plan_and_every_planned_room_stands():
    assert sorted(HOUSE) == sorted(planned(PAGE))


@pytest.mark.parametrize("room", sorted(HOUSE))
def test_a_room_imports_from_the_rooms_that_the_plan_names_and_from_no_other(room):
    assert sorted(HOUSE[room]) == sorted(planned(PAGE)[room])


def test_no_circle_between_rooms():
    assert rooms.circle(HOUSE) == []


def test_no_circle_inside_a_room():
    assert rooms.circle(rooms.imports(rooms.PACKAGE)) == []


MAPPED = {room for room in HOUSE if not room.endswith(".py")} - {"viz/views"}  # a view is found by its name


@pytest.mark.parametrize("room", sorted(MAPPED))
def test_the_docstring_of_a_room_says_what_each_of_its_files_holds(room):
    files = {path.stem for path in (rooms.PACKAGE / room).glob("*.py")} - {"__init__"}
    said = ast.get_docstring(ast.parse((rooms.PACKAGE / room / "__init__.py").read_text(encoding="utf-8")))
    assert sorted(name for name in files if not re.search(rf"(?<![a-z]){name}(?![a-z_])", said)) == []


def test_the_picture_is_the_one_that_the_imports_draw():
    assert rooms.PICTURE.read_text(encoding="utf-8") == rooms.drawn(HOUSE), "run: python scripts/rooms.py"


@pytest.fixture
def house(tmp_path):
    """A package of three rooms: `top` imports from `middle`, and that from `ground`; a type alone ties them back."""

    def write(name, text):
        path = tmp_path / "minitorch" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    for room in ("", "top/", "middle/", "ground/"):
        write(f"{room}__init__.py", "")
    write("top/roof.py", "from minitorch.middle import wall\n")
    write("middle/wall.py", "def build():\n    import minitorch.ground.floor\n")
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from minitorch.top.roof import Roof\n"
    write("ground/floor.py", typed + "else:\n    from ..ground import earth\n")
    write("ground/earth.py", "")
    write("lessons/lesson_00_first/checks.py", "from minitorch.top import roof\n")
    return tmp_path / "minitorch", write


def test_imports_in_functions_count_and_those_for_types_do_not(house):
    package, _ = house
    found = rooms.rooms(package)
    assert {room: sorted(found[room]) for room in ("top", "middle", "ground")} == {
        "top": ["middle"],
        "middle": ["ground"],
        "ground": [],
    }
    assert rooms.imports(package)["minitorch.ground.floor"] == {"minitorch.ground.earth"}


def test_an_import_back_makes_a_circle(house):
    package, write = house
    assert rooms.circle(rooms.rooms(package)) == []
    write("ground/earth.py", "def grow():\n    from ..top.roof import Roof\n")
    assert sorted(set(rooms.circle(rooms.rooms(package)))) == ["ground", "middle", "top"]


def test_two_files_of_one_room_that_need_each_other_are_a_circle(house):
    package, write = house
    write("ground/earth.py", "from minitorch.ground.floor import tile\n")
    assert rooms.circle(rooms.rooms(package)) == []
    assert sorted(set(rooms.circle(rooms.imports(package)))) == ["minitorch.ground.earth", "minitorch.ground.floor"]


def test_the_picture_leaves_out_what_a_longer_way_says():
    arrows = {"top": frozenset({"middle", "ground"}), "middle": frozenset({"ground"}), "ground": frozenset()}
    assert rooms.plain(arrows) == arrows | {"top": frozenset({"middle"})}
    assert rooms.drawn(arrows).count("<path d=") == 2
