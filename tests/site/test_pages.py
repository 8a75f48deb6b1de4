"""The pages that the site alone has: both languages say the same things, and nothing names an owner."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "site"
OWN = sorted(path.relative_to(SITE / "en").as_posix() for path in (SITE / "en").rglob("*.md"))
LISTING = re.compile(r"^```(?:sh|toml|python|text|bat)\n.*?^```$", re.MULTILINE | re.DOTALL)


def test_every_page_of_the_site_is_there_in_both_languages():
    spanish = {path.relative_to(SITE / "es").as_posix() for path in (SITE / "es").rglob("*.md")}
    assert spanish == {*OWN, "docs/for-teachers.md", "api/index.md"}  # in English the manual's, and from the code


def test_the_spanish_page_of_the_interface_leads_to_every_module():
    modules = re.findall(
        r'^    "(minitorch[\w.]*)",$', (SITE / "api_pages.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    text = (SITE / "es" / "api" / "index.md").read_text(encoding="utf-8")
    assert len(modules) > 10
    assert [name for name in modules if f"/api/{name}.html" not in text] == []


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("docs/for-teachers.md", "site/es/docs/for-teachers.md"),
        *((f"site/en/{each}", f"site/es/{each}") for each in OWN),
    ],
)
def test_a_page_asks_for_the_same_commands_in_both_languages(english, spanish):
    first, second = ((ROOT / each).read_text(encoding="utf-8") for each in (english, spanish))
    assert LISTING.findall(second.replace("MINITORCH_LANG=es ", "").replace("--lang es lab", "lab")) == LISTING.findall(
        first
    )
    assert second.count("\n## ") == first.count("\n## ")


def test_what_the_cookbook_shows_is_so():
    told = doctest.testfile(str(SITE / "en" / "cookbook.md"), module_relative=False, encoding="utf-8")
    assert told.attempted > 20
    assert told.failed == 0


def test_the_weeks_are_the_same_in_both_languages():
    weeks = [
        re.findall(r"^\| (\d) \| ([^|]+) \| (\d+) \| (\d+) \|", (ROOT / each).read_text(encoding="utf-8"), re.MULTILINE)
        for each in ("docs/for-teachers.md", "site/es/docs/for-teachers.md")
    ]
    assert weeks[0] == weeks[1]
    assert len(weeks[0]) == 8


def test_the_first_page_leads_to_the_browser_edition_where_one_was_built_that_has_numpy(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(SITE)
    staging = importlib.import_module("staging")
    lock = tmp_path / "lite" / "static" / "pyodide" / "pyodide-lock.json"
    assert staging.edition(tmp_path / "lite") is None
    lock.parent.mkdir(parents=True)
    lock.write_text('{"packages": {"rich": {}}}')
    assert staging.edition(tmp_path / "lite") is None
    lock.write_text('{"packages": {"numpy": {}, "rich": {}}}')
    assert staging.edition(tmp_path / "lite") == tmp_path / "lite"
    for lang, address in [("en", "browser/index.html"), ("es", "../browser/index.html")]:
        page = tmp_path / f"{lang}.md"
        without = (SITE / lang / "index.md").read_text(encoding="utf-8")
        page.write_text(without, encoding="utf-8")
        staging._start_in("browser", page, lang)
        starts = re.findall(r'<a [^>]*href="([^"]+)"', page.read_text(encoding="utf-8"))
        before = re.findall(r'<a [^>]*href="([^"]+)"', without)
        assert starts == [before[0], address, *before[1:]]


def test_the_workflow_names_no_owner():
    workflow = (ROOT / ".github" / "workflows" / "site.yml").read_text(encoding="utf-8")
    assert {used.split("/")[0] for used in re.findall(r"uses: (\S+)", workflow)} == {"actions"}
    assert "make site" in workflow
    assert "http" not in workflow
