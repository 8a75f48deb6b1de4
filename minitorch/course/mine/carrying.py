"""What one lesson asks for and a later one gives is the same thing in both: the earlier lesson's.

Lesson 10's file holds `unbroadcast`, an exercise of lesson 08; lesson 06 gives the methods of `Tensor` that are
written in lesson 05. In an engine the later lesson is run without them. A function or a class that it gives whole is
the earlier lesson's own object; a class with exercises in both inherits what was written before; and a switch that such
a definition reads, a name that both files give a value to, is the earlier lesson's, too.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType

from minitorch.course.files.source_code import Definition
from minitorch.course.manifest import Lesson
from minitorch.course.mine.merging import bound


@dataclass(frozen=True)
class Carried:
    """What a lesson takes over from those before it."""

    homes: Mapping[str, str]  # name -> number of the lesson that it comes from
    methods: Mapping[str, frozenset[str]]  # of these names, the classes that go on -> the methods that they inherit

    def holds(self, name: str) -> bool:
        """Whether a definition of the lesson, `unbroadcast` or `Tensor.__init__`, is an earlier lesson's here."""
        head, _, method = name.partition(".")
        return head in self.homes and (head not in self.methods or method in self.methods[head])

    def out_of(self, modules: Mapping[str, ModuleType]) -> dict[str, object]:
        """The things themselves, by name, out of the earlier lessons' modules. What one does not define is left out."""
        found = {name: vars(modules[home])[name] for name, home in self.homes.items() if name in vars(modules[home])}
        return {name: each for name, each in found.items() if name not in self.methods or isinstance(each, type)}


def between(lesson: Lesson, earlier: tuple[Lesson, ...]) -> Carried:
    """What `lesson` takes over from `earlier` ones, in the course's order: read off their solutions and exercises."""
    return _between(lesson, earlier)


def take_out(tree: ast.Module, carried: Carried, things: Collection[str]) -> None:
    """Take what is carried, as far as it is among `things`, out of a lesson's tree.

    A class that goes on loses the methods that it inherits, and gets the class that bears its name so far as a base.
    """
    whole = {name for name in things if name not in carried.methods}
    tree.body = [statement for statement in tree.body if not (bound(statement) and bound(statement) <= whole)]
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef) and statement.name in carried.methods and statement.name in things:
            gone = carried.methods[statement.name]
            kept = [each for each in statement.body if not (isinstance(each, Definition) and each.name in gone)]
            statement.body = kept or [ast.copy_location(ast.Pass(), statement)]
            base = ast.copy_location(ast.Name(statement.name, ast.Load()), statement)
            statement.bases = [base, *statement.bases]


@functools.lru_cache(maxsize=64)
def _between(lesson: Lesson, earlier: tuple[Lesson, ...]) -> Carried:
    own = {exercise.target for exercise in lesson.exercises}
    here = _definitions(lesson)
    homes: dict[str, str] = {}
    methods: dict[str, frozenset[str]] = {}
    switches = _values(lesson)
    for before in earlier:
        asked = {exercise.target for exercise in before.exercises}
        there = _definitions(before)
        for name, definition in here.items():
            targets = {target for target in asked if target.partition(".")[0] == name}
            if name in own or not (targets or (name in methods and name in there)):
                continue
            homes[name] = before.number
            goes_on = any(target.startswith(f"{name}.") for target in own) or name not in targets
            if isinstance(definition, ast.ClassDef) and goes_on:
                written = {target.partition(".")[2] for target in targets if "." in target}
                if name in targets:
                    written = {each.name for each in definition.body if isinstance(each, Definition)}
                inherited = {each for each in written if f"{name}.{each}" not in own}
                methods[name] = methods.get(name, frozenset()) | inherited
            for target in targets:
                read = set(_read(there[name], target)) & switches & _values(before)
                homes |= dict.fromkeys(read, before.number)
    return Carried(homes, methods)


def _definitions(lesson: Lesson) -> dict[str, Definition]:
    tree = ast.parse(lesson.solution_source())
    return {statement.name: statement for statement in tree.body if isinstance(statement, Definition)}


def _values(lesson: Lesson) -> set[str]:
    """The names that a lesson's file gives a value to."""
    body = ast.parse(lesson.solution_source()).body
    return {name for each in body if isinstance(each, ast.Assign | ast.AnnAssign) for name in bound(each)}


def _read(definition: Definition, target: str) -> Iterator[str]:
    """The names that a target's code reads: its definition, or the method of it that the target names."""
    method = target.partition(".")[2]
    for part in definition.body if method else [definition]:
        if not method or (isinstance(part, Definition) and part.name == method):
            yield from (node.id for node in _code(part) if isinstance(node, ast.Name))


def _code(definition: ast.AST) -> Iterator[ast.AST]:
    """A definition's nodes without its annotations, which read nothing when it runs."""
    for name, value in ast.iter_fields(definition):
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and name not in ("annotation", "returns"):
                yield node
                yield from _code(node)
