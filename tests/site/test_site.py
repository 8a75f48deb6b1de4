"""The site of `make site`: every page opens without a network and without an error, every link leads somewhere."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from site_reader import Page, broken, is_outside, opened, pages, served

from minitorch.course import manifest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("sphinx", "myst_nb", "furo", "latex2mathml")
pytestmark = [
    pytest.mark.gate,
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in PARTS), reason="the extra [site] is not installed"
    ),
]
LESSONS = [lesson.notebook_name for lesson in manifest.load().lessons]
# One page of each kind, in each language.
KINDS = ["index", "start", "course/index", "course/glossary", "course/08_broadcasting", "api/index", "api/minitorch.nn"]
KINDS += ["docs/for-teachers", "docs/architecture", "how-it-is-made", "search", "es/index", "es/course/02_backward"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built; or the one that `MINITORCH_SITE` names."""
    if os.environ.get("MINITORCH_SITE"):
        return Path(os.environ["MINITORCH_SITE"]).resolve()
    folder = tmp_path_factory.mktemp("built") / "site"
    done = subprocess.run(
        [sys.executable, "site/make.py", str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def address(site):
    with served(site) as address:
        yield address


def test_every_link_leads_somewhere(site):
    assert broken(site) == []


def test_the_link_test_sees_a_link_that_leads_nowhere(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html">b</a><a href="c.html#there">c</a><a href="#here">here</a>')
    (tmp_path / "c.html").write_text("<p id=elsewhere>")
    assert broken(tmp_path) == [("a.html", "b.html"), ("a.html", "c.html#there"), ("a.html", "#here")]


def test_nothing_is_loaded_from_elsewhere(site):
    found = {name: [each for each in Page(site / name).loaded if is_outside(each)] for name in pages(site)}
    assert {name: addresses for name, addresses in found.items() if addresses} == {}
    sheets = {path.name: path.read_text(encoding="utf-8") for path in site.rglob("*.css")}
    assert [name for name, text in sheets.items() if "url(http" in text or "@import" in text] == []


@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_lesson_is_there_with_every_picture(site, lang):
    for name in LESSONS:
        notebook = ROOT / "notebooks" / ("es" if lang == "es" else "") / name
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        shown = ["".join(out.get("data", {}).get("text/html", "")) for cell in cells for out in cell.get("outputs", [])]
        page = (site / ("es" if lang == "es" else "") / "course" / name).with_suffix(".html")
        text = page.read_text(encoding="utf-8")
        assert [html[:60] for html in shown if html not in text] == [], name
        assert f'<html class="no-js" lang="{lang}"' in text


@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_lesson_has_its_lecture_and_its_pages(site, lang):
    folder = site / ("es" if lang == "es" else "")
    linked = {link for link in Page(folder / "lectures.html").links if link.startswith("lectures/")}
    names = [f"lectures/lecture_{Path(name).stem}" for name in LESSONS]
    assert linked == {f"{name}{form}" for name in names for form in (".html", ".pdf")}
    for name in names:
        assert f'lang="{lang}"' in (folder / f"{name}.html").read_text(encoding="utf-8")[:200]
        assert (folder / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_formulas_are_mathml_and_nothing_of_them_is_left_over(site):
    for name in LESSONS:
        source = (ROOT / "notebooks" / name).read_text(encoding="utf-8")
        text = (site / "course" / name).with_suffix(".html").read_text(encoding="utf-8")
        assert text.count("<math") >= source.count("$$") // 2
        assert "\\frac" not in text
        assert "MathJax" not in text


def test_every_page_leads_to_the_other_language(site):
    for name in pages(site):
        if "lectures/" in name:  # a document of its own
            continue
        [link] = {link for link in Page(site / name).links if 'class="language"' in _tag(site / name, link)}
        there = ((site / name).parent / link).resolve().relative_to(site).as_posix()
        assert there.startswith("es/") is not name.startswith("es/"), name
        own, other = name.removeprefix("es/"), there.removeprefix("es/")
        assert own == other or not (site / ("" if name.startswith("es/") else "es") / own).exists(), name


def _tag(path, link):
    text = path.read_text(encoding="utf-8")
    end = text.find(f'href="{link}"')
    return text[text.rfind("<", 0, end) : end]


def test_what_is_not_offered_is_not_in_the_interface(site):
    text = "".join(path.read_text(encoding="utf-8") for path in (site / "api").glob("*.html"))
    import minitorch

    assert [name for name in minitorch.__all__ if f'id="minitorch.{name}"' not in text and name != "linalg"] == []
    assert 'id="minitorch.ops' not in text
    assert 'id="minitorch.nn.module' not in text


# ------------------------------------------------------------------------------------------- in a browser


@pytest.mark.browser
def test_every_page_opens_without_an_error_asks_nobody_else_and_is_as_wide_as_a_phone(browser, site, address):
    found = {}
    with opened(browser, address, width=390) as (page, wrong):
        for name in pages(site):
            page.goto(address + name)
            page.wait_for_load_state("networkidle")
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wrong or wide > 390:
                found[name] = [wide, *wrong]
                wrong.clear()
    assert found == {}


@pytest.mark.browser
@pytest.mark.parametrize("name", ["index.html", "es/index.html"])
def test_a_phone_shows_all_of_the_first_pages_picture(browser, address, name):
    with opened(browser, address, width=390) as (page, wrong):
        page.goto(address + name)
        player = page.frame_locator(".minitorch-player iframe").first
        player.get_by_role("status").first.wait_for()
        page.wait_for_timeout(500)
        assert not player.locator("canvas.overview").is_visible()  # it shows what is out of view
        assert wrong == []


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_keeps_anybody_out(browser, address, theme):
    axe_module = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    found = []
    for name in KINDS:
        with opened(browser, address, theme) as (page, _):
            page.goto(f"{address}{name}.html")
            page.wait_for_load_state("networkidle")
            for each in axe_module.Axe().run(page).response["violations"]:
                if each["impact"] in ("serious", "critical"):
                    found += [f"{name}: {each['id']}: {node['html'][:200]} {node['any'][:1]}" for node in each["nodes"]]
    assert found == []


@pytest.mark.browser
@pytest.mark.parametrize(("language", "word"), [("", "unbroadcast"), ("es/", "retropropagación")])
def test_search_finds_a_lesson(browser, address, language, word):
    with opened(browser, address) as (page, wrong):
        page.goto(f"{address}{language}search.html?q={word}")
        page.wait_for_selector("#search-results li a")
        found = page.locator("#search-results li a").evaluate_all("links => links.map(link => link.href)")
        assert any("/course/" in link for link in found)
        assert wrong == []


@pytest.mark.browser
def test_a_picture_is_gone_through_and_follows_the_theme_that_was_chosen(browser, address):
    with opened(browser, address, "null") as (page, wrong):  # no word from the system
        page.goto(f"{address}index.html")
        player = page.frame_locator(".minitorch-player iframe").first
        player.get_by_role("status").first.wait_for()
        scrub = player.get_by_label("step of the backward pass")
        before = player.get_by_role("status").first.inner_text()
        scrub.focus()
        page.keyboard.press("End")
        assert player.get_by_role("status").first.inner_text() != before

        def ground():
            return player.locator(".root").first.evaluate("root => getComputedStyle(root).backgroundColor")

        seen = {}
        for _ in range(3):
            page.locator("button.theme-toggle:visible").click()
            page.wait_for_timeout(500)
            seen[page.evaluate("document.body.dataset.theme")] = ground()
        assert seen["dark"] != seen["light"] == seen["auto"]
        assert wrong == []
