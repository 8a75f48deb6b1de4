"""Pictures and cards in JupyterLab, after they were saved: no kernel knows of them any more."""

import json
import os
import re
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyterlab_page import PATIENCE, OpenNotebook, jupyterlab, surroundings
from players import is_alive, is_scrubbed
from publish import NOTEBOOK_METADATA

from minitorch.course import manifest
from minitorch.course.setup.workspace import init_course
from minitorch.viz.drawing import palette

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(os.name != "posix", reason="drives Debian's Chromium"),
]
NOTEBOOKS = manifest.material() / "notebooks"
LESSONS = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
WIDGET = ".jp-OutputArea-child:not(:has([data-mime-type]))"  # what is neither HTML nor text
UNTRUSTED = "untrusted_"

SOURCES = {
    "first": "from minitorch import viz\nfrom minitorch.scalar import Value\nx = Value(3.0)\nviz.step(x * x)",
    "button": "from minitorch.course import check_button, quiz\ncheck_button('mul')",
    "quiz": "quiz('local_of_a_product')",
    "later": "viz.fan_out(x * x)",
}


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A course whose notebooks are those that are committed, with their outputs: trusted, and a copy that is not."""
    pytest.importorskip("jupyterlab")
    course = tmp_path_factory.mktemp("learner") / "course"
    init_course(course)
    for name in LESSONS:
        text = (NOTEBOOKS / name).read_text(encoding="utf-8")
        (course / "work" / name).write_text(text, encoding="utf-8")
        # What is trusted is the content, so a copy of the same would be, too.
        other = text.replace('"language": "python",', '"language": "python", "of": "another",', 1)
        (course / "work" / f"{UNTRUSTED}{name}").write_text(other, encoding="utf-8")
    trust = [sys.executable, "-m", "jupyter", "trust", *(str(course / "work" / name) for name in LESSONS)]
    subprocess.run(trust, env=surroundings(course.parent), check=True, capture_output=True)
    return course


@pytest.fixture(scope="module")
def address(course) -> Iterator[str]:
    with jupyterlab(course, course.parent / "stderr") as address:
        yield address


@pytest.fixture(scope="module")
def page(browser, address):
    # "null": nothing is said of the system's theme, so that frames are told JupyterLab's.
    window = browser.new_context(viewport={"width": 1400, "height": 1000}, color_scheme="null")
    window.set_default_timeout(PATIENCE)
    page = window.new_page()
    page.beyond = set()
    page.on("request", lambda request: page.beyond.add(urllib.parse.urlsplit(request.url).hostname))
    yield page
    window.close()
    assert page.beyond <= {"localhost", None, ""}


def players(notebook: OpenNotebook) -> list:
    """Return the frames of the players in a notebook."""
    return [frame for frame in notebook.page.frames if frame.parent_frame == notebook.page.main_frame]


def stored(path: Path, what: str) -> int:
    """Return how often something stands in the outputs of a notebook, as HTML."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    return sum("".join(data.get("text/html", "")).count(what) for data in outputs)


def wait_for_pictures(notebook: OpenNotebook, count: int) -> None:
    """Wait until all of them are in the page, players or not."""
    notebook.page.wait_for_function(
        "count => document.querySelectorAll('.jp-OutputArea-output img').length === count", arg=count
    )


def broken_images(notebook: OpenNotebook) -> list[str]:
    """Return the words of the images in outputs that show nothing."""
    images = notebook.page.locator(".jp-OutputArea-output img")
    return images.evaluate_all("all => all.filter(each => !each.naturalWidth).map(each => each.alt)")


def errors(notebook: OpenNotebook) -> list[str]:
    """Return what a reader sees of widgets that are gone."""
    found = notebook.page.get_by_text(re.compile("model not found|Error displaying widget|Loading widget"))
    return [each.inner_text() for each in found.all() if each.is_visible()]


@pytest.mark.parametrize("name", LESSONS[::2])  # to open them all takes long: the others are opened untrusted
def test_every_player_of_a_lesson_is_alive_when_it_is_reopened(page, address, course, name):
    notebook = OpenNotebook(page, address, name, idle=False)
    wait_for_pictures(notebook, stored(course / "work" / name, "<img "))
    for frame in players(notebook):
        frame.locator(".root").wait_for()
    frames = players(notebook)
    assert len(frames) == stored(course / "work" / name, "<iframe")
    assert [is_alive(frame) for frame in frames] == [True] * len(frames)
    assert broken_images(notebook) == []
    assert errors(notebook) == []


@pytest.mark.parametrize("name", LESSONS[1::2])
def test_every_picture_of_an_untrusted_copy_is_a_still_with_its_words(page, address, course, name):
    notebook = OpenNotebook(page, address, f"{UNTRUSTED}{name}", idle=False)
    wait_for_pictures(notebook, stored(course / "work" / name, "<img "))
    assert players(notebook) == []
    pictures = page.locator(".jp-OutputArea-output img")
    assert all(len(picture.get_attribute("alt")) > 30 and picture.is_visible() for picture in pictures.all())
    assert broken_images(notebook) == []
    assert errors(notebook) == []


def test_the_players_follow_jupyterlabs_theme(page, address):
    notebook = OpenNotebook(page, address, "02_backward.ipynb")
    for theme, colours in (("JupyterLab Dark", palette.DARK), ("JupyterLab Light", palette.LIGHT)):
        page.get_by_role("menuitem", name="Settings", exact=True).click()
        page.get_by_text("Theme", exact=True).hover()
        page.get_by_text(theme, exact=True).click()
        for number, frame in enumerate(players(notebook)):
            page.locator(".jp-OutputArea-output iframe").nth(number).scroll_into_view_if_needed()
            frame.locator(f".root[style*='--paper: {colours['paper']}']").wait_for()


# ------------------------------------------------------------------------------------- run, saved, reopened


@pytest.fixture(scope="module")
def half(page, address, course) -> OpenNotebook:
    """A notebook of which all cells but the last were run; saved, its kernel shut, reopened."""
    cells = [
        {"cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None}
        for name, source in SOURCES.items()
    ]
    copy = course / "work" / "half.ipynb"
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": NOTEBOOK_METADATA, "cells": cells}
    copy.write_text(json.dumps(notebook), encoding="utf-8")
    opened = OpenNotebook(page, address, copy.name)
    for source in list(SOURCES.values())[:-1]:
        opened.run(opened.cell(source.splitlines()[-1]))
    opened.cell("check_button(").locator(".minitorch-live").wait_for()
    opened.cell("quiz('").locator(".minitorch-live").wait_for()
    opened.save(copy, "mul: not started")
    opened.reopen()
    return opened


def test_a_player_that_was_run_and_saved_is_alive_in_a_notebook_of_which_half_was_run(half):
    (frame,) = players(half)
    assert is_scrubbed(frame)
    assert half.prompts() == ["[1]:", "[2]:", "[3]:", "[ ]:"]


def test_below_a_card_that_was_kept_nothing_is_said_of_a_widget_that_is_gone(half):
    for source in ("check_button(", "quiz('"):
        cell = half.cell(source)
        cell.locator(".minitorch-still").wait_for()
        # JupyterLab looks for the widget for two seconds, and then finds none.
        cell.locator(WIDGET).get_by_text("model not found").wait_for(state="attached")
    assert errors(half) == []
    assert half.cell("check_button(").get_by_text("mul: not started").is_visible()


def test_run_again_the_card_lives_again(half):
    half.run(half.cell("check_button("))
    card = half.cell("check_button(")
    card.locator(".minitorch-live").get_by_role("button", name="check mul").wait_for()
    card.locator(".minitorch-still").wait_for(state="hidden")
