"""The known-wrong versions of the exercises, from a lesson's `mistakes/EXERCISE.toml`: edits of its solution.

    [[mistake]]
    id = "own-operand"
    hint = 1
    en = "You used ..."
    es = "Usaste ..."
    change = [["(other.data, self.data)", "(self.data, other.data)"]]

    [[mistake.version]]     # the same mistake, written another way
    id = "own-operand-no-numbers"
    code = '''...'''        # a definition of its own, where an edit is no help

What is changed must occur exactly once in the exercise's definition, its docstrings and comments set aside. The text
that comes of it takes the definition's place in the solution and runs in a child, like a learner's file.
"""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.manifest import Course, Exercise, Lesson, load
from minitorch.language import Message, languages

HEADER = re.compile(r"^[ \t]*\[\[mistake(?:\.version)?\]\]", re.MULTILINE)
LONG_STRING = re.compile(r"('''|\"\"\").*?\1", re.DOTALL)
SAID = {"hint", "travels", *languages(), "version"}  # what a mistake has and its versions share
DONE = {"id", "change", "code"}  # what each version has for itself


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is said of one mistake in an exercise."""

    exercise: str
    id: str
    hint: int  # which hint to give first, counted from 1
    text: Message


@dataclass(frozen=True, slots=True)
class WrongVersion(Mistake):
    """A known-wrong version of an exercise: a mistake, and code that makes it."""

    source: str  # the definition that replaces the exercise's own
    change: tuple[tuple[str, str], ...] = ()  # the edits that made it, if edits did
    travels: bool = False  # a slip that usually goes along with other mistakes


@functools.lru_cache(maxsize=64)
def load_mistakes(lesson: Lesson) -> tuple[WrongVersion, ...]:
    """The lesson's known-wrong versions, built from its solution and its files `mistakes/*.toml`.

    Raises CourseError, which names the file, the mistake and its line, when one is not declared in full, or changes
    what does not stand in the solution exactly once.
    """
    exercises = {exercise.name: exercise for exercise in lesson.exercises}
    paths = {path.stem: path for path in files_of(lesson)}
    if unknown := sorted(set(paths) - set(exercises)):
        raise CourseError(f"{_shown(paths[unknown[0]])}: lesson {lesson.number} has no exercise {unknown[0]!r}")
    return tuple(
        version
        for name, exercise in exercises.items()
        if name in paths
        for version in _of_file(paths[name], exercise, lesson.solution_source())
    )


def files_of(lesson: Lesson) -> list[Path]:
    """The files that hold the lesson's known-wrong versions."""
    return sorted((lesson.folder / "mistakes").glob("*.toml"))


def of_exercise(lesson: Lesson, exercise: Exercise) -> tuple[WrongVersion, ...]:
    """The known-wrong versions of one exercise."""
    return tuple(one for one in load_mistakes(lesson) if one.exercise == exercise.name)


def full_source(lesson: Lesson, version: WrongVersion) -> str:
    """The whole solution with one definition replaced by a known-wrong version."""
    exercise = next(each for each in lesson.exercises if each.name == version.exercise)
    return source_code.replace(lesson.solution_source(), exercise.target, version.source)


def wrong_source(exercise: str, id: str, course: Course | None = None) -> str:
    """The text of a full file that makes the mistake `id` in `exercise`.

    Raises CourseError when there is no such exercise or no such known-wrong version of it.
    """
    course = course or load()
    found = course.exercise(exercise)
    lesson = course.lesson_of(found)
    for one in of_exercise(lesson, found):
        if one.id == id:
            return full_source(lesson, one)
    raise CourseError(f"{exercise} has no known-wrong version called {id!r}")


# ------------------------------------------------------------------------------------------- reading a file


class FaultyError(ValueError):
    """What is wrong with one mistake, in words that fit behind its name."""


def _of_file(path: Path, exercise: Exercise, solution: str) -> list[WrongVersion]:
    text = path.read_text(encoding="utf-8")
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{_shown(path)} is no TOML: {error}") from error
    if set(tables) != {"mistake"} or not _are_tables(tables["mistake"]):
        raise CourseError(f"{_shown(path)} must hold nothing but [[mistake]]")
    definition = source_code.bare(source_code.text_of(solution, exercise.target))
    lines = _header_lines(text)
    found: dict[str, WrongVersion] = {}
    for shared, own in _versions(tables["mistake"]):
        line = next(lines, 1)
        try:
            version = _version(exercise, shared, own, definition)
            if version.id in found:
                raise FaultyError("another one of this exercise has the same id")
        except FaultyError as error:
            raise CourseError(f"{_shown(path)}, line {line}, mistake {own.get('id')!r}: {error}") from error
        found[version.id] = version
    return list(found.values())


def _shown(path: Path) -> str:
    return "/".join(path.parts[-3:])


def _header_lines(text: str) -> Iterator[int]:
    """Yield the line of every [[mistake]] and [[mistake.version]]; what stands in a long string is none."""
    text = LONG_STRING.sub(lambda string: "\n" * string[0].count("\n"), text)
    return (1 + text.count("\n", 0, header.start()) for header in HEADER.finditer(text))


def _versions(tables: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each version with the table of its mistake, in the order in which they are written."""
    for table in tables:
        yield table, {name: value for name, value in table.items() if name not in SAID}
        versions = table.get("version", [])
        yield from ((table, own) for own in (versions if _are_tables(versions) else []))


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _version(exercise: Exercise, shared: dict[str, Any], own: dict[str, Any], definition: str) -> WrongVersion:
    if unknown := sorted(set(own) - DONE):
        raise FaultyError(f"{unknown[0]!r} is not a word that is known here")
    for name in ("id", "en", "es"):
        value = (own if name == "id" else shared).get(name)
        if not isinstance(value, str) or not value.strip():
            raise FaultyError(f"{name!r} must be a text, and is {'missing' if value is None else repr(value)}")
    hint = shared.get("hint", 1)
    if not exercise.hints and "hint" in shared:
        raise FaultyError("'hint' has no place here: the exercise has no hints")
    if exercise.hints and (type(hint) is not int or not 1 <= hint <= len(exercise.hints)):
        raise FaultyError(f"'hint' must be a number from 1 to {len(exercise.hints)}, not {hint!r}")
    if type(shared.get("travels", False)) is not bool:
        raise FaultyError(f"'travels' must be true or false, not {shared['travels']!r}")
    if not _are_tables(shared.get("version", [])):
        raise FaultyError("'version' must be tables: [[mistake.version]]")
    source = _source(own, definition)
    _must_be_another_definition(source, definition)
    return WrongVersion(
        exercise.name,
        own["id"],
        hint,
        Message.of({lang: shared[lang] for lang in languages() if lang in shared}),
        source,
        tuple((old, new) for old, new in own.get("change", ())),
        shared.get("travels", False),
    )


def both(first: WrongVersion, second: WrongVersion) -> str | None:
    """The definition that makes two mistakes at once: one's edits made in the other; None where they do not fit.

    What comes of it need not be Python: it is run to be compared, and then does nothing that an answer does.
    """
    for base, edits in ((first, second), (second, first)):
        try:
            source = changed(base.source, edits.change) if edits.change else base.source
        except FaultyError:
            continue
        if source not in (first.source, second.source):
            return source
    return None


def _source(own: dict[str, Any], definition: str) -> str:
    if ("change" in own) == ("code" in own):
        raise FaultyError("it needs either 'change' or 'code'")
    if "change" in own:
        return changed(definition, own["change"])
    if not isinstance(own["code"], str):
        raise FaultyError("'code' must be a text")
    return own["code"]


def changed(definition: str, change: Any) -> str:
    """A definition with every `old` of `change = [["old", "new"], ...]` replaced by its `new`, all at once.

    Raises FaultyError when an `old` does not occur exactly once, or two of them overlap.
    """
    pairs = change if isinstance(change, (list, tuple)) else []
    if not pairs or not all(map(_is_pair, pairs)):
        raise FaultyError('\'change\' must be pairs of texts: [["old", "new"], ...]')
    places = []
    for old, new in pairs:
        times = definition.count(old) if old else 0
        if times != 1:
            how = "does not occur" if not times else f"occurs {times} times, not once,"
            raise FaultyError(f"{old!r} {how} in the solution's definition (docstrings and comments aside)")
        start = definition.index(old)
        places.append((start, start + len(old), old, new))
    places.sort()
    for first, second in pairwise(places):
        if first[1] > second[0]:
            raise FaultyError(f"{first[2]!r} and {second[2]!r} overlap in the solution's definition")
    for start, end, _, new in reversed(places):
        definition = definition[:start] + new + definition[end:]
    return definition


def _is_pair(thing: Any) -> bool:
    return isinstance(thing, (list, tuple)) and len(thing) == 2 and all(isinstance(word, str) for word in thing)


def _must_be_another_definition(source: str, definition: str) -> None:
    try:
        (names, meant), (wanted, right) = _read(source), _read(definition)
    except SyntaxError as error:
        raise FaultyError(f"what comes of it is no Python: {error}") from error
    if names != wanted:
        raise FaultyError(f"what comes of it must define {wanted[0]!r} and nothing else")
    if meant == right:
        raise FaultyError("it changes nothing")


@functools.lru_cache(maxsize=2)  # all versions of an exercise are held against one definition
def _read(text: str) -> tuple[list[str], str]:
    """The names that a text defines, and what its first definition means."""
    body = ast.parse(source_code.bare(text)).body
    return [getattr(node, "name", "") for node in body], ast.dump(body[0]) if body else ""
