"""Numbers in the prose of a lesson of the second edition: each is shown, or explained in its lesson.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import nbformat
import pytest
from prose_numbers import faults, not_found, numbers
from second_edition import Notebook

from minitorch.course import manifest

ROOT = Path(__file__).resolve().parents[2]
COURSE = manifest.load()
SECOND = [lesson for lesson in COURSE.lessons if lesson.edition == 2]


@pytest.mark.parametrize("lesson", SECOND, ids=lambda lesson: lesson.number)
def test_every_number_in_the_prose_is_shown_or_explained(lesson):
    cells = nbformat.read(ROOT / "notebooks" / lesson.notebook_name, as_version=4).cells
    table = tomllib.loads((lesson.folder / "lesson.toml").read_text(encoding="utf-8"))
    assert list(faults(Notebook(lesson, cells), table.get("numbers", {}))) == []


def notebook(prose: str, code: str = "", printed: str = "") -> Notebook:
    """Return a notebook of one section."""
    output = {"output_type": "stream", "text": printed}
    return Notebook(
        COURSE.lesson("08"),
        [
            {"cell_type": "markdown", "source": f"## 1. A section\n\n{prose}"},
            {"cell_type": "code", "source": code, "outputs": [output]},
        ],
    )


@pytest.mark.parametrize(
    ("prose", "printed"),
    [
        ("It is 39.", "computed: 39"),
        ("It is 39.", "measured: 39.0000"),
        ("Off by 5 %.", "0.0497"),
        ("Off by 5%.", "relative error 0.0497"),
        ("Off by 4.97 %.", "0.04971"),
        ("It is right for 108/972 of them.", "108 of 972"),
        ("There are 10⁶ of them.", "1000000"),
        ("There are a million paths, 1,048,576 exactly.", "1048576"),
        ("About 1.4 million.", "1_413_000"),
        ("It falls to 0.43.", "0.4271"),
        ("It falls by 12.5.", "-12.5"),
        ("It grows to -0.2.", "-0.2000"),
        ("Some 6,400 nodes.", "6412"),
        ("A step of 10⁻⁶.", "1e-06"),
        ("It is off by 3.1e-05.", "3.14e-05"),
    ],
)
def test_a_number_that_is_shown_is_found_as_the_prose_rounds_it(prose, printed):
    assert [each.text for each in numbers(prose)]
    assert not_found(notebook(prose, printed=printed)) == {}
    assert not_found(notebook(prose, code=f"x = [{printed.split()[-1]}]" if "of" not in printed else printed)) == {}


@pytest.mark.parametrize(
    ("prose", "printed", "missing"),
    [
        ("It is 39.", "63", "39"),
        ("It is 39.", "139 390 3.9", "39"),
        ("It is 3.", "3.2", "3"),
        ("Off by 5 %.", "0.4", "5 %"),
        ("It is right for 108/972 of them.", "108 of 970", "108/972"),
        ("There are 10⁶ of them.", "100000", "10⁶"),
        ("It falls to 0.43.", "0.42", "0.43"),
        ("It grows to -0.2.", "0.2", "-0.2"),
        ("Some 6,400 nodes.", "6480", "6,400"),
        ("Twice 40 million.", "40", "40 million"),
    ],
)
def test_a_number_that_is_not_shown_is_named(prose, printed, missing):
    assert list(not_found(notebook(prose, printed=printed))) == [missing]


@pytest.mark.parametrize(
    "prose",
    [
        "`x = 77` and $77 + x$ and\n\n$$77$$",
        "of shape (77, 3), also (-77, 0)",
        "the index [77, 12]",
        "section 77 and lesson 09; sections 3, 4 and 5; **09 · Reduce**; step 7",
        "Rumelhart, 1986, and others in 2017",
        "1. one\n7. seven",
        "| 77 | 78 |",
        "```python\n77\n```",
        "float64, x77, conv2d",
        "a 77 × 33 picture",
        "one or 2 ways",
    ],
)
def test_what_is_no_result_is_left_aside(prose):
    assert [each.text for each in numbers(prose)] == []


def test_what_another_section_shows_does_not_count():
    first = notebook("Nothing.", printed="39")
    second = notebook("It is 39.").cells
    assert not_found(Notebook(first.lesson, [*first.cells, {**second[0], "source": "## 2. B\n\nIt is 39."}])) == {
        "39": "2. B"
    }


def test_what_is_not_shown_must_be_explained_and_what_is_explained_must_be_needed():
    said = notebook("Python stops at 1000 levels, and x is 39.", printed="39")
    assert list(faults(said, {"1000": "Python's own limit"})) == []
    assert "1000 stands in section 1. A section" in "".join(faults(said, {}))
    assert list(faults(said, {"1000": " "})) == ["[numbers] gives no reason for 1000"]
    for needless in ("39", "77"):
        found = list(faults(said, {"1000": "Python's own limit", needless: "because"}))
        assert found == [f"[numbers] lists {needless}, which is shown, or does not occur"]
