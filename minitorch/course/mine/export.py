"""`minitorch export DIR`: the learner's engine as a package of its own, which installs, trains and has its tests.

Each lesson is a module: the learner's file with the reference's pieces where one is missing, as in `engine("mine")`.
What a lesson takes over from one before is imported from there. Three files of this room go along as they are: in
`classes.py` and `operators.py` a class that several lessons write becomes one, and a Tensor gets its signs.
"""

from __future__ import annotations

import keyword
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from minitorch.course.course_error import CourseError
from minitorch.course.files.source_code import Definition
from minitorch.course.files.statements import english, in_language, read_statements, said_otherwise, translated
from minitorch.course.manifest import Course, Exercise
from minitorch.course.mine.assembled import Part, class_names, parts_of
from minitorch.course.mine.badge import Piece
from minitorch.course.mine.written import with_imports, written
from minitorch.course.session import Session
from minitorch.language import N_, Message

ROOM = "minitorch.course.mine"
ALONG = ("classes", "moons", "operators")
TESTS = "test_engine"
STATEMENTS = "statements.toml"  # what those three say in other languages, and the tests
MAIN = '''"""DOC"""

import PACKAGE
from PACKAGE.moons import train

done = train(PACKAGE)
print(f"TOLD")
print(f"SHARE")
'''
FIELDS = {
    "steps": "{len(done.losses)}",
    "seconds": "{done.seconds:.1f}",
    "first": "{done.losses[0]:.3f}",
    "last": "{done.losses[-1]:.3f}",
    "share": "{done.share:.0%}",
}
TAKEN = {"minitorch", "numpy", "tests"}  # names that would hide what the package and its tests need


@dataclass(frozen=True)
class Exported:
    """Where an engine was written to, under which name, and its pieces."""

    folder: Path
    name: str
    pieces: tuple[Piece, ...]

    @property
    def borrowed(self) -> tuple[str, ...]:
        """The names of the pieces that are the reference's."""
        return tuple(piece.name for piece in self.pieces if piece.owner == "reference")


def export(course: Course, session: Session, folder: Path, name: str, lang: str) -> Exported:
    """Write the engine of that session into a folder, which is then there as a whole or not at all.

    folder: a new one, or an empty one. name: what the package is imported as. Raises CourseError for a folder that
    holds something or cannot be written, and for a name that is no name for a package.
    """
    folder = folder.resolve()
    if not name.isidentifier() or keyword.iskeyword(name) or name in TAKEN or name in sys.stdlib_module_names:
        raise CourseError(
            "{name} is no name for the package: take letters, digits and _, and no name that Python has already",
            name=repr(name),
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(
            "{folder} holds something already and is left as it is: name a new folder, or an empty one", folder=folder
        )
    parts = parts_of([lesson for lesson in course.lessons if lesson.engine], session, lang)
    made = Exported(folder, name, tuple(piece for part in parts for piece in part.pieces))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as place:
            whole = Path(place, folder.name)
            for path, text in _texts(made, parts, lang).items():
                file = whole / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            if folder.exists():
                folder.rmdir()
            shutil.move(whole, folder)
    except OSError as error:
        raise CourseError("{folder} cannot be written: {why}", folder=folder, why=error.strerror or error) from error
    return made


def _texts(made: Exported, parts: Sequence[Part], lang: str) -> dict[str, str]:
    """Every file of the package, by its path."""
    name, stems = made.name, {part.lesson.number: part.lesson.stem for part in parts}
    texts = {f"{name}/{part.lesson.file_name}": _lesson(part, stems, lang) for part in parts}
    others = {file: said_otherwise(text, along_statements(file, text, lang)) for file, text in along().items()}
    texts |= {f"{name}/{file}.py": others[file].replace(f"{ROOM} import", f"{name} import") for file in ALONG}
    texts[f"{name}/__init__.py"] = _front(parts, Message("An autograd engine, written piece by piece.").to(lang))
    texts[f"{name}/__main__.py"] = _main(lang).replace("PACKAGE", name)
    texts["tests/test_engine.py"] = others[TESTS].replace("PACKAGE", name)
    texts["pyproject.toml"] = _project(name, Message("An autograd engine, written piece by piece.").to(lang))
    texts["README.md"] = _readme(made, lang)
    return texts


def along() -> dict[str, str]:
    """The files of this room that go along with an export, by name, as they stand here."""
    named = {**{name: f"{name}.py" for name in ALONG}, TESTS: f"{TESTS}.py.txt"}
    return {name: files(ROOM).joinpath(file).read_text(encoding="utf-8") for name, file in named.items()}


def along_statements(name: str, text: str, lang: str) -> dict[str, str]:
    """What a file that goes along says in a language, as far as somebody has translated it."""
    table = read_statements(Path(__file__).with_name(STATEMENTS), f"{name}.{lang}")
    return table or translated(english(text), lang)


def _main(lang: str) -> str:
    words = {
        "DOC": N_("Train a network on two moons, and say what came of it."),
        "TOLD": N_("{steps} steps in {seconds} s: loss {first} -> {last}"),
        "SHARE": N_("{share} of the points are told rightly"),
    }
    text = MAIN
    for place, key in words.items():
        text = text.replace(place, Message(key, **FIELDS).to(lang))
    return text


def _lesson(part: Part, stems: dict[str, str], lang: str) -> str:
    """One lesson's module."""
    targets = {exercise.name: exercise.target for exercise in part.lesson.exercises}
    borrowed = [targets[piece.name] for piece in part.pieces if piece.owner == "reference"]
    marked = dict.fromkeys(borrowed, Message("from the reference: this piece is not yours yet").to(lang))
    text = written(part.code.tree, part.code.own, part.lesson.solution_source(), marked)
    text = in_language(text, part.lesson, lang)
    homes: dict[str, list[str]] = {}
    for name, number in part.code.taken.items():
        homes.setdefault(number, []).append(name)
    lines = [f"from .{stems[number]} import {', '.join(sorted(names))}" for number, names in homes.items()]
    return with_imports(text, lines)


def _front(parts: Sequence[Part], doc: str) -> str:
    """The package's `__init__.py`: it settles the classes, and names what the lessons define."""
    exercises = [exercise for part in parts for exercise in part.lesson.exercises]
    homes = _homes(parts, exercises)
    stems = [part.lesson.stem for part in parts]
    settled = "[" + ", ".join(f'"{name}"' for name in sorted(class_names(exercises))) + "]"
    return "\n".join(
        [
            f'"""{doc}"""',
            "",
            "from . import (",
            *(f"    {module}," for module in ["classes", *stems]),
            ")",
            "",
            "_LESSONS = {",
            *(f'    "{stem}": {stem},' for stem in stems),
            "}",
            f"classes.settle(_LESSONS, {settled})",
            "",
            *(f"{name} = {stem}.{name}" for name, stem in homes.items()),
            "",
            "__all__ = [",
            *(f'    "{name}",' for name in homes),
            "]",
            "",
        ]
    )


def _homes(parts: Sequence[Part], exercises: Sequence[Exercise]) -> dict[str, str]:
    """Each name -> the lesson's module that it is taken from: where it is an exercise, else the newest with it."""
    homes: dict[str, str] = {}
    for part in parts:
        defined = [each.name for each in part.code.tree.body if isinstance(each, Definition)]
        homes |= {name: part.lesson.stem for name in defined if not name.startswith("_")}
    stems = {part.lesson.number: part.lesson.stem for part in parts}
    homes |= {exercise.target.partition(".")[0]: stems[exercise.lesson] for exercise in exercises}
    return dict(sorted(homes.items()))


def _project(name: str, doc: str) -> str:
    return f"""[build-system]
requires = ["hatchling>=1.25"]
build-backend = "hatchling.build"

[project]
name = "{name.replace("_", "-")}"
version = "0.1.0"
description = "{doc}"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["numpy>=2,<3"]

[project.optional-dependencies]
test = ["pytest>=8"]

[tool.hatch.build.targets.wheel]
packages = ["{name}"]

[tool.pytest.ini_options]
testpaths = ["tests"]
"""


def _readme(made: Exported, lang: str) -> str:
    own = len(made.pieces) - len(made.borrowed)
    rows: dict[tuple[str, str], list[str]] = {}
    for piece in made.pieces:
        owner = Message("yours" if piece.owner == "yours" else "reference").to(lang)
        rows.setdefault((piece.lesson, owner), []).append(f"`{piece.name}`")
    table = "\n".join(f"| {number} | {owner} | {', '.join(names)} |" for (number, owner), names in rows.items())
    return Message(
        "# {name}\n\nAn autograd engine on NumPy: {own} of its {all} pieces were written by me, in the course "
        "minitorch.\n\n    python -m pip install -e .[test]\n    python -m {name}     # trains a network on two "
        "moons\n    pytest               # each gradient against central differences\n\nEach `lesson_*.py` is a "
        "lesson's code. `{name}.Value` is the node that holds one number, `{name}.Tensor` the one that\nholds an "
        "array.\n\n| lesson | whose | pieces |\n|---|---|---|\n{table}\n\nPieces of the reference, the functions that "
        "the lessons give, `classes.py`, `operators.py`, `moons.py` and the tests are\nthe course's, under the MIT "
        "licence.\n",
        name=made.name,
        own=own,
        all=len(made.pieces),
        table=table,
    ).to(lang)
