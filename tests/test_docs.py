"""The examples of the pages in docs/ are true; those in a whole file that a page shows are tested with that file."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = sorted(ROOT.joinpath("docs").glob("*.md"))
PAGES = [page for page in DOCS if re.search(r"^>>> ", page.read_text(encoding="utf-8"), re.MULTILINE)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", [*DOCS, *sorted(ROOT.glob("*.md"))], ids=lambda page: page.name)
def test_the_links_of_a_page_lead_to_files(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_a_page_that_the_code_speaks_of_is_there() -> None:
    files = [*ROOT.joinpath("minitorch").rglob("*.py"), *ROOT.joinpath("scripts").glob("*.py"), *DOCS]
    said = {name for file in files for name in re.findall(r"docs/[\w-]+\.md", file.read_text(encoding="utf-8"))}
    assert len(said) > 3
    assert [name for name in sorted(said) if not (ROOT / name).exists()] == []
