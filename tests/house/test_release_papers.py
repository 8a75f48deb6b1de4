"""CHANGELOG.md, CITATION.cff and the licence agree with the package."""

import re
import tomllib
from pathlib import Path

import yaml

import minitorch
from minitorch.course import manifest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_newest_entry_of_the_change_log_is_this_version():
    versions = re.findall(r"^## (\S+)", CHANGES, flags=re.MULTILINE)
    assert versions[0] == minitorch.__version__
    assert len(set(versions)) == len(versions)


def test_the_lessons_that_the_change_log_counts_are_there():
    first, last = re.search(r"lessons (\d\d) to (\d\d) and two checkpoints", CHANGES).groups()
    numbers = [lesson.number for lesson in manifest.load().lessons]
    lessons = sorted(number for number in numbers if number.isdigit())
    assert (lessons[0], lessons[-1], len(numbers) - len(lessons)) == (first, last, 2)


def test_the_citation_is_of_this_version_under_this_licence():
    assert CITATION["version"] == minitorch.__version__
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["authors"] == PROJECT["authors"]
    assert {"cff-version", "message", "title"} <= set(CITATION)
