"""The catalogues of languages beyond English and Spanish: laid out, brought up to date, and looked over.

    python scripts/languages.py write FOLDER   # every sentence of the course, and "" to be filled in
    python scripts/languages.py check FOLDER   # how much is translated, and what is wrong with it

FOLDER is that of the language: minitorch/languages/de, or one elsewhere whose parent `MINITORCH_LANGUAGES` names.
Writing again keeps what is translated, adds what is new and leaves out what the course no longer says (it is printed).
docs/adding-a-language.md tells the whole way.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import itertools
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from minitorch.catalogue import FIELD, FORMS, ONE_AND_MANY, PLURALS, Plurals, has_words
from minitorch.course import manifest
from minitorch.course.cards.questions import load_questions
from minitorch.course.cli import cli
from minitorch.course.files.statements import english
from minitorch.course.judging.verdict import NAMES
from minitorch.course.mine import export
from minitorch.course.texts import command_line, exceptions, messages, setup
from minitorch.language import OR
from minitorch.serialization.atomic import write_atomically
from minitorch.viz.texts import catalogue as pictures

PACKAGE = Path(manifest.__file__).resolve().parents[1]
PAIRS = {"Text", "Wrong", "But", "sentence"}  # what is called with a sentence in English and the same in Spanish


# ----------------------------------------------------------------------------------------- what the course says


def sentences() -> dict[str, list[str]]:
    """Return every English sentence that a catalogue can have, by the name of the table that it stands in."""
    found = {
        "course": [*messages.EN.values(), *setup.TEXTS["en"].values(), OR.en, *(name.en for name in NAMES.values())],
        "export": [said for text in export.along().values() for said in english(text).values()],
        "exceptions": [row[2] for row in exceptions.ROWS],
        "command_line": [*_command_line()],
        "pictures": [said for subject in pictures.SUBJECTS for said in subject.EN.values()],
        "judges": [
            said
            for path in sorted((PACKAGE / "course").rglob("*.py"))
            if not _of_a_lesson(path)
            for said in in_code(path.read_text(encoding="utf-8"))
        ],
    }
    for lesson in manifest.load().lessons:
        checks = [path.read_text(encoding="utf-8") for path in sorted(lesson.folder.glob("checks*.py"))]
        tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(lesson.folder.rglob("*.toml"))]
        figures = [question.figure for question in load_questions(lesson)]
        found[lesson.stem] = [
            *(said for table in tables for said in _in_table(table)),
            *(each.en for each in figures if each.en != each.es),
            *(said for source in checks for said in in_code(source, everywhere=True)),
            *english(lesson.solution_source()).values(),
        ]
    table_of: dict[str, str] = {}  # of each sentence the first one that says it
    for name, table in found.items():
        for said in table:
            table_of.setdefault(said, name)
    return {
        name: [said for said in dict.fromkeys(table) if has_words(said) and table_of[said] == name]
        for name, table in found.items()
    }


def _of_a_lesson(path: Path) -> bool:
    return any(part.startswith("lesson_") for part in path.parts)


def _command_line() -> Iterator[str]:
    def of(command: click.Command) -> Iterator[str]:
        yield inspect.cleandoc(command.help or "")
        for below in command.commands.values() if isinstance(command, click.Group) else ():
            yield from of(below)

    yield from of(cli)
    yield from command_line.WORDS
    yield from (said for _, said, _ in command_line.SLIPS)
    yield from (command_line.TRY[0], command_line.FAULT[0])


def _in_table(table: object) -> Iterator[str]:
    """Every sentence of a TOML file: a table with `en` and `es`; the figure of a question is not one as it stands."""
    if isinstance(table, dict):
        if isinstance(table.get("en"), str) and isinstance(table.get("es"), str):
            yield table["en"]
        for name, value in table.items():
            if name != "figure":
                yield from _in_table(value)
    elif isinstance(table, list):
        for value in table:
            yield from _in_table(value)


# ----------------------------------------------------------------------------------------- sentences in code


def in_code(source: str, *, everywhere: bool = False) -> Iterator[str]:
    """Yield the English of each pair of sentences in Python code; what is filled into an f-string is `{0}`, `{1}`, ….

    everywhere: also where the two stand side by side in another call, or in a tuple.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            sides = node.args
            known = isinstance(node.func, ast.Name) and node.func.id in PAIRS
            if known:
                sides = sides[:2]
            elif not everywhere:
                continue
        elif isinstance(node, ast.Tuple) and everywhere and len(node.elts) == 2:
            sides, known = node.elts, False
        else:
            continue
        for first, second in itertools.pairwise(sides):
            one, other = _spelt(first), _spelt(second)
            if one and other and one != other and (known or any(" " in said for said in one)):
                yield from one


def unreadable(source: str) -> list[str]:
    """Return the calls whose sentence cannot be read off Python code, so that no catalogue has it."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PAIRS
        if len(node.args) > 1 and not _spelt(node.args[0])
    ]


def _spelt(node: ast.expr) -> list[str]:
    """Return what an expression can say, fields numbered; nothing where that cannot be read off it."""
    numbers: dict[str, int] = {}
    return list(dict.fromkeys(_ways(node, numbers)))


def _ways(node: ast.expr, numbers: dict[str, int]) -> list[str]:
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.FormattedValue):
        return [f"{{{numbers.setdefault(ast.dump(node), len(numbers))}}}"]
    if isinstance(node, ast.IfExp):
        return _ways(node.body, numbers) + _ways(node.orelse, numbers)
    if isinstance(node, ast.JoinedStr):
        parts = [_ways(part, numbers) for part in node.values]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [_ways(part, numbers) for part in (node.left, node.right)]
    else:
        return []
    return ["".join(way) for way in itertools.product(*parts)]


# ----------------------------------------------------------------------------------------- a catalogue


def write(folder: Path) -> list[str]:
    """Lay out a language's catalogue, or bring it up to date; return what was left out."""
    kept, tables = read(folder), sentences()
    folder.mkdir(parents=True, exist_ok=True)
    for old in _tables(folder):
        if old.stem not in tables:
            old.unlink()
    for name, table in tables.items():
        write_atomically(folder / f"{name}.toml", table_of({said: kept.get(said, "") for said in table}).encode())
    known = {said for table in tables.values() for said in table}
    return [said for said, translated in kept.items() if translated and said not in known]


def read(folder: Path) -> dict[str, str]:
    """Return all tables of a catalogue as one. Raises ValueError for a file that is no table of texts."""
    return {english_one: said for path in _tables(folder) for english_one, said in read_table(path).items()}


def _tables(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.toml") if path.name != PLURALS)


def plurals(folder: Path) -> Plurals:
    """Return a language's forms for numbers. Raises ValueError for a rule that is none."""
    path = folder / PLURALS
    try:
        return Plurals.read(path.read_text(encoding="utf-8")) if path.is_file() else ONE_AND_MANY
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def read_table(path: Path) -> dict[str, str]:
    """Return one table of a catalogue. Raises ValueError."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    if not all(isinstance(said, str) for said in table.values()):
        raise ValueError(f"{path}: beside each sentence stands a text in quotes")
    return table


def table_of(said: Mapping[str, str]) -> str:
    """Return sentences as a file."""
    return "".join(f"{_quoted(english_one)} = {_quoted(translated)}\n" for english_one, translated in said.items())


def faults(catalogue: dict[str, str], said: Iterable[str], forms: int = ONE_AND_MANY.forms) -> Iterator[str]:
    """Say what is wrong with a catalogue: sentences that nobody says, other fields than in the English, missing forms.

    forms: how many a word has that goes with a number.
    """
    known = set(said)
    for english_one, translated in catalogue.items():
        if english_one not in known:
            yield f"the course does not say {_quoted(english_one)}"
        elif translated and set(FIELD.findall(translated)) != set(FIELD.findall(english_one)):
            yield f"other fields than in {_quoted(english_one)}"
        elif any(
            name not in FIELD.findall(english_one) or words.count("|") != forms - 1
            for name, words in FORMS.findall(translated)
        ):
            yield f"a word that goes with a number has {forms} forms: {_quoted(translated)}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("write", "check"))
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    if args.what == "write":
        for left_out in write(args.folder):
            print(f"left out: {_quoted(left_out)}")
    tables, kept = sentences(), read(args.folder)
    for name, table in tables.items():
        print(f"{name}: {sum(bool(kept.get(said)) for said in table)} of {len(table)} sentences")
    found = list(faults(kept, itertools.chain(*tables.values()), plurals(args.folder).forms))
    for fault in found:
        print(fault)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
