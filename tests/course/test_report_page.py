"""`minitorch report`: one page that says what is true of an engine, needs no network and shows no code as HTML."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from minitorch.course import manifest
from minitorch.course.cli import cli
from minitorch.course.mine import page
from minitorch.course.setup.workspace import init_course

COURSE = manifest.load()
PIECES = sum(len(lesson.exercises) for lesson in COURSE.lessons if lesson.engine)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A course folder in which lesson 01 is solved."""
    init_course(tmp_path / "course")
    monkeypatch.chdir(tmp_path / "course")
    lesson = COURSE.lesson("01")
    (tmp_path / "course" / "exercises" / lesson.file_name).write_text(lesson.solution_source())
    return tmp_path / "course"


def run(*words):
    return CliRunner().invoke(cli, ["report", *map(str, words)])


def words(file):
    """What the page says, without its tags."""
    return " ".join(
        re.sub(r"<style>.*?</style>|<[^>]*>", " ", file.read_text(encoding="utf-8"), flags=re.DOTALL).split()
    )


def test_a_report_counts_trains_and_shows_what_passed(folder):
    done = run()
    assert done.exit_code == 0, done.output
    assert f"my_engine.html: 6 of {PIECES} pieces are yours" in done.output
    said = words(folder / "my_engine.html")
    assert f"6 of {PIECES} pieces of the engine are mine; 4 of " in said
    assert re.search(
        r"105 numbers .* 80 steps in [\d.]+ s .* from 0\.938 to 0\.0\d\d; it tells 100 % of 100 points", said
    )
    assert re.search(r"500 steps in [\d.]+ s took its loss from 1\.099 to 0\.0\d\d; it tells (9\d|100) %", said)
    assert "01 Scalar nodes 4 / 4 2 / 2" in said
    assert "02 Backward 0 / 3" in said
    assert "def __mul__(self, other: Value | float)" in said
    assert "def toposort" not in said  # nobody's: it is not written yet
    assert "http" not in (folder / "my_engine.html").read_text().replace("http://www.w3.org/", "")


def test_it_speaks_spanish(folder, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert "6 de " in run("mío.html").output
    assert "Dos lunas, un número a la vez Una red de 105 números" in words(folder / "mío.html")


def test_a_report_is_written_anew_and_nothing_else_is_written_over(folder, monkeypatch):
    monkeypatch.setattr(page, "exhibits", lambda engine: iter(()))
    assert run("a.html").exit_code == run("a.html").exit_code == 0
    (folder / "mine.html").write_text("<p>my own page</p>")
    done = run("mine.html")
    assert done.exit_code == 2
    assert "mine.html is there already and no report, so it is left as it is: name another file" in done.output
    assert (folder / "mine.html").read_text() == "<p>my own page</p>"
    assert "a report is written as .html, not as .pdf" in run("a.pdf").output
    (folder / "folder.html").mkdir()
    assert run("folder.html").exit_code == 2
    assert "cannot be written" in run("mine.html/a.html").output


def test_an_engine_that_raises_ends_its_section_and_not_the_page(folder, monkeypatch):
    def raises(engine):
        raise ValueError("no <b>numbers</b>\x1b[31m left")
        yield

    monkeypatch.setattr(page, "exhibits", raises)
    assert run("a.html").exit_code == 0
    text = (folder / "a.html").read_text()
    assert "the engine raised ValueError: no &lt;b&gt;numbers&lt;/b&gt;\\x1b[31m left" in text
    assert "What I wrote" in text


def test_code_is_shown_and_not_run(folder, monkeypatch):
    monkeypatch.setattr(page, "exhibits", lambda engine: iter(()))
    path = folder / "exercises" / COURSE.lesson("01").file_name
    line = 'return Value(self.data * other, (self,), "*", (other,))'
    wicked = path.read_text().replace(line, f"{line}  # </pre><script>alert(1)</script> \u202e")
    path.write_text(wicked, encoding="utf-8")
    assert run("a.html").exit_code == 0
    text = (folder / "a.html").read_text()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; \\u202e" in text
    assert "<script" not in text


@pytest.mark.browser
def test_the_page_asks_for_nothing_and_fits(folder, browser):
    run("a.html")
    for width in (800, 1920):
        seen = browser.new_page(viewport={"width": width, "height": 900})
        asked = []
        seen.on("request", lambda request, asked=asked: asked.append(request.url))
        seen.goto((folder / "a.html").as_uri())
        assert [url for url in asked if not url.startswith("data:")] == [(folder / "a.html").as_uri()]
        assert seen.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.evaluate("[...document.images].every(each => each.complete && each.naturalWidth > 100)")
        seen.close()
