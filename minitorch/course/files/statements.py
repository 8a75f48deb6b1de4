"""What a lesson's code says, in another language: docstrings, comments and errors, from a lesson's `statements.toml`.

The file has a table for each language. A key is what a docstring belongs to ("Value.__add__", "" for the module), or a
comment as it stands in the solution ("# the switch"): the first line of several, all of which are replaced. A rule's
dashes are left out ("# given" for "# ----- given"), and drawn anew. Or it is "! " and what a given function raises,
its fields numbered: "! a walk back starts at one number, not at shape {0}".
"""

from __future__ import annotations

import ast
import copy
import inspect
import io
import re
import textwrap
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from minitorch.course.course_error import CourseError
from minitorch.course.files.source_code import lines_of
from minitorch.course.manifest import Lesson
from minitorch.language import FIELD, Message, filled

FILE = "statements.toml"
ERROR = "! "
WIDTH = 120  # of a stub's lines
RULE = re.compile(r"# -{3,} (?=\S)")
NO_WORDS = re.compile(r"#\W*(?:noqa(?:: [A-Z]+\d+(?:, [A-Z]+\d+)*)?|type: ignore(?:\[[\w, -]+\])?)?$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A docstring, a comment or an error: what it is called, and where it stands (lines counted from 1, both included).

    end: the column after it, -1 for the end of its line. code: what stands in an error's fields.
    """

    key: str
    first: int
    last: int
    column: int
    end: int = -1
    code: tuple[str, ...] = ()

    @property
    def is_comment(self) -> bool:
        """Whether it is a comment."""
        return self.key.startswith("#")

    @property
    def is_error(self) -> bool:
        """Whether it is what an error says."""
        return self.key.startswith(ERROR)


def statements(lesson: Lesson, lang: str) -> dict[str, str]:
    """A lesson's statements in a language; none where nobody has translated them. Raises CourseError."""
    return read_statements(lesson.folder / FILE, lang)


def read_statements(path: Path, lang: str) -> dict[str, str]:
    """The statements of a file in a language; none where there is no such file. Raises CourseError."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")).get(lang, {})
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise CourseError(f"{path.parent.name}/{path.name}: {error}") from error
    if not all(isinstance(text, str) and text.strip() for text in table.values()):
        raise CourseError(f"{path.parent.name}/{path.name}: each statement is a text in quotes")
    return dict(table)


def english(stub: str) -> dict[str, str]:
    """What a stub says in English, by the keys of `statements.toml`: docstrings without their indentation."""
    lines, docstrings = lines_of(stub), dict(_texts(ast.parse(stub), ""))
    found = {}
    for each in said(stub):
        if each.is_comment:
            block = [line[each.column :].rstrip() for line in lines[each.first - 1 : each.last]]
            found[each.key] = "\n".join([each.key, *block[1:]])
        elif each.is_error:
            found[each.key] = each.key.removeprefix(ERROR)
        else:
            found[each.key] = docstrings[each.key] or ""
    return found


def in_language(text: str, lesson: Lesson, lang: str) -> str:
    """A lesson's code with all that it says as the solution does in a language, as far as somebody has translated it.

    text: the solution, or what was made of it or of parts of it. Raises CourseError as `said_otherwise` does.
    """
    original, now = english(lesson.solution_source()), english(text)
    texts = _translated(lesson, lang, original)
    return said_otherwise(text, {key: said for key, said in texts.items() if now.get(key) == original[key]})


def raising_in(tree: ast.Module, lesson: Lesson, lang: str, behind: int = 0) -> ast.Module:
    """A lesson's code that raises its sentences in a language, each at the line where it stood.

    tree: the solution, or what was made of it or of parts of it. behind: the last line that stays as it is. What nobody
    has translated stays, too.
    """
    if lang == "en":
        return tree
    texts = _translated(lesson, lang, english(lesson.solution_source()))
    made = copy.deepcopy(tree)
    for call, place in list(_raised(made)):
        if place.first > behind and (text := texts.get(place.key)) is not None:
            told = ast.parse(f"({_error(text, place)})", mode="eval").body
            for part in ast.walk(told):
                ast.copy_location(part, call.args[0])
            call.args[0] = told
    return made


def _translated(lesson: Lesson, lang: str, original: Mapping[str, str]) -> dict[str, str]:
    """What the solution says, in a language, by keys: from the lesson's file, else from the language's `.po`."""
    texts = statements(lesson, lang) or translated(original, lang)
    if unknown := sorted(set(texts) - set(original)):
        raise CourseError(f"{lesson.folder.name}/{FILE}: nothing in the solution is called {unknown[0]!r}")
    return texts


def translated(texts: Mapping[str, str], lang: str) -> dict[str, str]:
    """Those of some texts that the language's `.po` file has, in the language."""
    said = {key: Message(words).to(lang) for key, words in texts.items()}
    return {key: words for key, words in said.items() if words != texts[key]}


def said_otherwise(source: str, texts: Mapping[str, str]) -> str:
    """A stub's text with these statements in the place of its own; what is not among them stays.

    Raises CourseError when a key names nothing in the stub, a text cannot be a docstring, or has other fields.
    """
    places = sorted(said(source), key=lambda each: -each.first)
    if unknown := sorted(set(texts) - {each.key for each in places}):
        raise CourseError(f"{FILE}: there is no docstring, comment or error called {unknown[0]!r}")
    lines = lines_of(source)
    for place in places:
        if (text := texts.get(place.key)) is None:
            continue
        before = lines[place.first - 1][: place.column]
        old = lines[place.first - 1][place.column :].rstrip()
        if place.is_error:
            made = _error(text, place) + lines[place.last - 1][place.end :].rstrip()
        else:
            made = _comment(text, place.column, old) if place.is_comment else _docstring(text, before)
        lines[place.first - 1 : place.last] = [f"{before}{made}\n"]
    changed = "".join(lines)
    _must_say(changed, texts)
    return changed


def said(source: str) -> Iterator[Statement]:
    """Every docstring of a file, every comment that has words, and what its errors say."""
    yield from _docstrings(ast.parse(source), "")
    yield from _errors(source)
    yield from (each for each in _comments(source) if not NO_WORDS.fullmatch(each.key))


def _comments(source: str) -> Iterator[Statement]:
    """The comments, those in lines of their own that follow one another as one."""
    block: Statement | None = None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        line, column = token.start
        stands_alone = not token.line[:column].strip()
        if block and stands_alone and (line, column) == (block.last + 1, block.column):
            block = Statement(block.key, block.first, line, column)
            continue
        if block:
            yield block
        block = Statement(RULE.sub("# ", token.string), line, line, column)
    if block:
        yield block


def _docstrings(node: ast.AST, name: str) -> Iterator[Statement]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _docstrings(child, f"{name}.{child.name}".lstrip("."))
    if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            yield Statement(name, first.lineno, first.end_lineno or first.lineno, first.col_offset)


def _errors(source: str) -> Iterator[Statement]:
    """What is raised with a sentence."""
    yield from (place for _, place in _raised(ast.parse(source)))


def _raised(tree: ast.Module) -> Iterator[tuple[ast.Call, Statement]]:
    """The calls that make an error whose first argument is a sentence, and where that stands."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call) or not node.exc.args:
            continue
        told = node.exc.args[0]
        parts = told.values if isinstance(told, ast.JoinedStr) else [told]
        words, code = "", list[str]()
        for part in parts:
            if isinstance(part, ast.FormattedValue):
                words += f"{{{len(code)}}}"
                code.append(ast.unparse(ast.JoinedStr([part]))[2:-1])
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                words += part.value
        if words:
            last, end = told.end_lineno or told.lineno, told.end_col_offset or -1
            yield node.exc, Statement(ERROR + words, told.lineno, last, told.col_offset, end, tuple(code))


def _error(text: str, place: Statement) -> str:
    """A sentence as code, in as many lines as it needs."""
    fields = {str(number): code for number, code in enumerate(place.code)}
    if set(FIELD.findall(text)) != set(fields):
        raise CourseError(f"{FILE}: {place.key!r} has other fields")
    kept = {name: code.replace(" ", "\0") for name, code in fields.items()}  # no line ends inside code
    told = filled(text.strip().replace("\\", "\\\\").replace('"', '\\"'), kept)
    lines = textwrap.wrap(told, WIDTH - place.column - 5, drop_whitespace=False, break_on_hyphens=False)
    literals = (f'{"f" if "{" in line else ""}"{line}"' for line in lines)
    return f"\n{' ' * place.column}".join(literals).replace("\0", " ")


def _docstring(text: str, indent: str) -> str:
    text = textwrap.dedent(text).strip()
    first, *more = text.split("\n")
    prefix = "r" if "\\" in text else ""
    body = textwrap.indent("\n".join(more), indent)
    return f'{prefix}"""{first}\n{body}\n{indent}"""' if more else f'{prefix}"""{first}"""'


def _comment(text: str, column: int, old: str) -> str:
    first, *more = text.strip().split("\n")
    if RULE.match(old):
        words = first.removeprefix("# ")
        first = f"# {'-' * (len(old) - len(words) - 3)} {words}"
    return f"\n{' ' * column}".join([first, *more])


def _must_say(source: str, texts: Mapping[str, str]) -> None:
    """Raise CourseError unless each docstring is what was wanted: quotes in it may have ended it too early."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise CourseError(f"{FILE}: with its texts the stub is no Python: {error}") from error
    docstrings = dict(_texts(tree, ""))
    for key, text in texts.items():
        if not key.startswith(("#", ERROR)) and docstrings.get(key) != inspect.cleandoc(text):
            raise CourseError(f'{FILE}: the text of {key!r} cannot stand in a docstring; has it """ in it?')


def _texts(node: ast.AST, name: str) -> Iterator[tuple[str, str | None]]:
    if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield name, ast.get_docstring(node)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _texts(child, f"{name}.{child.name}".lstrip("."))
