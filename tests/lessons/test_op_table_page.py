"""The page that puts the learner's closures beside minitorch's declarations: its quotes and its examples are true.

Each block of code that is a quote stands below a comment, invisible to the reader, that says where it is from:

    <!-- quote: minitorch/ops/reduce.py: sum, sum.vjp -->

A quote is the whole definition, line by line, without its documentation; empty lines do not count.
"""

import ast
import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "notebooks" / "from_closures_to_the_op_table.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?:<!-- quote: (\S+): ([^>]+?) -->\n+)?```python\n(.*?)```", TEXT, re.DOTALL)
QUOTES = [(path, names, block) for path, names, block in BLOCKS if path]


def lines_of(source: str, name: str) -> list[str]:
    """Return the lines of what is called `name`: a definition, an assignment, or a call such as `sum.vjp(...)`."""
    tree, lines = ast.parse(source), source.splitlines()
    body, dotted = tree.body, name
    while True:
        head, _, rest = dotted.partition(".")
        inside = [node for node in body if isinstance(node, ast.ClassDef) and node.name == head and rest]
        if not inside:
            break
        body, dotted = inside[0].body, rest
    found = [node for node in body if dotted in names_of(node)]
    assert len(found) == 1, f"{name}: {len(found)} definitions"
    node = found[0]
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    hidden = {number for text in documentation(node) for number in range(text.lineno, text.end_lineno + 1)}
    wanted = [lines[number - 1] for number in range(first, node.end_lineno + 1) if number not in hidden]
    return [line[node.col_offset :].rstrip() for line in wanted]


def documentation(node: ast.stmt) -> list[ast.AST]:
    """Return the docstring of a function, or the text that `primitive` is given second."""
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
        return node.body[:1]
    if (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == "primitive"
    ):
        return [each for each in node.value.args[1:2] if isinstance(each, ast.Constant) and type(each.value) is str]
    return []


def names_of(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return {ast.unparse(node.value.func)}
    return set()


def test_there_are_quotes_of_every_lesson_and_of_the_engine():
    sources = {path for path, _, _ in QUOTES}
    for number in ("05", "08", "09", "10", "11"):
        assert any(f"solutions/lesson_{number}_" in path for path in sources)
    assert len([path for path in sources if path.startswith("minitorch/")]) >= 5


@pytest.mark.parametrize(("path", "names", "block"), QUOTES, ids=[names for _, names, _ in QUOTES])
def test_a_quote_is_word_for_word(path, names, block):
    source = (ROOT / path).read_text(encoding="utf-8")
    wanted = [line for name in names.split(", ") for line in lines_of(source, name)]
    assert full(block.splitlines()) == full(wanted)


def full(lines: list[str]) -> list[str]:
    """Return the lines that are not empty; columns that a table lines up are set without their gaps."""
    return [re.sub(r"(?<=\S) {2,}", " ", line.rstrip()) for line in lines if line.strip()]


def test_every_block_is_a_quote_or_an_example_that_is_run():
    assert [block for path, _, block in BLOCKS if not path and ">>> " not in block] == []


def test_the_examples_are_true():
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 10
    assert result.failed == 0


def test_the_notebook_leads_to_the_page_and_the_page_back():
    notebook = (ROOT / "notebooks" / "11_softmax_cross_entropy.ipynb").read_text(encoding="utf-8")
    assert f"]({PAGE.name})" in notebook
    links = re.findall(r"\]\((?!http)([^)#]+)\)", re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL))
    assert "11_softmax_cross_entropy.ipynb" in links
    assert [link for link in links if not (PAGE.parent / link).exists()] == []


def test_the_spanish_page_has_the_same_code_quotes_tables_and_links():
    spanish = (PAGE.parent / "es" / PAGE.name).read_text(encoding="utf-8")
    for part in (r"```.*?```|<!-- .*? -->", r"^#+ ", r"^\|.*\|$", r"\]\([^)]*\)"):
        found = [re.findall(part, text, re.DOTALL | re.MULTILINE) for text in (TEXT, spanish)]
        if part.startswith(r"^\|"):
            found = [[row.count(" | ") for row in rows] for rows in found]
        assert found[0] == found[1]


def test_an_altered_quote_is_seen():
    source = "def f(g):\n    '''Said.'''\n    return g\n\n\nf.vjp(\n    x=f,\n)\n"
    assert lines_of(source, "f") == ["def f(g):", "    return g"]
    assert lines_of(source, "f.vjp") == ["f.vjp(", "    x=f,", ")"]
    assert lines_of("m = primitive(\n    h,\n    'Said.',\n    x=f,\n)\n", "m") == [
        "m = primitive(",
        "    h,",
        "    x=f,",
        ")",
    ]
