"""Each package stays within its budget of lines of code, which docs/architecture.md names."""

import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (?P<folder>\w+) \| (?P<limit>[\d,]+) \| [^|]* \|$", re.MULTILINE)
LIMITS = {row["folder"]: int(row["limit"].replace(",", "")) for row in ROW.finditer(PAGE)}


def lines_of_code(text: str) -> int:
    """Count the lines with a token that is neither a comment nor part of a statement made of strings alone."""
    ignored = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    code: set[int] = set()
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE:
            if any(each.type != tokenize.STRING for each in statement):
                for each in statement:
                    code.update(range(each.start[0], each.end[0] + 1))
            statement = []
        elif token.type not in ignored:
            statement.append(token)
    return len(code)


def test_comments_blank_lines_and_docstrings_do_not_count():
    assert lines_of_code('"""Doc.\n\nMore.\n"""\n\nx = 1  # one\n# two\ny = (\n    2\n)\n') == 4


def test_the_table_names_the_packages_of_the_engine():
    assert {"autograd", "ops", "nn", "optim", "compat"} <= set(LIMITS)


@pytest.mark.parametrize("folder", LIMITS)
def test_a_package_stays_within_its_budget(folder):
    paths = (ROOT / "minitorch" / folder).rglob("*.py")
    assert sum(lines_of_code(path.read_text(encoding="utf-8")) for path in paths) <= LIMITS[folder], (
        "make something simpler, or lower the limit of another package in docs/architecture.md by as much"
    )
