"""The messages of the code and their translations, by Babel: `make translations`.

    python scripts/messages.py update [FOLDER ...]   # put each message of the code into the .po file of a language
    python scripts/messages.py check [FOLDER ...]    # how much is translated, and what is wrong with it

FOLDER is that of a language, `minitorch/locale/es`; without one it is each in `minitorch/locale/`. A new language
begins with `update`. What was translated stays, new messages are left empty, and what the code no longer says is taken
out and printed. docs/adding-a-language.md tells the whole way.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po, write_po

from minitorch.language import FIELD
from minitorch.serialization.atomic import write_atomically
from minitorch.translations import FILE

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "minitorch" / "locale"
# What is called with a message.
ONE = frozenset(["Message", "gettext", "N_", "Wrong", "But", "CourseError", "say", "tell", "said"])
SEVERAL = frozenset(["counted", "ngettext"])  # with one for the number 1, and one for others
HEADER = "Messages of minitorch, in the order of the files that say them."
CHANGING = re.compile(
    r'^"(?:POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Generated-By|Report-).*\n', re.MULTILINE
)

Key = str | tuple[str, str]
"""A message, or those of one and of several."""


def messages(root: Path = ROOT) -> dict[Key, list[str]]:
    """Return each message of the package and of the site, and the files that have it, in the order of the files."""
    found: dict[Key, list[str]] = {}
    for path in (*sorted((root / "minitorch").rglob("*.py")), *sorted((root / "site").glob("*.py"))):
        for key in in_code(path.read_text(encoding="utf-8")):
            files = found.setdefault(key, [])
            files += [] if (name := path.relative_to(root).as_posix()) in files else [name]
    return {key: files for key, files in found.items() if has_words(key)}


def in_code(source: str) -> Iterator[Key]:
    """Yield the messages of Python code: arguments of the functions above, and what click shows of a command."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ONE and node.args:
                yield from _texts(node.args[0])
            elif name in SEVERAL and len(node.args) > 1:
                yield from zip(_texts(node.args[0]), _texts(node.args[1]), strict=False)
            elif name in ("option", "argument", "version_option"):
                yield from (said for each in node.keywords if each.arg == "help" for said in _texts(each.value))
        elif isinstance(node, ast.FunctionDef) and any(map(_is_command, node.decorator_list)):
            help_page = inspect.cleandoc(ast.get_docstring(node, clean=False) or "")
            yield from (paragraph.removeprefix("\b\n") for paragraph in help_page.split("\n\n"))


def _texts(node: ast.expr) -> list[str]:
    """Return the texts that an expression may be: one, or those of both branches of an `if`."""
    if isinstance(node, ast.IfExp):
        return _texts(node.body) + _texts(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _is_command(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Attribute) and called.attr in ("command", "group")


def has_words(key: Key) -> bool:
    """Return whether words stand around a message's fields: without, it is the same in every language."""
    return any(letter.isalpha() for letter in FIELD.sub("", key if isinstance(key, str) else "".join(key)))


# ------------------------------------------------------------------------------------------------------- a language


def read(folder: Path) -> Catalog:
    """Return the translations in a language's folder; none where there is no file. Raises PoFileError."""
    path = folder / FILE
    if not path.is_file():
        return Catalog(locale=folder.name, fuzzy=False)
    return read_po(io.BytesIO(path.read_bytes()), locale=folder.name, abort_invalid=True)


def update(folder: Path) -> list[str]:
    """Write a language's file anew with each message of the code; return the translations that were taken out."""
    old, wanted = read(folder), messages()
    made = Catalog(locale=folder.name, project="minitorch", header_comment=f"# {HEADER}", fuzzy=False)
    for key, files in wanted.items():
        known = old.get(_id(key))
        kept = known.string if known is not None and isinstance(known.id, str) == isinstance(key, str) else None
        made.add(key, kept, locations=[(name, 0) for name in files])
    (folder / FILE).parent.mkdir(parents=True, exist_ok=True)
    out = io.BytesIO()
    write_po(out, made, width=120, include_lineno=False)
    write_atomically(folder / FILE, CHANGING.sub("", out.getvalue().decode()).lstrip().encode())
    ids = set(map(_id, wanted))
    return [_id(each.id) for each in old if each.id and each.string and _id(each.id) not in ids]


def faults(folder: Path) -> Iterator[str]:
    """Yield what is wrong with a language's file: what is missing, what the code does not say, other fields."""
    wanted = messages()
    ids = {_id(key): files for key, files in wanted.items()}
    catalog = read(folder)
    known = {_id(each.id): each for each in catalog if each.id}
    yield from (f'{ids[id][0]}: not translated: "{id}"' for id in ids if not _is_translated(known.get(id)))
    yield from (f'the code does not say "{id}"' for id in known if id not in ids)
    for id, each in known.items():
        several = not isinstance(each.id, str)
        allowed = [set(FIELD.findall(one)) for one in (each.id if several else [each.id])]
        for said in each.string if several else [each.string]:
            if said and not any(set(FIELD.findall(said)) == fields for fields in allowed):
                yield f'"{said}" has other fields than "{id}"'
        if each.fuzzy:
            yield f'marked fuzzy, so not shown: "{id}"'
        if several and len(each.string) != catalog.num_plurals:
            yield f'{catalog.num_plurals} forms are needed of "{id}"'


def _is_translated(message: Message | None) -> bool:
    return message is not None and all([message.string] if isinstance(message.string, str) else message.string)


def _id(key: Key) -> str:
    return key if isinstance(key, str) else key[0]


def main(arguments: list[str] | None = None) -> int:
    """Do what is asked; return 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["update", "check"])
    parser.add_argument("folders", nargs="*", type=Path)
    asked = parser.parse_args(arguments)
    wrong = 0
    for folder in asked.folders or sorted(path.parents[1] for path in LOCALE.glob(f"*/{FILE}")):
        try:
            if asked.task == "update":
                for said in update(folder):
                    print(f'taken out, for the code does not say it: "{said}"')
            found = [*faults(folder)]
        except (PoFileError, ValueError) as error:
            found = [f"{folder / FILE} cannot be read: {error}"]
        for fault in found:
            print(fault)
        wrong += len(found)
        print(f"{folder.name}: {len(messages())} messages, {len(found)} faults")
    return int(wrong > 0 and asked.task == "check")


if __name__ == "__main__":
    sys.exit(main())
