"""Everything that a learner may read, in English and in Spanish, side by side: (kind, where, English, Spanish)."""

import ast
import importlib
import inspect
import itertools
import pkgutil
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import nbformat

import minitorch
from minitorch.course import manifest, texts
from minitorch.course.cli import cli
from minitorch.course.files import statements
from minitorch.course.files.stubs import stub_source
from minitorch.course.mine import export
from minitorch.course.texts import command_line, exceptions, setup
from minitorch.course.texts.command_line import HELP, WORDS
from minitorch.viz import texts as viz_texts

Pair = tuple[str, str, str, str]
COURSE = manifest.load()
NOTEBOOKS = manifest.material() / "notebooks"
PACKAGE = Path(minitorch.__file__).parent
SITE = PACKAGE.parent / "site"
CLOSURES = "from_closures_to_the_op_table.md"
PO = SITE / "locale" / "es.po"
SAID = {"Text", "Wrong", "But"}  # calls whose first two arguments are a sentence in English and in Spanish
CODE = re.compile(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$|\{[^{}]*\}", re.DOTALL)


def words(text: str) -> list[str]:
    """The words of a text, code, formulas and fields aside."""
    return re.findall(r"[^\W\d_]{2,}", CODE.sub(" ", text))


def everything() -> Iterator[Pair]:
    """Each text once; what has no Spanish has an empty one."""
    yield from prose()
    yield from stubs()
    yield from tables()
    yield from catalogues()
    yield from sentences_in_code()
    yield from help_pages()
    yield from slips_and_exceptions()
    yield from glossary()
    yield from solutions()
    yield from exports()
    yield from site()


def prose() -> Iterator[Pair]:
    """The text cells of each notebook, each beside its sister."""
    for lesson in COURSE.lessons:
        old, new = (_texts(NOTEBOOKS / folder / lesson.notebook_name) for folder in ("", "es"))
        for number, english in enumerate(old):
            spanish = new[number] if number < len(new) else ""
            yield "prose", f"notebooks/es/{lesson.notebook_name}, text {number + 1}", english, spanish
    both = (_paragraphs((NOTEBOOKS / folder / CLOSURES).read_text(encoding="utf-8")) for folder in ("", "es"))
    for number, (english, spanish) in enumerate(itertools.zip_longest(*both, fillvalue="")):
        yield "prose", f"notebooks/es/{CLOSURES}, paragraph {number + 1}", english, spanish


def _texts(path: Path) -> list[str]:
    if not path.is_file():
        return []
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]


def stubs() -> Iterator[Pair]:
    """What each stub says: docstrings, comments, and what its given functions raise."""
    for lesson in COURSE.lessons:
        spanish = statements.statements(lesson, "es")
        for name, said in statements.english(stub_source(lesson)).items():
            kind = {"!": "errors of stubs", "#": "comments of stubs"}.get(name[:1], "stubs")
            yield kind, f"{lesson.file_name}: {name or 'the module'}", said, inspect.cleandoc(spanish.get(name, ""))


def solutions() -> Iterator[Pair]:
    """What each solution says that its stub does not."""
    for lesson in COURSE.lessons:
        given, spanish = statements.english(stub_source(lesson)), statements.statements(lesson, "es")
        for name, said in statements.english(lesson.solution_source()).items():
            if name not in given:
                yield "solutions", f"{lesson.file_name}: {name}", said, spanish.get(name, "")


def exports() -> Iterator[Pair]:
    """What the files say that go along with an exported engine."""
    for file, text in export.along().items():
        spanish = export.along_statements(file, text, "es")
        for name, said in statements.english(text).items():
            yield "exports", f"{file}: {name or 'the module'}", said, spanish.get(name, "")


def tables() -> Iterator[Pair]:
    """Hints, questions, diagnoses, planted bugs: each table in a TOML file that has an English text."""
    for path in sorted((PACKAGE / "course").rglob("*.toml")):
        where = str(path.relative_to(PACKAGE))
        for english, spanish in _in_table(tomllib.loads(path.read_text(encoding="utf-8"))):
            yield path.parent.name if path.parent.name == "mistakes" else path.stem, where, english, spanish


def _in_table(table: object) -> Iterator[tuple[str, str]]:
    if isinstance(table, list):
        for each in table:
            yield from _in_table(each)
    elif isinstance(table, Mapping):
        if isinstance(table.get("en"), str):
            yield table["en"], str(table.get("es", ""))
        for each in table.values():
            yield from _in_table(each)


def catalogues() -> Iterator[Pair]:
    """The catalogues of the course and of the pictures, and what else stands in them by language."""
    for room in (texts, viz_texts):
        for found in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            module = importlib.import_module(found.name)
            for key, english in getattr(module, "EN", {}).items():
                yield "catalogues", f"{found.name}: {key}", english, module.ES.get(key, "")
    for key, english in setup.TEXTS["en"].items():
        yield "doctor and setup", key, english, setup.TEXTS["es"].get(key, "")


def sentences_in_code() -> Iterator[Pair]:
    """Text(en, es) and Wrong(en, es) wherever they stand, the site's own among them."""
    for path in [*sorted(PACKAGE.rglob("*.py")), *sorted(SITE.glob("*.py"))]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAID and len(node.args) > 1:
                english, spanish = map(_literal, node.args[:2])
                if english is not None and spanish is not None:
                    yield "sentences in code", f"{path.relative_to(SITE.parent)}, line {node.lineno}", english, spanish


def _literal(node: ast.AST) -> str | None:
    """A text's own words, with {} for each field; None where it is put together elsewhere."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def help_pages() -> Iterator[Pair]:
    """What `--help` says of each command and of each option."""
    groups = [("", cli), ("grade ", cli.commands["grade"])]
    yield "--help", "minitorch", cli.help or "", HELP.get("cli", "")
    for above, group in groups:
        for name, command in group.commands.items():
            yield "--help", f"{above}{name}", command.help or "", HELP.get(f"{above}{name}", "")
            for option in command.params:
                if english := getattr(option, "help", None):
                    yield "--help", f"{above}{name} {option.name}", english, WORDS.get(english, "")


def slips_and_exceptions() -> Iterator[Pair]:
    """What is said of a slip on the command line, and what Python's exceptions mean."""
    for _, english, spanish in (*command_line.SLIPS, ("", *command_line.TRY)):
        yield "--help", english, english, spanish
    for name, _, english, spanish in exceptions.ROWS:
        yield "exceptions", name, english, spanish


def site() -> Iterator[Pair]:
    """The pages of the site that are no lesson's, and what Sphinx and the theme say there."""
    for page in sorted((SITE / "en").rglob("*.md")):
        there = SITE / "es" / page.relative_to(SITE / "en")
        said = [each.read_text(encoding="utf-8") if each.is_file() else "" for each in (page, there)]
        for number, (english, spanish) in enumerate(itertools.zip_longest(*map(_paragraphs, said), fillvalue="")):
            yield "site", f"site/es/{there.name}, paragraph {number + 1}", english, spanish
    for english, spanish in re.findall(r'^msgid "(.+)"\nmsgstr "(.*)"$', PO.read_text(encoding="utf-8"), re.MULTILINE):
        yield "site", f"site/locale/{PO.name}: {english}", english, spanish


def _paragraphs(page: str) -> list[str]:
    said = re.split(r"\n\s*\n", re.sub(r"```.*?```|<!--.*?-->", "", page, flags=re.DOTALL).strip())
    return [each for each in said if not each.startswith("> **En español")]


def glossary() -> Iterator[Pair]:
    """Each row of the glossary."""
    for line in (NOTEBOOKS / "glossary.md").read_text(encoding="utf-8").splitlines()[6:]:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 3 and not cells[0].startswith("---"):
            yield "glossary", cells[0], cells[1], cells[2]
