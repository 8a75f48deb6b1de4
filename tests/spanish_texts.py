"""Everything that a learner may read, in English and in Spanish, side by side: (kind, where, English, Spanish)."""

import inspect
import itertools
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import messages
import nbformat

import minitorch
from minitorch.course import manifest
from minitorch.course.files import statements
from minitorch.course.files.stubs import stub_source
from minitorch.course.mine import export

Pair = tuple[str, str, str, str]
COURSE = manifest.load()
NOTEBOOKS = manifest.material() / "notebooks"
PACKAGE = Path(minitorch.__file__).parent
SITE = PACKAGE.parent / "site"
CLOSURES = "from_closures_to_the_op_table.md"
PO = SITE / "locale" / "es.po"
CODE = re.compile(
    r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$|\{[^{}]*\}|^ +minitorch [^\n]*$", re.DOTALL | re.MULTILINE
)


def words(text: str) -> list[str]:
    """The words of a text, code, formulas and fields aside."""
    return re.findall(r"[^\W\d_]{2,}", CODE.sub(" ", text))


def everything() -> Iterator[Pair]:
    """Each text once; what has no Spanish has an empty one."""
    yield from prose()
    yield from stubs()
    yield from tables()
    yield from code()
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


def code() -> Iterator[Pair]:
    """Each message of the code, beside its translation; a plural form beside that of the same number."""
    for each in messages.read(messages.LOCALE / "es"):
        forms = zip(*map(_forms, (each.id, each.string)), strict=True)
        where = ", ".join(name for name, _ in each.locations)
        yield from (("code", where, english, spanish) for english, spanish in forms if english)


def _forms(said: str | tuple[str, ...]) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else said


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
