"""The examples of the pages in docs/ are true; those in a whole file that a page shows are tested with that file."""

import doctest
import re
from pathlib import Path

import pytest

PAGES = [
    page
    for page in sorted(Path(__file__).resolve().parent.parent.joinpath("docs").glob("*.md"))
    if re.search(r"^>>> ", page.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0
    assert result.failed == 0
